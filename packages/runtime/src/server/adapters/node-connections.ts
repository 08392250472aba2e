import type { ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import type { OnError } from "../../observe/events.js";
import { report } from "../../observe/incidents.js";
import { LimitError, type ServerLimits } from "../../server-limits.js";

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** A request to answer when it is its turn. */
export interface WaitingExchange {
  readonly outgoing: ServerResponse;
  /** Begins to answer the request. */
  begin(turn: Turn): void;
}

/** How to answer a request: normally, as the last of its connection, or with 503. */
export type Turn = "next" | "last" | "busy";

/** The requests of one connection. */
interface Progress {
  /** HTTP/2 has sessions, which end by themselves when they are closed. */
  readonly isHttp2: boolean;
  begun: number;
  /** The answer that is being written, or the last one. */
  current: ServerResponse | undefined;
  readonly waiting: (() => void)[];
}

/** The open connections of one server. Limits their number and their requests, and closes them when the server stops. */
export class Connections {
  /** The server is stopping: connections accept no further requests. */
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
  watch(
    server: Server,
    { tls, http2 }: { readonly tls?: object | undefined; readonly http2?: boolean | undefined },
  ): void {
    server.prependListener(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
      const isHttp2 =
        http2 === true && (tls === undefined || ("alpnProtocol" in socket && socket.alpnProtocol === "h2"));
      this.#open.set(socket, { isHttp2, begun: 0, current: undefined, waiting: [] });
      socket.once("close", () => this.#open.delete(socket));
      if (this.#open.size > this.#limit) {
        this.#refuse(socket);
      }
    });
  }

  /**
   * Begins an exchange when it is its turn. Requests of one connection are answered one after another, so that none
   * is begun after an answer that closes the connection (RFC 9112 §9.6).
   */
  begin(socket: Socket, exchange: WaitingExchange): void {
    const progress = this.#open.get(socket);
    if (progress === undefined || this.#refused.has(socket) || hasEnded(progress)) {
      return;
    }
    progress.begun++;
    const turn = this.#turnOf(progress);
    if (turn === undefined) {
      return;
    }
    if (!isBusy(progress)) {
      progress.current = exchange.outgoing;
      exchange.begin(turn);
      return;
    }
    progress.waiting.push(() => {
      progress.current = exchange.outgoing;
      exchange.begin(turn);
    });
    if (progress.waiting.length === 1) {
      this.#beginNext(progress);
    }
  }

  /** Closes idle connections; the others close after their answers. */
  drain(): void {
    this.draining = true;
    for (const [socket, progress] of this.#open) {
      const { current } = progress;
      if (progress.isHttp2) {
        continue;
      }
      if (current === undefined || !isBusy(progress)) {
        socket.destroy();
        continue;
      }
      // The answer may have been written before, without closing the connection.
      current.once("close", () => {
        if (progress.current === current && progress.waiting.length === 0) {
          socket.end();
        }
      });
    }
  }

  destroyAll(): void {
    for (const socket of this.#open.keys()) {
      socket.destroy();
    }
  }

  /** Whether the server is stopping and no received request waits behind the current one of the connection. */
  isDrained(socket: Socket): boolean {
    return this.draining && (this.#open.get(socket)?.waiting.length ?? 0) === 0;
  }

  /** Undefined if the request is ignored, because the connection is closing. */
  #turnOf({ begun }: Progress): Turn | undefined {
    if (begun > this.#requestLimit) {
      return begun === 1 ? "busy" : undefined;
    }
    return this.draining || this.#noKeepAlive || begun === this.#requestLimit ? "last" : "next";
  }

  /** Begins the next waiting exchange when the current answer has been written. */
  #beginNext(progress: Progress): void {
    progress.current?.once("close", () => {
      const next = hasEnded(progress) ? undefined : progress.waiting.shift();
      next?.();
      if (progress.waiting.length > 0) {
        this.#beginNext(progress);
      }
    });
  }

  #refuse(socket: Socket): void {
    this.#refused.add(socket);
    const error = new LimitError("connections", this.#limit);
    const limit = { name: "connections", value: this.#limit, option: "limits.connections" };
    report(this.#onError, { kind: "limit.connections", message: error.message, error, limit });
    socket.on("error", () => socket.destroy());
    if (this.#open.get(socket)?.isHttp2 === true) {
      socket.destroy();
      return;
    }
    socket.end(refusal, () => socket.destroy());
  }
}

function isBusy({ current }: Progress): boolean {
  return current !== undefined && !isClosed(current);
}

/** Whether the last answer of the connection has been written. */
function hasEnded({ current }: Progress): boolean {
  return current !== undefined && isClosed(current) && (!current.shouldKeepAlive || !current.writableFinished);
}

/** In Deno an answer has no `closed`; there it is destroyed when it is closed. */
function isClosed({ closed, destroyed }: ServerResponse): boolean {
  return closed ?? destroyed;
}
