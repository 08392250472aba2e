import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { Duplex } from "node:stream";
import { getMessage, type LoadRequest } from "../load.js";
import { requests } from "../payload.js";
import { loadPeerHosts } from "../peers.js";
import type { Hosted } from "./protocol.js";
import { serverHosts } from "./servers.js";

/**
 * Calls a server over sockets in memory. This includes the time in `node:http`, but not the time in the kernel, which
 * varies most on a shared machine. The argument contains the name of a server's host, the name of a request, and the
 * host's argument.
 */
export async function hostCallsInMemory(argument: string): Promise<Hosted> {
  const [host = "", request = "", ...hostArgument] = argument.split(" ");
  const start = { ...serverHosts, ...(await loadPeerHosts()) }[host];
  const loadRequest = Object.entries(requests).find(([name]) => name === request)?.[1];
  if (start === undefined || loadRequest === undefined) {
    throw new Error(`"${host}" is not a host, or "${request}" is not a request.`);
  }
  const { port = 0 } = await start(hostArgument.join(" "));
  const server = await createServerAt(port);
  return { call: createMemoryCalls(server, listMessages(loadRequest)) };
}

/** Returns a function that sends one of the messages to a server over a socket in memory, and waits for the answer. */
export function createMemoryCalls(server: Server, messages: readonly Buffer[]): () => Promise<void> {
  let callCount = 0;
  const idleSockets: MemorySocket[] = [];
  return async () => {
    const socket = takeOpenSocket(idleSockets) ?? MemorySocket.connect(server);
    callCount += 1;
    await socket.send(messages[callCount % messages.length] ?? Buffer.alloc(0));
    idleSockets.push(socket);
  };
}

/** Removes and returns a socket that is still open. A server closes unused sockets while other servers are called. */
function takeOpenSocket(sockets: MemorySocket[]): MemorySocket | undefined {
  let socket = sockets.pop();
  while (socket?.destroyed === true) {
    socket = sockets.pop();
  }
  return socket;
}

/** Returns the message of a request, or 10,000 messages if its path contains `{number}`. */
function listMessages(request: LoadRequest): readonly Buffer[] {
  const count = request.path.includes("{number}") ? 10_000 : 1;
  return Array.from({ length: count }, (_, index) =>
    getMessage({ ...request, path: request.path.replace("{number}", String(10_000 + index)) }),
  );
}

/** Returns the `node:http` server that listens on a port in this process. */
async function createServerAt(port: number): Promise<Server> {
  const channel = "http.server.request.start";
  let server: Server | undefined;
  const onRequest = (message: unknown): void => {
    server = (message as { readonly server: Server }).server;
  };
  subscribe(channel, onRequest);
  await fetch(`http://127.0.0.1:${port}/`);
  unsubscribe(channel, onRequest);
  if (server === undefined) {
    throw new Error(`No server of node:http listens on port ${port}.`);
  }
  return server;
}

/** A socket in memory, as a server sees it. */
class MemorySocket extends Duplex {
  readonly remoteAddress = "127.0.0.1";
  #answered: ((error?: Error) => void) | undefined;

  static connect(server: Server): MemorySocket {
    const socket = new MemorySocket({ decodeStrings: false });
    server.emit("connection", socket);
    return socket;
  }

  /**
   * Sends a request. Resolves one turn of the event loop after the server has written the answer; rejects if the server
   * closes the socket first.
   */
  send(message: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answered = (error) => (error === undefined ? resolve() : reject(error));
      this.push(message);
    });
  }

  setTimeout(): this {
    return this;
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#answered?.(error ?? new Error("The server closed the socket before its answer."));
    this.#answered = undefined;
    done(error);
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.#receive(chunk);
    done();
  }

  override _writev(chunks: readonly { readonly chunk: unknown }[], done: () => void): void {
    this.#receive(chunks[0]?.chunk);
    done();
  }

  #receive(chunk: unknown): void {
    const onAnswer = this.#answered;
    if (onAnswer === undefined) {
      return;
    }
    this.#answered = undefined;
    const start = String(chunk).slice(0, 60);
    const error = start.startsWith("HTTP/1.1 200") ? undefined : new Error(`The server answered ${start}.`);
    setImmediate(onAnswer, error);
  }
}
