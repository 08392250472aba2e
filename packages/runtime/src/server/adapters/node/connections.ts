import type { ServerResponse } from "node:http";
import type { Socket, Server as SocketServer } from "node:net";
import type { RequestSource } from "../../../http/server-messages.js";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { LimitError, type ServerLimits } from "../../../server-limits.js";
import { countByAddress, Handshakes } from "./tls.js";

/** The answer on a connection over the limit. */
const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** A request that waits until the earlier requests on its connection are answered. */
export interface WaitingExchange {
  readonly outgoing: ServerResponse;
  /** What is known about the request, for incidents. */
  readonly source: RequestSource;
  /** Starts to answer the request. */
  begin(answerMode: AnswerMode): void;
  /** Called if the request has to wait for earlier requests on its connection. */
  wait(): void;
  /** Called before the server ends the request itself, which it has reported. */
  abort(status: number): void;
  /** Called when the connection is closed by the client, or after a last answer. */
  disconnect(): void;
}

/** How to answer a request: normally, as the last one on its connection, or with 503. */
export type AnswerMode = "next" | "last" | "busy";

/** The requests of one connection. */
interface Progress {
  /** Whether the connection uses HTTP/2. Its session then answers open requests by itself before it closes. */
  readonly isHttp2: boolean;
  /** The client's address; undefined on a Unix socket. */
  readonly address: string | undefined;
  /** The number of requests so far. */
  requestCount: number;
  /** The number of requests at the last check for idle connections, if the connection was idle then. */
  idleRequestCount: number | undefined;
  /** The answer that is being written; if there is none, the last answer. */
  current: ServerResponse | undefined;
  /** The exchange whose answer is `current`. */
  exchange: WaitingExchange | undefined;
  /** Whether the client sent data that is no request, so that the connection closes after the complete requests are answered. */
  isInvalid: boolean;
  /** Functions that begin the waiting requests. */
  readonly waitingRequests: (() => void)[];
  /** The number of bytes that had arrived when the first waiting request began to wait; undefined if no request waits. */
  waitingSince: number | undefined;
  /** Whether the server does not read from the connection, because too many bytes of waiting requests have arrived. */
  isPaused: boolean;
  /** On an HTTP/2 connection, the exchanges whose answers are not completely written. */
  readonly streams: Set<WaitingExchange>;
}

/** The open connections of one server. Limits their number and their requests, and closes them when the server stops. */
export class Connections {
  /** Whether the server is stopping, so that connections do not accept any more requests. */
  draining = false;
  readonly #noKeepAlive: boolean;
  readonly #limit: number;
  readonly #requestLimit: number;
  readonly #onError: OnError | undefined;
  readonly #refusedSockets = new WeakSet<Socket>();
  readonly #open = new Map<Socket, Progress>();
  readonly #sessions = new WeakMap<object, Progress>();
  readonly #handshakes: Handshakes;

  constructor({ connections, requestsPerSocket, keepAliveTimeout }: ServerLimits, onError: OnError | undefined) {
    this.#limit = connections;
    this.#onError = onError;
    this.#requestLimit = requestsPerSocket;
    this.#noKeepAlive = keepAliveTimeout === 0;
    this.#handshakes = new Handshakes(connections, {
      onError,
      reportLimit: () => this.#reportLimit(),
      isDraining: () => this.draining,
    });
  }

  /** Registers the connections of a server: when they open or, with TLS, when their handshake has ended. */
  watch(
    server: SocketServer,
    { tls, http2 }: { readonly tls?: object | undefined; readonly http2?: boolean | undefined },
  ): void {
    server.prependListener(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
      const isHttp2 =
        http2 === true && (tls === undefined || ("alpnProtocol" in socket && socket.alpnProtocol === "h2"));
      const initialProgress = {
        requestCount: 0,
        idleRequestCount: undefined,
        current: undefined,
        exchange: undefined,
        isInvalid: false,
        waitingRequests: [],
        waitingSince: undefined,
        isPaused: false,
        streams: new Set<WaitingExchange>(),
      };
      const progress: Progress = { isHttp2, address: socket.remoteAddress, ...initialProgress };
      this.#open.set(socket, progress);
      socket.once("close", () => {
        if (this.#open.delete(socket)) {
          progress.exchange?.disconnect();
        }
      });
      socket.once("error", (error) => this.#reportSyntax(error, progress));
      if (this.#open.size > this.#limit && !this.#makePlace(progress)) {
        this.#refuse(socket);
      } else if (isHttp2) {
        // Node creates the session while it emits the event of the new connection.
        server.once("session", (session: object) => this.#sessions.set(session, progress));
      }
    });
    server.on("clientError", (error: Error, socket: Socket) => this.#refuseData(error, socket));
    if (tls !== undefined) {
      this.#handshakes.watch(server);
    }
  }

  /**
   * Called when `node:http` cannot read a request. Without this listener, it answers 400 in place of the answer to an earlier
   * request that is complete. Such requests are answered; the connection then closes (RFC 9112 §9.6).
   */
  #refuseData(error: Error, socket: Socket): void {
    const progress = this.#open.get(socket);
    if (progress?.current === undefined || !isComplete(progress)) {
      const hasBegunAnswer = progress !== undefined && isBusy(progress) && progress.current?.headersSent === true;
      if (progress !== undefined && socket.writable && !hasBegunAnswer) {
        socket.write(`HTTP/1.1 ${statusOf(error)}\r\nConnection: close\r\n\r\n`);
      }
      socket.destroy(error);
    } else if (!progress.isInvalid) {
      progress.isInvalid = true;
      this.#reportSyntax(error, progress);
      closeAfterAnswer(socket, progress, progress.current);
    }
  }

  /** Reports requests that `node:http` refuses: requests that are not valid HTTP or do not arrive in time. */
  #reportSyntax(error: Error, progress: Progress): void {
    const { address = "an unknown address", current } = progress;
    const code = "code" in error ? String(error.code) : "";
    if (current?.shouldKeepAlive === false && current.headersSent) {
      // Ignores data after an answer that closes the connection.
      return;
    }
    const reason = code.startsWith("HPE_") ? syntaxProblem(error, code) : undefined;
    if (code === "HPE_INVALID_EOF_STATE" && isBusy(progress)) {
      // The router reports it, with the request.
      return;
    }
    if (code === "HPE_INVALID_EOF_STATE") {
      const message = `The client at ${address} disconnected before its request was complete.`;
      report(this.#onError, { kind: "request", message });
    } else if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
      const cause = "The client or its network is slow, or the client stopped sending.";
      const limits = "The options limits.headersTimeout and limits.requestTimeout set the time.";
      const message = `A request from ${address} did not arrive completely in time. ${cause} ${limits}`;
      report(this.#onError, { kind: "request", message, ...incompleteRequest(progress) });
      abortIncomplete(progress, 408);
    } else if (reason !== undefined) {
      const message = `A request from ${address} is not valid HTTP: ${reason}`;
      report(this.#onError, { kind: "request", message, ...incompleteRequest(progress) });
      abortIncomplete(progress, 400);
    }
  }

  /**
   * Closes a connection to make room for a new one if a single other address has more than half of all connections, so that it
   * cannot block all others. Connections with a complete request stay open. Returns whether a connection was closed.
   */
  #makePlace({ address: newAddress }: Progress): boolean {
    const counts = countByAddress([...this.#open.values()].map(({ address }) => address));
    const [busiestAddress] = [...counts].find(([, count]) => count > this.#open.size / 2) ?? [];
    if (busiestAddress === undefined || busiestAddress === newAddress) {
      return false;
    }
    for (const [socket, progress] of this.#open) {
      if (progress.address === busiestAddress && !isComplete(progress)) {
        this.#reportLimit();
        this.#open.delete(socket);
        socket.destroy();
        return true;
      }
    }
    return false;
  }

  /**
   * Starts an exchange when its turn comes. Requests of one connection are answered one after another, so that none starts after
   * an answer that closes the connection (RFC 9112 §9.6).
   */
  begin(socket: Socket, exchange: WaitingExchange): void {
    const progress = this.#open.get(socket);
    if (progress === undefined || this.#refusedSockets.has(socket) || hasEnded(progress)) {
      return;
    }
    progress.requestCount++;
    if (isBusy(progress)) {
      pauseIfAhead(socket, progress);
    }
    const answerMode = this.#answerModeOf(progress);
    if (answerMode === undefined) {
      return;
    }
    if (!isBusy(progress)) {
      progress.current = exchange.outgoing;
      progress.exchange = exchange;
      exchange.begin(answerMode);
      return;
    }
    exchange.wait();
    progress.waitingRequests.push(() => {
      progress.current = exchange.outgoing;
      progress.exchange = exchange;
      exchange.begin(answerMode);
    });
    if (progress.waitingRequests.length === 1) {
      this.#beginNext(socket, progress);
    }
  }

  /** Registers a request on an HTTP/2 connection. Such requests are answered independently of each other. */
  beginStream(session: object | undefined, exchange: WaitingExchange): void {
    const { outgoing } = exchange;
    const streams = this.#sessions.get(session ?? this)?.streams;
    streams?.add(exchange);
    outgoing.once("close", () => {
      streams?.delete(exchange);
      exchange.disconnect();
    });
  }

  /**
   * Closes the connections of HTTP/1.1 without a request since the previous call. Node's timeout for idle connections starts again with
   * each byte, also with line breaks, which begin no request.
   */
  closeUnused(): void {
    for (const [socket, progress] of this.#open) {
      const isIdle = !progress.isHttp2 && !isBusy(progress);
      if (isIdle && progress.idleRequestCount === progress.requestCount) {
        socket.destroy();
      }
      progress.idleRequestCount = isIdle ? progress.requestCount : undefined;
    }
  }

  /** Closes idle connections. Each other connection closes after its last answer. */
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
      closeAfterAnswer(socket, progress, current);
    }
  }

  /** Closes all connections, and reports the calls that have not ended. */
  destroyAll(drainTimeout: number): void {
    for (const [socket, progress] of this.#open) {
      const { exchange, streams } = progress;
      const answered = isBusy(progress) && exchange !== undefined ? [exchange] : [...streams];
      for (const each of answered) {
        report(this.#onError, {
          kind: "limit.drainTimeout",
          message: `The server stopped after ${drainTimeout} ms, before a call had ended. The option limits.drainTimeout sets this time.`,
          ...each.source,
          limit: { name: "drainTimeout", value: drainTimeout, option: "limits.drainTimeout" },
        });
        each.abort(503);
      }
      this.#open.delete(socket);
      socket.destroy();
    }
  }

  /** Whether no request of the connection is waiting and the connection accepts no more requests. */
  isDrained(socket: Socket): boolean {
    const progress = this.#open.get(socket);
    return (this.draining || progress?.isInvalid === true) && (progress?.waitingRequests.length ?? 0) === 0;
  }

  /** How to answer the next request; undefined if it is ignored because the connection is closing. */
  #answerModeOf({ requestCount }: Progress): AnswerMode | undefined {
    if (requestCount > this.#requestLimit) {
      return requestCount === 1 ? "busy" : undefined;
    }
    return this.draining || this.#noKeepAlive || requestCount === this.#requestLimit ? "last" : "next";
  }

  /** Starts the next waiting exchange once the current answer has been written. */
  #beginNext(socket: Socket, progress: Progress): void {
    progress.current?.once("close", () => {
      const beginExchange = hasEnded(progress) ? undefined : progress.waitingRequests.shift();
      beginExchange?.();
      if (progress.waitingRequests.length > 0) {
        this.#beginNext(socket, progress);
      } else {
        progress.waitingSince = undefined;
        resumeReading(socket, progress);
      }
    });
  }

  #refuse(socket: Socket): void {
    this.#refusedSockets.add(socket);
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

/** The bytes of waiting requests after which the server stops reading from a connection. */
const maxWaitingBytes = 65_536;

/**
 * Stops reading from a connection until its waiting requests have begun. A client could otherwise send requests without end while one
 * of them is answered, and all of them would be kept in memory.
 */
function pauseIfAhead(socket: Socket, progress: Progress): void {
  progress.waitingSince ??= socket.bytesRead;
  if (progress.isPaused || socket.bytesRead - progress.waitingSince <= maxWaitingBytes) {
    return;
  }
  progress.isPaused = true;
  socket.pause();
  // Node resumes a connection after each request that it has read.
  const pauseAgain = () => void (progress.isPaused ? socket.pause() : socket.removeListener("resume", pauseAgain));
  socket.on("resume", pauseAgain);
}

function resumeReading(socket: Socket, progress: Progress): void {
  if (progress.isPaused) {
    progress.isPaused = false;
    socket.resume();
  }
}

/** Returns what is known about the current request if it has not arrived completely. */
function incompleteRequest(progress: Progress): RequestSource {
  return isComplete(progress) || !isBusy(progress) ? {} : (progress.exchange?.source ?? {});
}

/** Aborts the current exchange if its request has not arrived completely. */
function abortIncomplete(progress: Progress, status: 400 | 408): void {
  if (!isComplete(progress)) {
    progress.exchange?.abort(status);
  }
}

/** Closes a connection after an answer, which may already have begun without announcing it, unless other requests wait. */
function closeAfterAnswer(socket: Socket, progress: Progress, answer: ServerResponse): void {
  answer.once("close", () => {
    if (progress.current === answer && progress.waitingRequests.length === 0) {
      socket.end();
    }
  });
}

/** Returns the status line with which `node:http` answers an error by default. */
function statusOf(error: Error): string {
  switch ("code" in error ? error.code : undefined) {
    case "HPE_HEADER_OVERFLOW":
      return "431 Request Header Fields Too Large";
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "413 Payload Too Large";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "408 Request Timeout";
    default:
      return "400 Bad Request";
  }
}

/** Describes a syntax error by the code of `node:http`'s parser, and by its cause if the code does not name it. */
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
    [...progress.streams].some(({ outgoing }) => outgoing.req.complete)
  );
}

function isBusy({ current }: Progress): boolean {
  return current !== undefined && !isAnswerClosed(current);
}

/** Whether the last answer of the connection has been written. */
function hasEnded({ current }: Progress): boolean {
  return current !== undefined && isAnswerClosed(current) && (!current.shouldKeepAlive || !current.writableFinished);
}

/** Whether an answer is closed. In Deno answers have no member `closed`, but they are destroyed when they are closed. */
function isAnswerClosed({ closed, destroyed }: ServerResponse): boolean {
  return closed ?? destroyed;
}
