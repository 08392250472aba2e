import { compareTree, type TreePlan } from "@bothends/generator/disk";
import { type Generation, generateProject } from "../generation.js";
import { type Host, hasColor } from "../host.js";
import { generateCommand, type ProjectOptions } from "../project.js";
import { contractSummary, unifiedDiff } from "../report/changes.js";
import { countText, type Outcome } from "../report/outcome.js";

const maxDiffs = 50;

/** `bothends check`: generates in memory and compares the result with the files on disk. Writes nothing. */
export function runCheck(options: ProjectOptions, host: Host): Outcome {
  const result = generateProject(options, host);
  return result.kind === "refused" ? result.outcome : compare(result.generation, { options, host });
}

function compare(
  { output, tree, contract, diagnostics, inputRoot, displayPath }: Generation,
  { options, host }: { readonly options: ProjectOptions; readonly host: Host },
): Outcome {
  const plan = compareTree(output, tree);
  const differences = differencesIn(plan);
  const report = { diagnostics, root: inputRoot };
  if (differences.length === 0 && plan.manifests.length === 0) {
    const result = `up to date: ${contractSummary(contract)}, ${countText(plan.unchanged.length, "file")}`;
    return { ...report, exit: 0, result };
  }
  const color = hasColor(host, host.out);
  const diffs = differences
    .slice(0, maxDiffs)
    .map((change) => unifiedDiff({ ...change, path: displayPath(change.path) }, color));
  const count =
    differences.length === 0 ? countText(plan.manifests.length, "manifest") : countText(differences.length, "file");
  return {
    ...report,
    exit: 1,
    body: `${diffs.join("")}${differenceText(plan, displayPath)}`,
    result: `${count} out of date; nothing written`,
    advice: generateCommand(options),
    files: {
      added: plan.added.map(({ path }) => displayPath(path)),
      changed: [...plan.changed, ...plan.edited].map(({ path }) => displayPath(path)),
      removed: plan.removed.map(({ path }) => displayPath(path)),
      unchanged: plan.unchanged.length,
    },
  };
}

function differencesIn({ added, changed, edited, removed }: TreePlan) {
  return [...added, ...changed, ...edited, ...removed];
}

function differenceText(plan: TreePlan, pathOf: (path: string) => string): string {
  const changes = differencesIn(plan);
  const files = (changes.length === 0 ? plan.manifests : changes).map(({ path }) => `  ${pathOf(path)}\n`);
  const hidden = files.length - maxDiffs;
  const shown = files.slice(0, maxDiffs).join("");
  const rest = hidden > 0 ? `  … and ${countText(hidden, "more file")}\n` : "";
  return `The generated packages differ from their sources:\n${shown}${rest}`;
}
