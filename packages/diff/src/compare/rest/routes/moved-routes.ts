import type { Endpoint, JsonType, RestInterface } from "@bothends/generator";
import { compareShapes, minSimilarity, type OperationShape } from "../../probable-renames.js";
import { indexByKeys, matchUniqueKeys, selectUniquePairs } from "../../similar-names.js";
import { getShape } from "./path-shapes.js";
import { describeIndexes, describeRequests, getRoutes, listPaths, type Routes } from "./route-requests.js";

// Finds routes that moved to another namespace or below another path, and that kept their names and their requests.

/** Two versions of an interface, and the routes that only one of them has. */
interface RouteVersions {
  readonly interfaces: readonly [before: RestInterface, after: RestInterface];
  readonly removed: Routes;
  readonly added: Routes;
}

type RoutePair = readonly [before: string, after: string];

/** The routes that probably moved. */
export interface MovedRoutes {
  readonly pairs: readonly RoutePair[];
  /** The routes that are equally likely to be the other version of a route. */
  readonly alternatives: ReadonlyMap<string, readonly string[]>;
  /** Lists the paths that a route of the old version may have in the new version: its own, and moved ones. */
  readonly listNewPaths: (path: string) => readonly string[];
}

/**
 * Finds the routes that moved: first those with a name and requests that no other route has, then further routes below
 * the paths between which other routes moved. `matchedPairs` are the routes that are matched already. Each step matches
 * two routes only if neither has another candidate. The time grows linearly with the number of routes.
 */
export function findMovedRoutes(
  { interfaces, removed, added }: RouteVersions,
  matchedPairs: readonly RoutePair[],
): MovedRoutes {
  const [oldSide, newSide] = interfaces.map(createSide) as [RouteSide, RouteSide];
  const kept = [...oldSide.routes.keys()]
    .filter((name) => newSide.routes.has(name))
    .flatMap((name) => [oldSide.read(name), newSide.read(name)]);
  let unmatched = { removed: [...removed.keys()].map(oldSide.read), added: [...added.keys()].map(newSide.read) };
  const pairs: (readonly [before: Route, after: Route])[] = [];
  const addPairs = (newPairs: typeof pairs) => {
    pairs.push(...newPairs);
    const matched = new Set(newPairs.flat());
    const isUnmatched = (route: Route) => !matched.has(route);
    unmatched = { removed: unmatched.removed.filter(isUnmatched), added: unmatched.added.filter(isUnmatched) };
  };
  for (const rule of moveRules) {
    for (let length = maxLength; length > 0; length -= 1) {
      addPairs(matchLastSegments({ ...unmatched, kept }, { rule, length }));
    }
  }
  const moves = countMoves([
    ...pairs.map(([before, after]) => [before.shape, after.shape] as const),
    ...matchedPairs.map(([before, after]) => [oldSide.read(before).shape, newSide.read(after).shape] as const),
  ]);
  addPairs(matchBelow(unmatched, moves));
  return {
    pairs: pairs.map(([before, after]) => [before.name, after.name]),
    alternatives: findAlternatives(unmatched),
    listNewPaths: createPathMover(moves),
  };
}

/** A route of one version. */
interface Route {
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  readonly namespace: string;
  /** The path without the names and patterns of its variables. */
  readonly shape: string;
  /** The segments of the path after the namespace. */
  readonly segments: readonly string[];
  readonly requests: OperationShape;
  /** The methods, the arguments and the number of variables. */
  readonly requestKey: string;
  /** Returns the names of the members in the answers of the route; empty if they are not declared. */
  readonly listMembers: () => ReadonlySet<string>;
}

interface RouteSide {
  readonly routes: Routes;
  readonly read: (name: string) => Route;
}

function createSide(version: RestInterface): RouteSide {
  const routes = getRoutes(version);
  const indexes = describeIndexes(routes);
  const answers = new Map(version.answers.map(({ id, type }) => [id, type]));
  const read = (name: string): Route => {
    const endpoints = routes.get(name) ?? [];
    const namespace = endpoints[0]?.namespace ?? "";
    const shape = getShape(endpoints[0]);
    const requests = indexes.get(name) ?? describeRequests(endpoints);
    const start = namespace === "" ? "/" : `/${namespace}/`;
    return {
      name,
      endpoints,
      namespace,
      shape,
      segments: indexes.has(name) ? [] : shape.slice(shape.startsWith(start) ? start.length : 1).split("/"),
      requests,
      requestKey: JSON.stringify([requests.kind, [...requests.parts].sort(), shape.split("{}").length]),
      listMembers: () => new Set(endpoints.flatMap(({ answer }) => listMembers(answer, answers))),
    };
  };
  return { routes, read };
}

/** Lists the names of the members of an answer, or of the objects in its list. */
function listMembers(type: JsonType | undefined, answers: ReadonlyMap<string, JsonType>): readonly string[] {
  const visitedIds = new Set<string>();
  const list = (each: JsonType | undefined): readonly string[] => {
    switch (each?.kind) {
      case "named": {
        const isVisited = visitedIds.has(each.id);
        visitedIds.add(each.id);
        return isVisited ? [] : list(answers.get(each.id));
      }
      case "array":
        return list(each.items);
      case "union":
        return each.members.flatMap(list);
      case "object":
        return each.properties.map(({ name }) => name);
      default:
        return [];
    }
  };
  return list(type);
}

/** When two routes with the same last segments are the same route. */
interface MoveRule {
  /** Formats what the routes must have in common, apart from their last segments. */
  readonly formatKey: (route: Route) => string;
  readonly isMoved: (before: Route, after: Route) => boolean;
}

const moveRules: readonly MoveRule[] = [
  { formatKey: ({ requestKey }) => requestKey, isMoved: hasReason },
  { formatKey: ({ namespace, requestKey }) => `${namespace} ${requestKey}`, isMoved: hasReason },
  {
    formatKey: ({ requests }) => requests.kind,
    isMoved: (before, after) =>
      isNear(before, after) && hasSimilarRequests(before, after) && before.requests.parts.size > 0,
  },
];

/** Without arguments, the last name is a reason to match two routes only if they are near each other. */
function hasReason(before: Route, after: Route): boolean {
  return (before.requests.parts.size > 0 || isNear(before, after)) && !haveOtherAnswers(before, after);
}

/** Whether two routes have the same namespace, or the same path after it. */
function isNear(before: Route, after: Route): boolean {
  return before.namespace === after.namespace || before.segments.join("/") === after.segments.join("/");
}

function hasSimilarRequests(before: Route, after: Route): boolean {
  return compareShapes(before.requests, after.requests) >= minSimilarity && !haveOtherAnswers(before, after);
}

/** Whether two routes answer with members of which none have the same name. */
function haveOtherAnswers(before: Route, after: Route): boolean {
  const [oldMembers, newMembers] = [before.listMembers(), after.listMembers()];
  return oldMembers.size > 0 && newMembers.size > 0 && ![...oldMembers].some((name) => newMembers.has(name));
}

/** Longer ends of paths are not compared. */
const maxLength = 16;

interface UnmatchedRoutes {
  readonly removed: readonly Route[];
  readonly added: readonly Route[];
}

/** Matches the routes whose last `length` segments and key no other route of either version has. */
function matchLastSegments(
  { removed, added, kept }: UnmatchedRoutes & { readonly kept: readonly Route[] },
  { rule, length }: { readonly rule: MoveRule; readonly length: number },
): [before: Route, after: Route][] {
  const listKeys = (route: Route) => {
    const end = route.segments.slice(-length);
    return end.length === length && hasName(end) ? [`${end.join("/")} ${rule.formatKey(route)}`] : [];
  };
  const keptKeys = new Set(kept.flatMap(listKeys));
  const isNew = (route: Route) => listKeys(route).some((key) => !keptKeys.has(key));
  return matchUniqueKeys([removed.filter(isNew), added.filter(isNew)], listKeys)
    .filter(([before, after]) => rule.isMoved(before, after))
    .map(([before, after]) => [before, after]);
}

/** Whether the end of a path contains a name, and not only variables. */
function hasName(segments: readonly string[]): boolean {
  return segments.some((segment) => !segment.includes("{"));
}

/** The numbers of routes that moved from each path to other paths. */
type Moves = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Paths between which this many routes moved have moved themselves, so that all routes below them are compared. */
const minMoves = 2;

/** The routes of a path that moved to more paths did not move together. */
const maxTargets = 8;

/** Counts the moves of routes, without the segments at the end that a route kept. */
function countMoves(pairs: readonly RoutePair[]): Moves {
  const moves = new Map<string, Map<string, number>>();
  for (const [before, after] of pairs) {
    const [oldSegments, newSegments] = [before.split("/"), after.split("/")];
    const isKept = (length: number) => oldSegments.at(-length) === newSegments.at(-length);
    let length = 0;
    while (length < Math.min(oldSegments.length, newSegments.length) - 1 && isKept(length + 1)) {
      length += 1;
    }
    const [from, to] = [oldSegments, newSegments].map((segments) =>
      segments.slice(0, segments.length - length).join("/"),
    );
    if (from !== undefined && to !== undefined && from !== to) {
      const targets = moves.get(from) ?? new Map<string, number>();
      moves.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
    }
  }
  return moves;
}

/** Matches the routes whose old path is below a path that moved, and whose new path is the same below the new path. */
function matchBelow({ removed, added }: UnmatchedRoutes, moves: Moves): [before: Route, after: Route][] {
  const newRoutes = indexByKeys(added, ({ shape }) => [shape]);
  const sourceCounts = new Map<string, number>();
  for (const to of [...moves.values()].flatMap((targets) => [...targets.keys()])) {
    sourceCounts.set(to, (sourceCounts.get(to) ?? 0) + 1);
  }
  const candidates = removed.flatMap((before) =>
    listPaths(before.shape).flatMap((from) => {
      const targets = [...(moves.get(from) ?? [])];
      return (targets.length > maxTargets ? [] : targets).flatMap(([to, count]) =>
        (newRoutes.get(to + before.shape.slice(from.length)) ?? [])
          .filter((after) => (sourceCounts.get(to) ?? 0) <= maxTargets && isSameBelow(before, after, count))
          .map((after) => [before, after] as const),
      );
    }),
  );
  const [oldNames, newNames] = [indexByName(removed), indexByName(added)];
  return selectUniquePairs(candidates.map(([before, after]) => [before.name, after.name])).flatMap(([from, to]) => {
    const [before, after] = [oldNames.get(from), newNames.get(to)];
    return before === undefined || after === undefined ? [] : [[before, after]];
  });
}

function indexByName(routes: readonly Route[]): ReadonlyMap<string, Route> {
  return new Map(routes.map((route) => [route.name, route]));
}

/** Whether two routes whose paths are the same below two paths, between which `count` routes moved, are the same. */
function isSameBelow(before: Route, after: Route, count: number): boolean {
  const [oldMethods, newMethods] = [before, after].map(({ endpoints }) => endpoints.flatMap(({ methods }) => methods));
  const hasSameMethod = oldMethods?.some((method) => newMethods?.includes(method)) === true;
  return before.segments.length > 0 && count >= minMoves ? hasSameMethod : hasSimilarRequests(before, after);
}

/**
 * Creates a function that lists the paths which a route of the old version may have in the new one: its own path, and
 * those below the new paths of paths that moved. Ignores paths that were split or joined.
 */
function createPathMover(moves: Moves): (path: string) => readonly string[] {
  const pairs = [...moves].flatMap(([from, targets]) => [...targets.keys()].map((to) => [from, to] as const));
  const newPaths = new Map(selectUniquePairs(pairs));
  return (path) => [
    path,
    ...listPaths(path).flatMap((from) => {
      const to = newPaths.get(from) ?? "";
      return (moves.get(from)?.get(to) ?? 0) >= minMoves ? [to + path.slice(from.length)] : [];
    }),
  ];
}

/** More routes with the same name and requests are not reported as alternatives. */
const maxAlternatives = 3;

/** Finds the routes that may be the other version of a route, because they have the same last name and requests. */
function findAlternatives({ removed, added }: UnmatchedRoutes): ReadonlyMap<string, readonly string[]> {
  const [oldRoutes, newRoutes] = [indexByKeys(removed, listLastNames), indexByKeys(added, listLastNames)];
  const alternatives = new Map<string, readonly string[]>();
  const add = (route: Route | undefined, others: readonly Route[]) => {
    if (route !== undefined && others.length > 0 && others.length <= maxAlternatives) {
      alternatives.set(
        route.name,
        others.map(({ name }) => name),
      );
    }
  };
  for (const [key, before] of oldRoutes) {
    const after = newRoutes.get(key) ?? [];
    const isOnlyPair = before.length === 1 && after.length === 1;
    const isReported = (left: Route, right: Route) =>
      hasReason(left, right) && (!isOnlyPair || left.segments.join("/") === right.segments.join("/"));
    if (before.length === 1) {
      add(
        before[0],
        after.filter((right) => before.some((left) => isReported(left, right))),
      );
    }
    if (after.length === 1) {
      add(
        after[0],
        before.filter((left) => after.some((right) => isReported(left, right))),
      );
    }
  }
  return alternatives;
}

/** Returns the end of a path from its last name together with the requests; nothing if the path contains no name. */
function listLastNames({ segments, requestKey }: Route): readonly string[] {
  const index = segments.findLastIndex((segment) => hasName([segment]));
  return index < 0 ? [] : [`${segments.slice(index).join("/")} ${requestKey}`];
}
