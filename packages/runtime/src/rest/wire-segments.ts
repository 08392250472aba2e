import type { PathPiece } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import { nearest } from "../nearest.js";

/** Literal segments of routes, one or several in a row, that have another name on the wire. */
interface Renamed {
  readonly words: readonly string[];
  readonly name: string;
}

/** The other names, those for most segments first. */
export type WireSegments = readonly Renamed[];

/** Checks the names a user gave for segments that may bear another. */
export function wireSegments(
  given: Readonly<Record<string, string | undefined>> | undefined,
  allowed: readonly string[],
): WireSegments {
  const segments: Renamed[] = [];
  for (const [words, name] of Object.entries(given ?? {})) {
    if (name === undefined || name === words) continue;
    if (!allowed.includes(words)) {
      throw new ConfigError(`The segment "${words}" has no other name at run time.${nearest(words, allowed)}`);
    }
    if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(name)) {
      throw new ConfigError(`"${name}" cannot be a segment of a path: use letters, digits and -._~ alone.`);
    }
    segments.push({ words: words.split("/"), name });
  }
  return segments.sort((one, other) => other.words.length - one.words.length);
}

/** Literal text of a path or a namespace with the names of the wire. */
export function onWire(text: string, segments: WireSegments): string {
  return segments.length === 0 ? text : renamed(text.split("/"), segments).join("/");
}

/**
 * The pieces of a path with the names of the wire: a segment that is part literal and part variable stays as it is, and
 * so does what may be left out.
 */
export function pathOnWire(path: readonly PathPiece[], segments: WireSegments): readonly PathPiece[] {
  return piecesOnWire(path, segments, (piece) => {
    const first = "optional" in piece ? piece.optional[0] : undefined;
    return typeof first === "string" && first.startsWith("/");
  });
}

/** `standsApart`: the text before a piece that is none is a segment of its own. */
function piecesOnWire<P extends object>(
  pieces: readonly (string | P)[],
  segments: WireSegments,
  standsApart: (piece: P) => boolean,
): readonly (string | P)[] {
  if (segments.length === 0) return pieces;
  return pieces.map((piece, index) => {
    if (typeof piece !== "string") return piece;
    const texts = piece.split("/");
    const following = pieces[index + 1];
    // The first and the last text belong to the variables beside them.
    const before = index > 0 ? 1 : 0;
    const isWhole = following === undefined || (typeof following !== "string" && standsApart(following));
    const after = isWhole ? texts.length : Math.max(texts.length - 1, before);
    return [...texts.slice(0, before), ...renamed(texts.slice(before, after), segments), ...texts.slice(after)].join(
      "/",
    );
  });
}

/** At each place the longest name that fits is the one that counts. */
function renamed(words: readonly string[], segments: WireSegments): readonly string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; ) {
    const fitting = segments.find((segment) => segment.words.every((word, offset) => words[at + offset] === word));
    result.push(fitting?.name ?? words[at] ?? "");
    at += fitting?.words.length ?? 1;
  }
  return result;
}

/** A route's key with the names of the wire; its groups stay as they are. */
export function keyOnWire(key: string, segments: WireSegments): string {
  if (segments.length === 0) return key;
  return piecesOnWire(splitKey(key), segments, ({ group }) => standsApart(group))
    .map((piece) => (typeof piece === "string" ? piece : piece.group))
    .join("");
}

/** Whether a group begins with a slash, or may be nothing and names nothing. */
function standsApart(group: string): boolean {
  return /^\((?:\?(?::|P?<\w+>|'\w+'))?\\?\//.test(group) || (/[?*]$/.test(group) && !/\(\?(?:P?<|')/.test(group));
}

interface KeyGroup {
  readonly group: string;
}

/** Literal text and groups with their quantifiers, in turn. */
function splitKey(key: string): readonly (string | KeyGroup)[] {
  const pieces: (string | KeyGroup)[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < key.length; at += 1) {
    const char = key.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") at = classEnd(key, at);
    else if (char === "(") {
      if (depth === 0 && at > start) pieces.push(key.slice(start, at));
      if (depth === 0) start = at;
      depth += 1;
    } else if (char === ")") {
      depth -= 1;
      if (depth > 0) continue;
      const quantifier = /^(?:[?*+]|\{[\d,]+\})*/.exec(key.slice(at + 1))?.[0] ?? "";
      at += quantifier.length;
      pieces.push({ group: key.slice(start, at + 1) });
      start = at + 1;
    }
  }
  return start < key.length ? [...pieces, key.slice(start)] : pieces;
}

/** The offset of the bracket that closes a class; one that stands first in it is a member. */
function classEnd(key: string, start: number): number {
  let at = start + 1;
  if (key.charAt(at) === "^") at += 1;
  if (key.charAt(at) === "]") at += 1;
  while (at < key.length && key.charAt(at) !== "]") at += key.charAt(at) === "\\" ? 2 : 1;
  return at;
}
