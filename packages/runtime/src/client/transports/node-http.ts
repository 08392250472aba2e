import { channel } from "node:diagnostics_channel";
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { BodyCollector, BodyLimitError } from "../../http/body-collector.js";
import { CancelledError, Deadlines, longestTimerDelay } from "../exchange/cancellation.js";
import {
  type AnswerBody,
  ConnectTimeoutError,
  EncodingError,
  type Transport,
  type TransportAnswer,
  type TransportChoice,
  type TransportRequest,
  TruncatedError,
} from "../transport.js";
import { ConnectionQueue, checkConnectionOptions, type HttpProxy, readProxy } from "./connection-queue.js";
import { checkTransport } from "./node-checked-transport.js";
import { throwProxyError } from "./node-proxy-errors.js";
import { getText, sendBody, sendText } from "./node-request-body.js";
import { StaleConnectionError } from "./stale-connection-error.js";

export { watchSharedSignal as watchSignal } from "../exchange/cancellation.js";
export { suggestOption } from "./node-suggestions.js";

/** Creates the deadlines of a client's calls; undefined for a timeout that is too long for a timer. */
export function createDeadlines(timeout: number): Deadlines | undefined {
  return timeout <= longestTimerDelay ? new Deadlines(timeout) : undefined;
}

/**
 * The channels of `node:diagnostics_channel` for tracing tools: `bothends.client.call` publishes a `CallEvent` for each
 * call, `bothends.client.error` a `ClientIncident`. Without subscribers, they cost nothing.
 */
export const channels = {
  call: channel("bothends.client.call"),
  error: channel("bothends.client.error"),
  get hasSubscribers(): boolean {
    return this.call.hasSubscribers || this.error.hasSubscribers;
  },
};

/**
 * Returns the option `transport`. By default, creates a transport that sends over `node:http` and `node:https`, and
 * reuses connections. Both modules are loaded on first use.
 */
export function createTransport(options: TransportChoice): Transport {
  const { transport, agent, proxy, tls, socketPath, maxSockets, maxQueued } = options;
  checkConnectionOptions(options);
  if (transport !== undefined) {
    return checkTransport(transport);
  }
  const queue = agent === undefined ? new ConnectionQueue({ maxSockets, maxQueued }) : undefined;
  const httpProxy = proxy === undefined ? undefined : readProxy(proxy);
  let http: typeof import("node:http") | undefined;
  let secureAgent: Agent | undefined;
  // The parsed address of the last request. It is cached because most calls of a client use the same address.
  let target: Target | undefined;
  return {
    rejectsOnCancel: true,
    proxy: httpProxy?.name,
    reportsUploads: true,
    send(request) {
      const answer = queue === undefined ? sendNow(request, () => {}) : queue.run(request, sendNow);
      return httpProxy === undefined
        ? answer
        : answer.catch((error: unknown) => throwProxyError(error, httpProxy, request));
    },
    close() {
      secureAgent?.destroy();
    },
  };

  function sendNow(request: TransportRequest, onClose: () => void): Promise<TransportAnswer> {
    request.onConnection?.();
    if (target?.text !== request.url) {
      target = readTarget(request.url);
    }
    const options: RequestOptions =
      httpProxy === undefined ? createDirectOptions(target, request) : createProxyOptions(target, request, httpProxy);
    if (isAgent(agent)) {
      options.agent = agent;
    }
    if (socketPath !== undefined) {
      options.socketPath = socketPath;
    }
    if (target.protocol !== "http:") {
      return sendSecurely(options, request, onClose);
    }
    return http === undefined
      ? sendFirst(options, request, onClose)
      : sendRequest(http.request(options), request, { connectEvent: "connect", onClose });
  }

  async function sendFirst(
    options: RequestOptions,
    request: TransportRequest,
    onClose: () => void,
  ): Promise<TransportAnswer> {
    // Uses the default export, because libraries that intercept requests replace members of this object.
    http = (await import("node:http")).default;
    return sendRequest(http.request(options), request, { connectEvent: "connect", onClose });
  }

  async function sendSecurely(
    options: RequestOptions,
    request: TransportRequest,
    onClose: () => void,
  ): Promise<TransportAnswer> {
    const { default: https } = await import("node:https");
    if (httpProxy !== undefined) {
      const { createTunnelAgent } = await import("./node-tunnel.js");
      // Calls that waited at the same time share the agent, which closes an incomplete tunnel when its call ends.
      secureAgent ??= createTunnelAgent(httpProxy, tls);
      Object.assign(options, { agent: secureAgent, tunneledRequest: request });
    } else if (tls !== undefined && agent === undefined) {
      secureAgent ??= new https.Agent({ keepAlive: true, ...tls } as object);
      options.agent = secureAgent;
    }
    const nodeRequest = https.request({ ...options, ...(tls as object) });
    return sendRequest(nodeRequest, request, { connectEvent: "secureConnect", onClose });
  }
}

/** A parsed address. */
interface Target {
  readonly text: string;
  readonly protocol: string;
  /** Scheme, host and port, for example `https://example.org:8443`. */
  readonly origin: string;
  /** The host name, with the port unless it is the default of the scheme. */
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
}

function readTarget(text: string): Target {
  const { protocol, origin, host, hostname, port, pathname, search } = new URL(text);
  return { text, protocol, origin, host, hostname: hostname.replace(/^\[|\]$/g, ""), port, path: pathname + search };
}

/**
 * Returns the options for a request without a proxy. Node copies all options twice for each request and adds `host` to
 * them if it is absent: with two more options (`hostname` and one of our own), a call takes 3% more processor time.
 */
function createDirectOptions({ host, hostname, port, path }: Target, request: TransportRequest) {
  return { host: hostname, port, path, method: request.method, headers: createHeaderLines(host, request) };
}

/**
 * Returns the options for a request through a proxy. The request contains the complete address, unless a tunnel is used
 * (RFC 9112 §3.2.2).
 */
function createProxyOptions(target: Target, request: TransportRequest, proxy: HttpProxy) {
  const options = createDirectOptions(target, request);
  if (target.protocol !== "http:") {
    return options;
  }
  const proxyHeaders = Object.entries(proxy.headers).flat();
  return {
    ...options,
    host: proxy.hostname,
    port: proxy.port,
    path: target.origin + target.path,
    headers: [...options.headers, ...proxyHeaders],
  };
}

/** Returns the headers as a list of alternating names and values, which Node writes in half the time of an object. */
function createHeaderLines(host: string, { method, headers, body }: TransportRequest): string[] {
  const lines = getCachedLines(headers, host).slice();
  // RFC 9110 §8.6: a request whose method expects content has a `Content-Length` even if the body is empty.
  if (body !== undefined || methodsWithContent.has(method)) {
    lines.push("Content-Length", String(measureBody(body)));
  }
  return lines;
}

/** The value of `User-Agent`, by which servers log, count and block clients. The option `headers` can replace it. */
const userAgent = "bothends";

/** Caches the header lines for frozen headers. Each call of an operation passes the same frozen object. */
const linesOfHeaders = new WeakMap<object, { readonly host: string; readonly lines: readonly string[] }>();

function getCachedLines(headers: TransportRequest["headers"], host: string): readonly string[] {
  const linesInCache = linesOfHeaders.get(headers);
  if (linesInCache?.host === host) {
    return linesInCache.lines;
  }
  const names = Object.keys(headers);
  const lowerCaseNames = names.map((name) => name.toLowerCase());
  const lines = lowerCaseNames.includes("host") ? [] : ["Host", host];
  if (!lowerCaseNames.includes("user-agent")) {
    lines.push("User-Agent", userAgent);
  }
  if (!lowerCaseNames.includes("accept-encoding")) {
    lines.push("Accept-Encoding", "gzip, br");
  }
  for (const name of names) {
    lines.push(name, headers[name] ?? "");
  }
  if (Object.isFrozen(headers)) {
    linesOfHeaders.set(headers, { host, lines });
  }
  return lines;
}

const methodsWithContent: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

function measureBody(body: TransportRequest["body"]): number {
  return typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);
}

function isAgent(agent: object | undefined): agent is Agent {
  return agent !== undefined;
}

/**
 * Sends a request and reads its answer. On an error, on cancellation, or if the head or the size is refused, rejects
 * and destroys the socket.
 */
function sendRequest(
  nodeRequest: ClientRequest,
  request: TransportRequest,
  { connectEvent, onClose }: { readonly connectEvent: "connect" | "secureConnect"; readonly onClose: () => void },
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    const text = getText(request);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let removeListener = () => {};
    const stopTimer = () => clearTimeout(timer);
    const fail = (error: unknown) => {
      removeListener();
      stopTimer();
      reject(error);
      nodeRequest.destroy();
    };
    let earlierBytes = 0;
    // The bytes of the answer that have arrived, if its head is incomplete.
    const countHeadBytes = () => (nodeRequest.socket?.bytesRead ?? 0) - earlierBytes;
    nodeRequest.on("socket", (socket: Socket) => {
      earlierBytes = socket.bytesRead;
      if (text !== undefined) {
        sendText(nodeRequest, socket, text);
      }
      if (!socket.connecting || request.connectTimeout > longestTimerDelay) {
        return;
      }
      // A secure socket is no longer connecting when its handshake begins.
      timer = setTimeout(
        () => fail(new ConnectTimeoutError(request.connectTimeout, !socket.connecting)),
        request.connectTimeout,
      );
      socket.once(connectEvent, stopTimer);
    });
    let hasAnswer = false;
    nodeRequest.on("error", (error) =>
      fail(nodeRequest.reusedSocket && !hasAnswer && !(countHeadBytes() > 0) ? new StaleConnectionError(error) : error),
    );
    nodeRequest.on("close", onClose);
    // Without this listener, the call would wait until its timeout.
    nodeRequest.on("upgrade", () => fail(new Error("The server switched to another protocol (status 101).")));
    removeListener = request.onCancel(() =>
      fail(new CancelledError(describeStep(nodeRequest, { hasAnswer, headBytes: countHeadBytes() }))),
    );
    nodeRequest.on("response", (message) => {
      hasAnswer = true;
      const succeed = (answer: TransportAnswer) => {
        removeListener();
        resolve(answer);
        // A server may answer before it has read the whole request. If it never reads the rest, the connection would
        // stay occupied, so the connection is closed.
        if (!nodeRequest.writableFinished) {
          nodeRequest.destroy();
        }
      };
      receiveAnswer(message, { request, fail, succeed });
    });
    if (text === undefined) {
      sendBody(nodeRequest, request);
    }
  });
}

/** Describes the current step of a request, for the error of a cancelled call: `the answer had not begun`. */
function describeStep(
  nodeRequest: ClientRequest,
  { hasAnswer, headBytes }: { readonly hasAnswer: boolean; readonly headBytes: number },
): string {
  if (hasAnswer) {
    return "the answer had not ended";
  }
  if (headBytes > 0) {
    return `the answer had begun, but its status and headers were incomplete (${headBytes} bytes had arrived)`;
  }
  const { socket } = nodeRequest;
  if (socket === null || socket.connecting || ("secureConnecting" in socket && socket.secureConnecting === true)) {
    return "the connection was not established";
  }
  return nodeRequest.writableFinished ? "the answer had not begun" : "the request was not sent completely";
}

function receiveAnswer(message: IncomingMessage, { request, fail, succeed }: Receiver): void {
  const { statusCode = 0, rawHeaders, httpVersion } = message;
  const head = { status: statusCode, headers: createHeaderMap(rawHeaders), httpVersion };
  // If the connection closes early, only "close" is emitted, because Node emits "error" only if there are listeners for
  // it. An answer of msw is complete from the beginning, even if its stream fails.
  message.on("close", () => {
    if (!message.complete || !message.readableEnded) {
      fail(new TruncatedError());
    }
  });
  let encoding: Encoding | undefined;
  let streamedBody: AnswerBody | undefined;
  try {
    request.checkHead(head);
    encoding = findEncoding(head.headers);
    streamedBody = request.collect?.(head);
  } catch (error) {
    fail(error);
    return;
  }
  const { headers } = head;
  const body = streamedBody ?? new BodyCollector(request.bodyBytes, { length: Number(headers.get("content-length")) });
  const finish = () => {
    if (!message.complete) {
      fail(new TruncatedError());
    } else if (encoding === undefined || streamedBody !== undefined || body.size === 0) {
      succeed({ ...head, body: body.bytes() });
    } else {
      decompress(body.bytes(), encoding, request.bodyBytes).then((bytes) => succeed({ ...head, body: bytes }), fail);
    }
  };
  if (encoding !== undefined && streamedBody !== undefined) {
    addDecompressed(message, encoding, { request, body, finish, fail }).catch(fail);
  } else {
    addChunks(message, { body, finish, fail });
  }
}

interface ChunkReceiver {
  readonly body: AnswerBody;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
}

/** Passes each chunk to the body after the body has accepted the previous chunk. */
function addChunks(chunks: Readable, { body, finish, fail }: ChunkReceiver): void {
  let pendingAddition: Promise<void> | void;
  chunks.on("data", (chunk: Uint8Array) => {
    try {
      pendingAddition = body.add(chunk);
      if (pendingAddition !== undefined) {
        chunks.pause();
        pendingAddition.then(() => chunks.resume(), fail);
      }
    } catch (error) {
      fail(error);
    }
  });
  // The end may arrive while the last bytes are still being added. `finish` is then called when they have been added.
  chunks.on("end", () => (pendingAddition === undefined ? finish() : pendingAddition.then(finish, fail)));
}

interface Receiver {
  readonly request: TransportRequest;
  readonly fail: (error: unknown) => void;
  readonly succeed: (answer: TransportAnswer) => void;
}

/** The supported content encodings (RFC 9110 §8.4.1). */
type Encoding = "gzip" | "x-gzip" | "br";

/** Returns the encoding of the body; undefined if there is none. Throws if the transport does not support it. */
function findEncoding(headers: ReadonlyMap<string, string>): Encoding | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  switch (encoding) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
    case "br":
      return encoding;
    default:
      throw new EncodingError(encoding);
  }
}

/**
 * Decompresses a complete body. Rejects with `BodyLimitError` if the result exceeds `bodyBytes`. Loads zlib on first
 * use.
 */
async function decompress(body: Uint8Array, encoding: Encoding, bodyBytes: number): Promise<Uint8Array> {
  const { brotliDecompress, gunzip } = await import("node:zlib");
  return new Promise((resolve, reject) => {
    const onDecompressed = (error: Error | null, result: Uint8Array): void => {
      if (error === null) {
        resolve(result);
      } else {
        const isTooLarge = "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
        reject(isTooLarge ? new BodyLimitError(bodyBytes) : new EncodingError(encoding, error, body));
      }
    };
    // zlib requires a limit of at least one byte.
    const options = { maxOutputLength: Math.max(1, Math.min(bodyBytes, 2 ** 32)) };
    if (encoding === "br") {
      brotliDecompress(body, options, onDecompressed);
    } else {
      gunzip(body, options, onDecompressed);
    }
  });
}

/** Decompresses a body while it arrives. An empty body is valid, as in `decompress`. */
async function addDecompressed(
  message: IncomingMessage,
  encoding: Encoding,
  { request, body, finish, fail }: ChunkReceiver & { readonly request: TransportRequest },
): Promise<void> {
  const { createBrotliDecompress, createGunzip } = await import("node:zlib");
  const options = { chunkSize: 65_536 };
  const chunks = encoding === "br" ? createBrotliDecompress(options) : createGunzip(options);
  const failAndDestroy = (error: unknown) => {
    fail(error);
    chunks.destroy();
  };
  let start: Uint8Array | undefined;
  message.once("data", (chunk: Uint8Array) => {
    start = chunk;
  });
  chunks.on("error", (error) => (start === undefined ? finish() : fail(new EncodingError(encoding, error, start))));
  message.on("close", () => {
    if (!message.complete) {
      chunks.destroy();
    }
  });
  // The message may be complete while the body still waits for the loop over its items, so a cancellation must also
  // destroy the chunks.
  request.onCancel(() => chunks.destroy());
  addChunks(message.pipe(chunks), { body, finish, fail: failAndDestroy });
}

function createHeaderMap(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    const value = rawHeaders[index + 1] ?? "";
    const earlierValue = headers.get(name);
    headers.set(name, earlierValue === undefined ? value : `${earlierValue}, ${value}`);
  }
  return headers;
}
