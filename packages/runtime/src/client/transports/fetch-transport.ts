import { ConfigError } from "../../errors.js";
import { BodyCollector } from "../../http/body-collector.js";
import { functionType } from "../../option-types.js";
import { checkHelperOptions } from "../check-options.js";
import type { Transport, TransportHead, TransportRequest } from "../transport.js";
import { StaleConnectionError } from "./stale-connection-error.js";

/** The platform's `fetch`, or any function with the same parameter and result, for example a server's web handler. */
export type Fetch = (request: Request) => Promise<Response>;

type Send = (url: string, init: RequestInit, request: TransportRequest) => Promise<Response>;

/** Options of `fetchTransport`. */
export interface FetchOptions {
  /**
   * `uploadStream`: sends the body of a call with `onUploadProgress` as a stream. Node, Deno, Bun and workerd support
   * it. Some browsers support it too, but only over HTTP/2. Such a request has no `Content-Length`, which some servers
   * require.
   */
  readonly uploadStream?: UploadStream | undefined;
}

/**
 * Creates a transport that sends with `fetch`, without cookies: `fetchTransport(webHandler([routes]))` calls a server
 * without a socket.
 */
export function fetchTransport(fetch: Fetch, options: FetchOptions = {}): Transport {
  if (typeof fetch !== "function") {
    throw new ConfigError("The first argument of fetchTransport must be a function, such as fetch.");
  }
  checkHelperOptions("fetchTransport", options, { uploadStream: functionType });
  const { uploadStream } = options;
  const isPlatformFetch = fetch === globalThis.fetch;
  const sendOnPlatform = isNode() ? createSendForNode() : send;
  const sendBody: Send = isPlatformFetch
    ? sendOnPlatform
    : async (url, init) => checkResponse(await fetch(new Request(url, init)));
  if (uploadStream === undefined) {
    return createTransport(sendBody);
  }
  const sendStream: Send = (url, init, request) => {
    const { body = "", onUploadProgress } = request;
    return sendBody(url, { ...init, ...(onUploadProgress && uploadStream(body, onUploadProgress)) }, request);
  };
  return { ...createTransport(sendStream), reportsUploads: true };
}

/**
 * Refuses a value that is not a response, such as the result of a mock in a test. It need not be an instance of
 * `Response`, because some platforms have other classes.
 */
function checkResponse(response: Response): Response {
  const { status, headers, body } = Object(response ?? {}) as Partial<Response>;
  const hasStream = (body ?? null) === null || typeof body?.getReader === "function";
  if (typeof status !== "number" || typeof headers?.get !== "function" || !hasStream) {
    throw new ConfigError("The function that fetchTransport calls must return a Response, or a promise of one.");
  }
  return response;
}

/** Creates a transport that sends with the platform's `fetch`, for platforms other than Node. */
export function createPlatformTransport(): Transport {
  return createTransport(send);
}

// The platform's `fetch` creates a `Request` itself, so passing a `Request` would double the work.
const send: Send = (url, init) => globalThis.fetch(url, init);

/**
 * Whether the platform is Node, whose `fetch` is undici. Other platforms imitate Node's `process`, so their names in
 * `versions` are checked too.
 */
function isNode(): boolean {
  const versions = globalThis.process?.versions ?? {};
  return "undici" in versions && !("bun" in versions || "deno" in versions || "electron" in versions);
}

/** The maximum number of addresses in `directAddresses`. */
const maxAddresses = 100;

/**
 * Returns a function that sends with Node's `fetch`. With `redirect: "manual"`, Node copies the request and its body,
 * which takes a quarter of the time of a call. With `redirect: "error"`, Node does not copy them, but the error for a
 * redirect does not contain its target. So `"error"` is used only for addresses that have answered before without a
 * redirect.
 */
function createSendForNode(): Send {
  const directAddresses = new Set<string>();
  return async (url, init) => {
    const address = url.replace(/[?#].*/s, "");
    const hasAnswered = directAddresses.has(address);
    const isDirect = init.body !== null && !isStream(init.body) && hasAnswered;
    if (isDirect) {
      init.redirect = "error";
      // undici copies a request, as browsers do to send it again after asking the user for a password. If `window` is
      // null, undici makes no copy.
      init.window = null;
    }
    const response = await globalThis.fetch(url, init).catch((error: unknown) => {
      directAddresses.delete(address);
      throw findStaleConnection(error, hasAnswered, measureRequest(url, init));
    });
    // An address that answered 421 is not added: Node repeats such a request, but leaves out the body with `redirect:
    // "error"`.
    if (!isDirect && (response.status < 300 || response.status >= 400) && response.status !== 421) {
      if (directAddresses.size >= maxAddresses) {
        directAddresses.clear();
      }
      directAddresses.add(address);
    }
    return response;
  };
}

/**
 * Returns a `StaleConnectionError` for an error of undici if the server closed a connection that had been used before,
 * and did not answer. If the server reset a connection, undici does not report whether it had been used before, so the
 * error is marked as repeatable if the address has answered before. Returns any other error unchanged. The errors of
 * other platforms do not contain the number of bytes that were received, and browsers repeat such requests themselves.
 */
function findStaleConnection(error: unknown, hasAnswered: boolean, maxRequestBytes: number): unknown {
  const { cause } = Object(error);
  const { bytesRead = 0, bytesWritten = 0 } = cause?.socket ?? {};
  if (cause?.code === "UND_ERR_SOCKET" && bytesRead > 0 && bytesWritten > maxRequestBytes) {
    return new StaleConnectionError(cause);
  }
  const isReset = cause?.code === "ECONNRESET" || cause?.code === "EPIPE";
  return isReset && hasAnswered ? Object.assign(Object(error), { isStale: true }) : error;
}

/**
 * Returns a number of bytes that one request does not exceed, and two do: the bytes of its address, its body and its
 * headers, and those that undici adds, which are at most 180. The shortest request of undici has 150.
 */
function measureRequest(url: string, { headers, body }: RequestInit): number {
  const bodyBytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const bodyLength = bodyBytes instanceof Uint8Array ? bodyBytes.length : 0;
  const lines = [...new Headers(headers)].map(([name, value]) => `${name}: ${value}\r\n`);
  return url.length + bodyLength + lines.join("").length + 200;
}

function isStream(body: RequestInit["body"]): boolean {
  return body instanceof ReadableStream;
}

function createTransport(sendRequest: Send): Transport {
  return {
    async send(request) {
      const response = await sendRequest(request.url, createRequestInit(request), request);
      // A browser hides the status of a redirect that is not followed, so 302 is used.
      const status = response.type === "opaqueredirect" ? 302 : response.status;
      const head = { status, headers: createHeaderMap(response.headers) };
      return { ...head, body: await readBody(response, request, head) };
    },
  };
}

/**
 * Converts headers to a map with names in lower case: the headers of happy-dom keep their letter case. `get` joins the
 * values of headers with the same name.
 */
function createHeaderMap(headers: Headers): ReadonlyMap<string, string> {
  return new Map(Array.from(headers, ([name]) => [name.toLowerCase(), headers.get(name) as string]));
}

function createRequestInit({ method, headers, body, signal }: TransportRequest): RequestInit {
  return {
    method,
    headers,
    body: isFetchBody(body) ? (body ?? null) : new Uint8Array(body),
    redirect: "manual",
    credentials: "omit",
    signal,
  };
}

/** Whether `fetch` accepts a body. Bytes in shared memory must be copied. */
function isFetchBody(body: TransportRequest["body"]): body is string | Uint8Array<ArrayBuffer> | undefined {
  return typeof body !== "object" || body.buffer instanceof ArrayBuffer;
}

async function readBody(response: Response, request: TransportRequest, head: TransportHead): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    request.checkHead(head);
    const body = request.collect?.(head) ?? new BodyCollector(request.bodyBytes);
    for (;;) {
      const { done, value } = (await reader?.read()) ?? endOfBody;
      if (done) {
        return body.bytes();
      }
      await body.add(value);
    }
  } catch (error) {
    reader?.cancel().catch(() => {});
    throw error;
  }
}

const endOfBody = { done: true, value: undefined } as const;

/** The number of bytes read between two progress reports. */
const bytesPerReport = 65_536;

/** Converts a body to the options of `fetch` for a stream that reports how many of its bytes have been read. */
export type UploadStream = (body: string | Uint8Array, report: (sentBytes: number) => void) => RequestInit;

/** Sends uploads as streams. Pass it as the option with the same name: `fetchTransport(fetch, { uploadStream })`. */
export const uploadStream: UploadStream = (body, report) => {
  const bytes = new Uint8Array(typeof body === "string" ? new TextEncoder().encode(body) : body);
  let sentBytes = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        // A stream calls `pull` when the previous chunk has been read, so the bytes sent so far can be reported here.
        if (sentBytes > 0) {
          report(sentBytes);
        }
        if (sentBytes === bytes.length) {
          controller.close();
          return;
        }
        const chunk = bytes.subarray(sentBytes, sentBytes + bytesPerReport);
        sentBytes += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return { body: stream, duplex: "half" } as RequestInit;
};
