import {
  anyCharacterOf,
  type CharacterClass,
  character,
  complement,
  ignoringCase,
  PatternError,
  type PatternLimits,
  type PatternNode,
  PatternSource,
} from "@bothends/datatypes/pattern";
import { readRouteClass, readRouteEscape } from "./read-route-class.js";

/**
 * Parses a route, or the pattern of a group in a route. Both must match a string from start to end. Supports the subset
 * of PCRE that affects whether a string matches. Ignores the case of letters, as WordPress does. Returns undefined if
 * no string can match, as with `a^b`.
 */
export function parseRoutePattern(text: string, limits: PatternLimits): PatternNode | undefined {
  return withoutAnchors(parse(text, limits, { foldCase: ignoringCase, allowsAnchors: true }));
}

/**
 * Parses the pattern of an argument's value. Such a pattern has the syntax of routes, but is case-sensitive and has no
 * anchors.
 */
export function parseValuePattern(text: string, limits: PatternLimits): PatternNode | undefined {
  return withoutAnchors(parse(text, limits, { foldCase: (characters) => characters, allowsAnchors: false }));
}

type RouteNode = PatternNode<AnchorNode>;

interface Dialect {
  /** Adds the other case of each letter to a class, if case is ignored. */
  readonly foldCase: (characters: CharacterClass) => CharacterClass;
  /** Whether `^` and `$` are supported. */
  readonly allowsAnchors: boolean;
}

function parse(text: string, limits: PatternLimits, dialect: Dialect): RouteNode {
  const source = new PatternSource(text);
  const tree = new RouteParser(source, dialect).readChoice(limits.patternDepth);
  if (!source.isAtEnd) {
    throw source.error("This closing parenthesis has no opening parenthesis.", source.offset, "group");
  }
  return tree;
}

interface GroupName {
  readonly name: string;
  /** The offset after the name, where the group's pattern begins. */
  readonly from: number;
}

const anchorWords: ReadonlyMap<string, AnchorNode["anchor"]> = /* @__PURE__ */ new Map([
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

  readChoice(depth: number): RouteNode {
    const branches = [this.#readBranch(depth)];
    while (this.#source.take("|")) {
      branches.push(this.#readBranch(depth));
    }
    const [single] = branches;
    return single !== undefined && branches.length === 1 ? single : { kind: "choice", branches };
  }

  #readBranch(depth: number): RouteNode {
    const parts: RouteNode[] = [];
    while (!this.#source.isAtEnd && !this.#source.isAt("|") && !this.#source.isAt(")")) {
      const offset = this.#source.offset;
      const atom = this.#readAtom(depth);
      const quantity = readRouteQuantifier(this.#source);
      parts.push(quantity === undefined ? atom : { kind: "repeat", part: atom, ...quantity, offset });
    }
    return { kind: "sequence", parts };
  }

  #readAtom(depth: number): RouteNode {
    const source = this.#source;
    if (source.isAt("(")) {
      return this.#readGroup(depth);
    }
    if (source.isAt("[")) {
      return { kind: "class", class: readRouteClass(source, this.#dialect.foldCase) };
    }
    const anchor = this.#readAnchor();
    if (anchor !== undefined) {
      return anchor;
    }
    if (source.isAt("\\")) {
      const routeEscape = readRouteEscape(source, { isInClass: false });
      return routeEscape.kind === "class"
        ? this.#createClass(routeEscape.class)
        : this.#createCharacter(routeEscape.codePoint);
    }
    const start = source.offset;
    const text = source.read();
    if (text === ".") {
      return { kind: "class", class: complement(anyCharacterOf("\n")), isDot: true };
    }
    if (text === "?" || text === "*" || text === "+") {
      throw source.error(`The quantifier ${text} has nothing before it to repeat.`, start);
    }
    return this.#createCharacter(text.codePointAt(0) ?? 0);
  }

  #readAnchor(): AnchorNode | undefined {
    const source = this.#source;
    const offset = source.offset;
    for (const [word, anchor] of anchorWords) {
      if (!source.take(word)) {
        continue;
      }
      if (!this.#dialect.allowsAnchors) {
        throw source.error(
          `Anchors such as ${word} are not supported: the pattern of a value always matches the whole value.`,
          offset,
        );
      }
      return { kind: "anchor", anchor, offset };
    }
    return undefined;
  }

  #createClass(characters: CharacterClass): RouteNode {
    return { kind: "class", class: this.#dialect.foldCase(characters) };
  }

  #createCharacter(codePoint: number): RouteNode {
    const characters = this.#dialect.foldCase(character(codePoint));
    return { kind: "class", class: characters, character: String.fromCodePoint(codePoint) };
  }

  #readGroup(depth: number): RouteNode {
    const source = this.#source;
    const start = source.offset;
    if (depth === 0) {
      throw source.error("Groups are nested too deeply (limit.patternDepth).");
    }
    source.take("(");
    const groupName = this.#readGroupKind(start);
    const part = this.readChoice(depth - 1);
    const to = source.offset;
    if (!source.take(")")) {
      throw source.error("The group is not closed.", start, "group");
    }
    return groupName === undefined ? part : { kind: "capture", ...groupName, part, start, to, end: source.offset };
  }

  #readGroupKind(start: number): GroupName | undefined {
    const source = this.#source;
    if (source.isAt("*")) {
      throw source.error("Verbs such as (*ACCEPT) are not supported.", start);
    }
    if (!source.take("?") || source.take(":")) {
      return undefined;
    }
    if (source.isAt("=") || source.isAt("!") || source.isAt("<=") || source.isAt("<!")) {
      throw source.error("Lookahead and lookbehind are not supported.", start);
    }
    if (source.take("P<") || source.take("<")) {
      return this.#readName(start, ">");
    }
    if (source.take("'")) {
      return this.#readName(start, "'");
    }
    throw source.error("Groups must begin with (, (?:, (?P<name>, (?<name> or (?'name'.", start);
  }

  #readName(start: number, closingCharacter: string): GroupName {
    const source = this.#source;
    const end = source.text.indexOf(closingCharacter, source.offset);
    const name = end < 0 ? "" : source.text.slice(source.offset, end);
    if (!/^[A-Za-z_]\w{0,31}$/.test(name) || name === "__proto__") {
      const message = `"${name}" cannot name a group: a name is a letter or _, then letters, digits or _, at most 32 characters.`;
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

interface Quantity {
  readonly min: number;
  readonly max: number;
  readonly lazy?: boolean;
}

/** Reads a quantifier; undefined if none follows. */
function readRouteQuantifier(source: PatternSource): Quantity | undefined {
  const start = source.offset;
  const quantity = readQuantity(source);
  if (quantity === undefined) {
    return undefined;
  }
  const lazy = source.take("?");
  if (source.isAt("+") || source.isAt("*") || source.isAt("?")) {
    throw source.error("Possessive quantifiers, and quantifiers of quantifiers, are not supported.", start);
  }
  return lazy ? { ...quantity, lazy } : quantity;
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

/** Reads a quantifier in braces: `{2}`, `{2,}` or `{2,5}`. Any other brace is a literal. */
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
    throw source.error("The maximum of the quantifier is less than its minimum.", start);
  }
  return { min, max };
}

/** Whether matching strings have characters on one side of a position in a pattern, either before it or after it. */
interface Side {
  /** Whether at least one matching string has characters on this side of the position. */
  readonly mayHaveCharacters: boolean;
  /** Whether every matching string has characters on this side of the position. */
  readonly mustHaveCharacters: boolean;
}

interface Sides {
  readonly before: Side;
  readonly after: Side;
}

const noCharacters: Side = { mayHaveCharacters: false, mustHaveCharacters: false };
const emptySequence: PatternNode = { kind: "sequence", parts: [] };

/** An anchor that requires the start or the end of the string, such as `^` or `$`. */
interface AnchorNode {
  readonly kind: "anchor";
  readonly anchor: "start" | "end";
  readonly offset: number;
}

/**
 * Removes the anchors from a pattern that must match a string from start to end. An anchor that always matches is left
 * out. If an anchor can never match, its whole branch is left out. Returns undefined if no string matches.
 */
function withoutAnchors(tree: RouteNode): PatternNode | undefined {
  return removeAnchors(tree, { before: noCharacters, after: noCharacters });
}

function removeAnchors(node: RouteNode, sides: Sides): PatternNode | undefined {
  switch (node.kind) {
    case "class":
      return node;
    case "anchor":
      return removeAnchor(node, node.anchor === "start" ? sides.before : sides.after);
    case "capture": {
      const part = removeAnchors(node.part, sides);
      return part && { ...node, part };
    }
    case "repeat": {
      const otherRounds: Side = {
        mayHaveCharacters: node.max > 1 && createCharacters(node.part).mayHaveCharacters,
        mustHaveCharacters: false,
      };
      const part = removeAnchors(node.part, {
        before: combineSides(sides.before, otherRounds),
        after: combineSides(sides.after, otherRounds),
      });
      if (part === undefined) {
        return node.min === 0 ? emptySequence : undefined;
      }
      return { ...node, part };
    }
    case "choice": {
      const branches = node.branches.flatMap((branch) => removeAnchors(branch, sides) ?? []);
      return branches.length === 0 ? undefined : { ...node, branches };
    }
    case "sequence":
      return removeFromSequence(node.parts, sides);
  }
}

function removeFromSequence(parts: readonly RouteNode[], sides: Sides): PatternNode | undefined {
  const sidesAfter: Side[] = [];
  parts.reduceRight((side, part, index) => {
    sidesAfter[index] = side;
    return combineSides(side, createCharacters(part));
  }, sides.after);
  const resolvedParts: PatternNode[] = [];
  let before = sides.before;
  for (const [index, part] of parts.entries()) {
    const resolvedPart = removeAnchors(part, { before, after: sidesAfter[index] ?? sides.after });
    if (resolvedPart === undefined) {
      return undefined;
    }
    resolvedParts.push(resolvedPart);
    before = combineSides(before, createCharacters(part));
  }
  return { kind: "sequence", parts: resolvedParts };
}

function removeAnchor({ anchor, offset }: AnchorNode, side: Side): PatternNode | undefined {
  if (!side.mayHaveCharacters) {
    return emptySequence;
  }
  if (side.mustHaveCharacters) {
    return undefined;
  }
  const message =
    anchor === "start"
      ? "Anchors such as ^ are not supported after a part that may be empty."
      : "Anchors such as $ are not supported before a part that may be empty.";
  throw new PatternError(message, offset);
}

function combineSides(left: Side, right: Side): Side {
  return {
    mayHaveCharacters: left.mayHaveCharacters || right.mayHaveCharacters,
    mustHaveCharacters: left.mustHaveCharacters || right.mustHaveCharacters,
  };
}

/** Returns whether the strings that match a node can have characters, and whether they must. */
function createCharacters(node: RouteNode): Side {
  switch (node.kind) {
    case "class":
      return { mayHaveCharacters: true, mustHaveCharacters: true };
    case "anchor":
      return noCharacters;
    case "capture":
      return createCharacters(node.part);
    case "repeat": {
      const { mayHaveCharacters, mustHaveCharacters } = createCharacters(node.part);
      return {
        mayHaveCharacters: mayHaveCharacters && node.max > 0,
        mustHaveCharacters: mustHaveCharacters && node.min > 0,
      };
    }
    case "choice": {
      const sides = node.branches.map(createCharacters);
      return {
        mayHaveCharacters: sides.some(({ mayHaveCharacters: may }) => may),
        mustHaveCharacters: sides.every(({ mustHaveCharacters: must }) => must),
      };
    }
    case "sequence":
      return node.parts.map(createCharacters).reduce(combineSides, noCharacters);
  }
}
