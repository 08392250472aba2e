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

/** The pieces of a path with the names of the wire: a segment that is part literal and part variable stays as it is. */
export function pathOnWire<P>(path: readonly (string | P)[], segments: WireSegments): readonly (string | P)[] {
  if (segments.length === 0) return path;
  return path.map((piece, index) => {
    if (typeof piece !== "string") return piece;
    const texts = piece.split("/");
    // The first and the last text belong to the variables beside them.
    const before = index > 0 ? 1 : 0;
    const after = index < path.length - 1 ? Math.max(texts.length - 1, before) : texts.length;
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
  return pathOnWire(splitKey(key), segments)
    .map((piece) => (typeof piece === "string" ? piece : piece.group))
    .join("");
}

/** Literal text and groups, in turn. */
export function splitKey(key: string): readonly (string | { readonly group: string })[] {
  const pieces: (string | { readonly group: string })[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < key.length; at += 1) {
    const char = key.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[" && depth > 0) at = classEnd(key, at);
    else if (char === "(") {
      if (depth === 0 && at > start) pieces.push(key.slice(start, at));
      if (depth === 0) start = at;
      depth += 1;
    } else if (char === ")") {
      depth -= 1;
      if (depth > 0) continue;
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
