import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import { compileRoute, lowerCase, type Route, shadows } from "./route-syntax/index.js";

/** The part of a route that the table reads. */
export interface Routed {
  /** A regular expression that must match the whole path, ignoring case. */
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
  readonly compiled: Route;
  /** Its position among all routes. */
  position: number;
}

const noRoutes: readonly never[] = [];

/**
 * Finds the first route that matches a path, as WordPress does. However, a route that would be hidden by an earlier one is moved
 * before it. Routes without variables are looked up by their whole path, the others by their literal first segments.
 */
export class RouteTable<T extends Routed> {
  readonly #literal = new Map<string, CompiledRoute<T>[]>();
  /** By literal prefix, up to a slash; each list includes the routes of all shorter prefixes. */
  readonly #patterns = new Map<string, CompiledRoute<T>[]>();
  readonly #maxVariable: number;

  /** `maxVariable` is the maximum length of a variable. */
  constructor(routes: readonly T[], maxVariable: number) {
    this.#maxVariable = maxVariable;
    const all = routes.map((route, position) => ({
      route,
      compiled: compileRoute(route.pattern, checkedPatternLimits),
      position,
    }));
    const starts = new Map<string, CompiledRoute<T>[]>();
    for (const candidate of all) {
      const { start, isLiteral } = candidate.compiled;
      const key = isLiteral ? withoutSlash(start) : start.slice(0, start.lastIndexOf("/") + 1);
      const lists = isLiteral ? this.#literal : starts;
      const list = lists.get(key);
      if (list === undefined) {
        lists.set(key, [candidate]);
      } else {
        list.push(candidate);
      }
    }
    for (const start of starts.keys()) {
      const shared = prefixesOf(start).flatMap(
        (candidate): readonly CompiledRoute<T>[] => starts.get(candidate) ?? noRoutes,
      );
      this.#patterns.set(start, shared.sort(byPosition));
    }
    this.#moveShadowedRoutes(all);
  }

  /** Moves each route before the first one that hides it. */
  #moveShadowedRoutes(routes: readonly CompiledRoute<T>[]): void {
    const ranked = [...routes];
    for (const candidate of routes) {
      const shadowing = this.#shadowing(candidate).map((earlier) => ranked.indexOf(earlier));
      const target = Math.min(...shadowing);
      const position = ranked.indexOf(candidate);
      if (target < position) {
        ranked.splice(target, 0, ...ranked.splice(position, 1));
      }
    }
    for (const [order, candidate] of ranked.entries()) {
      candidate.position = order;
    }
    for (const list of this.#patterns.values()) {
      list.sort(byPosition);
    }
  }

  /** The earlier routes that match all paths of a route, and others as well. */
  #shadowing({ route, compiled, position: order }: CompiledRoute<T>): readonly CompiledRoute<T>[] {
    const { example } = compiled;
    if (example === undefined) {
      return noRoutes;
    }
    const folded = lowerCase(example);
    return this.#candidates(folded).filter((earlier) => {
      const { start, match } = earlier.compiled;
      if (earlier.position >= order || !folded.startsWith(start) || match(example.slice(start.length)) === undefined) {
        return false;
      }
      if (!route.methods.some((method) => answers(earlier, method))) {
        return false;
      }
      const [wide, narrow] = [earlier.route.pattern, route.pattern];
      return shadows(wide, narrow, checkedPatternLimits) && !shadows(narrow, wide, checkedPatternLimits);
    });
  }

  /**
   * Returns the first route that matches the path and has the method; without a method, the first that matches. The path is
   * decoded, without a trailing slash.
   */
  find(path: string, method?: string): RouteMatch<T> | undefined {
    const folded = lowerCase(path);
    const literal = this.#literal.get(folded)?.find((candidate) => answers(candidate, method));
    for (const { route, compiled, position: order } of this.#candidates(folded)) {
      if (literal !== undefined && literal.position < order) {
        break;
      }
      if (!answers({ route }, method) || !folded.startsWith(compiled.start)) {
        continue;
      }
      const variables = compiled.match(path.slice(compiled.start.length));
      if (variables !== undefined && this.#fitLimits(variables)) {
        return { route, variables };
      }
    }
    return literal && { route: literal.route, variables: noVariables };
  }

  #candidates(folded: string): readonly CompiledRoute<T>[] {
    for (let end = folded.lastIndexOf("/"); end >= 0; end = end === 0 ? -1 : folded.lastIndexOf("/", end - 1)) {
      const routes = this.#patterns.get(folded.slice(0, end + 1));
      if (routes !== undefined) {
        return routes;
      }
    }
    return this.#patterns.get("") ?? noRoutes;
  }

  #fitLimits(variables: ReadonlyMap<string, string>): boolean {
    for (const text of variables.values()) {
      if (text.length > this.#maxVariable) {
        return false;
      }
    }
    return true;
  }
}

const noVariables: ReadonlyMap<string, string> = new Map();

function answers({ route }: { readonly route: Routed }, method: string | undefined): boolean {
  return method === undefined || route.methods.includes(method);
}

/** The prefixes of a text up to each slash, including the empty prefix. */
function prefixesOf(start: string): readonly string[] {
  return Array.from(start.matchAll(/^|(?<=\/)/g), ({ index }) => start.slice(0, index));
}

function byPosition(left: CompiledRoute<Routed>, right: CompiledRoute<Routed>): number {
  return left.position - right.position;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
