/** Thrown for a text or value outside a simple type. The codec adds the path and turns it into a DecodeError or EncodeError. */
export class LexicalError extends Error {
  /** The facet that the value violates; undefined if the text is outside the type's lexical space. */
  readonly facet: FacetKind | undefined;
  constructor(message: string, facet?: FacetKind) {
    super(message);
    this.name = "LexicalError";
    this.facet = facet;
  }
}

/** The facet `enumeration`, or any other facet. */
export type FacetKind = "enumeration" | "other";

/** The error for a text or value outside a type; `reason` completes the sentence. */
export function invalid(value: unknown, type: string, reason?: string, facet?: FacetKind): LexicalError {
  const suffix = reason === undefined ? "" : `: ${reason}`;
  return new LexicalError(`${shown(value)} is not a valid ${type}${suffix}.`, facet);
}

/** The error for a value with the wrong JavaScript type. `expected` describes the right one: `a bigint, for example 5n`. */
export function wrongType(value: unknown, type: string, expected: string): LexicalError {
  return invalid(value, type, `it must be ${expected}`);
}

/** A value as shown in a message: at most 64 characters, text in quotes. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `"${shortened(value)}"`;
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return shortened(String(value));
  }
}

/** At most 64 characters of a text. */
export function shortened(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 63)}…`;
}
