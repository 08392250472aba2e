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

/** Reads the headers in one pass. Lines with the same name are joined with commas (RFC 9110 §5.2). */
export function parseHeaders(lines: readonly HeaderLine[]): ParsedHeaders {
  let headerBytes = 0;
  let hostCount = 0;
  let host: string | undefined;
  let transferEncoding: string | undefined;
  let contentTypeCount = 0;
  let contentType: string | undefined;
  let contentLength: number | undefined;
  let contentEncoding: string | undefined;
  let soapAction: string | undefined;
  let origin: string | undefined;
  let hasCookie = false;
  let hasAuthorization = false;
  let hasStoredCredentials = false;
  let acceptEncoding: string | undefined;
  let connection: string | undefined;
  let isForwarded = false;
  for (const [name, value] of lines) {
    // Counts 4 more bytes for ": " and the line break.
    headerBytes += name.length + value.length + 4;
    switch (name.toLowerCase()) {
      case "host":
        hostCount++;
        host = value;
        break;
      case "origin":
        origin = joinValues(origin, value);
        break;
      case "cookie":
        hasCookie = true;
        break;
      case "soapaction":
        soapAction = joinValues(soapAction, value);
        break;
      case "connection":
        connection = joinValues(connection, value);
        break;
      case "content-type":
        contentTypeCount++;
        contentType = value;
        break;
      case "authorization":
        hasAuthorization = true;
        hasStoredCredentials ||= storedSchemePattern.test(value);
        break;
      case "content-length":
        contentLength = Number(value);
        break;
      case "accept-encoding":
        acceptEncoding = joinValues(acceptEncoding, value);
        break;
      case "content-encoding":
        contentEncoding = joinValues(contentEncoding, value);
        break;
      case "transfer-encoding":
        if (transferEncoding === undefined || transferEncoding === "chunked") {
          transferEncoding = value.trim().toLowerCase();
        }
        break;
      case "forwarded":
      case "x-forwarded-for":
      case "x-forwarded-host":
      case "x-forwarded-proto":
        isForwarded = true;
        break;
    }
  }
  const coding = contentEncoding?.trim().toLowerCase() ?? "";
  return {
    headerBytes,
    hostCount,
    host,
    transferEncoding,
    contentType: contentTypeCount === 1 ? contentType : undefined,
    contentLength,
    contentEncoding: coding === "" ? undefined : coding,
    isCompressed: coding !== "" && coding !== "identity",
    soapAction,
    origin,
    hasCookie,
    hasAuthorization,
    hasStoredCredentials,
    acceptEncoding,
    connection,
    isForwarded,
  };
}

/** Returns the header lines by lower-case name. Lines with the same name are joined with commas (RFC 9110 §5.2). */
export function createHeaderMap(lines: readonly HeaderLine[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    headers.set(key, joinValues(headers.get(key), value));
  }
  return headers;
}

/** Returns the value of a header, with several lines joined by commas. `name` is in lower case. */
export function findHeader(lines: readonly HeaderLine[], name: string): string | undefined {
  let joinedValue: string | undefined;
  for (const [key, value] of lines) {
    if (key.length === name.length && key.toLowerCase() === name) {
      joinedValue = joinValues(joinedValue, value);
    }
  }
  return joinedValue;
}

function joinValues(earlierValue: string | undefined, value: string): string {
  return earlierValue === undefined ? value : `${earlierValue}, ${value}`;
}
