import { normalizeWhiteSpace, valueSpaceOf } from "@bothends/datatypes";
import type { SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";

/** The value that a declaration names as its default or as fixed; names in it are in Clark notation. */
export function declaredValue(type: SimpleType<unknown>, text: string, context: TextContext): unknown {
  return valueSpaceOf(type).literal?.(text) ?? type.read(normalizeWhiteSpace(text, type.whiteSpace), context);
}

/** A value where the schema allows one alone. */
export interface FixedUse {
  readonly value: unknown;
  readonly fixed: string;
  readonly context: TextContext;
}

/** Refuses any value but the fixed one, whatever text it has (XSD 1.0 Part 1 §3.3.4). */
export function checkFixed(type: SimpleType<unknown>, { value, fixed, context }: FixedUse): void {
  const { key } = valueSpaceOf(type);
  if (key(value) !== key(declaredValue(type, fixed, context))) {
    throw new LexicalError(`The value is fixed as "${fixed.slice(0, 64)}".`);
  }
}
