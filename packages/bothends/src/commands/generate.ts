import { join } from "node:path";
import type { Severity } from "@bothends/generator/diagnostics";
import {
  inOutputRoot,
  manifestName,
  type TreePlan,
  type WriteOptions,
  type Written,
  writeTree,
} from "@bothends/generator/disk";
import { type GenerateWords, generateWords } from "../base/generate-words.js";
import { type Generation, generateProject } from "../generation.js";
import type { Host } from "../host.js";
import type { GenerateOptions } from "../options.js";
import { changeCounts, contractSummary, planSummary } from "../report/change-report.js";
import { type ChangedFiles, counted, type Outcome } from "../report/outcome.js";
import type { RecordFacts } from "../run-record.js";

/** `bothends generate`: writes the packages, or reports why not. */
export function runGenerate(options: GenerateOptions, host: Host): Outcome {
  const start = host.now();
  const result = generateProject(options, host);
  return result.kind === "refused" ? result.outcome : writeGeneration(result.generation, { options, host, start });
}

interface WriteFacts {
  readonly options: GenerateOptions;
  readonly host: Host;
  /** When the run began, by the host's clock. */
  readonly start: number;
  /** What to say about the schemas. Default: what changed since the usual base. */
  readonly words?: (() => GenerateWords) | undefined;
}

/** Writes what was generated, and reports the changes. */
export function writeGeneration(generation: Generation, { options, host, start, words: wordsOf }: WriteFacts): Outcome {
  const { contract, diagnostics, inputRoot, vendored } = generation;
  const words = wordsOf === undefined ? generateWords(generation, host) : wordsOf();
  const written = write(generation, {
    force: options.force ?? false,
    allowNonempty: options.allowNonempty ?? false,
    dryRun: options.dryRun ?? false,
  });
  const found = { diagnostics, root: inputRoot };
  if (written.kind === "edited") {
    return { ...found, ...refusedEdits(written) };
  }
  const seconds = ((host.now() - start) / 1000).toFixed(2);
  const verb = options.dryRun === true ? "Would generate" : "Generated";
  if (options.dryRun !== true) {
    words.keep();
  }
  const headline = `${verb} ${contractSummary(contract)} in ${seconds} s.\n`;
  const files = planSummary(written.plan, { backups: written.backups, folded: vendored });
  // Changes of the schemas explain the changed files; copies and kept files are always named.
  const fileLines = words.text === undefined || options.verbose === true ? files : notableLines(files);
  return {
    ...found,
    exit: 0,
    body: `${headline}${words.text ?? ""}${fileLines}`,
    result: changeCounts(written.plan),
    files: changedFiles(written.plan),
    record: options.dryRun === true ? undefined : recordOf(generation, written),
  };
}

function notableLines(files: string): string {
  return files
    .split("\n")
    .filter((line) => /^ {2}(?:kept|backup) /.test(line))
    .map((line) => `${line}\n`)
    .join("");
}

/** The record of a run; undefined if files remain that are not as generated. */
function recordOf(generation: Generation, { plan, backups }: Written): RecordFacts | undefined {
  const { config, contract, diagnostics, output, sources, tree } = generation;
  if (plan.kept.length > 0 || backups.length > 0) {
    return undefined;
  }
  const count = (severity: Severity) => diagnostics.filter((each) => each.severity === severity).length;
  return {
    folder: join(output.root, config.packages.contract.path),
    sources,
    output: { root: output.root, files: tree, manifests: output.packages.map((each) => `${each}/${manifestName}`) },
    summary: {
      contract: contractSummary(contract),
      unchanged: tree.size,
      warnings: count("warning"),
      notes: count("info"),
    },
  };
}

function write({ output, tree }: Generation, options: WriteOptions): Written {
  if (options.dryRun) {
    return writeTree(output, tree, options);
  }
  return inOutputRoot(output.root, () => writeTree(output, tree, options));
}

function refusedEdits({ plan }: Written): Omit<Outcome, "diagnostics"> {
  const files = plan.edited.map(({ path }) => `  ${path}\n`).join("");
  return {
    exit: 1,
    mistakes: [
      {
        message: `${counted(plan.edited.length, "file")} edited since generated:\n${files.trimEnd()}`,
        help: "Move the edits elsewhere, or use --force, which replaces the files and keeps copies with the suffix .orig.",
      },
    ],
    result: "nothing written",
    advice: "bothends generate --force",
  };
}

function changedFiles({ added, changed, edited, removed, unchanged }: TreePlan): ChangedFiles {
  return {
    added: added.map(({ path }) => path),
    changed: [...changed, ...edited].map(({ path }) => path),
    removed: removed.map(({ path }) => path),
    unchanged: unchanged.length,
  };
}
