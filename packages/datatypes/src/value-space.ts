import { LexicalError } from "./lexical-error.js";
import {
  type Datatype,
  normalizeWhiteSpace,
  type SimpleType,
  type TextContext,
  type ValueSpace,
} from "./simple-type.js";

// Separate from `simple-type.ts`, because clients use these functions only with facets, and for unusual messages.

/** A context in which no prefix is bound, for text without QNames. */
export const emptyContext: TextContext = {
  resolve: () => undefined,
  prefixFor: () => {
    throw new LexicalError("No namespace can be declared here.");
  },
};

/**
 * Returns the value space of any simple type. For a type that is not a `Datatype`, values are equal if their text is.
 */
export function getValueSpace(type: SimpleType<unknown>): ValueSpace<unknown> {
  return isDatatype(type) ? type.valueSpace : { key: (value) => `${type.name}:${type.write(value, emptyContext)}` };
}

/** Returns the function that measures the values of a type. Undefined if the length facets do not apply to the type. */
export function getLengthFunction(type: SimpleType<unknown>): ((value: unknown) => number) | undefined {
  const { length } = getValueSpace(type);
  return length === "characters" ? (value) => countCharacters(String(value)) : length;
}

/** Returns the number of characters, which are code points and not UTF-16 units (XSD 1.0 Part 2 §4.3.1). */
function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) {
      count--;
    }
  }
  return count;
}

/** Whether the type supports derivation. */
export function isDatatype(type: SimpleType<unknown>): type is Datatype<unknown> {
  return "valueSpace" in type;
}

/** Reads the value of a facet or default, which is written as text or as a JavaScript literal. */
export function readLiteralValue<T>(type: SimpleType<T>, literal: unknown): T;
export function readLiteralValue(type: SimpleType<unknown>, literal: unknown): unknown {
  const text = typeof literal === "number" ? String(literal).replace("Infinity", "INF") : String(literal);
  const readLiteral = getValueSpace(type).literal;
  return readLiteral === undefined
    ? type.read(normalizeWhiteSpace(text, type.whiteSpace), emptyContext)
    : readLiteral(text);
}

/** Returns a sentence with the reason why a string is not valid for a type; undefined for a valid string. */
export function findProblem(type: SimpleType<unknown>, text: string, context = emptyContext): string | undefined {
  try {
    type.read(normalizeWhiteSpace(text, type.whiteSpace), context);
    return undefined;
  } catch (error) {
    if (error instanceof LexicalError) {
      return error.message;
    }
    throw error;
  }
}
