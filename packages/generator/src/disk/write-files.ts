import type { FileTree } from "../model/index.js";
import { applyChanges, isInterrupted, recover } from "./apply-changes.js";
import { DiskError, failureCode, withDiskErrors } from "./file-system.js";
import {
  absolute,
  assertPlainFolders,
  bytesAt,
  checkTree,
  guardedOutput,
  kindAt,
  type Output,
  shownPath,
} from "./output.js";
import { type FileChange, planTree, type TreePlan } from "./plan-tree.js";

// Writes generated and scaffolded files, under a lock.

export interface WriteOptions {
  /** Replace edited files, and keep copies of them with the suffix `.orig`. */
  readonly force: boolean;
  /** Write into a folder that contains other files. */
  readonly allowNonempty: boolean;
  /** Change nothing. */
  readonly dryRun: boolean;
}

/** The result of writing. `edited`: nothing was written, because files were edited. */
export interface Written {
  readonly kind: "written" | "edited";
  readonly plan: TreePlan;
  /** The copies of edited files that were replaced. */
  readonly backups: readonly string[];
}

/** Writes a tree of generated files, completely or not at all. Only changed files are written. */
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
  if (plan.foreign.length > 0 && !options.allowNonempty) {
    throw foreignFiles(output, plan.foreign);
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

const maxNamed = 5;

function foreignFiles(output: Output, paths: readonly string[]): DiskError {
  const named = paths.slice(0, maxNamed).map((path) => shownPath(output, path));
  const rest = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : "";
  return new DiskError(
    `A folder for generated files contains others, which were not generated: ${named.join(", ")}${rest}.`,
    {
      help: "Choose another folder with --out, or move these files. --allow-nonempty writes beside them, and never changes or deletes them.",
    },
  );
}

function freeName(output: Output, path: string): string {
  for (let number = 0; ; number++) {
    const name = number === 0 ? `${path}.orig` : `${path}.${number}.orig`;
    if (kindAt(output, name) === "missing") {
      return name;
    }
  }
}

/** Reads the text files of a hand-written folder, by their paths in it. Skips links and the folders of tools. */
export function readExisting(output: Output, folder: string): FileTree {
  assertPlainFolders(output, `${folder}/x`);
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    const names = withDiskErrors(`list ${shownPath(output, path)}`, () =>
      output.fileSystem.list(absolute(output, path)),
    );
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
 * Writes files into a hand-written folder, and returns the changes. Files must still have the text recorded in `existing`. Files
 * in `removed`, whose text has moved to other files, are removed.
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
        throw new DiskError(`${shownPath(output, path)} was changed by another program during the run.`);
      }
      return known === text ? [] : [{ path, before, after: new TextEncoder().encode(text) }];
    });
    const removals = removed.map((name) => {
      const path = `${folder}/${name}`;
      assertPlainFolders(output, path);
      const before = bytesAt(output, path);
      if (before === undefined || textOf(before) !== existing.get(name)) {
        throw new DiskError(`${shownPath(output, path)} was changed by another program during the run.`);
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

const lockName = ".bothends-lock";
const staleAfter = 10 * 60 * 1000;

interface Lock {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** Runs an action while no other run writes to the same output. The lock of a process that no longer runs is replaced. */
function withLock<T>(output: Output, run: () => T): T {
  const path = absolute(output, lockName);
  acquire(output, path);
  try {
    return run();
  } finally {
    release(output, path);
  }
}

function acquire(output: Output, path: string): void {
  const { system } = output;
  const lock: Lock = { pid: system.pid, host: system.host, since: system.now() };
  const bytes = new TextEncoder().encode(JSON.stringify(lock));
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      output.fileSystem.create(path, bytes);
      return;
    } catch (error) {
      if (failureCode(error) !== "EEXIST") {
        // The file may have been created but not filled.
        release(output, path);
        withDiskErrors(`write to ${shownFolder(output)}`, () => {
          throw error;
        });
      }
    }
    removeStale(output, path);
  }
  throw locked(output, "another run");
}

function shownFolder({ shownRoot = "." }: Output): string {
  return shownRoot === "." ? "this folder" : shownRoot;
}

function locked(output: Output, by: string): DiskError {
  return new DiskError(`The output is locked by ${by}.`, {
    help: `Run again when that run has ended. If no other run exists, delete ${shownPath(output, lockName)}.`,
  });
}

/** Removes a stale lock. A lock that is still held is an error. */
function removeStale(output: Output, path: string): void {
  const lock = settledLock(output, path);
  if (lock !== undefined && !isStale(output, lock)) {
    throw locked(output, `pid ${lock.pid}${lock.host === output.system.host ? "" : ` on ${lock.host}`}`);
  }
  // If several runs rename a stale lock, one succeeds; the others find that it no longer exists.
  const aside = `${path}.${output.system.pid}`;
  withDiskErrors("remove a stale lock", () => {
    try {
      output.fileSystem.rename(path, aside);
      output.fileSystem.remove(aside);
    } catch (error) {
      if (failureCode(error) !== "ENOENT") {
        throw error;
      }
    }
  });
}

// A lock is created empty and then filled. An empty lock may be filled soon, or its run was killed.
function settledLock(output: Output, path: string): Lock | undefined {
  for (let attempt = 0; attempt < 10; attempt++) {
    const lock = readLock(output, path);
    if (lock !== undefined) {
      return lock;
    }
    output.system.wait(20);
  }
  return undefined;
}

function readLock(output: Output, path: string): Lock | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(output.fileSystem.read(path, 4096)));
    return isLock(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLock(value: unknown): value is Lock {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isSafeInteger(value.pid) &&
    "host" in value &&
    typeof value.host === "string" &&
    "since" in value &&
    typeof value.since === "number"
  );
}

function isStale({ system }: Output, lock: Lock): boolean {
  const hasEnded = lock.host === system.host && !system.isRunning(lock.pid);
  return hasEnded || system.now() - lock.since > staleAfter;
}

function release(output: Output, path: string): void {
  try {
    const lock = readLock(output, path);
    if (lock === undefined || (lock.pid === output.system.pid && lock.host === output.system.host)) {
      output.fileSystem.remove(path);
    }
  } catch (error) {
    if (failureCode(error) === undefined) {
      throw error;
    }
  }
}
