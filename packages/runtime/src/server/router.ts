import { RoutedRequest } from "../http/routed-request.js";
import { plainAnswer, type ServerAnswer, type ServerRequest } from "../http/server-messages.js";
import { limitIncident, type OnError, report } from "../observe/incidents.js";
import { LimitError, type LimitOptions, type ServerLimits, withLimits } from "../server-limits.js";
import { Admission } from "./admission.js";
import { isPromise } from "./call-handler.js";
import { isHost } from "./origins.js";
import { type Routes, RoutesByPath } from "./routes.js";

export interface RouterOptions {
  readonly limits?: LimitOptions | undefined;
  /** Called for incidents in this router. Routes have their own hook. */
  readonly onError?: OnError | undefined;
}

/** Answers every request: refuses invalid ones, then tries the routes in order. */
export type Router = (request: ServerRequest) => ServerAnswer | Promise<ServerAnswer>;

/** Creates a router over the routes of several interfaces, for adapters. */
export function createRouter(routes: readonly Routes[], options: RouterOptions = {}): Router {
  const limits = withLimits(options.limits);
  const admission = new Admission(limits);
  const { onError } = options;
  const byPath = new RoutesByPath(routes);
  const ended = (request: RoutedRequest, answer: ServerAnswer): ServerAnswer => {
    admission.end(request);
    const refusal = request.arriving?.refusal;
    return refusal === undefined ? answer : refusedArrival(refusal, onError);
  };
  const failed = (request: RoutedRequest, error: unknown): ServerAnswer => {
    if (request.arriving?.refusal === undefined) {
      report(onError, { kind: "internal", message: "An exception occurred while the request was answered.", error });
    }
    return ended(request, { ...plainAnswer(500, "The server cannot answer."), close: true });
  };
  return (received) => {
    const request = new RoutedRequest(received);
    const refused = refuse(request, limits, admission);
    if (refused !== undefined) {
      const incident = refused.error === undefined ? undefined : limitIncident(refused.error);
      if (incident !== undefined) {
        report(onError, incident);
      }
      return refused.answer;
    }
    admission.admit(request);
    try {
      const answer = byPath.answer(request) ?? plainAnswer(404, "Not found.");
      return isPromise(answer)
        ? answer.then(
            (value) => ended(request, value),
            (error: unknown) => failed(request, error),
          )
        : ended(request, answer);
    } catch (error) {
      return failed(request, error);
    }
  };
}

/** The answer to a request whose body exceeded a limit while it arrived. Replaces the answer of the routes. */
function refusedArrival(error: LimitError, onError: OnError | undefined): ServerAnswer {
  const incident = limitIncident(error);
  if (incident !== undefined) {
    report(onError, incident);
  }
  return error.limit === "bodyRate" ? closing(408, "The request arrives too slowly.") : busy();
}

interface Refusal {
  readonly answer: ServerAnswer;
  readonly error?: LimitError;
}

/** Refuses requests that `node:http` accepts, but that are invalid or exceed a limit. */
function refuse(
  { headers, target, facts }: RoutedRequest,
  limits: ServerLimits,
  admission: Admission,
): Refusal | undefined {
  if (admission.isFull) {
    return overLimit(busy(), "inFlight", limits);
  }
  if (headers.length > limits.headers) {
    return overLimit(closing(431, "Too many headers."), "headers", limits);
  }
  const { headerBytes, hosts, host = "", transferEncoding = "chunked" } = facts;
  if (headerBytes > limits.headerBytes) {
    return overLimit(closing(431, "The headers are too long."), "headerBytes", limits);
  }
  if (target.length > limits.urlBytes) {
    return overLimit(closing(414, "The address is too long."), "urlBytes", limits);
  }
  // RFC 9112 §3.2: servers that are not proxies accept only the origin-form.
  if (!target.startsWith("/")) {
    return { answer: closing(400, "The request target is not a path.") };
  }
  if (hosts > 1 || (host !== "" && !isHost(host))) {
    return { answer: closing(400, "The Host header is not valid.") };
  }
  if (transferEncoding !== "chunked") {
    return { answer: closing(501, "The transfer encoding is not supported.") };
  }
  return undefined;
}

function overLimit(answer: ServerAnswer, limit: keyof ServerLimits, limits: ServerLimits): Refusal {
  return { answer, error: new LimitError(limit, limits[limit]) };
}

/** The answer when the server is at capacity (RFC 9110 §15.6.4). */
export function busy(): ServerAnswer {
  const answer = closing(503, "The server is busy.");
  return { ...answer, headers: [...answer.headers, ["Retry-After", "1"]] };
}

function closing(status: number, text: string): ServerAnswer {
  return { ...plainAnswer(status, text), close: true };
}
