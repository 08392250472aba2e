import type { HeaderLine } from "./headers.js";

/** The answer of a server as a plain object. An adapter sends it. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** The body of the answer. A string is sent as UTF-8; undefined means no body. */
  readonly body: Uint8Array | string | undefined;
  /** In an answer to HEAD without a body, the size in bytes of the body that GET would have, if it is known. */
  readonly omittedBody?: { readonly length: number | undefined } | undefined;
  /** The code of the fault or error in the body, for events. */
  readonly faultCode?: string | undefined;
  /** Whether to close the connection after this answer, for example because the request was not read completely. */
  readonly close?: boolean;
}

/** Returns the answer to HEAD (RFC 9110 §9.3.2) for the answer to GET. */
export function omitBody(answer: ServerAnswer): ServerAnswer {
  const { body = "" } = answer;
  const { length } = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { ...answer, body: undefined, omittedBody: { length } };
}

/** Prevents browsers from guessing another content type, such as HTML. */
export const nosniff: HeaderLine = ["X-Content-Type-Options", "nosniff"];

/** Returns an answer with a short HTML page, for errors that belong to no protocol. */
export function createShortPage(status: number, text: string): ServerAnswer {
  return {
    status,
    headers: [["Content-Type", "text/html; charset=utf-8"], nosniff],
    body: `<!DOCTYPE html>\n<title>${status}</title>\n<p>${text}</p>\n`,
  };
}

/** The refusal of a request before its call is read. Routes answer with it in the form of their protocol. */
export interface EarlyRefusal {
  readonly status: number;
  /** A sentence for the client. It contains no values from the request. */
  readonly text: string;
  readonly headers?: readonly HeaderLine[] | undefined;
}

/** Returns the answer to a refused request that belongs to no routes: a short HTML page. */
export function createEarlyPage({ status, text, headers = [] }: EarlyRefusal): ServerAnswer {
  const page = createShortPage(status, text);
  return { ...page, headers: [...page.headers, ...headers] };
}

/** The refusal of a request by a server that has reached its limits (RFC 9110 §15.6.4). */
export const busyRefusal: EarlyRefusal = {
  status: 503,
  text: "The server is busy. Try again later.",
  headers: [["Retry-After", "1"]],
};

/**
 * Prevents browsers from showing XML as a page and from running scripts in it. Allows inline styles and data: images,
 * which Chrome's XML viewer needs.
 */
export const inertXml: readonly HeaderLine[] = [
  nosniff,
  ["Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"],
];

/** The content encodings that servers can write (RFC 9110 §8.4.1). */
export type AnswerEncoding = "gzip" | "br";

/**
 * Returns the encoding for an answer, chosen by the request's `Accept-Encoding` header (RFC 9110 §12.5.3): the
 * supported encoding with the highest weight, or the first of several with the same weight. Returns undefined if the
 * header is absent or accepts none of the supported encodings.
 */
export function chooseEncoding(
  header: string | undefined,
  supportedEncodings: readonly AnswerEncoding[],
): AnswerEncoding | undefined {
  if (header === undefined) {
    return undefined;
  }
  // Most `Accept-Encoding` headers have no weights, and are read by a faster function.
  const weights = header.includes(";") || header.includes("*") ? parseWeights(header) : readEqualWeights(header);
  let chosenEncoding: AnswerEncoding | undefined;
  let highestWeight = 0;
  for (const encoding of supportedEncodings) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    if (weight > highestWeight) {
      chosenEncoding = encoding;
      highestWeight = weight;
    }
  }
  return chosenEncoding;
}

function readEqualWeights(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(",").map((item) => [parseCoding(item), 1]));
}

function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(",")) {
    const [coding = "", ...parameters] = item.split(";");
    const weight = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]).find(Boolean);
    weights.set(parseCoding(coding), weight === undefined ? 1 : Number(weight));
  }
  return weights;
}

function parseCoding(text: string): string {
  const coding = text.trim().toLowerCase();
  return coding === "x-gzip" ? "gzip" : coding;
}
