import { createInvalidValueError } from "../lexical-error.js";
import { type Datatype, normalizeWhiteSpace, type ValueSpace } from "../simple-type.js";

function createTextSpace(primitive: string): ValueSpace<string> {
  return { key: (value) => `${primitive}:${value}`, length: "characters" };
}

interface TextTypeInit {
  readonly name: string;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
  /** Whether a string is valid. If absent, every string is valid. */
  readonly accepts?: (text: string) => boolean;
  /** The end of messages about invalid values. If absent, they say only that the value must be a string. */
  readonly reason?: string;
  /** The equality, order and length of the values. Default: the value space of xs:string. */
  readonly valueSpace?: ValueSpace<string>;
}

/**
 * Creates a type whose values are strings: a string type, or a type whose text preserves more than a number or `Date`
 * would.
 */
export function createTextType(init: TextTypeInit): Datatype<string> {
  const { name, whiteSpace, accepts, reason, valueSpace = createTextSpace("string") } = init;
  return {
    kind: "simple",
    name,
    whiteSpace,
    valueSpace,
    accepts,
    read(text) {
      if (accepts?.(text) === false) {
        throw createInvalidValueError(text, name, reason);
      }
      return text;
    },
    // A value whose white space is not normalized is not in the type's value space, so it is refused.
    write(value: unknown) {
      if (typeof value !== "string") {
        throw createInvalidValueError(value, name, reason ?? "it must be a string");
      }
      if (normalizeWhiteSpace(value, whiteSpace) !== value || accepts?.(value) === false) {
        throw createInvalidValueError(value, name, reason);
      }
      return value;
    },
  };
}

/** Returns the end of messages about values that do not have the form of an example. */
export function requireForm(example: string): string {
  return `it must be text such as ${example}`;
}

/** Creates a type derived from xs:token, such as xs:Name or xs:language. */
export function createTokenType(name: string, accepts: (text: string) => boolean): Datatype<string> {
  return createTextType({ name, whiteSpace: "collapse", accepts });
}

/** Whether a string is a language tag as in RFC 3066 (§3.3.3). */
export function isLanguage(text: string): boolean {
  return /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(text);
}

/**
 * Creates xs:anyURI (§3.2.17). Characters that a URI must escape are allowed. Three rules of RFC 2396 are checked: a
 * percent sign begins an escape, at most one number sign begins the fragment, and the URI does not begin with a colon.
 */
export function createAnyURIType(): Datatype<string> {
  return createTextType({
    name: "xs:anyURI",
    whiteSpace: "collapse",
    accepts: (text) => !/^:|%(?![0-9A-Fa-f]{2})|#.*#/.test(text),
    valueSpace: createTextSpace("anyURI"),
  });
}

/** Creates xs:anySimpleType (§4.1.6), which accepts any string. */
export function createAnySimpleType(): Datatype<string> {
  return createTextType({
    name: "xs:anySimpleType",
    whiteSpace: "preserve",
    valueSpace: createTextSpace("anySimpleType"),
  });
}
