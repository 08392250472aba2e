import { XmlError } from "@bothends/xml";
import { DecodeError } from "../errors.js";
import { LimitError } from "../server-limits.js";

/**
 * An event that the operator should know about, and that answers describe only in part: an exception of a handler, an
 * exceeded limit, a request or an answer that does not fit the schema.
 */
export interface ServerIncident {
  /** `handler`, `encode`, `request`, `limit.bodyBytes`, `limit.handlerTimeout` … */
  readonly kind: string;
  /** Describes the problem. Never contains a value of the request. */
  readonly message: string;
  /** For `request`: the member that does not fit, if it is known: `/CheckUSA/State`, or `/include/1` of a REST request. */
  readonly path?: string | undefined;
  /** The exception, if there is one. */
  readonly error?: unknown;
  /** The operation or endpoint, if it is known. */
  readonly operation?: string | undefined;
  /** For a REST request: the route's key in the index, if it is known. */
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** For limits. */
  readonly limit?: { readonly name: string; readonly value: number; readonly option: string } | undefined;
}

/** Called for every incident, for logging. Errors that it throws are ignored. */
export type OnError = (incident: ServerIncident) => void;

/** Calls the user's hook. An error or rejection of the hook changes no answer and does not end the process. */
export function report(onError: OnError | undefined, incident: ServerIncident): void {
  if (onError === undefined) {
    return;
  }
  // An error of the hook cannot be reported.
  new Promise<void>((resolve) => resolve(onError(incident))).catch(() => {});
}

/** A request that does not fit the schema. Contains none of its values, which may be passwords. */
export interface MisfitRequest {
  /** The name in the schema; absent if the request does not name a known operation. */
  readonly operation?: string | undefined;
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** The member that does not fit. */
  readonly path?: string | undefined;
  readonly reason: string;
}

/** Reports a request that was refused because it does not fit the schema. */
export function reportMisfit(onError: OnError | undefined, { reason, ...source }: MisfitRequest): void {
  report(onError, { kind: "request", message: reason, ...source });
}

/** The reason why a request could not be read; undefined for other errors. */
export function misfitOf(error: unknown): Pick<MisfitRequest, "path" | "reason"> | undefined {
  if (error instanceof DecodeError) {
    return { path: error.path, reason: error.reason };
  }
  if (!(error instanceof XmlError)) {
    return undefined;
  }
  return { reason: `The message is not well-formed (line ${error.line}, column ${error.column}).` };
}

/** The incident for an exceeded limit; undefined for other errors. */
export function limitIncident(error: unknown): ServerIncident | undefined {
  const limit = limitOf(error);
  if (limit === undefined || !(error instanceof Error)) {
    return undefined;
  }
  const option = `limits.${limit.name}`;
  return { kind: `limit.${limit.name}`, message: error.message, error, limit: { ...limit, option } };
}

function limitOf(error: unknown): { readonly name: string; readonly value: number } | undefined {
  if (error instanceof LimitError) {
    return { name: error.limit, value: error.value };
  }
  if (error instanceof XmlError && error.limit !== undefined) {
    return error.limit;
  }
  return undefined;
}
