import type { IncomingMessage, ServerResponse } from "node:http";
import { answerEncoding, type HeaderLine, type ServerAnswer } from "../../../http/server-messages.js";
import { isPromise } from "../../call-handler.js";
import { isClosed, type NodeRequest } from "./node-request.js";

/** Compresses a body, by content encoding. */
type Compressors = Readonly<Record<"gzip" | "br", (body: string | Uint8Array) => Promise<Uint8Array>>>;

let loadedCompressors: Promise<Compressors> | undefined;

/** Loads `node:zlib` with the first answer to compress, which takes 1.5 ms, and keeps it, because each `import()` takes 50 µs. */
function loadCompressors(): Promise<Compressors> {
  loadedCompressors ??= Promise.all([import("node:zlib"), import("node:util")]).then(([zlib, { promisify }]) => {
    const { brotliCompress, constants, gzip } = zlib;
    const brotli = promisify(brotliCompress);
    // The default quality is meant for files that are compressed once, and takes a hundred times longer.
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
    return { gzip: promisify(gzip), br: (body) => brotli(body, options) };
  });
  return loadedCompressors;
}

/** In bytes. Shorter answers are not worth compressing. */
const worthCompressing = 1_024;

/** Milliseconds to wait for the rest of an unread body, so that the client receives the answer. */
const lingering = 1_000;

export interface NodeExchange {
  readonly request: NodeRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Called before each part of an answer over HTTP/2 is written. */
  beginPart?(): void;
}

/**
 * Writes an answer of the core to `node:http`: synchronously, unless it is compressed or the request's body was not read
 * completely.
 */
export function writeNodeAnswer(answer: ServerAnswer, exchange: NodeExchange): undefined | Promise<void> {
  const written = encode(answer, exchange);
  return isPromise(written)
    ? written.then((encoded) => write(answer, encoded, exchange))
    : write(answer, written, exchange);
}

/** The answer for a framework that writes answers, compressed if the client accepts that. */
export async function encodedAnswer(answer: ServerAnswer, exchange: NodeExchange): Promise<ServerAnswer> {
  const { lines, body, length } = await encode(answer, exchange);
  const headers = lines.flatMap((name, at): HeaderLine[] => (at % 2 === 0 ? [[name, lines[at + 1] ?? ""]] : []));
  if (answer.close === true) {
    headers.push(["Connection", "close"]);
  }
  exchange.request.answerBytes = length;
  return { ...answer, headers, body: exchange.request.method === "HEAD" || length === 0 ? undefined : body };
}

/** The headers and the body to write; a promise if the body is compressed. */
function encode(answer: ServerAnswer, { incoming }: NodeExchange): Written | Promise<Written> {
  const { lines, contentType, encoded } = readHead(answer.headers);
  const { body = "" } = answer;
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  if (length < worthCompressing || encoded || !compressible.test(contentType)) {
    return { lines, body, length };
  }
  lines.push("Vary", "Accept-Encoding");
  const encoding = answerEncoding(incoming.headers["accept-encoding"], ["gzip", "br"]);
  if (encoding === undefined) {
    return { lines, body, length };
  }
  lines.push("Content-Encoding", encoding);
  return compressed(body, encoding).then((bytes) => ({ lines, body: bytes, length: bytes.length }));
}

async function compressed(body: string | Uint8Array, encoding: "gzip" | "br"): Promise<Uint8Array> {
  const compressors = await loadCompressors();
  return compressors[encoding](body);
}

const compressible = /^(?:text\/|application\/(?:.*\+)?(?:xml|json))/;

/** The headers and the body to write. */
interface Written {
  /** Alternating names and values of headers, in Node's format. */
  readonly lines: string[];
  readonly body: string | Uint8Array;
  /** In bytes. */
  readonly length: number;
}

interface Head {
  /** Alternating names and values of headers, in Node's format, without Content-Length. */
  readonly lines: string[];
  readonly contentType: string;
  readonly encoded: boolean;
}

function readHead(headers: readonly HeaderLine[]): Head {
  const lines: string[] = [];
  let contentType = "";
  let encoded = false;
  for (const [name, value] of headers) {
    switch (name.length) {
      case 12:
        if (name.toLowerCase() === "content-type") {
          contentType = value;
        }
        break;
      case 14:
        if (name.toLowerCase() === "content-length") {
          continue;
        }
        break;
      case 16:
        if (name.toLowerCase() === "content-encoding") {
          encoded = true;
        }
        break;
    }
    lines.push(name, value);
  }
  return { lines, contentType, encoded };
}

function write(
  { status, close }: ServerAnswer,
  { lines, body, length }: Written,
  exchange: NodeExchange,
): undefined | Promise<void> {
  const { request, incoming, outgoing } = exchange;
  if (isClosed(outgoing)) {
    return undefined;
  }
  // RFC 9110 §8.6: answers with these statuses have no Content-Length.
  if (status !== 204 && status !== 304) {
    lines.push("Content-Length", String(length));
  }
  request.answerBytes = length;
  // A connection with an unread body cannot be reused.
  const { isRead } = request;
  if (!isRead || close === true || closes(incoming.headers.connection)) {
    outgoing.shouldKeepAlive = false;
  }
  writeHead(outgoing, status, lines);
  if (request.method === "HEAD" || body.length === 0) {
    outgoing.end();
  } else if (isHttp2(outgoing)) {
    endStream(exchange, typeof body === "string" ? Buffer.from(body) : body);
  } else if (!isRead) {
    return endWithoutReading(body, incoming, outgoing);
  } else {
    end(outgoing, body, length);
  }
  return undefined;
}

/**
 * Writes the body and ends the answer. `outgoing.end(body)` would write head, body and an empty text in one `writev`. A single
 * write, which Node performs synchronously, saves 2 of 28 µs for an answer of 2 KB. ASCII text is also Latin 1, which is copied
 * without conversion.
 */
function end(outgoing: ServerResponse, body: string | Uint8Array, length: number): void {
  const { socket } = outgoing;
  if (typeof body !== "string" || socket === null) {
    outgoing.end(body);
    return;
  }
  const encoding = length === body.length ? "latin1" : "utf8";
  if (length > largeBody) {
    // Node would copy a text with the head, and again for the socket: for 10 MB, this takes 9 of 53 ms and 80 MB.
    outgoing.end(Buffer.from(body, encoding));
    return;
  }
  outgoing.write(body, encoding);
  socket.uncork();
  outgoing.end();
}

/** The number of bytes of an answer over HTTP/2 that are written together. */
const partBytes = 65_536;

/** Writes the body of an answer over HTTP/2 in parts, each after the client has received the one before. */
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

/** In bytes. */
const largeBody = 1_048_576;

/** Only the responses of HTTP/2 have a stream. */
function isHttp2(outgoing: ServerResponse): boolean {
  return "stream" in outgoing;
}

/** Node writes a list of lines faster than single headers, but then ignores headers that a framework set before. */
function writeHead(outgoing: ServerResponse, status: number, lines: string[]): void {
  // With a list of lines, HTTP/2 would keep only the last of several headers with the same name.
  if (outgoing.getHeaderNames().length === 0 && !isHttp2(outgoing)) {
    outgoing.writeHead(status, lines);
    return;
  }
  const replaced = new Set<string>();
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const name = lines[at] ?? "";
    const value = lines[at + 1] ?? "";
    if (replaced.has(name.toLowerCase())) {
      outgoing.appendHeader(name, value);
    } else {
      outgoing.setHeader(name, value);
    }
    replaced.add(name.toLowerCase());
  }
  outgoing.writeHead(status);
}

/** Waits for the rest of the request: closing the connection while bytes arrive resets it, and the client loses the answer. */
async function endWithoutReading(
  body: string | Uint8Array,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.write(body);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lingering);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    incoming.once("end", done).once("close", done).resume();
  });
  outgoing.end();
}

function closes(connection: string | undefined): boolean {
  return connection !== undefined && /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(connection);
}
