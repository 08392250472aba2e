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
