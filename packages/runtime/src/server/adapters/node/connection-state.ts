import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RequestSource } from "../../../http/server-request.js";
import type { OnError, ServerIncident } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { destroyAfterEnd } from "./write-answer.js";

/** The facts about an exchange that are still needed when it has ended. */
export interface KnownExchange {
  /** The operation or endpoint; undefined if it is not known. */
  readonly operation: string | undefined;
  /** The value of `Connections.interval` when the exchange ended; undefined until then. */
  readonly endInterval: number | undefined;
}

/** A request that waits until the earlier requests on its connection are answered. */
export interface WaitingExchange extends KnownExchange {
  readonly outgoing: ServerResponse;
  /** The members of an incident that are copied from the request. */
  readonly source: RequestSource;
  /** The milliseconds for which routes have read the body, without stalls of the process; 0 if they do not read it. */
  readonly arrivalTime: number;
  /** Answers the request, because the earlier requests on its connection have been answered. */
  takeTurn(answerMode: AnswerMode): void;
  /** Called when the request begins to wait for earlier requests on its connection. */
  recordWait(): void;
  /** Whether the whole answer was written. */
  readonly isAnswered: boolean;
  /** Called before the server itself ends the request with this status, after it has reported the reason. */
  abort(status: number, incident: ServerIncident): void;
  /** Reports an incident before the server closes the connection, although the client has not received its answer. */
  cutOff(incident: ServerIncident): void;
  /** Called when the connection is closed by the client, or after a last answer. */
  disconnect(): void;
}

/** How to answer a request: normally, as the last request on its connection, or with status 503. */
export type AnswerMode = "normal" | "last" | "busy";

/** A request, and how to answer it. */
export interface StartedExchange {
  readonly exchange: WaitingExchange;
  readonly answerMode: AnswerMode;
}

/** The state of one connection and of its requests. */
export interface ConnectionState {
  readonly socket: Socket;
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
  /** The number of earlier checks in a row since which the connection is idle and has received no request. */
  idleChecks: number;
  /** The answer that is being written, or the last answer if the connection closes after it. */
  currentAnswer: ServerResponse | undefined;
  /** The exchange whose answer is `currentAnswer`. */
  exchange: WaitingExchange | undefined;
  /**
   * Whether the client sent data that is not a valid request. If so, the connection closes when the complete requests
   * before this data have been answered.
   */
  isInvalid: boolean;
  /** The requests that wait until the earlier requests are answered, in order. */
  readonly waitingRequests: StartedExchange[];
  /** Whether so many requests wait that the connection closes after their answers. */
  isFull: boolean;
  /** The number of bytes received when the first waiting request began to wait; undefined if no request waits. */
  bytesAtFirstWait: number | undefined;
  /** Whether the server does not read from the connection, because too many bytes of waiting requests have arrived. */
  isPaused: boolean;
  /** The time, by `performance.now()`, at which the server last began again to read from the connection. */
  resumedAt: number;
  /** On an HTTP/2 connection, the exchanges whose answers are not completely written. */
  readonly streams: Set<WaitingExchange>;
  /** The exchange that ended last. */
  lastExchange: KnownExchange | undefined;
}

/** When more bytes of waiting requests than this have arrived on a connection, the server stops reading from it. */
export const maxWaitingBytes = 65_536;
/** When this number of requests wait on a connection, the server stops reading from it. */
const maxWaitingRequests = 32;

/**
 * Stops reading from a connection on which too many requests wait, or too many bytes of them have arrived, until these
 * requests have begun. Otherwise, a client could send any number of requests while one is answered, and all of them
 * would be kept in memory.
 */
export function pauseIfAhead(socket: Socket, state: ConnectionState): void {
  state.bytesAtFirstWait ??= socket.bytesRead;
  const isAhead =
    state.waitingRequests.length >= maxWaitingRequests || socket.bytesRead - state.bytesAtFirstWait > maxWaitingBytes;
  if (state.isPaused || !isAhead) {
    return;
  }
  state.isPaused = true;
  socket.pause();
  // Node resumes the socket after each request that it has parsed, so the socket must be paused again each time.
  const pauseAgain = () => void (state.isPaused ? socket.pause() : socket.removeListener("resume", pauseAgain));
  socket.on("resume", pauseAgain);
}

/**
 * Ignores the other requests that have arrived on a connection, because it closes after its present answers. Node
 * would create an answer for each, and keep it until the connection is closed. The parser's property is not documented;
 * if it is missing, Node keeps them.
 */
export function ignoreRequests({ parser }: Socket & { readonly parser?: { onIncoming?: unknown } | null }): void {
  if (typeof parser?.onIncoming === "function") {
    parser.onIncoming = () => 0;
  }
}

export function resumeReading(socket: Socket, state: ConnectionState): void {
  if (state.isPaused) {
    state.isPaused = false;
    state.resumedAt = performance.now();
    socket.resume();
  }
}

/**
 * Whether the server has read from the connection during the whole timeout of a request that arrives. Otherwise, the
 * client is not the reason for a request that arrives late.
 */
export function hasReadFor({ isPaused, resumedAt }: ConnectionState, requestTimeout: number): boolean {
  return !isPaused && performance.now() - resumedAt >= requestTimeout;
}

/** Returns the request on a connection whose body is arriving; undefined if there is none. */
export function findArriving({ waitingRequests, exchange }: ConnectionState): WaitingExchange | undefined {
  const newest = waitingRequests.at(-1)?.exchange ?? exchange;
  return newest?.outgoing.req.complete === false ? newest : undefined;
}

/**
 * Whether the client has closed a connection. If the server does not read from it, Node notices this only when it
 * writes. An empty write sends nothing, but fails on a connection that has been reset: at once, or with TLS in a later
 * turn of the event loop.
 */
export function hasClientLeft(socket: Socket, { isPaused }: ConnectionState): boolean {
  if (isPaused && !socket.destroyed) {
    socket.write("");
  }
  return socket.destroyed || (socket.errored ?? null) !== null;
}

/** A problem with a request that has not arrived completely, and the status with which it is refused. */
interface IncompleteRequest {
  readonly status: 400 | 408;
  readonly problem: ServerIncident;
}

/** Reports a problem, and aborts the current exchange if its request has not arrived completely. */
export function reportIncomplete(
  onError: OnError | undefined,
  state: ConnectionState,
  { status, problem }: IncompleteRequest,
): void {
  const source = isComplete(state) || !isBusy(state) ? {} : (state.exchange?.source ?? {});
  const incident = { ...problem, ...source };
  report(onError, incident);
  abortIncomplete(state, status, incident);
}

/** Aborts the current exchange if its request has not arrived completely, for a reason that was reported. */
export function abortIncomplete(state: ConnectionState, status: 400 | 408 | 503, incident: ServerIncident): void {
  if (!isComplete(state)) {
    state.exchange?.abort(status, incident);
  }
}

/**
 * Releases a request and its closed answer if the answer has been sent and the connection stays open. Otherwise, each
 * connection would keep its last request, which the garbage collector would copy: 5 % of a SOAP call.
 */
export function releaseAfterAnswer(socket: Socket, state: ConnectionState, exchange: WaitingExchange): void {
  const { outgoing } = exchange;
  const staysOpen = outgoing.shouldKeepAlive && outgoing.writableFinished && !socket.destroyed;
  if (staysOpen && state.currentAnswer === outgoing && state.waitingRequests.length === 0) {
    state.lastExchange = { operation: exchange.operation, endInterval: exchange.endInterval };
    state.currentAnswer = undefined;
    state.exchange = undefined;
  }
}

/**
 * Closes a connection when an answer has been written, unless other requests are waiting. The header `Connection:
 * close` is not enough for this, because the answer may have begun without it.
 */
export function closeAfterAnswer(socket: Socket, state: ConnectionState, answer: ServerResponse): void {
  answer.once("close", () => {
    const isNewest = state.currentAnswer === undefined || state.currentAnswer === answer;
    if (isNewest && state.waitingRequests.length === 0) {
      destroyAfterEnd(socket);
      socket.end();
    }
  });
}

/** Whether a complete request is being answered. */
export function isComplete(state: ConnectionState): boolean {
  return (
    (isBusy(state) && state.currentAnswer?.req.complete === true) ||
    [...state.streams].some(({ outgoing }) => outgoing.req.complete)
  );
}

export function isBusy({ currentAnswer }: ConnectionState): boolean {
  return currentAnswer !== undefined && !isAnswerClosed(currentAnswer);
}

/** Whether the current answer was the last one of the connection, and is closed. */
export function hasEnded({ currentAnswer }: ConnectionState): boolean {
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

/**
 * Called at each check for idle connections. Whether a connection of HTTP/1.1 has received no request for so long that
 * it must be closed: since the previous check, or since `maxChecks` checks if a request may have begun to arrive.
 */
export function isUnused(socket: Socket, state: ConnectionState, maxChecks: number): boolean {
  const isIdle = !state.isHttp2 && !isBusy(state) && state.waitingRequests.length === 0;
  state.idleChecks = isIdle && state.idleRequestCount === state.requestCount ? state.idleChecks + 1 : 0;
  state.idleRequestCount = isIdle ? state.requestCount : undefined;
  return state.idleChecks >= (state.requestCount > 0 && isBetweenRequests(socket) ? 1 : maxChecks);
}

/**
 * Whether no head of a request has begun to arrive since the last request. Line breaks do not begin one. The parser's
 * method is not documented; if it is missing, returns false.
 */
function isBetweenRequests({ parser }: Socket & { readonly parser?: { duration?(): unknown } | null }): boolean {
  return typeof parser?.duration === "function" && parser.duration() === 0;
}

/** A connection that was closed to make room for a new one. */
export type ClosedConnection = Pick<ConnectionState, "address">;

/** Says what happened when a new connection exceeded the limit: it was refused, or another was closed. */
export function describeOverflow(newAddress = "an unknown address", closed?: ClosedConnection): string {
  return closed === undefined
    ? `The new connection, from ${newAddress}, was refused.`
    : `A connection from ${closed.address ?? "an unknown address"} was closed for the new one, from ${newAddress}.`;
}
