import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import type { FileTree } from "../model/index.js";
import {
  DiskError,
  type EntryKind,
  type FileSystem,
  findFailureCode,
  isInside,
  nodeFileSystem,
  withDiskErrors,
} from "./file-system.js";

// The folder to which a run writes, and the paths in that folder.

/**
 * The folder to which files are written, and the interfaces through which they are written. Tests replace these
 * interfaces.
 */
export interface Output {
  /** The absolute path of the folder, without links. */
  readonly root: string;
  /** The root as it appears in messages, relative to the working folder; absent if the root is the working folder. */
  readonly shownRoot?: string | undefined;
  /** The folders of the generated packages, relative to the root. */
  readonly packages: readonly string[];
  /**
   * The folders to which other commands write in this root. If such a command was interrupted, this run finishes or
   * undoes the command's changes.
   */
  readonly otherFolders?: readonly string[];
  /**
   * The command line, with quoted words, that finishes or undoes the changes of this run if the run is interrupted.
   * Absent if it is `bothends generate`, or if it contains an address.
   */
  readonly command?: string;
  readonly fileSystem: FileSystem;
  readonly system: System;
}

/** Access to processes and the clock, for locks and for waiting. */
export interface System {
  readonly pid: number;
  readonly host: string;
  /** Returns the time in milliseconds. Callers use only differences between two times. */
  now(): number;
  isRunning(pid: number): boolean;
  wait(milliseconds: number): void;
}

/** The process in which the generator runs. */
export const nodeSystem: System = {
  pid: process.pid,
  host: hostname(),
  now: () => Date.now(),
  isRunning(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // EPERM: the process is running, but it belongs to another user, so this user is not allowed to send it signals.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
  wait(milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** Makes an output on the disk of this machine. */
export function createOutput(root: string, packages: readonly string[], shownRoot?: string): Output {
  return { root, shownRoot, packages, fileSystem: nodeFileSystem, system: nodeSystem };
}

/** The folder for the output, and the working folder of the run. Both paths are absolute. */
export interface OutputFolder {
  readonly path: string;
  readonly workingFolder: string;
  readonly fileSystem?: FileSystem;
}

/**
 * Returns the path of the output folder without links. The folder need not exist, but its parent must. Neither the
 * folder nor a folder between it and the working folder may be a link.
 */
export function findOutputRoot({ path, workingFolder, fileSystem = nodeFileSystem }: OutputFolder): string {
  return withDiskErrors(`use ${path} as the output folder`, () => {
    const kind = fileSystem.getKind(path);
    if (kind !== "folder" && kind !== "missing") {
      throw createWrongKindError(isInside(workingFolder, path) ? relative(workingFolder, path) : path, kind, "folder");
    }
    const parent = dirname(path);
    if (fileSystem.getKind(parent) === "missing") {
      throw new DiskError(`The folder ${parent} does not exist.`, {
        help: "Create this folder first. Only the last folder of the path is created automatically.",
      });
    }
    const realParent = fileSystem.realPath(parent);
    const realPath = kind === "folder" ? fileSystem.realPath(path) : join(realParent, basename(path));
    const realWorkingFolder = fileSystem.realPath(workingFolder);
    if (isInside(workingFolder, path) && relative(realWorkingFolder, realPath) !== relative(workingFolder, path)) {
      throw new DiskError(
        `A folder above ${path} is a link. Links are never followed: choose a folder that is not below a link.`,
      );
    }
    return realPath;
  });
}

/**
 * Runs an action that writes to the output folder. Creates a missing folder first, and removes it again if the action
 * fails.
 */
export function runInOutputRoot<T>(root: string, run: () => T, fileSystem: FileSystem = nodeFileSystem): T {
  if (fileSystem.getKind(root) !== "missing") {
    return run();
  }
  withDiskErrors(`create the folder ${root}`, () => fileSystem.createFolder(root));
  try {
    return run();
  } catch (error) {
    if (fileSystem.list(root).length === 0) {
      fileSystem.removeFolder(root);
    }
    throw error;
  }
}

/** The maximum size of a file in the output. Generated files are smaller. */
const maxBytes = 256 * 1024 * 1024;

/** Converts a path relative to the output folder to an absolute path. */
export function getAbsolutePath(output: Output, path: string): string {
  return join(output.root, ...path.split("/"));
}

/** Converts a path in the output to a path for messages, which is relative to the working folder. */
export function formatPath({ shownRoot }: Output, path: string): string {
  return shownRoot === undefined ? path : posix.join(shownRoot, path);
}

/** Returns the folders above a relative path, the outermost first. */
export function listFoldersAbove(path: string): readonly string[] {
  const steps = path.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

/**
 * Refuses a path below a link or a file, so that nothing is written or deleted through a link. `plainFolders` contains
 * the folders that were inspected before and are not inspected again.
 */
export function assertPlainFolders(output: Output, path: string, plainFolders?: Set<string>): void {
  for (const folder of listFoldersAbove(path)) {
    if (plainFolders?.has(folder)) {
      continue;
    }
    const kind = getKindAt(output, folder);
    if (kind === "missing") {
      return;
    }
    if (kind !== "folder") {
      throw createWrongKindError(formatPath(output, folder), kind, "folder");
    }
    plainFolders?.add(folder);
  }
}

/** Returns the kind of the entry at a path; "missing" if there is none. */
export function getKindAt(output: Output, path: string): EntryKind {
  return withDiskErrors(`inspect ${formatPath(output, path)}`, () =>
    output.fileSystem.getKind(getAbsolutePath(output, path)),
  );
}

/** Reads a file; undefined if it does not exist. Throws if the path leads to anything other than a regular file. */
export function findBytesAt(output: Output, path: string): Uint8Array | undefined {
  const kind = getKindAt(output, path);
  if (kind === "missing") {
    return undefined;
  }
  if (kind !== "file") {
    throw createWrongKindError(formatPath(output, path), kind, "file");
  }
  return withDiskErrors(`read ${formatPath(output, path)}`, () =>
    output.fileSystem.read(getAbsolutePath(output, path), maxBytes),
  );
}

/** Computes the SHA-256 hash of bytes. */
export function computeHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function createWrongKindError(shownName: string, kind: EntryKind, expected: "file" | "folder"): DiskError {
  const linkNote = kind === "link" ? " Links are never followed." : "";
  return new DiskError(`${shownName} is ${formatKind(kind)}, but must be a ${expected}.${linkNote}`, {
    help: "Rename or move it, or choose another folder for the output.",
  });
}

function formatKind(kind: EntryKind): string {
  switch (kind) {
    case "link":
      return "a link";
    case "folder":
      return "a folder";
    case "file":
      return "a file";
    default:
      return "neither a file nor a folder";
  }
}

/** The maximum length of a path on common file systems. The limit `pathChars` of generated paths is stricter. */
const maxPathLength = 4_000;
/** The maximum length of a file name on common file systems. The limit `pathSegment` of generated names is stricter. */
const maxNameLength = 240;

/** Whether a path is relative, contains no `..`, and is valid on every file system. */
export function isTreePath(path: string): boolean {
  return path.length <= maxPathLength && path.split("/").every(isFileName);
}

function isFileName(name: string): boolean {
  return (
    name !== "" &&
    name.length <= maxNameLength &&
    !/[<>:"|?*\\\p{Cc}]/u.test(name) &&
    !/[. ]$/.test(name) &&
    !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) &&
    !/^(?:\.git|node_modules)$/i.test(name)
  );
}

/** Throws if a path in a tree is invalid on some file system, or outside the packages. */
export function checkTree(tree: FileTree, packages: readonly string[]): void {
  const pathsByLowerCase = new Map<string, string>();
  for (const path of tree.keys()) {
    if (!isTreePath(path) || !packages.some((folder) => path.startsWith(`${folder}/`))) {
      throw new DiskError(
        `The path "${path.slice(0, 200)}" cannot be written, because it is invalid on some file systems or outside the packages.`,
      );
    }
    const samePath = pathsByLowerCase.get(path.toLowerCase());
    if (samePath !== undefined) {
      throw new DiskError(
        `The paths "${samePath}" and "${path}" are the same file on a disk that ignores letter case.`,
      );
    }
    pathsByLowerCase.set(path.toLowerCase(), path);
  }
}

// Protects a run that writes files from changes by other programs.

const maxRetries = 8;
const firstWaitMilliseconds = 10;

/** Thrown when a folder of the output was replaced since the run first used it. */
export class ReplacedFolderError extends DiskError {}

/**
 * Makes a guarded output for one run that writes files. Calls that fail because a file is busy are repeated. If a
 * folder is replaced during the run, for example by a link, the run ends with an error.
 *
 * Node has no `openat`, so each call resolves its path again. Therefore, the device and inode of every folder from the
 * output folder to the path are compared with those at its first use: before each call, and after each call that
 * changes files. One risk remains: if a folder is replaced after the first comparison, the call affects another
 * location, and the second comparison can only report this. If the folder is restored before the second comparison, the
 * replacement is not detected.
 *
 * If `waitsForDisk` is false, changes do not wait until they are on the disk: only a crash of the system can lose them.
 */
export function createGuardedOutput(output: Output, waitsForDisk = true): Output {
  return { ...output, fileSystem: createGuardedFileSystem(output, waitsForDisk) };
}

function createGuardedFileSystem(
  { root, fileSystem: unguardedFileSystem, system }: Output,
  waitsForDisk: boolean,
): FileSystem {
  const fileSystem = createRetryingFileSystem(unguardedFileSystem, (milliseconds) => system.wait(milliseconds));
  const folders = new KnownFolders(root, fileSystem);
  const guardRead = <T>(path: string, run: () => T): T => {
    folders.verify(path, "before");
    return run();
  };
  const guardChange = (path: string, run: () => void): void => {
    folders.verify(path, "before");
    run();
    folders.verify(path, "after");
  };
  return {
    getKind: (path) => guardRead(path, () => fileSystem.getKind(path)),
    findFolderIdentity: (path) => fileSystem.findFolderIdentity(path),
    realPath: (path) => fileSystem.realPath(path),
    list: (folder) => guardRead(folder, () => fileSystem.list(folder)),
    read: (path, maxBytes) => guardRead(path, () => fileSystem.read(path, maxBytes)),
    createFile: (path, bytes) => guardChange(path, () => fileSystem.createFile(path, bytes, waitsForDisk)),
    getMode: (path) => guardRead(path, () => fileSystem.getMode(path)),
    setMode: (path, mode) => guardChange(path, () => fileSystem.setMode(path, mode)),
    createFolder: (path) => guardChange(path, () => fileSystem.createFolder(path)),
    rename(from, to) {
      folders.verify(from, "before");
      guardChange(to, () => fileSystem.rename(from, to));
    },
    remove: (path) => guardChange(path, () => fileSystem.remove(path)),
    removeFolder(path) {
      guardChange(path, () => fileSystem.removeFolder(path));
      folders.forgetFolder(path);
    },
    syncFolder(path) {
      if (waitsForDisk) {
        guardRead(path, () => fileSystem.syncFolder(path));
      }
    },
  };
}

/** Remembers the device and inode of each folder at its first use, and detects folders that were replaced. */
class KnownFolders {
  readonly #root: string;
  readonly #fileSystem: FileSystem;
  readonly #identities = new Map<string, string>();

  constructor(root: string, fileSystem: FileSystem) {
    this.#root = root;
    this.#fileSystem = fileSystem;
  }

  /** Throws if a folder above a path was replaced since its first use. */
  verify(path: string, when: "before" | "after"): void {
    for (const folder of this.#listFoldersAbove(path)) {
      const firstIdentity = this.#identities.get(folder);
      const currentIdentity = this.#fileSystem.findFolderIdentity(folder);
      if (firstIdentity !== undefined && currentIdentity !== firstIdentity) {
        throw new ReplacedFolderError(this.#formatReplacedMessage(folder, path, when));
      }
      if (currentIdentity === undefined) {
        if (this.#fileSystem.getKind(folder) === "link") {
          throw new DiskError(
            `${this.#formatName(folder)} is a link, but must be a folder. Links are never followed: replace the link with a folder.`,
          );
        }
        // If a folder is missing, or if it is a file, no check is needed, because the call fails anyway.
        return;
      }
      this.#identities.set(folder, currentIdentity);
    }
  }

  forgetFolder(folder: string): void {
    this.#identities.delete(folder);
  }

  #listFoldersAbove(path: string): readonly string[] {
    const folders: string[] = [];
    for (let folder = path; folder !== this.#root && folder !== dirname(folder); ) {
      folder = dirname(folder);
      folders.push(folder);
    }
    return folders.reverse().filter((folder) => folder.length >= this.#root.length);
  }

  #formatReplacedMessage(folder: string, path: string, when: "before" | "after"): string {
    const replacedNote = `${this.#formatName(folder)} was replaced or removed`;
    return when === "before"
      ? `${replacedNote} during the run. Put it back and run again.`
      : `${replacedNote} while ${this.#formatName(path)} was changed. If the folder is a link now, check the file below the link's target: it may have been changed. Then put the folder back and run again.`;
  }

  #formatName(path: string): string {
    return relative(this.#root, path).replaceAll(sep, "/") || "The output folder";
  }
}

/** Repeats calls that fail because a file or folder is in use (EBUSY), for about two and a half seconds. */
function createRetryingFileSystem(fileSystem: FileSystem, wait: (milliseconds: number) => void): FileSystem {
  const retry = <T>(run: () => T): T => {
    for (let attempt = 0; ; attempt++) {
      try {
        return run();
      } catch (error) {
        if (findFailureCode(error) !== "EBUSY" || attempt === maxRetries) {
          throw error;
        }
        wait(firstWaitMilliseconds * 2 ** attempt);
      }
    }
  };
  return {
    getKind: (path) => retry(() => fileSystem.getKind(path)),
    findFolderIdentity: (path) => retry(() => fileSystem.findFolderIdentity(path)),
    realPath: (path) => retry(() => fileSystem.realPath(path)),
    list: (folder) => retry(() => fileSystem.list(folder)),
    read: (path, maxBytes) => retry(() => fileSystem.read(path, maxBytes)),
    createFile: (path, bytes, waits) => retry(() => fileSystem.createFile(path, bytes, waits)),
    getMode: (path) => retry(() => fileSystem.getMode(path)),
    setMode: (path, mode) => retry(() => fileSystem.setMode(path, mode)),
    createFolder: (path) => retry(() => fileSystem.createFolder(path)),
    rename: (from, to) => retry(() => fileSystem.rename(from, to)),
    remove: (path) => retry(() => fileSystem.remove(path)),
    removeFolder: (path) => retry(() => fileSystem.removeFolder(path)),
    syncFolder: (path) => retry(() => fileSystem.syncFolder(path)),
  };
}
