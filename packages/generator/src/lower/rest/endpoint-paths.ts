import type { PathPiece, PathVariable } from "../../model/rest.js";
import type { Endpoint as IndexEndpoint, Route } from "../../read/rest/documents.js";
import { listNameWords } from "../../source/xml-names.js";
import { capitalize } from "../../text.js";

const inheritedMember = "every object or class has a member of this name";

/** Names that a generated property must not have, with the reasons. */
const reservedNames: ReadonlyMap<string, string> = new Map([
  ["constructor", inheritedMember],
  ["prototype", inheritedMember],
  ["hasOwnProperty", inheritedMember],
  ["isPrototypeOf", inheritedMember],
  ["propertyIsEnumerable", inheritedMember],
  ["toLocaleString", inheritedMember],
  ["toString", inheritedMember],
  ["valueOf", inheritedMember],
  ["then", "JavaScript calls a method of this name, for example when a program awaits the object"],
  ["toJSON", "JavaScript calls a method of this name, for example when a program converts the object to JSON"],
]);

/** Returns the reason why a generated property must not have a name; undefined if it may have the name. */
export function findReservation(name: string): string | undefined {
  return reservedNames.get(name);
}

/**
 * Converts a segment of a route to a property name: `contact-forms` becomes `contactForms`. The result is never empty.
 */
export function toCamelWord(text: string): string {
  const joinedWords = listNameWords(text)
    .map((word, index) => (index === 0 ? lowerFirst(word) : capitalize(word)))
    .join("");
  if (joinedWords === "") {
    return "_";
  }
  if (reservedNames.has(joinedWords)) {
    return `${joinedWords}_`;
  }
  return /^[\p{ID_Start}]/u.test(joinedWords) ? joinedWords : `_${joinedWords}`;
}

/** Joins several segments into one property name: `translation` and `st` become `translationSt`. */
export function toCamelWords(segments: readonly string[]): string {
  return toCamelWord(segments.join("-"));
}

function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

/** Returns the name if it is not taken, otherwise the first of `name2`, `name3` … that is not taken. */
export function makeNameUnique(name: string, isTaken: (name: string) => boolean): string {
  let uniqueName = name;
  for (let count = 2; isTaken(uniqueName); count += 1) {
    uniqueName = `${name}${count}`;
  }
  return uniqueName;
}

/** Whether a segment is only a version: `v1`, `v2.1`, `1.0`. */
export function isVersion(segment: string): boolean {
  return /^v?\d+(\.\d+)*$/i.test(segment);
}

/** The part of a path between two slashes: literal text, variables, or both of them. */
export interface Segment {
  readonly text: string;
  readonly variables: readonly PathVariable[];
}

/**
 * Returns the segments of a path, including its optional parts. A variable whose pattern matches slashes is one
 * segment. A filler has no text, but its slashes separate segments.
 */
export function listSegments(path: readonly PathPiece[]): readonly Segment[] {
  const segments: { text: string; variables: PathVariable[] }[] = [];
  let current: { text: string; variables: PathVariable[] } = { text: "", variables: [] };
  for (const piece of path.flatMap(withOptionalParts)) {
    if (typeof piece !== "string") {
      current.variables.push(piece);
      continue;
    }
    for (const [index, text] of piece.split("/").entries()) {
      if (index > 0) {
        segments.push(current);
        current = { text: "", variables: [] };
      }
      current.text += text;
    }
  }
  segments.push(current);
  return segments.filter((segment) => segment.text !== "" || segment.variables.length > 0);
}

function withOptionalParts(piece: PathPiece): readonly (string | PathVariable)[] {
  if (typeof piece === "string" || "variable" in piece) {
    return [piece];
  }
  return "optional" in piece ? piece.optional.flatMap(withOptionalParts) : [piece.filler.replace(/[^/]/g, "")];
}

/** Returns the variables of a path, and whether each is required. Variables in optional parts are not required. */
export function listVariables(
  path: readonly PathPiece[],
  isRequired = true,
): readonly { readonly variable: PathVariable; readonly required: boolean }[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) {
      return [];
    }
    return "optional" in piece ? listVariables(piece.optional, false) : [{ variable: piece, required: isRequired }];
  });
}

/** Whether the last segment of a path contains a variable. If so, the path addresses one item. */
export function endsInVariable(segments: readonly Segment[]): boolean {
  return (segments.at(-1)?.variables.length ?? 0) > 0;
}

/**
 * Matches patterns without special characters. Each of them, such as `(?P<name>core/archives)`, matches exactly one
 * string.
 */
const fixedTextPattern = /^[\w /-]+$/;

/** Returns the literal segments of a path, including those of variables that match exactly one string. */
export function listStaticSegments(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap(({ text, variables: [variable, ...otherVariables] }) => {
    if (text !== "") {
      return [text];
    }
    const isFixed = variable !== undefined && otherVariables.length === 0 && fixedTextPattern.test(variable.pattern);
    return isFixed ? variable.pattern.split("/") : [];
  });
}

/** Returns the segments of a namespace that are not versions; all segments, if all are versions. */
export function listNamespaceWords(namespace: string): readonly string[] {
  const segments = listSegmentsOfNamespace(namespace);
  const words = segments.filter((segment) => !isVersion(segment));
  return words.length === 0 ? segments : words;
}

function listSegmentsOfNamespace(namespace: string): readonly string[] {
  return namespace.split("/").filter((segment) => segment !== "");
}

/**
 * Returns the longest namespace at the beginning of a path, and the number of its segments; "" and 0 if there is none.
 */
export function findLongestNamespace(
  segments: readonly Segment[],
  namespaces: readonly string[],
): { readonly namespace: string; readonly length: number } {
  let longestMatch = { namespace: "", length: 0 };
  for (const namespace of namespaces) {
    const prefix = listSegmentsOfNamespace(namespace);
    if (prefix.length > longestMatch.length && startsWith(segments, prefix)) {
      longestMatch = { namespace, length: prefix.length };
    }
  }
  return longestMatch;
}

function startsWith(segments: readonly Segment[], prefix: readonly string[]): boolean {
  return prefix.every((text, index) => {
    const segment = segments[index];
    return segment?.text === text && segment.variables.length === 0;
  });
}

/** An endpoint with the parts of its path that determine its name. */
export interface EndpointPath {
  readonly route: Route;
  readonly endpoint: IndexEndpoint;
  readonly namespace: string;
  /** The segments after the namespace. */
  readonly segments: readonly Segment[];
}

/**
 * Endpoints whose paths have the same static segments, and the groups of longer paths, by their next static segment.
 */
export interface EndpointGroup {
  readonly endpoints: EndpointPath[];
  readonly groups: Map<string, EndpointGroup>;
}

/**
 * Groups endpoints by the longest namespace at the beginning of their paths, then by static segments. Namespaces are in
 * the order of the index; a namespace without endpoints is omitted. The group "" contains the endpoints outside all
 * namespaces.
 */
export function groupEndpoints(
  routes: readonly Route[],
  namespaces: readonly string[],
  isIncluded: (endpoint: IndexEndpoint) => boolean,
): ReadonlyMap<string, EndpointGroup> {
  const groupsByNamespace = new Map<string, EndpointGroup>(
    ["", ...namespaces].map((namespace) => [namespace, createEmptyGroup()]),
  );
  const nonEmptyNamespaces = new Set<string>();
  for (const route of routes) {
    const pathSegments = listSegments(route.path);
    const { namespace, length } = findLongestNamespace(pathSegments, namespaces);
    const segments = pathSegments.slice(length);
    if (route.endpoints.length > 0) {
      nonEmptyNamespaces.add(namespace);
    }
    const group = getOrCreateGroup(
      listSegmentsForName(segments, namespace),
      groupsByNamespace.get(namespace) ?? createEmptyGroup(),
    );
    for (const endpoint of route.endpoints.filter(isIncluded)) {
      group.endpoints.push({ route, endpoint, namespace, segments });
    }
  }
  return new Map([...groupsByNamespace].filter(([namespace]) => nonEmptyNamespaces.has(namespace)));
}

/**
 * Returns the static segments that determine the name of an endpoint. Outside namespaces, versions are omitted:
 * `/batch/v1` is `batch`.
 */
function listSegmentsForName(segments: readonly Segment[], namespace: string): readonly string[] {
  const segmentTexts = listStaticSegments(segments);
  const words = segmentTexts.filter((segment) => namespace !== "" || !isVersion(segment));
  return words.length === 0 ? segmentTexts : words;
}

/** Returns the group at a path below another group, and creates missing groups. */
function getOrCreateGroup(segments: readonly string[], start: EndpointGroup): EndpointGroup {
  let group = start;
  for (const segment of segments) {
    const child = group.groups.get(segment) ?? createEmptyGroup();
    group.groups.set(segment, child);
    group = child;
  }
  return group;
}

function createEmptyGroup(): EndpointGroup {
  return { endpoints: [], groups: new Map() };
}
