import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import { shadows } from "./compare-routes.js";
import { compileRoute, lowerCase, type Route } from "./compile-route.js";

/** The members of a route that are needed to find it by path and method. */
export interface TableRoute {
  /** A regular expression that must match a path from start to end, ignoring case. */
  readonly pattern: string;
  readonly methods: readonly string[];
}

/** A route that matches a path, and the values of its variables in this path. */
export interface RouteMatch<T> {
  readonly route: T;
  readonly variables: ReadonlyMap<string, string>;
}

interface CompiledRoute<T> {
  readonly route: T;
  readonly compiledRoute: Route;
  /** The position of the route, which decides between routes that match the same path. */
  position: number;
}

const noRoutes: readonly never[] = [];

/**
 * Finds the first route that matches a path, as WordPress does. Unlike in WordPress, a route that an earlier route
 * would hide is moved before that earlier route. Routes without variables are looked up by their complete path. Routes
 * with variables are looked up by the literal segments at their start.
 */
export class RouteTable<T extends TableRoute> {
  readonly #byPath = new Map<string, CompiledRoute<T>[]>();
  /** For the path of each literal route: the routes with variables that may match the same path. */
  readonly #candidatesByPath = new Map<string, readonly CompiledRoute<T>[]>();
  /**
   * The routes with variables, by the literal prefix of their paths up to a slash. The list for a prefix also contains
   * the routes of its shorter prefixes.
   */
  readonly #byPrefix = new Map<string, CompiledRoute<T>[]>();
  /** The length of the longest prefix. Longer prefixes of a path are not looked up: clients choose how many it has. */
  readonly #maxPrefixLength: number;
  readonly #maxVariableLength: number;
  /** The routes in the order in which they are tried. */
  readonly routes: readonly T[];

  /** `maxVariableLength` is the maximum length of a variable's value. */
  constructor(routes: readonly T[], maxVariableLength: number) {
    this.#maxVariableLength = maxVariableLength;
    const compiledRoutes = routes.map((route, position) => ({
      route,
      compiledRoute: compileRoute(route.pattern, checkedPatternLimits),
      position,
    }));
    const routesByStart = new Map<string, CompiledRoute<T>[]>();
    for (const candidate of compiledRoutes) {
      const { start, isLiteral } = candidate.compiledRoute;
      const key = isLiteral ? removeFinalSlash(start) : start.slice(0, start.lastIndexOf("/") + 1);
      const lists = isLiteral ? this.#byPath : routesByStart;
      const list = lists.get(key);
      if (list === undefined) {
        lists.set(key, [candidate]);
      } else {
        list.push(candidate);
      }
    }
    for (const start of routesByStart.keys()) {
      const routesWithShorterPrefixes = listPrefixes(start).flatMap(
        (candidate): readonly CompiledRoute<T>[] => routesByStart.get(candidate) ?? noRoutes,
      );
      this.#byPrefix.set(start, routesWithShorterPrefixes.sort(comparePosition));
    }
    this.#maxPrefixLength = Math.max(0, ...[...this.#byPrefix.keys()].map((prefix) => prefix.length));
    this.#moveHiddenRoutes(compiledRoutes);
    this.routes = compiledRoutes.sort(comparePosition).map(({ route }) => route);
    for (const path of this.#byPath.keys()) {
      this.#candidatesByPath.set(path, this.#findCandidates(path));
    }
  }

  /** Moves each hidden route to the position before the first route that hides it. */
  #moveHiddenRoutes(routes: readonly CompiledRoute<T>[]): void {
    const rankedRoutes = [...routes];
    for (const candidate of routes) {
      const hidingPositions = this.#findHidingRoutes(candidate).map((earlier) => rankedRoutes.indexOf(earlier));
      const firstHidingPosition = Math.min(...hidingPositions);
      const position = rankedRoutes.indexOf(candidate);
      if (firstHidingPosition < position) {
        rankedRoutes.splice(firstHidingPosition, 0, ...rankedRoutes.splice(position, 1));
      }
    }
    for (const [order, candidate] of rankedRoutes.entries()) {
      candidate.position = order;
    }
    for (const list of this.#byPrefix.values()) {
      list.sort(comparePosition);
    }
  }

  /** Returns the earlier routes that hide this route, because they match all its paths and also other paths. */
  #findHidingRoutes({ route, compiledRoute, position: order }: CompiledRoute<T>): readonly CompiledRoute<T>[] {
    const { example } = compiledRoute;
    if (example === undefined) {
      return noRoutes;
    }
    const lowerCasePath = lowerCase(example);
    return this.#findCandidates(lowerCasePath).filter((earlier) => {
      const { start, match } = earlier.compiledRoute;
      if (
        earlier.position >= order ||
        !lowerCasePath.startsWith(start) ||
        match(example.slice(start.length)) === undefined
      ) {
        return false;
      }
      if (!route.methods.some((method) => hasMethod(earlier, method))) {
        return false;
      }
      const [earlierPattern, pattern] = [earlier.route.pattern, route.pattern];
      return (
        shadows(earlierPattern, pattern, checkedPatternLimits) &&
        !shadows(pattern, earlierPattern, checkedPatternLimits)
      );
    });
  }

  /**
   * Returns the first route that matches the path and has the method. Without a method, returns the first route that
   * matches the path. The path must be decoded and must not end in a slash. `escapes` contains the offsets of
   * characters that were escaped although they need no escape. Returns undefined if one of them is not in the value of
   * a variable.
   */
  find(path: string, method?: string, escapes: readonly number[] = noEscapes): RouteMatch<T> | undefined {
    return this.#find(path, { method, escapes, maxLength: this.#maxVariableLength });
  }

  /** Whether a route would match the path if the length of variables had no limit. */
  isTooLong(path: string, escapes: readonly number[] = noEscapes): boolean {
    return (
      path.length > this.#maxVariableLength &&
      this.find(path, undefined, escapes) === undefined &&
      this.#find(path, { method: undefined, escapes, maxLength: Infinity }) !== undefined
    );
  }

  #find(path: string, { method, escapes, maxLength }: Search): RouteMatch<T> | undefined {
    const lowerCasePath = lowerCase(path);
    const literalRoute = this.#byPath.get(lowerCasePath)?.find((candidate) => hasMethod(candidate, method));
    const candidates = this.#candidatesByPath.get(lowerCasePath) ?? this.#findCandidates(lowerCasePath);
    for (const { route, compiledRoute, position: order } of candidates) {
      if (literalRoute !== undefined && literalRoute.position < order) {
        break;
      }
      if (!hasMethod({ route }, method) || !lowerCasePath.startsWith(compiledRoute.start)) {
        continue;
      }
      const variables = compiledRoute.match(path.slice(compiledRoute.start.length));
      if (variables !== undefined && areWithin(variables, maxLength)) {
        return hasPlainLiterals(compiledRoute, path, escapes) ? { route, variables } : undefined;
      }
    }
    return escapes.length > 0 ? undefined : literalRoute && { route: literalRoute.route, variables: noVariables };
  }

  /** Returns the routes whose literal beginning is that of the path, although they may not match it. */
  listNear(path: string): readonly T[] {
    return this.#findCandidates(lowerCase(path)).map(({ route }) => route);
  }

  #findCandidates(lowerCasePath: string): readonly CompiledRoute<T>[] {
    for (
      let end = lowerCasePath.lastIndexOf("/", this.#maxPrefixLength - 1);
      end >= 0;
      end = end === 0 ? -1 : lowerCasePath.lastIndexOf("/", end - 1)
    ) {
      const routes = this.#byPrefix.get(lowerCasePath.slice(0, end + 1));
      if (routes !== undefined) {
        return routes;
      }
    }
    return this.#byPrefix.get("") ?? noRoutes;
  }
}

interface Search {
  /** The method that the route must have; undefined if it may have any methods. */
  readonly method: string | undefined;
  readonly escapes: readonly number[];
  /** The maximum length of a variable's value. */
  readonly maxLength: number;
}

function areWithin(variables: ReadonlyMap<string, string>, maxLength: number): boolean {
  for (const text of variables.values()) {
    if (text.length > maxLength) {
      return false;
    }
  }
  return true;
}

const noEscapes: readonly number[] = [];
const noVariables: ReadonlyMap<string, string> = new Map();

/** Whether the characters at all these offsets of a path are in the values of the route's variables. */
function hasPlainLiterals({ start, findRanges }: Route, path: string, escapes: readonly number[]): boolean {
  if (escapes.length === 0) {
    return true;
  }
  const ranges = findRanges(path.slice(start.length)) ?? [];
  return escapes.every((position) => {
    const offset = position - start.length;
    return ranges.some((range) => range.start <= offset && offset < range.end);
  });
}

function hasMethod({ route }: { readonly route: TableRoute }, method: string | undefined): boolean {
  return method === undefined || route.methods.includes(method);
}

/** Returns all prefixes of a path that end in a slash, and the empty prefix. */
function listPrefixes(start: string): readonly string[] {
  return Array.from(start.matchAll(/^|(?<=\/)/g), ({ index }) => start.slice(0, index));
}

function comparePosition(left: CompiledRoute<TableRoute>, right: CompiledRoute<TableRoute>): number {
  return left.position - right.position;
}

function removeFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
