import { answerEncoding, type HeaderLine, type ServerAnswer, type ServerRequest } from "../../http/server-messages.js";
import { UsedBody } from "../body.js";
import { createFrameworkRouter, createRouter, type RouterOptions } from "../router.js";
import type { Routes } from "../routes.js";

/**
 * Answers requests inside another web framework; undefined for requests that match no route: `app.use(async (c, next) => (await
 * answer(c.req.raw)) ?? next())` in Hono.
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

function toResponse(answer: ServerAnswer, request: Request, { compress }: WebHandlerOptions): Response {
  const answered = response(answer, request.method);
  return compress === true ? compressed(answered, request.headers.get("accept-encoding")) : answered;
}

export interface WebHandlerOptions extends RouterOptions {
  /**
   * Whether answers are compressed with gzip for clients that accept it. Default false: many platforms compress answers
   * themselves.
   */
  readonly compress?: boolean | undefined;
  /** The client's address, on platforms other than Deno and Bun: `(request) => request.headers.get("cf-connecting-ip") ?? undefined`. */
  readonly remoteAddress?: ((request: Request) => string | undefined) | undefined;
}

/** The client's address, from the option or from the platform's argument beside a request. */
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

/** The platform argument that Deno or Bun passes beside a request. */
interface Platform {
  readonly remoteAddr?: { readonly hostname?: unknown } | undefined;
  readonly requestIP?: ((request: Request) => { readonly address?: unknown } | null | undefined) | undefined;
}

const compressible = /^(?:text\/|application\/(?:.*\+)?(?:xml|json))/;

/** The length of an answer is not known in advance: each is compressed. */
function compressed(answer: Response, accepted: string | null): Response {
  const { body, headers, status } = answer;
  if (body === null || headers.has("content-encoding") || !compressible.test(headers.get("content-type") ?? "")) {
    return answer;
  }
  headers.append("Vary", "Accept-Encoding");
  if (answerEncoding(accepted ?? undefined, ["gzip"]) === undefined) {
    return answer;
  }
  headers.set("Content-Encoding", "gzip");
  headers.delete("Content-Length");
  return new Response(body.pipeThrough(new CompressionStream("gzip")), { status, headers });
}

/**
 * Serves routes on platforms with web `Request`s: `export default { fetch: webHandler([…]) }`. Deno and Bun pass a second argument,
 * which has the client's address.
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

/** Rejects a request whose route needed a body that was read before. */
function checkBody({ body }: ServerRequest): void {
  if (body instanceof UsedBody) {
    body.check();
  }
}

/** On some platforms, streams are not iterable. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function response({ status, headers, body, close }: ServerAnswer, method: string): Response {
  const lines = close === true ? [...headers, ["Connection", "close"] as const] : headers;
  const empty = method === "HEAD" || status === 204 || status === 304;
  return new Response(empty || body === undefined ? null : bytesOf(body), {
    status,
    headers: lines.map(([name, value]): [string, string] => [name, value]),
  });
}

function bytesOf(body: Uint8Array | string): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : new Uint8Array(body);
}
