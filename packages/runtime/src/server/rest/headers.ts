import { headerValue } from "../headers.js";
import type { HeaderLine, ServerRequest } from "../types.js";
import { originHeaders } from "./cross-origin.js";
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

/** The headers of every answer, as WordPress sends them; `own` are the answer's, which replace those of the same name. */
export function answerHeaders(own: readonly HeaderLine[], exchange: Exchange): readonly HeaderLine[] {
  const headers: HeaderLine[] = [];
  if (!has(own, "content-type")) headers.push(contentType);
  headers.push(robots);
  if (!has(own, "link")) headers.push(["Link", `<${exchange.baseUrl}/>; rel="https://api.w.org/"`]);
  headers.push(...common, ...own);
  if (isPersonal(exchange) && !has(own, "cache-control")) headers.push(...uncached);
  headers.push(...originHeaders(exchange));
  return headers;
}

/** WordPress knows nobody by a cookie without a nonce. */
function isPersonal({ request, nonce, serving }: Exchange): boolean {
  if (hasCredentials(request) || nonce !== undefined) return true;
  return serving.options.cors !== "wordpress" && headerValue(request.headers, "cookie") !== undefined;
}

function has(lines: readonly HeaderLine[], name: string): boolean {
  return lines.some(([known]) => known.length === name.length && known.toLowerCase() === name);
}

export function hasCredentials(request: ServerRequest): boolean {
  return headerValue(request.headers, "authorization") !== undefined;
}
