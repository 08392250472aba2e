import { judgedPatternLimits } from "@bothends/datatypes/pattern";
import { compileRoute, leavesNothing, lowerCase, type Route } from "./route-syntax/index.js";

/** Anything that a route leads to. */
export interface Routed {
  /** The route: a regular expression that whole paths match, in either case. */
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
  /** Its place among all routes. */
  order: number;
}

const noRoutes: readonly never[] = [];

/**
 * Finds the routes that a path leads to, first come first, as WordPress does; but a route that an earlier one would
 * leave no path comes before that. Routes without variables are looked up whole; the others by the literal segments they
 * begin with.
 */
export class RouteTable<T extends Routed> {
  readonly #literal = new Map<string, CompiledRoute<T>[]>();
  /** By their literal beginning, up to a slash; each list holds the routes of all shorter beginnings too. */
  readonly #patterns = new Map<string, CompiledRoute<T>[]>();
  readonly #maxVariable: number;

  /** `maxVariable` is the length of the longest text that a variable takes. */
  constructor(routes: readonly T[], maxVariable: number) {
    this.#maxVariable = maxVariable;
    const all = routes.map((route, order) => ({
      route,
      compiled: compileRoute(route.pattern, judgedPatternLimits),
      order,
    }));
    const starts = new Map<string, CompiledRoute<T>[]>();
    for (const one of all) {
      const { start, isLiteral } = one.compiled;
      const key = isLiteral ? withoutSlash(start) : start.slice(0, start.lastIndexOf("/") + 1);
      const lists = isLiteral ? this.#literal : starts;
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [one]);
      else list.push(one);
    }
    for (const start of starts.keys()) {
      const shared = beginnings(start).flatMap((one): readonly CompiledRoute<T>[] => starts.get(one) ?? noRoutes);
      this.#patterns.set(start, shared.sort(byOrder));
    }
    this.#letThrough(all);
  }

  /** Moves each route that an earlier one would leave no path to the place before that. */
  #letThrough(routes: readonly CompiledRoute<T>[]): void {
    const ranked = [...routes];
    for (const one of routes) {
      const places = this.#wider(one).map((other) => ranked.indexOf(other));
      const place = Math.min(...places);
      const own = ranked.indexOf(one);
      if (place < own) ranked.splice(place, 0, ...ranked.splice(own, 1));
    }
    for (const [order, one] of ranked.entries()) one.order = order;
    for (const list of this.#patterns.values()) list.sort(byOrder);
  }

  /** The earlier routes that take every path of a route, and other paths, too. */
  #wider({ route, compiled, order }: CompiledRoute<T>): readonly CompiledRoute<T>[] {
    const { example } = compiled;
    if (example === undefined) return noRoutes;
    const folded = lowerCase(example);
    return this.#candidates(folded).filter((other) => {
      const { start, match } = other.compiled;
      if (other.order >= order || !folded.startsWith(start) || match(example.slice(start.length)) === undefined)
        return false;
      if (!route.methods.some((method) => answers(other, method))) return false;
      const [wide, narrow] = [other.route.pattern, route.pattern];
      return leavesNothing(wide, narrow, judgedPatternLimits) && !leavesNothing(narrow, wide, judgedPatternLimits);
    });
  }

  /**
   * The first route that a path leads to and that has the method; without a method, the first at all. The path is
   * decoded, and has no slash behind.
   */
  find(path: string, method?: string): RouteMatch<T> | undefined {
    const folded = lowerCase(path);
    const known = this.#literal.get(folded)?.find((one) => answers(one, method));
    for (const { route, compiled, order } of this.#candidates(folded)) {
      if (known !== undefined && known.order < order) break;
      if (!answers({ route }, method) || !folded.startsWith(compiled.start)) continue;
      const variables = compiled.match(path.slice(compiled.start.length));
      if (variables !== undefined && this.#areShort(variables)) return { route, variables };
    }
    return known && { route: known.route, variables: noVariables };
  }

  #candidates(folded: string): readonly CompiledRoute<T>[] {
    for (let end = folded.lastIndexOf("/"); end >= 0; end = end === 0 ? -1 : folded.lastIndexOf("/", end - 1)) {
      const found = this.#patterns.get(folded.slice(0, end + 1));
      if (found !== undefined) return found;
    }
    return this.#patterns.get("") ?? noRoutes;
  }

  #areShort(variables: ReadonlyMap<string, string>): boolean {
    for (const text of variables.values()) if (text.length > this.#maxVariable) return false;
    return true;
  }
}

const noVariables: ReadonlyMap<string, string> = new Map();

function answers({ route }: { readonly route: Routed }, method: string | undefined): boolean {
  return method === undefined || route.methods.includes(method);
}

/** What a text that ends in a slash begins with, up to each slash; nothing, too. */
function beginnings(start: string): readonly string[] {
  return Array.from(start.matchAll(/^|(?<=\/)/g), ({ index }) => start.slice(0, index));
}

function byOrder(one: CompiledRoute<Routed>, other: CompiledRoute<Routed>): number {
  return one.order - other.order;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
