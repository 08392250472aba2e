import type { ServerResponse } from "node:http";
import type { ServerAnswer } from "../../../http/server-answer.js";
import type { RequestSource, ServerRequest } from "../../../http/server-request.js";
import type { OnError } from "../../../observe/events.js";
import { createLimitIncident } from "../../../observe/incidents.js";
import { RepeatedProblem, RepeatedReports } from "../../../observe/repeated-incidents.js";
import { LimitError } from "../../../server-limits.js";
import { NodeRequest } from "./node-request.js";

/** A request with an answer that its client may not receive. */
interface AnsweredExchange {
  readonly request: NodeRequest;
  readonly outgoing: ServerResponse;
  /** The members of an incident that are copied from the request. */
  readonly source: RequestSource;
  /** Disconnects the client. */
  disconnectReader(): void;
}

/** An answer that its client has not received completely. */
interface UnreadAnswer {
  readonly bytes: number;
  /** The instant at which the answer was written, by `performance.now()`. */
  readonly writtenAt: number;
  readonly exchange: AnsweredExchange;
  /** The HTTP/2 connection of the answer; undefined over HTTP/1.1. */
  readonly connection: UnreadConnection | undefined;
}

/** The answers on one HTTP/2 connection that its client has not received completely. */
interface UnreadConnection {
  bytes: number;
  /**
   * The instant of the first answer after the client last received a part of any answer, by `performance.now()`.
   * Undefined if there is no such answer: the unread answers alone do not show that the client reads nothing, because a
   * proxy sends the requests of many users on one connection, and only some of them may have stopped reading.
   */
  silentSince: number | undefined;
}

/** The time in milliseconds that each client has to receive its answer, even if the limit `unreadBytes` is exceeded. */
const minReadingTime = 1_000;

/** The size in bytes above which an answer is not written while the limit `unreadBytes` is exceeded. */
const smallAnswerBytes = 65_536;

/** The part of the limit `unreadBytes` from which a connection whose client reads nothing gets no further answers. */
const connectionShare = 1 / 16;

/**
 * Limits the memory that one server uses for answers until clients have received them. If the limit is exceeded, slow
 * clients are disconnected. It would not be enough to refuse new clients, because a few clients that never read could
 * keep out all others. A single answer may exceed the limit.
 *
 * Handlers that were already running when the limit was exceeded may still return large answers, which are replaced by
 * 503: 250 answers of 8 MB that are ready at the same time would take 2 GB.
 */
export class UnreadAnswers {
  readonly #limit: number;
  readonly #onError: OnError | undefined;
  readonly #answers = new Set<UnreadAnswer>();
  readonly #connections = new WeakMap<object, UnreadConnection>();
  readonly #reports = new RepeatedReports();
  #bytes = 0;
  #compressingCount = 0;
  #hasHttp2 = false;

  constructor(limit: number, onError: OnError | undefined) {
    this.#limit = limit;
    this.#onError = onError;
  }

  /**
   * Returns the limit that a new request exceeds, if any: because the limit is still exceeded after the slowest clients
   * have been disconnected, or because its client reads nothing on the same HTTP/2 connection. A connection over
   * HTTP/1.1 has only one answer at a time.
   */
  findOverload(request: ServerRequest): LimitError | undefined {
    if (this.#isOverloaded) {
      return new LimitError("unreadBytes", this.#limit);
    }
    const session = this.#hasHttp2 && request instanceof NodeRequest ? request.session : undefined;
    const connection = session && this.#connections.get(session);
    if (connection?.silentSince === undefined || connection.bytes <= this.#limit * connectionShare) {
      return undefined;
    }
    const milliseconds = performance.now() - connection.silentSince;
    return milliseconds < minReadingTime ? undefined : this.#createConnectionError(connection, milliseconds);
  }

  #createConnectionError({ bytes }: UnreadConnection, milliseconds: number): LimitError {
    const error = new LimitError("unreadBytes", this.#limit);
    error.message = `The client has read nothing on this connection for ${Math.round(milliseconds)} ms, although its answers have ${bytes} bytes together. Its further requests on the connection get 503 until it reads. To keep more in memory, increase the option "${error.option}" of the server. This is reported once a minute.`;
    return error;
  }

  get #isOverloaded(): boolean {
    return this.#isExceeded && this.#disconnectSlowest();
  }

  /** Records that a client has received a part of an answer. */
  recordReading({ request }: AnsweredExchange): void {
    const connection = request.session && this.#connections.get(request.session);
    if (connection !== undefined) {
      connection.silentSince = undefined;
    }
  }

  /** Whether a large answer must not be written, because the limit is exceeded. Reports the problem. */
  refuses({ body = "" }: ServerAnswer, exchange: AnsweredExchange): boolean {
    if (body.length <= smallAnswerBytes || !this.#isOverloaded) {
      return false;
    }
    this.#report(exchange, "A large answer was replaced by status 503.");
    return true;
  }

  /** Counts an answer while it is being compressed. */
  async addCompressing({ body = "" }: ServerAnswer, writePromise: Promise<void>): Promise<void> {
    this.#compressingCount += 1;
    this.#bytes += body.length;
    try {
      await writePromise;
    } finally {
      this.#compressingCount -= 1;
      this.#bytes -= body.length;
    }
  }

  /** Counts an answer that the client has not received yet. The answer counts until it is closed. */
  add(exchange: AnsweredExchange): void {
    const { request } = exchange;
    const bytes = request.answerBytes ?? 0;
    const connection = this.#addToConnection(request, bytes);
    const answer = { bytes, writtenAt: performance.now(), exchange, connection };
    this.#answers.add(answer);
    this.#bytes += bytes;
    exchange.outgoing.once("close", () => {
      this.#remove(answer);
      // The closed stream no longer has a session, so `recordReading` would not find the connection.
      if (connection !== undefined && exchange.outgoing.writableFinished) {
        connection.silentSince = undefined;
      }
    });
    if (this.#isExceeded) {
      this.#disconnectSlowest();
    }
  }

  /** Adds an answer to the HTTP/2 connection on which it is sent. */
  #addToConnection({ session }: NodeRequest, bytes: number): UnreadConnection | undefined {
    if (session === undefined) {
      return undefined;
    }
    let connection = this.#connections.get(session);
    if (connection === undefined) {
      connection = { bytes: 0, silentSince: undefined };
      this.#hasHttp2 = true;
      this.#connections.set(session, connection);
    }
    if (connection.bytes === 0 || connection.silentSince === undefined) {
      connection.silentSince = performance.now();
    }
    connection.bytes += bytes;
    return connection;
  }

  get #isExceeded(): boolean {
    return this.#bytes > this.#limit && this.#answers.size + this.#compressingCount > 1;
  }

  /**
   * Disconnects slow clients until the limit is no longer exceeded, beginning with those whose answers have used the
   * most memory for the longest time. Returns whether the limit is still exceeded.
   */
  #disconnectSlowest(): boolean {
    const now = performance.now();
    const computeWeight = ({ bytes, writtenAt }: UnreadAnswer) => bytes * (now - writtenAt);
    const slowAnswers = [...this.#answers].filter(({ writtenAt }) => now - writtenAt >= minReadingTime);
    slowAnswers.sort((a, b) => computeWeight(b) - computeWeight(a));
    for (const answer of slowAnswers) {
      if (!this.#isExceeded) {
        return false;
      }
      this.#remove(answer);
      this.#reportReader(answer, now);
      answer.exchange.disconnectReader();
    }
    return this.#isExceeded;
  }

  #remove(answer: UnreadAnswer): void {
    if (this.#answers.delete(answer)) {
      this.#bytes -= answer.bytes;
      if (answer.connection !== undefined) {
        answer.connection.bytes -= answer.bytes;
      }
    }
  }

  #reportReader({ bytes, writtenAt, exchange }: UnreadAnswer, now: number): void {
    const client = exchange.source.remoteAddress ?? "an unknown address";
    const consequence = `The client at ${client} was disconnected: it had not received its answer of ${bytes} bytes after ${Math.round(now - writtenAt)} ms.`;
    this.#report(exchange, consequence);
  }

  /** Reports that the limit is exceeded, once a minute, with the consequence for one request. */
  #report({ request }: AnsweredExchange, consequence: string): void {
    const incident = createLimitIncident(new LimitError("unreadBytes", this.#limit));
    if (incident !== undefined) {
      const message = `${incident.message} ${consequence}`;
      request.report(this.#onError, { ...incident, message }, new RepeatedProblem(this.#reports, incident.kind));
    }
  }
}
