import { type ClientCertificate, findClientCertificate } from "../../http/client-certificate.js";
import type { HeaderLine } from "../../http/headers.js";
import { chooseEncoding, type ServerAnswer } from "../../http/server-answer.js";
import type { ParsedRequest, ServerRequest } from "../../http/server-request.js";
import { isPromise } from "../../is-promise.js";
import type { ServerIncident } from "../../observe/events.js";
import { report } from "../../observe/incidents.js";
import { WatchedExchanges } from "../../observe/stalls.js";
import { describeValue } from "../../value-problems.js";
import { UsedBody } from "../body.js";
import { createFrameworkRouter, createRouter, type FrameworkRouter, type RouterOptions } from "../router.js";
import type { Routes } from "../routes.js";

/**
 * Serves routes inside another web framework, such as Hono. Returns a function that answers a request, or resolves to
 * undefined if no route matches: `app.use(async (c, next) => (await answer(c.req.raw, c.env)) ?? next())`. The second
 * parameter is the object of the platform that has the client's address.
 */
export function webMiddleware(
  routes: readonly Routes[],
  options: WebMiddlewareOptions = {},
): (request: Request, platform?: unknown) => Promise<Response | undefined> {
  const router = createFrameworkRouter(routes, options, { optionGroups: ["web", "framework"] });
  return createAnswering<undefined>(options.handleOptions === false ? leaveOrigins(router) : router, options);
}

/** Options for `webMiddleware`. */
export interface WebMiddlewareOptions extends WebHandlerOptions {
  /**
   * Whether the routes answer `OPTIONS`, and determine which origins can read answers. Set this to false if middleware
   * of the framework, such as `cors` of Hono, does so. Default true.
   */
  readonly handleOptions?: boolean | undefined;
}

/** Returns a router that leaves it to the framework which origins can read answers. */
function leaveOrigins(router: FrameworkRouter): FrameworkRouter {
  const omitOrigins = (answer: ServerAnswer | undefined): ServerAnswer | undefined =>
    answer && { ...answer, headers: answer.headers.filter(([name]) => !originHeaders.test(name)) };
  return (request) => {
    if (request.method === "OPTIONS") {
      return undefined;
    }
    const answer = router(request);
    return isPromise(answer) ? answer.then(omitOrigins) : omitOrigins(answer);
  };
}

/** Matches the headers with which an answer allows an origin to read it. */
const originHeaders = /^access-control-allow-(?:origin|credentials)$/i;

/** Returns the function that answers requests with a router. `Unmatched` is `undefined` if it leaves some to others. */
function createAnswering<Unmatched extends undefined>(
  router: (request: ServerRequest) => ServerAnswer | Unmatched | Promise<ServerAnswer | Unmatched>,
  options: WebHandlerOptions,
): (request: Request, platform?: unknown) => Promise<Response | Unmatched> {
  // Platforms such as AWS Lambda stop the process after each request.
  const exchanges = new WatchedExchanges<WebRequest>(options.onError, 0);
  return async (request, platform) => {
    const receivedRequest = receiveRequest(request, platform, options);
    if (receivedRequest instanceof Response) {
      return receivedRequest;
    }
    exchanges.begin(receivedRequest);
    try {
      const answer = await router(receivedRequest);
      checkBody(receivedRequest);
      return answer === undefined ? answer : await respond(answer, receivedRequest, options);
    } finally {
      exchanges.end(receivedRequest);
      receivedRequest.end();
    }
  };
}

/** Creates the response to a request. Compresses it if both the option `compress` and the client allow this. */
async function respond(
  answer: ServerAnswer,
  request: WebRequest,
  { compress, onError }: WebHandlerOptions,
): Promise<Response> {
  const { status, body, close } = answer;
  try {
    // An invalid header must throw here. `Headers` always throws, but on some platforms, such as Hono on Node,
    // `Response` throws only when it is sent.
    const headers = new Headers(answer.headers.map(([name, value]): [string, string] => [name, value]));
    if (close === true) {
      headers.append("Connection", "close");
    }
    const hasNoBody = body === undefined || request.method === "HEAD" || status === 204 || status === 304;
    let bytes = hasNoBody ? undefined : toBytes(body);
    if (compress === true) {
      const length = request.method === "HEAD" ? getLengthOfHead(answer) : bytes?.length;
      const chosenCompress = chooseCompression(length, headers, request.acceptEncoding);
      bytes = bytes && chosenCompress !== undefined ? await chosenCompress(bytes) : bytes;
    }
    const response = new Response(bytes ?? null, { status, headers });
    request.reportWritten(bytes?.length ?? 0);
    return response;
  } catch (error) {
    report(onError, { kind: "internal", message: "The answer cannot be written.", error, method: request.method });
    request.reportWritten(undefined);
    return new Response(null, { status: 500 });
  }
}

/** Options for `webHandler`. */
export interface WebHandlerOptions extends RouterOptions {
  /**
   * Whether answers of 1 KB or more are compressed for clients that accept compression: with gzip, and on platforms
   * that have `node:zlib`, also with brotli. Default false, because many platforms compress answers themselves.
   */
  readonly compress?: boolean | undefined;
  /**
   * Returns the address of the client. Needed if the second argument of the handler is not that of Deno, of Bun or of
   * Hono on Node: `(request) => request.headers.get("cf-connecting-ip") ?? undefined`.
   */
  readonly remoteAddress?: ((request: Request) => string | undefined) | undefined;
}

/**
 * Converts a request for the router. If it is not a `Request`, or if the function in the option `remoteAddress` throws,
 * returns a response with status 500.
 */
function receiveRequest(request: Request, platform: unknown, options: WebHandlerOptions): WebRequest | Response {
  const fail = (incident: ServerIncident) => {
    report(options.onError, incident);
    return new Response("The server failed to answer the request.", { status: 500 });
  };
  if (!isRequest(request)) {
    const message = `The first argument of the handler is ${describeValue(request)} instead of a Request. In Hono, pass c.req.raw.`;
    return fail({ kind: "config", message });
  }
  let address: string | undefined;
  try {
    address = findRemoteAddress(request, platform, options);
  } catch (error) {
    const message = 'The function in the option "remoteAddress" threw an exception.';
    const { pathname } = new URL(request.url);
    return fail({ kind: "handler", message, error, method: request.method, address: pathname });
  }
  return new WebRequest(request, address, platform);
}

/** Whether a value is a request. It need not be an instance of `Request`, because some platforms have other classes. */
function isRequest(value: unknown): value is Request {
  const { url, headers, signal } = Object(value ?? {}) as Partial<Request>;
  return URL.canParse(url ?? "") && typeof headers?.has === "function" && signal !== undefined;
}

/**
 * Returns the client's address, from the option `remoteAddress` or from the second argument that the platform passes.
 */
function findRemoteAddress(
  request: Request,
  platform: unknown,
  { remoteAddress }: WebHandlerOptions,
): string | undefined {
  if (remoteAddress !== undefined) {
    const address: unknown = remoteAddress(request) ?? undefined;
    if (address !== undefined && typeof address !== "string") {
      Promise.resolve(address).catch(() => {});
      throw new TypeError(`The function must return a string or undefined, not ${describeValue(address)}.`);
    }
    return address;
  }
  const source = getPlatform(platform);
  const { remoteAddr, requestIP, incoming } = source;
  // Bun's `requestIP` is a method of the server, so it must be called with the server as `this`.
  const address =
    typeof requestIP === "function"
      ? requestIP.call(source, request)?.address
      : (remoteAddr?.hostname ?? incoming?.socket?.remoteAddress);
  return typeof address === "string" ? address : undefined;
}

function getPlatform(platform: unknown): Platform {
  return ((platform as Platform)?.server ?? platform ?? {}) as Platform;
}

/** The second argument that Deno or Bun passes to a request handler, or `c.env` of Hono, empty in its tests. */
interface Platform {
  readonly remoteAddr?: { readonly hostname?: unknown } | undefined;
  readonly requestIP?: ((request: Request) => { readonly address?: unknown } | null | undefined) | undefined;
  /** In some programs with Hono, `c.env` contains the object of the platform in this member. */
  readonly server?: object | null | undefined;
  /** The time before which AWS Lambda requires an answer, by `performance.now()`. Set by `lambdaHandler`. */
  readonly answerBefore?: number | undefined;
  /** In `c.env` of Hono on Node: the request of `node:http`. */
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: unknown } | undefined } | undefined;
}

/** Matches the content types of text formats, which are worth compressing. */
const compressibleTypes = /^(?:text\/|application\/(?:.*\+)?(?:xml|json))/;

/** The minimum size of a body to compress, in bytes. */
const minCompressedBytes = 1_024;

/**
 * Returns the function that compresses a body of a length, and sets the headers that describe the compression. Returns
 * undefined if the body is sent uncompressed.
 */
function chooseCompression(
  length = 0,
  headers: Headers,
  acceptEncoding: string | undefined,
): ((body: Bytes) => Promise<Bytes>) | undefined {
  const isCompressible = !headers.has("content-encoding") && compressibleTypes.test(headers.get("content-type") ?? "");
  if (!isCompressible || length < minCompressedBytes) {
    return undefined;
  }
  headers.append("Vary", "Accept-Encoding");
  const brotli = findBrotli();
  const encoding = chooseEncoding(acceptEncoding, brotli === undefined ? ["gzip"] : ["gzip", "br"]);
  if (encoding === undefined) {
    return undefined;
  }
  headers.set("Content-Encoding", encoding);
  headers.delete("Content-Length");
  return encoding === "br" && brotli !== undefined ? brotli : gzip;
}

/**
 * Returns the length of the body that the answer to GET would have. A body of unknown size is assumed to be large,
 * because most bodies with embedded objects are.
 */
function getLengthOfHead({ body = "", omittedBody }: ServerAnswer): number {
  return omittedBody === undefined ? toBytes(body).length : (omittedBody.length ?? Number.POSITIVE_INFINITY);
}

type Bytes = Uint8Array<ArrayBuffer>;

async function gzip(body: Bytes): Promise<Bytes> {
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The members of `node:zlib` that compress with brotli. */
interface Zlib {
  brotliCompress(body: Bytes, options: object, done: (error: Error | null, result: Bytes) => void): void;
  readonly constants: { readonly BROTLI_PARAM_QUALITY: number };
}

/**
 * Returns a function that compresses with brotli, because `CompressionStream` does not support brotli on most
 * platforms. Returns undefined on platforms without `node:zlib`. `node:zlib` is not imported, so that bundlers for such
 * platforms need not find it.
 */
function findBrotli(): ((body: Bytes) => Promise<Bytes>) | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => Zlib | undefined };
  };
  const zlib = process?.getBuiltinModule?.("node:zlib");
  if (zlib === undefined) {
    return undefined;
  }
  // The default quality is meant for files that are compressed once, and takes a hundred times longer.
  const options = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
  return (body) =>
    new Promise((resolve, reject) => {
      zlib.brotliCompress(body, options, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
}

/**
 * Serves routes on platforms whose requests are instances of the web's `Request`: `export default { fetch:
 * webHandler([…]) }`. The second argument is the one with which Deno and Bun pass the client's address.
 */
export function webHandler(
  routes: readonly Routes[],
  options: WebHandlerOptions = {},
): (request: Request, platform?: unknown) => Promise<Response> {
  return createAnswering<never>(createRouter(routes, options, { optionGroups: ["web"] }), options);
}

/** Represents a web `Request` as the `ServerRequest` that the router expects. */
class WebRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: ServerRequest["body"];
  readonly signal: AbortSignal;
  readonly secure: boolean;
  readonly remoteAddress: string | undefined;
  readonly #platform: Platform;
  readonly acceptEncoding: string | undefined;
  disconnectedAt: number | undefined;
  #record: { readonly operation?: string | undefined } | undefined;
  #onWritten: ((bytes: number | undefined) => void) | undefined;

  constructor(request: Request, remoteAddress: string | undefined, platform: unknown) {
    const url = new URL(request.url);
    this.method = request.method;
    this.target = url.pathname + url.search;
    this.headers = request.headers.has("host") ? [...request.headers] : [...request.headers, ["host", url.host]];
    this.body = getBody(request);
    this.signal = request.signal;
    this.secure = url.protocol === "https:";
    this.remoteAddress = remoteAddress;
    this.#platform = getPlatform(platform);
    this.acceptEncoding = request.headers.get("accept-encoding") ?? undefined;
    this.signal.addEventListener("abort", this.#disconnect);
  }

  readonly #disconnect = (): void => {
    this.disconnectedAt = performance.now();
  };

  /**
   * Releases the exchange. In Hono on Node, the signal of a request can stay in memory for good, so it must not refer
   * to the answer.
   */
  end(): void {
    this.signal.removeEventListener("abort", this.#disconnect);
    this.#onWritten = undefined;
  }

  get disconnectedBy(): "client" | undefined {
    return this.disconnectedAt === undefined ? undefined : "client";
  }

  get clientCertificate(): ClientCertificate | undefined {
    return findClientCertificate(this.#platform.incoming?.socket);
  }

  /** The operation or endpoint, once it is known. */
  get operation(): string | undefined {
    return this.#record?.operation;
  }

  get answerBefore(): number | undefined {
    return this.#platform.answerBefore;
  }

  setParsedRequest({ record }: ParsedRequest): void {
    this.#record = record;
  }

  whenWritten(onWritten: (bytes: number | undefined) => void): void {
    this.#onWritten = onWritten;
  }

  /**
   * Reports that the platform has received the response with this number of bytes. If `bytes` is undefined, there is no
   * response.
   */
  reportWritten(bytes: number | undefined): void {
    this.#onWritten?.(this.disconnectedAt === undefined ? bytes : undefined);
  }
}

function getBody({ body, bodyUsed }: Request): ServerRequest["body"] {
  if (bodyUsed) {
    return new UsedBody(
      "Other code has already read the body of the request: add the routes before any middleware that reads it.",
    );
  }
  return body === null ? new Uint8Array() : readChunks(body);
}

/** Throws if a route needed a body that other code had read before. */
function checkBody({ body }: ServerRequest): void {
  if (body instanceof UsedBody) {
    body.check();
  }
}

/**
 * Returns the chunks of a stream. This is needed because streams are not iterable on some platforms. Unlike a
 * generator, the iterator can be ended while a read is pending.
 */
function readChunks(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const reader = stream.getReader();
      return {
        next: () => reader.read(),
        async return() {
          await reader.cancel();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function toBytes(body: Uint8Array | string): Bytes {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
}
