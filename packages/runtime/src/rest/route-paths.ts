import type { ImportedFeature, PathPiece, PathVariable, RestInterfaceDescriptor } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import type { SegmentsFeature, WireSegments } from "./segment-names.js";

// The paths of routes: their variables, and the renaming of their segments.

/**
 * Decodes a path and removes a slash at its end. Returns undefined if the path contains an encoded slash, backslash or
 * zero byte, or an invalid escape, because no route can have such a path.
 */
export function readRoutePath(rawPath: string): string | undefined {
  const path = rawPath.length > 1 && rawPath.endsWith("/") ? rawPath.slice(0, -1) : rawPath;
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

/**
 * Matches an escape of an unreserved character (RFC 3986 §2.3), which needs none, such as `%61` for `a`. Paths with
 * such escapes do not match the literal parts of routes, because the guards of frameworks and proxies do not recognize
 * them. Escapes of reserved characters are accepted, because many clients escape all of them.
 */
export const needlessEscape: RegExp = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/i;
/**
 * Returns the offsets, in the decoded path, of the characters whose escapes `needlessEscape` matches. The path must
 * contain only valid escapes.
 */
export function findNeedlessEscapes(rawPath: string): readonly number[] {
  const pieces = rawPath.split(needlessEscape);
  const offsets: number[] = [];
  let offset = 0;
  for (const piece of pieces.slice(0, -1)) {
    offset += decodeURIComponent(piece).length;
    offsets.push(offset);
    offset += 1;
  }
  return offsets;
}

/** The escapes that `needlessEscape` matches, as messages name them. */
export const needlessEscapes =
  "escapes of characters that need none, such as %61 for a, with which a client could bypass the guards of a framework or proxy";

/** A variable of a path. A variable in an optional part of the path is not required. */
export interface PathParameter extends PathVariable {
  readonly required: boolean;
}

/** Returns the variables of a path in order, including those of optional parts. */
export function listVariables(path: readonly PathPiece[], areRequired = true): readonly PathParameter[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string") {
      return [];
    }
    return "optional" in piece ? listVariables(piece.optional, false) : [{ ...piece, required: areRequired }];
  });
}

/**
 * Returns the names that replace segments on the wire. Clients have their own version of this function, because they
 * load this module only for unusual requests.
 */
export function readWireSegments(
  { segments = [], by }: RestInterfaceDescriptor,
  names: Readonly<Record<string, string | undefined>> | undefined,
): WireSegments {
  if (names === undefined) {
    return [];
  }
  if (by !== undefined && isSegmentsFeature(by)) {
    return by.read(names, segments);
  }
  throw new ConfigError('Remove the option "wireNames": no segment of the interface can be renamed.');
}

function isSegmentsFeature(feature: ImportedFeature<"segments">): feature is SegmentsFeature {
  return "read" in feature;
}

/** Renames the segments of a path or namespace that contains no variables. */
export function renameInText(text: string, segments: WireSegments): string {
  return segments.length === 0 ? text : renameSegments(text.split("/"), segments).join("/");
}

/**
 * Renames the segments in a path that consists of pieces. Optional parts, and segments that contain a variable, are not
 * renamed.
 */
export function renameInPath(path: readonly PathPiece[], segments: WireSegments): readonly PathPiece[] {
  return renameInPieces(path, segments, (piece) => {
    const optionalStart = "optional" in piece ? piece.optional[0] : undefined;
    return typeof optionalStart === "string" && optionalStart.startsWith("/");
  });
}

/**
 * Renames the segments in the literal pieces of a path. The function `beginsSegment` returns whether a piece that is
 * not a literal begins a new segment.
 */
function renameInPieces<P extends object>(
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
    const nextPieceInPath = pieces[index + 1];
    // The first and last segments of a literal can continue in the adjacent variable, so they are not renamed unless
    // they are complete.
    const start = index > 0 ? 1 : 0;
    const endsSegment =
      nextPieceInPath === undefined || (typeof nextPieceInPath !== "string" && beginsSegment(nextPieceInPath));
    const end = endsSegment ? texts.length : Math.max(texts.length - 1, start);
    return [...texts.slice(0, start), ...renameSegments(texts.slice(start, end), segments), ...texts.slice(end)].join(
      "/",
    );
  });
}

/** Renames segments. If several names apply to the same segment, uses the name that replaces the most segments. */
function renameSegments(segments: readonly string[], names: WireSegments): readonly string[] {
  const renamedSegments: string[] = [];
  for (let index = 0; index < segments.length; ) {
    const match = names.find((name) => name.segments.every((segment, offset) => segments[index + offset] === segment));
    renamedSegments.push(match?.name ?? segments[index] ?? "");
    index += match?.segments.length ?? 1;
  }
  return renamedSegments;
}

/** Renames the segments in a route's key in the index. Groups such as `(?P<id>\d+)` stay unchanged. */
export function renameInKey(key: string, segments: WireSegments): string {
  if (segments.length === 0) {
    return key;
  }
  return renameInPieces(splitKey(key), segments, ({ group }) => groupBeginsSegment(group))
    .map((piece) => (typeof piece === "string" ? piece : piece.group))
    .join("");
}

/** Whether a group of a key begins with a slash, or is optional and unnamed. */
function groupBeginsSegment(group: string): boolean {
  return /^\((?:\?(?::|P?<\w+>|'\w+'))?\\?\//.test(group) || (/[?*]$/.test(group) && !/\(\?(?:P?<|')/.test(group));
}

interface KeyGroup {
  readonly group: string;
}

/** Splits the key of a route into literals and groups. The quantifier after a group belongs to the group. */
function splitKey(key: string): readonly (string | KeyGroup)[] {
  const pieces: (string | KeyGroup)[] = [];
  let start = 0;
  let depth = 0;
  for (let offset = 0; offset < key.length; offset += 1) {
    const character = key.charAt(offset);
    if (character === "\\") {
      offset += 1;
    } else if (character === "[") {
      offset = findClassEnd(key, offset);
    } else if (character === "(") {
      if (depth === 0 && offset > start) {
        pieces.push(key.slice(start, offset));
      }
      if (depth === 0) {
        start = offset;
      }
      depth += 1;
    } else if (character === ")") {
      depth -= 1;
      if (depth > 0) {
        continue;
      }
      const quantifier = /^(?:[?*+]|\{[\d,]+\})*/.exec(key.slice(offset + 1))?.[0] ?? "";
      offset += quantifier.length;
      pieces.push({ group: key.slice(start, offset + 1) });
      start = offset + 1;
    }
  }
  return start < key.length ? [...pieces, key.slice(start)] : pieces;
}

/**
 * Returns the offset of the bracket that closes a character class. A closing bracket at the start of the class is a
 * literal.
 */
export function findClassEnd(key: string, start: number): number {
  let offset = start + 1;
  if (key.charAt(offset) === "^") {
    offset += 1;
  }
  if (key.charAt(offset) === "]") {
    offset += 1;
  }
  while (offset < key.length && key.charAt(offset) !== "]") {
    const [piece = "."] = /^(?:\\.|\[:\^?[a-z]*:\])/s.exec(key.slice(offset, offset + 16)) ?? [];
    offset += piece.length;
  }
  return offset;
}
