import {
  type Automaton,
  buildAutomaton,
  createAutomatonMachine,
  findText,
  type PatternLimits,
  patternLimits,
  type TextSearchResult,
} from "@bothends/datatypes/pattern";
import { parseRoute, preferredCharacters } from "./compile-route.js";
import { parseValuePattern } from "./parse-route.js";

// Compares the paths that routes match, and the texts that patterns of values match.

/** The maximum number of sets of states that a search compares. */
const maxSets = 2000;
/** Characters that a search tries in addition to the codes up to 255 and the characters of the routes. */
const otherCharacters = [0x3b1, 0x4e00, 0x1f600];
/** Characters that no path contains: the zero byte and the backslash. */
const excludedCharacters: readonly number[] = [0, 0x5c];

const segment = String.raw`(?:[^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+)`;
/**
 * Matches the paths that requests have: they do not end in a slash, because servers remove it, and have no segment `.`
 * or `..`, because clients do.
 */
const requestPath = `/|(?:/${segment}?)*/${segment}`;

/**
 * Searches for a path that all routes in `matching` match, but the route `notMatching` does not. Throws `PatternError`.
 */
export function findPath(
  { matching, notMatching }: { readonly matching: readonly string[]; readonly notMatching?: string },
  limits: PatternLimits = patternLimits,
): TextSearchResult {
  const build = (route: string): readonly Automaton[] => {
    const tree = parseRoute(route, limits);
    return tree === undefined ? [] : [buildAutomaton(tree, limits.patternStates)];
  };
  const automata = matching.flatMap(build);
  if (automata.length < matching.length) {
    return { kind: "none" };
  }
  const [excluded] = notMatching === undefined ? [] : build(notMatching);
  const codePoints = listCodePoints(`${matching.join("")}${notMatching ?? ""}`).filter(
    (codePoint) => !excludedCharacters.includes(codePoint),
  );
  return findText({
    matching: [...automata, ...build(requestPath)].map(createAutomatonMachine),
    notMatching: excluded && createAutomatonMachine(excluded),
    codePoints,
    maxSets,
  });
}

/**
 * Searches for a text that all value patterns in `matching` match from start to end, but none of those in
 * `notMatching`. Throws `PatternError`.
 */
export function findValueText(
  { matching, notMatching }: { readonly matching: readonly string[]; readonly notMatching: readonly string[] },
  limits: PatternLimits = patternLimits,
): TextSearchResult {
  const build = (pattern: string): readonly Automaton[] => {
    const tree = parseValuePattern(pattern, limits);
    return tree === undefined ? [] : [buildAutomaton(tree, limits.patternStates)];
  };
  const automata = matching.flatMap(build);
  const [excluded] = notMatching.length === 0 ? [] : build(notMatching.map((pattern) => `(?:${pattern})`).join("|"));
  const codePoints = listCodePoints([...matching, ...notMatching].join(""));
  return automata.length < matching.length
    ? { kind: "none" }
    : findText({
        matching: automata.map(createAutomatonMachine),
        notMatching: excluded && createAutomatonMachine(excluded),
        codePoints,
        maxSets,
      });
}

/**
 * Lists a code point of each set of characters that routes do not distinguish. Escapes in routes contain only codes up
 * to 255. All other characters of a class, or the first and last ones of its ranges, are in the text of the route.
 */
function listCodePoints(routes: string): readonly number[] {
  const routeCharacters = Array.from(new Set(routes), (character) => character.codePointAt(0) ?? 0);
  const codePoints = [
    ...preferredCharacters.map((character) => character.charCodeAt(0)),
    ...Array.from({ length: 0x101 }, (_, code) => code),
    ...otherCharacters,
    ...routeCharacters
      .flatMap((codePoint) => [codePoint, codePoint - 1, codePoint + 1])
      .filter((codePoint) => codePoint <= 0x10ffff && !isSurrogate(codePoint)),
  ];
  return [...new Set(codePoints)];
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff;
}

/**
 * Whether `earlierRoute` hides `laterRoute` by matching all its paths. Returns false if the routes are too complex to
 * decide. Throws `PatternError`.
 */
export function shadows(earlierRoute: string, laterRoute: string, limits: PatternLimits = patternLimits): boolean {
  if ([earlierRoute, laterRoute].some((route) => parseRoute(route, limits) === undefined)) {
    return false;
  }
  return findPath({ matching: [laterRoute], notMatching: earlierRoute }, limits).kind === "none";
}
