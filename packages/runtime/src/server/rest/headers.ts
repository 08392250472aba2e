import { headerValue } from "../headers.js";
import type { HeaderLine, ServerRequest } from "../types.js";
import type { Exchange } from "./exchange.js";

const contentType: HeaderLine = ["Content-Type", "application/json; charset=UTF-8"];
const robots: HeaderLine = ["X-Robots-Tag", "noindex"];
const common: readonly HeaderLine[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link"],
  ["Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type"],
];
/** Answers to a request with credentials are for its sender alone. */
const uncached: readonly HeaderLine[] = [
  ["Expires", "Wed, 11 Jan 1984 05:00:00 GMT"],
  ["Cache-Control", "no-cache, must-revalidate, max-age=0"],
];
const varies: HeaderLine = ["Vary", "Origin"];

/** The headers of every answer, as WordPress sends them; `own` are the answer's, which replace those of the same name. */
export function answerHeaders(own: readonly HeaderLine[], exchange: Exchange): readonly HeaderLine[] {
  const { request, serving } = exchange;
  const headers: HeaderLine[] = [];
  if (!has(own, "content-type")) headers.push(contentType);
  headers.push(robots);
  if (!has(own, "link")) headers.push(["Link", `<${exchange.baseUrl}/>; rel="https://api.w.org/"`]);
  headers.push(...common, ...own);
  const known = hasCredentials(request) || nonceOf(exchange) !== undefined;
  if (known && !has(own, "cache-control")) headers.push(...uncached);

  const origin = headerValue(request.headers, "origin");
  const allow = serving.options.allowOrigin;
  if (origin === undefined)
    return !hasCredentials(request) && request.method === "GET" ? [...headers, varies] : headers;
  if (!/^[\x21-\x7e]+$/.test(origin) || allow?.(origin) === false) return [...headers, varies];
  return [
    ...headers,
    ["Access-Control-Allow-Origin", origin],
    ["Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE"],
    ["Access-Control-Allow-Credentials", "true"],
    varies,
  ];
}

function has(lines: readonly HeaderLine[], name: string): boolean {
  return lines.some(([known]) => known.length === name.length && known.toLowerCase() === name);
}

export function hasCredentials(request: ServerRequest): boolean {
  return headerValue(request.headers, "authorization") !== undefined;
}

/** The query's goes before the header's, as in WordPress. */
export function nonceOf({ query, request }: Exchange): string | undefined {
  const given = query.get("_wpnonce");
  return typeof given === "string" ? given : headerValue(request.headers, "x-wp-nonce");
}
