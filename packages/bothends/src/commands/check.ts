import { compareTree, type TreePlan } from "@bothends/generator/disk";
import { type Generation, generateProject } from "../generation.js";
import { type Host, hasColour } from "../host.js";
import type { ProjectOptions } from "../options.js";
import { contractSummary } from "../report/changes.js";
import { counted, type Outcome } from "../report/outcome.js";
import { unifiedDiff } from "../report/unified-diff.js";

const maxDiffs = 50;

/** `bothends check`: generates in memory and compares. Nothing is written. */
export function runCheck(options: ProjectOptions, host: Host): Outcome {
  const result = generateProject(options, host);
  return result.kind === "refused" ? result.outcome : compare(result.generation, host);
}

function compare({ output, tree, contract, diagnostics, inputRoot }: Generation, host: Host): Outcome {
  const plan = compareTree(output, tree);
  const differences = differencesIn(plan);
  const found = { diagnostics, root: inputRoot };
  if (differences.length === 0 && plan.manifests.length === 0) {
    const result = `up to date: ${contractSummary(contract)}, ${counted(plan.unchanged.length, "file")}`;
    return { ...found, exit: 0, result };
  }
  const colour = hasColour(host, host.out);
  const diffs = differences.slice(0, maxDiffs).map((change) => unifiedDiff(change, colour));
  const count =
    differences.length === 0 ? counted(plan.manifests.length, "manifest") : counted(differences.length, "file");
  return {
    ...found,
    exit: 1,
    body: `${diffs.join("")}${differenceText(plan)}`,
    result: `${count} out of date; nothing written`,
    advice: "bothends generate",
    files: {
      added: plan.added.map(({ path }) => path),
      changed: [...plan.changed, ...plan.edited].map(({ path }) => path),
      removed: plan.removed.map(({ path }) => path),
      unchanged: plan.unchanged.length,
    },
  };
}

function differencesIn({ added, changed, edited, removed }: TreePlan) {
  return [...added, ...changed, ...edited, ...removed];
}

function differenceText(plan: TreePlan): string {
  const changes = differencesIn(plan);
  const files = (changes.length === 0 ? plan.manifests : changes).map(({ path }) => `  ${path}\n`);
  const hidden = files.length - maxDiffs;
  const shown = files.slice(0, maxDiffs).join("");
  const rest = hidden > 0 ? `  … and ${counted(hidden, "more file")}\n` : "";
  return `The generated packages differ from their sources:\n${shown}${rest}`;
}
