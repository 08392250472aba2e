import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface LocalServer {
  readonly url: string;
  readonly received: readonly Received[];
  /** Returns the number of open connections. */
  sockets(): number;
}

/** A server on a loopback port, closed when the test ends. It answers when the whole request has arrived. */
export async function localServer(answer: (request: Received, response: ServerResponse) => void): Promise<LocalServer> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("error", () => {});
    message.on("end", () => {
      const request = {
        method: message.method ?? "",
        path: message.url ?? "",
        headers: message.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      received.push(request);
      answer(request, response);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, sockets: () => sockets.size };
}

/** Answers every request in the same way. */
export function always(
  status: number,
  contentType: string | undefined,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): (request: Received, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(status, { ...headers, ...(contentType === undefined ? {} : { "Content-Type": contentType }) });
    response.end(body);
  };
}

/** Returns the error with which a promise rejects. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("The promise was not rejected.");
}

/** A server that writes a body in pieces, with a pause after each. */
export async function pieceServer(
  pieces: readonly (string | Buffer)[],
  { type = "text/xml; charset=utf-8", status = 200, headers = {} } = {},
) {
  let closed = 0;
  const server = await localServer(async (_, out) => {
    out.on("close", () => {
      closed += out.writableFinished ? 0 : 1;
    });
    out.writeHead(status, { "Content-Type": type, ...headers });
    for (const piece of pieces) {
      out.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    out.end();
  });
  return { ...server, closed: () => closed };
}

/** Collects all items of a stream. */
export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}
