import { inOutputRoot, type WriteOptions, type Written, writeTree } from "@bothends/generator/disk";
import { contractSummary, planSummary } from "../change-report.js";
import { type Generation, generateProject } from "../generation.js";
import type { ExitCode, Host } from "../host.js";
import type { GenerateOptions } from "../options.js";

/** `bothends generate`: writes the packages, or prints why not. */
export function runGenerate(options: GenerateOptions, host: Host): ExitCode {
  const start = host.now();
  const generation = generateProject(options, host);
  if (generation === undefined) {
    return 1;
  }
  const written = write(generation, {
    force: options.force ?? false,
    allowNonempty: options.allowNonempty ?? false,
    dryRun: options.dryRun ?? false,
  });
  if (written.kind === "edited") {
    host.err.write(editedText(written));
    return 1;
  }
  const seconds = ((host.now() - start) / 1000).toFixed(2);
  const verb = options.dryRun === true ? "Would generate" : "Generated";
  host.out.write(`${verb} ${contractSummary(generation.contract)} in ${seconds} s.\n`);
  host.out.write(planSummary(written.plan, { backups: written.backups, folded: generation.vendored }));
  return 0;
}

function write({ output, tree }: Generation, options: WriteOptions): Written {
  if (options.dryRun) {
    return writeTree(output, tree, options);
  }
  return inOutputRoot(output.root, () => writeTree(output, tree, options));
}

function editedText({ plan }: Written): string {
  const files = plan.edited.map(({ path }) => `  ${path}\n`).join("");
  return `These files were edited since they were generated, so nothing was written:\n${files}Move the edits elsewhere, or use --force, which replaces the files and keeps copies with the suffix .orig.\n`;
}
