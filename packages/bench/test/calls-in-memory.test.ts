import { createServer } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { createMemoryCalls } from "../src/hosts/calls-in-memory.js";

const messages = [Buffer.from("GET / HTTP/1.1\r\nHost: h\r\n\r\n")];

test("a call over sockets in memory opens a new one after the server has closed the others", async () => {
  const sockets: Socket[] = [];
  const server = createServer((_request, response) => void response.end("a"));
  server.on("connection", (socket: Socket) => sockets.push(socket));
  const call = createMemoryCalls(server, messages);
  await Promise.all([call(), call()]);
  for (const socket of sockets) {
    socket.destroy();
  }
  await call();
  expect(sockets).toHaveLength(3);
});

test("a call fails if the server closes the socket in memory without an answer", async () => {
  const server = createServer((request) => void request.socket.destroy());
  await expect(createMemoryCalls(server, messages)()).rejects.toThrow("closed the socket before its answer");
});
