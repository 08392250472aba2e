import type { ServerResponse } from "node:http";
import type { Socket, Server as SocketServer } from "node:net";
import { addressOfTarget } from "../../../http/server-messages.js";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { LimitError, type ServerLimits } from "../../../server-limits.js";

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** A request that is answered when its turn comes. */
export interface WaitingExchange {
  readonly outgoing: ServerResponse;
  /** Starts to answer the request. */
  begin(turn: Turn): void;
  /** Called if other requests of the connection are answered first. */
  wait(): void;
}

/** How to answer a request: normally, as the last of its connection, or with 503. */
export type Turn = "next" | "last" | "busy";

/** The requests of one connection. */
interface Progress {
  /** HTTP/2 sessions end by themselves when they are closed. */
  readonly isHttp2: boolean;
  /** The client's address; undefined on a Unix socket. */
  readonly address: string | undefined;
  begun: number;
  /** The answer that is being written, or the last one. */
  current: ServerResponse | undefined;
  readonly waiting: (() => void)[];
  /** The answers of an HTTP/2 connection that are not written yet. */
  readonly streams: Set<ServerResponse>;
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
  readonly #sessions = new WeakMap<object, Progress>();
  /** The connections whose TLS handshake has not ended, the oldest first. */
  readonly #handshakes = new Map<string | Socket, Socket>();

  constructor({ connections, requestsPerSocket, keepAliveTimeout }: ServerLimits, onError: OnError | undefined) {
    this.#limit = connections;
    this.#onError = onError;
    this.#requestLimit = requestsPerSocket;
    this.#noKeepAlive = keepAliveTimeout === 0;
  }

  /** Registers the connections of a server; with TLS, once they are secure. */
  watch(
    server: SocketServer,
    { tls, http2 }: { readonly tls?: object | undefined; readonly http2?: boolean | undefined },
  ): void {
    server.prependListener(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
      const isHttp2 =
        http2 === true && (tls === undefined || ("alpnProtocol" in socket && socket.alpnProtocol === "h2"));
      const state = { begun: 0, current: undefined, waiting: [], streams: new Set<ServerResponse>() };
      const progress: Progress = { isHttp2, address: socket.remoteAddress, ...state };
      this.#open.set(socket, progress);
      socket.once("close", () => this.#open.delete(socket));
      socket.once("error", (error) => this.#reportSyntax(error, progress));
      if (this.#open.size > this.#limit && !this.#makePlace(progress)) {
        this.#refuse(socket);
      } else if (isHttp2) {
        // Node creates the session of a connection during the event of the connection.
        server.once("session", (session: object) => this.#sessions.set(session, progress));
      }
    });
    if (tls !== undefined) {
      server.prependListener("connection", (socket: Socket) => this.#limitHandshakes(socket));
      server.on("secureConnection", (socket: Socket) => void this.#handshakes.delete(handshakeKey(socket)));
      server.on("tlsClientError", (error: Error, socket: Socket) => this.#reportHandshake(error, socket));
    }
  }

  /**
   * Connections with TLS count when they are secure. Until then they have the same limit, at which the oldest one of the address
   * that has most is closed.
   */
  #limitHandshakes(socket: Socket): void {
    const key = handshakeKey(socket);
    this.#handshakes.set(key, socket);
    socket.once("close", () => {
      if (this.#handshakes.get(key) === socket) {
        this.#handshakes.delete(key);
      }
    });
    if (this.#handshakes.size > this.#limit) {
      this.#reportLimit();
      this.#closeHandshake();
    }
  }

  #closeHandshake(): void {
    const counts = countByAddress([...this.#handshakes.values()].map(({ remoteAddress }) => remoteAddress));
    const [[address] = []] = [...counts].sort(([, a], [, b]) => b - a);
    for (const [key, socket] of this.#handshakes) {
      if (socket.remoteAddress === address) {
        this.#handshakes.delete(key);
        socket.destroy();
        return;
      }
    }
  }

  /** Reports requests that `node:http` refuses: those that are not valid HTTP, or that do not arrive in time. */
  #reportSyntax(error: Error, { address = "an unknown address", current }: Progress): void {
    const code = "code" in error ? String(error.code) : "";
    if (current?.shouldKeepAlive === false) {
      // Ignores data after an answer that closes the connection.
      return;
    }
    const reason = code.startsWith("HPE_") ? syntaxProblem(error, code) : undefined;
    if (code === "HPE_INVALID_EOF_STATE") {
      const message = `The client at ${address} disconnected before its request was complete.`;
      report(this.#onError, { kind: "request", message });
    } else if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
      const limits = "The options limits.headersTimeout and limits.requestTimeout set it.";
      const message = `A request of ${address} did not arrive in time. ${limits}`;
      report(this.#onError, { kind: "request", message });
    } else if (reason !== undefined) {
      report(this.#onError, { kind: "request", message: `A request of ${address} is not valid HTTP: ${reason}` });
    }
  }

  /**
   * Closes a connection of the address that has more than half of all connections, if the new connection has another address: a
   * single address must not block all others. Connections with a complete request stay open.
   */
  #makePlace({ address: newAddress }: Progress): boolean {
    const counts = countByAddress([...this.#open.values()].map(({ address }) => address));
    const [most] = [...counts].find(([, count]) => count > this.#open.size / 2) ?? [];
    if (most === undefined || most === newAddress) {
      return false;
    }
    for (const [socket, progress] of this.#open) {
      if (progress.address === most && !isComplete(progress)) {
        this.#reportLimit();
        this.#open.delete(socket);
        socket.destroy();
        return true;
      }
    }
    return false;
  }

  /**
   * Reports clients that do not use TLS, use an unsupported version, or reject the certificate. Clients that only disconnect are
   * not reported.
   */
  #reportHandshake(error: Error, { remoteAddress = "an unknown address" }: Socket): void {
    const code = "code" in error ? String(error.code) : error.name;
    if (code !== "ECONNRESET") {
      const message = `A TLS connection of ${remoteAddress} failed: ${code}.`;
      report(this.#onError, { kind: "tls", message });
    }
  }

  /**
   * Starts an exchange when its turn comes. Requests of one connection are answered one after another, so that none starts after
   * an answer that closes the connection (RFC 9112 §9.6).
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
    exchange.wait();
    progress.waiting.push(() => {
      progress.current = exchange.outgoing;
      exchange.begin(turn);
    });
    if (progress.waiting.length === 1) {
      this.#beginNext(progress);
    }
  }

  /** Registers a request of an HTTP/2 connection, which is answered independently of the others. */
  beginStream(session: object | undefined, outgoing: ServerResponse): void {
    const streams = this.#sessions.get(session ?? this)?.streams;
    streams?.add(outgoing);
    outgoing.once("close", () => streams?.delete(outgoing));
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
      // The answer may already have been written without closing the connection.
      current.once("close", () => {
        if (progress.current === current && progress.waiting.length === 0) {
          socket.end();
        }
      });
    }
  }

  /** Closes all connections. Reports those with incomplete answers. */
  destroyAll(drainTimeout: number): void {
    for (const [socket, progress] of this.#open) {
      if (isBusy(progress)) {
        const { method, url = "" } = progress.current?.req ?? {};
        report(this.#onError, {
          kind: "limit.drainTimeout",
          message: `The server stopped before a call had ended, after drainTimeout = ${drainTimeout}. The option limits.drainTimeout sets it.`,
          method,
          address: addressOfTarget(url),
          limit: { name: "drainTimeout", value: drainTimeout, option: "limits.drainTimeout" },
        });
      }
      socket.destroy();
    }
  }

  /** Whether the server is stopping and the connection has no more received requests waiting. */
  isDrained(socket: Socket): boolean {
    return this.draining && (this.#open.get(socket)?.waiting.length ?? 0) === 0;
  }

  /** Undefined if the request is ignored because the connection is closing. */
  #turnOf({ begun }: Progress): Turn | undefined {
    if (begun > this.#requestLimit) {
      return begun === 1 ? "busy" : undefined;
    }
    return this.draining || this.#noKeepAlive || begun === this.#requestLimit ? "last" : "next";
  }

  /** Starts the next waiting exchange once the current answer has been written. */
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
    this.#reportLimit();
    socket.on("error", () => socket.destroy());
    if (this.#open.get(socket)?.isHttp2 === true) {
      socket.destroy();
      return;
    }
    socket.end(refusal, () => socket.destroy());
  }

  #reportLimit(): void {
    const error = new LimitError("connections", this.#limit);
    const limit = { name: "connections", value: this.#limit, option: "limits.connections" };
    report(this.#onError, { kind: "limit.connections", message: error.message, error, limit });
  }
}

/**
 * Identifies a TLS handshake by the socket of its connection, and by the secure socket on top of that: both have the client's
 * address and port. On a Unix socket, which has neither, Node's undocumented `_parent` is the socket of the connection.
 */
function handshakeKey(socket: Socket & { readonly _parent?: Socket | null }): string | Socket {
  const { remoteAddress, remotePort } = socket;
  return remotePort === undefined ? (socket._parent ?? socket) : `${remoteAddress} ${remotePort}`;
}

/** The number of connections by the client's address; undefined for those of a Unix socket. */
function countByAddress(addresses: readonly (string | undefined)[]): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (const address of addresses) {
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return counts;
}

/** The error code of `node:http`'s parser, with the cause if the code does not describe it. */
function syntaxProblem(error: Error, code: string): string {
  if (code === "HPE_HEADER_OVERFLOW") {
    return `${code}. The headers are longer than the option limits.headerBytes allows.`;
  }
  // RFC 8446 §5.1: a record of a TLS handshake begins with 22.
  const isTls = "rawPacket" in error && error.rawPacket instanceof Uint8Array && error.rawPacket[0] === 22;
  return isTls ? `${code}. The client speaks TLS, but the server has no option tls.` : `${code}.`;
}

/** Whether a complete request is being answered. */
function isComplete(progress: Progress): boolean {
  return (
    (isBusy(progress) && progress.current?.req.complete === true) ||
    [...progress.streams].some(({ req }) => req.complete)
  );
}

function isBusy({ current }: Progress): boolean {
  return current !== undefined && !isClosed(current);
}

/** Whether the last answer of the connection has been written. */
function hasEnded({ current }: Progress): boolean {
  return current !== undefined && isClosed(current) && (!current.shouldKeepAlive || !current.writableFinished);
}

/** In Deno an answer has no `closed`; it is destroyed when it is closed. */
function isClosed({ closed, destroyed }: ServerResponse): boolean {
  return closed ?? destroyed;
}
