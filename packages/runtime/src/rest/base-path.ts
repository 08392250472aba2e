import type { RestInterfaceDescriptor } from "../descriptor.js";

/** Where an interface lies below its site: a path with variables. */
export interface BasePath {
  readonly segments: readonly BaseSegment[];
  /** The values that each variable may take; any where it is not listed. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export type BaseSegment = { readonly literal: string } | { readonly variable: string };

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

/** The path of the site's home: the base up to its last variable. */
export function fillHome(base: BasePath, variables: ReadonlyMap<string, string>): string {
  const last = base.segments.findLastIndex((segment) => "variable" in segment);
  return fillBase({ ...base, segments: base.segments.slice(0, last + 1) }, variables);
}

function chosenValue(variable: string, base: BasePath, variables: ReadonlyMap<string, string>): string {
  return variables.get(variable) ?? base.values.get(variable)?.[0] ?? "";
}
