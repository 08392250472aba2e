import { answerEncoding, type HeaderLine, type ServerAnswer, type ServerRequest } from "../../http/server-messages.js";
import { report } from "../../observe/incidents.js";
import { UsedBody } from "../body.js";
import { createFrameworkRouter, createRouter, type RouterOptions } from "../router.js";
import type { Routes } from "../routes.js";

/**
 * Serves routes inside another web framework, such as Hono. Returns a function whose result is undefined for requests that match
 * no route: `app.use(async (c, next) => (await answer(c.req.raw)) ?? next())`.
 */
export function webMiddleware(
  routes: readonly Routes[],
  options: WebHandlerOptions = {},
): (request: Request, platform?: unknown) => Promise<Response | undefined> {
  const router = createFrameworkRouter(routes, options);
  return async (request, platform) => {
    const received = serverRequest(request, remoteAddressOf(request, platform, options));
    const answer = await router(received);
    checkBody(received);
    return answer === undefined ? undefined : toResponse(answer, request, options);
  };
}

function toResponse(answer: ServerAnswer, request: Request, { compress, onError }: WebHandlerOptions): Response {
  let uncompressedResponse: Response;
  try {
    uncompressedResponse = responseOf(answer, request.method);
  } catch (error) {
    report(onError, { kind: "internal", message: "The answer cannot be written.", error, method: request.method });
    return new Response(null, { status: 500 });
  }
  return compress === true
    ? compressResponse(uncompressedResponse, request.headers.get("accept-encoding"))
    : uncompressedResponse;
}

export interface WebHandlerOptions extends RouterOptions {
  /**
   * Whether answers are compressed with gzip for clients that accept it. Default false: many platforms compress answers
   * themselves.
   */
  readonly compress?: boolean | undefined;
  /**
   * Returns the client's address, on platforms other than Deno and Bun: `(request) => request.headers.get("cf-connecting-ip") ??
   * undefined`.
   */
  readonly remoteAddress?: ((request: Request) => string | undefined) | undefined;
}

/** Returns the client's address, from the option `remoteAddress` or from the second argument that the platform passes. */
function remoteAddressOf(
  request: Request,
  platform: unknown,
  { remoteAddress }: WebHandlerOptions,
): string | undefined {
  if (remoteAddress !== undefined) {
    return remoteAddress(request);
  }
  const { remoteAddr, requestIP } = (platform ?? {}) as Platform;
  // Bun's `requestIP` is a method of its server.
  const address = typeof requestIP === "function" ? requestIP.call(platform, request)?.address : remoteAddr?.hostname;
  return typeof address === "string" ? address : undefined;
}

/** The second argument that Deno or Bun passes to a handler of requests. */
interface Platform {
  readonly remoteAddr?: { readonly hostname?: unknown } | undefined;
  readonly requestIP?: ((request: Request) => { readonly address?: unknown } | null | undefined) | undefined;
}

/** Matches the content types of text. */
const compressibleTypes = /^(?:text\/|application\/(?:.*\+)?(?:xml|json))/;

/**
 * Compresses an answer if the client accepts it. Short answers are compressed too, because the length is not known in advance.
 */
function compressResponse(answer: Response, acceptEncoding: string | null): Response {
  const { body, headers, status } = answer;
  if (body === null || headers.has("content-encoding") || !compressibleTypes.test(headers.get("content-type") ?? "")) {
    return answer;
  }
  headers.append("Vary", "Accept-Encoding");
  if (answerEncoding(acceptEncoding ?? undefined, ["gzip"]) === undefined) {
    return answer;
  }
  headers.set("Content-Encoding", "gzip");
  headers.delete("Content-Length");
  return new Response(body.pipeThrough(new CompressionStream("gzip")), { status, headers });
}

/**
 * Serves routes on platforms with web `Request`s: `export default { fetch: webHandler([…]) }`. Deno and Bun pass the client's
 * address in a second argument.
 */
export function webHandler(
  routes: readonly Routes[],
  options: WebHandlerOptions = {},
): (request: Request, platform?: unknown) => Promise<Response> {
  const router = createRouter(routes, options);
  return async (request, platform) => {
    const received = serverRequest(request, remoteAddressOf(request, platform, options));
    const answer = await router(received);
    checkBody(received);
    return toResponse(answer, request, options);
  };
}

function serverRequest(request: Request, remoteAddress: string | undefined): ServerRequest {
  const url = new URL(request.url);
  const headers: HeaderLine[] = [...request.headers];
  const { signal } = request;
  let disconnectedAt: number | undefined;
  const disconnect = () => {
    disconnectedAt = performance.now();
  };
  signal.addEventListener("abort", disconnect, { once: true });
  if (!request.headers.has("host")) {
    headers.push(["host", url.host]);
  }
  return {
    method: request.method,
    target: url.pathname + url.search,
    headers,
    body: bodyOf(request),
    signal,
    get disconnectedAt() {
      return disconnectedAt;
    },
    secure: url.protocol === "https:",
    remoteAddress,
  };
}

function bodyOf({ body, bodyUsed }: Request): ServerRequest["body"] {
  if (bodyUsed) {
    return new UsedBody("add the routes before any middleware that reads it.");
  }
  return body === null ? new Uint8Array() : chunks(body);
}

/** Throws if a route needed a body that other code had read before. */
function checkBody({ body }: ServerRequest): void {
  if (body instanceof UsedBody) {
    body.check();
  }
}

/**
 * Returns the chunks of a stream. On some platforms, streams themselves are not iterable. Unlike a generator, this iterator can be
 * ended while a read is pending.
 */
function chunks(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
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

function responseOf({ status, headers, body, close }: ServerAnswer, method: string): Response {
  const lines = close === true ? [...headers, ["Connection", "close"] as const] : headers;
  const hasNoBody = method === "HEAD" || status === 204 || status === 304;
  return new Response(hasNoBody || body === undefined ? null : bytesOf(body), {
    status,
    // `Headers` throws for an invalid header. The `Response` of some platforms, such as Hono on Node, does so only when it is sent.
    headers: new Headers(lines.map(([name, value]): [string, string] => [name, value])),
  });
}

function bytesOf(body: Uint8Array | string): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : new Uint8Array(body);
}
