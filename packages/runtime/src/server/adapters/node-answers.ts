import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { DisconnectedBy } from "../../observe/events.js";

/** Whether the complete answer was written. Over HTTP/2, only the answer's stream reports this. */
export function isWritten(outgoing: ServerResponse): boolean {
  const stream = getHttp2Stream(outgoing);
  return stream === undefined ? outgoing.writableFinished : stream.writableFinished && stream.rstCode === 0;
}

/** Whether the client can no longer receive the answer. Over HTTP/2, only the answer's stream reports this. */
export function isClosed(outgoing: ServerResponse): boolean {
  const stream = getHttp2Stream(outgoing);
  return stream === undefined ? outgoing.destroyed : stream.closed || stream.destroyed;
}

/**
 * Returns the stream of an HTTP/2 answer; undefined for HTTP/1.1. Does not use the operator `in`, which is slower,
 * because this function is called several times for each answer.
 */
export function getHttp2Stream(
  outgoing: ServerResponse & { readonly stream?: ServerHttp2Stream },
): ServerHttp2Stream | undefined {
  return outgoing.stream;
}

/** The HTTP/2 streams that the server destroyed while they were open. */
const streamsDestroyedHere = new WeakSet<object>();

/** Destroys an answer that cannot be written. */
export function destroyAnswer(outgoing: ServerResponse): void {
  const stream = getHttp2Stream(outgoing);
  if (stream?.closed === false) {
    streamsDestroyedHere.add(stream);
  }
  outgoing.destroy();
}

/** Whether a stream was closed because the client cancelled its request. */
export function isCancelled(stream: ServerHttp2Stream): boolean {
  return !streamsDestroyedHere.has(stream) && (stream.rstCode !== 0 || !stream.headersSent);
}

/** The members of a socket of Node that tell who closed its connection. Mock sockets may lack them. */
interface ClosedSocket {
  readonly readableEnded?: boolean;
  readonly errored?: Error | null;
}

/**
 * Returns who closed a connection, or cancelled a request over HTTP/2. Returns undefined if this process did: a socket
 * that the client closes ends first, or fails with an error of the system.
 */
export function findDisconnector(outgoing: ServerResponse, socket: ClosedSocket): DisconnectedBy | undefined {
  const { readableEnded, errored } = socket;
  const code = String(Reflect.get(errored ?? {}, "code") ?? "");
  if (code === "ECONNRESET") {
    return "reset";
  }
  const stream = getHttp2Stream(outgoing);
  if (
    readableEnded === true ||
    code === "EPIPE" ||
    (stream !== undefined && stream.rstCode !== 0 && isCancelled(stream))
  ) {
    return "client";
  }
  // Node's own errors, for timeouts and for requests that are not valid, do not come from the system.
  return code === "" || code.startsWith("ERR_") || code.startsWith("HPE_") ? undefined : "network";
}

/** The answers that wait for earlier answers on their connection, by its socket. */
const waitingAnswers = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes an answer when its connection closes, if the answer waits for an earlier one. Node does so only for the answer
 * that is being sent: it would never emit `close` for the others, so what belongs to them would stay in memory.
 */
export function closeWithConnection({ socket }: Pick<IncomingMessage, "socket">, outgoing: ServerResponse): void {
  if (getHttp2Stream(outgoing) !== undefined || outgoing.socket !== null || outgoing.destroyed) {
    return;
  }
  if (socket.destroyed) {
    // The connection was closed while other middleware ran.
    setImmediate(() => closeWaiting(outgoing));
    return;
  }
  let answers = waitingAnswers.get(socket);
  if (answers === undefined) {
    const newAnswers = new Set<ServerResponse>();
    answers = newAnswers;
    waitingAnswers.set(socket, newAnswers);
    socket.once("close", () => newAnswers.forEach(closeWaiting));
  }
  answers.add(outgoing);
  outgoing.once("close", () => waitingAnswers.get(socket)?.delete(outgoing));
}

function closeWaiting(outgoing: ServerResponse): void {
  if (outgoing.socket === null && !outgoing.destroyed) {
    outgoing.destroy();
    outgoing.emit("close");
  }
}
