import { PatternError, type PatternLimit } from "@bothends/datatypes/pattern";
import { type RoutePiece, routePieces } from "@bothends/runtime/route-syntax";
import { readPatternLimits, type SourceLimits } from "../../source/source-limits.js";
import type { PathPiece } from "./documents.js";

/** A problem of a route pattern. Offsets are relative to the pattern. */
export interface RouteProblem {
  readonly code: "IDX020" | "IDX021" | "IDX022" | "IDX023" | "IDX024" | "LIM001" | "LIM002";
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** The exceeded limit, if the problem is a limit. */
  readonly limit?: PatternLimit;
}

/** Splits a route, which is a regular expression, into the pieces from which paths are built. */
export function readRoutePattern(
  key: string,
  limits: Pick<SourceLimits, PatternLimit>,
): readonly PathPiece[] | RouteProblem {
  if (key.length > limits.patternChars) {
    const message = `The route has more than ${limits.patternChars} characters.`;
    return { ...problem("LIM001", message, 0, key.length), limit: "patternChars" };
  }
  if (!key.startsWith("/")) {
    return problem("IDX020", "A route must begin with a slash.", 0, key.length);
  }
  let pieces: readonly PathPiece[] | undefined;
  try {
    pieces = routePieces(key, readPatternLimits(limits))?.map(pathPiece);
  } catch (error) {
    if (error instanceof PatternError) {
      return patternProblem(key, error);
    }
    throw error;
  }
  if (pieces === undefined) {
    return problem("IDX024", "No path matches the route.", 0, key.length);
  }
  return hasDotSegment(pieces)
    ? problem("IDX020", 'A path cannot contain a segment "." or "..".', 0, key.length)
    : pieces;
}

function pathPiece(piece: RoutePiece): PathPiece {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "variable":
      return { variable: piece.variable, pattern: piece.pattern };
    case "filler":
      return { filler: piece.text };
    case "optional":
      return { optional: piece.pieces.map(pathPiece) };
  }
}

/** RFC 3986 §5.2.4: such segments are removed before a request is sent. */
function hasDotSegment(pieces: readonly PathPiece[]): boolean {
  return textOf(pieces)
    .split("/")
    .some((segment) => segment === "." || segment === "..");
}

function textOf(pieces: readonly PathPiece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") {
        return piece;
      }
      if ("filler" in piece) {
        return piece.filler;
      }
      return "optional" in piece ? textOf(piece.optional) : "{}";
    })
    .join("");
}

function patternProblem(key: string, { message, offset, limit, fault }: PatternError): RouteProblem {
  if (limit !== undefined) {
    return { ...problem(limit === "patternChars" ? "LIM001" : "LIM002", message, offset, key.length), limit };
  }
  const end = partEnd(key, offset);
  switch (fault) {
    case "group":
      return problem("IDX020", message, offset, end);
    case "name":
      return problem("IDX023", message, offset, nameEnd(key, offset));
    case "route":
      return problem("IDX021", message, offset, end);
    default:
      return problem("IDX022", message, offset, end);
  }
}

/** Returns the end of the group, escape or character at an offset. */
function partEnd(key: string, start: number): number {
  if (key.charAt(start) !== "(") {
    return start + (key.charAt(start) === "\\" ? 2 : 1);
  }
  let depth = 0;
  for (let offset = start; offset < key.length; offset += 1) {
    const char = key.charAt(offset);
    if (char === "\\") {
      offset += 1;
    } else if (char === "[") {
      offset = classEnd(key, offset);
    } else if (char === "(") {
      depth += 1;
    } else if (char === ")") {
      depth -= 1;
      if (depth === 0) {
        return offset + 1;
      }
    }
  }
  return key.length;
}

/** Returns the end of the name of a group: `(?P<name>`, `(?<name>` or `(?'name'`. */
function nameEnd(key: string, start: number): number {
  const closing = key.charAt(start + 2) === "'" ? key.indexOf("'", start + 3) : key.indexOf(">", start);
  return closing < 0 ? key.length : closing + 1;
}

/** Returns the offset of the `]` that closes a class. A `]` at the start of a class is a member. */
function classEnd(key: string, start: number): number {
  let offset = start + 1;
  if (key.charAt(offset) === "^") {
    offset += 1;
  }
  if (key.charAt(offset) === "]") {
    offset += 1;
  }
  while (offset < key.length && key.charAt(offset) !== "]") {
    if (key.charAt(offset) === "\\") {
      offset += 1;
    } else if (key.startsWith("[:", offset)) {
      offset = Math.max(offset, key.indexOf(":]", offset) + 1);
    }
    offset += 1;
  }
  return offset;
}

function problem(code: RouteProblem["code"], message: string, start: number, end: number): RouteProblem {
  return { code, message, start, end };
}
