import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import { compileRoute, lowerCase, type Route, shadows } from "../../rest/route-syntax/index.js";

/** The members of a route that the route table reads. */
export interface TableRoute {
  /** A regular expression that must match a path from start to end, ignoring case. */
  readonly pattern: string;
  readonly methods: readonly string[];
}

/** A route with the values of its variables. */
export interface RouteMatch<T> {
  readonly route: T;
  readonly variables: ReadonlyMap<string, string>;
}

interface CompiledRoute<T> {
  readonly route: T;
  readonly compiledRoute: Route;
  /** The route's position among all routes. */
  position: number;
}

const noRoutes: readonly never[] = [];

/**
 * Finds the first route that matches a path, as WordPress does. Unlike in WordPress, a route that an earlier one would hide is
 * moved before that one. Routes without variables are looked up by their path, routes with variables by the literal segments at
 * their start.
 */
export class RouteTable<T extends TableRoute> {
  readonly #byPath = new Map<string, CompiledRoute<T>[]>();
  /** The routes with variables that may match the path of a literal route. */
  readonly #candidatesByPath = new Map<string, readonly CompiledRoute<T>[]>();
  /** The routes with variables by literal prefix, up to a slash. Each list includes the routes of all shorter prefixes. */
  readonly #byPrefix = new Map<string, CompiledRoute<T>[]>();
  readonly #maxVariableLength: number;

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
      const key = isLiteral ? withoutSlash(start) : start.slice(0, start.lastIndexOf("/") + 1);
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
      this.#byPrefix.set(start, routesWithShorterPrefixes.sort(byPosition));
    }
    this.#moveHiddenRoutes(compiledRoutes);
    for (const path of this.#byPath.keys()) {
      this.#candidatesByPath.set(path, this.#findCandidates(path));
    }
  }

  /** Moves each hidden route before the first route that hides it. */
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
      list.sort(byPosition);
    }
  }

  /** Returns the earlier routes that hide a route: they match all its paths, and other paths as well. */
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
   * Returns the first route that matches the path and has the method; without a method, the first that matches. The path is
   * decoded, without a trailing slash.
   */
  find(path: string, method?: string): RouteMatch<T> | undefined {
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
      if (variables !== undefined && this.#fitLimits(variables)) {
        return { route, variables };
      }
    }
    return literalRoute && { route: literalRoute.route, variables: noVariables };
  }

  #findCandidates(lowerCasePath: string): readonly CompiledRoute<T>[] {
    for (
      let end = lowerCasePath.lastIndexOf("/");
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

  #fitLimits(variables: ReadonlyMap<string, string>): boolean {
    for (const text of variables.values()) {
      if (text.length > this.#maxVariableLength) {
        return false;
      }
    }
    return true;
  }
}

const noVariables: ReadonlyMap<string, string> = new Map();

function hasMethod({ route }: { readonly route: TableRoute }, method: string | undefined): boolean {
  return method === undefined || route.methods.includes(method);
}

/** Returns the prefixes of a text up to each slash, including the empty prefix. */
function listPrefixes(start: string): readonly string[] {
  return Array.from(start.matchAll(/^|(?<=\/)/g), ({ index }) => start.slice(0, index));
}

function byPosition(left: CompiledRoute<TableRoute>, right: CompiledRoute<TableRoute>): number {
  return left.position - right.position;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
