import { character } from "./character-class.js";
import type { PatternLimits } from "./limits.js";
import { PatternSource } from "./pattern-source.js";
import type { PatternNode } from "./tree.js";
import { readXsdClass } from "./xsd-class.js";
import { escapeClass, readXsdEscape, wildcard } from "./xsd-escapes.js";

/** Parses a regular expression of XML Schema (XSD 1.0 Part 2 Appendix F). */
export function parseXsdPattern(text: string, limits: PatternLimits): PatternNode {
  const source = new PatternSource(text);
  const tree = readRegExp(source, limits.patternDepth);
  if (!source.atEnd) {
    throw source.error("This parenthesis closes nothing.");
  }
  return tree;
}

// [1] regExp
function readRegExp(source: PatternSource, depth: number): PatternNode {
  const branches = [readBranch(source, depth)];
  while (source.take("|")) {
    branches.push(readBranch(source, depth));
  }
  const [only] = branches;
  return only !== undefined && branches.length === 1 ? only : { kind: "choice", branches };
}

// [2] branch, [3] piece
function readBranch(source: PatternSource, depth: number): PatternNode {
  const parts: PatternNode[] = [];
  while (!source.atEnd && !source.at("|") && !source.at(")")) {
    const offset = source.offset;
    const atom = readAtom(source, depth);
    const quantity = readQuantifier(source);
    parts.push(quantity === undefined ? atom : { kind: "repeat", part: atom, ...quantity, offset });
  }
  return { kind: "sequence", parts };
}

// [9] atom
function readAtom(source: PatternSource, depth: number): PatternNode {
  const start = source.offset;
  if (source.at("(")) {
    return readGroup(source, depth);
  }
  if (source.at("[")) {
    return { kind: "class", class: readXsdClass(source, depth) };
  }
  if (source.at("\\")) {
    return { kind: "class", class: escapeClass(readXsdEscape(source)) };
  }
  const text = source.read();
  switch (text) {
    case ".":
      return { kind: "class", class: wildcard };
    case "?":
    case "*":
    case "+":
    case "{":
      throw source.error(`There is nothing before ${text} to repeat.`, start);
    case "]":
    case "}":
      throw source.error(`${text} must be escaped.`, start);
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
  if (source.at("?")) {
    throw source.error("A group must not begin with ?: XSD has no look-around, and every group is a plain one.", start);
  }
  const inner = readRegExp(source, depth - 1);
  if (!source.take(")")) {
    throw source.error("The group is not closed.", start);
  }
  return inner;
}

interface Quantity {
  readonly min: number;
  readonly max: number;
}

// [4] quantifier
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
  return source.at("{") ? readQuantity(source) : undefined;
}

// [5] quantity: {n}, {n,} or {n,m}
function readQuantity(source: PatternSource): Quantity {
  const start = source.offset;
  source.take("{");
  const min = source.readNumber();
  const max = source.take(",") ? (source.readNumber() ?? Number.POSITIVE_INFINITY) : min;
  if (min === undefined || max === undefined || !source.take("}")) {
    throw source.error("A quantity is {n}, {n,} or {n,m}.", start);
  }
  if (max < min) {
    throw source.error("The quantity's maximum is less than its minimum.", start);
  }
  return { min, max };
}
