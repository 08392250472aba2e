import {
  type CharacterClass,
  type CharacterEscape,
  character,
  complement,
  difference,
  range,
  union,
} from "./character-class.js";
import type { PatternSource } from "./pattern-source.js";
import { readXsdEscape } from "./xsd-escapes.js";

/** Reads a character class expression, from its `[` on (XSD 1.0 Part 2 Appendix F.1, [12] charClassExpr). */
export function readXsdClass(source: PatternSource, maxDepth: number): CharacterClass {
  const start = source.offset;
  if (maxDepth === 0) {
    throw source.error("Character classes are nested too deeply (limit.patternDepth).");
  }
  source.take("[");
  const negative = source.take("^");
  const parts: CharacterClass[] = [];
  while (!source.at("]") && !(parts.length > 0 && source.at("-["))) {
    if (source.atEnd) {
      throw source.error("The character class is not closed.", start);
    }
    parts.push(readPart(source, parts.length === 0));
  }
  if (parts.length === 0) {
    throw source.error("A character class needs at least one character.", start);
  }
  const group = negative ? complement(union(parts)) : union(parts);
  const result = source.take("-") ? difference(group, readXsdClass(source, maxDepth - 1)) : group;
  if (!source.take("]")) {
    throw source.error("After the class that is taken away, the character class must end.");
  }
  return result;
}

function readPart(source: PatternSource, first: boolean): CharacterClass {
  const start = source.offset;
  // [15] charRange: a hyphen stands for itself at the beginning or the end of a group.
  if (source.at("-")) {
    source.take("-");
    if (first || source.at("]") || source.at("-[")) {
      return character(0x2d);
    }
    throw source.error("A hyphen inside a character class must be escaped, or stand first or last.", start);
  }
  const from = readCharacter(source);
  if (from.kind === "class") {
    return from.class;
  }
  if (!source.at("-") || source.at("-]") || source.at("-[")) {
    return character(from.codePoint);
  }
  source.take("-");
  const to = source.at("-") ? undefined : readCharacter(source);
  if (to === undefined || to.kind === "class") {
    throw source.error("A range must end with a character.", start);
  }
  if (to.codePoint < from.codePoint) {
    throw source.error("The range ends before it begins.", start);
  }
  return range(from.codePoint, to.codePoint);
}

function readCharacter(source: PatternSource): CharacterEscape {
  if (source.at("\\")) {
    return readXsdEscape(source);
  }
  if (source.at("[") || source.at("]") || source.atEnd) {
    throw source.error("A bracket inside a character class must be escaped.");
  }
  return { kind: "character", codePoint: source.read().codePointAt(0) ?? 0 };
}
