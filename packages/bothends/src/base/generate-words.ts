import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { diffContracts, shortChanges } from "@bothends/diff";
import { sourceLimits } from "@bothends/generator";
import type { Generation } from "../generation.js";
import type { Host } from "../host.js";
import { counted } from "../report/outcome.js";
import { slashed } from "../report/paths.js";
import { findCommit, hasFiles } from "./git.js";
import { type BaseOf, readUsualBase } from "./read-base.js";
import { keepSnapshot } from "./snapshot-file.js";

/** What `generate` says about the schemas, and what it keeps for the next run. */
export interface GenerateWords {
  /** What changed since the usual base, a line for each change; undefined if there is no base, or nothing changed. */
  readonly text: string | undefined;
  /** Keeps the contract of this run, if no version control does. */
  keep(): void;
}

const maxLines = 60;

/** Compares what was generated with the usual base. A base that cannot be read only costs the words. */
export function generateWords(generation: Generation, { workingFolder }: Host): GenerateWords {
  const { config, contract, plan, inputRoot, output, configPath } = generation;
  const nothing: GenerateWords = { text: undefined, keep: () => undefined };
  if (isCommitted(generation)) {
    return nothing;
  }
  const limits = { ...sourceLimits, ...config.limits };
  const baseOf: BaseOf = { config, limits, inputRoot, outputRoot: output.root, configPath, workingFolder };
  const keep = () => keepSnapshot(join(output.root, config.packages.contract.path), contract);
  try {
    const base = readUsualBase(baseOf);
    const keepIfNeeded = base?.isCommit === true ? nothing.keep : keep;
    const changes = base === undefined ? [] : diffContracts(base.side, { name: "this run", contract, plan }).changes;
    if (base === undefined || changes.length === 0) {
      return { text: undefined, keep: keepIfNeeded };
    }
    const lines = shortChanges(changes);
    const hidden = lines.length - maxLines;
    const shown = hidden > 0 ? [...lines.slice(0, maxLines), `… and ${counted(hidden, "more change")}`] : lines;
    const text = `Since ${base.side.name}:\n${shown.map((line) => `  ${line}\n`).join("")}`;
    return { text, keep: keepIfNeeded };
  } catch {
    return { text: undefined, keep };
  }
}

/** Whether all sources are as in git's HEAD: then nothing changed, and no base has to be read. */
function isCommitted({ inputRoot, sources }: Generation): boolean {
  const commit = findCommit(inputRoot, "HEAD");
  if (commit === undefined) {
    return false;
  }
  try {
    const files = sources.map(({ path }) => [slashed(relative(inputRoot, path)), readFileSync(path)] as const);
    return hasFiles(commit, new Map(files));
  } catch {
    return false;
  }
}
