import { connect } from "node:net";

/** The answer that a socket received, and whether the server closed the connection. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** All text received, interim answers included. */
  readonly text: string;
  readonly closed: boolean;
}

/** Sends bytes, and waits until the answer is complete or the server closes the connection. */
export function sendRaw(
  port: number,
  pieces: string | Uint8Array | readonly (string | Uint8Array)[],
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const chunks: Buffer[] = [];
    const hasBody = !String(pieces).startsWith("HEAD ");
    const done = (closed: boolean) => {
      socket.destroy();
      resolve(answerOf(Buffer.concat(chunks).toString("utf8"), closed));
    };
    socket.on("connect", () => {
      for (const piece of typeof pieces === "string" || pieces instanceof Uint8Array ? [pieces] : pieces) {
        socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
      }
    });
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks).toString("latin1"), hasBody)) {
        done(false);
      }
    });
    socket.on("error", () => done(true));
    socket.on("close", () => done(true));
    socket.setTimeout(8_000, () => done(false));
  });
}

const interim = /^(?:HTTP\/1\.1 1\d\d [\s\S]*?\r\n\r\n)+/;

/** Whether an answer is complete. An answer in chunks, which only other platforms send, ends with an empty chunk. */
function isWhole(text: string, hasBody: boolean): boolean {
  const [head = "", ...rest] = text.replace(interim, "").split("\r\n\r\n");
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!hasBody) {
    return rest.length > 0;
  }
  if (/^transfer-encoding: chunked$/im.test(head)) {
    return text.endsWith("\r\n0\r\n\r\n");
  }
  return length !== undefined && rest.join("\r\n\r\n").length >= Number(length);
}

function answerOf(text: string, closed: boolean): RawAnswer {
  const [head = "", ...rest] = text.replace(interim, "").split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest.join("\r\n\r\n"), text, closed };
}
