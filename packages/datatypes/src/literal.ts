import { emptyContext, type SimpleType, traitsOf } from "./simple-type.js";
import { normalizeWhiteSpace } from "./white-space.js";

/** The value that a facet or an enumeration names, from its text or from a JavaScript literal. */
export function literalValue<T>(type: SimpleType<T>, literal: unknown): T;
export function literalValue(type: SimpleType<unknown>, literal: unknown): unknown {
  const text = literalText(literal);
  const fromText = traitsOf(type).literal;
  return fromText === undefined ? type.read(normalizeWhiteSpace(text, type.whiteSpace), emptyContext) : fromText(text);
}

function literalText(literal: unknown): string {
  if (literal === Number.POSITIVE_INFINITY) {
    return "INF";
  }
  return literal === Number.NEGATIVE_INFINITY ? "-INF" : String(literal);
}
