import {
  buildAutomaton,
  compileTree,
  Matcher,
  type Pattern,
  PatternError,
  type PatternLimits,
  type PatternNode,
  patternLimits,
} from "@bothends/datatypes/pattern";
import { Captures } from "./captures.js";
import { parseRoutePattern, parseValuePattern } from "./parse-route.js";
import { shortestText } from "./shortest-text.js";

/** A route of a REST index, ready to match paths in linear time. */
export interface Route {
  /** The literal text that its paths begin with, in lower case (ASCII); letters match in either case. */
  readonly start: string;
  /** Nothing follows the start. */
  readonly isLiteral: boolean;
  /** A path that it matches. */
  readonly example: string | undefined;
  /** Finds the named groups that take part in what follows the start; undefined when a path does not match. */
  match(rest: string): ReadonlyMap<string, string> | undefined;
}

const noGroups: ReadonlyMap<string, string> = new Map();

/** Prepares a route, which is a regular expression of PCRE that whole paths match. Throws `PatternError`. */
export function compileRoute(text: string, limits: PatternLimits = patternLimits): Route {
  const tree = parseRoute(text, limits);
  if (tree === undefined) return { start: "", isLiteral: false, example: undefined, match: () => undefined };
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  const literal = parts.findIndex((part) => part.kind !== "class" || part.character === undefined);
  const count = literal < 0 ? parts.length : literal;
  const start = parts.slice(0, count).map(characterOf).join("");
  const rest: PatternNode = { kind: "sequence", parts: parts.slice(count) };
  const match = matcherOf(rest, limits);
  return {
    start: lowerCase(start),
    isLiteral: count === parts.length,
    example: exampleOf(start, rest, match),
    match,
  };
}

/** The tree of a route; undefined when no path matches. */
export function parseRoute(text: string, limits: PatternLimits): PatternNode | undefined {
  if (text.length > limits.patternChars) {
    const message = `The route has more than ${limits.patternChars} characters (limit.patternChars).`;
    throw new PatternError(message, 0, { limit: "patternChars" });
  }
  return parseRoutePattern(text, limits);
}

function matcherOf(tree: PatternNode, limits: PatternLimits): Route["match"] {
  if (tree.kind === "sequence" && tree.parts.length === 0) return (rest) => (rest === "" ? noGroups : undefined);
  const automaton = buildAutomaton(tree, limits.patternStates);
  // Most paths belong to another route: that is found out at the least cost.
  const matcher = new Matcher(automaton);
  if (automaton.captures.length === 0) return (rest) => (matcher.test(rest) ? noGroups : undefined);
  const captures = new Captures(automaton);
  return (rest) => (matcher.test(rest) ? captures.find(rest) : undefined);
}

/** A path that does not end in a slash, where there is one. */
function exampleOf(start: string, rest: PatternNode, match: Route["match"]): string | undefined {
  const text = shortestText(rest);
  if (text === undefined) return undefined;
  const texts = [text, shortestText(rest, false) ?? text, `${text}a`, `${text}0`];
  return start + (texts.find((each) => !`${start}${each}`.endsWith("/") && match(each) !== undefined) ?? text);
}

function characterOf(node: PatternNode): string {
  return node.kind === "class" ? (node.character ?? "") : "";
}

/** ASCII alone, as patterns without Unicode properties fold: other letters may change in length. */
export function lowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

/** Prepares the pattern of a group in a route of a REST index (a subset of PCRE). Throws `PatternError`. */
export function compileRoutePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseRoutePattern);
}

/** Prepares the pattern of a value in a REST index: of the same dialect, but letters match as they are. Throws `PatternError`. */
export function compileValuePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseValuePattern);
}
