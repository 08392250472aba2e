import { ConfigError } from "../errors.js";

/** Other names for literal segments of routes, by the index's. */
export type WireSegments = ReadonlyMap<string, string>;

/** Checks the names a user gave for segments that may bear another. */
export function wireSegments(
  given: Readonly<Record<string, string | undefined>> | undefined,
  allowed: readonly string[],
): WireSegments {
  const segments = new Map<string, string>();
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined || value === name) continue;
    if (!allowed.includes(name)) throw new ConfigError(`The segment "${name}" has no other name at run time.`);
    if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(value)) {
      throw new ConfigError(`"${value}" cannot be a segment of a path: use letters, digits and -._~ alone.`);
    }
    segments.set(name, value);
  }
  return segments;
}

/** Literal text of a path or a namespace with the names of the wire. */
export function onWire(text: string, segments: WireSegments): string {
  if (segments.size === 0) return text;
  return text
    .split("/")
    .map((segment) => segments.get(segment) ?? segment)
    .join("/");
}

/** The pieces of a path with the names of the wire: a segment that is part literal and part variable stays as it is. */
export function pathOnWire<P>(path: readonly (string | P)[], segments: WireSegments): readonly (string | P)[] {
  return path.map((piece, index) => {
    if (typeof piece !== "string") return piece;
    const texts = piece.split("/");
    return texts
      .map((text, position) => {
        const partial = (position === 0 && index > 0) || (position === texts.length - 1 && index < path.length - 1);
        return partial && text !== "" ? text : (segments.get(text) ?? text);
      })
      .join("/");
  });
}

/** A route's key with the names of the wire; its groups stay as they are. */
export function keyOnWire(key: string, segments: WireSegments): string {
  if (segments.size === 0) return key;
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
