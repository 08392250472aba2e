import type { SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import { traitsOf } from "../lexical/simple-type.js";
import { normalizeWhiteSpace } from "../lexical/white-space.js";

/** A value where the schema allows one alone. */
export interface FixedUse {
  readonly value: unknown;
  readonly fixed: string;
  readonly context: TextContext;
}

/** Refuses any value but the fixed one, whatever text it has (XSD 1.0 Part 1 §3.3.4). */
export function checkFixed(type: SimpleType<unknown>, { value, fixed, context }: FixedUse): void {
  const traits = traitsOf(type);
  const literal = traits.literal?.(fixed) ?? type.read(normalizeWhiteSpace(fixed, type.whiteSpace), context);
  if (traits.key(value) !== traits.key(literal)) {
    throw new LexicalError(`The value is fixed as "${fixed.slice(0, 64)}".`);
  }
}
