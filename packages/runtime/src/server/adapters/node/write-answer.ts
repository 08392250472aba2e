import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ServerAnswer } from "../../../http/server-answer.js";
import { parseAddressOfTarget } from "../../../http/server-request.js";
import { isPromise } from "../../../is-promise.js";
import { RepeatedProblem, RepeatedReports } from "../../../observe/repeated-incidents.js";
import { WatchedExchanges } from "../../../observe/stalls.js";
import { UsedBody } from "../../body.js";
import { createFrameworkRouter, type RouterOptions } from "../../router.js";
import { mayAnswer, type Routes } from "../../routes.js";
import { closeWithConnection, destroyAnswer, findDisconnector, getHttp2Stream, isClosed } from "../node-answers.js";
import { type EncodedAnswer, encodeAnswer, encodeHead, getBodyLength, listCompressionOfHead } from "./encode-answer.js";
import { NodeRequest, nodeFeatures } from "./node-request.js";

/**
 * The maximum time in milliseconds to wait until the rest of a request has arrived. If the connection closed earlier,
 * the client could lose the answer.
 */
const maxLingeringTime = 1_000;

/** A request of `node:http`, and the object with which it is answered. */
export interface NodeExchange {
  readonly request: NodeRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the server belongs to a framework. If so, the framework decides when connections are closed. */
  readonly isFramework?: boolean;
  /** Called before each part of an HTTP/2 answer is written. */
  beginPart?(): void;
}

/**
 * Writes an answer with `node:http`. Outside a framework, returns a promise only if the answer is compressed or the
 * request's body was not read completely.
 */
export function writeNodeAnswer(answer: ServerAnswer, exchange: NodeExchange): undefined | Promise<void> {
  const { request, incoming } = exchange;
  const answerOrPromise = request.method === "HEAD" ? encodeHead(answer, incoming) : encodeAnswer(answer, incoming);
  return isPromise(answerOrPromise)
    ? answerOrPromise.then((value) => write(answer, value, exchange))
    : write(answer, answerOrPromise, exchange);
}

/** Returns an uncompressed answer for a framework to write, so that the framework's hooks can read it. */
function createAnswerToWrite(answer: ServerAnswer, { request, incoming, outgoing }: NodeExchange): ServerAnswer {
  const { body = "", close } = answer;
  const headers = answer.headers.filter(([name]) => name.toLowerCase() !== "content-length");
  if (!request.isRead) {
    closeStreamAfterAnswer(outgoing);
  }
  // HTTP/2 has no such header (RFC 9113 §8.2.2).
  if ((close === true || !request.isRead) && !isHttp2(outgoing)) {
    headers.push(["Connection", "close"]);
  }
  if (request.method === "HEAD") {
    headers.push(...listCompressionOfHead(answer, incoming));
    request.answerBytes = 0;
    return { ...answer, headers, body: undefined };
  }
  request.answerBytes = getBodyLength(body);
  return { ...answer, headers, body: body.length === 0 ? undefined : body };
}

function write(
  { status, close }: ServerAnswer,
  { lines, body, length }: EncodedAnswer,
  exchange: NodeExchange,
): undefined | Promise<void> {
  const { request, incoming, outgoing } = exchange;
  if (isClosed(outgoing)) {
    return undefined;
  }
  // These answers have no body, so no `Content-Length` is sent (RFC 9110 §8.6 forbids it for 204).
  if (status !== 204 && status !== 304 && length !== undefined) {
    lines.push("Content-Length", String(length));
  }
  const bodyLength = body.length === 0 ? 0 : (length ?? 0);
  request.answerBytes = bodyLength;
  // A connection cannot be used for another request if part of this request's body is still unread.
  const { isRead } = request;
  if (!isRead || close === true || asksToClose(incoming.headers.connection)) {
    outgoing.shouldKeepAlive = false;
  }
  const isImplicit = exchange.isFramework === true && !isHttp2(outgoing);
  writeHead(outgoing, status, lines, isImplicit);
  if (!isRead) {
    closeStreamAfterAnswer(outgoing);
  }
  if (bodyLength === 0) {
    outgoing.end();
  } else if (isHttp2(outgoing)) {
    endStream(exchange, typeof body === "string" ? Buffer.from(body) : body);
  } else if (!isRead) {
    return endWithoutReading(body, incoming, outgoing);
  } else if (exchange.isFramework === true) {
    return endAfterDrain(outgoing, body, bodyLength);
  } else {
    end(outgoing, body, bodyLength);
  }
  return undefined;
}

/**
 * Writes the body and ends the answer. A short text is written with a single `write`, which Node performs
 * synchronously: `outgoing.end(body)` would call `writev`, which adds 2 µs to the 26 µs of an answer of 2 KB. The
 * socket is corked first, because `outgoing.write` would otherwise cork it and schedule a callback that uncorks it.
 * ASCII text is written as Latin 1, which Node copies without conversion.
 */
function end(outgoing: ServerResponse, body: string | Uint8Array, length: number): void {
  const { socket } = outgoing;
  if (typeof body !== "string" || socket === null) {
    outgoing.end(body);
    return;
  }
  const encoding = length === body.length ? "latin1" : "utf8";
  if (length > largeBodyBytes) {
    // Node would copy a string twice: to join it with the head, and for the socket. For 10 MB, the copies would take 80
    // MB of memory, and 9 of the 53 ms that the answer takes.
    outgoing.end(Buffer.from(body, encoding));
    return;
  }
  socket.cork();
  outgoing.write(body, encoding);
  socket.uncork();
  outgoing.end();
}

/**
 * Writes the body, and ends the answer only when all bytes have left the process. The method `close` of Node's server
 * disconnects every client whose answer has ended, even if most of the answer has not been sent yet. A body that fits
 * into the buffer is written with `end`, because middleware that replaces this method may add headers in it. Rejects if
 * it adds them too late.
 */
async function endAfterDrain(outgoing: ServerResponse, body: string | Uint8Array, length: number): Promise<void> {
  if (length <= outgoing.writableHighWaterMark) {
    outgoing.end(body);
    return;
  }
  if (!outgoing.write(body)) {
    await new Promise<unknown>((resolve) => outgoing.once("drain", resolve).once("close", resolve));
  }
  outgoing.end();
}

/**
 * The size of the parts in which an answer over HTTP/2 is written, in bytes. This is the default window of a stream
 * (RFC 9113 §6.9.2), so a client with this window receives the first part even if it then stops reading.
 */
const partBytes = 65_535;

/**
 * Writes the body of an answer over HTTP/2 in parts. Each part is written after the client has received the previous
 * one.
 */
function endStream(exchange: NodeExchange, body: Uint8Array): void {
  const { outgoing } = exchange;
  exchange.beginPart?.();
  if (body.length <= partBytes) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body.subarray(0, partBytes), (error) => {
    if (error === undefined || error === null) {
      endStream(exchange, body.subarray(partBytes));
    }
  });
}

/**
 * Closes the stream of an HTTP/2 answer when the answer has been sent, because the rest of the request will not be read
 * (RFC 9113 §8.1). Otherwise, the stream would stay open, and the server would wait for it when stopping. A stream with
 * unread bytes must be destroyed, because it does not close by itself.
 *
 * At the event `finish`, the last frame of the answer may not have been sent. Node sends it before the next callback of
 * `setImmediate`, or before the one after that if the event occurs while Node sends other frames.
 */
function closeStreamAfterAnswer(outgoing: ServerResponse): void {
  const stream = getHttp2Stream(outgoing);
  const closeStream = () => {
    stream?.close();
    stream?.destroy();
  };
  stream?.once("finish", () => setImmediate(() => setImmediate(closeStream)));
}

/** The size in bytes above which a string is converted to bytes before it is written. */
const largeBodyBytes = 1_048_576;

/** Whether an answer is sent over HTTP/2. If so, it has a stream. */
function isHttp2(outgoing: ServerResponse): boolean {
  return getHttp2Stream(outgoing) !== undefined;
}

/**
 * Answers with status 500 if an answer cannot be written. If the client has already received a part of the answer,
 * disconnects the client instead.
 */
export function writeFailure({ request, outgoing }: Pick<NodeExchange, "request" | "outgoing">): void {
  if (outgoing.headersSent || isClosed(outgoing)) {
    request.disconnectReader();
    destroyAnswer(outgoing);
    return;
  }
  for (const name of outgoing.getHeaderNames()) {
    outgoing.removeHeader(name);
  }
  outgoing.shouldKeepAlive = false;
  writeHead(outgoing, 500, ["Content-Length", "0"]);
  outgoing.end();
}

/**
 * Writes the status and the headers. Node writes a list of header lines faster than single headers, but then ignores
 * headers that a framework has set, so the list is used only if there are none. With `isImplicit`, Node writes the head
 * together with the body, so that other code can still add headers.
 */
function writeHead(outgoing: ServerResponse, status: number, lines: string[], isImplicit = false): void {
  // Over HTTP/2, a list is not used, because Node would send only the last of several headers with the same name.
  if (outgoing.getHeaderNames().length === 0 && !isHttp2(outgoing) && !isImplicit) {
    outgoing.writeHead(status, lines);
    return;
  }
  const earlierNames = listEarlierNames(outgoing);
  const writtenNames = new Set<string>();
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const name = lines[index] ?? "";
    const value = lines[index + 1] ?? "";
    const key = name.toLowerCase();
    if (isSetByFramework(key, earlierNames) || (key === "vary" && hasVary(outgoing, value))) {
      continue;
    }
    if (writtenNames.has(key) || (earlierNames.has(key) && addedHeaders.has(key))) {
      outgoing.appendHeader(name, value);
    } else {
      outgoing.setHeader(name, value);
    }
    writtenNames.add(key);
  }
  outgoing.statusCode = status;
  if (!isImplicit) {
    outgoing.writeHead(status);
  }
}

/**
 * Headers that do not replace those of a framework, but are added to them. A framework may have set cookies for its own
 * session, for example.
 */
const addedHeaders: ReadonlySet<string> = new Set(["set-cookie", "vary"]);

/** Whether the value of a header `Vary` contains a name. */
export function hasName(value: number | string | readonly string[] | undefined, name: string): boolean {
  const names = String(value ?? "").split(",");
  return names.some((candidate) => candidate.trim().toLowerCase() === name.toLowerCase());
}

/**
 * Returns the names of the headers that a framework has set, in lower case. `Vary: Origin` means that its middleware
 * decides which origins may read the answer: for those that may not, the middleware sets no other header.
 */
function listEarlierNames(outgoing: ServerResponse): ReadonlySet<string> {
  const names = new Set(outgoing.getHeaderNames());
  return hasVary(outgoing, "Origin") ? names.add("access-control-allow-origin") : names;
}

/** Whether the header `Vary` that has been set so far contains a name. */
function hasVary(outgoing: ServerResponse, name: string): boolean {
  return hasName(outgoing.getHeader("vary"), name);
}

/**
 * Whether a framework has set this CORS header, so that the answer must not replace it. If the framework determines the
 * allowed origin, it also determines whether pages can send credentials. Names are in lower case.
 */
export function isSetByFramework(name: string, earlierNames: ReadonlySet<string>): boolean {
  return (
    name.startsWith("access-control-") &&
    (earlierNames.has(name) ||
      (name === "access-control-allow-credentials" && earlierNames.has("access-control-allow-origin")))
  );
}

/**
 * Writes a body, and waits until the rest of the request has arrived. Bytes that arrive on a closed connection would
 * reset it, and the client would lose the answer.
 */
async function endWithoutReading(
  body: string | Uint8Array,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.write(body);
  await waitForRest(incoming);
  outgoing.end();
}

/** Waits until the rest of a request has arrived, at most for `maxLingeringTime`. */
async function waitForRest(incoming: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxLingeringTime);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    incoming.once("end", finish).once("close", finish).resume();
  });
}

/**
 * Destroys a connection some time after the server has ended it. A client that has not read the whole answer may keep
 * the connection open, and a server that stops would wait for it.
 */
export function destroyAfterEnd(socket: Socket): void {
  socket.once("finish", () => setTimeout(() => socket.destroy(), maxLingeringTime).unref());
}

/** Whether the header `Connection` contains `close`. */
function asksToClose(connection: string | undefined): boolean {
  return connection !== undefined && /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(connection);
}

/** Node's objects for a request in a third-party framework. */
interface FrameworkExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The answer to a request in a third-party framework. Either call `write`, or let the framework write `toWrite`. */
export interface FrameworkAnswer {
  /** Writes the answer with Node, not with the framework. */
  write(): Promise<void>;
  /** The answer if the framework writes it. The framework can compress it with `compressPayload`. */
  readonly toWrite: ServerAnswer;
  /**
   * Waits until the rest of the request has arrived, at most for `maxLingeringTime`. The framework must not end the
   * answer before, for the same reason as `endWithoutReading`. Undefined if the answer may end at once.
   */
  readonly waitForRest: (() => Promise<void>) | undefined;
  /**
   * Records the size of the answer: the `Content-Length` that the framework sent, because one of its hooks may have
   * replaced the answer.
   */
  setSize(length: unknown): void;
  /**
   * Reports once that a hook of Fastify has replaced the answer, if this status is 500 or above and that of the answer
   * below. `thrown` has the exception of the hook.
   */
  reportReplaced(status: number, thrown?: { readonly error: unknown }): void;
}

/**
 * Finds the answer to a request. Resolves to undefined if no route matches. Rejects if a route needs the body and other
 * code has already read it.
 */
type FrameworkRoutes = (exchange: FrameworkExchange) => Promise<FrameworkAnswer | undefined>;

/** Whether other code of this process has closed the connection of a request, or its server a timeout. */
function isClosedByOther({ request, incoming, outgoing }: NodeExchange): boolean {
  const { socket, httpVersionMajor } = incoming;
  const isOpen = request.isWritten || request.disconnectedBy === "server" || !socket.destroyed;
  return !isOpen && httpVersionMajor < 2 && findDisconnector(outgoing, socket) === undefined;
}

/**
 * Returns the whole path of a request from which Express has removed all of it, because it is the path of `app.use`.
 * Returns undefined for any other request: the router reports those from which a part of the path was removed.
 */
function findWholePath(incoming: IncomingMessage & { readonly originalUrl?: unknown }): string | undefined {
  const { originalUrl, url } = incoming;
  const isRemoved = typeof originalUrl === "string" && originalUrl !== url && parseAddressOfTarget(url ?? "") === "/";
  return isRemoved ? parseAddressOfTarget(originalUrl) : undefined;
}

/** The time in milliseconds after the last request for which stalls of the process are still reported. */
const watchedIdleTime = 60_000;

/**
 * Serves routes inside the server of a third-party framework. The framework answers all requests that match no route.
 */
export function createFrameworkRoutes(
  routes: readonly Routes[],
  options: RouterOptions,
  optionGroups?: readonly "framework"[],
): FrameworkRoutes {
  const router = createFrameworkRouter(routes, options, { optionGroups, features: nodeFeatures });
  const exchanges = new WatchedExchanges<NodeRequest>(options.onError, watchedIdleTime);
  const reports = new RepeatedReports();
  const knownRoutes = routes.filter((route) => (route.paths ?? route.mayAnswer) !== undefined);
  return async ({ incoming, outgoing }) => {
    const request = new NodeRequest(incoming, outgoing, { expectsContinue: false, reportsWritten: false });
    exchanges.begin(request);
    outgoing.once("finish", () => {
      request.isFinished = true;
    });
    const receivedAt = performance.now();
    const endRequest = (): void => {
      exchanges.end(request);
      if (isClosedByOther({ request, incoming, outgoing })) {
        const time = Math.round(performance.now() - receivedAt);
        const message = `Other code of this process closed the connection after ${time} ms, before the client had received the answer: a timeout of the server, such as server.timeout, server.requestTimeout or connectionTimeout of Fastify, or middleware.`;
        request.abortStatus = 408;
        request.report(options.onError, { kind: "config", message });
      }
      request.disconnect();
    };
    if (isClosed(outgoing)) {
      // The connection was closed while other middleware ran, so its event will not occur again.
      endRequest();
    } else {
      outgoing.once("close", endRequest);
      closeWithConnection(incoming, outgoing);
    }
    if (incoming.readableDidRead) {
      request.usedBody = new UsedBody(
        "Other code has already read the body of the request: add the routes before any body parser.",
      );
    }
    const answer = await router(request);
    request.usedBody?.check();
    if (answer === undefined) {
      const wholePath = findWholePath(incoming);
      if (wholePath !== undefined && !wholePath.includes("%") && mayAnswer(knownRoutes, wholePath)) {
        const message =
          "No route has the path of this request. Its whole path is one of the routes, but app.use of the framework has removed it: mount the middleware without a path. This is reported once a minute.";
        request.report(options.onError, { kind: "config", message }, new RepeatedProblem(reports, ""));
      }
      return undefined;
    }
    const exchange = { request, incoming, outgoing, isFramework: true };
    let isReplaced = false;
    return {
      async write() {
        if (outgoing.writableEnded) {
          const message =
            "Other code has already answered the request, for example middleware that calls next after it has answered. The handler ran, but the client did not receive its answer.";
          request.report(options.onError, { kind: "config", message });
          return;
        }
        try {
          await writeNodeAnswer(answer, exchange);
        } catch (error) {
          const message = "The answer cannot be written.";
          request.report(options.onError, { kind: "internal", message, error });
          writeFailure(exchange);
        }
      },
      get toWrite() {
        return createAnswerToWrite(answer, exchange);
      },
      waitForRest: request.isRead || isHttp2(outgoing) ? undefined : () => waitForRest(incoming),
      setSize(length) {
        request.answerBytes = Number(length ?? request.answerBytes);
      },
      reportReplaced(status, thrown) {
        if (status < 500 || answer.status >= 500 || isReplaced) {
          return;
        }
        isReplaced = true;
        const cause = thrown === undefined ? "changed the answer" : "threw an exception";
        const message = `A hook of Fastify, such as onSend, ${cause}, so the client receives the status ${status} in place of ${answer.status}, with which the routes have answered. The handler may have run.`;
        request.report(options.onError, { kind: "config", message, ...thrown });
      },
    };
  };
}
