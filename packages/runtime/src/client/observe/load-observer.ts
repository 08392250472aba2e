// A file of its own: both clients load the same code, and the code must not import what loads it.

const load = () => import("./observed-call.js");
const loads = new WeakMap<object, ReturnType<typeof load>>();

/** Loads the code for the calls of a client that are observed: once, because each `import()` takes some 50 µs. */
export function loadObserver(client: object): ReturnType<typeof load> {
  let loading = loads.get(client);
  if (loading === undefined) {
    loading = load();
    loads.set(client, loading);
  }
  return loading;
}
