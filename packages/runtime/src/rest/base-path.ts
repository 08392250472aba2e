import type { RestInterfaceDescriptor } from "../descriptor.js";

/** The base path of an interface, which all its paths begin with: `/{lang}/wp-json`. */
export interface BasePath {
  readonly segments: readonly BaseSegment[];
  /** The allowed values of each variable; a variable without an entry accepts any value. */
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

export interface BaseMatch {
  /** The path after the base, percent-encoded: empty, or with a slash at the start. */
  readonly routePath: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Whether all variables of the base have allowed values. */
  readonly isAllowed: boolean;
}

const noVariables: ReadonlyMap<string, string> = new Map();

/** Matches a base path with the start of a percent-encoded path. Returns undefined if they differ. */
export function matchBase(path: string, base: BasePath): BaseMatch | undefined {
  let variables: Map<string, string> | undefined;
  let isAllowed = true;
  let offset = 0;
  for (const segment of base.segments) {
    if (path.charAt(offset) !== "/") {
      return undefined;
    }
    const slash = path.indexOf("/", offset + 1);
    const end = slash < 0 ? path.length : slash;
    const text = path.slice(offset + 1, end);
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
    offset = end;
  }
  return { routePath: path.slice(offset), variables: variables ?? noVariables, isAllowed };
}

/** Writes a base path with the values of its variables. Variables without a value get their default. */
export function fillBase(base: BasePath, variables: ReadonlyMap<string, string>): string {
  let path = "";
  for (const segment of base.segments) {
    path += `/${"literal" in segment ? segment.literal : getVariableValue(segment.variable, base, variables)}`;
  }
  return path;
}

function getVariableValue(variable: string, base: BasePath, variables: ReadonlyMap<string, string>): string {
  return variables.get(variable) ?? base.values.get(variable)?.[0] ?? "";
}
