import type { Socket, Server as SocketServer } from "node:net";
import { countBy } from "../../../http/ip-addresses.js";
import type { OnError, ServerIncident } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { LimitError, type ServerLimits } from "../../../server-limits.js";
import { RunningClock } from "../../limits/running-clock.js";
import { awaitLateRequest, describeLateRequest, isTimeout } from "./arrival-timeouts.js";
import {
  type AnswerMode,
  abortIncomplete,
  type ClosedConnection,
  type ConnectionState,
  closeAfterAnswer,
  describeOverflow,
  findArriving,
  hasClientLeft,
  hasEnded,
  hasReadFor,
  ignoreRequests,
  isBusy,
  isComplete,
  isUnused,
  type KnownExchange,
  maxWaitingBytes,
  pauseIfAhead,
  releaseAfterAnswer,
  reportIncomplete,
  resumeReading,
  type StartedExchange,
  type WaitingExchange,
} from "./connection-state.js";
import { chooseStatus, createSyntaxIncident } from "./syntax-problems.js";
import { getNetworkOfSocket, Handshakes } from "./tls/handshakes.js";
import type { ServerTlsOptions } from "./tls/shared-types.js";
import { destroyAfterEnd } from "./write-answer.js";

/** The answer on a connection that exceeds the limit of connections. */
const refusalMessage =
  "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/**
 * The maximum number of requests that wait for earlier answers on one connection. The connection answers these, and
 * then closes. Node creates all requests that have arrived together, even if the server no longer reads from the
 * connection: 3,600 in 64 KB, which would take 6 MB.
 */
const maxWaitingOnConnection = 128;
/** The maximum number of requests that wait for earlier answers on all connections of a server together. */
const maxWaitingOnAll = 4_096;

/** The maximum number of exchanges on closed connections that are remembered until the interval ends. */
const maxClosedExchanges = 100;

/** The open connections of one server. Limits their number and their requests. Closes them when the server stops. */
export class Connections {
  /** Whether the server is stopping. If so, connections accept no more requests. */
  draining = false;
  /** The number of requests whose whole answers were written. */
  answeredCount = 0;
  /** The number of requests that had not been answered when the server closed their connections. */
  unansweredCount = 0;
  readonly #isKeepAliveOff: boolean;
  readonly #limit: number;
  readonly #requestLimit: number;
  readonly #limits: ServerLimits;
  readonly #clock: RunningClock;
  readonly #onError: OnError | undefined;
  readonly #refusedSockets = new WeakSet<Socket>();
  readonly #openConnections = new Map<Socket, ConnectionState>();
  readonly #sessions = new WeakMap<object, ConnectionState>();
  readonly #handshakes: Handshakes;
  /** The number of requests that wait for earlier answers on all connections. */
  #waitingCount = 0;
  #interval = 0;
  /** The last exchanges of the connections that were closed during the current interval. */
  #closedExchanges: KnownExchange[] = [];

  constructor(limits: ServerLimits, onError: OnError | undefined) {
    this.#limits = limits;
    this.#limit = limits.connections;
    this.#onError = onError;
    this.#requestLimit = limits.requestsPerSocket;
    this.#clock = new RunningClock(limits.checkInterval);
    this.#isKeepAliveOff = limits.keepAliveTimeout === 0;
    this.#handshakes = new Handshakes(limits.connections, {
      onError,
      reportLimit: (newAddress, closed) => void this.#reportLimit(newAddress, closed),
      isDraining: () => this.draining,
    });
  }

  /** The number of the current interval. Each check for stalls begins a new interval. */
  get interval(): number {
    return this.#interval;
  }

  beginInterval(): void {
    this.#interval += 1;
    this.#closedExchanges = [];
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
        idleChecks: 0,
        currentAnswer: undefined,
        exchange: undefined,
        isInvalid: false,
        waitingRequests: [],
        isFull: false,
        bytesAtFirstWait: undefined,
        isPaused: false,
        resumedAt: Number.NEGATIVE_INFINITY,
        streams: new Set<WaitingExchange>(),
        lastExchange: undefined,
      };
      const identity = { address: socket.remoteAddress, network: getNetworkOfSocket(socket) };
      const state: ConnectionState = { socket, isHttp2, ...identity, ...initialState };
      this.#openConnections.set(socket, state);
      socket.once("close", () => {
        if (this.#openConnections.delete(socket)) {
          state.exchange?.disconnect();
        }
        this.#dropWaiting(state);
        this.#rememberClosed(state);
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
    this.#clock.start(() => {});
    server.once("close", () => this.#clock.stop());
    server.on("clientError", (error: Error, socket: Socket) => {
      if (isTimeout(error)) {
        this.#refuseLateRequest(error, socket);
      } else {
        this.#refuseData(error, socket);
      }
    });
    if (tls !== undefined) {
      this.#handshakes.watch(server, tls);
    }
  }

  /**
   * Called when a request is late. Ignores this if the server has not read from the connection, because other requests
   * waited. Node does not check the request again, but the timeout for its body begins then.
   */
  #refuseLateRequest(error: Error, socket: Socket): void {
    const state = this.#openConnections.get(socket);
    if (state === undefined) {
      this.#refuseData(error, socket);
    } else if (hasReadFor(state, this.#limits.requestTimeout)) {
      const { headersTimeout, requestTimeout } = this.#limits;
      const { requestCount } = state;
      const arriving = findArriving(state);
      awaitLateRequest(this.#clock, {
        timeout: arriving === undefined ? Math.min(headersTimeout, requestTimeout) : requestTimeout,
        arrivalTime: arriving?.arrivalTime ?? 0,
        hasArrived: () => arriving?.outgoing.req.complete ?? state.requestCount > requestCount,
        refuse: () => this.#refuseData(error, socket),
      });
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
    if (code === "HPE_INVALID_EOF_STATE") {
      // During an exchange, the router reports this error, because it knows the request.
      if (!isBusy(state)) {
        const message = `The client at ${address} disconnected before its request was complete.`;
        report(this.#onError, { kind: "request", message });
      }
    } else if (isTimeout(error)) {
      const problem: ServerIncident = { kind: "request", message: describeLateRequest(address) };
      reportIncomplete(this.#onError, state, { status: 408, problem });
    } else if (code.startsWith("HPE_")) {
      const problem = createSyntaxIncident(error, code, { address, headerBytes: this.#limits.headerBytes });
      reportIncomplete(this.#onError, state, { status: 400, problem });
    }
  }

  /**
   * Makes room for a new connection: closes one of the busiest client that has at least twice as many connections as
   * the new client, so that no clients can block the others. Connections on which a complete request is being answered
   * stay open. Returns whether a connection was closed.
   */
  #closeForNewConnection({ address: newAddress, network: newNetwork }: ConnectionState): boolean {
    const acceptedConnections = this.#listAccepted();
    const counts = countBy(acceptedConnections.map(([, { network }]) => network));
    let chosen: readonly [Socket, ConnectionState] | undefined;
    let highestCount = 2 * (counts.get(newNetwork) ?? 1) - 1;
    for (const [socket, state] of acceptedConnections) {
      const count = state.network === undefined ? 0 : (counts.get(state.network) ?? 0);
      if (count > highestCount && !isComplete(state)) {
        chosen = [socket, state];
        highestCount = count;
      }
    }
    if (chosen === undefined) {
      return false;
    }
    abortIncomplete(chosen[1], 503, this.#reportLimit(newAddress, chosen[1]));
    this.#openConnections.delete(chosen[0]);
    chosen[0].destroy();
    return true;
  }

  /**
   * Calls `takeTurn` of an exchange when all earlier requests on its connection have been answered. Requests are
   * answered one after the other, so that no answer follows an answer that closes the connection (RFC 9112 §9.6).
   */
  schedule(socket: Socket, exchange: WaitingExchange): void {
    const state = this.#openConnections.get(socket);
    if (state === undefined || this.#refusedSockets.has(socket) || hasEnded(state)) {
      ignoreRequests(socket);
      return;
    }
    state.requestCount++;
    if (isBusy(state)) {
      pauseIfAhead(socket, state);
    }
    const answerMode = this.#chooseAnswerMode(state);
    if (answerMode === undefined) {
      ignoreRequests(socket);
      return;
    }
    if (!isBusy(state) && state.waitingRequests.length === 0) {
      this.#start(socket, state, { exchange, answerMode });
      return;
    }
    exchange.recordWait();
    state.waitingRequests.push({ exchange, answerMode });
    state.isFull ||= state.waitingRequests.length === maxWaitingOnConnection;
    if (state.waitingRequests.length === 1) {
      this.#startNext(socket, state);
    }
    this.#waitingCount += 1;
    if (this.#waitingCount > maxWaitingOnAll) {
      this.#closeLongestQueue();
    }
  }

  /**
   * Closes the connection with the most waiting requests, because too many wait on all connections. The connection is
   * forgotten at once, so that its other requests do not wait.
   */
  #closeLongestQueue(): void {
    const [longest] = [...this.#openConnections].sort(
      ([, a], [, b]) => b.waitingRequests.length - a.waitingRequests.length,
    );
    if (longest === undefined) {
      return;
    }
    const [socket, state] = longest;
    const { waitingRequests, address = "an unknown address" } = state;
    const message = `The connection from ${address} was closed, because ${waitingRequests.length} requests waited on it for earlier answers, and ${this.#waitingCount} on all connections: the client sends requests without waiting for answers.`;
    const incident: ServerIncident = { kind: "request", message };
    report(this.#onError, incident);
    this.#openConnections.delete(socket);
    this.#dropWaiting(state);
    state.exchange?.abort(503, incident);
    socket.destroy();
  }

  /**
   * Registers a request on an HTTP/2 connection. Such requests are answered independently of each other. Returns the
   * socket of the connection.
   */
  addStream(session: object | undefined, exchange: WaitingExchange): Socket | undefined {
    const { outgoing } = exchange;
    const state = this.#sessions.get(session ?? this);
    state?.streams.add(exchange);
    outgoing.once("close", () => {
      this.#count(exchange);
      if (state !== undefined) {
        state.streams.delete(exchange);
        state.lastExchange = exchange;
      }
      exchange.disconnect();
    });
    return state?.socket;
  }

  #rememberClosed({ exchange, lastExchange }: ConnectionState): void {
    const { operation, endInterval } = exchange ?? lastExchange ?? {};
    if (endInterval === this.#interval && this.#closedExchanges.length < maxClosedExchanges) {
      this.#closedExchanges.push({ operation, endInterval });
    }
  }

  /** Returns the exchanges that were in progress at any time during the current interval, as far as they are known. */
  listActiveExchanges(): readonly KnownExchange[] {
    const exchanges = [...this.#closedExchanges];
    for (const state of this.#openConnections.values()) {
      const { exchange, lastExchange, streams } = state;
      for (const latest of [exchange, lastExchange]) {
        if (latest !== undefined && (latest.endInterval === this.interval || (latest === exchange && isBusy(state)))) {
          exchanges.push(latest);
        }
      }
      exchanges.push(...streams);
    }
    return exchanges;
  }

  /**
   * Closes each HTTP/1.1 connection that has received no request since the previous call, or since `maxChecks` calls if
   * a request may be arriving. Node's own timeout is not enough, because every byte restarts it, even a line break that
   * does not begin a request.
   */
  closeUnused(maxChecks: number): void {
    for (const [socket, state] of this.#openConnections) {
      if (isUnused(socket, state, maxChecks)) {
        socket.destroy();
      }
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
        exchange.cutOff({
          kind: "limit.drainTimeout",
          message: `The server stopped after ${drainTimeout} ms, before ${reason}. To wait longer, increase the option "limits.drainTimeout" of the server.`,
          limit: { name: "drainTimeout", value: drainTimeout, option: "limits.drainTimeout" },
        });
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
  #chooseAnswerMode(state: ConnectionState): AnswerMode | undefined {
    const { requestCount, waitingRequests, isFull } = state;
    if (requestCount > this.#requestLimit) {
      return requestCount === 1 ? "busy" : undefined;
    }
    if (isFull) {
      return undefined;
    }
    const isLast =
      this.draining ||
      this.#isKeepAliveOff ||
      requestCount === this.#requestLimit ||
      waitingRequests.length === maxWaitingOnConnection - 1;
    return isLast ? "last" : "normal";
  }

  /** Begins to answer a request on a connection. */
  #start(socket: Socket, state: ConnectionState, { exchange, answerMode }: StartedExchange): void {
    state.currentAnswer = exchange.outgoing;
    state.exchange = exchange;
    exchange.outgoing.on("close", () => {
      this.#count(exchange);
      releaseAfterAnswer(socket, state, exchange);
    });
    exchange.takeTurn(answerMode);
  }

  /** Counts a request whose answer is closed. */
  #count({ isAnswered }: WaitingExchange): void {
    this.answeredCount += isAnswered ? 1 : 0;
  }

  /** Calls `takeTurn` of the next waiting exchange when the current answer has been written. */
  #startNext(socket: Socket, state: ConnectionState): void {
    state.currentAnswer?.once("close", () => {
      if (hasEnded(state) || hasClientLeft(socket, state)) {
        // The connection is closing, so the other requests are not answered.
        this.#dropWaiting(state);
      }
      const nextRequest = state.waitingRequests.shift();
      if (nextRequest !== undefined) {
        this.#waitingCount -= 1;
        this.#start(socket, state, nextRequest);
      }
      if (state.waitingRequests.length > 0) {
        this.#startNext(socket, state);
      } else {
        state.bytesAtFirstWait = undefined;
        resumeReading(socket, state);
      }
    });
  }

  #dropWaiting({ waitingRequests }: ConnectionState): void {
    this.#waitingCount -= waitingRequests.length;
    waitingRequests.length = 0;
  }

  #refuse(socket: Socket): void {
    this.#refusedSockets.add(socket);
    this.#reportLimit(socket.remoteAddress);
    socket.on("error", () => socket.destroy());
    if (this.#openConnections.get(socket)?.isHttp2 === true) {
      socket.destroy();
      return;
    }
    socket.end(refusalMessage, () => socket.destroy());
  }

  /** Lists the open connections, except those that are being refused. */
  #listAccepted(): readonly (readonly [Socket, ConnectionState])[] {
    return [...this.#openConnections].filter(([socket]) => !this.#refusedSockets.has(socket));
  }

  /** Reports that the limit is reached, with the client that has most connections, because it may leak them. */
  #reportLimit(newAddress: string | undefined, closed?: ClosedConnection): ServerIncident {
    const error = new LimitError("connections", this.#limit);
    const limit = { name: "connections", value: this.#limit, option: "limits.connections" };
    const counts = countBy(this.#listAccepted().map(([, { network }]) => network));
    const [[network, count = 0] = []] = [...counts].sort(([, left], [, right]) => right - left);
    const holder = network === undefined ? "" : ` ${count} of them are from ${network}.`;
    const message = `${error.message}${holder} ${describeOverflow(newAddress, closed)}`;
    const incident: ServerIncident = { kind: "limit.connections", message, rule: error.message, error, limit };
    report(this.#onError, incident);
    return incident;
  }
}
