import { compileRoutePattern, judgedPatternLimits, type Pattern } from "@bothends/xml/pattern";
import type { PathVariable } from "../descriptor.js";

/** Anything that a route leads to. */
export interface Routed {
  readonly path: readonly (string | PathVariable)[];
  readonly methods: readonly string[];
}

/** A route with the values of its variables. */
export interface RouteMatch<T> {
  readonly route: T;
  readonly variables: ReadonlyMap<string, string>;
}

type Piece = { readonly literal: string } | { readonly variable: string; readonly pattern: Pattern };

interface CompiledRoute<T> {
  readonly route: T;
  readonly pieces: readonly Piece[];
  readonly order: number;
}

const noVariables: ReadonlyMap<string, string> = new Map();
const noRoutes: readonly never[] = [];

/**
 * Finds the routes that a path leads to, first come first. Literal text is compared without regard to case, as
 * WordPress does. Routes without variables are looked up whole; the others by the literal segments they begin with.
 */
export class RouteTable<T extends Routed> {
  readonly #literal = new Map<string, CompiledRoute<T>[]>();
  /** By their literal beginning, up to a slash; each list holds the routes of all shorter beginnings too. */
  readonly #patterns = new Map<string, readonly CompiledRoute<T>[]>();
  readonly #maxVariable: number;

  /** `maxVariable` is the length of the longest text that a variable takes. */
  constructor(routes: readonly T[], maxVariable: number) {
    this.#maxVariable = maxVariable;
    const compiled = routes.map((route, order) => ({ route, pieces: route.path.map(compilePiece), order }));
    const starts = new Map<string, CompiledRoute<T>[]>();
    for (const route of compiled) {
      const [first, second] = route.pieces;
      const text = first !== undefined && "literal" in first ? first.literal : "";
      const isLiteral = second === undefined && text !== "";
      const key = isLiteral ? withoutSlash(text) : text.slice(0, text.lastIndexOf("/") + 1);
      const list = isLiteral ? this.#literal : starts;
      list.set(key, [...(list.get(key) ?? []), route]);
    }
    for (const start of starts.keys()) {
      const shared = [...starts].filter(([other]) => start.startsWith(other)).flatMap(([, list]) => list);
      this.#patterns.set(
        start,
        shared.sort((one, other) => one.order - other.order),
      );
    }
  }

  /**
   * The first route that a path leads to and that has the method; without a method, the first at all. The path is
   * decoded, and has no slash behind.
   */
  find(path: string, method?: string): RouteMatch<T> | undefined {
    const folded = lowerCase(path);
    const known = this.#literal.get(folded)?.find((one) => answers(one, method));
    for (const candidate of this.#candidates(folded)) {
      if (known !== undefined && known.order < candidate.order) break;
      if (!answers(candidate, method)) continue;
      const variables = this.#match(candidate.pieces, path, folded);
      if (variables !== undefined) return { route: candidate.route, variables };
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

  #match(pieces: readonly Piece[], path: string, folded: string): ReadonlyMap<string, string> | undefined {
    const attempt: Attempt = { pieces, path, folded, max: this.#maxVariable, values: [], failed: new Set() };
    if (!matchFrom(attempt, 0, 0)) return undefined;
    const variables = new Map<string, string>();
    for (const [index, piece] of pieces.entries()) {
      if ("variable" in piece) variables.set(piece.variable, attempt.values[index] ?? "");
    }
    return variables;
  }
}

function answers({ route }: CompiledRoute<Routed>, method: string | undefined): boolean {
  return method === undefined || route.methods.includes(method);
}

interface Attempt {
  readonly pieces: readonly Piece[];
  readonly path: string;
  readonly folded: string;
  readonly max: number;
  /** By the index of the piece. */
  readonly values: string[];
  /** Pieces that do not match from a place, as `piece:place`: each is tried once, so that time stays bounded. */
  readonly failed: Set<string>;
}

/** Matches the pieces from one on at a place. A variable takes as much as it can, as a greedy group does. */
function matchFrom(attempt: Attempt, index: number, at: number): boolean {
  const { pieces, path, folded } = attempt;
  const piece = pieces[index];
  if (piece === undefined) return at === path.length;
  if ("literal" in piece) {
    return folded.startsWith(piece.literal, at) && matchFrom(attempt, index + 1, at + piece.literal.length);
  }
  const key = `${index}:${at}`;
  if (attempt.failed.has(key)) return false;
  const following = pieces[index + 1];
  const literal = following !== undefined && "literal" in following ? following.literal : "";
  for (
    let end = lastEnd(attempt, literal, following === undefined, at);
    end >= at;
    end = previousEnd(folded, literal, end)
  ) {
    const value = path.slice(at, end);
    if (piece.pattern.test(value) && matchFrom(attempt, index + 1, end)) {
      attempt.values[index] = value;
      return true;
    }
    if (following === undefined) break;
  }
  attempt.failed.add(key);
  return false;
}

/** The last place where a variable may end: the end of the path, or before the literal text behind it. */
function lastEnd({ path, folded, max }: Attempt, literal: string, isLast: boolean, at: number): number {
  if (isLast) return path.length - at <= max ? path.length : -1;
  return folded.lastIndexOf(literal, at + max);
}

function previousEnd(folded: string, literal: string, end: number): number {
  return end === 0 ? -1 : folded.lastIndexOf(literal, end - 1);
}

function compilePiece(piece: string | PathVariable): Piece {
  if (typeof piece === "string") return { literal: lowerCase(piece) };
  return { variable: piece.variable, pattern: compileRoutePattern(piece.pattern, judgedPatternLimits) };
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** ASCII alone, as patterns without Unicode properties fold: other letters may change in length. */
function lowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
