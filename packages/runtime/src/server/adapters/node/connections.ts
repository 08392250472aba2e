import type { ServerResponse } from "node:http";
import type { Socket, Server as SocketServer } from "node:net";
import type { RequestSource } from "../../../http/server-request.js";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { LimitError, type ServerLimits } from "../../../server-limits.js";
import { getNetwork } from "../../trusted-proxies.js";
import { turn } from "./event-loop-turn.js";
import { chooseStatus, describeSyntaxProblem } from "./syntax-problems.js";
import { countBy, Handshakes, type ServerTlsOptions } from "./tls.js";
import { destroyAfterEnd } from "./write-answer.js";

/** The answer on a connection that exceeds the limit of connections. */
const refusalMessage =
  "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** A request that waits until the earlier requests on its connection are answered. */
export interface WaitingExchange {
  readonly outgoing: ServerResponse;
  /** The members of an incident that are copied from the request. */
  readonly source: RequestSource;
  /** The value of `Connections.interval` when the exchange ended; undefined until then. */
  readonly endInterval: number | undefined;
  /** Answers the request, because the earlier requests on its connection have been answered. */
  takeTurn(answerMode: AnswerMode): void;
  /** Called when the request begins to wait for earlier requests on its connection. */
  recordWait(): void;
  /** Called before the server itself ends the request with this status. The server has already reported the reason. */
  abort(status: number): void;
  /** Called when the connection is closed by the client, or after a last answer. */
  disconnect(): void;
}

/** How to answer a request: normally, as the last request on its connection, or with status 503. */
export type AnswerMode = "normal" | "last" | "busy";

/** The state of one connection and of its requests. */
interface ConnectionState {
  /** Whether the connection uses HTTP/2. When such a connection closes, Node first answers its open requests. */
  readonly isHttp2: boolean;
  /** The client's address; undefined on a Unix socket. */
  readonly address: string | undefined;
  /** The key by which clients are counted: the client's address, or only its first half for IPv6. */
  readonly network: string | undefined;
  /** The number of requests received on the connection so far. */
  requestCount: number;
  /** The number of requests at the last check for idle connections. Undefined unless the connection was idle then. */
  idleRequestCount: number | undefined;
  /** The answer that is being written; if there is none, the last answer. */
  currentAnswer: ServerResponse | undefined;
  /** The exchange whose answer is `currentAnswer`. */
  exchange: WaitingExchange | undefined;
  /**
   * Whether the client sent data that is not a valid request. If so, the connection closes when the complete requests
   * before this data have been answered.
   */
  isInvalid: boolean;
  /** Functions that start to answer the waiting requests, in the order of the requests. */
  readonly waitingRequests: (() => void)[];
  /** The number of bytes received when the first waiting request began to wait; undefined if no request waits. */
  bytesAtFirstWait: number | undefined;
  /** Whether the server does not read from the connection, because too many bytes of waiting requests have arrived. */
  isPaused: boolean;
  /** On an HTTP/2 connection, the exchanges whose answers are not completely written. */
  readonly streams: Set<WaitingExchange>;
  /** On an HTTP/2 connection, the exchange that ended last. */
  lastStream: WaitingExchange | undefined;
}

/** The open connections of one server. Limits their number and their requests. Closes them when the server stops. */
export class Connections {
  /** Whether the server is stopping. If so, connections accept no more requests. */
  draining = false;
  /** The number of the current interval. Each check for stalls begins a new interval. */
  interval = 0;
  /** The number of requests whose answers were written. */
  answeredCount = 0;
  /** The number of requests that had not been answered when the server closed their connections. */
  unansweredCount = 0;
  readonly #isKeepAliveOff: boolean;
  readonly #limit: number;
  readonly #requestLimit: number;
  readonly #onError: OnError | undefined;
  readonly #refusedSockets = new WeakSet<Socket>();
  readonly #openConnections = new Map<Socket, ConnectionState>();
  readonly #sessions = new WeakMap<object, ConnectionState>();
  readonly #handshakes: Handshakes;

  constructor({ connections, requestsPerSocket, keepAliveTimeout }: ServerLimits, onError: OnError | undefined) {
    this.#limit = connections;
    this.#onError = onError;
    this.#requestLimit = requestsPerSocket;
    this.#isKeepAliveOff = keepAliveTimeout === 0;
    this.#handshakes = new Handshakes(connections, {
      onError,
      reportLimit: () => this.#reportLimit(),
      isDraining: () => this.draining,
    });
  }

  /** Registers the connections of a server: when they open or, with TLS, when their handshake has ended. */
  watch(
    server: SocketServer,
    { tls, http2 }: { readonly tls?: ServerTlsOptions | undefined; readonly http2?: boolean | undefined },
  ): void {
    server.prependListener(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
      const isHttp2 =
        http2 === true && (tls === undefined || ("alpnProtocol" in socket && socket.alpnProtocol === "h2"));
      const initialState = {
        requestCount: 0,
        idleRequestCount: undefined,
        currentAnswer: undefined,
        exchange: undefined,
        isInvalid: false,
        waitingRequests: [],
        bytesAtFirstWait: undefined,
        isPaused: false,
        streams: new Set<WaitingExchange>(),
        lastStream: undefined,
      };
      const { remoteAddress: address } = socket;
      const network = address === undefined ? undefined : getNetwork(address);
      const state: ConnectionState = { isHttp2, address, network, ...initialState };
      this.#openConnections.set(socket, state);
      socket.once("close", () => {
        if (this.#openConnections.delete(socket)) {
          state.exchange?.disconnect();
        }
      });
      socket.once("error", (error) => this.#reportSyntax(error, state));
      if (this.#openConnections.size > this.#limit && !this.#closeForNewConnection(state)) {
        this.#refuse(socket);
      } else if (isHttp2) {
        // Node creates the HTTP/2 session of a connection while it emits the connection's event, so the next session
        // belongs to this connection.
        server.once("session", (session: object) => this.#sessions.set(session, state));
      }
    });
    server.on("clientError", (error: Error, socket: Socket) => this.#refuseData(error, socket));
    if (tls !== undefined) {
      this.#handshakes.watch(server, tls);
    }
  }

  /**
   * Called when `node:http` cannot read a request. Earlier requests that are complete are answered, then the connection
   * closes (RFC 9112 §9.6). Without this listener, `node:http` would answer 400 in place of an earlier answer.
   */
  #refuseData(error: Error, socket: Socket): void {
    const state = this.#openConnections.get(socket);
    if (state?.currentAnswer === undefined || !isComplete(state)) {
      const hasBegunAnswer = state !== undefined && isBusy(state) && state.currentAnswer?.headersSent === true;
      if (state !== undefined && socket.writable && !hasBegunAnswer) {
        socket.write(`HTTP/1.1 ${chooseStatus(error)}\r\nConnection: close\r\n\r\n`);
      }
      if (
        hasBegunAnswer &&
        state.currentAnswer?.shouldKeepAlive === false &&
        socket.writableLength <= maxWaitingBytes
      ) {
        // The head of this request was enough to refuse it, so the client receives the answer even though the rest of
        // the request is invalid.
        socket.destroySoon();
      } else {
        socket.destroy(error);
      }
    } else if (!state.isInvalid) {
      state.isInvalid = true;
      this.#reportSyntax(error, state);
      closeAfterAnswer(socket, state, state.currentAnswer);
    }
  }

  /** Reports requests that `node:http` refuses: requests that are not valid HTTP or do not arrive in time. */
  #reportSyntax(error: Error, state: ConnectionState): void {
    const { address = "an unknown address", currentAnswer } = state;
    const code = "code" in error ? String(error.code) : "";
    if (currentAnswer?.shouldKeepAlive === false && currentAnswer.headersSent) {
      // The data follows the last answer on the connection, so it is ignored.
      return;
    }
    const reason = code.startsWith("HPE_") ? describeSyntaxProblem(error, code) : undefined;
    if (code === "HPE_INVALID_EOF_STATE" && isBusy(state)) {
      // The router reports this error, because it knows the request.
      return;
    }
    if (code === "HPE_INVALID_EOF_STATE") {
      const message = `The client at ${address} disconnected before its request was complete.`;
      report(this.#onError, { kind: "request", message });
    } else if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
      const message = `A request from ${address} did not arrive completely in time. The client or its network is slow, or it sent less than its Content-Length, or no last chunk. The options "limits.headersTimeout" and "limits.requestTimeout" set the timeouts.`;
      report(this.#onError, { kind: "request", message, ...describeIncompleteRequest(state) });
      abortIncomplete(state, 408);
    } else if (reason !== undefined) {
      const message = `A request from ${address} is not valid HTTP: ${reason}`;
      report(this.#onError, { kind: "request", message, ...describeIncompleteRequest(state) });
      abortIncomplete(state, 400);
    }
  }

  /**
   * Makes room for a new connection: if one other client has more than half of all connections, closes one of them, so
   * that no client can block all others. Connections on which a complete request is being answered stay open. Returns
   * whether a connection was closed.
   */
  #closeForNewConnection({ network: newNetwork }: ConnectionState): boolean {
    const counts = countBy([...this.#openConnections.values()].map(({ network }) => network));
    const [busiestNetwork] = [...counts].find(([, count]) => count > this.#openConnections.size / 2) ?? [];
    if (busiestNetwork === undefined || busiestNetwork === newNetwork) {
      return false;
    }
    for (const [socket, state] of this.#openConnections) {
      if (state.network === busiestNetwork && !isComplete(state)) {
        this.#reportLimit();
        this.#openConnections.delete(socket);
        socket.destroy();
        return true;
      }
    }
    return false;
  }

  /**
   * Calls `takeTurn` of an exchange when all earlier requests on its connection have been answered. Requests are
   * answered one after the other, so that no answer follows an answer that closes the connection (RFC 9112 §9.6).
   */
  schedule(socket: Socket, exchange: WaitingExchange): void {
    const state = this.#openConnections.get(socket);
    if (state === undefined || this.#refusedSockets.has(socket) || hasEnded(state)) {
      return;
    }
    state.requestCount++;
    if (isBusy(state)) {
      pauseIfAhead(socket, state);
    }
    const answerMode = this.#chooseAnswerMode(state);
    if (answerMode === undefined) {
      return;
    }
    if (!isBusy(state) && state.waitingRequests.length === 0) {
      state.currentAnswer = exchange.outgoing;
      state.exchange = exchange;
      exchange.takeTurn(answerMode);
      return;
    }
    exchange.recordWait();
    state.waitingRequests.push(() => {
      state.currentAnswer = exchange.outgoing;
      state.exchange = exchange;
      exchange.takeTurn(answerMode);
    });
    if (state.waitingRequests.length === 1) {
      this.#startNext(socket, state);
    }
  }

  /** Registers a request on an HTTP/2 connection. Such requests are answered independently of each other. */
  addStream(session: object | undefined, exchange: WaitingExchange): void {
    const { outgoing } = exchange;
    const state = this.#sessions.get(session ?? this);
    state?.streams.add(exchange);
    outgoing.once("close", () => {
      if (state !== undefined) {
        state.streams.delete(exchange);
        state.lastStream = exchange;
      }
      exchange.disconnect();
    });
  }

  /** Returns the exchanges that were in progress at any time during the current interval, as far as they are known. */
  listActiveExchanges(): readonly WaitingExchange[] {
    const exchanges: WaitingExchange[] = [];
    for (const state of this.#openConnections.values()) {
      const { exchange, lastStream, streams } = state;
      for (const latest of [exchange, lastStream]) {
        if (latest !== undefined && (latest.endInterval === this.interval || (latest === exchange && isBusy(state)))) {
          exchanges.push(latest);
        }
      }
      exchanges.push(...streams);
    }
    return exchanges;
  }

  /**
   * Closes each HTTP/1.1 connection that has received no request since the previous call. Node's own timeout is not
   * enough, because every byte restarts it, even a line break that does not begin a request.
   */
  closeUnused(): void {
    for (const [socket, state] of this.#openConnections) {
      const isIdle = !state.isHttp2 && !isBusy(state) && state.waitingRequests.length === 0;
      if (isIdle && state.idleRequestCount === state.requestCount) {
        socket.destroy();
      }
      state.idleRequestCount = isIdle ? state.requestCount : undefined;
    }
  }

  /** Closes idle connections. The other connections close after their last answer. */
  drain(): void {
    this.draining = true;
    for (const [socket, state] of this.#openConnections) {
      const { currentAnswer } = state;
      if (state.isHttp2) {
        destroyAfterEnd(socket);
        continue;
      }
      if (currentAnswer === undefined || (!isBusy(state) && state.waitingRequests.length === 0)) {
        socket.destroy();
        continue;
      }
      closeAfterAnswer(socket, state, currentAnswer);
    }
  }

  /** Closes all connections, and reports the calls that have not ended. */
  destroyAll(drainTimeout: number): void {
    for (const [socket, state] of this.#openConnections) {
      const { exchange, streams } = state;
      const answeredExchanges = isBusy(state) && exchange !== undefined ? [exchange] : [...streams];
      this.unansweredCount += answeredExchanges.length;
      for (const exchange of answeredExchanges) {
        const { source, outgoing } = exchange;
        const { remoteAddress = "an unknown address" } = source;
        const reason = outgoing.headersSent
          ? `the client at ${remoteAddress} had received its whole answer: the client does not read, or its network is slow`
          : "a call had ended";
        report(this.#onError, {
          kind: "limit.drainTimeout",
          message: `The server stopped after ${drainTimeout} ms, before ${reason}. To wait longer, increase the option "limits.drainTimeout".`,
          ...source,
          limit: { name: "drainTimeout", value: drainTimeout, option: "limits.drainTimeout" },
        });
        exchange.abort(503);
      }
      this.#openConnections.delete(socket);
      socket.destroy();
    }
  }

  /** Whether no request of the connection is waiting and the connection accepts no more requests. */
  isDrained(socket: Socket): boolean {
    const state = this.#openConnections.get(socket);
    return (this.draining || state?.isInvalid === true) && (state?.waitingRequests.length ?? 0) === 0;
  }

  /** Returns how to answer the newest request; undefined if it is ignored because the connection is closing. */
  #chooseAnswerMode({ requestCount }: ConnectionState): AnswerMode | undefined {
    if (requestCount > this.#requestLimit) {
      return requestCount === 1 ? "busy" : undefined;
    }
    return this.draining || this.#isKeepAliveOff || requestCount === this.#requestLimit ? "last" : "normal";
  }

  /** Calls `takeTurn` of the next waiting exchange when the current answer has been written. */
  #startNext(socket: Socket, state: ConnectionState): void {
    state.currentAnswer?.once("close", () => {
      if (turn.isOver) {
        setImmediate(() => this.#startWaiting(socket, state));
      } else {
        this.#startWaiting(socket, state);
      }
    });
  }

  #startWaiting(socket: Socket, state: ConnectionState): void {
    if (hasEnded(state)) {
      // The connection is closing, so the other requests are not answered.
      state.waitingRequests.length = 0;
    }
    state.waitingRequests.shift()?.();
    if (state.waitingRequests.length > 0) {
      this.#startNext(socket, state);
    } else {
      state.bytesAtFirstWait = undefined;
      resumeReading(socket, state);
    }
  }

  #refuse(socket: Socket): void {
    this.#refusedSockets.add(socket);
    this.#reportLimit();
    socket.on("error", () => socket.destroy());
    if (this.#openConnections.get(socket)?.isHttp2 === true) {
      socket.destroy();
      return;
    }
    socket.end(refusalMessage, () => socket.destroy());
  }

  #reportLimit(): void {
    const error = new LimitError("connections", this.#limit);
    const limit = { name: "connections", value: this.#limit, option: "limits.connections" };
    report(this.#onError, { kind: "limit.connections", message: error.message, error, limit });
  }
}

/** When more bytes of waiting requests than this have arrived on a connection, the server stops reading from it. */
const maxWaitingBytes = 65_536;

/**
 * Stops reading from a connection on which too many bytes of waiting requests have arrived, until these requests have
 * begun. Otherwise, a client could send any number of requests while one is answered, and all of them would be kept in
 * memory.
 */
function pauseIfAhead(socket: Socket, state: ConnectionState): void {
  state.bytesAtFirstWait ??= socket.bytesRead;
  if (state.isPaused || socket.bytesRead - state.bytesAtFirstWait <= maxWaitingBytes) {
    return;
  }
  state.isPaused = true;
  socket.pause();
  // Node resumes the socket after each request that it has parsed, so the socket must be paused again each time.
  const pauseAgain = () => void (state.isPaused ? socket.pause() : socket.removeListener("resume", pauseAgain));
  socket.on("resume", pauseAgain);
}

function resumeReading(socket: Socket, state: ConnectionState): void {
  if (state.isPaused) {
    state.isPaused = false;
    socket.resume();
  }
}

/** Returns the known facts about the current request if it has not arrived completely. */
function describeIncompleteRequest(state: ConnectionState): RequestSource {
  return isComplete(state) || !isBusy(state) ? {} : (state.exchange?.source ?? {});
}

/** Aborts the current exchange if its request has not arrived completely. */
function abortIncomplete(state: ConnectionState, status: 400 | 408): void {
  if (!isComplete(state)) {
    state.exchange?.abort(status);
  }
}

/**
 * Closes a connection when an answer has been written, unless other requests are waiting. The header `Connection:
 * close` is not enough for this, because the answer may have begun without it.
 */
function closeAfterAnswer(socket: Socket, state: ConnectionState, answer: ServerResponse): void {
  answer.once("close", () => {
    if (state.currentAnswer === answer && state.waitingRequests.length === 0) {
      destroyAfterEnd(socket);
      socket.end();
    }
  });
}

/** Whether a complete request is being answered. */
function isComplete(state: ConnectionState): boolean {
  return (
    (isBusy(state) && state.currentAnswer?.req.complete === true) ||
    [...state.streams].some(({ outgoing }) => outgoing.req.complete)
  );
}

function isBusy({ currentAnswer }: ConnectionState): boolean {
  return currentAnswer !== undefined && !isAnswerClosed(currentAnswer);
}

/** Whether the current answer was the last one of the connection, and is closed. */
function hasEnded({ currentAnswer }: ConnectionState): boolean {
  return (
    currentAnswer !== undefined &&
    isAnswerClosed(currentAnswer) &&
    (!currentAnswer.shouldKeepAlive || !currentAnswer.writableFinished)
  );
}

/** Whether an answer is closed. In Deno, answers have no member `closed`, but closed answers are also destroyed. */
function isAnswerClosed({ closed, destroyed }: ServerResponse): boolean {
  return closed ?? destroyed;
}
