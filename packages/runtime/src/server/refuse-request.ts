import { busyRefusal, type EarlyRefusal } from "../http/server-answer.js";
import type { ParsedRequest } from "../http/server-request.js";
import { describeDisconnection, ResultError } from "../observe/incidents.js";
import { LimitError, type ServerLimits } from "../server-limits.js";
import { describeValue } from "../value-problems.js";
import { isHost } from "./origins.js";

/**
 * Returns the refusal of a request that exceeded a limit of the router while its body was being received or read. It
 * replaces the routes' answer.
 */
export function createLateRefusal(error: LimitError): EarlyRefusal {
  return isSlowArrival(error) ? { status: 408, text: "The request arrives too slowly." } : busyRefusal;
}

function isSlowArrival({ limit }: LimitError): boolean {
  return limit === "bodyRate" || limit === "requestTimeout";
}

/**
 * Returns the message for the operator about a request that exceeded a limit while its body was being received or read.
 * Distinguishes a client that stopped sending from one that sends slowly, because another limit helps only the latter.
 */
export function formatLateRefusal(refusal: LimitError, { usage, parsedHeaders }: ParsedRequest): string {
  const body = usage?.body;
  if (body === undefined || !isSlowArrival(refusal)) {
    return refusal.message;
  }
  const { elapsedTime, idleTime } = body;
  const { contentLength } = parsedHeaders;
  const arrived = formatArrivedBytes(body.receivedBytes, contentLength);
  if (body.isHeld) {
    return `Other code, such as middleware, has paused the request, or passes it to a stream that does not read it: ${arrived} of the body had been read, so the server ended the request (option "${refusal.option}").`;
  }
  if (idleTime < elapsedTime / 2) {
    return `${refusal.message} ${arrived} of the body had arrived.`;
  }
  const mistake =
    contentLength === undefined
      ? "it did not send the end of the body, such as the last chunk"
      : "its Content-Length is too large, for example because it counts characters instead of bytes";
  return `The client stopped sending the body: ${arrived} had arrived, and none in the last ${Math.round(idleTime)} ms, so the server ended the request (option "${refusal.option}"). The client or its network may have failed, or ${mistake}.`;
}

/** Returns the number of bytes of a body that have arrived, and its length if it is known: `2 of the 500 bytes`. */
function formatArrivedBytes(receivedBytes: number, contentLength: number | undefined): string {
  return `${receivedBytes}${contentLength === undefined ? "" : ` of the ${contentLength}`} bytes`;
}

/** Says for the operator why the connection of a request ended before its body was complete. */
export function describeCutOff({ usage, parsedHeaders, disconnectedBy }: ParsedRequest): string {
  const arrived = formatArrivedBytes(usage?.body?.receivedBytes ?? 0, parsedHeaders.contentLength);
  return `${describeDisconnection(disconnectedBy)} before its request was complete. ${arrived} of the body had arrived.`;
}

/** The refusal of a request before it is routed, and what operators learn about it. */
export interface RouterRefusal extends EarlyRefusal {
  readonly error?: LimitError;
  /** The reason why the request is not valid. It is only for operators. */
  readonly reason?: string;
}

/** Refuses requests that `node:http` accepts but that are invalid or exceed a limit. */
export function refuseRequest(
  { headers, target, parsedHeaders }: ParsedRequest,
  limits: ServerLimits,
  exceededLimit: LimitError | undefined,
): RouterRefusal | undefined {
  if (exceededLimit !== undefined) {
    return { ...busyRefusal, error: exceededLimit };
  }
  if (headers.length > limits.headers) {
    return refuseOverLimit({ status: 431, text: "The request has too many headers." }, "headers", limits);
  }
  const { headerBytes, hostCount, host = "", transferEncoding = "chunked" } = parsedHeaders;
  if (headerBytes > limits.headerBytes) {
    return refuseOverLimit({ status: 431, text: "The headers of the request are too long." }, "headerBytes", limits);
  }
  if (target.length > limits.urlBytes) {
    return refuseOverLimit({ status: 414, text: "The address of the request is too long." }, "urlBytes", limits);
  }
  // RFC 9112 §3.2: a server that is not a proxy accepts only a path as the target (the origin-form).
  if (!target.startsWith("/")) {
    return refuseWith(400, "The request target must begin with a slash: the client may take this server for a proxy.");
  }
  if (hostCount > 1 || (host !== "" && !isHost(host))) {
    return refuseWith(400, "The request must have one Host header, with a host and an optional port.");
  }
  if (transferEncoding !== "chunked") {
    return refuseWith(501, "The only supported transfer encoding is chunked.");
  }
  return undefined;
}

function refuseWith(status: number, reason: string): RouterRefusal {
  return { status, text: reason, reason };
}

function refuseOverLimit(refusal: EarlyRefusal, limit: keyof ServerLimits, limits: ServerLimits): RouterRefusal {
  return { ...refusal, error: new LimitError(limit, limits[limit]) };
}

/**
 * The type of a result of the option `authenticate`: not null, because `authorize` may recognize only undefined as
 * anonymous.
 */
export type NotNull<Principal> = Principal & (NonNullable<unknown> | undefined);

/**
 * Returns a result of the option `authenticate`. Throws for null and for other values that count as false: databases
 * return them for an unknown user, but `authorize` may recognize only undefined as anonymous.
 */
export function checkPrincipal(principal: unknown): unknown {
  if (principal || principal === undefined) {
    return principal;
  }
  const form = principal === "" ? "an empty string" : String(principal);
  throw new ResultError("authenticate", form, "It must return undefined for an anonymous caller.");
}

/** The result of the option `authenticate`. */
export interface Authentication {
  readonly principal: unknown;
  /** The reason why the function found no user, if it is a function of this package. */
  readonly anonymousReason?: string | undefined;
}

interface RefusedCaller {
  /** The result of the option `authorize`. */
  readonly result: unknown;
  /** Undefined if the option `authenticate` is not set. */
  readonly authentication: Authentication | undefined;
  /** The reason why the caller is anonymous, if another reason than the `Authorization` header is known. */
  readonly anonymousReason?: string | undefined;
}

/**
 * Returns a message for operators about a call that the option `authorize` refused. If the caller is anonymous, the
 * message also says why.
 */
export function formatRefusedCaller(
  { parsedHeaders }: ParsedRequest,
  { result, authentication, anonymousReason }: RefusedCaller,
): string {
  if (result !== false) {
    return `The function in the option "authorize" returned ${describeValue(result)}, which refuses the call. It must return true or false.`;
  }
  const message = 'The function in the option "authorize" refused the call.';
  const explanation =
    authentication?.principal === undefined
      ? explainAnonymousCaller(parsedHeaders, authentication, anonymousReason)
      : undefined;
  return explanation === undefined ? message : `${message} ${explanation}`;
}

/** Returns a sentence that explains why a caller is anonymous. Returns undefined if the reason is not known. */
function explainAnonymousCaller(
  { hasAuthorization, hasCookie }: ParsedRequest["parsedHeaders"],
  authentication: Authentication | undefined,
  anonymousReason: string | undefined,
): string | undefined {
  if (authentication?.anonymousReason !== undefined) {
    return authentication.anonymousReason;
  }
  if (hasAuthorization) {
    return (
      authentication &&
      'The request has an Authorization header, but the function in the option "authenticate" found no user for it: the scheme may be another, or the credentials not valid.'
    );
  }
  if (anonymousReason !== undefined) {
    return anonymousReason;
  }
  return hasCookie && authentication !== undefined
    ? 'The request has a cookie, but the function in the option "authenticate" found no user for it: the session may have expired. It has no Authorization header.'
    : "The request has no Authorization header. If the credentials must be in it, the client has not sent it, or a proxy has removed it.";
}
