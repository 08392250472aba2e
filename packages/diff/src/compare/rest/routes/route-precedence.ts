import { PatternError } from "@bothends/datatypes/pattern";
import { compileRoute, type Endpoint, findPath, type RestInterface, type Route, RouteTable } from "@bothends/generator";
import type { Level, LevelsOfWriters } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import type { MatchedRoute } from "./match-routes.js";
import { isAccepted, listSamplePaths, matchRoute, type PathVersion, readVersion } from "./route-patterns.js";

// Finds routes that match the same paths, of which another one answers in the new version.

/** Generated servers try some routes before an earlier one. WordPress tries all routes in the order of the index. */
const serverKinds = ["generated", "wordpress"] as const;
type ServerKind = (typeof serverKinds)[number];

export interface VersionRoute {
  readonly pattern: string;
  readonly methods: readonly Endpoint["methods"][number][];
  readonly endpoints: readonly Endpoint[];
  readonly compiledRoute: Route;
}

export interface Version {
  readonly interface: RestInterface;
  /** The routes in the order in which each kind of server tries them. */
  readonly routes: Readonly<Record<ServerKind, readonly VersionRoute[]>>;
}

/** A route of the old version, and another route of the new version that may answer its paths. */
interface RoutePair {
  readonly versions: readonly [before: Version, after: Version];
  readonly before: VersionRoute;
  readonly after: VersionRoute;
  /** The new version of the old route, and the old version of the new route. One of them may be absent. */
  readonly counterparts: readonly [newVersion: VersionRoute | undefined, oldVersion: VersionRoute | undefined];
}

/** Reports each route whose paths another route answers in the new version. */
export function findPrecedenceDifferences(
  [before, after]: readonly [RestInterface, RestInterface],
  matchedRoutes: readonly MatchedRoute[],
): readonly Difference[] {
  try {
    const versions = [readRoutes(before), readRoutes(after)] as const;
    return listPairs(versions, matchedRoutes).flatMap(comparePair);
  } catch (error) {
    // The comparison of the routes reports a pattern that is too complex.
    if (error instanceof PatternError) {
      return [];
    }
    throw error;
  }
}

/** Reads the routes of a version, in the order in which servers try them. */
export function readRoutes(version: RestInterface): Version {
  const endpointsByRoute = new Map<string, Endpoint[]>();
  for (const endpoint of version.endpoints) {
    const endpoints = endpointsByRoute.get(endpoint.route);
    if (endpoints === undefined) {
      endpointsByRoute.set(endpoint.route, [endpoint]);
    } else {
      endpoints.push(endpoint);
    }
  }
  const routes = [...endpointsByRoute].map(
    ([pattern, endpoints]): VersionRoute => ({
      pattern,
      methods: endpoints.flatMap(({ methods }) => methods),
      endpoints,
      compiledRoute: compileRoute(pattern),
    }),
  );
  return { interface: version, routes: { generated: new RouteTable(routes, Infinity).routes, wordpress: routes } };
}

/** Lists the pairs of routes of which the first may have answered paths that the second answers in the new version. */
function listPairs(
  versions: readonly [Version, Version],
  matchedRoutes: readonly MatchedRoute[],
): readonly RoutePair[] {
  const [oldRoutes, newRoutes] = versions.map(({ routes }) => routes.wordpress);
  const [oldByPattern, newByPattern] = [oldRoutes, newRoutes].map(
    (routes) => new Map(routes?.map((route) => [route.pattern, route])),
  );
  const patterns = matchedRoutes.map(({ before, after }) => [before[0]?.route ?? "", after[0]?.route ?? ""] as const);
  const newVersions = new Map(patterns.map(([from, to]) => [from, newByPattern?.get(to)]));
  const oldVersions = new Map(patterns.map(([from, to]) => [to, oldByPattern?.get(from)]));
  const [oldPositions, newPositions] = versions.map(listPositions);
  const hasSameOrder = (left: readonly VersionRoute[], right: readonly VersionRoute[]) =>
    serverKinds.every((kind) => isFirst(left, oldPositions?.[kind]) === isFirst(right, newPositions?.[kind]));
  return (oldRoutes ?? []).flatMap((before) =>
    (newRoutes ?? []).flatMap((after): readonly RoutePair[] => {
      const counterparts = [newVersions.get(before.pattern), oldVersions.get(after.pattern)] as const;
      const [newVersion, oldVersion] = counterparts;
      if (newVersion === after || (newVersion ?? oldVersion) === undefined || !haveSimilarStarts(before, after)) {
        return [];
      }
      const isUnchanged =
        newVersion !== undefined &&
        oldVersion !== undefined &&
        isSameRoute(before, newVersion) &&
        isSameRoute(oldVersion, after) &&
        hasSameOrder([before, oldVersion], [newVersion, after]);
      return isUnchanged ? [] : [{ versions, before, after, counterparts }];
    }),
  );
}

type Positions = ReadonlyMap<VersionRoute, number>;

function listPositions({ routes }: Version): Readonly<Record<ServerKind, Positions>> {
  const list = (kind: ServerKind) => new Map(routes[kind].map((route, position) => [route, position]));
  return { generated: list("generated"), wordpress: list("wordpress") };
}

/** Whether a server tries the first of two routes before the second. */
function isFirst([left, right]: readonly VersionRoute[], positions: Positions = new Map()): boolean {
  const getPosition = (route: VersionRoute | undefined) => (route && positions.get(route)) ?? 0;
  return getPosition(left) < getPosition(right);
}

function isSameRoute(left: VersionRoute, right: VersionRoute): boolean {
  return left.pattern === right.pattern && left.methods.join() === right.methods.join();
}

type RouteStart = Pick<VersionRoute, "compiledRoute">;

/** Whether a path can begin with the literal starts of both routes. */
export function haveSimilarStarts(left: RouteStart, right: RouteStart): boolean {
  const [leftStart, rightStart] = [left.compiledRoute.start, right.compiledRoute.start];
  return leftStart.startsWith(rightStart) || rightStart.startsWith(leftStart);
}

/** The effects of another route on the calls with a method. */
interface Effect {
  readonly levels: LevelsOfWriters;
  readonly isOnlyInWordPress: boolean;
  readonly path: string;
}

function comparePair(pair: RoutePair): readonly Difference[] {
  const { before, after, counterparts } = pair;
  const methodsByEffect = new Map<string, { readonly effect: Effect; readonly methods: string[] }>();
  for (const method of new Set(before.methods.filter((each) => after.methods.includes(each)))) {
    const effect = findEffect(pair, method);
    if (effect !== undefined) {
      const key = JSON.stringify([effect.levels, effect.isOnlyInWordPress]);
      const group = methodsByEffect.get(key) ?? { effect, methods: [] };
      group.methods.push(method);
      methodsByEffect.set(key, group);
    }
  }
  const [newVersion] = counterparts;
  return [...methodsByEffect.values()].map(({ effect, methods }): Difference => {
    const findEndpoint = (route: VersionRoute | undefined) =>
      route?.endpoints.find((endpoint) => endpoint.methods.some((method) => methods.includes(method)));
    return {
      rule: "route-precedence-changed",
      subject: `${methods.join(", ")} ${before.pattern}`,
      before: before.pattern,
      after: after.pattern,
      oldSpan: findEndpoint(before)?.span,
      newSpan: findEndpoint(after)?.span,
      levels: effect.levels,
      ...(effect.isOnlyInWordPress && { variant: "wordpress" }),
      sharedPath: encodeURI(effect.path),
      operations: [findEndpoint(newVersion ?? before), findEndpoint(after)].filter((each) => each !== undefined),
    };
  });
}

/** Returns the effect on calls with a method; undefined if the same routes answer in both versions. */
function findEffect(pair: RoutePair, method: VersionRoute["methods"][number]): Effect | undefined {
  const { versions, before, after, counterparts } = pair;
  const [oldVersion, newVersion] = versions;
  const isMoved = (kind: ServerKind) => (path: string) =>
    findRoute(oldVersion.routes[kind], path, method) === before &&
    findRoute(newVersion.routes[kind], path, method) === after;
  const writers = [
    { version: oldVersion, route: before, otherRoute: after },
    { version: newVersion, route: after, otherRoute: before },
  ];
  const paths = writers.map((writer) => listSharedPaths(writer, method));
  const movedPaths = (kind: ServerKind) => paths.map(({ texts }) => texts.find(isMoved(kind)));
  const [generated, wordpress] = serverKinds.map(movedPaths);
  const levels = paths.map(({ areAll }, index): Level => {
    if (generated?.[index] !== undefined) {
      return areAll && counterparts[0] !== undefined && counterparts[1] !== undefined ? "breaks" : "some";
    }
    return wordpress?.[index] === undefined ? "none" : "tolerated";
  });
  const path = [...(generated ?? []), ...(wordpress ?? [])].find((each) => each !== undefined);
  const [oldLevel = "none", newLevel = "none"] = levels;
  return path === undefined
    ? undefined
    : { levels: [oldLevel, newLevel], isOnlyInWordPress: !generated?.some((each) => each !== undefined), path };
}

interface Writer {
  readonly version: Version;
  readonly route: VersionRoute;
  readonly otherRoute: VersionRoute;
}

/** Lists paths that clients send for a route and that another route matches, too. */
function listSharedPaths(
  { version, route, otherRoute }: Writer,
  method: VersionRoute["methods"][number],
): { readonly texts: readonly string[]; readonly areAll: boolean } {
  const endpoint = route.endpoints.find(({ methods }) => methods.includes(method));
  if (endpoint === undefined) {
    return { texts: [], areAll: false };
  }
  const written: PathVersion = readVersion(version.interface, endpoint);
  const sent = [route.pattern, ...written.written];
  const shared = findPath({ matching: [...sent, otherRoute.pattern] });
  if (shared.kind === "none") {
    return { texts: [], areAll: false };
  }
  const samples = listSamplePaths(written).filter((path) => matchRoute(otherRoute.compiledRoute, path) !== undefined);
  const texts = [...(shared.kind === "found" ? [shared.text] : []), ...samples];
  return {
    texts: texts.filter((path) => isAccepted(path, written)),
    areAll: findPath({ matching: sent, notMatching: otherRoute.pattern }).kind === "none",
  };
}

/** Returns the first route that answers requests with a method for a path. */
export function findRoute(routes: readonly VersionRoute[], path: string, method: VersionRoute["methods"][number]) {
  return routes.find(
    ({ methods, compiledRoute }) => methods.includes(method) && matchRoute(compiledRoute, path) !== undefined,
  );
}
