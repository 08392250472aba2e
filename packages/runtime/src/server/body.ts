import { createBrand, isInstance } from "../errors.js";
import { BodyCollector } from "../http/body-collector.js";
import { isBytes } from "../http/bytes.js";
import { findCompressionMistake } from "../http/compression-mistakes.js";
import type { Compression, ParsedRequest } from "../http/server-request.js";
import { isPromise } from "../is-promise.js";
import type { ServerIncident } from "../observe/events.js";
import { LimitError, type ServerLimits } from "../server-limits.js";

/** Thrown when the client disconnected before its request was complete. */
export class DisconnectError extends Error {
  static readonly brand: symbol = /* @__PURE__ */ createBrand("DisconnectError");
  static override [Symbol.hasInstance] = isInstance;

  constructor(cause?: unknown) {
    super("The client closed the connection.", cause === undefined ? undefined : { cause });
    this.name = "DisconnectError";
  }
}

/**
 * Returns the error that routes receive when a request is refused. If the request alone exceeds the limit, the routes
 * report the limit and answer the request; otherwise, the router does.
 */
export function createRefusalError(limit: LimitError | undefined): Error {
  return limit?.exceededByOneRequest === true ? limit : new DisconnectError(limit);
}

/** Thrown when the stream of a body fails although the connection does not, for example in code that decrypts it. */
export class BodyError extends Error {
  static readonly brand: symbol = /* @__PURE__ */ createBrand("BodyError");
  static override [Symbol.hasInstance] = isInstance;

  constructor(cause: unknown) {
    super(
      "The body of the request could not be read, because its stream failed. Other code may have replaced the stream, such as middleware that decompresses or decrypts it.",
      { cause },
    );
    this.name = "BodyError";
  }
}

/** Returns the incident for an exception outside of handlers and options. */
export function createFailureIncident(error: unknown): ServerIncident {
  const message = "The request could not be answered, because an exception occurred.";
  return error instanceof BodyError
    ? { kind: "internal", message: error.message, error: error.cause }
    : { kind: "internal", message, error };
}

/** Returns the error for a body whose stream failed. An error for the routes or the router remains the same. */
export function describeBodyFailure(error: unknown): Error {
  if (error instanceof LimitError || error instanceof DisconnectError || error instanceof BodyError) {
    return error;
  }
  return isConnectionError(error) ? new DisconnectError(error) : new BodyError(error);
}

/**
 * Matches the messages of platforms for the end of a connection. The whole message or its beginning is compared,
 * because messages of other code may contain the same words: `The connection to the key server was closed.`
 */
const connectionMessages: readonly RegExp[] = [
  // Node, and packages for it.
  /^(?:aborted|terminated|premature close|request aborted|socket hang up|client connection prematurely closed)\.?$/i,
  // Bun, and browsers' texts for an abort.
  /^the (?:socket )?connection was closed(?: unexpectedly)?(?:\.|$)/i,
  /^(?:the|this) operation was aborted/i,
  // Deno, whose messages come from hyper and the operating system.
  /^error reading a body from connection/i,
  /^connection (?:closed before message completed|error:|reset by peer|aborted)/i,
  /^broken pipe \(os error/i,
  // Cloudflare Workers.
  /^network connection lost/i,
];

/** The codes of Node and the system for the end of a connection. Other streams, such as those of zlib, have others. */
const connectionCodes =
  /^(?:ECONN(?:RESET|ABORTED)|EPIPE|ENOTCONN|ETIMEDOUT|E(?:HOST|NET)UNREACH|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_\w+)$/;

/** Whether the stream of a body failed because its connection did. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof UsedBodyError) {
    return true;
  }
  const { code, name, message }: { readonly code?: unknown; readonly name?: unknown; readonly message?: unknown } =
    Object(error ?? {});
  return (
    connectionCodes.test(String(code)) ||
    name === "AbortError" ||
    connectionMessages.some((pattern) => pattern.test(String(message)))
  );
}

/** Thrown when a route reads a body that other code has read or changed. The router reports it. */
class UsedBodyError extends Error {}

/** A body that other code has read or changed. This becomes an error only if a route needs the body. */
export class UsedBody implements AsyncIterable<Uint8Array> {
  /** The error that was thrown when a route tried to read the body. Undefined if no route has tried. */
  error: Error | undefined;
  readonly #problem: string;

  /** `problem` is the message of the error. */
  constructor(problem: string) {
    this.#problem = problem;
  }

  [Symbol.asyncIterator](): never {
    this.error = new UsedBodyError(this.#problem);
    throw this.error;
  }

  /** Throws if a route has tried to read the body. */
  check(): void {
    if (this.error !== undefined) {
      throw this.error;
    }
  }
}

/** A body that can be collected without a promise for each of its chunks. */
export interface CollectableBody extends AsyncIterable<Uint8Array> {
  /**
   * Adds each chunk to the collector, and calls `progress` after each. Resolves to the whole body. Rejects with the
   * collector's error, or with `DisconnectError` if the body does not arrive completely.
   */
  collect(collector: BodyCollector, progress?: () => void): Promise<Uint8Array>;
  /** Whether other code has paused the body, so that its bytes do not arrive. */
  readonly isHeld?: boolean;
  /** Stops `collect`. Its promise remains pending forever, and the collected bytes are released. */
  stopCollecting?(): void;
}

/** Whether a body can be collected with one promise, which is faster than a loop over its parts. */
export function isCollectable(body: AsyncIterable<Uint8Array>): body is CollectableBody {
  return "collect" in body;
}

/** Thrown when the compressed body of a request is not valid. */
export class InflateError extends Error {
  constructor(cause: unknown, body: Uint8Array, compression: Compression) {
    super(`The compressed body is not valid. ${describeInvalidCompression(cause, body, compression)}`, { cause });
    this.name = "InflateError";
  }
}

/** Returns a sentence with the probable cause of a body that cannot be decompressed. */
function describeInvalidCompression(error: unknown, body: Uint8Array, compression: Compression): string {
  switch (findCompressionMistake(error, body, compression)) {
    case "empty":
      return "It is empty.";
    case "uncompressed":
      return "It is not compressed: a proxy may have decompressed the body without removing Content-Encoding.";
    case "cut off":
      return `It ends after ${body.length} bytes, before the end of the compressed data: a proxy or the client may have cut it off.`;
    case "followed":
      return "Other bytes follow the compressed data: the client may have joined two bodies, or added a line break.";
    case "changed":
      return "It begins like compressed data, but its bytes were changed: a proxy or the client may have handled them as text.";
    case "base64":
      return "It seems to be compressed data in Base64: the client must send it without this step.";
    case "other format":
      return `It begins like data of the Content-Encoding ${compression === "gzip" ? "deflate, not gzip" : "gzip, not deflate"}: the client must send the header that fits the body.`;
    case "unknown":
      return compression === "gzip"
        ? "It does not begin like gzip: the client may have compressed it in another format, or its bytes were changed."
        : "It does not begin like data of the format zlib, which deflate requires: the client may have sent raw data of deflate, as DeflateStream of .NET does, where ZLibStream is needed.";
  }
}

/**
 * Reads the body of a request, and decompresses it if the router accepts compressed bodies. Throws `LimitError` as soon
 * as the body exceeds a limit: according to its `Content-Length`, while its bytes arrive, or during decompression.
 * Returns a promise only if the body is still arriving or is compressed.
 */
export function readBody(request: ParsedRequest, limits: InflateSettings["limits"]): Uint8Array | Promise<Uint8Array> {
  const receivedBytes = receiveBody(request, limits.bodyBytes);
  const { compression } = request;
  const { measurements } = request.record;
  const body = compression === undefined ? receivedBytes : inflateBody(request, receivedBytes, { compression, limits });
  if (measurements === undefined) {
    return body;
  }
  if (isPromise(body)) {
    return body.then((bytes) => {
      measurements.addBody(bytes, performance.now());
      return bytes;
    });
  }
  // The body arrived together with the head, so it was complete when the call began.
  measurements.addBody(body, measurements.begunAt);
  return body;
}

async function inflateBody(
  request: ParsedRequest,
  receivedBytes: Uint8Array | Promise<Uint8Array>,
  { compression, limits }: InflateSettings,
): Promise<Uint8Array> {
  const bytes = await receivedBytes;
  const { bodyBytes, inflatedBytes } = limits;
  // The smaller limit applies, because a decompressed body must not be larger than the routes accept.
  const limitName = bodyBytes < inflatedBytes ? "bodyBytes" : "inflatedBytes";
  const createError = (limit: number) => new LimitError(limitName, limit);
  try {
    const collector = new BodyCollector(Math.min(bodyBytes, inflatedBytes), { error: createError });
    await inflate(bytes, compression, (chunk) => {
      collector.add(chunk);
      request.usage?.countMemory(bytes.length + 2 * collector.size);
    });
    return collector.bytes();
  } catch (failure) {
    throw failure instanceof LimitError || failure instanceof DisconnectError
      ? failure
      : new InflateError(failure, bytes, compression);
  }
}

interface InflateSettings {
  readonly compression: Compression;
  readonly limits: Pick<ServerLimits, "bodyBytes" | "inflatedBytes">;
}

/**
 * Decompresses a body, and passes each chunk to `add`. Rejects with the error of `add`, and with the stream's error if
 * the compressed bytes are not valid.
 */
async function inflate(bytes: Uint8Array, compression: Compression, add: (chunk: Uint8Array) => void): Promise<void> {
  const stream = new DecompressionStream(compression);
  const writer = stream.writable.getWriter();
  // An error of this promise is ignored, because the reader rejects with the same error.
  const writePromise = writer.write(new Uint8Array(bytes)).then(() => writer.close());
  writePromise.catch(() => {});
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        await writePromise;
        return;
      }
      add(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
}

function receiveBody({ body, parsedHeaders }: ParsedRequest, limit: number): Uint8Array | Promise<Uint8Array> {
  const { contentLength: length } = parsedHeaders;
  if ((length !== undefined && length > limit) || (isBytes(body) && body.length > limit)) {
    throw createBodyLimitError(limit);
  }
  if (isBytes(body)) {
    return body;
  }
  const collector = new BodyCollector(limit, { length, error: createBodyLimitError });
  return isCollectable(body) ? body.collect(collector) : collectChunks(body, collector);
}

function createBodyLimitError(limit: number): LimitError {
  return new LimitError("bodyBytes", limit);
}

/** Adds all chunks of a body to the collector. */
export async function collectChunks(body: AsyncIterable<Uint8Array>, collector: BodyCollector): Promise<Uint8Array> {
  try {
    for await (const chunk of body) {
      collector.add(chunk);
    }
  } catch (error) {
    throw describeBodyFailure(error);
  }
  return collector.bytes();
}
