import { connect, type Socket } from "node:net";

export interface LoadRequest {
  readonly port: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const connections = 50;

/**
 * Sends a request many times, 50 at a time over as many connections. An answer other than 200 is an error. It speaks just
 * enough HTTP to be faster than any Node server, so that the server is always busy.
 */
export async function load(count: number, request: LoadRequest): Promise<void> {
  const message = messageOf(request);
  const each = Math.ceil(count / connections);
  await Promise.all(Array.from({ length: connections }, () => send(each, message, request.port ?? 0)));
}

function messageOf({ method, path, headers, body = "" }: LoadRequest): Buffer {
  const lines = Object.entries({ Host: "127.0.0.1", "Content-Length": Buffer.byteLength(body), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

function send(count: number, message: Buffer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1");
    let left = count;
    let missing = 0;
    socket.on("error", reject);
    socket.on("connect", () => socket.write(message));
    socket.on("data", (chunk) => {
      if (missing === 0) {
        missing = answerLength(chunk) ?? Number.NaN;
      }
      if (Number.isNaN(missing)) {
        return socket.destroy(new Error(`The server answers ${chunk.toString("latin1", 0, 60)}.`));
      }
      missing -= chunk.length;
      if (missing > 0) {
        return;
      }
      left -= 1;
      if (left > 0) {
        socket.write(message);
      } else {
        socket.destroy();
        resolve();
      }
    });
  });
}

/** The length of an answer whose head is in its first chunk; undefined if it is not a successful answer. */
function answerLength(chunk: Buffer): number | undefined {
  const end = chunk.indexOf("\r\n\r\n");
  const head = chunk.toString("latin1", 0, Math.max(end, 0));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 200") || length === undefined) {
    return undefined;
  }
  return end + 4 + Number(length);
}
