import { anyOf, type CharacterClass, character, complement, ignoringCase } from "./character-class.js";
import type { PatternLimits } from "./limits.js";
import { PatternSource } from "./pattern-source.js";
import { readRouteClass } from "./route-class.js";
import { readRouteEscape } from "./route-escapes.js";
import type { PatternNode } from "./syntax.js";
import { escapeClass } from "./xsd-escapes.js";

/**
 * Parses the pattern of a route's group: the part of PCRE that says which texts match. Letters match in either case,
 * as routes do.
 */
export function parseRoutePattern(text: string, limits: PatternLimits): PatternNode {
  return parse(text, limits, ignoringCase);
}

/** Parses the pattern of a value, which is of the same dialect. Letters match as they are. */
export function parseValuePattern(text: string, limits: PatternLimits): PatternNode {
  return parse(text, limits, (of) => of);
}

function parse(text: string, limits: PatternLimits, folded: Fold): PatternNode {
  const source = new PatternSource(text);
  const tree = new RouteParser(source, folded).readChoice(limits.patternDepth);
  if (!source.atEnd) {
    throw source.error("This parenthesis closes nothing.");
  }
  return tree;
}

/** A class with what it also stands for: its letters in the other case, or nothing. */
type Fold = (of: CharacterClass) => CharacterClass;

class RouteParser {
  readonly #source: PatternSource;
  readonly #folded: Fold;
  readonly #names = new Set<string>();

  constructor(source: PatternSource, folded: Fold) {
    this.#source = source;
    this.#folded = folded;
  }

  readChoice(depth: number): PatternNode {
    const branches = [this.#readBranch(depth)];
    while (this.#source.take("|")) {
      branches.push(this.#readBranch(depth));
    }
    const [only] = branches;
    return only !== undefined && branches.length === 1 ? only : { kind: "choice", branches };
  }

  #readBranch(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.#source.atEnd && !this.#source.at("|") && !this.#source.at(")")) {
      const offset = this.#source.offset;
      const atom = this.#readAtom(depth);
      const quantity = readQuantifier(this.#source);
      parts.push(quantity === undefined ? atom : { kind: "repeat", part: atom, ...quantity, offset });
    }
    return { kind: "sequence", parts };
  }

  #readAtom(depth: number): PatternNode {
    const source = this.#source;
    if (source.at("(")) {
      return this.#readGroup(depth);
    }
    if (source.at("[")) {
      return { kind: "class", class: readRouteClass(source, this.#folded) };
    }
    if (source.at("\\")) {
      return this.#class(escapeClass(readRouteEscape(source)));
    }
    const start = source.offset;
    const text = source.read();
    if (text === "." || text === "^" || text === "$") {
      if (text === ".") {
        return this.#class(complement(anyOf("\n")));
      }
      throw source.error(`Anchors such as ${text} are not supported: a route's group is matched whole.`, start);
    }
    if (text === "?" || text === "*" || text === "+") {
      throw source.error(`There is nothing before ${text} to repeat.`, start);
    }
    return this.#class(character(text.codePointAt(0) ?? 0));
  }

  #class(of: CharacterClass): PatternNode {
    return { kind: "class", class: this.#folded(of) };
  }

  #readGroup(depth: number): PatternNode {
    const source = this.#source;
    const start = source.offset;
    if (depth === 0) {
      throw source.error("Groups are nested too deeply (limit.patternDepth).");
    }
    source.take("(");
    this.#readGroupKind(start);
    const inner = this.readChoice(depth - 1);
    if (!source.take(")")) {
      throw source.error("The group is not closed.", start);
    }
    return inner;
  }

  #readGroupKind(start: number): void {
    const source = this.#source;
    if (source.at("*")) {
      throw source.error("Verbs such as (*ACCEPT) are not supported.", start);
    }
    if (!source.take("?") || source.take(":")) {
      return;
    }
    if (source.at("=") || source.at("!") || source.at("<=") || source.at("<!")) {
      throw source.error("Lookahead and lookbehind are not supported.", start);
    }
    if (!source.take("P<") && !source.take("<")) {
      throw source.error("Groups begin with (, (?: or (?P<name>.", start);
    }
    this.#readName(start);
  }

  #readName(start: number): void {
    const source = this.#source;
    const end = source.text.indexOf(">", source.offset);
    const name = end < 0 ? "" : source.text.slice(source.offset, end);
    if (!/^[A-Za-z_]\w{0,31}$/.test(name) || name === "__proto__") {
      throw source.error(
        "A group's name is a letter or _ with letters, digits or _ behind, at most 32 of them.",
        start,
      );
    }
    if (this.#names.has(name)) {
      throw source.error(`Two groups have the name ${name}.`, start);
    }
    this.#names.add(name);
    source.offset = end + 1;
  }
}

interface Quantity {
  readonly min: number;
  readonly max: number;
}

function readQuantifier(source: PatternSource): Quantity | undefined {
  const start = source.offset;
  const quantity = readQuantity(source);
  if (quantity === undefined) {
    return undefined;
  }
  // Laziness chooses among matches of one text; whether there is one it does not change.
  source.take("?");
  if (source.at("+") || source.at("*") || source.at("?")) {
    throw source.error("Possessive quantifiers, and quantifiers of quantifiers, are not supported.", start);
  }
  return quantity;
}

function readQuantity(source: PatternSource): Quantity | undefined {
  if (source.take("?")) {
    return { min: 0, max: 1 };
  }
  if (source.take("*")) {
    return { min: 0, max: Number.POSITIVE_INFINITY };
  }
  if (source.take("+")) {
    return { min: 1, max: Number.POSITIVE_INFINITY };
  }
  return readCount(source);
}

// A brace that begins no quantity stands for itself.
function readCount(source: PatternSource): Quantity | undefined {
  const start = source.offset;
  if (!source.take("{")) {
    return undefined;
  }
  const min = source.readNumber();
  const max = source.take(",") ? (source.readNumber() ?? Number.POSITIVE_INFINITY) : min;
  if (min === undefined || max === undefined || !source.take("}")) {
    source.offset = start;
    return undefined;
  }
  if (max < min) {
    throw source.error("The quantity's maximum is less than its minimum.", start);
  }
  return { min, max };
}
