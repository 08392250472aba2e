import { afterEach, expect } from "vitest";
import { QuickDecoder } from "../packages/runtime/src/codec/quick/quick-decoder.js";
import { QuickEncoder } from "../packages/runtime/src/codec/quick/quick-encoder.js";
import { QuickReader, unusualMessage } from "../packages/runtime/src/codec/quick/quick-reader.js";

// Clients ignore all errors of the quick codec, and use the full codec instead. A mistake in the quick codec would therefore only
// make clients slower. Here, such an error fails the test during which it occurs.

/** The errors that the quick codec is meant to throw: `unusualMessage`, and those of types whose text or value is invalid. */
function isExpected(error: unknown): boolean {
  return error === unusualMessage || (error instanceof Error && error.name === "LexicalError");
}

const unexpectedErrors: unknown[] = [];

const watchedMethods = new WeakSet<object>();

/** Records the unexpected errors of the methods of a class. */
function watchMethods({ prototype }: { readonly prototype: object }): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor" || typeof value !== "function" || watchedMethods.has(value)) {
      continue;
    }
    const watched = function (this: unknown, ...parameters: readonly unknown[]): unknown {
      try {
        return Reflect.apply(value, this, parameters);
      } catch (error) {
        if (!isExpected(error)) {
          unexpectedErrors.push(error);
        }
        throw error;
      }
    };
    watchedMethods.add(watched);
    Object.defineProperty(prototype, name, { value: watched, configurable: true, writable: true });
  }
}

for (const codecClass of [QuickReader, QuickDecoder, QuickEncoder]) {
  watchMethods(codecClass);
}

afterEach(() => {
  expect(unexpectedErrors.splice(0)).toEqual([]);
});
