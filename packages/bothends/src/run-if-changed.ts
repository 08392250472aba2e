import type { ExitCode, Host } from "./host.js";
import { findSummaryIfUnchanged, type RunSummary, readRecordedOptions, wantsDefaultReport } from "./run-record.js";

export type { ExitCode, Host, Stream } from "./host.js";

/** Runs a command line and returns its exit code. Output goes to the host's streams. */
export async function run(parameters: readonly string[], host: Host): Promise<ExitCode> {
  const start = host.now();
  const [command] = parameters;
  const mayUseRecord = command === "generate" || (command === "check" && parameters.includes("--fast"));
  if (mayUseRecord && wantsDefaultReport(parameters)) {
    const options = readRecordedOptions(parameters);
    const summary = findSummaryIfUnchanged({ options, workingFolder: host.workingFolder });
    if (summary !== undefined) {
      const seconds = ((host.now() - start) / 1000).toFixed(2);
      host.out.write(command === "check" ? formatCheckReport(summary) : formatGenerateReport(summary, seconds));
      return 0;
    }
  }
  // Loads the other modules only if the record shows a change or cannot be used.
  const { runCommand } = await import("./run-command.js");
  return await runCommand(parameters, host);
}

function formatGenerateReport(summary: RunSummary, seconds: string): string {
  const { contract, unchanged } = summary;
  return `Generated ${contract} in ${seconds} s: nothing has changed since the last run.
${formatCounts(summary)}0 added, 0 changed, 0 removed, ${unchanged} unchanged.
`;
}

function formatCheckReport(summary: RunSummary): string {
  const { contract, unchanged } = summary;
  return `${formatCounts(summary)}Up to date (the hashes are those of the last run, so nothing was generated): ${contract}, ${unchanged} files.
`;
}

/** Formats the counts for the beginning of a line: `9 warnings (see --verbose); ` */
function formatCounts({ warnings, notes }: RunSummary): string {
  const counts = [
    ...(warnings > 0 ? [`${warnings} warning${warnings === 1 ? "" : "s"}`] : []),
    ...(notes > 0 ? [`${notes} note${notes === 1 ? "" : "s"}`] : []),
  ];
  return counts.length === 0 ? "" : `${counts.join(", ")} (see --verbose); `;
}
