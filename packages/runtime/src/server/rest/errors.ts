import { RestError } from "../../errors.js";
import { type RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { limitIncident, report } from "../incidents.js";
import { LimitError } from "../limits.js";
import type { OnError } from "../types.js";

/** An error as an answer; what the wire does not tell is reported. */
export function errorAnswer(error: unknown, operation: string | undefined, onError: OnError | undefined): RestAnswer {
  if (error instanceof RestError && Number.isInteger(error.status) && error.status >= 400 && error.status <= 599) {
    reportLimit(error.cause, operation, onError);
    return bodyOf(error);
  }
  if (error instanceof LimitError) {
    reportLimit(error, operation, onError);
    return limitAnswer(error);
  }
  report(onError, { kind: "handler", message: "The handler failed.", error, operation });
  return bodyOf(serverError);
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

export const compressedBody = new RestError({
  code: "rest_unsupported_encoding",
  message: "Compressed request bodies are not supported.",
  status: 415,
});

/** Who is not known is asked to say who they are; who is known is refused. */
export function forbidden(withCredentials: boolean): RestError {
  const message = "Sorry, you are not allowed to do that.";
  return new RestError({ code: "rest_forbidden", message, status: withCredentials ? 403 : 401 });
}

function bodyOf(error: RestError): RestAnswer {
  const { status: _, ...data } = error.data;
  // Headers of an error that another server answered are that server's.
  const headers = error.address === undefined ? Object.fromEntries(error.headers) : {};
  const body = JSON.stringify({ code: error.code, message: error.message, data: { status: error.status, ...data } });
  return restAnswer({ status: error.status, headers, body: JSON.parse(body) });
}

function limitAnswer(error: LimitError): RestAnswer {
  switch (error.limit) {
    case "bodyBytes":
    case "formPairs":
      return bodyOf(refusal("rest_body_too_large", "The request body is too large.", 413));
    case "jsonItems":
      return bodyOf(refusal("rest_too_many_items", "The request has too many list items.", 400));
    case "handlerTimeout":
      return restAnswer({
        ...bodyOf(refusal("rest_timeout", "The server did not answer in time.", 503)),
        headers: { "Retry-After": "1" },
      });
    default:
      return bodyOf(refusal("rest_uri_too_long", "The request has too many or too long parameters.", 414));
  }
}

function refusal(code: string, message: string, status: number): RestError {
  return new RestError({ code, message, status });
}

function reportLimit(error: unknown, operation: string | undefined, onError: OnError | undefined): void {
  const incident = limitIncident(error);
  if (incident !== undefined) report(onError, { ...incident, operation });
}
