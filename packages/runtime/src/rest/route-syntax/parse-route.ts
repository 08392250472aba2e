import {
  anyOf,
  type CharacterClass,
  character,
  complement,
  type EdgeNode,
  ignoringCase,
  type PatternLimits,
  type PatternNode,
  PatternSource,
} from "@bothends/datatypes/pattern";
import { withoutEdges } from "./anchors.js";
import { readRouteClass } from "./character-class.js";
import { readRouteEscape } from "./escapes.js";
import { readRouteQuantifier } from "./quantifier.js";

/**
 * Parses a route, or the pattern of a group of it: the part of PCRE that says which texts match, matched whole. Letters
 * match in either case, as routes do. undefined: no text matches, as in `a^b`.
 */
export function parseRoutePattern(text: string, limits: PatternLimits): PatternNode | undefined {
  return withoutEdges(parse(text, limits, { folded: ignoringCase, edges: true }));
}

/** Parses the pattern of a value, which is of the same dialect. Letters match as they are. */
export function parseValuePattern(text: string, limits: PatternLimits): PatternNode {
  return parse(text, limits, { folded: (of) => of, edges: false });
}

interface Dialect {
  /** A class with what it also stands for: its letters in the other case, or nothing. */
  readonly folded: (of: CharacterClass) => CharacterClass;
  readonly edges: boolean;
}

function parse(text: string, limits: PatternLimits, dialect: Dialect): PatternNode {
  const source = new PatternSource(text);
  const tree = new RouteParser(source, dialect).readChoice(limits.patternDepth);
  if (!source.atEnd) {
    throw source.error("This parenthesis closes nothing.", source.offset, "group");
  }
  return tree;
}

interface GroupName {
  readonly name: string;
  /** Where the pattern behind the name begins. */
  readonly from: number;
}

const edgeWords: ReadonlyMap<string, EdgeNode["edge"]> = /* @__PURE__ */ new Map([
  ["^", "start"],
  ["\\A", "start"],
  ["$", "end"],
  ["\\z", "end"],
  ["\\Z", "end"],
] as const);

class RouteParser {
  readonly #source: PatternSource;
  readonly #dialect: Dialect;
  readonly #names = new Set<string>();

  constructor(source: PatternSource, dialect: Dialect) {
    this.#source = source;
    this.#dialect = dialect;
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
      const quantity = readRouteQuantifier(this.#source);
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
      return { kind: "class", class: readRouteClass(source, this.#dialect.folded) };
    }
    const edge = this.#readEdge();
    if (edge !== undefined) {
      return edge;
    }
    if (source.at("\\")) {
      const read = readRouteEscape(source, { inClass: false });
      return read.kind === "class" ? this.#class(read.class) : this.#character(read.codePoint);
    }
    const start = source.offset;
    const text = source.read();
    if (text === ".") {
      return { kind: "class", class: complement(anyOf("\n")), isDot: true };
    }
    if (text === "?" || text === "*" || text === "+") {
      throw source.error(`There is nothing before ${text} to repeat.`, start);
    }
    return this.#character(text.codePointAt(0) ?? 0);
  }

  #readEdge(): EdgeNode | undefined {
    const source = this.#source;
    const offset = source.offset;
    for (const [word, edge] of edgeWords) {
      if (!source.take(word)) {
        continue;
      }
      if (!this.#dialect.edges) {
        throw source.error(`Anchors such as ${word} are not supported: a value's pattern is matched whole.`, offset);
      }
      return { kind: "edge", edge, offset };
    }
    return undefined;
  }

  #class(of: CharacterClass): PatternNode {
    return { kind: "class", class: this.#dialect.folded(of) };
  }

  #character(codePoint: number): PatternNode {
    const of = this.#dialect.folded(character(codePoint));
    return { kind: "class", class: of, character: String.fromCodePoint(codePoint) };
  }

  #readGroup(depth: number): PatternNode {
    const source = this.#source;
    const start = source.offset;
    if (depth === 0) {
      throw source.error("Groups are nested too deeply (limit.patternDepth).");
    }
    source.take("(");
    const named = this.#readGroupKind(start);
    const part = this.readChoice(depth - 1);
    const to = source.offset;
    if (!source.take(")")) {
      throw source.error("The group is not closed.", start, "group");
    }
    return named === undefined ? part : { kind: "capture", ...named, part, start, to, end: source.offset };
  }

  #readGroupKind(start: number): GroupName | undefined {
    const source = this.#source;
    if (source.at("*")) {
      throw source.error("Verbs such as (*ACCEPT) are not supported.", start);
    }
    if (!source.take("?") || source.take(":")) {
      return undefined;
    }
    if (source.at("=") || source.at("!") || source.at("<=") || source.at("<!")) {
      throw source.error("Lookahead and lookbehind are not supported.", start);
    }
    if (source.take("P<") || source.take("<")) {
      return this.#readName(start, ">");
    }
    if (source.take("'")) {
      return this.#readName(start, "'");
    }
    throw source.error("Groups begin with (, (?:, (?P<name>, (?<name> or (?'name'.", start);
  }

  #readName(start: number, closing: string): GroupName {
    const source = this.#source;
    const end = source.text.indexOf(closing, source.offset);
    const name = end < 0 ? "" : source.text.slice(source.offset, end);
    if (!/^[A-Za-z_]\w{0,31}$/.test(name) || name === "__proto__") {
      const message = `"${name}" cannot name a group: a letter or _ with letters, digits or _ behind, at most 32 of them.`;
      throw source.error(message, start, "name");
    }
    if (this.#names.has(name)) {
      throw source.error(`Two groups have the name ${name}.`, start, "name");
    }
    this.#names.add(name);
    source.offset = end + 1;
    return { name, from: source.offset };
  }
}
