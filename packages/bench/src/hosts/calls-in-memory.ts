import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { Duplex } from "node:stream";
import { messageOf } from "../load.js";
import { requests } from "../payload.js";
import { peerHosts } from "../peers.js";
import type { Hosted } from "./protocol.js";
import { serverHosts } from "./servers.js";

/**
 * Calls of a server over in-memory sockets: the complete server and `node:http`, without the kernel, whose time varies most on a
 * shared machine. The argument contains the names of a server's host and of a request, and the host's argument.
 */
export async function callsInMemory(argument: string): Promise<Hosted> {
  const [host = "", request = "", ...hostArgument] = argument.split(" ");
  const start = { ...serverHosts, ...(await peerHosts()) }[host];
  const sent = Object.entries(requests).find(([name]) => name === request)?.[1];
  if (start === undefined || sent === undefined) {
    throw new Error(`There is no host "${host}" or no request "${request}".`);
  }
  const { port = 0 } = await start(hostArgument.join(" "));
  const server = await serverAt(port);
  const message = messageOf(sent);
  const idle: MemorySocket[] = [];
  return {
    async call() {
      const socket = idle.pop() ?? MemorySocket.connect(server);
      await socket.send(message);
      idle.push(socket);
    },
  };
}

/** The `node:http` server at a port of this process. */
async function serverAt(port: number): Promise<Server> {
  const channel = "http.server.request.start";
  let server: Server | undefined;
  const onRequest = (message: unknown): void => {
    server = (message as { readonly server: Server }).server;
  };
  subscribe(channel, onRequest);
  await fetch(`http://127.0.0.1:${port}/`);
  unsubscribe(channel, onRequest);
  if (server === undefined) {
    throw new Error(`No server of node:http listens at the port ${port}.`);
  }
  return server;
}

/** The server's side of a connection without a kernel. */
class MemorySocket extends Duplex {
  readonly remoteAddress = "127.0.0.1";
  #answered: ((error?: Error) => void) | undefined;

  static connect(server: Server): MemorySocket {
    const socket = new MemorySocket({ decodeStrings: false });
    server.emit("connection", socket);
    return socket;
  }

  /** Sends a request. Resolves when the answer was written, which takes a server one turn of the event loop. */
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

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.#receive(chunk);
    done();
  }

  override _writev(chunks: readonly { readonly chunk: unknown }[], done: () => void): void {
    this.#receive(chunks[0]?.chunk);
    done();
  }

  #receive(first: unknown): void {
    const answered = this.#answered;
    if (answered === undefined) {
      return;
    }
    this.#answered = undefined;
    const start = String(first).slice(0, 60);
    const error = start.startsWith("HTTP/1.1 200") ? undefined : new Error(`The server answers ${start}.`);
    setImmediate(answered, error);
  }
}
