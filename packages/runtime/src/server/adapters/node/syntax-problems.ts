import { isBytes } from "../../../http/bytes.js";
import type { ServerIncident } from "../../../observe/events.js";
import { createLimitIncident } from "../../../observe/incidents.js";
import { LimitError } from "../../../server-limits.js";

/** Returns the status and reason phrase with which `node:http` answers an error by default. */
export function chooseStatus(error: Error): string {
  switch ("code" in error ? error.code : undefined) {
    case "HPE_HEADER_OVERFLOW":
      return "431 Request Header Fields Too Large";
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "413 Payload Too Large";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "408 Request Timeout";
    default:
      return "400 Bad Request";
  }
}

/** Returns the incident for a request that the parser of `node:http` refused with an error code. */
export function createSyntaxIncident(
  error: Error,
  code: string,
  { address, headerBytes }: { readonly address: string; readonly headerBytes: number },
): ServerIncident {
  const limit =
    code === "HPE_HEADER_OVERFLOW" ? createLimitIncident(new LimitError("headerBytes", headerBytes)) : undefined;
  return limit === undefined
    ? { kind: "request", message: `A request from ${address} is not valid HTTP: ${describeSyntaxProblem(error, code)}` }
    : { ...limit, message: `A request from ${address} was refused: ${code}. ${limit.message}` };
}

/** Describes a syntax error: the code of `node:http`'s parser, and the cause if the code does not name it. */
export function describeSyntaxProblem(error: Error, code: string): string {
  const packet = "rawPacket" in error && isBytes(error.rawPacket) ? error.rawPacket : new Uint8Array();
  const start = String.fromCharCode(...packet.subarray(0, 12));
  // RFC 8446 §5.1: the first byte of a TLS handshake is 22, so the client sends TLS to a server without TLS.
  if (start.startsWith("\x16")) {
    return `${code}. The client uses TLS, but the option "tls" of the server is not set.`;
  }
  if (start.startsWith("PROXY ") || start === "\r\n\r\n\0\r\nQUIT\n") {
    return `${code}. A load balancer sends the PROXY protocol, which the server does not support. Turn this protocol off: headers such as X-Forwarded-For and the option "trustedProxies" replace it.`;
  }
  if (code === "HPE_PAUSED_H2_UPGRADE") {
    return `${code}. The client or a proxy uses HTTP/2 without TLS. Configure HTTP/1.1 there, or set the option "http2".`;
  }
  const meaning = problems[code];
  if (meaning !== undefined) {
    return `${code}. ${meaning}`;
  }
  return /CONTENT_LENGTH|TRANSFER_ENCODING/.test(code)
    ? `${code}. Content-Length or Transfer-Encoding is repeated or not valid, or the request has both: a proxy may have added one.`
    : `${code}. Node's parser says: ${"reason" in error ? String(error.reason) : error.message}.`;
}

const lineEnds = "A line does not end with a carriage return and a line feed.";

/** The causes of errors by their codes. */
const problems: Readonly<Record<string, string>> = {
  HPE_INVALID_CONSTANT: "The first line is not valid: the address may contain a space, which must be sent as %20.",
  HPE_INVALID_VERSION:
    "The first line of a request must end with HTTP/1.1 or HTTP/1.0, a carriage return and a line feed.",
  HPE_INVALID_METHOD:
    "It does not begin with a method of HTTP in upper case: the client may use another protocol. If these bytes end a body, the Content-Length of the request before was too small.",
  HPE_INVALID_URL:
    "Its address contains a character that HTTP does not allow: the client must encode it, such as %C3%A9 for é.",
  HPE_INVALID_HEADER_TOKEN:
    "A header is not valid: it has no colon, a space in its name, a control character, or continues on the next line.",
  HPE_LF_EXPECTED: lineEnds,
  HPE_CR_EXPECTED: lineEnds,
  HPE_STRICT:
    "A chunk of the body is longer than its length says, or a line does not end with a carriage return and a line feed.",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The extensions of the chunks are longer than Node accepts.",
  HPE_CLOSED_CONNECTION: "The client sent data after a request that was to be the last (Connection: close).",
  // Deno has only this code for all errors that its parser finds.
  HPE_ERROR:
    "The first line or a header is not valid. The client may use another protocol, a header may have a space in its name or be repeated although it must not be, or a proxy may have changed the request.",
  HPE_INVALID_CHUNK_SIZE:
    "A chunk of the body does not begin with its length: the body may not be divided into chunks, although Transfer-Encoding says so.",
};
