import type { PathPiece, PathVariable, RestInterfaceDescriptor } from "../descriptor.js";

/** The path of an interface below its site, with variables. */
export interface BasePath {
  readonly segments: readonly BaseSegment[];
  /** The segments before the first variable: `/wp-json`. */
  readonly literalStart: string;
  /** The allowed values of each variable; a variable without an entry may have any. */
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
  const variable = segments.findIndex((segment) => "variable" in segment);
  const literals = segments.slice(0, variable < 0 ? segments.length : variable);
  const literalStart = literals.map((segment) => ("literal" in segment ? `/${segment.literal}` : "")).join("");
  return { segments, literalStart, values: new Map(Object.entries(baseValues)) };
}

export interface BaseMatch {
  /** The rest of the path, undecoded: "", or a path that begins with its slash. */
  readonly rest: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Whether each variable has an allowed value. */
  readonly isAllowed: boolean;
}

const noVariables: ReadonlyMap<string, string> = new Map();

/** Finds the base at the beginning of an undecoded path. */
export function matchBase(path: string, base: BasePath): BaseMatch | undefined {
  let variables: Map<string, string> | undefined;
  let isAllowed = true;
  let at = 0;
  for (const segment of base.segments) {
    if (path.charAt(at) !== "/") {
      return undefined;
    }
    const slash = path.indexOf("/", at + 1);
    const end = slash < 0 ? path.length : slash;
    const text = path.slice(at + 1, end);
    if ("literal" in segment) {
      if (text !== segment.literal) {
        return undefined;
      }
    } else {
      if (text === "") {
        return undefined;
      }
      variables ??= new Map();
      variables.set(segment.variable, text);
      isAllowed &&= base.values.get(segment.variable)?.includes(text) ?? true;
    }
    at = end;
  }
  return { rest: path.slice(at), variables: variables ?? noVariables, isAllowed };
}

/** The base with the values of its variables, or their defaults. */
export function fillBase(base: BasePath, variables: ReadonlyMap<string, string>): string {
  let path = "";
  for (const segment of base.segments) {
    path += `/${"literal" in segment ? segment.literal : variableValue(segment.variable, base, variables)}`;
  }
  return path;
}

function variableValue(variable: string, base: BasePath, variables: ReadonlyMap<string, string>): string {
  return variables.get(variable) ?? base.values.get(variable)?.[0] ?? "";
}

/**
 * Decodes the path of a route and removes the slash at its end. Returns undefined for a path that no route can have: it
 * has an encoded slash or a malformed escape.
 */
export function readRoutePath(raw: string): string | undefined {
  const path = raw.length > 1 && raw.endsWith("/") ? raw.slice(0, -1) : raw;
  if (!path.includes("%")) {
    return path === "" ? "/" : path;
  }
  if (/%(?:2f|5c|00)/i.test(path)) {
    return undefined;
  }
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A variable of a path; it is not required inside an optional part. */
export interface VariableInPath extends PathVariable {
  readonly required: boolean;
}

/** The variables of a path in order, including those of optional parts. */
export function variablesOf(path: readonly PathPiece[], required = true): readonly VariableInPath[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string") {
      return [];
    }
    return "optional" in piece ? variablesOf(piece.optional, false) : [{ ...piece, required }];
  });
}
