/**
 * Thrown for text or a value that a simple type does not allow. The codec converts this error to a DecodeError or
 * EncodeError with a path.
 */
export class LexicalError extends Error {
  /** The kind of facet that the value violates; undefined if the text is outside the type's lexical space. */
  readonly facet: FacetKind | undefined;
  /** The end of the message, without the value, which may be secret: `its length is 3 and must be 2`. */
  readonly reason: string | undefined;
  constructor(message: string, facet?: FacetKind, reason?: string) {
    super(message);
    this.name = "LexicalError";
    this.facet = facet;
    this.reason = reason;
  }
}

/** Distinguishes the facet `enumeration` from all other facets. */
export type FacetKind = "enumeration" | "other";

/**
 * Returns the error for text or a value that a type does not allow. `reason` is the end of the message: `its length is
 * 3 and must be 2`.
 */
export function createInvalidValueError(
  value: unknown,
  type: string,
  reason?: string,
  facet?: FacetKind,
): LexicalError {
  const suffix = reason === undefined ? "" : `: ${reason}`;
  return new LexicalError(`${formatValue(value)} is not a valid ${type}${suffix}.`, facet, reason);
}

/**
 * Returns the error for a value of the wrong JavaScript type. `expected` describes the right type, such as `a bigint,
 * for example 5n`.
 */
export function createWrongTypeError(value: unknown, type: string, expected: string): LexicalError {
  return createInvalidValueError(value, type, `it must be ${expected}`);
}

/** Returns a value as text for messages: at most 64 characters, in quotes if the value is a string. */
export function formatValue(value: unknown): string {
  const type = typeof value;
  if (typeof value === "string") {
    return `"${shortenText(value)}"`;
  }
  if (typeof value === "object" && value !== null) {
    return Array.isArray(value) ? "an array" : "then" in value ? "a promise (await it)" : "an object";
  }
  return type === "function" || type === "symbol" ? `a ${type}` : shortenText(String(value));
}

/** Shortens a string to at most 64 characters. */
export function shortenText(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 63)}…`;
}
