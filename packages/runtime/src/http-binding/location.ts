import { decodePart, encodePart, type FormValues } from "./form-encoding.js";

/** The pieces of a location: literal text, and the names of parameters between (WSDL 1.1 §4.6 `http:urlReplacement`). */
interface LocationPieces {
  /** One more than `names`. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

function pieces(location: string): LocationPieces {
  const parts = location.split(/\(([^()]*)\)/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  };
}

/** Puts each parameter where the location has its name in parentheses. */
export function fillLocation(location: string, pairs: readonly (readonly [string, string])[]): string {
  const values = new Map(pairs);
  const { literals, names } = pieces(location);
  return literals.map((literal, index) => literal + encodePart(values.get(names[index] ?? "") ?? "")).join("");
}

/**
 * Reads the parameters out of a path that follows the location; undefined when it does not. Each value ends at the
 * first occurrence of the literal after it, so that the work is linear.
 */
export function matchLocation(location: string, path: string): FormValues | undefined {
  const { literals, names } = pieces(location);
  const values = new Map<string, string[]>();
  const [first = "", ...rest] = literals;
  if (!path.startsWith(first)) return undefined;
  let start = first.length;
  for (const [index, literal] of rest.entries()) {
    const last = index === rest.length - 1;
    const end = last ? endOfLast(path, literal, start) : path.indexOf(literal, start);
    if (end < start || (literal === "" && !last)) return undefined;
    const text = path.slice(start, end);
    if (text === "" || text.includes("/")) return undefined;
    const name = names[index] ?? "";
    values.set(name, [...(values.get(name) ?? []), decodePart(text.replaceAll("+", "%2B"))]);
    start = end + literal.length;
  }
  return start === path.length ? values : undefined;
}

function endOfLast(path: string, literal: string, start: number): number {
  if (literal === "") return path.length;
  return path.endsWith(literal) && path.length - literal.length >= start ? path.length - literal.length : -1;
}
