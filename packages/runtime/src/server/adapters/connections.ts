import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { report } from "../incidents.js";
import { LimitError, type ServerLimits } from "../limits.js";
import type { OnError } from "../types.js";

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** The requests of one connection: their number, whether one is being answered, and those that wait. */
interface Progress {
  begun: number;
  busy: boolean;
  /** The last answer has been written. */
  ended: boolean;
  readonly waiting: (() => void)[];
}

/** How to answer a request: normally, as the last of its connection, or with 503. */
export type Turn = "next" | "last" | "busy";

/** The connections of one server: bounds their number and their requests, and drains them. */
export class Connections {
  /** No connection accepts another request. */
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

  /** Registers the connections of a server; with TLS, once they are secure. */
  watch(server: Server, event: "connection" | "secureConnection"): void {
    server.prependListener(event, (socket: Socket) => {
      this.#open.set(socket, { begun: 0, busy: false, ended: false, waiting: [] });
      socket.once("close", () => this.#open.delete(socket));
      if (this.#open.size > this.#limit) this.#refuse(socket);
    });
  }

  /**
   * Calls `answer` when it is the request's turn. Requests of one connection are answered one after another, so that none
   * is begun after an answer that closes the connection (RFC 9112 §9.6).
   */
  begin(socket: Socket, outgoing: ServerResponse, answer: (turn: Turn) => void): void {
    const progress = this.#open.get(socket);
    if (progress === undefined || progress.ended || this.#refused.has(socket)) return;
    progress.begun++;
    const turn = this.#turnOf(progress);
    if (turn === undefined) return;
    outgoing.once("close", () => this.#answered(progress, outgoing));
    if (progress.busy) progress.waiting.push(() => answer(turn));
    else {
      progress.busy = true;
      answer(turn);
    }
  }

  /** Closes idle connections; the others close after their answers. */
  drain(): void {
    this.draining = true;
    for (const [socket, { busy }] of this.#open) if (!busy) socket.destroy();
  }

  /** Undefined if the request is ignored, because the connection is closing. */
  #turnOf({ begun }: Progress): Turn | undefined {
    if (begun > this.#requestLimit) return begun === 1 ? "busy" : undefined;
    return this.draining || this.#noKeepAlive || begun === this.#requestLimit ? "last" : "next";
  }

  #answered(progress: Progress, outgoing: ServerResponse): void {
    progress.ended ||= !outgoing.shouldKeepAlive || !outgoing.writableFinished;
    const next = progress.ended ? undefined : progress.waiting.shift();
    progress.busy = next !== undefined;
    next?.();
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
