/** One header line, as received or as to be sent. */
export type HeaderLine = readonly [name: string, value: string];

/** The headers that a server needs for every request. A member is undefined if its header is absent. */
export interface ParsedHeaders {
  /** The size of all header lines in bytes. */
  readonly headerBytes: number;
  /** The number of `Host` lines. */
  readonly hostCount: number;
  /** The value of the last `Host` line. */
  readonly host: string | undefined;
  /**
   * The value of `Transfer-Encoding` in lower case. If there are several lines, the first value that is not `chunked`.
   */
  readonly transferEncoding: string | undefined;
  /** The value of `Content-Type`. Undefined if the header is absent or occurs more than once. */
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  /**
   * Whether the body is compressed. The router refuses compressed bodies unless an option accepts them, because the
   * byte limit would not limit the decompressed size.
   */
  readonly isCompressed: boolean;
  /** The encoding of a compressed body, in lower case. Undefined if the body is not compressed. */
  readonly contentEncoding: string | undefined;
  readonly soapAction: string | undefined;
  readonly origin: string | undefined;
  /** Whether a browser reports that a page of another site caused the request (Fetch Metadata, `Sec-Fetch-Site`). */
  readonly isCrossSite: boolean;
  readonly hasCookie: boolean;
  readonly hasAuthorization: boolean;
  /**
   * Whether the scheme of `Authorization` is one whose credentials a browser stores. The browser also adds these
   * credentials to requests that pages of other sites send.
   */
  readonly hasStoredCredentials: boolean;
  readonly acceptEncoding: string | undefined;
  readonly connection: string | undefined;
  /** Whether the request has headers that proxies set, such as `X-Forwarded-For`. */
  readonly isForwarded: boolean;
}

/**
 * The schemes for which browsers ask for a password and store it, or log in with the account of the operating system.
 */
const storedSchemePattern = /^\s*(?:basic|digest|negotiate|ntlm)(?:\s|$)/i;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Reads the headers in one pass. Lines with the same name are joined with commas (RFC 9110 §5.2). */
export function parseHeaders(lines: readonly HeaderLine[]): ParsedHeaders {
  const headers: Writable<ParsedHeaders> = {
    headerBytes: 0,
    hostCount: 0,
    host: undefined,
    transferEncoding: undefined,
    contentType: undefined,
    contentLength: undefined,
    contentEncoding: undefined,
    isCompressed: false,
    soapAction: undefined,
    origin: undefined,
    isCrossSite: false,
    hasCookie: false,
    hasAuthorization: false,
    hasStoredCredentials: false,
    acceptEncoding: undefined,
    connection: undefined,
    isForwarded: false,
  };
  let contentTypeCount = 0;
  for (const [name, value] of lines) {
    // Counts 4 more bytes for ": " and the line break.
    headers.headerBytes += name.length + value.length + 4;
    const lowerCaseName = name.toLowerCase();
    if (lowerCaseName === "content-type") {
      contentTypeCount++;
      headers.contentType = contentTypeCount === 1 ? value : undefined;
    } else {
      addHeader(headers, lowerCaseName, value);
    }
  }
  const coding = headers.contentEncoding?.trim().toLowerCase() ?? "";
  headers.contentEncoding = coding === "" ? undefined : coding;
  headers.isCompressed = coding !== "" && coding !== "identity";
  return headers;
}

function addHeader(headers: Writable<ParsedHeaders>, lowerCaseName: string, value: string): void {
  switch (lowerCaseName) {
    case "host":
      headers.hostCount++;
      headers.host = value;
      break;
    case "origin":
      headers.origin = joinValues(lowerCaseName, headers.origin, value);
      break;
    case "sec-fetch-site":
      headers.isCrossSite = value === "cross-site";
      break;
    case "cookie":
      headers.hasCookie = true;
      break;
    case "soapaction":
      headers.soapAction = joinValues(lowerCaseName, headers.soapAction, value);
      break;
    case "connection":
      headers.connection = joinValues(lowerCaseName, headers.connection, value);
      break;
    case "authorization":
      headers.hasAuthorization = true;
      headers.hasStoredCredentials ||= storedSchemePattern.test(value);
      break;
    case "content-length":
      headers.contentLength = Number(value);
      break;
    case "accept-encoding":
      headers.acceptEncoding = joinValues(lowerCaseName, headers.acceptEncoding, value);
      break;
    case "content-encoding":
      headers.contentEncoding = joinValues(lowerCaseName, headers.contentEncoding, value);
      break;
    case "transfer-encoding":
      if (headers.transferEncoding === undefined || headers.transferEncoding === "chunked") {
        headers.transferEncoding = value.trim().toLowerCase();
      }
      break;
    case "forwarded":
    case "x-forwarded-for":
    case "x-forwarded-host":
    case "x-forwarded-proto":
      headers.isForwarded = true;
      break;
  }
}

/** Returns the header lines by lower-case name. Lines with the same name are joined as by `joinValues`. */
export function createHeaderMap(lines: readonly HeaderLine[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    headers.set(key, joinValues(key, headers.get(key), value));
  }
  return headers;
}

/** Returns the value of a header, with several lines joined as by `joinValues`. `name` is in lower case. */
export function findHeader(lines: readonly HeaderLine[], name: string): string | undefined {
  let joinedValue: string | undefined;
  for (const [key, value] of lines) {
    if (key.length === name.length && key.toLowerCase() === name) {
      joinedValue = joinValues(name, joinedValue, value);
    }
  }
  return joinedValue;
}

/**
 * Joins the values of two lines with the same name with a comma (RFC 9110 §5.2). Cookies are joined with semicolons
 * (RFC 9113 §8.2.3), because browsers send each cookie in a line of its own over HTTP/2. `name` is in lower case.
 */
function joinValues(name: string, earlierValue: string | undefined, value: string): string {
  return earlierValue === undefined ? value : `${earlierValue}${name === "cookie" ? "; " : ", "}${value}`;
}

/** Whether HTTP allows the name and the value of a header (RFC 9110 §5.1, §5.5). */
export function isHeader(name: unknown, value: unknown): boolean {
  return (
    typeof name === "string" &&
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
    (typeof value === "string" || typeof value === "number") &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value))
  );
}

/** Removes the pseudo-headers of HTTP/2. RFC 9113 §8.3.1: `:authority`, if present, replaces the Host header. */
export function omitPseudoHeaders(lines: readonly HeaderLine[]): readonly HeaderLine[] {
  const authority = lines.find(([name]) => name === ":authority");
  const fields = lines.filter(([name]) => !name.startsWith(":"));
  return authority === undefined
    ? fields
    : [["host", authority[1]], ...fields.filter(([name]) => name.toLowerCase() !== "host")];
}
