import type { PathPiece, PathVariable, RestInterfaceDescriptor } from "../descriptor.js";
import { ConfigError, nearest } from "../errors.js";

/** The paths of REST interfaces and their routes: the base, variables, and renamed segments. */

/** The path of an interface below its site, with variables. */
export interface BasePath {
  readonly segments: readonly BaseSegment[];
  /** The segments before the first variable: `/wp-json`. */
  readonly literalStart: string;
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
  const variable = segments.findIndex((segment) => "variable" in segment);
  const literals = segments.slice(0, variable < 0 ? segments.length : variable);
  const literalStart = literals.map((segment) => ("literal" in segment ? `/${segment.literal}` : "")).join("");
  return { segments, literalStart, values: new Map(Object.entries(baseValues)) };
}

export interface BaseMatch {
  /** The rest of the path, undecoded: "", or a path that begins with a slash. */
  readonly rest: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Whether all variables have allowed values. */
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

/** The base with the given values of its variables, or their defaults. */
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
 * Decodes a route's path and removes a trailing slash. Returns undefined for a path that no route can have, with an encoded slash
 * or a malformed escape.
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

/** A variable of a path; not required inside an optional part. */
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

/** Consecutive literal segments of routes, and their real name. */
interface SegmentName {
  readonly words: readonly string[];
  readonly name: string;
}

/** The real names, longest first. */
export type WireSegments = readonly SegmentName[];

/** Checks the names configured by a user: only the segments in `allowed` may be renamed. */
export function wireSegments(
  names: Readonly<Record<string, string | undefined>> | undefined,
  allowed: readonly string[],
): WireSegments {
  const renamed: SegmentName[] = [];
  for (const [words, name] of Object.entries(names ?? {})) {
    if (name === undefined || name === words) {
      continue;
    }
    if (!allowed.includes(words)) {
      throw new ConfigError(`The segment "${words}" cannot be renamed at run time.${nearest(words, allowed)}`);
    }
    if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(name)) {
      throw new ConfigError(`"${name}" cannot be a segment of a path: use only letters, digits and -._~.`);
    }
    renamed.push({ words: words.split("/"), name });
  }
  return renamed.sort((left, right) => right.words.length - left.words.length);
}

/** The literal text of a path or namespace, with the real names. */
export function wireText(text: string, segments: WireSegments): string {
  return segments.length === 0 ? text : renameSegments(text.split("/"), segments).join("/");
}

/**
 * The pieces of a path, with the real names. Segments that mix literals and variables are not renamed, nor are optional parts.
 */
export function wirePath(path: readonly PathPiece[], segments: WireSegments): readonly PathPiece[] {
  return wirePieces(path, segments, (piece) => {
    const first = "optional" in piece ? piece.optional[0] : undefined;
    return typeof first === "string" && first.startsWith("/");
  });
}

/** `beginsSegment` decides whether a piece ends the segment before it. */
function wirePieces<P extends object>(
  pieces: readonly (string | P)[],
  segments: WireSegments,
  beginsSegment: (piece: P) => boolean,
): readonly (string | P)[] {
  if (segments.length === 0) {
    return pieces;
  }
  return pieces.map((piece, index) => {
    if (typeof piece !== "string") {
      return piece;
    }
    const texts = piece.split("/");
    const following = pieces[index + 1];
    // The first and the last text may share a segment with the adjacent variable.
    const before = index > 0 ? 1 : 0;
    const endsSegment = following === undefined || (typeof following !== "string" && beginsSegment(following));
    const after = endsSegment ? texts.length : Math.max(texts.length - 1, before);
    return [
      ...texts.slice(0, before),
      ...renameSegments(texts.slice(before, after), segments),
      ...texts.slice(after),
    ].join("/");
  });
}

/** Renames segments. At each position, the longest matching name is used. */
function renameSegments(words: readonly string[], segments: WireSegments): readonly string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; ) {
    const fitting = segments.find((segment) => segment.words.every((word, offset) => words[at + offset] === word));
    result.push(fitting?.name ?? words[at] ?? "");
    at += fitting?.words.length ?? 1;
  }
  return result;
}

/** A route's key with the real names; groups stay unchanged. */
export function wireKey(key: string, segments: WireSegments): string {
  if (segments.length === 0) {
    return key;
  }
  return wirePieces(splitKey(key), segments, ({ group }) => beginsSegment(group))
    .map((piece) => (typeof piece === "string" ? piece : piece.group))
    .join("");
}

/** Whether a group begins with a slash, or is optional and unnamed. */
function beginsSegment(group: string): boolean {
  return /^\((?:\?(?::|P?<\w+>|'\w+'))?\\?\//.test(group) || (/[?*]$/.test(group) && !/\(\?(?:P?<|')/.test(group));
}

interface KeyGroup {
  readonly group: string;
}

/** Splits a key into literal texts, and groups with their quantifiers. */
function splitKey(key: string): readonly (string | KeyGroup)[] {
  const pieces: (string | KeyGroup)[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < key.length; at += 1) {
    const char = key.charAt(at);
    if (char === "\\") {
      at += 1;
    } else if (char === "[") {
      at = classEnd(key, at);
    } else if (char === "(") {
      if (depth === 0 && at > start) {
        pieces.push(key.slice(start, at));
      }
      if (depth === 0) {
        start = at;
      }
      depth += 1;
    } else if (char === ")") {
      depth -= 1;
      if (depth > 0) {
        continue;
      }
      const quantifier = /^(?:[?*+]|\{[\d,]+\})*/.exec(key.slice(at + 1))?.[0] ?? "";
      at += quantifier.length;
      pieces.push({ group: key.slice(start, at + 1) });
      start = at + 1;
    }
  }
  return start < key.length ? [...pieces, key.slice(start)] : pieces;
}

/** The offset of the bracket that closes a class. A bracket in first position is a literal. */
export function classEnd(key: string, start: number): number {
  let at = start + 1;
  if (key.charAt(at) === "^") {
    at += 1;
  }
  if (key.charAt(at) === "]") {
    at += 1;
  }
  while (at < key.length && key.charAt(at) !== "]") {
    at += key.charAt(at) === "\\" ? 2 : 1;
  }
  return at;
}
