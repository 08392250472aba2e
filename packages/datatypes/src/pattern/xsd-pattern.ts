import type { PatternNode } from "./automaton.js";
import {
  anyCharacterOf,
  type CharacterClass,
  type CharacterEscape,
  character,
  complement,
  difference,
  findBlock,
  findCategory,
  matching,
  range,
  ranges,
  union,
} from "./character-class.js";
import { compileTree, type Pattern } from "./matcher.js";
import { PatternError, type PatternLimit, type PatternLimits, PatternSource, patternLimits } from "./pattern-source.js";

/** A problem in a pattern, and its position. */
export interface PatternProblem {
  readonly offset: number;
  readonly message: string;
  /** The limit that the pattern exceeds; undefined for other problems. */
  readonly limit: PatternLimit | undefined;
}

/** Compiles an XML Schema regular expression (XSD 1.0 Part 2 Appendix F). Throws `PatternError`. */
export function compilePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseXsdPattern);
}

/** Finds the problem in an XML Schema regular expression; undefined if there is none. */
export function checkPattern(text: string, limits: PatternLimits = patternLimits): PatternProblem | undefined {
  try {
    compilePattern(text, limits);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) {
      return { offset: error.offset, message: error.message, limit: error.limit };
    }
    throw error;
  }
}

/** Parses an XML Schema regular expression. Throws `PatternError`. */
export function parseXsdPattern(text: string, limits: PatternLimits): PatternNode {
  const source = new PatternSource(text);
  const tree = readRegExp(source, limits.patternDepth);
  if (!source.isAtEnd) {
    throw source.error("This closing parenthesis has no opening parenthesis.");
  }
  return tree;
}

// Reads a regExp, production [1] of XSD 1.0 Part 2 Appendix F.
function readRegExp(source: PatternSource, depth: number): PatternNode {
  const branches = [readBranch(source, depth)];
  while (source.take("|")) {
    branches.push(readBranch(source, depth));
  }
  const [onlyBranch] = branches;
  return onlyBranch !== undefined && branches.length === 1 ? onlyBranch : { kind: "choice", branches };
}

// Reads a branch with its pieces, productions [2] and [3] of XSD 1.0 Part 2 Appendix F.
function readBranch(source: PatternSource, depth: number): PatternNode {
  const parts: PatternNode[] = [];
  while (!source.isAtEnd && !source.isAt("|") && !source.isAt(")")) {
    const offset = source.offset;
    const atom = readAtom(source, depth);
    const quantity = readQuantifier(source);
    parts.push(quantity === undefined ? atom : { kind: "repeat", part: atom, ...quantity, offset });
  }
  return { kind: "sequence", parts };
}

// Reads an atom, production [9] of XSD 1.0 Part 2 Appendix F.
function readAtom(source: PatternSource, depth: number): PatternNode {
  const start = source.offset;
  if (source.isAt("(")) {
    return readGroup(source, depth);
  }
  if (source.isAt("[")) {
    return { kind: "class", class: readXsdClass(source, depth) };
  }
  if (source.isAt("\\")) {
    return { kind: "class", class: escapeClass(readXsdEscape(source)) };
  }
  const text = source.read();
  switch (text) {
    case ".":
      return { kind: "class", class: wildcard() };
    case "?":
    case "*":
    case "+":
    case "{":
      throw source.error(`The quantifier ${text} has nothing before it to repeat.`, start);
    case "]":
    case "}":
      throw source.error(`The character ${text} must be escaped: write \\${text}.`, start);
    default:
      return { kind: "class", class: character(text.codePointAt(0) ?? 0) };
  }
}

function readGroup(source: PatternSource, depth: number): PatternNode {
  const start = source.offset;
  if (depth === 0) {
    throw source.error("Groups are nested too deeply (limit.patternDepth).");
  }
  source.take("(");
  if (source.isAt("?")) {
    throw source.error(
      'A group must not begin with "?", because XSD patterns have no look-around and no non-capturing groups.',
      start,
    );
  }
  const groupTree = readRegExp(source, depth - 1);
  if (!source.take(")")) {
    throw source.error("The group is not closed; end it with ).", start);
  }
  return groupTree;
}

interface Quantity {
  readonly min: number;
  readonly max: number;
}

// Reads a quantifier, production [4] of XSD 1.0 Part 2 Appendix F.
function readQuantifier(source: PatternSource): Quantity | undefined {
  if (source.take("?")) {
    return { min: 0, max: 1 };
  }
  if (source.take("*")) {
    return { min: 0, max: Number.POSITIVE_INFINITY };
  }
  if (source.take("+")) {
    return { min: 1, max: Number.POSITIVE_INFINITY };
  }
  return source.isAt("{") ? readQuantity(source) : undefined;
}

// Reads a quantity, production [5] of XSD 1.0 Part 2 Appendix F: `{n}`, `{n,}` or `{n,m}`.
function readQuantity(source: PatternSource): Quantity {
  const start = source.offset;
  source.take("{");
  const min = source.readNumber();
  const max = source.take(",") ? (source.readNumber() ?? Number.POSITIVE_INFINITY) : min;
  if (min === undefined || max === undefined || !source.take("}")) {
    throw source.error("The quantity is malformed; write {n}, {n,} or {n,m}.", start);
  }
  if (max < min) {
    throw source.error("The quantity's maximum is less than its minimum.", start);
  }
  return { min, max };
}

// Reads a charClassExpr, production [12] of XSD 1.0 Part 2 Appendix F.
function readXsdClass(source: PatternSource, maxDepth: number): CharacterClass {
  const start = source.offset;
  if (maxDepth === 0) {
    throw source.error("Character classes are nested too deeply (limit.patternDepth).");
  }
  source.take("[");
  const isNegated = source.take("^");
  const parts: CharacterClass[] = [];
  while (!source.isAt("]") && !(parts.length > 0 && source.isAt("-["))) {
    if (source.isAtEnd) {
      throw source.error("The character class is not closed; end it with ].", start);
    }
    parts.push(readPart(source, parts.length === 0));
  }
  if (parts.length === 0) {
    throw source.error("A character class needs at least one character.", start);
  }
  const group = isNegated ? complement(union(parts)) : union(parts);
  const characters = source.take("-") ? difference(group, readXsdClass(source, maxDepth - 1)) : group;
  if (!source.take("]")) {
    throw source.error("The character class must end after the class that is subtracted.");
  }
  return characters;
}

function readPart(source: PatternSource, isFirst: boolean): CharacterClass {
  const start = source.offset;
  // XSD 1.0 Part 2 Appendix F [15]: a hyphen is a literal at the start or the end of a group.
  if (source.isAt("-")) {
    source.take("-");
    if (isFirst || source.isAt("]") || source.isAt("-[")) {
      return character(0x2d);
    }
    throw source.error("A hyphen inside a character class must be escaped, or be first or last.", start);
  }
  const first = readCharacter(source);
  if (first.kind === "class") {
    return first.class;
  }
  if (!source.isAt("-") || source.isAt("-]") || source.isAt("-[")) {
    return character(first.codePoint);
  }
  source.take("-");
  const last = source.isAt("-") ? undefined : readCharacter(source);
  if (last === undefined || last.kind === "class") {
    throw source.error("A range must end with a character.", start);
  }
  if (last.codePoint < first.codePoint) {
    throw source.error("The range ends before it begins.", start);
  }
  return range(first.codePoint, last.codePoint);
}

function readCharacter(source: PatternSource): CharacterEscape {
  if (source.isAt("\\")) {
    return readXsdEscape(source);
  }
  if (source.isAt("[") || source.isAt("]") || source.isAtEnd) {
    throw source.error("A bracket inside a character class must be escaped.");
  }
  return { kind: "character", codePoint: source.read().codePointAt(0) ?? 0 };
}

// The escapes of single characters, production [24] SingleCharEsc of XSD 1.0 Part 2 Appendix F.
const singleCharacterEscapes: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ...Array.from("\\|.?*+(){}-[]^", (escaped) => [escaped, escaped] as const),
]);

// The characters that can occur in names in XML 1.0 (5th edition) §2.3 [4] and [4a]. The classes are created on first
// use, because few programs have patterns that use them.
function nameStart(): CharacterClass {
  return ranges(
    ...[0x3a, 0x3a, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x370, 0x37d],
    ...[0x37f, 0x1fff, 0x200c, 0x200d, 0x2070, 0x218f, 0x2c00, 0x2fef, 0x3001, 0xd7ff, 0xf900, 0xfdcf],
    ...[0xfdf0, 0xfffd, 0x10000, 0xeffff],
  );
}

function nameCharacter(): CharacterClass {
  return union([nameStart(), ranges(0x2d, 0x2e, 0x30, 0x39, 0xb7, 0xb7, 0x300, 0x36f, 0x203f, 0x2040)]);
}

// Returns the class of the escape `.`, production [37a] WildcardEsc of XSD 1.0 Part 2 Appendix F: any character except
// line ends.
function wildcard(): CharacterClass {
  return complement(anyCharacterOf("\n\r"));
}

// The escapes of classes, production [37] MultiCharEsc of XSD 1.0 Part 2 Appendix F.
const classEscapes: ReadonlyMap<string, () => CharacterClass> = /* @__PURE__ */ new Map([
  ["s", () => anyCharacterOf(" \t\n\r")],
  ["i", nameStart],
  ["c", nameCharacter],
  ["d", () => matching("d", "\\p{Nd}")],
  ["w", () => matching("w", "[^\\p{P}\\p{Z}\\p{C}]")],
]);

// Reads a charClassEsc, production [23] of XSD 1.0 Part 2 Appendix F.
function readXsdEscape(source: PatternSource): CharacterEscape {
  const start = source.offset;
  source.take("\\");
  const letter = source.read();
  const escapedCharacter = singleCharacterEscapes.get(letter);
  if (escapedCharacter !== undefined) {
    return { kind: "character", codePoint: escapedCharacter.codePointAt(0) ?? 0 };
  }
  if (letter === "p" || letter === "P") {
    const property = readProperty(source, start);
    return { kind: "class", class: letter === "p" ? property : complement(property) };
  }
  const createClass = classEscapes.get(letter.toLowerCase());
  if (createClass === undefined) {
    throw source.error(letter === "" ? "The pattern ends with a backslash." : `There is no escape \\${letter}.`, start);
  }
  return { kind: "class", class: classEscapes.has(letter) ? createClass() : complement(createClass()) };
}

function readProperty(source: PatternSource, start: number): CharacterClass {
  const end = source.text.indexOf("}", start);
  if (!source.take("{") || end < 0) {
    throw source.error("A category or block must be in braces: \\p{Lu}, \\p{IsBasicLatin}.", start);
  }
  const name = source.text.slice(source.offset, end);
  source.offset = end + 1;
  const characters = name.startsWith("Is") ? findBlock(name.slice(2)) : findCategory(name);
  if (characters === undefined) {
    const noun = name.startsWith("Is") ? "block" : "category";
    throw source.error(`There is no ${noun} "${name.slice(0, 40)}" in XSD.`, start);
  }
  return characters;
}

/** Returns the class that an escape outside brackets matches. */
function escapeClass(characterEscape: CharacterEscape): CharacterClass {
  return characterEscape.kind === "class" ? characterEscape.class : character(characterEscape.codePoint);
}
