import { block } from "./blocks.js";
import { category } from "./categories.js";
import {
  anyOf,
  type CharacterClass,
  type CharacterEscape,
  character,
  complement,
  matching,
  ranges,
  union,
} from "./character-class.js";
import type { PatternSource } from "./pattern-source.js";

// XSD 1.0 Part 2 Appendix F.1.1, [24] SingleCharEsc.
const singles: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ...Array.from("\\|.?*+(){}-[]^", (each) => [each, each] as const),
]);

// XML 1.0 (5th edition) §2.3 [4] and [4a].
const nameStart: CharacterClass = /* @__PURE__ */ ranges(
  ...[0x3a, 0x3a, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x370, 0x37d, 0x37f, 0x1fff],
  ...[0x200c, 0x200d, 0x2070, 0x218f, 0x2c00, 0x2fef, 0x3001, 0xd7ff, 0xf900, 0xfdcf, 0xfdf0, 0xfffd, 0x10000, 0xeffff],
);
const nameCharacter: CharacterClass = /* @__PURE__ */ union([
  nameStart,
  /* @__PURE__ */ ranges(0x2d, 0x2e, 0x30, 0x39, 0xb7, 0xb7, 0x300, 0x36f, 0x203f, 0x2040),
]);

/** `.`: any character but the ends of lines (Appendix F.1, [37] WildcardEsc). */
export const wildcard: CharacterClass = /* @__PURE__ */ complement(/* @__PURE__ */ anyOf("\n\r"));

// Appendix F.1.1, [37] MultiCharEsc.
const multiples: ReadonlyMap<string, CharacterClass> = /* @__PURE__ */ new Map([
  ["s", /* @__PURE__ */ anyOf(" \t\n\r")],
  ["i", nameStart],
  ["c", nameCharacter],
  ["d", /* @__PURE__ */ matching("d", /\p{Nd}/u)],
  ["w", /* @__PURE__ */ matching("w", /[^\p{P}\p{Z}\p{C}]/u)],
]);

/** Reads an escape of the XSD dialect, from its backslash on. */
export function readXsdEscape(source: PatternSource): CharacterEscape {
  const start = source.offset;
  source.take("\\");
  const letter = source.read();
  const single = singles.get(letter);
  if (single !== undefined) {
    return { kind: "character", codePoint: single.codePointAt(0) ?? 0 };
  }
  if (letter === "p" || letter === "P") {
    const property = readProperty(source, start);
    return { kind: "class", class: letter === "p" ? property : complement(property) };
  }
  const multiple = multiples.get(letter.toLowerCase());
  if (multiple === undefined) {
    throw source.error(letter === "" ? "A backslash ends the pattern." : `There is no escape \\${letter}.`, start);
  }
  return { kind: "class", class: multiples.has(letter) ? multiple : complement(multiple) };
}

function readProperty(source: PatternSource, start: number): CharacterClass {
  const end = source.text.indexOf("}", start);
  if (!source.take("{") || end < 0) {
    throw source.error("A category or block stands in braces: \\p{Lu}, \\p{IsBasicLatin}.", start);
  }
  const name = source.text.slice(source.offset, end);
  source.offset = end + 1;
  const found = name.startsWith("Is") ? block(name.slice(2)) : category(name);
  if (found === undefined) {
    const what = name.startsWith("Is") ? "block" : "category";
    throw source.error(`Unicode has no ${what} "${name.slice(0, 40)}" that XSD knows.`, start);
  }
  return found;
}

/** What an escape outside a class matches. */
export function escapeClass(read: CharacterEscape): CharacterClass {
  return read.kind === "class" ? read.class : character(read.codePoint);
}
