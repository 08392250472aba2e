import type { ExitCode } from "./exit-code.js";
import type { Host } from "./host.js";
import { createProgram } from "./program.js";
import { UsageError } from "./usage-error.js";

/** Runs a command line to its exit code. Everything it says goes to the host's streams. */
export async function run(parameters: readonly string[], host: Host): Promise<ExitCode> {
  let code: ExitCode = 2;
  try {
    const { ownVersion } = await import("./installed.js");
    const done = (result: ExitCode): void => {
      code = result;
    };
    const program = createProgram({ host, version: ownVersion(), done });
    await program.parseAsync(parameters, { from: "user" });
    return code;
  } catch (error) {
    return failure(error, { host, debug: parameters.includes("--debug") });
  }
}

function failure(error: unknown, { host, debug }: { readonly host: Host; readonly debug: boolean }): ExitCode {
  if (isCommanderError(error)) {
    // It has said what it has to say. Help that was asked for is no failure.
    return error.exitCode === 0 ? 0 : 2;
  }
  const known = error instanceof UsageError || (error instanceof Error && error.name === "DiskError");
  const message = error instanceof Error ? error.message : String(error);
  host.err.write(known ? `bothends: ${message}\n` : `bothends: internal error: ${message}\n`);
  if (debug && error instanceof Error) {
    host.err.write(`${error.stack ?? ""}\n`);
  } else if (!known) {
    host.err.write("This is a mistake in bothends. --debug shows where.\n");
  }
  return 2;
}

function isCommanderError(error: unknown): error is Error & { readonly exitCode: number } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith("commander.") &&
    "exitCode" in error
  );
}
