import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { report } from "../incidents.js";
import { LimitError, type ServerLimits } from "../limits.js";
import type { OnError } from "../types.js";

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** The requests of one connection: how many there were, whether one is being answered, and those that wait for it. */
interface Progress {
  begun: number;
  busy: boolean;
  /** Its last answer is given. */
  ended: boolean;
  readonly waiting: (() => void)[];
}

/** How a request is answered: as it is; as the last of its connection; or by being told to come back. */
export type Turn = "next" | "last" | "busy";

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
      this.#open.set(socket, { begun: 0, busy: false, ended: false, waiting: [] });
      socket.once("close", () => this.#open.delete(socket));
      if (this.#open.size > this.#limit) this.#refuse(socket);
    });
  }

  /**
   * A request has come: `answer` is called when it is to be answered. Requests of one connection are answered one after
   * another, so that none is begun behind an answer that ends the connection (RFC 9112 §9.6).
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

  /** Ends the connections that are not at work; the others end with their answers. */
  drain(): void {
    this.draining = true;
    for (const [socket, { busy }] of this.#open) if (!busy) socket.destroy();
  }

  /** Undefined: nothing becomes of the request, since the connection is about to end. */
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
