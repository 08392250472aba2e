/** The media type of an answer. */
export interface MediaType {
  /** `type/subtype` in lower case; empty where the header is missing or malformed. */
  readonly name: string;
  readonly charset: string | undefined;
}

/** Reads a Content-Type header (RFC 9110 §8.3). */
export function readMediaType(header: string | undefined): MediaType {
  const text = header ?? "";
  const name =
    /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*(?:[;,]|$)/.exec(text)?.[1] ?? "";
  const charset = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;,"]+))/i.exec(text);
  return { name: name.toLowerCase(), charset: charset?.[1] ?? charset?.[2] };
}

/** Whether a media type is XML (RFC 7303 §9). */
export function isXml({ name }: MediaType): boolean {
  return name === "text/xml" || name === "application/xml" || name.endsWith("+xml");
}

/** Whether a media type is JSON (RFC 6839 §3.1). */
export function isJson({ name }: MediaType): boolean {
  return name === "application/json" || name.endsWith("+json");
}
