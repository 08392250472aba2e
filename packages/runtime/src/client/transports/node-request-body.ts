import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { TransportRequest } from "../transport.js";

/**
 * Returns the body if Node can write it as a string; otherwise undefined. With a string body, Node writes the headers
 * in UTF-8, too, so they must be ASCII. With a body of bytes, Node writes the headers in Latin-1, as HTTP requires.
 */
export function getText({ body, headers, onUploadProgress }: TransportRequest): string | undefined {
  return typeof body === "string" && onUploadProgress === undefined && areAscii(headers) ? body : undefined;
}

/**
 * Sends a string as the body. On an open connection, sends head and body with one write, which saves 1.5 µs of 37 µs:
 * `end(text)` would also write an empty string, with `writev`.
 */
export function sendText(nodeRequest: ClientRequest, socket: Socket, text: string): void {
  if (socket.connecting || text === "") {
    nodeRequest.end(text);
    return;
  }
  nodeRequest.write(text);
  socket.uncork();
  nodeRequest.end();
}

export function sendBody(nodeRequest: ClientRequest, { body, onUploadProgress }: TransportRequest): void {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (onUploadProgress !== undefined && bytes !== undefined) {
    sendParts(nodeRequest, bytes, onUploadProgress);
  } else {
    nodeRequest.end(bytes);
  }
}

/** The number of bytes written between two progress reports. */
const bytesPerReport = 65_536;

/** Writes a body in parts. Each part is written after the system has accepted the previous part. */
function sendParts(nodeRequest: ClientRequest, body: Uint8Array, report: (sentBytes: number) => void): void {
  let sentBytes = 0;
  const sendNext = (): void => {
    if (sentBytes === body.length) {
      nodeRequest.end();
      return;
    }
    const chunk = body.subarray(sentBytes, sentBytes + bytesPerReport);
    nodeRequest.write(chunk, (error) => {
      // If writing failed, the event "error" reports the error.
      if (error === null || error === undefined) {
        sentBytes += chunk.length;
        report(sentBytes);
        sendNext();
      }
    });
  };
  sendNext();
}

function areAscii(headers: TransportRequest["headers"]): boolean {
  return Object.keys(headers).every((name) => asciiPattern.test(headers[name] ?? ""));
}

const asciiPattern = /^[\t\x20-\x7e]*$/;
