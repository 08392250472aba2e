import { createProgram } from "./command-line.js";
import { type ExitCode, type Host, UsageError } from "./host.js";

/** Runs a command line and returns its exit code. Output goes to the host's streams. */
export async function run(parameters: readonly string[], host: Host): Promise<ExitCode> {
  let code: ExitCode = 2;
  try {
    const { ownVersion } = await import("./packed-files.js");
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
    // Commander has printed its message. Requested help is not a failure.
    return error.exitCode === 0 ? 0 : 2;
  }
  const known = error instanceof UsageError || (error instanceof Error && error.name === "DiskError");
  const message = error instanceof Error ? error.message : String(error);
  host.err.write(known ? `bothends: ${message}\n` : `bothends: internal error: ${message}\n`);
  if (debug && error instanceof Error) {
    host.err.write(`${error.stack ?? ""}\n`);
  } else if (!known) {
    host.err.write("This is a mistake in bothends. Use --debug for a stack trace.\n");
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
