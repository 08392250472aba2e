import { expect, test } from "vitest";
import { formatIncident } from "../../src/observe/incident-lines.js";
import { pinoLogger } from "../../src/observe/index.js";

// Exceptions whose members are not those of ordinary errors: of other types, changed, or getters that throw.

const throws = () => {
  throw new Error("The member cannot be read.");
};

/** Returns an error whose stack is a list of V8's call sites, as a library can configure for all errors. */
function createWithCallSites(): Error {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites;
  try {
    const error = new TypeError("disk quota exceeded");
    void error.stack;
    return error;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}

function createWith(descriptors: PropertyDescriptorMap): Error {
  const error = new TypeError("disk quota exceeded");
  // V8 creates the text of the stack when it is first read, from the name and the message.
  void error.stack;
  return Object.defineProperties(error, descriptors);
}

const errors: readonly (readonly [string, () => Error, place: RegExp])[] = [
  ["a stack of call sites", createWithCallSites, /unusual-errors\.test/],
  ["a stack of lines", () => createWith({ stack: { value: ["a", "    at f (x.js:1:2)"] } }), /x\.js:1:2/],
  ["a number as stack", () => createWith({ stack: { value: 5 } }), /^/],
  ["a stack that cannot be read", () => createWith({ stack: { get: throws } }), /^/],
  ["a stack of values without text", () => createWith({ stack: { value: [Object.create(null)] } }), /^/],
  ["a symbol as name", () => createWith({ name: { value: Symbol("E") } }), /unusual-errors\.test/],
  ["a name that cannot be read", () => createWith({ name: { get: throws } }), /unusual-errors\.test/],
  ["a class that cannot be read", () => createWith({ constructor: { get: throws } }), /unusual-errors\.test/],
  ["a cause that cannot be read", () => createWith({ cause: { get: throws } }), /unusual-errors\.test/],
  ["errors that cannot be read", () => createWith({ errors: { get: throws } }), /unusual-errors\.test/],
  ["a code that cannot be read", () => createWith({ code: { get: throws } }), /unusual-errors\.test/],
  ["a member that cannot be read", () => createWith({ a: { get: throws, enumerable: true } }), /unusual-errors\.test/],
];

/** Returns the line of an incident, and what `pinoLogger` passes to pino. */
function logBoth(error: unknown): readonly [line: string, entry: Readonly<Record<string, unknown>>] {
  let entry: Readonly<Record<string, unknown>> = {};
  const log = (record: object) => {
    entry = record as Readonly<Record<string, unknown>>;
  };
  const { onError } = pinoLogger({ info: log, warn: log, error: log });
  const incident = { kind: "handler", message: "The handler failed.", error } as const;
  onError(incident);
  return [JSON.parse(formatIncident(incident, { format: "json" })).cause, entry];
}

test.each(errors)("the line of an error with %s has its class, message and place", (_, create, place) => {
  const [line] = logBoth(create());
  expect(line).toMatch(/TypeError.*: disk quota exceeded/);
  expect(line).toMatch(place);
});

test.each(errors)("an error with %s is logged as a cause", (_, create) => {
  const [line] = logBoth(new Error("Saving failed", { cause: create() }));
  expect(line).toMatch(/^Error: Saving failed\n(?:.*\n)*Caused by: TypeError.*: disk quota exceeded/);
});

test.each(errors)("pino receives texts for an error with %s", (_, create) => {
  const [, { err }] = logBoth(create());
  const { name, message, stack = "" } = err as Error;
  expect({ name: typeof name, message, stack: typeof stack }).toEqual({
    name: "string",
    message: "disk quota exceeded",
    stack: "string",
  });
});

test("a message that was changed after the error was created is in the line", () => {
  const error = new Error("disk full");
  void error.stack;
  error.message = `Cannot save the order: ${error.message}`;
  expect(logBoth(error)[0]).toMatch(/^Error: Cannot save the order: disk full\nError: disk full\n {4}at /);
});
