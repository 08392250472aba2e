import { minSimilarity } from "../../probable-renames.js";
import { selectUniquePairs } from "../../similar-names.js";
import { formatRequests, listPaths, type Routes } from "./route-requests.js";

// Finds groups of routes that were renamed: all routes below a path are now below a path with another last segment.

/** The routes of both versions, and those that only one version has. */
interface RouteVersions {
  readonly all: readonly [before: Routes, after: Routes];
  readonly removed: Routes;
  readonly added: Routes;
}

/** The paths of a group of routes that may have been renamed. */
interface RouteGroup {
  readonly from: string;
  readonly to: string;
  /** The proportion of the routes that have a counterpart with the same methods and arguments. */
  readonly similarity: number;
}

/** Ignores routes whose remainder and requests are the same below more paths: they do not show which path is which. */
const maxRivals = 50;

/**
 * Returns the pairs of routes in renamed groups: first of the groups in which each route below the old path has a
 * counterpart below the new path with the same methods and arguments, then of those in which most routes have one. At
 * least two routes of a group have such a counterpart.
 */
export function pairRenamedGroups(versions: RouteVersions): readonly (readonly [before: string, after: string])[] {
  const groups = findRenamedGroups(versions);
  const newPaths = new Map(groups.map(({ from, to }) => [from, to]));
  return [...versions.removed.keys()].flatMap((route) =>
    listPaths(route).flatMap((path): readonly (readonly [string, string])[] => {
      const newPath = newPaths.get(path);
      const newRoute = newPath === undefined ? undefined : newPath + route.slice(path.length);
      return newRoute === undefined || !versions.added.has(newRoute) ? [] : [[route, newRoute]];
    }),
  );
}

function findRenamedGroups({ all, removed, added }: RouteVersions): readonly RouteGroup[] {
  const [oldCounts, newCounts] = [countBelow(all[0]), countBelow(all[1])];
  const oldPlaces = indexPlaces(removed, newCounts);
  const newPlaces = indexPlaces(added, oldCounts);
  const sameCounts = new Map<string, number>();
  for (const [key, oldPaths] of oldPlaces) {
    const newPaths = newPlaces.get(key) ?? [];
    const isComparable = oldPaths.length <= maxRivals && newPaths.length <= maxRivals;
    for (const pair of isComparable
      ? oldPaths.flatMap((from) => newPaths.map((to) => JSON.stringify([from, to])))
      : []) {
      sameCounts.set(pair, (sameCounts.get(pair) ?? 0) + 1);
    }
  }
  const groups = [...sameCounts].flatMap(([pair, count]): readonly RouteGroup[] => {
    const [from, to] = JSON.parse(pair) as [string, string];
    const [left, right] = [removed.get(from), added.get(to)];
    const hasSameRoot = left !== undefined && right !== undefined && formatRequests(left) === formatRequests(right);
    const sameCount = count + Number(hasSameRoot);
    const routeCount = Math.max(oldCounts.get(from) ?? 0, newCounts.get(to) ?? 0);
    return sameCount > 1 ? [{ from, to, similarity: sameCount / routeCount }] : [];
  });
  const equalGroups = selectOnly(groups.filter(({ similarity }) => similarity === 1));
  const [oldPaths, newPaths] = [new Set(equalGroups.map(({ from }) => from)), new Set(equalGroups.map(({ to }) => to))];
  const similarGroups = groups.filter(
    ({ from, to, similarity }) => similarity > minSimilarity && !oldPaths.has(from) && !newPaths.has(to),
  );
  return [...equalGroups, ...selectOnly(similarGroups)];
}

/** Counts the routes below each path, the path itself included. */
function countBelow(routes: Routes): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of [...routes.keys()].flatMap(listPaths)) {
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

/**
 * Returns the paths above routes that the other version does not have, keyed by what a renamed group keeps: the path
 * above it, the remainder of a route below it, and the requests of that route.
 */
function indexPlaces(routes: Routes, otherCounts: ReadonlyMap<string, number>): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const [route, endpoints] of routes) {
    const requests = formatRequests(endpoints);
    for (const path of listPaths(route).filter((each) => each !== route && !otherCounts.has(each))) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (!/[()]/.test(name)) {
        const key = JSON.stringify([path.slice(0, -name.length), route.slice(path.length), requests]);
        const paths = places.get(key);
        if (paths === undefined) {
          places.set(key, [path]);
        } else {
          paths.push(path);
        }
      }
    }
  }
  return places;
}

/** Returns the groups whose old path and whose new path no other group has. */
function selectOnly(groups: readonly RouteGroup[]): readonly RouteGroup[] {
  const onlyPaths = new Map(selectUniquePairs(groups.map(({ from, to }) => [from, to] as const)));
  return groups.filter(({ from, to }) => onlyPaths.get(from) === to);
}
