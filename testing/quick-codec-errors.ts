import { afterEach, expect, vi } from "vitest";
import { QuickDecoder } from "../packages/runtime/src/codec/quick/quick-decoder.js";
import { QuickEncoder } from "../packages/runtime/src/codec/quick/quick-encoder.js";
import { QuickReader, unusualMessage } from "../packages/runtime/src/codec/quick/quick-reader.js";
import { unexpectedErrors } from "./unexpected-errors.js";

// Clients ignore all errors of the quick codec, and use the full codec instead. A mistake in the quick codec would therefore only
// make clients slower. Here, such an error fails the test during which it occurs. The same applies to `writeUsualRequest`, with which
// REST clients write usual requests.

/** The errors that the quick codec is meant to throw: `unusualMessage`, and those of types whose text or value is invalid. */
function isExpected(error: unknown): boolean {
  return error === unusualMessage || (error instanceof Error && error.name === "LexicalError");
}

const watchedMethods = new WeakSet<object>();

/** Records the unexpected errors of the methods of a class. */
function watchMethods({ prototype }: { readonly prototype: object }): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor" || typeof value !== "function" || watchedMethods.has(value)) {
      continue;
    }
    const watched = function (this: unknown, ...parameters: readonly unknown[]): unknown {
      return recordErrors(() => Reflect.apply(value, this, parameters), isExpected);
    };
    watchedMethods.add(watched);
    Object.defineProperty(prototype, name, { value: watched, configurable: true, writable: true });
  }
}

/** Calls a function and records its error, unless the error is expected. */
function recordErrors<Result>(run: () => Result, isExpectedError: (error: unknown) => boolean): Result {
  try {
    return run();
  } catch (error) {
    if (!isExpectedError(error)) {
      unexpectedErrors.push(error);
    }
    throw error;
  }
}

for (const codecClass of [QuickReader, QuickDecoder, QuickEncoder]) {
  watchMethods(codecClass);
}

// A function of a module cannot be replaced, so this replaces the module by one whose function calls the original.
vi.mock("../packages/runtime/src/client/rest/usual-request.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../packages/runtime/src/client/rest/usual-request.js")>();
  const { writeUsualRequest, unusualRequest } = original;
  return {
    ...original,
    writeUsualRequest: (...parameters: Parameters<typeof writeUsualRequest>) =>
      recordErrors(
        () => writeUsualRequest(...parameters),
        (error) => error === unusualRequest,
      ),
  };
});

afterEach(() => {
  expect(unexpectedErrors.splice(0)).toEqual([]);
});
