import { isUtf8 } from "node:buffer";
import type { FileTree } from "../model/index.js";
import {
  applyChanges,
  assertNotInterrupted,
  isInterrupted,
  type Recovery,
  recover,
  removeStrayFiles,
} from "./apply-changes.js";
import { DiskError, findFailureCode, withDiskErrors } from "./file-system.js";
import { holdSignals } from "./hold-signals.js";
import {
  assertPlainFolders,
  checkTree,
  createGuardedOutput,
  findBytesAt,
  formatPath,
  getAbsolutePath,
  getKindAt,
  type Output,
} from "./output.js";
import { type FileChange, manifestName, planTree, type TreePlan } from "./plan-tree.js";

// Writes generated and scaffolded files, under a lock.

/** Options for writing generated files. */
export interface WriteOptions {
  /** Whether to replace edited files, and keep copies of them with the suffix `.orig`. */
  readonly force: boolean;
  /** Whether to write into a folder that contains other files. */
  readonly allowNonempty: boolean;
  /** Whether to only report what would change. */
  readonly dryRun: boolean;
  /**
   * False if the run does not wait until its changes are on the disk. An interrupted run can still be finished or
   * undone, unless the whole system crashes. Default: true.
   */
  readonly waitsForDisk?: boolean;
}

/** The result of writing a tree. "edited" means that nothing was written, because the user has edited files. */
export interface Written {
  readonly kind: "written" | "edited";
  readonly plan: TreePlan;
  /** The paths of the copies that were made of edited files before the files were replaced. */
  readonly backups: readonly string[];
}

/** Writes a tree of generated files, completely or not at all. Unchanged files are not written. */
export function writeTree(output: Output, tree: FileTree, options: WriteOptions): Written {
  if (options.dryRun) {
    return write(output, tree, options);
  }
  const protectedOutput = createGuardedOutput(output, options.waitsForDisk);
  return withLock(protectedOutput, () => {
    recover(protectedOutput);
    return write(protectedOutput, tree, options);
  });
}

/** Compares a tree of generated files with the disk. Throws if an earlier run was interrupted. */
export function compareTree(output: Output, tree: FileTree): TreePlan {
  assertNotInterrupted(output);
  return planTree(output, tree);
}

function write(output: Output, tree: FileTree, options: WriteOptions): Written {
  const plan = planTree(output, tree);
  if (plan.foreignPaths.length > 0 && !options.allowNonempty) {
    throw createForeignFilesError(output, plan.foreignPaths);
  }
  if (plan.edited.length > 0 && !options.force) {
    return { kind: "edited", plan, backups: [] };
  }
  const backups = plan.edited.map(({ path, oldBytes }) => ({
    path: chooseFreeName(output, path),
    oldBytes: undefined,
    newBytes: oldBytes,
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

const maxNamedFiles = 5;

function createForeignFilesError(output: Output, paths: readonly string[]): DiskError {
  const shownPaths = paths.slice(0, maxNamedFiles).map((path) => formatPath(output, path));
  const hiddenNote = paths.length > maxNamedFiles ? ` and ${paths.length - maxNamedFiles} more` : "";
  const restore = describeMissingManifest(output, paths);
  const choose = restore === undefined ? "Choose" : `${restore} Otherwise, choose`;
  return new DiskError(`A folder for generated files contains other files: ${shownPaths.join(", ")}${hiddenNote}.`, {
    help: `${choose} another folder with --out, or move these files. With --allow-nonempty, generated files are written beside them; they are never changed or deleted.`,
  });
}

/** Describes how to restore the manifest of a package; undefined if the paths do not contain a package. */
function describeMissingManifest(output: Output, paths: readonly string[]): string | undefined {
  const packageFile = paths.find((path) => path.endsWith("/package.json"));
  if (packageFile === undefined) {
    return undefined;
  }
  const folder = formatPath(output, packageFile.slice(0, packageFile.lastIndexOf("/")));
  return `If bothends wrote ${folder}, restore ${folder}/${manifestName} from version control, or run generate with --allow-nonempty.`;
}

function chooseFreeName(output: Output, path: string): string {
  for (let number = 0; ; number++) {
    const name = number === 0 ? `${path}.orig` : `${path}.${number}.orig`;
    if (getKindAt(output, name) === "missing") {
      return name;
    }
  }
}

/**
 * Finishes or undoes the changes of an interrupted run; returns undefined if there is none. Must be called before
 * `readExisting`, because the run may have replaced only some files. Changes that are all in `undoFolders` are undone
 * if possible.
 */
export function finishInterrupted(
  unprotectedOutput: Output,
  undoFolders: readonly string[] = [],
): Recovery | undefined {
  if (!isInterrupted(unprotectedOutput)) {
    return undefined;
  }
  const output = createGuardedOutput(unprotectedOutput);
  return withLock(output, () => recover(output, undoFolders));
}

/**
 * Reads the text files in a folder of hand-written code. The keys are paths within the folder. Skips links, and the
 * output of tools, such as `dist`.
 */
export function readExisting(output: Output, folder: string): FileTree {
  assertPlainFolders(output, `${folder}/x`);
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    const names = withDiskErrors(`list ${formatPath(output, path)}`, () =>
      output.fileSystem.list(getAbsolutePath(output, path)),
    );
    for (const name of [...names].sort()) {
      const relativePath = `${path}/${name}`;
      const kind = /^(?:node_modules|dist|\.git|\.bothends-journal.*)$/.test(name)
        ? "other"
        : getKindAt(output, relativePath);
      if (kind === "folder") {
        visit(relativePath);
      } else if (kind === "file") {
        texts.set(relativePath.slice(folder.length + 1), getText(findBytesAt(output, relativePath)));
      }
    }
  };
  if (getKindAt(output, folder) === "folder") {
    visit(folder);
  }
  return texts;
}

/**
 * Writes files into a folder of hand-written code, and returns the changes. Throws if a file differs from its text in
 * `existingFiles`. Also removes the files in `removed`, whose text has moved to other files.
 */
export function writeBeside(
  unprotectedOutput: Output,
  files: FileTree,
  {
    folder,
    existingFiles,
    removed = [],
    movedFrom = new Map(),
    keepsOldText = false,
  }: {
    readonly folder: string;
    readonly existingFiles: FileTree;
    readonly removed?: readonly string[];
    /** The old path of each moved file, keyed by its new path. Moved files keep byte order marks and permissions. */
    readonly movedFrom?: ReadonlyMap<string, string>;
    /** Whether the new texts contain parts of the old texts. If so, the old texts must be valid UTF-8. */
    readonly keepsOldText?: boolean;
  },
): readonly FileChange[] {
  const tree = new Map([...files].map(([path, text]) => [`${folder}/${path}`, text]));
  checkTree(tree, [folder]);
  const output = createGuardedOutput(unprotectedOutput);
  return withLock(output, () => {
    recover(output);
    removeStrayFiles(output, folder);
    const changes = [...tree].flatMap(([path, text]) => {
      assertPlainFolders(output, path);
      const oldBytes = findBytesAt(output, path);
      const knownText = existingFiles.get(path.slice(folder.length + 1));
      if ((oldBytes === undefined ? undefined : getText(oldBytes)) !== knownText) {
        throw new DiskError(`${formatPath(output, path)} was changed by another program during the run.`);
      }
      if (knownText === text) {
        return [];
      }
      const oldName = movedFrom.get(path.slice(folder.length + 1));
      const oldPath = oldName === undefined ? path : `${folder}/${oldName}`;
      const newBytes = getBytes(text, findBytesAt(output, oldPath));
      return [{ path, oldBytes, newBytes, ...readMode(output, oldPath) }];
    });
    const removals = removed.map((name) => {
      const path = `${folder}/${name}`;
      assertPlainFolders(output, path);
      const oldBytes = findBytesAt(output, path);
      if (oldBytes === undefined || getText(oldBytes) !== existingFiles.get(name)) {
        throw new DiskError(`${formatPath(output, path)} was changed by another program during the run.`);
      }
      return { path, oldBytes, newBytes: undefined, ...readMode(output, path) };
    });
    const nonUtf8Change = [...changes, ...removals].find(({ oldBytes }) => oldBytes !== undefined && !isUtf8(oldBytes));
    if (keepsOldText && nonUtf8Change !== undefined) {
      throw new DiskError(
        `${formatPath(output, nonUtf8Change.path)} is not UTF-8, so it cannot be edited without damage.`,
        {
          help: "Save it as UTF-8, and run again.",
        },
      );
    }
    applyChanges(output, [...changes, ...removals]);
    return [...changes, ...removals];
  });
}

/** Returns the permissions of a file of the user, if it exists. Throws if the file is read-only. */
function readMode(output: Output, path: string): Pick<FileChange, "mode"> {
  if (getKindAt(output, path) === "missing") {
    return {};
  }
  const mode = withDiskErrors(`read ${formatPath(output, path)}`, () =>
    output.fileSystem.getMode(getAbsolutePath(output, path)),
  );
  if ((mode & 0o222) === 0) {
    throw new DiskError(`${formatPath(output, path)} is read-only, so it was not changed.`, {
      help: "Make it writable, and run again.",
    });
  }
  return { mode };
}

/** Returns the bytes of a new text. A byte order mark of the old text is kept. */
function getBytes(text: string, oldBytes: Uint8Array | undefined): Uint8Array {
  const hasByteOrderMark = oldBytes?.[0] === 0xef && oldBytes[1] === 0xbb && oldBytes[2] === 0xbf;
  return new TextEncoder().encode(hasByteOrderMark ? `\uFEFF${text}` : text);
}

function getText(bytes: Uint8Array | undefined): string {
  return new TextDecoder("utf-8").decode(bytes);
}

const lockName = ".bothends-lock";
const staleAfterMilliseconds = 10 * 60 * 1000;

interface Lock {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/**
 * Runs an action under a lock, so that no other run writes to the same output. The lock of a process that has ended is
 * replaced. Ctrl-C ends the process only after the action.
 */
function withLock<T>(output: Output, run: () => T): T {
  const path = getAbsolutePath(output, lockName);
  return holdSignals(() => {
    acquireLock(output, path);
    try {
      return run();
    } finally {
      releaseLock(output, path);
    }
  });
}

function acquireLock(output: Output, path: string): void {
  const { system } = output;
  const lock: Lock = { pid: system.pid, host: system.host, since: system.now() };
  const bytes = new TextEncoder().encode(JSON.stringify(lock));
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      output.fileSystem.createFile(path, bytes);
      return;
    } catch (error) {
      if (findFailureCode(error) !== "EEXIST") {
        // The failed call may have created the lock without writing it completely, so the lock is removed.
        releaseLock(output, path);
        withDiskErrors(`write to ${formatFolder(output)}`, () => {
          throw error;
        });
      }
    }
    removeStaleLock(output, path);
  }
  throw createLockedError(output, "another run");
}

function formatFolder({ shownRoot = "." }: Output): string {
  return shownRoot === "." ? "this folder" : shownRoot;
}

function createLockedError(output: Output, processName: string): DiskError {
  return new DiskError(`The output is locked by ${processName}.`, {
    help: `Run again when that run has ended. If no other run exists, delete ${formatPath(output, lockName)}.`,
    isLocked: true,
  });
}

/** Whether another run that has not ended holds the lock of an output. */
export function isLocked(output: Output): boolean {
  const lock = readLock(output, getAbsolutePath(output, lockName));
  return lock !== undefined && !isStale(output, lock);
}

/** Removes the lock of a process that has ended. Throws if the process is still running. */
function removeStaleLock(output: Output, path: string): void {
  const lock = readCompleteLock(output, path);
  if (lock !== undefined && !isStale(output, lock)) {
    throw createLockedError(output, `pid ${lock.pid}${lock.host === output.system.host ? "" : ` on ${lock.host}`}`);
  }
  // If several runs rename the same lock, only one of them succeeds. For the others, the lock no longer exists, which
  // is not an error.
  const renamedPath = `${path}.${output.system.pid}`;
  withDiskErrors("remove a stale lock", () => {
    try {
      output.fileSystem.rename(path, renamedPath);
      output.fileSystem.remove(renamedPath);
    } catch (error) {
      if (findFailureCode(error) !== "ENOENT") {
        throw error;
      }
    }
  });
}

// Reads a lock. An incomplete lock is read again for a short time, because a lock is created before its content is
// written.
function readCompleteLock(output: Output, path: string): Lock | undefined {
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
  return hasEnded || system.now() - lock.since > staleAfterMilliseconds;
}

function releaseLock(output: Output, path: string): void {
  try {
    const lock = readLock(output, path);
    if (lock === undefined || (lock.pid === output.system.pid && lock.host === output.system.host)) {
      output.fileSystem.remove(path);
    }
  } catch (error) {
    if (findFailureCode(error) === undefined) {
      throw error;
    }
  }
}
