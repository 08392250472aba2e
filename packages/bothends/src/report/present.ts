import type { SourceText } from "@bothends/generator/diagnostics";
import { type ExitCode, type Host, hasColour } from "../host.js";
import type { Outcome, ReportOptions } from "./outcome.js";
import { pathsBelow } from "./paths.js";

/** Prints an outcome, and returns the exit code. The verdict is the last line of standard output, or of standard error after a failure. */
export async function present(outcome: Outcome, options: ReportOptions, host: Host): Promise<ExitCode> {
  const shown = pathsBelow(host.workingFolder, outcome.root);
  const pathOf = ({ path }: SourceText) => shown(path);
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
  host.err.write((outcome.notes ?? []).map((note) => `note: ${note}\n`).join(""));
  host.out.write(body);
  stream.write(verdict);
  return outcome.exit;
}
