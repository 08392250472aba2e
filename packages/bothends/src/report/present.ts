import { join } from "node:path";
import type { SourceText } from "@bothends/generator/diagnostics";
import { type ExitCode, type Host, hasColour } from "../host.js";
import type { Outcome, ReportOptions } from "./outcome.js";
import { shownPath } from "./paths.js";

/** Prints an outcome, and returns the exit code. The verdict is the last line of standard output, or of standard error after a failure. */
export async function present(outcome: Outcome, options: ReportOptions, host: Host): Promise<ExitCode> {
  const pathOf = pathsFrom(host.workingFolder, outcome.root);
  const { format = "text", verbose = false } = options;
  if (format !== "text") {
    const { outcomeForGithub, outcomeJson } = await import("./machine.js");
    host.out.write(format === "json" ? outcomeJson(outcome, pathOf) : outcomeForGithub(outcome, pathOf));
    return outcome.exit;
  }
  const { outcomeText } = await import("./text.js");
  const stream = outcome.exit === 0 ? host.out : host.err;
  const { diagnostics } = outcomeText(outcome, { colour: hasColour(host, host.err), verbose, pathOf });
  const { body, verdict } = outcomeText(outcome, { colour: hasColour(host, stream), verbose, pathOf });
  host.err.write(diagnostics);
  host.out.write(body);
  stream.write(verdict);
  return outcome.exit;
}

/** Returns paths relative to the working directory, so that terminals can open them. */
function pathsFrom(workingFolder: string, root: string | undefined): (source: SourceText) => string {
  return ({ path }) =>
    root === undefined || path.startsWith("(") ? path : shownPath(workingFolder, join(root, ...path.split("/")));
}
