import type { PathPiece, PathVariable } from "../../model/rest.js";
import type { Endpoint as IndexEndpoint, Route } from "../../read/discovery/index.js";

/** Names that objects and classes have already, or may not have. */
const reserved = new Set([
  "constructor",
  "prototype",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/** A piece of a route as a property name: `contact-forms` is `contactForms`. Never empty. */
export function camelWord(text: string): string {
  const words = text.normalize("NFC").match(/(?:(?!\p{Pc})\p{ID_Continue})+/gu) ?? [];
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("");
  if (joined === "") return "_";
  if (reserved.has(joined)) return `${joined}_`;
  return /^[\p{ID_Start}]/u.test(joined) ? joined : `_${joined}`;
}

/** Several pieces as one name: `translation`, `st` is `translationSt`. */
export function camelWords(pieces: readonly string[]): string {
  return camelWord(pieces.join("-"));
}

/** The first free name: as it is, else with 2, 3 … behind. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count += 1) free = `${name}${count}`;
  return free;
}

/** `v1`, `v2.1`, `1.0`: says which edition, not what. */
export function isVersion(segment: string): boolean {
  return /^v?\d+(\.\d+)*$/i.test(segment);
}

function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A piece of a path between slashes: literal text, variables, or both. */
export interface Segment {
  readonly text: string;
  readonly variables: readonly PathVariable[];
}

/** A pattern that is one fixed text, as in `(?P<name>core/archives)`. */
const fixedText = /^[\w /-]+$/;

/**
 * The segments of a path with all its optional parts. A group whose pattern spans slashes stays in one segment; what
 * the route leaves open is in none.
 */
export function segmentsOf(path: readonly PathPiece[]): readonly Segment[] {
  const segments: { text: string; variables: PathVariable[] }[] = [];
  let current: { text: string; variables: PathVariable[] } = { text: "", variables: [] };
  for (const piece of path.flatMap(writtenOut)) {
    if (typeof piece !== "string") {
      current.variables.push(piece);
      continue;
    }
    for (const [position, text] of piece.split("/").entries()) {
      if (position > 0) {
        segments.push(current);
        current = { text: "", variables: [] };
      }
      current.text += text;
    }
  }
  segments.push(current);
  return segments.filter((segment) => segment.text !== "" || segment.variables.length > 0);
}

function writtenOut(piece: PathPiece): readonly (string | PathVariable)[] {
  if (typeof piece === "string" || "variable" in piece) return [piece];
  return "optional" in piece ? piece.optional.flatMap(writtenOut) : [piece.filler.replace(/[^/]/g, "")];
}

/** The variables of a path, and whether each is always given. */
export function variablesOf(
  path: readonly PathPiece[],
  required = true,
): readonly { readonly variable: PathVariable; readonly required: boolean }[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) return [];
    return "optional" in piece ? variablesOf(piece.optional, false) : [{ variable: piece, required }];
  });
}

/** The words of a path: literal segments, and variables that can be one text only. */
export function staticWords(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap((segment) => {
    if (segment.text !== "") return [segment.text];
    const [only, ...others] = segment.variables;
    return only !== undefined && others.length === 0 && fixedText.test(only.pattern) ? only.pattern.split("/") : [];
  });
}

/** How many segments the namespace takes at the beginning of a path; undefined when the path is not in it. */
function namespaceLength(segments: readonly Segment[], namespace: string): number | undefined {
  const pieces = namespace.split("/").filter((piece) => piece !== "");
  const inside = pieces.every((piece, position) => {
    const segment = segments[position];
    return segment?.text === piece && segment.variables.length === 0;
  });
  return inside ? pieces.length : undefined;
}

/** The pieces of a namespace that say what it is; all of them where it is nothing but a version. */
export function namespaceWords(namespace: string): readonly string[] {
  const pieces = namespace.split("/").filter((piece) => piece !== "");
  const words = pieces.filter((piece) => !isVersion(piece));
  return words.length === 0 ? pieces : words;
}

/** An endpoint with what its name is made from. */
export interface NamedEndpoint {
  readonly route: Route;
  readonly endpoint: IndexEndpoint;
  readonly namespace: string;
  /** The segments behind the namespace. */
  readonly segments: readonly Segment[];
}

/** The endpoints of one static path, and the longer paths below it by their next literal segment. */
export interface Group {
  readonly endpoints: NamedEndpoint[];
  readonly groups: Map<string, Group>;
}

interface RouteTree {
  /** By namespace, in the index's order; only those that have endpoints. "" holds the index route and what has no namespace. */
  readonly namespaces: ReadonlyMap<string, Group>;
}

/** Sorts endpoints by namespace (the longest that begins the path wins) and static segments. */
export function routeTree(
  routes: readonly Route[],
  namespaces: readonly string[],
  isNamed: (route: Route, endpoint: IndexEndpoint) => boolean,
): RouteTree {
  const tree = new Map<string, Group>(["", ...namespaces].map((namespace) => [namespace, emptyGroup()]));
  const used = new Set<string>();
  for (const route of routes) {
    const all = segmentsOf(route.path);
    const { namespace, length } = longestNamespace(all, namespaces);
    const segments = all.slice(length);
    let group = tree.get(namespace) ?? emptyGroup();
    if (route.endpoints.length > 0) used.add(namespace);
    for (const word of staticWords(segments)) {
      const next = group.groups.get(word) ?? emptyGroup();
      group.groups.set(word, next);
      group = next;
    }
    for (const endpoint of route.endpoints) {
      if (!isNamed(route, endpoint)) group.endpoints.push({ route, endpoint, namespace, segments });
    }
  }
  return { namespaces: new Map([...tree].filter(([namespace]) => used.has(namespace))) };
}

/** The namespace that a path lies in, "" for none. */
export function longestNamespace(
  segments: readonly Segment[],
  namespaces: readonly string[],
): { readonly namespace: string; readonly length: number } {
  let longest = { namespace: "", length: 0 };
  for (const namespace of namespaces) {
    const length = namespaceLength(segments, namespace) ?? 0;
    if (length > longest.length) longest = { namespace, length };
  }
  return longest;
}

function emptyGroup(): Group {
  return { endpoints: [], groups: new Map() };
}
