import { Admission, type Admitted } from "./admission.js";
import { countHeader, isHost, onlyHeader } from "./headers.js";
import { limitIncident, report } from "./incidents.js";
import { LimitError, type LimitOptions, type ServerLimits, withLimits } from "./limits.js";
import { plainAnswer } from "./plain-answer.js";
import type { OnError, Routes, ServerAnswer, ServerRequest } from "./types.js";

export interface RouterOptions {
  readonly limits?: LimitOptions | undefined;
  /** Told of everything that the wire does not tell, in this router and not in its routes. */
  readonly onError?: OnError | undefined;
}

/** Answers every request: checks what no route should see, then asks each of the routes in turn. */
export type Router = (request: ServerRequest) => Promise<ServerAnswer>;

/** One router over the routes of several interfaces: what adapters call. */
export function createRouter(routes: readonly Routes[], options: RouterOptions = {}): Router {
  const limits = withLimits(options.limits);
  const admission = new Admission(limits);
  return async (request) => {
    const refused = refuse(request, limits, admission);
    if (refused !== undefined) {
      const incident = refused.error === undefined ? undefined : limitIncident(refused.error);
      if (incident !== undefined) report(options.onError, incident);
      return refused.answer;
    }
    const admitted = admission.admit(request);
    try {
      const answer = await answered(routes, admitted, options.onError);
      return admitted.refusal === undefined ? answer : refusedArrival(admitted.refusal, options.onError);
    } finally {
      admitted.end();
    }
  };
}

async function answered(
  routes: readonly Routes[],
  request: Admitted,
  onError: OnError | undefined,
): Promise<ServerAnswer> {
  try {
    for (const one of routes) {
      const answer = one.answer(request);
      if (answer !== undefined) return await answer;
    }
    return plainAnswer(404, "Not found.");
  } catch (error) {
    if (request.refusal === undefined) report(onError, { kind: "internal", message: "The routes failed.", error });
    return { ...plainAnswer(500, "The server cannot answer."), close: true };
  }
}

/** Whatever the routes answer to a body that was not read: the client learns why it was not. */
function refusedArrival(error: LimitError, onError: OnError | undefined): ServerAnswer {
  const incident = limitIncident(error);
  if (incident !== undefined) report(onError, incident);
  return error.limit === "bodyRate" ? closing(408, "The request arrives too slowly.") : busy();
}

/** Several routes as one: what a facade over the services of an interface returns. */
export function combineRoutes(name: string, routes: readonly Routes[]): Routes {
  return {
    name,
    answer(request) {
      for (const one of routes) {
        const answer = one.answer(request);
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
  };
}

interface Refusal {
  readonly answer: ServerAnswer;
  readonly error?: LimitError;
}

/** What `node:http` lets through and no server should answer. */
function refuse(request: ServerRequest, limits: ServerLimits, admission: Admission): Refusal | undefined {
  if (admission.isFull) return overLimit(busy(), "inFlight", limits);
  if (request.headers.length > limits.headers) return overLimit(closing(431, "Too many headers."), "headers", limits);
  if (headerBytes(request) > limits.headerBytes) {
    return overLimit(closing(431, "The headers are too long."), "headerBytes", limits);
  }
  if (request.target.length > limits.urlBytes) {
    return overLimit(closing(414, "The address is too long."), "urlBytes", limits);
  }
  // RFC 9112 §3.2: only origin-form is for servers that are no proxies.
  if (!request.target.startsWith("/")) return { answer: closing(400, "The request target is not a path.") };
  const host = onlyHeader(request.headers, "host");
  if (countHeader(request.headers, "host") > 1 || (host !== undefined && host !== "" && !isHost(host))) {
    return { answer: closing(400, "The Host header is not valid.") };
  }
  const coding = request.headers.filter(([name]) => name.toLowerCase() === "transfer-encoding");
  if (coding.some(([, value]) => value.trim().toLowerCase() !== "chunked")) {
    return { answer: closing(501, "The transfer encoding is not supported.") };
  }
  return undefined;
}

function headerBytes(request: ServerRequest): number {
  // Each line has ": " and CRLF beside its name and value.
  return request.headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

function overLimit(answer: ServerAnswer, limit: keyof ServerLimits, limits: ServerLimits): Refusal {
  return { answer, error: new LimitError(limit, limits[limit]) };
}

/** Over capacity: come back later (RFC 9110 §15.6.4). */
export function busy(): ServerAnswer {
  const answer = closing(503, "The server is busy.");
  return { ...answer, headers: [...answer.headers, ["Retry-After", "1"]] };
}

function closing(status: number, text: string): ServerAnswer {
  return { ...plainAnswer(status, text), close: true };
}
