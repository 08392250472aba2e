import type { FileTree } from "../model/index.js";
import { applyChanges, isInterrupted, recover } from "./apply.js";
import { DiskError } from "./disk-error.js";
import { guardedOutput } from "./guarded-file-system.js";
import { withLock } from "./lock.js";
import type { Output } from "./output.js";
import { kindAt } from "./paths-on-disk.js";
import { type FileChange, planTree, type TreePlan } from "./plan-tree.js";

export interface WriteOptions {
  /** Replace edited files, keeping what they were as `.orig` beside them. */
  readonly force: boolean;
  /** Write into a folder with files that are not ours. */
  readonly allowNonempty: boolean;
  /** Only say what would be done. */
  readonly dryRun: boolean;
}

/** What was done, or what kept it from being done. */
export interface Written {
  readonly kind: "written" | "edited";
  readonly plan: TreePlan;
  /** The copies of edited files that were replaced. */
  readonly backups: readonly string[];
}

/** Brings the disk to a tree: all of it or nothing. Without a difference, nothing is written at all. */
export function writeTree(output: Output, tree: FileTree, options: WriteOptions): Written {
  if (options.dryRun) {
    return write(output, tree, options);
  }
  const guarded = guardedOutput(output);
  return withLock(guarded, () => {
    recover(guarded);
    return write(guarded, tree, options);
  });
}

/** Compares a tree with the disk and touches nothing. */
export function compareTree(output: Output, tree: FileTree): TreePlan {
  if (isInterrupted(output)) {
    throw new DiskError('A run was stopped in the middle. "bothends generate" finishes or undoes it.');
  }
  return planTree(output, tree);
}

function write(output: Output, tree: FileTree, options: WriteOptions): Written {
  const plan = planTree(output, tree);
  const [foreign] = plan.foreign;
  if (foreign !== undefined && !options.allowNonempty) {
    throw new DiskError(`${foreign} holds files that were not generated. --allow-nonempty writes beside them.`);
  }
  if (plan.edited.length > 0 && !options.force) {
    return { kind: "edited", plan, backups: [] };
  }
  const backups = plan.edited.map(({ path, before }) => ({
    path: freeName(output, path),
    before: undefined,
    after: before,
  }));
  const changes: readonly FileChange[] = [
    ...backups,
    ...plan.added,
    ...plan.changed,
    ...plan.edited,
    ...plan.removed,
    ...plan.manifests,
  ];
  if (!options.dryRun) {
    applyChanges(output, changes);
  }
  return { kind: "written", plan, backups: backups.map(({ path }) => path) };
}

function freeName(output: Output, path: string): string {
  for (let number = 0; ; number++) {
    const name = number === 0 ? `${path}.orig` : `${path}.${number}.orig`;
    if (kindAt(output, name) === "missing") {
      return name;
    }
  }
}
