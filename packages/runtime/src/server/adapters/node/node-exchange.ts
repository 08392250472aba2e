import type { IncomingMessage, ServerResponse } from "node:http";
import { addressOfTarget, type RequestSource, type ServerAnswer } from "../../../http/server-messages.js";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { isPromise } from "../../call-handler.js";
import { busyAnswer, type Router } from "../../router.js";
import type { AnswerMode, Connections, WaitingExchange } from "./connections.js";
import { type NodeExchange, writeFailure, writeNodeAnswer } from "./node-answer.js";
import { http2StreamOf, isClosed, NodeRequest } from "./node-request.js";

/** The parts of a server that its exchanges use. */
export interface ExchangeHost {
  readonly router: Router;
  readonly connections: Connections;
  readonly onError: OnError | undefined;
  /** Milliseconds after which a client that does not read its answer is disconnected. */
  readonly readTimeout: number;
  readonly isObserved: () => boolean;
}

/**
 * One request and its answer. `receive` schedules it, `takeTurn` is called when the earlier requests on its connection have been
 * answered, and `answer` calls the router. A class and not closures, because an instance is created for each request.
 */
export class Exchange implements WaitingExchange, NodeExchange {
  readonly request: NodeRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  endInterval: number | undefined;
  readonly #host: ExchangeHost;
  #answerMode: AnswerMode = "normal";
  #readTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ExchangeHost, incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue: boolean) {
    this.request = new NodeRequest(incoming, outgoing, { expectsContinue, reportsWritten: true });
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.#host = host;
  }

  receive(): void {
    if (this.incoming.httpVersionMajor < 1) {
      this.#refuseVersion();
      return;
    }
    // Requests of one HTTP/2 connection are independent of each other.
    if (this.incoming.httpVersionMajor >= 2) {
      this.#host.connections.addStream(http2StreamOf(this.outgoing)?.session, this);
      // Waits until all frames that arrived together are read, because the client may have cancelled the request among them.
      setImmediate(answerStream, this);
    } else {
      this.#host.connections.schedule(this.incoming.socket, this);
    }
  }

  get source(): RequestSource {
    return this.request.source;
  }

  abort(status: number): void {
    this.request.abortStatus = status;
  }

  disconnect(): void {
    this.request.disconnect();
  }

  wait(): void {
    if (this.#host.isObserved()) {
      this.request.receivedAt = performance.now();
    }
  }

  /**
   * Answers the request. If the body may have arrived with the head, answers in the next tick: the body can then be read without
   * events.
   */
  takeTurn(answerMode: AnswerMode): void {
    this.#answerMode = answerMode;
    if (answerMode !== "busy" && this.request.mayArriveNow) {
      process.nextTick(answerExchange, this);
    } else {
      this.answer();
    }
  }

  answer(): void {
    try {
      this.request.readArrivedBody();
      this.request.draining = this.#host.connections.draining;
      const answer = this.#answerMode === "busy" ? busyAnswer() : this.#host.router(this.request);
      if (isPromise(answer)) {
        answer.then((serverAnswer) => this.#write(serverAnswer)).catch((error: unknown) => this.#reportFailure(error));
      } else {
        const writing = this.#write(answer);
        writing?.catch((error: unknown) => this.#reportFailure(error));
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
    const isLast = this.#answerMode === "last" || this.#host.connections.isDrained(this.incoming.socket);
    const writing = writeNodeAnswer(isLast ? { ...answer, close: true } : answer, this);
    if (writing === undefined) {
      this.#afterWrite();
      return undefined;
    }
    return writing.then(() => this.#afterWrite());
  }

  #afterWrite(): void {
    const { connections } = this.#host;
    connections.answeredCount += 1;
    this.endInterval = connections.interval;
    this.#limitReading();
    this.request.reportWritten();
  }

  /**
   * Limits the time for which a client that does not read its answer can keep the answer in memory. The timer is set only for such
   * a client: `server.timeout` would reset a timer on each request.
   */
  #limitReading(): void {
    const { socket } = this.outgoing;
    if (this.incoming.httpVersionMajor < 2 && socket !== null && socket.writableLength > 0) {
      const disconnect = () => this.#disconnectReader(socket);
      socket.setTimeout(this.#host.readTimeout, disconnect);
      this.outgoing.once("close", () => socket.removeListener("timeout", disconnect));
    }
  }

  /**
   * Limits the time that an HTTP/2 client may take to receive a part of its answer. Node's own timeouts would not expire, because
   * other frames, such as pings, restart them.
   */
  beginPart(): void {
    if (isClosed(this.outgoing)) {
      return;
    }
    if (this.#readTimer === undefined) {
      this.outgoing.once("close", () => clearTimeout(this.#readTimer));
    }
    clearTimeout(this.#readTimer);
    const disconnect = () => this.#disconnectReader(http2StreamOf(this.outgoing));
    this.#readTimer = setTimeout(disconnect, this.#host.readTimeout).unref();
  }

  /** Refuses a request without an HTTP version, as in HTTP/0.9. Such requests have no headers, but node:http accepts them. */
  #refuseVersion(): void {
    const message = `A request from ${this.request.remoteAddress ?? "an unknown address"} has no HTTP version.`;
    report(this.#host.onError, { kind: "request", message });
    this.outgoing.writeHead(505, { Connection: "close", "Content-Length": 0 }).end();
  }

  #disconnectReader(connection: { destroy(): unknown } | undefined): void {
    const { readTimeout, onError } = this.#host;
    this.request.isUnread = true;
    const { method, target, remoteAddress = "an unknown address" } = this.request;
    const message = `The client at ${remoteAddress} did not read its answer for ${readTimeout} ms, and was disconnected. To wait longer, increase the option "limits.requestTimeout" or "limits.handlerTimeout".`;
    report(onError, { kind: "request", message, method, address: addressOfTarget(target) });
    connection?.destroy();
  }

  #reportFailure(error: unknown): void {
    report(this.#host.onError, { kind: "internal", message: "The answer cannot be written.", error });
    writeFailure(this.outgoing);
    this.request.reportWritten();
  }
}

function answerExchange(exchange: Exchange): void {
  exchange.answer();
}

/**
 * Answers a request over HTTP/2, unless its client has cancelled it. Answers to hundreds of cancelled requests would use up the
 * memory that Node allows for a connection, so that it refuses further requests or closes the connection.
 */
function answerStream(exchange: Exchange): void {
  if (isClosed(exchange.outgoing)) {
    endStream(exchange.outgoing);
  } else {
    exchange.answer();
  }
}

/** Ends a stream of HTTP/2 that its client has closed. Node waits for an answer if the client closed it without an error. */
function endStream(outgoing: ServerResponse): void {
  http2StreamOf(outgoing)?.destroy();
}
