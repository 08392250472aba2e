import type { HeaderLine } from "./server-messages.js";

/** The headers that servers need for every request. Undefined is an absent header. */
export interface RequestFacts {
  /** The size of all header lines. */
  readonly headerBytes: number;
  /** The number of `Host` lines, and the last of them. */
  readonly hosts: number;
  readonly host: string | undefined;
  /** In lower case; of several lines the first that is not `chunked`. */
  readonly transferEncoding: string | undefined;
  /** Undefined if there are several lines. */
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  /** The body is compressed. Such requests are refused, because the limit of bytes would not bound them, unless a router accepts them. */
  readonly isCompressed: boolean;
  /** The encoding of a compressed body, in lower case. */
  readonly contentEncoding: string | undefined;
  readonly soapAction: string | undefined;
  readonly origin: string | undefined;
  readonly hasCookie: boolean;
  readonly hasAuthorization: boolean;
  readonly acceptEncoding: string | undefined;
  readonly connection: string | undefined;
}

/**
 * Reads the headers in one pass. Lines with the same name are joined with commas (RFC 9110 §5.2). A name is compared only
 * if its length is that of a header that is read.
 */
export function readRequestFacts(lines: readonly HeaderLine[]): RequestFacts {
  let headerBytes = 0;
  let hosts = 0;
  let host: string | undefined;
  let transferEncoding: string | undefined;
  let contentTypes = 0;
  let contentType: string | undefined;
  let contentLength: number | undefined;
  let contentEncoding: string | undefined;
  let soapAction: string | undefined;
  let origin: string | undefined;
  let hasCookie = false;
  let hasAuthorization = false;
  let acceptEncoding: string | undefined;
  let connection: string | undefined;
  for (const [name, value] of lines) {
    // Each line also has ": " and CRLF.
    headerBytes += name.length + value.length + 4;
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === "host") {
          hosts++;
          host = value;
        }
        break;
      case 6:
        if (name.toLowerCase() === "origin") {
          origin = joined(origin, value);
        } else if (name.toLowerCase() === "cookie") {
          hasCookie = true;
        }
        break;
      case 10:
        if (name.toLowerCase() === "soapaction") {
          soapAction = joined(soapAction, value);
        } else if (name.toLowerCase() === "connection") {
          connection = joined(connection, value);
        }
        break;
      case 12:
        if (name.toLowerCase() === "content-type") {
          contentTypes++;
          contentType = value;
        }
        break;
      case 13:
        if (name.toLowerCase() === "authorization") {
          hasAuthorization = true;
        }
        break;
      case 14:
        if (name.toLowerCase() === "content-length") {
          contentLength = Number(value);
        }
        break;
      case 15:
        if (name.toLowerCase() === "accept-encoding") {
          acceptEncoding = joined(acceptEncoding, value);
        }
        break;
      case 16:
        if (name.toLowerCase() === "content-encoding") {
          contentEncoding = joined(contentEncoding, value);
        }
        break;
      case 17:
        if (
          name.toLowerCase() === "transfer-encoding" &&
          (transferEncoding === undefined || transferEncoding === "chunked")
        ) {
          transferEncoding = value.trim().toLowerCase();
        }
        break;
    }
  }
  const coding = contentEncoding?.trim().toLowerCase() ?? "";
  return {
    headerBytes,
    hosts,
    host,
    transferEncoding,
    contentType: contentTypes === 1 ? contentType : undefined,
    contentLength,
    contentEncoding: coding === "" ? undefined : coding,
    isCompressed: coding !== "" && coding !== "identity",
    soapAction,
    origin,
    hasCookie,
    hasAuthorization,
    acceptEncoding,
    connection,
  };
}

function joined(first: string | undefined, value: string): string {
  return first === undefined ? value : `${first}, ${value}`;
}
