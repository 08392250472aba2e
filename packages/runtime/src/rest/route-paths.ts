import type { PathPiece, PathVariable, RestInterfaceDescriptor } from "../descriptor.js";

/** Where an interface lies below its site: a path with variables. */
export interface BasePath {
  readonly segments: readonly BaseSegment[];
  /** The values that each variable may take; any where it is not listed. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

type BaseSegment = { readonly literal: string } | { readonly variable: string };

export function compileBase({ base, baseValues = {} }: Pick<RestInterfaceDescriptor, "base" | "baseValues">): BasePath {
  const segments = base
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment): BaseSegment => {
      const variable = /^\{(.+)\}$/.exec(segment)?.[1];
      return variable === undefined ? { literal: segment } : { variable };
    });
  return { segments, values: new Map(Object.entries(baseValues)) };
}

interface BaseMatch {
  /** What follows the base, undecoded: "" or a path from its slash on. */
  readonly rest: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Every variable has a value that it may take. */
  readonly known: boolean;
}

/** Finds the base at the beginning of a path, which is as the request spells it. */
export function matchBase(path: string, base: BasePath): BaseMatch | undefined {
  const variables = new Map<string, string>();
  let known = true;
  let at = 0;
  for (const segment of base.segments) {
    if (path.charAt(at) !== "/") return undefined;
    const slash = path.indexOf("/", at + 1);
    const end = slash < 0 ? path.length : slash;
    const text = path.slice(at + 1, end);
    if ("literal" in segment) {
      if (text !== segment.literal) return undefined;
    } else {
      if (text === "") return undefined;
      variables.set(segment.variable, text);
      known &&= base.values.get(segment.variable)?.includes(text) ?? true;
    }
    at = end;
  }
  return { rest: path.slice(at), variables, known };
}

/** The base with values for its variables; their defaults where none are given. */
export function fillBase(base: BasePath, variables: ReadonlyMap<string, string>): string {
  return base.segments
    .map((segment) => `/${"literal" in segment ? segment.literal : chosenValue(segment.variable, base, variables)}`)
    .join("");
}

function chosenValue(variable: string, base: BasePath, variables: ReadonlyMap<string, string>): string {
  return variables.get(variable) ?? base.values.get(variable)?.[0] ?? "";
}

/**
 * The path of a route as a request spells it, decoded, without the slash at its end; undefined for one that no route
 * has: an encoded slash, a malformed escape.
 */
export function readRoutePath(raw: string): string | undefined {
  const path = raw.length > 1 && raw.endsWith("/") ? raw.slice(0, -1) : raw;
  if (!path.includes("%")) return path === "" ? "/" : path;
  if (/%(?:2f|5c|00)/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A variable of a path, and whether it is always there. */
export interface VariableInPath extends PathVariable {
  readonly required: boolean;
}

/** The variables of a path in their order, those of optional parts too. */
export function variablesOf(path: readonly PathPiece[], required = true): readonly VariableInPath[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string") return [];
    return "optional" in piece ? variablesOf(piece.optional, false) : [{ ...piece, required }];
  });
}
