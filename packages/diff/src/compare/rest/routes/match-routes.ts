import type { Endpoint, RestInterface } from "@bothends/generator";
import type { KnownPairs } from "../../moves.js";
import {
  compareShapes,
  findProbableRenames,
  minSimilarity,
  type OperationShape,
  type RenameRules,
} from "../../probable-renames.js";
import { computeNameSimilarity, isSimilarName, matchUnique } from "../../similar-names.js";
import { formatJson } from "../json-values.js";
import { getShape, listShapes, omitOptionalBrackets } from "./path-shapes.js";

type Routes = ReadonlyMap<string, readonly Endpoint[]>;

/** A route of the old version and its counterpart in the new version. */
export interface MatchedRoute {
  readonly before: readonly Endpoint[];
  readonly after: readonly Endpoint[];
  readonly change: "same" | "pattern" | "optional" | "version" | "renamed";
}

/**
 * Matches the routes of both versions: first equal routes and those in `knownPairs`, then routes that differ only in
 * their patterns, their optional parts or their version, and finally the routes of renamed groups and renamed routes.
 * Each step matches two routes only if neither has another candidate, so both directions give the same pairs.
 */
export function matchRoutes(before: RestInterface, after: RestInterface, knownPairs: KnownPairs) {
  let [oldRoutes, newRoutes] = [getRoutes(before), getRoutes(after)];
  const matchedRoutes: MatchedRoute[] = [];
  const match = (change: MatchedRoute["change"], isSame: (left: string, right: string) => boolean) => {
    const pairs = matchUnique([[...oldRoutes.keys()], [...newRoutes.keys()]], [isSame]);
    for (const [from, to] of pairs) {
      matchedRoutes.push({ before: oldRoutes.get(from) ?? [], after: newRoutes.get(to) ?? [], change });
    }
    const matchedNames = new Set(pairs.flat());
    const omitMatched = (routes: Routes) => new Map([...routes].filter(([route]) => !matchedNames.has(route)));
    [oldRoutes, newRoutes] = [omitMatched(oldRoutes), omitMatched(newRoutes)];
  };
  const exactMatches = [...oldRoutes].filter(([route]) => newRoutes.has(route));
  for (const [route, endpoints] of exactMatches) {
    matchedRoutes.push({ before: endpoints, after: newRoutes.get(route) ?? [], change: "same" });
  }
  const exactRoutes = new Set(exactMatches.map(([route]) => route));
  oldRoutes = new Map([...oldRoutes].filter(([route]) => !exactRoutes.has(route)));
  newRoutes = new Map([...newRoutes].filter(([route]) => !exactRoutes.has(route)));
  const knownRoutes = [...knownPairs].map((pair) => pair.map((each) => ("route" in each ? each.route : undefined)));
  match("renamed", (left, right) => knownRoutes.some(([from, to]) => left === from && right === to));
  match("same", (left, right) => formatCanonicalRoute(left) === formatCanonicalRoute(right));
  const allRoutes = [...getRoutes(before), ...getRoutes(after)];
  const shapes = new Map(allRoutes.map(([route, [endpoint]]) => [route, getShape(endpoint)]));
  match("pattern", (left, right) => shapes.get(left) === shapes.get(right));
  match(
    "optional",
    (left, right) => omitOptionalBrackets(shapes.get(left) ?? "") === omitOptionalBrackets(shapes.get(right) ?? ""),
  );
  const shapesOfForms = new Map(allRoutes.map(([route, [endpoint]]) => [route, listShapes(endpoint)]));
  match("optional", (left, right) => {
    const [oldShapes, newShapes] = [shapesOfForms.get(left) ?? [], shapesOfForms.get(right) ?? new Set()];
    return [...oldShapes].some((shape) => newShapes.has(shape));
  });
  // Routes may differ only in the patterns of their variables: `render/(?P<name>core/search)`.
  match(
    "version",
    (left, right) => omitVersion(formatCanonicalRoute(left)) === omitVersion(formatCanonicalRoute(right)),
  );
  match("version", (left, right) => omitVersion(shapes.get(left)) === omitVersion(shapes.get(right)));
  const groups = findRenamedGroups([before, after], [oldRoutes, newRoutes]);
  const isBelow = (route: string, path: string) => route === path || route.startsWith(`${path}/`);
  match("renamed", (left, right) =>
    groups.some(({ from, to }) => isBelow(left, from) && right === to + left.slice(from.length)),
  );
  const unmatched = { removed: [...oldRoutes.keys()], added: [...newRoutes.keys()] };
  const { pairs, alternatives } = findProbableRenames(unmatched, () => createRenameRules(before, after));
  match("renamed", (left, right) => pairs.some(([from, to]) => left === from && right === to));
  return { matched: matchedRoutes, removed: oldRoutes, added: newRoutes, alternatives };
}

/** Creates the functions that recognize renamed routes. */
function createRenameRules(before: RestInterface, after: RestInterface): RenameRules<string> {
  const [allOld, allNew] = [getRoutes(before), getRoutes(after)];
  const paths = new Map([...allOld, ...allNew].map(([route, [endpoint]]) => [route, getShape(endpoint)]));
  const names = [...paths.values()].flatMap((path) => path.split("/"));
  const shapes = new Map(
    [allOld, allNew].flatMap((routes) =>
      [...routes].map(([route, endpoints]) => [route, describeIndexShape(route, routes) ?? describeShape(endpoints)]),
    ),
  );
  const getPath = (route: string) => paths.get(route) ?? route;
  const compare = (left: string, right: string) => {
    const [leftShape, rightShape] = [shapes.get(left), shapes.get(right)];
    return leftShape === undefined || rightShape === undefined ? 0 : compareShapes(leftShape, rightShape);
  };
  const keptRoutes = [...allNew.keys()].filter((route) => allOld.has(route));
  return {
    hasSimilarName: [(left, right) => isRenamed(getPath(left), getPath(right), names)],
    computeSimilarity: (left, right) => {
      const segments = findRenamedSegment(getPath(left), getPath(right));
      const lastName = getPath(left).split("/").at(-1) ?? "";
      const similarity = segments === undefined ? 0 : compare(left, right);
      // `reports/daily` and `stats/daily` have the same last name, so other routes may have the same arguments.
      const hasSameEnd = segments?.[0] !== lastName && !/[{[]/.test(lastName);
      return similarity >= minSimilarity && hasSameEnd ? similarity + 1 : similarity;
    },
    computeNameSimilarity: (left, right) => {
      const segments = findRenamedSegment(getPath(left), getPath(right));
      return segments === undefined ? 0 : computeNameSimilarity(...segments);
    },
    computeKeptSimilarity: (route) => Math.max(0, ...keptRoutes.map((kept) => compare(kept, route))),
  };
}

/** Describes the requests of a route: the methods, and their arguments without the variables of the path. */
function describeShape(endpoints: readonly Endpoint[]): OperationShape {
  const requests = endpoints.map(({ route, methods, args }) => {
    const variables = [...route.matchAll(/\(\?P?<(\w+)>/g)].map(([, variable]) => variable);
    return { methods: methods.join(" "), args: args.filter(({ name }) => !variables.includes(name)) };
  });
  return {
    kind: requests
      .map(({ methods }) => methods)
      .sort()
      .join(", "),
    parts: new Set(requests.flatMap(({ methods, args }) => args.map(({ name }) => `${methods} ${name}`))),
  };
}

/**
 * Describes the route that lists the routes of its namespace; returns undefined for any other route. Such routes have
 * the same arguments in all namespaces, so they are as similar as the lists that they answer.
 */
function describeIndexShape(route: string, routes: Routes): OperationShape | undefined {
  const namespace = routes.get(route)?.[0]?.namespace;
  if (namespace === undefined || route !== `/${namespace}`) {
    return undefined;
  }
  const listedRoutes = [...routes].filter(([, [endpoint]]) => endpoint?.namespace === namespace);
  const paths = listedRoutes.map(([listed]) => (listed === route ? listed : listed.slice(route.length)));
  return { kind: "index", parts: new Set(paths) };
}

function getRoutes({ endpoints }: RestInterface): Routes {
  const routes = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    routes.set(endpoint.route, [...(routes.get(endpoint.route) ?? []), endpoint]);
  }
  return routes;
}

/**
 * Returns a route without the names of its variables. Equivalent patterns become the same: `[0-9]` and `[\d]` become
 * `\d`.
 */
function formatCanonicalRoute(route: string): string {
  return route
    .replace(/\(\?P?<\w+>/g, "(?<>")
    .replaceAll("[0-9]", "\\d")
    .replace(/\[(\\[dwsDWS])\]/g, "$1");
}

function omitVersion(shape: string | undefined): string {
  return (shape ?? "").replace(/\/v?\d+(?:\.\d+)*(?=\/|$)/, "/v");
}

/** Whether two paths differ in only one segment, and the two segments are similar. */
function isRenamed(left: string, right: string, names: readonly string[]): boolean {
  const segments = findRenamedSegment(left, right);
  return segments !== undefined && isSimilarName(...segments, names);
}

/** Returns the only segment in which two paths differ; undefined if it is a variable. */
function findRenamedSegment(left: string, right: string): readonly [string, string] | undefined {
  const [leftSegments, rightSegments] = [left.split("/"), right.split("/")];
  const differingPairs = leftSegments.flatMap((segment, index) =>
    segment === rightSegments[index] ? [] : [[segment, rightSegments[index] ?? ""] as const],
  );
  const [differingPair] = differingPairs;
  const isSegment =
    leftSegments.length === rightSegments.length &&
    differingPairs.length === 1 &&
    !/[{[]/.test(differingPair?.join("") ?? "");
  return isSegment ? differingPair : undefined;
}

/**
 * Returns the old and the new path of each renamed group of routes: first the groups in which each route below the old
 * path has a counterpart below the new path with the same methods and arguments, then those in which most routes have
 * one. At least two routes of a group have such a counterpart.
 */
function findRenamedGroups(
  [before, after]: readonly [RestInterface, RestInterface],
  [oldRoutes, newRoutes]: readonly [Routes, Routes],
): readonly RouteGroup[] {
  const listBelow = (routes: readonly string[], path: string) =>
    routes.filter((route) => route === path || route.startsWith(`${path}/`));
  const [allOld, allNew] = [[...getRoutes(before).keys()], [...getRoutes(after).keys()]];
  const groups = new Map<string, RouteGroup>();
  for (const [oldRoute, left] of oldRoutes) {
    for (const [newRoute, right] of newRoutes) {
      const group = findGroup(oldRoute, newRoute);
      const key = `${group?.from} ${group?.to}`;
      if (group !== undefined) {
        const sameCount = groups.get(key)?.sameCount ?? 0;
        groups.set(key, { ...group, sameCount: sameCount + Number(formatRequests(left) === formatRequests(right)) });
      }
    }
  }
  const replacedGroups = [...groups.values()].flatMap((group) => {
    const { from, to, sameCount } = group;
    const isReplaced = listBelow(allNew, from).length + listBelow(allOld, to).length === 0;
    const routeCount = Math.max(listBelow(allOld, from).length, listBelow(allNew, to).length);
    return isReplaced && sameCount > 1 ? [{ ...group, similarity: sameCount / routeCount }] : [];
  });
  const isOverlapping = (left: RouteGroup, right: RouteGroup) => left.from === right.from || left.to === right.to;
  const listOnly = (candidates: readonly RouteGroup[]) =>
    candidates.filter((group) => candidates.filter((other) => isOverlapping(group, other)).length === 1);
  const equalGroups = listOnly(replacedGroups.filter(({ similarity }) => similarity === 1));
  const similarGroups = replacedGroups.filter(
    (group) => group.similarity > minSimilarity && !equalGroups.some((other) => isOverlapping(group, other)),
  );
  return [...equalGroups, ...listOnly(similarGroups)];
}

/** The paths of a group of routes that may have been renamed. */
interface RouteGroup {
  readonly from: string;
  readonly to: string;
  /**
   * The number of pairs with one route below each path whose remainders after these paths, methods and arguments are
   * equal.
   */
  readonly sameCount: number;
}

/**
 * Returns the beginnings of two routes up to the segment in which they differ; undefined if that segment is a variable,
 * or if the routes differ in more than one segment.
 */
function findGroup(left: string, right: string): Pick<RouteGroup, "from" | "to"> | undefined {
  const [leftSegments, rightSegments] = [left.split("/"), right.split("/")];
  const index = leftSegments.findIndex((segment, position) => segment !== rightSegments[position]);
  const getPath = (segments: readonly string[]) => segments.slice(0, index + 1).join("/");
  const [from, to] = [getPath(leftSegments), getPath(rightSegments)];
  const isVariable = [leftSegments, rightSegments].some((segments) => /[()]/.test(segments[index] ?? ""));
  return index < 0 || isVariable || right !== to + left.slice(from.length) ? undefined : { from, to };
}

/** Formats the methods and argument names of endpoints as a string to compare. */
function formatRequests(endpoints: readonly Endpoint[]): string {
  return formatJson(endpoints.map(({ methods, args }) => [methods, args.map(({ name }) => name).sort()]));
}
