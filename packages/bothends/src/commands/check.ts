import { compareTree, type TreePlan } from "@bothends/generator/disk";
import { contractSummary, counted, unifiedDiff } from "../change-report.js";
import { generateProject } from "../generation.js";
import { type ExitCode, type Host, hasColour } from "../host.js";
import type { ProjectOptions } from "../options.js";

const maxDiffs = 50;

/** `bothends check`: generates in memory and compares. Nothing is written. */
export function runCheck(options: ProjectOptions, host: Host): ExitCode {
  const generation = generateProject(options, host);
  if (generation === undefined) {
    return 1;
  }
  const plan = compareTree(generation.output, generation.tree);
  const differences = [...plan.added, ...plan.changed, ...plan.edited, ...plan.removed];
  if (differences.length === 0 && plan.manifests.length === 0) {
    host.out.write(`Up to date: ${contractSummary(generation.contract)}, ${counted(plan.unchanged.length, "file")}.\n`);
    return 0;
  }
  const colour = hasColour(host, host.out);
  for (const change of differences.slice(0, maxDiffs)) {
    host.out.write(unifiedDiff(change, colour));
  }
  host.err.write(differenceText(plan));
  return 1;
}

function differenceText(plan: TreePlan): string {
  const changes = [...plan.added, ...plan.changed, ...plan.edited, ...plan.removed];
  const files = (changes.length === 0 ? plan.manifests : changes).map(({ path }) => `  ${path}\n`);
  const hidden = files.length - maxDiffs;
  const shown = files.slice(0, maxDiffs).join("");
  const rest = hidden > 0 ? `  … and ${counted(hidden, "more file")}\n` : "";
  return `The generated packages differ from their sources:\n${shown}${rest}"bothends generate" updates them.\n`;
}
