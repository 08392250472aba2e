import type { Endpoint, RestInterface } from "@bothends/generator";
import type { KnownPairs } from "../../moves.js";
import { compareShapes, findProbableRenames, minSimilarity, type RenameRules } from "../../probable-renames.js";
import { computeNameSimilarity, isSimilarName, matchUniqueKeys, selectUniquePairs } from "../../similar-names.js";
import { findMovedRoutes, type MovedRoutes } from "./moved-routes.js";
import { getShape, listShapes, omitOptionalBrackets } from "./path-shapes.js";
import { pairRenamedGroups } from "./route-groups.js";
import { describeIndexes, describeRequests, getRoutes, type Routes } from "./route-requests.js";

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
  const [allOld, allNew] = [getRoutes(before), getRoutes(after)];
  let [removed, added] = [allOld, allNew];
  const matched: MatchedRoute[] = [];
  const addPairs = (change: MatchedRoute["change"], pairs: readonly (readonly [before: string, after: string])[]) => {
    for (const [from, to] of pairs) {
      matched.push({ before: removed.get(from) ?? [], after: added.get(to) ?? [], change });
    }
    const [oldNames, newNames] = [new Set(pairs.map(([from]) => from)), new Set(pairs.map(([, to]) => to))];
    removed = new Map([...removed].filter(([route]) => !oldNames.has(route)));
    added = new Map([...added].filter(([route]) => !newNames.has(route)));
  };
  const matchKeys = (change: MatchedRoute["change"], listKeys: (route: string) => Iterable<string>) =>
    addPairs(change, matchUniqueKeys([[...removed.keys()], [...added.keys()]], listKeys));
  addPairs(
    "same",
    [...allOld.keys()].filter((route) => allNew.has(route)).map((route) => [route, route] as const),
  );
  const knownRoutes = [...knownPairs].flatMap(([from, to]) =>
    "route" in from && "route" in to && removed.has(from.route) && added.has(to.route)
      ? [[from.route, to.route] as const]
      : [],
  );
  addPairs("renamed", selectUniquePairs(knownRoutes));
  matchKeys("same", (route) => [formatCanonicalRoute(route)]);
  const allRoutes = [...allOld, ...allNew];
  const shapes = new Map(allRoutes.map(([route, [endpoint]]) => [route, getShape(endpoint)]));
  const getPath = (route: string) => shapes.get(route) ?? "";
  matchKeys("pattern", (route) => [getPath(route)]);
  matchKeys("optional", (route) => [omitOptionalBrackets(getPath(route))]);
  const shapesOfForms = new Map(allRoutes.map(([route, [endpoint]]) => [route, listShapes(endpoint)]));
  matchKeys("optional", (route) => shapesOfForms.get(route) ?? []);
  // Routes may differ only in the patterns of their variables: `render/(?P<name>core/search)`.
  matchKeys("version", (route) => [omitVersion(formatCanonicalRoute(route))]);
  matchKeys("version", (route) => [omitVersion(getPath(route))]);
  addPairs("renamed", pairRenamedGroups({ all: [allOld, allNew], removed, added }));
  const moved = findMovedRoutes(
    { interfaces: [before, after], removed, added },
    matched.flatMap(({ before: [from], after: [to], change }) =>
      from !== undefined && to !== undefined && (change === "version" || change === "renamed")
        ? [[from.route, to.route] as const]
        : [],
    ),
  );
  addPairs("renamed", moved.pairs);
  const unmatched = { removed: [...removed.keys()], added: [...added.keys()] };
  const { pairs, alternatives } = findProbableRenames(unmatched, () => createRenameRules([allOld, allNew], moved));
  addPairs("renamed", pairs);
  return { matched, removed, added, alternatives: new Map([...moved.alternatives, ...alternatives]) };
}

/**
 * Creates the functions that recognize renamed routes, also below the paths to which other routes moved. The requests
 * are not a reason to match a route that may have moved to several paths.
 */
function createRenameRules(
  [allOld, allNew]: readonly [Routes, Routes],
  { alternatives, listNewPaths }: MovedRoutes,
): RenameRules<string> {
  const isAmbiguous = (route: string) => (alternatives.get(route)?.length ?? 0) > 1;
  const paths = new Map([...allOld, ...allNew].map(([route, [endpoint]]) => [route, getShape(endpoint)]));
  const names = [...new Set([...paths.values()].flatMap((path) => path.split("/")))];
  const shapes = new Map(
    [allOld, allNew].flatMap((routes) => {
      const indexes = describeIndexes(routes);
      return [...routes].map(([route, endpoints]) => [route, indexes.get(route) ?? describeRequests(endpoints)]);
    }),
  );
  const getPath = (route: string) => paths.get(route) ?? route;
  const compare = (left: string, right: string) => {
    const [leftShape, rightShape] = [shapes.get(left), shapes.get(right)];
    return leftShape === undefined || rightShape === undefined ? 0 : compareShapes(leftShape, rightShape);
  };
  const keptRoutes = [...allNew.keys()].filter((route) => allOld.has(route));
  const findSegments = (left: string, right: string) =>
    listNewPaths(getPath(left))
      .map((path) => findRenamedSegment(path, getPath(right)))
      .find((segments) => segments !== undefined);
  return {
    hasSimilarName: [
      (left, right) => {
        const segments = findSegments(left, right);
        return segments !== undefined && isSimilarName(...segments, names);
      },
    ],
    computeSimilarity: (left, right) => {
      const segments = findSegments(left, right);
      const lastName = getPath(left).split("/").at(-1) ?? "";
      const isComparable = segments !== undefined && !isAmbiguous(left) && !isAmbiguous(right);
      const similarity = isComparable ? compare(left, right) : 0;
      // `reports/daily` and `stats/daily` have the same last name, so other routes may have the same arguments.
      const hasSameEnd = segments?.[0] !== lastName && !/[{[]/.test(lastName);
      return similarity >= minSimilarity && hasSameEnd ? similarity + 1 : similarity;
    },
    computeNameSimilarity: (left, right) => {
      const segments = findSegments(left, right);
      return segments === undefined ? 0 : computeNameSimilarity(...segments);
    },
    computeKeptSimilarity: (route) => Math.max(0, ...keptRoutes.map((kept) => compare(kept, route))),
  };
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
