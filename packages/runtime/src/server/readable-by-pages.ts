import { type HeaderLine, headerValue, routedRequest, type ServerAnswer } from "../http/server-messages.js";

import { isPromise } from "./call-handler.js";
import { isSingleOrigin } from "./origins.js";
import type { Routes } from "./routes.js";

const varies: HeaderLine = ["Vary", "Origin"];
/** Seconds for which browsers need not ask again. */
const maxAge = "600";
const exposed = "Retry-After, X-Request-Id";
/** Header names that a browser asks for: tokens, at most 1 KB. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/**
 * Lets pages of other origins read the answers of routes (CORS, Fetch Standard §3.2): all pages without credentials, or those
 * that `allowOrigin` allows, with them. Also answers the requests with which browsers ask before (OPTIONS).
 */
export function readableByPages(routes: Routes, allowOrigin: ((origin: string) => boolean) | undefined): Routes {
  return {
    name: routes.name,
    paths: routes.paths,
    answer(received) {
      const request = routedRequest(received);
      const answer = routes.answer(request);
      if (answer === undefined) {
        return undefined;
      }
      const { origin } = request.facts;
      const added = originHeaders(origin, allowOrigin);
      if (request.method === "OPTIONS" && origin !== undefined) {
        const asked = headerValue(request.headers, "access-control-request-headers");
        return { status: 204, headers: [...added, ...preflightHeaders(asked, added)], body: undefined };
      }
      const complete = (value: ServerAnswer): ServerAnswer => ({ ...value, headers: [...value.headers, ...added] });
      return isPromise(answer) ? answer.then(complete) : complete(answer);
    },
  };
}

function originHeaders(
  origin: string | undefined,
  allowOrigin: ((origin: string) => boolean) | undefined,
): readonly HeaderLine[] {
  if (origin === undefined || !isSingleOrigin(origin) || allowOrigin?.(origin) === false) {
    return [varies];
  }
  const expose: HeaderLine = ["Access-Control-Expose-Headers", exposed];
  return allowOrigin === undefined
    ? [["Access-Control-Allow-Origin", "*"], expose, varies]
    : [["Access-Control-Allow-Origin", origin], ["Access-Control-Allow-Credentials", "true"], expose, varies];
}

function preflightHeaders(asked: string | undefined, origin: readonly HeaderLine[]): readonly HeaderLine[] {
  if (origin.length === 1) {
    return [];
  }
  const names = asked !== undefined && asked.length <= 1_024 && headerNames.test(asked) ? asked : undefined;
  return [
    ["Access-Control-Allow-Methods", "GET, POST"],
    ["Access-Control-Allow-Headers", names ?? "Authorization, Content-Type, SOAPAction, X-Request-Id"],
    ["Access-Control-Max-Age", maxAge],
  ];
}
