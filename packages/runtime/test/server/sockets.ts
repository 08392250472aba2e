import { connect, type Socket } from "node:net";
import { afterEach, onTestFinished } from "vitest";
import { type ListenOptions, listen, type RunningServer } from "../../src/server/adapters/node/listen.js";
import type { Routes, ServerIncident } from "../../src/server/index.js";

const running: RunningServer[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.destroy();
  }
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A server that stops after the test, and the incidents that it reported. */
export async function listening(routes: readonly Routes[], limits: ListenOptions["limits"] = {}) {
  const incidents: ServerIncident[] = [];
  const server = await listen(routes, {
    host: "127.0.0.1",
    limits: { drainTimeout: 200, ...limits },
    onError: (incident) => incidents.push(incident),
  });
  running.push(server);
  return { ...server, incidents };
}

/** Starts a server on 127.0.0.1, or on the socket of the option `path`. It stops after the test. */
export async function startServer(routes: readonly Routes[], options: ListenOptions): Promise<RunningServer> {
  const server = await listen(routes, options.path === undefined ? { host: "127.0.0.1", ...options } : options);
  onTestFinished(async () => void (await server.close()));
  return server;
}

/** A raw connection, and all that it received until it was closed. */
export function raw(port: number): {
  socket: Socket;
  send(text: string): void;
  all: Promise<string>;
  until(text: string): Promise<string>;
} {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.on("error", () => {});
  return {
    socket,
    send: (text) => socket.write(text, "latin1"),
    all: new Promise((resolve) => socket.once("close", () => resolve(received))),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (received.includes(text)) {
            resolve(received);
          }
        };
        look();
        socket.on("data", look);
        socket.once("close", () => reject(new Error(`The connection ended: ${received}`)));
      }),
  };
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}
