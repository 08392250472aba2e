import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { busyRefusal, type ServerAnswer } from "../../../http/server-answer.js";
import { parseAddressOfTarget, type RequestSource } from "../../../http/server-request.js";
import { isPromise } from "../../../is-promise.js";
import type { OnError, ServerIncident } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import type { Router } from "../../router.js";
import { getHttp2Stream, isClosed } from "../node-answers.js";
import type { AnswerMode, WaitingExchange } from "./connection-state.js";
import type { Connections } from "./connections.js";
import { NodeRequest } from "./node-request.js";
import { isRefusedByLibrary } from "./refused-heads.js";
import { closeIfEnded, type Expectation, measureUnsent } from "./server.js";
import type { UnreadAnswers } from "./unread-answers.js";
import { type NodeExchange, writeFailure, writeNodeAnswer } from "./write-answer.js";

// Taken when the module is loaded, because test tools such as Jest replace these functions by fakes, which run only on
// demand. An import from `node:process` would load the modules of its streams.
const { nextTick } = process;
const { setImmediate } = globalThis;

/**
 * The number of checks within `readTimeout` that must find that the client has read nothing. The client is disconnected
 * at most one interval between two checks after this time.
 */
const checksOfReading = 20;

/** The parts of a server that its exchanges use. */
export interface ExchangeContext {
  readonly router: Router;
  readonly connections: Connections;
  readonly unreadAnswers: UnreadAnswers;
  readonly onError: OnError | undefined;
  /** Milliseconds after which a client that does not read its answer is disconnected. */
  readonly readTimeout: number;
  readonly isObserved: () => boolean;
}

/**
 * One request and its answer. `receive` schedules the exchange, `takeTurn` is called when the earlier requests on its
 * connection have been answered, and `answer` calls the router. This is a class without closures, because an instance
 * is created for each request.
 */
export class Exchange implements WaitingExchange, NodeExchange {
  readonly request: NodeRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  endInterval: number | undefined;
  readonly #context: ExchangeContext;
  readonly #expectation: Expectation;
  #answerMode: AnswerMode = "normal";
  #readTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: ExchangeContext, incoming: IncomingMessage, outgoing: ServerResponse, expectation: Expectation) {
    this.request = new NodeRequest(incoming, outgoing, {
      expectsContinue: expectation === "continue",
      reportsWritten: true,
    });
    this.#expectation = expectation;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.#context = context;
  }

  receive(): void {
    const { httpVersion, headers } = this.incoming;
    // RFC 9112 §6.1: HTTP/1.0 has no chunked encoding, so a proxy may have assumed a different end of the body. The
    // connection is therefore closed after the answer.
    if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined) {
      this.outgoing.shouldKeepAlive = false;
    }
    // Requests of one HTTP/2 connection are independent of each other, so this one does not wait.
    if (this.incoming.httpVersionMajor >= 2) {
      const stream = getHttp2Stream(this.outgoing);
      stream?.once("aborted", () => this.#reportRefusal(stream));
      this.request.connection = this.#context.connections.addStream(stream?.session, this);
      streamQueue.add(this);
    } else {
      this.#context.connections.schedule(this.incoming.socket, this);
    }
  }

  get source(): RequestSource {
    return this.request.source;
  }

  get operation(): string | undefined {
    return this.request.operation;
  }

  get arrivalTime(): number {
    return this.request.parsedRequest?.usage?.body?.elapsedTime ?? 0;
  }

  get isAnswered(): boolean {
    return this.endInterval !== undefined && this.request.isWritten;
  }

  abort(status: number, incident: ServerIncident): void {
    this.request.abort(status, incident);
  }

  cutOff(incident: ServerIncident): void {
    this.request.report(this.#context.onError, incident);
    if (this.outgoing.headersSent) {
      this.request.disconnectReader();
    } else {
      this.abort(503, incident);
    }
  }

  disconnect(): void {
    this.request.disconnect();
  }

  /** Reports the request if Node's HTTP/2 library has refused it because of a frame after its head. */
  #reportRefusal(stream: ServerHttp2Stream): void {
    if (!isRefusedByLibrary(stream)) {
      return;
    }
    const { source } = this;
    const length = this.incoming.headers["content-length"];
    const trailersProblem = "its trailers contain a header that HTTP/2 does not allow, or do not end the request";
    const cause =
      length === undefined
        ? `Probably, ${trailersProblem}.`
        : `Probably, its Content-Length, ${length}, differs from the length of its body: a proxy may have changed the body. Otherwise, ${trailersProblem}.`;
    const message = `An HTTP/2 request from ${source.remoteAddress ?? "an unknown address"} was closed with PROTOCOL_ERROR before it was complete, and received no answer. ${cause}`;
    const incident: ServerIncident = { kind: "request", message, ...source };
    this.abort(400, incident);
    report(this.#context.onError, incident);
  }

  recordWait(): void {
    if (this.#context.isObserved()) {
      this.request.receivedAt = performance.now();
    }
  }

  /**
   * Answers the request. If the body may have arrived together with the head, waits for the next tick, in which the
   * body can be read without events.
   */
  takeTurn(answerMode: AnswerMode): void {
    this.#answerMode = answerMode;
    // Begins to read, but reads nothing. When the answer has been sent, Node discards the body of a request that nobody
    // has begun to read, even if the body has arrived completely or there is none. This takes 3 % of a call.
    this.incoming.read(0);
    if (answerMode !== "busy" && this.request.mayArriveNow) {
      nextTick(answerExchange, this);
    } else {
      this.answer();
    }
  }

  answer(): void {
    try {
      this.request.readArrivedBody();
      this.request.draining = this.#context.connections.draining;
      const { router } = this.#context;
      const answer =
        this.#answerMode === "busy"
          ? router.refuse(this.request, busyRefusal)
          : (this.#refuseHead() ?? router(this.request));
      if (isPromise(answer)) {
        answer.then((serverAnswer) => this.#write(serverAnswer)).catch((error: unknown) => this.#reportFailure(error));
      } else {
        const writePromise = this.#write(answer);
        writePromise?.catch((error: unknown) => this.#reportFailure(error));
      }
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  #write(answer: ServerAnswer): undefined | Promise<void> {
    if (isClosed(this.outgoing)) {
      endStream(this.outgoing);
      this.request.reportWritten();
      return undefined;
    }
    const isLast = this.#answerMode === "last" || this.#context.connections.isDrained(this.incoming.socket);
    const { router, unreadAnswers } = this.#context;
    const allowedAnswer = unreadAnswers.refuses(answer, this) ? router.refuse(this.request, busyRefusal) : answer;
    const writePromise = writeNodeAnswer(isLast ? { ...allowedAnswer, close: true } : allowedAnswer, this);
    if (writePromise === undefined) {
      this.#onWritten();
      return undefined;
    }
    return unreadAnswers.addCompressing(allowedAnswer, writePromise).then(() => this.#onWritten());
  }

  #onWritten(): void {
    this.endInterval = this.#context.connections.interval;
    this.#limitReading();
    this.request.reportWritten();
  }

  /**
   * Limits the time for which the answer to a client that does not read stays in memory. Only an answer that cannot be
   * sent at once needs a timer. The timeout of Node's socket is not used, because every byte of the client restarts it,
   * Node doubles it if the system accepts the first part of an answer, and over TLS, it does not notice that a client
   * reads.
   */
  #limitReading(): void {
    const { socket } = this.outgoing;
    if (this.incoming.httpVersionMajor < 2 && socket !== null && socket.writableLength > 0) {
      this.#context.unreadAnswers.add(this);
      const stop = watchReading(socket, this.#context.readTimeout, () => this.#expireReading());
      this.outgoing.once("close", stop);
    }
  }

  /**
   * Limits the time within which an HTTP/2 client must receive a part of its answer. Node's own timeouts are not
   * enough, because other frames, such as pings, restart them.
   */
  beginPart(): void {
    if (isClosed(this.outgoing)) {
      return;
    }
    if (this.#readTimer === undefined) {
      this.outgoing.once("close", () => clearTimeout(this.#readTimer));
      this.#context.unreadAnswers.add(this);
    } else {
      this.#context.unreadAnswers.recordReading(this);
    }
    clearTimeout(this.#readTimer);
    const disconnect = () => {
      const session = getHttp2Stream(this.outgoing)?.session;
      if (session !== undefined) {
        closeIfEnded(session, this.#context.onError, () => this.#expireReading());
      }
    };
    this.#readTimer = setTimeout(disconnect, this.#context.readTimeout).unref();
  }

  /**
   * Returns the answer to a request that must be refused because of its head, but is not refused by the router: a
   * request without an HTTP version, as in HTTP/0.9, which node:http accepts; an HTTP/1.1 request without a Host header
   * (RFC 9112 §3.2); or a request with an unknown expectation. Returns undefined for other requests.
   */
  #refuseHead(): ServerAnswer | undefined {
    const { httpVersion, headers } = this.incoming;
    const client = this.request.remoteAddress ?? "an unknown address";
    if (httpVersion === "0.9") {
      return this.#refuse(505, `A request from ${client} has no HTTP version.`);
    }
    if (httpVersion === "1.1" && headers.host === undefined) {
      return this.#refuse(
        400,
        `A request from ${client} has no Host header, which HTTP/1.1 requires: the proxy, the health check or the program that sent it must add one.`,
      );
    }
    return this.#expectation === "unknown"
      ? this.#refuse(
          417,
          `A request from ${client} was refused. The Expect header has a value other than 100-continue.`,
        )
      : undefined;
  }

  #refuse(status: number, message: string): ServerAnswer {
    const { method, target } = this.request;
    const source = status === 505 ? {} : { method, address: parseAddressOfTarget(target) };
    report(this.#context.onError, { kind: "request", message, ...source });
    return { status, headers: [], body: "", close: true };
  }

  /** Disconnects a client that does not read its answer. The caller must report the disconnection. */
  disconnectReader(): void {
    this.request.disconnectReader();
    (getHttp2Stream(this.outgoing) ?? this.incoming.socket).destroy();
  }

  #expireReading(): void {
    if (isClosed(this.outgoing)) {
      return;
    }
    const { readTimeout, onError } = this.#context;
    const message = `The client at ${this.source.remoteAddress ?? "an unknown address"} did not read its answer for ${readTimeout} ms, and was disconnected. To wait longer, increase the option "limits.requestTimeout" of the server.`;
    this.request.report(onError, { kind: "request", message });
    this.disconnectReader();
  }

  #reportFailure(error: unknown): void {
    const message = "The answer cannot be written.";
    this.request.report(this.#context.onError, { kind: "internal", message, error });
    writeFailure(this);
    this.request.reportWritten();
  }
}

/**
 * Calls `onTimeout` when a client has read nothing from a connection for `readTimeout`. Returns a function that ends
 * this.
 */
function watchReading(socket: Socket, readTimeout: number, onTimeout: () => void): () => void {
  let unsentBytes = measureUnsent(socket) ?? 0;
  if (unsentBytes === 0) {
    // The platform is not Node, and does not say how much the client has read.
    socket.setTimeout(readTimeout, onTimeout);
    return () => socket.removeListener("timeout", onTimeout);
  }
  let checkCount = 0;
  const timer = setInterval(() => {
    const bytes = measureUnsent(socket) ?? 0;
    checkCount = bytes === unsentBytes ? checkCount + 1 : 0;
    unsentBytes = bytes;
    if (checkCount === checksOfReading) {
      onTimeout();
    }
  }, readTimeout / checksOfReading).unref();
  return () => clearInterval(timer);
}

function answerExchange(exchange: Exchange): void {
  exchange.answer();
}

/** The time in milliseconds for which requests of HTTP/2 connections are answered before the process reads others. */
const turnDuration = 10;

/**
 * Starts to answer the requests of HTTP/2 connections: one of each connection after the other, for some time in each
 * turn of the event loop. Thousands of requests can arrive together on a few connections. If all of them were answered
 * in one turn, no other request would be read meanwhile.
 */
class StreamQueue {
  /** The waiting exchanges by session, in the order in which the sessions take turns. */
  readonly #waiting = new Map<object | undefined, Exchange[]>();
  /** When this turn of the event loop began to answer requests, by `performance.now()`. */
  #turnBegunAt: number | undefined;

  /** Answers a request after Node has read all frames that arrived together, because one of them may cancel it. */
  add(exchange: Exchange): void {
    const { session } = exchange.request;
    const exchanges = this.#waiting.get(session);
    if (exchanges === undefined) {
      this.#waiting.set(session, [exchange]);
    } else {
      exchanges.push(exchange);
    }
    setImmediate(this.#answerNext);
  }

  readonly #answerNext = (): void => {
    if (this.#isTurnOver()) {
      setImmediate(this.#answerNext);
      return;
    }
    const [[session, exchanges] = []] = this.#waiting;
    const exchange = exchanges?.shift();
    this.#waiting.delete(session);
    if (exchanges !== undefined && exchanges.length > 0) {
      this.#waiting.set(session, exchanges);
    }
    if (exchange !== undefined) {
      answerStream(exchange);
    }
  };

  #isTurnOver(): boolean {
    const now = performance.now();
    if (this.#turnBegunAt === undefined) {
      this.#turnBegunAt = now;
      setImmediate(this.#endTurn);
    }
    return now - this.#turnBegunAt > turnDuration;
  }

  readonly #endTurn = (): void => {
    this.#turnBegunAt = undefined;
  };
}

// Shared by all servers, because they share the event loop.
const streamQueue: StreamQueue = /* @__PURE__ */ new StreamQueue();

/**
 * Answers an HTTP/2 request, unless its client has cancelled it. The answers to hundreds of cancelled requests would
 * use up the memory that Node allows for a connection; Node would then refuse further requests or close the connection.
 */
function answerStream(exchange: Exchange): void {
  if (isClosed(exchange.outgoing)) {
    endStream(exchange.outgoing);
  } else {
    exchange.answer();
  }
}

/**
 * Ends an HTTP/2 stream that its client has closed. This is necessary because Node still waits for an answer if the
 * client closed the stream without an error.
 */
function endStream(outgoing: ServerResponse): void {
  getHttp2Stream(outgoing)?.destroy();
}
