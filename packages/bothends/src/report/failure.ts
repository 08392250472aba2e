import { UsageError } from "../host.js";
import type { Outcome } from "./outcome.js";

/** The outcome of a command that an exception ended: a mistake in the command line, on the disk, or in bothends itself. */
export function failureOutcome(error: unknown, { debug = false }: { readonly debug?: boolean } = {}): Outcome {
  const trace = debug && error instanceof Error ? error.stack : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const failed = { exit: 2, result: "nothing written" } as const;
  if (error instanceof UsageError) {
    return { ...failed, mistakes: [{ message, help: error.help, trace }], advice: error.advice };
  }
  if (error instanceof Error && error.name === "DiskError") {
    return { ...failed, mistakes: [{ message, trace }] };
  }
  const help = "This is a mistake in bothends. Use --debug for a stack trace.";
  return { ...failed, mistakes: [{ message: `internal error: ${message}`, help, trace }] };
}
