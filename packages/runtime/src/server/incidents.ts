import { XmlError } from "@bothends/xml";
import { LimitError } from "./limits.js";
import type { OnError, ServerIncident } from "./types.js";

/** Tells the user's hook; what the hook throws, at once or later, must not change the answer or end the process. */
export function report(onError: OnError | undefined, incident: ServerIncident): void {
  if (onError === undefined) return;
  // A hook that fails has nobody to tell.
  new Promise<void>((resolve) => resolve(onError(incident))).catch(() => {});
}

/** The incident of a refused limit, whichever layer refused it; undefined for other errors. */
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
