import type { ChangedHandler, MergeReport, RemovedHandler } from "@bothends/generator/scaffold";
import { counted } from "./outcome.js";

/** The server that a report is about. */
interface ReportFacts {
  /** The name that the user gave it. */
  readonly name: string;
  readonly folder: string;
  /** Lists every handler. */
  readonly verbose: boolean;
}

/** The end of the verdict of a scaffold. */
export function resultText(report: MergeReport | undefined, dryRun: boolean): string {
  if (dryRun) {
    return "nothing written";
  }
  if (report === undefined) {
    return "a new server";
  }
  const { added, changed, removed, renamed } = report;
  const counts = [
    `${counted(added.length, "handler")} added`,
    ...(renamed.length > 0 ? [`${renamed.length} renamed`] : []),
    `${changed.length} to check`,
    `${removed.length} to remove`,
  ];
  return counts.join(", ");
}

/** What a merge did, and what it leaves to a person. */
export function reportText(report: MergeReport, facts: ReportFacts): string {
  const lines = [
    ...report.added.map((operation) => `handler added: ${operation}`),
    ...report.renamed.map(({ from, to }) => `handler renamed: ${from} is now ${to}`),
    ...report.removed.flatMap((removed) => removedLines(removed, facts)),
    ...changedLines(report.changed, facts),
    ...report.notes,
  ];
  return lines.length === 0 ? "Nothing is missing.\n" : lines.map((line) => `${line}\n`).join("");
}

function removedLines(
  { operation, place, file, renamed }: RemovedHandler,
  { name, folder }: ReportFacts,
): readonly string[] {
  const member = `${folder}/${place}`;
  const where = file === undefined ? member : `${folder}/${file}, listed at ${member}`;
  return [
    `no longer in the schema: ${operation} (${where}); remove it when you want`,
    ...(renamed === undefined
      ? []
      : [
          `  renamed to ${renamed}? bothends scaffold server ${name} --rename ${operation}=${renamed} moves the handler`,
        ]),
  ];
}

const maxHandlers = 3;
const maxChanges = 20;

/** One line for each change, with the handlers that it concerns. */
function changedLines(changed: readonly ChangedHandler[], { folder, verbose }: ReportFacts): readonly string[] {
  const byChange = new Map<string, ChangedHandler[]>();
  for (const handler of changed) {
    for (const change of handler.changes.length === 0 ? ["details of its messages changed"] : handler.changes) {
      byChange.set(change, [...(byChange.get(change) ?? []), handler]);
    }
  }
  const lines = [...byChange].flatMap(([change, handlers]) => {
    const shown = verbose ? handlers : handlers.slice(0, maxHandlers);
    const names = shown.map(({ operation, place }) => `${operation} (${folder}/${place})`);
    const hidden = handlers.length - shown.length;
    const [only] = names;
    if (handlers.length === 1 && only !== undefined) {
      return [`changed in the schema: ${only}: ${change}`];
    }
    const rest = hidden > 0 ? [`  … and ${counted(hidden, "more handler")} (--verbose lists all)`] : [];
    return [`changed in the schema: ${change}, in`, ...names.map((each) => `  ${each}`), ...rest];
  });
  return lines.length <= maxChanges || verbose
    ? lines
    : [...lines.slice(0, maxChanges), `… and ${counted(lines.length - maxChanges, "more line")} (--verbose shows all)`];
}
