import { RestError } from "../../errors.js";
import { type RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { limitIncident, type MisfitRequest, report, reportMisfit } from "../incidents.js";
import { LimitError } from "../limits.js";
import type { OnError } from "../types.js";

/** A problem of a request or of one of its members; contains no value of the request. */
export type RequestProblem = Omit<MisfitRequest, "protocol">;

/** A request that is refused before its handler is called: the client gets the answer, the operator the problems. */
export class RefusedRequest extends Error {
  readonly answer: RestError;
  readonly problems: readonly RequestProblem[];

  constructor(answer: RestError, problems: readonly RequestProblem[]) {
    super(answer.message);
    this.name = "RefusedRequest";
    this.answer = answer;
    this.problems = problems;
  }
}

/** The endpoint of a request, once it is known. */
export interface CalledEndpoint {
  readonly operation: string | undefined;
  readonly route: string | undefined;
}

/** Returns an error as an answer, and reports the details that the answer does not contain. */
export function errorAnswer(error: unknown, called: CalledEndpoint, onError: OnError | undefined): RestAnswer {
  if (error instanceof RefusedRequest) {
    for (const problem of error.problems) {
      reportMisfit(onError, { protocol: "rest", ...called, ...problem });
    }
    return restErrorAnswer(error.answer);
  }
  if (error instanceof RestError && Number.isInteger(error.status) && error.status >= 400 && error.status <= 599) {
    reportLimit(error.cause, called, onError);
    return restErrorAnswer(error);
  }
  if (error instanceof LimitError) {
    reportLimit(error, called, onError);
    return limitAnswer(error);
  }
  report(onError, { kind: "handler", message: "The handler failed.", error, ...called });
  return restErrorAnswer(serverError);
}

export const noRoute = new RestError({
  code: "rest_no_route",
  message: "No route was found matching the URL and request method.",
  status: 404,
});

export const serverError = new RestError({
  code: "internal_server_error",
  message: "The server cannot answer.",
  status: 500,
});

export function compressedBody(): RefusedRequest {
  const message = "Compressed request bodies are not supported.";
  const answer = new RestError({ code: "rest_unsupported_encoding", message, status: 415 });
  return new RefusedRequest(answer, [{ reason: "The body is compressed." }]);
}

/** 401 asks for credentials; 403 refuses those that were sent. */
export function forbidden(hasCredentials: boolean): RestError {
  const message = "Sorry, you are not allowed to do that.";
  return new RestError({ code: "rest_forbidden", message, status: hasCredentials ? 403 : 401 });
}

function restErrorAnswer(error: RestError): RestAnswer {
  const { status: _, ...data } = error.data;
  // An error with an address comes from a call to another server: its headers are not for our client.
  const headers = error.address === undefined ? Object.fromEntries(error.headers) : {};
  const body = JSON.stringify({ code: error.code, message: error.message, data: { status: error.status, ...data } });
  return restAnswer({ status: error.status, headers, body: JSON.parse(body) });
}

function limitAnswer(error: LimitError): RestAnswer {
  switch (error.limit) {
    case "bodyBytes":
    case "formPairs":
      return restErrorAnswer(refusal("rest_body_too_large", "The request body is too large.", 413));
    case "jsonItems":
      return restErrorAnswer(refusal("rest_too_many_items", "The request has too many list items.", 400));
    case "handlerTimeout":
      return restAnswer({
        ...restErrorAnswer(refusal("rest_timeout", "The server did not answer in time.", 503)),
        headers: { "Retry-After": "1" },
      });
    default:
      return restErrorAnswer(refusal("rest_uri_too_long", "The request has too many or too long parameters.", 414));
  }
}

function refusal(code: string, message: string, status: number): RestError {
  return new RestError({ code, message, status });
}

function reportLimit(error: unknown, called: CalledEndpoint, onError: OnError | undefined): void {
  const incident = limitIncident(error);
  if (incident !== undefined) {
    report(onError, { ...incident, ...called });
  }
}
