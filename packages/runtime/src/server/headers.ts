import type { HeaderLine } from "./types.js";

/** Header lines by lower-case name; lines of one name are joined as RFC 9110 §5.2 says. */
export function headerMap(lines: readonly HeaderLine[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    const known = headers.get(key);
    headers.set(key, known === undefined ? value : `${known}, ${value}`);
  }
  return headers;
}

/** The value of a header as it came, its lines joined; looks once at each line and builds nothing. */
export function headerValue(lines: readonly HeaderLine[], name: string): string | undefined {
  let found: string | undefined;
  for (const [key, value] of lines) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** How many lines a header has. */
export function countHeader(lines: readonly HeaderLine[], name: string): number {
  return lines.filter((line) => line[0].toLowerCase() === name).length;
}

/** The one line of a header; undefined where there is none, or more than one. */
export function onlyHeader(lines: readonly HeaderLine[], name: string): string | undefined {
  const found = lines.filter((line) => line[0].toLowerCase() === name);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/** A `Content-Type`, parsed once. */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly name: string;
  /** Parameters by lower-case name; of two of one name the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads a media type (RFC 9110 §8.3.1). Undefined: not one. */
export function parseMediaType(text: string | undefined): MediaType | undefined {
  const head = /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*(?=;|$)/.exec(text ?? "");
  if (text === undefined || head === null) return undefined;
  const parameters = new Map<string, string>();
  const parameter = /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^";, \t]*)))?[ \t]*/y;
  parameter.lastIndex = head[0].length;
  while (parameter.lastIndex < text.length) {
    const match = parameter.exec(text);
    if (match === null) return undefined;
    const [, name, quoted, plain] = match;
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (name !== undefined && value !== undefined && !parameters.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), value);
    }
  }
  return { name: (head[1] ?? "").toLowerCase(), parameters };
}

/** Whether a `Host` header names a host and perhaps a port, and nothing else (RFC 9110 §7.2). */
export function isHost(text: string): boolean {
  return /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/.test(text);
}
