/** A parsed `Content-Type` header. */
export interface MediaType {
  /** `type/subtype` in lower case; empty if the header is absent or does not begin with a media type. */
  readonly name: string;
  /** Parameters by lower-case name. If a name occurs twice, the first value is used. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads a media type (RFC 9110 §8.3.1). Returns undefined unless the complete text is a media type. */
export function parseMediaType(text: string | undefined): MediaType | undefined {
  const scannedType = scanMediaType(text ?? "");
  return scannedType.name !== "" && scannedType.end === text?.length ? scannedType : undefined;
}

/** Reads the media type at the beginning of a string and ignores the rest, because some servers append invalid text. */
export function readMediaType(text: string | undefined): MediaType {
  return scanMediaType(text ?? "");
}

/** Whether a media type is XML (RFC 7303 §9). */
export function isXml({ name }: MediaType): boolean {
  return name === "text/xml" || name === "application/xml" || name.endsWith("+xml");
}

/** Whether a media type is JSON (RFC 6839 §3.1). */
export function isJson({ name }: MediaType): boolean {
  return name === "application/json" || name.endsWith("+json");
}

function scanMediaType(text: string): MediaType & { readonly end: number } {
  const parameters = new Map<string, string>();
  const nameMatch = /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*(?=[;,]|$)/.exec(text);
  if (nameMatch === null) {
    return { name: "", parameters, end: 0 };
  }
  const parameter = /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^";, \t]*)))?[ \t]*/y;
  let end = nameMatch[0].length;
  while (end < text.length) {
    parameter.lastIndex = end;
    const match = parameter.exec(text);
    if (match === null) {
      break;
    }
    const [, name, quoted, token] = match;
    const value = quoted?.replace(/\\(.)/g, "$1") ?? token;
    if (name !== undefined && value !== undefined && !parameters.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), value);
    }
    end = parameter.lastIndex;
  }
  return { name: (nameMatch[1] ?? "").toLowerCase(), parameters, end };
}

/**
 * Media types that clients often send by mistake. Only these are named in logs, because the text of other media types
 * is chosen by the client.
 */
const knownMediaTypes: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "application/json",
  "application/fastinfoset",
  "application/octet-stream",
  "application/soap+fastinfoset",
  "application/soap+msbin1",
  "application/soap+xml",
  "application/x-www-form-urlencoded",
  "application/xml",
  "application/xop+xml",
  "multipart/form-data",
  "multipart/mixed",
  "multipart/related",
  "text/html",
  "text/plain",
  "text/xml",
]);

/** Returns the name of a media type for logs: `another type`, unless the type is one that clients often send. */
export function nameMediaType({ name }: MediaType): string {
  return knownMediaTypes.has(name) ? name : "another type";
}
