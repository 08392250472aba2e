import { PatternError, type PatternLimit } from "@bothends/datatypes/pattern";
import { findClassEnd } from "@bothends/runtime/argument-defaults";
import { type RoutePiece, splitRoute } from "@bothends/runtime/route-syntax";
import type { PathPiece } from "../../model/rest.js";
import { type Diagnostic, Diagnostics } from "../../source/diagnostics.js";
import { findScheme, isLocalScheme } from "../../source/document-addresses.js";
import type { JsonMember, JsonNode, JsonObjectNode } from "../../source/json.js";
import { describeLimitRemedy, readPatternLimits, type SourceLimits } from "../../source/source-limits.js";
import type { Sources } from "../../source/sources.js";
import type { SourceText, Span } from "../../source/span.js";
import { describeNonIndex, indexStartPattern } from "../../source/unexpected-files.js";
import {
  findStringMember,
  type Index,
  type Namespace,
  type Route,
  readJsonDocument,
  readList,
  reportWrongType,
} from "./documents.js";
import { checkMethods, readEndpoints } from "./read-endpoint.js";

/** The path of an index, and the span in the configuration that names the index. */
export interface IndexLocation {
  readonly path: string;
  readonly span: Span;
}

/** Reads a discovery index and reports its problems. Returns undefined if the index cannot be read. */
export function readIndex(location: IndexLocation, sources: Sources, diagnostics: Diagnostics): Index | undefined {
  const source = sources.readText(location.path, { reference: location.span, expected: "a discovery index" });
  const document = source && readJsonDocument(withoutSurroundings(source, diagnostics), sources.limits, diagnostics);
  if (source === undefined || document === undefined) {
    return undefined;
  }
  if (document.kind !== "object") {
    return reportWrongType(document, "a discovery index, which is an object", diagnostics);
  }

  const hasOnlyRoutes = isObjectOfRoutes(document);
  const routesNode = hasOnlyRoutes ? document : findRoutes(document, source, diagnostics);
  if (routesNode === undefined) {
    return undefined;
  }
  if (!hasOnlyRoutes) {
    checkAddresses(document, diagnostics);
  }
  const members = [...routesNode.members.values()];
  const indexDiagnostics = new Diagnostics();
  const namespaces = readNamespaces(document, members, indexDiagnostics);
  let intactRouteCount = 0;
  const readMember = (member: JsonMember) => {
    const routeDiagnostics = new Diagnostics();
    const route = readRoute(member, { limits: sources.limits, diagnostics: routeDiagnostics });
    intactRouteCount += routeDiagnostics.all.some(isDamage) ? 0 : 1;
    indexDiagnostics.addAll(routeDiagnostics.all);
    return route ?? [];
  };
  const index: Index = {
    source,
    span: document.span,
    document,
    hasOnlyRoutes,
    description: findStringMember(document, "description"),
    namespaces,
    routes: members.flatMap(readMember),
  };
  diagnostics.addAll(indexDiagnostics.all.map(toWarning));
  const firstDamage = indexDiagnostics.all.find(isDamage);
  if (intactRouteCount === 0 && firstDamage !== undefined) {
    diagnostics.error("IDX011", firstDamage.span, {
      message: `No route of the index is intact. ${firstDamage.message}`,
    });
    return undefined;
  }
  if (index.routes.every(({ endpoints }) => endpoints.length === 0) && !diagnostics.hasErrors) {
    return reportNoRoutes(document, diagnostics, "No route of the index can be used.");
  }
  return isWithinEndpointLimit(index, sources.limits, diagnostics) ? index : undefined;
}

/**
 * Returns the `routes` object of an index that also has other members. If there are no routes, reports this and returns
 * undefined.
 */
function findRoutes(
  document: JsonObjectNode,
  source: SourceText,
  diagnostics: Diagnostics,
): JsonObjectNode | undefined {
  const routesNode = document.members.get("routes")?.value;
  if (routesNode === undefined) {
    const recognizedFile = describeNonIndex(source.text);
    diagnostics.error(
      "IDX010",
      { source, start: document.span.start, end: document.span.start + 1 },
      {
        message:
          recognizedFile === undefined
            ? "The document has no routes."
            : `The document is not an index, but ${recognizedFile.description}.`,
        help: recognizedFile?.help,
      },
    );
    return undefined;
  }
  // PHP writes an empty object as a list, so an empty list means that there are no routes.
  if (routesNode.kind === "array" && routesNode.items.length === 0) {
    return reportNoRoutes(routesNode, diagnostics);
  }
  if (routesNode.kind !== "object") {
    return reportWrongType(routesNode, "an object", diagnostics);
  }
  return routesNode.members.size === 0 ? reportNoRoutes(routesNode, diagnostics) : routesNode;
}

/**
 * Replaces the text before and after an index with spaces, so that all positions stay the same. Sites print PHP
 * warnings before an index, and caching plug-ins add comments after it.
 */
function withoutSurroundings(source: SourceText, diagnostics: Diagnostics): SourceText {
  const { path, text } = source;
  const start = /^\s*[[{]/.test(text) ? text.search(/[[{]/) : text.search(indexStartPattern);
  const textBefore = text.slice(0, start);
  if (start < 0 || (textBefore.trim() === "" && /[\]}]\s*$/.test(text.slice(-100)))) {
    return source;
  }
  const end = findValueEnd(text, start);
  const textAfter = text.slice(end);
  if (textBefore.trim() === "" && textAfter.trim() === "") {
    return source;
  }
  const spanStart = textBefore.trim() === "" ? end : 0;
  diagnostics.warning(
    "IDX019",
    { source, start: spanStart, end: spanStart === 0 ? start : text.length },
    { message: `The text ${spanStart === 0 ? "before" : "after"} the index is not JSON. It is ignored.` },
  );
  const toSpaces = (part: string) => part.replace(/[^\r\n]/g, " ");
  return { path, text: `${toSpaces(textBefore)}${text.slice(start, end)}${toSpaces(textAfter)}` };
}

/**
 * Returns the offset after the object or list that begins at `start`; the length of the text if the end of the value is
 * missing.
 */
function findValueEnd(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let offset = start; offset < text.length; offset += 1) {
    const character = text[offset];
    if (character === '"') {
      isInString = !isInString;
    } else if (isInString) {
      offset += character === "\\" ? 1 : 0;
    } else if (character === "{" || character === "[") {
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) {
        return offset + 1;
      }
    }
  }
  return text.length;
}

/** Whether a diagnostic reports that a part of a route is missing or has a value of the wrong type. */
function isDamage({ code }: Diagnostic): boolean {
  return code === "IDX011" || code === "IDX018";
}

/**
 * Converts an error in a route to a warning, because a user cannot correct the index of a site, and the other routes
 * can still be used. An index without an intact route is refused.
 */
function toWarning(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.code === "IDX011"
    ? { ...diagnostic, code: "IDX018", severity: "warning", message: `${diagnostic.message} It is ignored.` }
    : diagnostic;
}

function reportNoRoutes({ span }: JsonNode, diagnostics: Diagnostics, message = "The index has no routes."): undefined {
  diagnostics.error("IDX010", span, {
    message,
    help: "Save the index of a site whose REST interface is enabled, as a user who can see its routes. If the site no longer has routes, remove its interface from bothends.json.",
  });
}

/**
 * Whether the document consists only of the `routes` object of an index, as saved by some tools. In that case, all its
 * keys are routes.
 */
function isObjectOfRoutes(document: JsonObjectNode): boolean {
  return document.members.size > 0 && [...document.members.keys()].every((key) => key.startsWith("/"));
}

/** Checks the addresses of the site, its links and its authentication endpoints. */
function checkAddresses({ members }: JsonObjectNode, diagnostics: Diagnostics): void {
  const links = members.get("_links")?.value;
  const nodes = [
    ...["url", "home"].flatMap((name) => members.get(name)?.value ?? []),
    ...(links?.kind === "object" ? [...links.members.values()].flatMap(({ value }) => listLinkAddresses(value)) : []),
    ...listScalarsIn(members.get("authentication")?.value),
  ];
  for (const node of nodes) {
    const scheme = node.kind === "scalar" && typeof node.value === "string" ? findScheme(node.value) : undefined;
    if (!isLocalScheme(scheme)) {
      continue;
    }
    diagnostics.error("IDX017", node.span, {
      message: `The address at ${node.pointer} has the scheme "${scheme}", which is not a network scheme.`,
    });
  }
}

/**
 * Returns the addresses of a link. WordPress writes a single link as an object with `href`, several links as a list,
 * and the link `self` as a string.
 */
function listLinkAddresses(link: JsonNode): readonly JsonNode[] {
  if (link.kind === "array") {
    return link.items.flatMap(listLinkAddresses);
  }
  if (link.kind === "scalar") {
    return [link];
  }
  const hrefNode = link.members.get("href")?.value;
  return hrefNode === undefined ? [] : [hrefNode];
}

function listScalarsIn(node: JsonNode | undefined): readonly JsonNode[] {
  if (node?.kind === "array") {
    return node.items.flatMap(listScalarsIn);
  }
  if (node?.kind === "object") {
    return [...node.members.values()].flatMap(({ value }) => listScalarsIn(value));
  }
  return node === undefined ? [] : [node];
}

function readNamespaces(
  document: JsonObjectNode,
  routes: readonly JsonMember[],
  diagnostics: Diagnostics,
): readonly Namespace[] {
  const namespaces = new Map<string, Namespace>();
  const listedNamespaces = document.members.get("namespaces")?.value;
  for (const node of listedNamespaces === undefined ? [] : (readList(listedNamespaces, diagnostics) ?? [])) {
    if (node.kind !== "scalar" || typeof node.value !== "string") {
      reportWrongType(node, "a string", diagnostics);
    } else if (node.value !== "") {
      namespaces.set(node.value, { path: node.value, span: node.span });
    }
  }
  for (const { value } of routes) {
    const node = value.kind === "object" ? value.members.get("namespace")?.value : undefined;
    if (node?.kind !== "scalar" || typeof node.value !== "string" || node.value === "") {
      continue;
    }
    if (!namespaces.has(node.value)) {
      namespaces.set(node.value, { path: node.value, span: node.span });
    }
  }
  return [...namespaces.values()];
}

function readRoute(
  { name, nameSpan, value }: JsonMember,
  { limits, diagnostics }: { readonly limits: SourceLimits; readonly diagnostics: Diagnostics },
): Route | undefined {
  if (value.kind !== "object") {
    return reportWrongType(value, "an object", diagnostics);
  }
  const endpoints = readEndpoints(value, nameSpan, diagnostics);
  checkMethods(value, endpoints, diagnostics);
  const path = readRoutePattern(name, limits);
  if (!("code" in path)) {
    const schema = value.members.get("schema")?.value;
    return { key: name, span: nameSpan, path, endpoints, schema: schema?.kind === "object" ? schema : undefined };
  }

  const { source, start } = nameSpan;
  const span = {
    source,
    start: computeOffsetIn(source, start, path.start),
    end: computeOffsetIn(source, start, path.end),
  };
  const message = `${value.pointer}: ${path.message}`;
  if (path.limit === undefined) {
    diagnostics.warning(path.code, span, { message: `${message} The route is left out.` });
  } else {
    diagnostics.error(path.code, span, { message, ...describeLimitRemedy(path.limit, limits) });
  }
  return undefined;
}

/**
 * Returns the offset of a character in a JSON string whose opening quote is at `start`. An escape counts as one
 * character.
 */
function computeOffsetIn(source: SourceText, start: number, count: number): number {
  let offset = start + 1;
  for (let index = 0; index < count; index += 1) {
    if (source.text.charAt(offset) !== "\\") {
      offset += 1;
    } else {
      offset += source.text.charAt(offset + 1) === "u" ? 6 : 2;
    }
  }
  return offset;
}

function isWithinEndpointLimit(index: Index, limits: SourceLimits, diagnostics: Diagnostics): boolean {
  const count = index.routes.reduce((sum, route) => sum + route.endpoints.length, 0);
  const reportedRoute = index.routes[limits.operations] ?? index.routes[0];
  if (count <= limits.operations || reportedRoute === undefined) {
    return true;
  }
  diagnostics.error("WSDL026", reportedRoute.span, {
    message: `The index has too many endpoints: ${count}.`,
    ...describeLimitRemedy("operations", limits),
  });
  return false;
}

/** A problem in a route pattern. Offsets are relative to the pattern. */
interface RouteProblem {
  readonly code: "IDX020" | "IDX021" | "IDX022" | "IDX023" | "IDX024" | "LIM001" | "LIM002";
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** The limit that the pattern exceeds; absent for other problems. */
  readonly limit?: PatternLimit;
}

/** Splits a route, which is a regular expression, into the pieces from which paths are built. */
function readRoutePattern(key: string, limits: Pick<SourceLimits, PatternLimit>): readonly PathPiece[] | RouteProblem {
  if (key.length > limits.patternChars) {
    const message = `The route has more than ${limits.patternChars} characters.`;
    return { ...findRouteProblem("LIM001", message, 0, key.length), limit: "patternChars" };
  }
  if (!key.startsWith("/")) {
    return findRouteProblem("IDX020", "A route must begin with a slash.", 0, key.length);
  }
  let pieces: readonly PathPiece[] | undefined;
  try {
    pieces = splitRoute(key, readPatternLimits(limits))?.map(createPathPiece);
  } catch (error) {
    if (error instanceof PatternError) {
      return findPatternProblem(key, error);
    }
    throw error;
  }
  if (pieces === undefined) {
    return findRouteProblem("IDX024", "No path matches the route.", 0, key.length);
  }
  return hasDotSegment(pieces)
    ? findRouteProblem("IDX020", 'A path cannot contain a segment "." or "..".', 0, key.length)
    : pieces;
}

function createPathPiece(piece: RoutePiece): PathPiece {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "variable":
      return { variable: piece.variable, pattern: piece.pattern };
    case "filler":
      return { filler: piece.text };
    case "optional":
      return { optional: piece.pieces.map(createPathPiece) };
  }
}

/**
 * Whether a segment of the path is `.` or `..`. Clients remove such segments before they send a request (RFC 3986
 * §5.2.4).
 */
function hasDotSegment(pieces: readonly PathPiece[]): boolean {
  return getText(pieces)
    .split("/")
    .some((segment) => segment === "." || segment === "..");
}

function getText(pieces: readonly PathPiece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") {
        return piece;
      }
      if ("filler" in piece) {
        return piece.filler;
      }
      return "optional" in piece ? getText(piece.optional) : "{}";
    })
    .join("");
}

function findPatternProblem(key: string, { message, offset, limit, fault }: PatternError): RouteProblem {
  if (limit !== undefined) {
    return { ...findRouteProblem(limit === "patternChars" ? "LIM001" : "LIM002", message, offset, key.length), limit };
  }
  const end = findConstructEnd(key, offset);
  switch (fault) {
    case "group":
      return findRouteProblem("IDX020", message, offset, end);
    case "name":
      return findRouteProblem("IDX023", message, offset, findNameEnd(key, offset));
    case "route":
      return findRouteProblem("IDX021", message, offset, end);
    default:
      return findRouteProblem("IDX022", message, offset, end);
  }
}

/** Returns the end offset of the group, escape or character that begins at an offset. */
function findConstructEnd(key: string, start: number): number {
  if (key.charAt(start) !== "(") {
    return start + (key.charAt(start) === "\\" ? 2 : 1);
  }
  let depth = 0;
  for (let offset = start; offset < key.length; offset += 1) {
    const character = key.charAt(offset);
    if (character === "\\") {
      offset += 1;
    } else if (character === "[") {
      offset = findClassEnd(key, offset);
    } else if (character === "(") {
      depth += 1;
    } else if (character === ")") {
      depth -= 1;
      if (depth === 0) {
        return offset + 1;
      }
    }
  }
  return key.length;
}

/** Returns the end offset of a group's name: `(?P<name>`, `(?<name>` or `(?'name'`. */
function findNameEnd(key: string, start: number): number {
  const closingOffset = key.charAt(start + 2) === "'" ? key.indexOf("'", start + 3) : key.indexOf(">", start);
  return closingOffset < 0 ? key.length : closingOffset + 1;
}

function findRouteProblem(code: RouteProblem["code"], message: string, start: number, end: number): RouteProblem {
  return { code, message, start, end };
}
