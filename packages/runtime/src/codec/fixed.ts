import type { SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import { normalizeWhiteSpace } from "../lexical/white-space.js";

/** A value where the schema allows one alone. */
export interface FixedUse {
  readonly value: unknown;
  readonly fixed: string;
  readonly context: TextContext;
}

/** Refuses any value but the fixed one. They are compared as values, so in their canonical texts (XSD 1.0 Part 1 §3.3.4). */
export function checkFixed(type: SimpleType<unknown>, { value, fixed, context }: FixedUse): void {
  // In Clark notation or not, equal names have equal texts here.
  const plain: TextContext = {
    resolve: (prefix) => (prefix === "" ? "" : context.resolve(prefix)),
    prefixFor: (namespace) => `{${namespace}}`,
  };
  const text = type.write(value, plain);
  if (text === fixed) return;
  if (text !== type.write(type.read(normalizeWhiteSpace(fixed, type.whiteSpace), plain), plain)) {
    throw new LexicalError(`The value is fixed as "${fixed.slice(0, 64)}".`);
  }
}
