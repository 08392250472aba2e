import { checkedPatternLimits, compilePattern, type Pattern, PatternError } from "@bothends/datatypes/pattern";

/** Characters of examples, in groups: `[A-Z]{3}` becomes `ABC`, `\d{4}` becomes `1234`. */
const alphabets = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "1234567890", "abcdefghijklmnopqrstuvwxyz", "-_.:/@+# ,;*!?=&%$()"];
const maxPattern = 300;
const maxText = 120;

/**
 * A short text that a regular expression matches as a whole; undefined if none is found, for example because the pattern
 * uses rare syntax. `^` at the start and `$` at the end are ignored.
 */
export function patternText(pattern: string): string | undefined {
  const body = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  if (body.length > maxPattern) {
    return undefined;
  }
  const source: Source = { text: body, offset: 0 };
  const text = readAlternatives(source);
  const isWhole = text !== undefined && source.offset === body.length && text.length <= maxText;
  return isWhole && compiled(body)?.test(text) === true ? text : undefined;
}

interface Source {
  readonly text: string;
  offset: number;
}

function compiled(pattern: string): Pattern | undefined {
  try {
    return compilePattern(pattern.replaceAll("(?:", "("), checkedPatternLimits);
  } catch (error) {
    if (error instanceof PatternError) {
      return undefined;
    }
    throw error;
  }
}

/** The text of the first alternative. Undefined: an alternative cannot be read. */
function readAlternatives(source: Source): string | undefined {
  const first = readSequence(source);
  while (source.text[source.offset] === "|") {
    source.offset += 1;
    if (readSequence(source) === undefined) {
      return undefined;
    }
  }
  return first;
}

function readSequence(source: Source): string | undefined {
  let text = "";
  while (source.offset < source.text.length && !/[|)]/.test(source.text[source.offset] ?? "")) {
    const atom = readAtom(source);
    const count = readCount(source);
    if (atom === undefined || count === undefined || text.length > maxText) {
      return undefined;
    }
    for (let index = 0; index < count; index += 1) {
      text += typeof atom === "string" ? atom : (atom[index % atom.length] ?? "");
    }
  }
  return text;
}

/** The text of an atom, or the characters that it matches. */
function readAtom(source: Source): string | readonly string[] | undefined {
  const { text, offset } = source;
  if (text[offset] === "(") {
    source.offset += text.startsWith("(?:", offset) ? 3 : 1;
    const inside = readAlternatives(source);
    source.offset += 1;
    return text[source.offset - 1] === ")" ? inside : undefined;
  }
  const [atom = ""] = /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\.|[^*+?{}[\]])/s.exec(text.slice(offset)) ?? [];
  source.offset += atom.length;
  if (atom === "") {
    return undefined;
  }
  return atom.length === 1 && atom !== "." ? atom : charactersOf(atom);
}

/** Examples of the characters that a class or an escape matches: those of the first group that has any. */
function charactersOf(atom: string): readonly string[] | undefined {
  const pattern = compiled(atom);
  const groups = alphabets.map((alphabet) => [...alphabet].filter((character) => pattern?.test(character) === true));
  return groups.find((group) => group.length > 0);
}

/** How often the atom before is written: at least once if it may be repeated, else as rarely as possible. */
function readCount(source: Source): number | undefined {
  const [quantifier = "", least, most] = /^(?:[*+?]|\{(\d{1,3})(,\d*)?\})/.exec(source.text.slice(source.offset)) ?? [];
  source.offset += quantifier.length;
  if (least !== undefined) {
    return most === "," ? Math.max(1, Number(least)) : Number(least);
  }
  return { "": 1, "*": 1, "+": 3, "?": 0 }[quantifier];
}
