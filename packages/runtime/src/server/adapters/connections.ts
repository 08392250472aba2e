import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { report } from "../incidents.js";
import { LimitError, type ServerLimits } from "../limits.js";
import type { OnError } from "../types.js";

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** The requests of one connection: all of them, and those that wait for their answers. */
interface Progress {
  begun: number;
  open: number;
}

/**
 * What becomes of a request: it is answered; it is answered and the connection ends (`last`); it is told to come back;
 * or it is left alone, because the connection is about to end.
 */
export type Turn = "next" | "last" | "busy" | "ignore";

/** The connections of one server: how many there may be, which of them are at work, and whether they may go on. */
export class Connections {
  /** No connection takes another request. */
  draining = false;
  readonly #noKeepAlive: boolean;
  readonly #limit: number;
  readonly #requestLimit: number;
  readonly #onError: OnError | undefined;
  readonly #refused = new WeakSet<Socket>();
  readonly #open = new Map<Socket, Progress>();

  constructor({ connections, requestsPerSocket, keepAliveTimeout }: ServerLimits, onError: OnError | undefined) {
    this.#limit = connections;
    this.#onError = onError;
    this.#requestLimit = requestsPerSocket;
    this.#noKeepAlive = keepAliveTimeout === 0;
  }

  /** Follows the connections of a server; one that speaks TLS has them once they are secure. */
  watch(server: Server, event: "connection" | "secureConnection"): void {
    server.prependListener(event, (socket: Socket) => {
      this.#open.set(socket, { begun: 0, open: 0 });
      socket.once("close", () => this.#open.delete(socket));
      if (this.#open.size > this.#limit) this.#refuse(socket);
    });
  }

  /** A request has come; it ends with its answer. */
  begin(socket: Socket, outgoing: ServerResponse): Turn {
    const progress = this.#open.get(socket);
    if (progress === undefined || this.#refused.has(socket)) return "ignore";
    progress.begun++;
    progress.open++;
    outgoing.once("close", () => {
      progress.open--;
    });
    if (progress.begun > this.#requestLimit) return progress.begun === 1 ? "busy" : "ignore";
    return this.draining || this.#noKeepAlive || progress.begun === this.#requestLimit ? "last" : "next";
  }

  /** Ends the connections that are not at work; the others end with their answers. */
  drain(): void {
    this.draining = true;
    for (const [socket, { open }] of this.#open) if (open === 0) socket.destroy();
  }

  #refuse(socket: Socket): void {
    this.#refused.add(socket);
    const error = new LimitError("connections", this.#limit);
    const limit = { name: "connections", value: this.#limit, option: "limits.connections" };
    report(this.#onError, { kind: "limit.connections", message: error.message, error, limit });
    socket.on("error", () => socket.destroy());
    socket.end(refusal, () => socket.destroy());
  }
}
