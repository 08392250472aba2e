import { onlyHeader } from "../headers.js";
import type { HeaderLine, ServerRequest } from "../types.js";

/** What the headers of an answer depend on beside the answer. */
export interface AnswerFacts {
  readonly request: ServerRequest;
  /** The address of the index. */
  readonly baseUrl: string;
  readonly allowOrigin: ((origin: string) => boolean) | undefined;
}

/** The headers of every answer, as WordPress sends them; `own` are the answer's, which replace those of the same name. */
export function answerHeaders(own: readonly HeaderLine[], facts: AnswerFacts): readonly HeaderLine[] {
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const common: HeaderLine[] = [
    ["Content-Type", "application/json; charset=UTF-8"],
    ["X-Robots-Tag", "noindex"],
    ["Link", `<${facts.baseUrl}/>; rel="https://api.w.org/"`],
    ["X-Content-Type-Options", "nosniff"],
    ["Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link"],
    ["Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type"],
  ];
  return [
    ...common.filter(([name]) => !names.has(name.toLowerCase())),
    ...own,
    ...cachingHeaders(facts, names),
    ...originHeaders(facts),
  ];
}

/** Answers to a request with credentials are for its sender alone. */
function cachingHeaders({ request }: AnswerFacts, names: ReadonlySet<string>): readonly HeaderLine[] {
  if (!hasCredentials(request) || names.has("cache-control")) return [];
  return [
    ["Expires", "Wed, 11 Jan 1984 05:00:00 GMT"],
    ["Cache-Control", "no-cache, must-revalidate, max-age=0"],
  ];
}

function originHeaders({ request, allowOrigin }: AnswerFacts): readonly HeaderLine[] {
  const origin = onlyHeader(request.headers, "origin");
  if (origin !== undefined && /^[\x21-\x7e]+$/.test(origin) && (allowOrigin?.(origin) ?? true)) {
    return [
      ["Access-Control-Allow-Origin", origin],
      ["Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE"],
      ["Access-Control-Allow-Credentials", "true"],
      ["Vary", "Origin"],
    ];
  }
  return origin !== undefined || (request.method === "GET" && !hasCredentials(request)) ? [["Vary", "Origin"]] : [];
}

export function hasCredentials(request: ServerRequest): boolean {
  return request.headers.some(([name]) => name.toLowerCase() === "authorization");
}
