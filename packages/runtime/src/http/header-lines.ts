import type { HeaderLine } from "./server-messages.js";

/** Header lines by lower-case name; lines with the same name are joined with commas (RFC 9110 §5.2). */
export function headerMap(lines: readonly HeaderLine[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    const existing = headers.get(key);
    headers.set(key, existing === undefined ? value : `${existing}, ${value}`);
  }
  return headers;
}

/** The value of a header, whose lines are joined with commas. `name` is in lower case. */
export function headerValue(lines: readonly HeaderLine[], name: string): string | undefined {
  let joined: string | undefined;
  for (const [key, value] of lines) {
    if (key.length !== name.length || key.toLowerCase() !== name) {
      continue;
    }
    joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}

/** Keeps browsers from showing text as a page. */
export const nosniff: HeaderLine = ["X-Content-Type-Options", "nosniff"];
/**
 * Keeps browsers from showing XML as a page and from running scripts in it. Chrome's XML viewer needs inline styles and
 * data: images.
 */
export const inertXml: readonly HeaderLine[] = [
  nosniff,
  ["Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"],
];
