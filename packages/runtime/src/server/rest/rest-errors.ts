import { EncodeError, errorInits, isForCallers, RestError, type RestErrorInit } from "../../answer-errors.js";
import type { ParsedHeaders } from "../../http/headers.js";
import { describeCompression, type ParsedRequest } from "../../http/server-request.js";
import type { OnError } from "../../observe/events.js";
import {
  createThrownIncident,
  createUnreadableError,
  type InvalidRequest,
  OptionError,
  report,
  reportInvalidRequest,
  reportUnfitAnswer,
} from "../../observe/incidents.js";
import { RestAnswer } from "../../rest/rest-answer.js";
import type { RestConventions, RestErrorName } from "../../rest/wordpress-conventions.js";
import { LimitError } from "../../server-limits.js";
import { BodyError, createFailureIncident } from "../body.js";
import { addMistakes, findMisspelledMembers, findRestErrorMistakes } from "../error-mistakes.js";

/** A problem with a request or with one of its members. It contains no values from the request. */
export type RequestProblem = Omit<InvalidRequest, "protocol">;

/**
 * Thrown for a request that is refused before its handler is called. The client receives the answer; the problems are
 * reported to the operator.
 */
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

/** The names of the endpoint to which a request was sent. They are undefined until the endpoint is known. */
export interface CalledEndpoint {
  readonly operation: string | undefined;
  readonly route: string | undefined;
}

interface FailedRequest {
  readonly conventions: RestConventions;
  readonly onError: OnError | undefined;
  readonly request: ParsedRequest;
}

/** Converts an error to an answer, and reports the details that the answer leaves out. */
export function createErrorAnswer(
  error: unknown,
  calledEndpoint: CalledEndpoint,
  { conventions, onError, request }: FailedRequest,
): RestAnswer {
  if (error instanceof RefusedRequest) {
    for (const problem of error.problems) {
      reportInvalidRequest(onError, { protocol: "rest", ...calledEndpoint, ...problem }, request);
    }
    return createRestErrorAnswer(error.answer);
  }
  try {
    return describeThrown(error, calledEndpoint, { conventions, onError, request });
  } catch (cause) {
    // A value in the error cannot be read, such as a revoked Proxy in the data of a RestError.
    return describeThrown(createUnreadableError(cause), calledEndpoint, { conventions, onError, request });
  }
}

function describeThrown(
  error: unknown,
  calledEndpoint: CalledEndpoint,
  { conventions, onError, request }: FailedRequest,
): RestAnswer {
  const source = { protocol: "rest", ...calledEndpoint };
  if (error instanceof BodyError) {
    report(onError, { ...createFailureIncident(error), ...source }, request);
    return createRestErrorAnswer(createConventionalError("serverError", conventions));
  }
  const thrown = error instanceof OptionError ? error.cause : error;
  if (error instanceof EncodeError) {
    reportUnfitAnswer(onError, error, { ...source, request });
    return createRestErrorAnswer(createConventionalError("serverError", conventions));
  }
  // If the option `validate` fails, the reason is never a mistake of the client.
  const isForClient = !(error instanceof OptionError && error.option === "validate");
  const ownError = thrown instanceof RestError && isForCallers(thrown) ? thrown : undefined;
  const mistakes = ownError === undefined ? [] : findRestErrorMistakes(ownError);
  const errorForClient = isForClient && mistakes.length === 0 ? ownError : undefined;
  const misspelledMembers = ownError === undefined ? [] : findMisspelledMembers(ownError);
  const incident = addMistakes(
    createThrownIncident(error, { errorForClient, request }),
    [...mistakes, ...misspelledMembers],
    thrown,
  );
  if (incident !== undefined) {
    report(onError, { ...incident, ...source }, request);
  }
  if (thrown instanceof LimitError) {
    return createLimitAnswer(thrown, conventions);
  }
  return createRestErrorAnswer(errorForClient ?? createConventionalError("serverError", conventions));
}

/** Creates one of the server's own errors, with additional members for its `data`. */
export function createConventionalError(
  name: RestErrorName,
  conventions: RestConventions,
  init: Partial<Pick<RestErrorInit, "data" | "cause">> = {},
): RestError {
  return new RestError({ ...conventions.errors[name], ...init });
}

/** Returns the error for a compressed body, if the router does not accept compressed bodies. */
export function createCompressedBodyError(conventions: RestConventions, headers: ParsedHeaders): RefusedRequest {
  const reason = describeCompression(headers);
  return new RefusedRequest(createConventionalError("compressedBody", conventions), [{ reason }]);
}

/** Returns the error for a body that cannot be read. */
export function createInvalidBodyError(conventions: RestConventions, reason: string): RefusedRequest {
  return new RefusedRequest(createConventionalError("invalidJson", conventions), [{ reason }]);
}

function createRestErrorAnswer(error: RestError): RestAnswer {
  const { status: _, ...data } = error.data;
  const init: Partial<RestErrorInit> = errorInits.get(error) ?? {};
  const pairs = [...(init.headers ?? [])];
  // An iterator has no pairs left when the error has been created.
  const headers = groupHeaders(pairs.length === 0 ? error.headers : pairs);
  const body = JSON.stringify({ code: error.code, message: error.reason, data: { status: error.status, ...data } });
  return new RestAnswer({ status: error.status, headers, body: JSON.parse(body) });
}

/** Returns headers by name. A name with several values has a list of them, which only `Set-Cookie` can have. */
function groupHeaders(pairs: Iterable<readonly [string, string]>): RestAnswer["headers"] {
  const headers = new Map<string, string | readonly string[]>();
  for (const [name, value] of pairs) {
    const earlierValues = headers.get(name);
    headers.set(name, earlierValues === undefined ? value : [...[earlierValues].flat(), value]);
  }
  return Object.fromEntries(headers);
}

function createLimitAnswer({ limit }: LimitError, conventions: RestConventions): RestAnswer {
  const answer = createRestErrorAnswer(createConventionalError(limitErrors[limit] ?? "addressTooLong", conventions));
  return limit === "handlerTimeout" ? new RestAnswer({ ...answer, headers: { "Retry-After": "1" } }) : answer;
}

/**
 * The error for a request that exceeds a limit, by the name of the limit. For all other limits, the address is too
 * long.
 */
const limitErrors: Readonly<Record<string, RestErrorName>> = {
  bodyBytes: "bodyTooLarge",
  inflatedBytes: "bodyTooLarge",
  inFlightBytes: "bodyTooLarge",
  arrivingBytes: "bodyTooLarge",
  formPairs: "bodyTooLarge",
  segmentChars: "noRoute",
  jsonItems: "tooManyItems",
  handlerTimeout: "timeout",
};
