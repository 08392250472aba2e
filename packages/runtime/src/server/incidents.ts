import { XmlError } from "@bothends/xml";
import { DecodeError } from "../errors.js";
import { LimitError } from "./limits.js";
import type { OnError, ServerIncident } from "./types.js";

/** Calls the user's hook. An error or rejection of the hook changes no answer and does not end the process. */
export function report(onError: OnError | undefined, incident: ServerIncident): void {
  if (onError === undefined) return;
  // There is nobody to report the error of a hook to.
  new Promise<void>((resolve) => resolve(onError(incident))).catch(() => {});
}

/** A request that does not fit the schema, without any of its values: they may be passwords. */
export interface MisfitRequest {
  /** As the schema names it; absent where the request names none that is known. */
  readonly operation?: string | undefined;
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** The member that does not fit. */
  readonly path?: string | undefined;
  readonly reason: string;
}

/** Reports a request that was refused because it does not fit the schema. */
export function reportMisfit(onError: OnError | undefined, { reason, ...place }: MisfitRequest): void {
  report(onError, { kind: "request", message: reason, ...place });
}

/** The reason why a request could not be read; undefined for other errors. */
export function misfitOf(error: unknown): Pick<MisfitRequest, "path" | "reason"> | undefined {
  if (error instanceof DecodeError) return { path: error.path, reason: error.reason };
  if (!(error instanceof XmlError)) return undefined;
  return { reason: `The message is not well-formed (line ${error.line}, column ${error.column}).` };
}

/** The incident for an exceeded limit; undefined for other errors. */
export function limitIncident(error: unknown): ServerIncident | undefined {
  const found = limitOf(error);
  if (found === undefined || !(error instanceof Error)) return undefined;
  const option = `limits.${found.name}`;
  return { kind: `limit.${found.name}`, message: error.message, error, limit: { ...found, option } };
}

function limitOf(error: unknown): { readonly name: string; readonly value: number } | undefined {
  if (error instanceof LimitError) return { name: error.limit, value: error.value };
  if (error instanceof XmlError && error.limit !== undefined) return error.limit;
  return undefined;
}
