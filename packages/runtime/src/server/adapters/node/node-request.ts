import { channel } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { BodyCollector } from "../../../http/body-collector.js";
import { isBytes } from "../../../http/bytes.js";
import { type ClientCertificate, findClientCertificate } from "../../../http/client-certificate.js";
import { type HeaderLine, omitPseudoHeaders } from "../../../http/headers.js";
import {
  type ParsedRequest,
  parseAddressOfTarget,
  type RequestSource,
  type ServerRequest,
} from "../../../http/server-request.js";
import type { DisconnectedBy, OnError, ServerIncident } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import type { RepeatedProblem } from "../../../observe/repeated-incidents.js";
import { type CollectableBody, DisconnectError, UsedBody } from "../../body.js";
import type { AdapterFeatures } from "../../router.js";
import { findDisconnector, getHttp2Stream, isClosed, isWritten } from "../node-answers.js";

const noBytes = new Uint8Array();

/** Represents a request of `node:http` as the `ServerRequest` that the router expects. */
export class NodeRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #expectsContinue: boolean;
  /** Whether `reportWritten` is called for each answer. */
  readonly #reportsWritten: boolean;
  #onDone: ((bytes: number | undefined, status?: number) => void) | undefined;
  /** The announced length of the body; undefined if the length is unknown or the client waits for `100 Continue`. */
  readonly #length: number | undefined;
  /**
   * The time at which the head of the request arrived, by `performance.now()`. Set only if calls are observed, and the
   * request has to wait for earlier requests on its connection.
   */
  receivedAt: number | undefined;
  /** Whether the server is stopping. */
  draining = false;
  /**
   * Whether a framework has reported that the answer is written. Without this, answers to Fastify's `inject` would seem
   * to be incomplete, because they are closed without waiting for the mock socket.
   */
  isFinished = false;
  /** Whether the server disconnected the client before it had received its whole answer. */
  #isUnread = false;
  /** The status with which the server itself ended the request, if it did so before a route answered. */
  abortStatus: number | undefined;
  /** The time, by `performance.now()`, at which the client disconnected before the complete answer was sent. */
  disconnectedAt: number | undefined;
  /** The socket of an HTTP/2 connection, if known. Node's objects for its requests lose it when the session ends. */
  connection: Socket | undefined;
  /** The size of the answer's body in bytes, as it is sent. Set when the body is written. */
  answerBytes = 0;
  /** The body of the request if a framework has already read it. Otherwise undefined. */
  usedBody: UsedBody | undefined;
  /** The request as the router has parsed it. */
  parsedRequest: ParsedRequest | undefined;
  #socket: SocketProperties | undefined;
  #controller: AbortController | undefined;
  #body: AsyncIterable<Uint8Array> | Uint8Array | undefined;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { expectsContinue, reportsWritten }: { readonly expectsContinue: boolean; readonly reportsWritten: boolean },
  ) {
    this.method = incoming.method ?? "";
    this.target = incoming.url ?? "";
    const isHttp2 = incoming.httpVersionMajor >= 2;
    this.headers = isHttp2
      ? omitPseudoHeaders(readHeaderLines(incoming.rawHeaders))
      : readHeaderLines(incoming.rawHeaders);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#expectsContinue = expectsContinue;
    this.#reportsWritten = reportsWritten;
    const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
    this.#length = length === undefined || expectsContinue ? undefined : Number(length);
    // RFC 9112 §6.3: an HTTP/1.1 request without `Content-Length` and `Transfer-Encoding` has no body. An HTTP/2
    // request can have one.
    if (length === undefined && coding === undefined && !isHttp2 && !mayInject(incoming)) {
      this.#body = noBytes;
    }
    if (isHttp2) {
      // Reads these properties now, because they are lost when the HTTP/2 session ends.
      this.#socket = readSocketProperties(incoming, this.session);
    }
  }

  get secure(): boolean {
    return this.#socket === undefined ? "encrypted" in this.#incoming.socket : this.#socket.secure;
  }

  get httpVersion(): string {
    return this.#incoming.httpVersion;
  }

  get remoteAddress(): string | undefined {
    return this.#socket === undefined ? this.#incoming.socket.remoteAddress : this.#socket.remoteAddress;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#socket === undefined ? findClientCertificate(this.#incoming.socket) : this.#socket.clientCertificate;
  }

  /** Whether the body may be complete after the current tick. This is possible only if its length is known. */
  get mayArriveNow(): boolean {
    return this.#length !== undefined;
  }

  /** Whether the body has been read completely. */
  get isRead(): boolean {
    // Requests from testing tools, such as Fastify's `inject`, have no member `complete`, so `readableEnded` is checked
    // too.
    return isBytes(this.#body) || this.#incoming.complete || this.#incoming.readableEnded;
  }

  /**
   * Reads a body that arrived together with the head in one chunk, as most bodies do. This needs no listener, no
   * promise and no further turn of the event loop, and saves 4 of 25 µs on a server that does nothing but read.
   */
  readArrivedBody(): void {
    if (this.#length === undefined || this.#incoming.readableLength !== this.#length) {
      return;
    }
    const bytes: Uint8Array | null = this.#length === 0 ? noBytes : this.#incoming.read();
    this.#body = bytes ?? undefined;
  }

  setParsedRequest(request: ParsedRequest): void {
    this.parsedRequest = request;
  }

  /** The operation or endpoint, once it is known. */
  get operation(): string | undefined {
    return this.parsedRequest?.record.operation;
  }

  /** The known facts about the request, for incidents. */
  get source(): RequestSource {
    const { id, record } = this.parsedRequest ?? {};
    const { operation, route, protocol } = record ?? {};
    return {
      operation,
      route,
      protocol,
      requestId: id,
      method: this.method,
      address: parseAddressOfTarget(this.target),
      remoteAddress: this.parsedRequest?.remoteAddress ?? this.remoteAddress,
    };
  }

  /** Reports an incident that ends the call of this request. */
  report(onError: OnError | undefined, incident: ServerIncident, repeated?: RepeatedProblem): void {
    report(onError, { ...incident, ...this.source }, this.parsedRequest, { repeated });
  }

  whenWritten(done: (bytes: number | undefined, status?: number) => void): void {
    if (this.#isDisconnected()) {
      // The client disconnected while the handler was running, so the event `close` will not occur again.
      done(undefined);
      return;
    }
    if (this.#reportsWritten) {
      this.#onDone = done;
    } else if (isClosed(this.#outgoing)) {
      // Other code has answered, which is reported when the answer of the routes is written.
      setImmediate(() => this.#reportEnd(done));
    } else {
      this.#callWhenClosed(done);
    }
  }

  /**
   * Called when the answer has been given to the connection. If the kernel has accepted the whole answer, as it usually
   * does, reports the end of the call at once. Otherwise, adds a listener, which takes 1 µs.
   */
  reportWritten(): void {
    const onDone = this.#onDone;
    if (onDone === undefined) {
      return;
    }
    this.#onDone = undefined;
    const { socket, writableEnded } = this.#outgoing;
    if (
      writableEnded &&
      socket?.writableLength === 0 &&
      !socket.destroyed &&
      getHttp2Stream(this.#outgoing) === undefined
    ) {
      onDone(this.answerBytes, this.#outgoing.statusCode);
    } else {
      this.#callWhenClosed(onDone);
    }
  }

  /** The HTTP/2 session of the request; undefined over HTTP/1.1, and when the stream is closed. */
  get session(): object | undefined {
    return getHttp2Stream(this.#outgoing)?.session;
  }

  #callWhenClosed(done: (bytes: number | undefined, status?: number) => void): void {
    if (isClosed(this.#outgoing)) {
      this.#reportEnd(done);
      return;
    }
    // Uses `on`, because the event occurs only once, and `once` would create a wrapper function.
    this.#outgoing.on("close", () => this.#reportEnd(done));
  }

  /** Calls `done`. Reports the status that was sent, because the answer may have been replaced. */
  #reportEnd(done: (bytes: number | undefined, status?: number) => void): void {
    const { headersSent, statusCode } = this.#outgoing;
    if (this.#hasFailed) {
      // The connection has failed, but its own event comes later, because Node closes the answer before the connection.
      this.disconnect();
    }
    const bytes = this.isWritten ? this.answerBytes : undefined;
    done(bytes, headersSent ? statusCode : undefined);
  }

  /** Called before the server ends the request itself, after it has reported the incident. */
  abort(status: number, incident: ServerIncident): void {
    this.abortStatus = status;
    if (this.parsedRequest !== undefined) {
      this.parsedRequest.record.error ??= incident;
    }
  }

  /** Called when the connection is closed. */
  disconnect(): void {
    if (!this.isWritten && this.abortStatus === undefined) {
      this.disconnectedAt ??= performance.now();
    }
  }

  /** Called before the server disconnects the client, which has not received its whole answer. */
  disconnectReader(): void {
    this.#isUnread = true;
    this.disconnectedAt ??= performance.now();
  }

  /** Who closed the connection, or cancelled the request, before the answer was written. */
  get disconnectedBy(): DisconnectedBy | undefined {
    const closedHere = this.#reportsWritten || this.#isUnread ? "server" : "process";
    if (this.#isUnread || (this.abortStatus !== undefined && !this.isWritten)) {
      return closedHere;
    }
    return this.disconnectedAt === undefined
      ? undefined
      : (findDisconnector(this.#outgoing, this.connection ?? this.#incoming.socket) ?? closedHere);
  }

  /** Aborted when the client disconnects before the answer is written. Created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#isDisconnected()) {
        controller.abort();
      } else {
        this.#outgoing.once("close", () => {
          if (!this.isWritten) {
            controller.abort();
          }
        });
      }
    }
    return this.#controller.signal;
  }

  /** The complete body, or a stream of its chunks. If reading stops early, the connection stays open for the answer. */
  get body(): AsyncIterable<Uint8Array> | Uint8Array {
    if (this.#incoming.readableEncoding !== null && this.#body === undefined) {
      this.usedBody ??= new UsedBody(
        "Other code has called setEncoding on the request, so that its body is text instead of bytes: remove this call, or add the routes before it.",
      );
    }
    if (this.usedBody !== undefined) {
      return this.usedBody;
    }
    // RFC 9110 §10.1.1: a client that expects `100 Continue` sends the body only after this answer, so `sendContinue`
    // writes it when the body is needed.
    const sendContinue = () => {
      if (this.#expectsContinue) {
        this.#outgoing.writeContinue();
      }
    };
    this.#body ??= new IncomingBody(this.#incoming, sendContinue);
    return this.#body;
  }

  /**
   * Whether the whole answer was written. Checks the connection first, because after a failure of the connection, Node
   * also reports an answer as written.
   */
  get isWritten(): boolean {
    const isFinished = this.isFinished && getHttp2Stream(this.#outgoing) === undefined;
    return !this.#isUnread && !this.#hasFailed && (isFinished || isWritten(this.#outgoing));
  }

  /** Whether the connection has failed, usually because the client has closed it. */
  get #hasFailed(): boolean {
    return (this.#incoming.socket?.errored ?? null) !== null;
  }

  /** Whether the client disconnected before the answer was written. */
  #isDisconnected(): boolean {
    return isClosed(this.#outgoing) && !isWritten(this.#outgoing);
  }
}

/**
 * Whether a request can have a body although it has no `Content-Length`. Fastify's `inject` can send a stream without
 * this header.
 */
function mayInject({ complete, headers }: Partial<IncomingMessage>): boolean {
  return complete === undefined && headers?.["content-type"] !== undefined;
}

/** The properties of a socket that are needed for each request. */
interface SocketProperties {
  readonly secure: boolean;
  readonly remoteAddress: string | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
}

function readSocketProperties({ socket }: IncomingMessage, session: object | undefined): SocketProperties {
  const clientCertificate = findClientCertificate(socket, session);
  return { secure: "encrypted" in socket, remoteAddress: socket.remoteAddress, clientCertificate };
}

/** Returns header lines from Node's list, in which names and values alternate. */
function readHeaderLines(rawHeaders: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  }
  return lines;
}

const events = ["readable", "end", "close"] as const;

/**
 * The body of a request that is arriving. If a reader stops early, the connection stays open; the iterator of Node's
 * stream would close it. This class is also faster for short messages.
 */
class IncomingBody implements CollectableBody, AsyncIterator<Uint8Array> {
  readonly #incoming: IncomingMessage;
  readonly #begin: () => void;
  #wake: (() => void) | undefined;
  #stopCollecting: (() => void) | undefined;

  /** `begin` is called before the body waits for its first byte. */
  constructor(incoming: IncomingMessage, begin: () => void) {
    this.#incoming = incoming;
    this.#begin = begin;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    this.#begin();
    for (const event of events) {
      this.#incoming.on(event, this.#onEvent);
    }
    return this;
  }

  collect(collector: BodyCollector, progress?: () => void): Promise<Uint8Array> {
    this.#begin();
    const incoming = this.#incoming;
    return new Promise((resolve, reject) => {
      const stopListening = (): void => {
        incoming.removeListener("data", onData).removeListener("end", onEnd).removeListener("close", onClose);
        this.#stopCollecting = undefined;
      };
      this.#stopCollecting = stopListening;
      const onEnd = (): void => {
        if (isCutOff(incoming)) {
          onClose();
          return;
        }
        stopListening();
        try {
          resolve(collector.bytes());
        } catch (error) {
          reject(error);
        }
      };
      const onClose = (): void => {
        stopListening();
        reject(new DisconnectError(incoming.errored ?? undefined));
      };
      const onData = (chunk: Uint8Array): void => {
        try {
          collector.add(chunk);
        } catch (error) {
          stopListening();
          incoming.pause();
          reject(error);
          return;
        }
        progress?.();
        // Ends at the last chunk, because the event "end" would occur only in the next turn of the event loop.
        if (this.#stopCollecting !== undefined && incoming.complete && incoming.readableLength === 0) {
          onEnd();
        }
      };
      if (incoming.destroyed) {
        onClose();
      } else {
        incoming.on("data", onData).on("end", onEnd).on("close", onClose);
        // Middleware may have paused the request, for example while it waits for a database.
        incoming.resume();
      }
    });
  }

  get isHeld(): boolean {
    return this.#incoming.complete || this.#incoming.readableLength > 0 || this.#incoming.isPaused();
  }

  stopCollecting(): void {
    this.#stopCollecting?.();
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const incoming = this.#incoming;
    for (;;) {
      const chunk: Uint8Array | null = incoming.read();
      if (chunk !== null) {
        return { done: false, value: chunk };
      }
      if (incoming.complete && !isCutOff(incoming)) {
        return this.return();
      }
      if (incoming.destroyed || isCutOff(incoming)) {
        this.#stopListening();
        throw incoming.errored ?? new Error("The connection was closed before the message was complete.");
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#stopListening();
    return { done: true, value: undefined };
  }

  readonly #onEvent = (): void => this.#wake?.();

  #stopListening(): void {
    for (const event of events) {
      this.#incoming.removeListener(event, this.#onEvent);
    }
  }
}

/**
 * Whether the client closed the stream of an HTTP/2 request before the end of the body. Node reports such a request as
 * complete, although part of its body may be missing.
 */
function isCutOff(incoming: IncomingMessage): boolean {
  const stream = "stream" in incoming ? (incoming.stream as ServerHttp2Stream) : undefined;
  return stream !== undefined && (stream.closed || stream.destroyed);
}

/**
 * Publishes events for tracing tools on channels of `node:diagnostics_channel`: a `CallEvent` for each call on
 * `bothends.server.call`, and each `ServerIncident` on `bothends.server.error`. A channel without subscribers costs
 * nothing.
 */
export const nodeFeatures: AdapterFeatures = {
  channels: { call: channel("bothends.server.call"), error: channel("bothends.server.error") },
  hasSockets: true,
};
