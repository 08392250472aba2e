import type { FileTree } from "../model/index.js";
import { applyChanges, isInterrupted, recover } from "./apply-changes.js";
import { DiskError, onDisk } from "./file-system.js";
import { guardedOutput } from "./guarded-file-system.js";
import { withLock } from "./lock.js";
import type { Output } from "./output.js";
import { absolute, assertPlainFolders, bytesAt, checkTree, kindAt } from "./output-paths.js";
import { type FileChange, planTree, type TreePlan } from "./plan-tree.js";

export interface WriteOptions {
  /** Replace edited files, and keep copies of them with the suffix `.orig`. */
  readonly force: boolean;
  /** Write into a folder that contains other files. */
  readonly allowNonempty: boolean;
  /** Change nothing. */
  readonly dryRun: boolean;
}

/** What was written. `edited`: nothing was, because files were edited. */
export interface Written {
  readonly kind: "written" | "edited";
  readonly plan: TreePlan;
  /** The copies of edited files that were replaced. */
  readonly backups: readonly string[];
}

/** Writes a tree of generated files, all of it or nothing. Only files that differ are written. */
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

/** Compares a tree of generated files with the disk. */
export function compareTree(output: Output, tree: FileTree): TreePlan {
  if (isInterrupted(output)) {
    throw new DiskError('A run was interrupted. "bothends generate" finishes or undoes it.');
  }
  return planTree(output, tree);
}

function write(output: Output, tree: FileTree, options: WriteOptions): Written {
  const plan = planTree(output, tree);
  const [foreign] = plan.foreign;
  if (foreign !== undefined && !options.allowNonempty) {
    throw new DiskError(`${foreign} contains files that were not generated. --allow-nonempty writes beside them.`);
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

/** Reads the text files of a folder that belongs to people, by their paths in it. Links and the folders of tools are left out. */
export function readExisting(output: Output, folder: string): FileTree {
  assertPlainFolders(output, `${folder}/x`);
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    const names = onDisk(`list ${path}`, () => output.fileSystem.list(absolute(output, path)));
    for (const name of [...names].sort()) {
      const inside = `${path}/${name}`;
      const kind = /^(?:node_modules|dist|\.git|\.bothends-journal.*)$/.test(name) ? "other" : kindAt(output, inside);
      if (kind === "folder") {
        visit(inside);
      } else if (kind === "file") {
        texts.set(inside.slice(folder.length + 1), textOf(bytesAt(output, inside)));
      }
    }
  };
  if (kindAt(output, folder) === "folder") {
    visit(folder);
  }
  return texts;
}

/**
 * Writes files into a folder that belongs to people, and returns the changes. A file must still have the text that it has
 * in `existing`. Files in `removed`, whose text is now in others, are removed.
 */
export function writeBeside(
  unguarded: Output,
  files: FileTree,
  {
    folder,
    existing,
    removed = [],
  }: { readonly folder: string; readonly existing: FileTree; readonly removed?: readonly string[] },
): readonly FileChange[] {
  const tree = new Map([...files].map(([path, text]) => [`${folder}/${path}`, text]));
  checkTree(tree, [folder]);
  const output = guardedOutput(unguarded);
  return withLock(output, () => {
    recover(output);
    const changes = [...tree].flatMap(([path, text]) => {
      assertPlainFolders(output, path);
      const before = bytesAt(output, path);
      const known = existing.get(path.slice(folder.length + 1));
      if ((before === undefined ? undefined : textOf(before)) !== known) {
        throw new DiskError(`${path} was changed by another program during the run.`);
      }
      return known === text ? [] : [{ path, before, after: new TextEncoder().encode(text) }];
    });
    const removals = removed.map((name) => {
      const path = `${folder}/${name}`;
      assertPlainFolders(output, path);
      const before = bytesAt(output, path);
      if (before === undefined || textOf(before) !== existing.get(name)) {
        throw new DiskError(`${path} was changed by another program during the run.`);
      }
      return { path, before, after: undefined };
    });
    applyChanges(output, [...changes, ...removals]);
    return [...changes, ...removals];
  });
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder("utf-8").decode(bytes);
}
