import {
  type CharacterClass,
  type CharacterEscape,
  character,
  complement,
  type PatternSource,
  range,
  union,
} from "@bothends/datatypes/pattern";
import { readRouteEscape } from "./escapes.js";
import { readPosixClass } from "./posix-class.js";

/** Reads a character class of the route dialect, from its `[` on. `folded` is the class with what it also stands for. */
export function readRouteClass(source: PatternSource, folded: (of: CharacterClass) => CharacterClass): CharacterClass {
  const start = source.offset;
  source.take("[");
  const negative = source.take("^");
  const parts: CharacterClass[] = [];
  // A bracket that stands first does not close the class.
  while (parts.length === 0 || !source.at("]")) {
    if (source.atEnd) {
      throw source.error("The character class is not closed.", start);
    }
    parts.push(readPart(source));
  }
  source.take("]");
  const all = folded(union(parts));
  return negative ? complement(all) : all;
}

function readPart(source: PatternSource): CharacterClass {
  const start = source.offset;
  const from = readCharacter(source);
  if (from.kind === "class") {
    return from.class;
  }
  if (!source.at("-") || source.at("-]")) {
    return character(from.codePoint);
  }
  source.take("-");
  const to = readCharacter(source);
  if (to.kind === "class") {
    // The hyphen before a class stands for itself.
    return union([character(from.codePoint), character(0x2d), to.class]);
  }
  if (to.codePoint < from.codePoint) {
    throw source.error("The range ends before it begins.", start);
  }
  return range(from.codePoint, to.codePoint);
}

function readCharacter(source: PatternSource): CharacterEscape {
  if (source.at("\\")) {
    return readRouteEscape(source, { inClass: true });
  }
  if (source.at("[.") || source.at("[=")) {
    throw source.error("Collating elements such as [.a.] are not supported.");
  }
  const posix = source.at("[:") ? readPosixClass(source) : undefined;
  if (posix !== undefined) {
    return { kind: "class", class: posix };
  }
  if (source.atEnd) {
    throw source.error("The character class is not closed.");
  }
  return { kind: "character", codePoint: source.read().codePointAt(0) ?? 0 };
}
