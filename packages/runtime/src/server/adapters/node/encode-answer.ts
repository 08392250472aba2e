import type { IncomingMessage } from "node:http";
import { isBytes } from "../../../http/bytes.js";
import type { HeaderLine } from "../../../http/headers.js";
import { chooseEncoding, type ServerAnswer } from "../../../http/server-answer.js";

// The content encoding of answers: which are compressed, and with which headers.

/** The functions that compress a body, by content encoding. */
type Compressors = Readonly<Record<"gzip" | "br", (body: string | Uint8Array) => Promise<Uint8Array>>>;

let loadedCompressors: Promise<Compressors> | undefined;

/**
 * Loads `node:zlib` when the first answer is compressed, because loading takes 1.5 ms. Keeps the loaded module, because
 * each further `import()` would take 50 µs.
 */
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

/** The minimum size of a body to compress, in bytes. */
const minCompressedBytes = 1_024;

/** Returns the headers about compression that the answer to GET would have, for an answer to HEAD. */
export function listCompressionOfHead(answer: ServerAnswer, incoming: IncomingMessage): readonly HeaderLine[] {
  const { contentType, isEncoded } = readHead(answer.headers);
  // A body of unknown size is assumed to be large, because most bodies with embedded objects are.
  const length = getLengthOfHead(answer) ?? Number.POSITIVE_INFINITY;
  if (length < minCompressedBytes || isEncoded || !compressibleTypes.test(contentType)) {
    return [];
  }
  const encoding = chooseEncoding(incoming.headers["accept-encoding"], ["gzip", "br"]);
  const vary: HeaderLine = ["Vary", "Accept-Encoding"];
  return encoding === undefined ? [vary] : [vary, ["Content-Encoding", encoding]];
}

/** Returns the length of the uncompressed body that the answer to GET would have; undefined if it is not known. */
function getLengthOfHead({ body = "", omittedBody }: ServerAnswer): number | undefined {
  return omittedBody === undefined ? getBodyLength(body) : omittedBody.length;
}

/** The headers on which the compression of a framework's answer depends. */
interface HeadersOfAnswer {
  readonly contentType: string;
  /** The header `Accept-Encoding` of the request. */
  readonly acceptedEncodings: string | undefined;
}

/**
 * The payload of an answer that a framework writes, and its content encoding. The encoding is undefined if the client
 * accepts none of those supported.
 */
interface CompressedPayload {
  readonly encoding: "gzip" | "br" | undefined;
  readonly payload: unknown;
}

/**
 * Compresses an answer that a framework is about to write. Returns undefined for a payload that is too small or not
 * text.
 */
export async function compressPayload(
  payload: unknown,
  { contentType, acceptedEncodings }: HeadersOfAnswer,
): Promise<CompressedPayload | undefined> {
  if (!(typeof payload === "string" || isBytes(payload)) || !isCompressible(payload, contentType)) {
    return undefined;
  }
  const encoding = chooseEncoding(acceptedEncodings, ["gzip", "br"]);
  return { encoding, payload: encoding === undefined ? payload : await compress(payload, encoding) };
}

export function getBodyLength(body: string | Uint8Array): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

function isCompressible(body: string | Uint8Array, contentType: string): boolean {
  return getBodyLength(body) >= minCompressedBytes && compressibleTypes.test(contentType);
}

/**
 * Returns an answer with the headers and the body that are written. Returns a promise only if the body must be
 * compressed.
 */
export function encodeAnswer(answer: ServerAnswer, incoming: IncomingMessage): EncodedAnswer | Promise<EncodedAnswer> {
  const { lines, contentType, isEncoded } = readHead(answer.headers);
  const { body = "" } = answer;
  const length = getBodyLength(body);
  if (length < minCompressedBytes || isEncoded || !compressibleTypes.test(contentType)) {
    return { lines, body, length };
  }
  lines.push("Vary", "Accept-Encoding");
  const encoding = chooseEncoding(incoming.headers["accept-encoding"], ["gzip", "br"]);
  if (encoding === undefined) {
    return { lines, body, length };
  }
  lines.push("Content-Encoding", encoding);
  return compress(body, encoding).then((bytes) => ({ lines, body: bytes, length: bytes.length }));
}

/** Returns the headers of an answer to HEAD. The length is omitted if only compression would determine it. */
export function encodeHead(answer: ServerAnswer, incoming: IncomingMessage): EncodedAnswer {
  const { lines } = readHead(answer.headers);
  const compression = listCompressionOfHead(answer, incoming);
  lines.push(...compression.flat());
  return { lines, body: "", length: compression.length > 1 ? undefined : getLengthOfHead(answer) };
}

async function compress(body: string | Uint8Array, encoding: "gzip" | "br"): Promise<Uint8Array> {
  const compressors = await loadCompressors();
  return compressors[encoding](body);
}

/** Matches the content types of text formats, which are worth compressing. */
const compressibleTypes = /^(?:text\/|application\/(?:.*\+)?(?:xml|json))/;

/** An answer, with the headers and the body that are actually written. */
export interface EncodedAnswer {
  /** The names and values of the headers, alternating in one list, as Node accepts them. */
  readonly lines: string[];
  readonly body: string | Uint8Array;
  /** The length of the body in bytes; undefined if it is not sent. */
  readonly length: number | undefined;
}

interface Head {
  /** The names and values of the headers, alternating in one list, as Node accepts them, without `Content-Length`. */
  readonly lines: string[];
  readonly contentType: string;
  /** Whether the answer already has a content encoding. */
  readonly isEncoded: boolean;
}

function readHead(headers: readonly HeaderLine[]): Head {
  const lines: string[] = [];
  let contentType = "";
  let isEncoded = false;
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
          isEncoded = true;
        }
        break;
    }
    lines.push(name, value);
  }
  return { lines, contentType, isEncoded };
}
