import { BothendsError } from "../../errors.js";

// Code that is loaded on first use.

/**
 * Returns a function that loads a module once per client, because each `import()` takes some 50 µs. If loading fails,
 * this call rejects with a `BothendsError`, and the next call tries again. Clients do not share a load, because on edge
 * platforms a request cannot wait for work that another request started.
 */
export function createLoaderPerClient<Module>(load: () => Promise<Module>): (client: object) => Promise<Module> {
  const loadsByClient = new WeakMap<object, Promise<Module>>();
  return (client) => {
    let loading = loadsByClient.get(client);
    if (loading === undefined) {
      loading = awaitLoading(load());
      loadsByClient.set(client, loading);
      loading.catch(() => loadsByClient.delete(client));
    }
    return loading;
  };
}

/** Waits until the code for a call has been loaded. Rejects with a `BothendsError` if that fails. */
export function awaitLoading<Module>(loading: Promise<Module>): Promise<Module> {
  return loading.catch((cause: unknown) => {
    throw new BothendsError(
      "The code for this message could not be loaded: check that all files exist. See docs/testing.md for Jest.",
      { cause },
    );
  });
}

/** Copies an input, because the caller may change the original before the code that writes requests has been loaded. */
export function copyInput<Value>(input: Value): Value {
  try {
    return copyValue(input) as Value;
  } catch {
    // The input contains itself or a getter that throws. Writing the input will report the error.
    return input;
  }
}

/**
 * Copies objects that have members. Objects without members, such as instances of value classes, are not copied,
 * because they cannot change.
 */
function copyValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(copyValue);
  }
  if (value instanceof Date) {
    return new Date(value);
  }
  if (value instanceof Uint8Array) {
    return new Uint8Array(value);
  }
  const members = Object.entries(value).map(([key, member]) => [key, { value: copyValue(member), enumerable: true }]);
  return members.length === 0 ? value : Object.create(Object.getPrototypeOf(value), Object.fromEntries(members));
}
