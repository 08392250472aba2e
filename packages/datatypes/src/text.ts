import { type LexicalType, refusal, type Traits } from "./simple-type.js";
import { normalizeWhiteSpace } from "./white-space.js";

/** The number of characters, which are code points and not UTF-16 units (XSD 1.0 Part 2 §4.3.1). */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) {
      count--;
    }
  }
  return count;
}

/** Traits of types whose value is their text. */
export function textTraits(primitive: string): Traits<string> {
  return {
    key: (value) => `${primitive}:${value}`,
    length: characterCount,
  };
}

interface TextInit {
  readonly name: string;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
  /** Absent: any text. */
  readonly accepts?: (text: string) => boolean;
  readonly traits?: Traits<string>;
}

/** A type whose value is its text: the string family, and the types that we keep in their lexical form. */
export function textType(init: TextInit): LexicalType<string> {
  const { name, whiteSpace, accepts, traits = textTraits("string") } = init;
  return {
    kind: "simple",
    name,
    whiteSpace,
    traits,
    read(text) {
      if (accepts !== undefined && !accepts(text)) {
        throw refusal(text, name);
      }
      return text;
    },
    // The value space of a type that normalises white space has normalised strings alone.
    write(value: unknown) {
      if (
        typeof value !== "string" ||
        normalizeWhiteSpace(value, whiteSpace) !== value ||
        (accepts !== undefined && !accepts(value))
      ) {
        throw refusal(value, name);
      }
      return value;
    },
  };
}
