import type { Pattern } from "./matcher.js";
import { PatternError } from "./pattern-source.js";
import { compilePattern } from "./xsd-pattern.js";

/** The characters from which a string that matches a pattern is built: `ABC` for `[A-Z]{3}`, `1234` for `\d{4}`. */
const alphabets = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "1234567890", "abcdefghijklmnopqrstuvwxyz", "-_.:/@+# ,;*!?=&%$()"];
/** The maximum length of a pattern. For longer patterns, no matching string is created. */
const maxPatternLength = 300;
/** The maximum length of a string that is created for a pattern. */
const maxPatternTextLength = 120;

/**
 * Returns a short string that a regular expression matches from start to end and that a function accepts. Returns
 * undefined if no such string is found, for example because the syntax is not supported. `^` at the start and `$` at
 * the end of the expression are ignored.
 */
export function findPatternText(pattern: string, isValid: (text: string) => boolean = () => true): string | undefined {
  const body = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  const compiledPattern = body.length > maxPatternLength ? undefined : tryCompile(body);
  if (compiledPattern === undefined) {
    return undefined;
  }
  for (const text of listTexts(body)) {
    if (compiledPattern.test(text) && isValid(text)) {
      return text;
    }
  }
  return undefined;
}

/**
 * Yields strings for a pattern: first the string that is the best example, then strings in which each part is repeated
 * more and more often.
 */
function* listTexts(body: string): Iterable<string> {
  const characters = new Map<string, readonly string[] | undefined>();
  for (const repeats of [undefined, ...Array(maxPatternTextLength + 1).keys()]) {
    const source: Source = { text: body, offset: 0, repeats, characters };
    const text = readAlternatives(source);
    if (text === undefined || source.offset < body.length) {
      return;
    }
    yield text;
  }
}

interface Source {
  readonly text: string;
  offset: number;
  /** How often to write each part whose quantifier allows several numbers; undefined for the best example. */
  readonly repeats: number | undefined;
  /** The characters that each character class and each escape matches. */
  readonly characters: Map<string, readonly string[] | undefined>;
}

/** Compiles a pattern; undefined if its syntax is not supported. */
function tryCompile(pattern: string): Pattern | undefined {
  try {
    return compilePattern(pattern.replaceAll("(?:", "("));
  } catch (error) {
    if (error instanceof PatternError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Returns a string that matches the first of several alternatives for which the string is not empty. Returns undefined
 * if any of the alternatives cannot be read.
 */
function readAlternatives(source: Source): string | undefined {
  let firstText = readSequence(source);
  while (source.text[source.offset] === "|") {
    source.offset += 1;
    const nextText = readSequence(source);
    firstText = nextText === undefined ? undefined : firstText === "" ? nextText : firstText;
    if (firstText === undefined) {
      return undefined;
    }
  }
  return firstText;
}

/** Returns a string for a sequence of atoms; undefined if the sequence cannot be read, or the string is too long. */
function readSequence(source: Source): string | undefined {
  let text = "";
  while (source.offset < source.text.length && !/[|)]/.test(source.text[source.offset] ?? "")) {
    const atom = readAtom(source);
    const count = readCount(source);
    if (atom === undefined) {
      return undefined;
    }
    for (let index = 0; index < count && text.length <= maxPatternTextLength; index += 1) {
      text += typeof atom === "string" ? atom : (atom[index % atom.length] ?? "");
    }
    if (text.length > maxPatternTextLength) {
      return undefined;
    }
  }
  return text;
}

/**
 * Reads an atom of a pattern. Returns a matching string for a group, and the list of matching characters for any other
 * atom. Returns undefined if the atom cannot be read.
 */
function readAtom(source: Source): string | readonly string[] | undefined {
  const { text, offset } = source;
  if (text[offset] === "(") {
    source.offset += text.startsWith("(?:", offset) ? 3 : 1;
    const groupContent = readAlternatives(source);
    source.offset += 1;
    return text[source.offset - 1] === ")" ? groupContent : undefined;
  }
  // A class that subtracts another class ends with several brackets: `[a-z-[aeiou]]`.
  const [atom = ""] = /^(?:\[(?:\\.|[^\]\\])*\]+|\\[pP]\{[^}]*\}|\\.|[^*+?{}[\]])/s.exec(text.slice(offset)) ?? [];
  source.offset += atom.length;
  if (atom === "") {
    return undefined;
  }
  if (atom.length === 1 && atom !== ".") {
    return atom;
  }
  if (!source.characters.has(atom)) {
    source.characters.set(atom, findCharacters(atom));
  }
  return source.characters.get(atom);
}

/**
 * Returns the characters that a character class or an escape matches. They all come from one alphabet: the first that
 * has such characters.
 */
function findCharacters(atom: string): readonly string[] | undefined {
  const pattern = tryCompile(atom);
  const matchingCharacters = alphabets.map((alphabet) =>
    [...alphabet].filter((character) => pattern?.test(character) === true),
  );
  return matchingCharacters.find((characters) => characters.length > 0);
}

/** For each quantifier, the minimum and the maximum number, and the number in the best example. */
const quantifierCounts: Readonly<Record<string, readonly [min: number, max: number, best: number]>> = {
  "": [1, 1, 1],
  "*": [0, Infinity, 1],
  "+": [1, Infinity, 3],
  "?": [0, 1, 0],
};

/** Reads a quantifier. Returns the number of times to write the atom that precedes the quantifier. */
function readCount(source: Source): number {
  const [quantifier = "", from, upTo, to] =
    /^(?:[*+?]|\{(\d{1,3})(?:(,)(\d*))?\})/.exec(source.text.slice(source.offset)) ?? [];
  source.offset += quantifier.length;
  const least = Number(from);
  const [min, max, best] =
    quantifierCounts[quantifier] ??
    (upTo === undefined
      ? [least, least, least]
      : to === ""
        ? [least, Infinity, Math.max(1, least)]
        : [least, Number(to), least]);
  return source.repeats === undefined ? best : Math.min(Math.max(source.repeats, min), max);
}
