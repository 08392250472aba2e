import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import type { FileTree } from "../model/index.js";
import {
  DiskError,
  type EntryKind,
  type FileSystem,
  failureCode,
  isInside,
  nodeFileSystem,
  withDiskErrors,
} from "./file-system.js";

// The output of a run: its folder, the system, and the paths in it.

/** The folder for generated files, with the disk and the system, which tests replace. */
export interface Output {
  /** An absolute path with its links followed. */
  readonly root: string;
  /** The root as shown in messages, relative to the working folder; absent if they are the same. */
  readonly shownRoot?: string | undefined;
  /** The folders of the generated packages, relative to the root. */
  readonly packages: readonly string[];
  readonly fileSystem: FileSystem;
  readonly system: System;
}

/** The process and the clock, for locks and for waiting. */
export interface System {
  readonly pid: number;
  readonly host: string;
  /** The time in milliseconds. Only differences are used. */
  now(): number;
  isRunning(pid: number): boolean;
  wait(milliseconds: number): void;
}

/** This process on this machine. */
export const nodeSystem: System = {
  pid: process.pid,
  host: hostname(),
  now: () => Date.now(),
  isRunning(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // The process belongs to another user: it is running, but this user may not signal it.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
  wait(milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** An output on the disk of this machine. */
export function outputOn(root: string, packages: readonly string[], shownRoot?: string): Output {
  return { root, shownRoot, packages, fileSystem: nodeFileSystem, system: nodeSystem };
}

/** The folder for the output, and the working folder of the run. Both paths are absolute. */
export interface OutputFolder {
  readonly path: string;
  readonly workingFolder: string;
  readonly fileSystem?: FileSystem;
}

/**
 * Returns the real path of the output folder. The folder need not exist, but its parent must. The folder must not be a link;
 * inside the working folder, no folder above it may be a link.
 */
export function outputRoot({ path, workingFolder, fileSystem = nodeFileSystem }: OutputFolder): string {
  return withDiskErrors(`use ${path} as output`, () => {
    const kind = fileSystem.kindOf(path);
    if (kind !== "folder" && kind !== "missing") {
      throw otherKind(isInside(workingFolder, path) ? relative(workingFolder, path) : path, kind, "folder");
    }
    const parent = dirname(path);
    if (fileSystem.kindOf(parent) === "missing") {
      throw new DiskError(`${parent} does not exist.`, {
        help: "Create it first: only the last folder of the path is created.",
      });
    }
    const realParent = fileSystem.realPath(parent);
    const real = kind === "folder" ? fileSystem.realPath(path) : join(realParent, basename(path));
    const home = fileSystem.realPath(workingFolder);
    if (isInside(workingFolder, path) && relative(home, real) !== relative(workingFolder, path)) {
      throw new DiskError(`${path} is below a link. Links are never followed.`);
    }
    return real;
  });
}

/**
 * Runs an action in the output folder, creating the folder if it is missing. If the action fails, a folder created here is
 * removed.
 */
export function inOutputRoot<T>(root: string, run: () => T, fileSystem: FileSystem = nodeFileSystem): T {
  if (fileSystem.kindOf(root) !== "missing") {
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

/** Larger than any generated file. */
const maxBytes = 256 * 1024 * 1024;

/** The absolute path of a path relative to the output root. */
export function absolute(output: Output, path: string): string {
  return join(output.root, ...path.split("/"));
}

/** A path in the output as shown in messages, relative to the working folder. */
export function shownPath({ shownRoot }: Output, path: string): string {
  return shownRoot === undefined ? path : posix.join(shownRoot, path);
}

/** The folders above a path, outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const steps = path.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

/** Refuses a path below a link or a file, so that nothing is written or deleted through a link. */
export function assertPlainFolders(output: Output, path: string): void {
  for (const folder of foldersAbove(path)) {
    const kind = kindAt(output, folder);
    if (kind === "missing") {
      return;
    }
    if (kind !== "folder") {
      throw otherKind(shownPath(output, folder), kind, "folder");
    }
  }
}

/** The kind of the entry at a path. */
export function kindAt(output: Output, path: string): EntryKind {
  return withDiskErrors(`inspect ${shownPath(output, path)}`, () => output.fileSystem.kindOf(absolute(output, path)));
}

/** Reads a file; undefined if it is missing. Anything but a regular file is refused. */
export function bytesAt(output: Output, path: string): Uint8Array | undefined {
  const kind = kindAt(output, path);
  if (kind === "missing") {
    return undefined;
  }
  if (kind !== "file") {
    throw otherKind(shownPath(output, path), kind, "file");
  }
  return withDiskErrors(`read ${shownPath(output, path)}`, () =>
    output.fileSystem.read(absolute(output, path), maxBytes),
  );
}

/** The SHA-256 hash of bytes. */
export function bytesHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function otherKind(shown: string, kind: EntryKind, expected: "file" | "folder"): DiskError {
  const links = kind === "link" ? " Links are never followed." : "";
  return new DiskError(`${shown} is ${described(kind)}, but must be a ${expected}.${links}`, {
    help: "Rename or move it, or choose another folder for the output.",
  });
}

function described(kind: EntryKind): string {
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

/** The limits of file systems. Generation has stricter ones (`pathChars`, `pathSegment`). */
const maxPath = 4_000;
const maxName = 240;

/** Whether a path is relative, without `..`, and valid on every file system. */
export function isTreePath(path: string): boolean {
  return path.length <= maxPath && path.split("/").every(isFileName);
}

function isFileName(name: string): boolean {
  return (
    name !== "" &&
    name.length <= maxName &&
    !/[<>:"|?*\\\p{Cc}]/u.test(name) &&
    !/[. ]$/.test(name) &&
    !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) &&
    !/^(?:\.git|node_modules)$/i.test(name)
  );
}

/** Refuses a tree with a path that is invalid on some file system, or outside its packages. */
export function checkTree(tree: FileTree, packages: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of tree.keys()) {
    if (!isTreePath(path) || !packages.some((folder) => path.startsWith(`${folder}/`))) {
      throw new DiskError(`"${path.slice(0, 200)}" is not a path that can be written.`);
    }
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) {
      throw new DiskError(`"${other}" and "${path}" are the same file on a disk that ignores letter case.`);
    }
    seen.set(path.toLowerCase(), path);
  }
}

// The output of a run that writes files.

const retries = 8;
const firstWait = 10;

/** Thrown when a folder of the output was replaced since the run first used it. */
export class ReplacedFolderError extends DiskError {}

/**
 * The output of one run that writes files. Calls on a busy file are repeated, and a folder that is replaced during the run, for
 * example by a link, ends the run with an error.
 *
 * Node has no `openat`, so a path is resolved again in each call. Therefore, the device and inode of every folder between the
 * output root and the path are compared with those first seen, before each call and after each call that changes something. One
 * race remains: if a folder is replaced after the first comparison, that one call affects another location, and the second
 * comparison can only report it. If the folder is also restored before the second comparison, the replacement is not detected.
 */
export function guardedOutput(output: Output): Output {
  return { ...output, fileSystem: guardedFileSystem(output) };
}

function guardedFileSystem({ root, fileSystem: unguarded, system }: Output): FileSystem {
  const fileSystem = retryingFileSystem(unguarded, (milliseconds) => system.wait(milliseconds));
  const folders = new KnownFolders(root, fileSystem);
  const reading = <T>(path: string, run: () => T): T => {
    folders.verify(path, "before");
    return run();
  };
  const changing = (path: string, run: () => void): void => {
    folders.verify(path, "before");
    run();
    folders.verify(path, "after");
  };
  return {
    kindOf: (path) => reading(path, () => fileSystem.kindOf(path)),
    folderIdentity: (path) => fileSystem.folderIdentity(path),
    realPath: (path) => fileSystem.realPath(path),
    list: (folder) => reading(folder, () => fileSystem.list(folder)),
    read: (path, maxBytes) => reading(path, () => fileSystem.read(path, maxBytes)),
    create: (path, bytes) => changing(path, () => fileSystem.create(path, bytes)),
    createFolder: (path) => changing(path, () => fileSystem.createFolder(path)),
    rename(from, to) {
      folders.verify(from, "before");
      changing(to, () => fileSystem.rename(from, to));
    },
    remove: (path) => changing(path, () => fileSystem.remove(path)),
    removeFolder(path) {
      changing(path, () => fileSystem.removeFolder(path));
      folders.forget(path);
    },
    syncFolder: (path) => reading(path, () => fileSystem.syncFolder(path)),
  };
}

/** The identity of each folder of the output when it was first used. */
class KnownFolders {
  readonly #root: string;
  readonly #fileSystem: FileSystem;
  readonly #identities = new Map<string, string>();

  constructor(root: string, fileSystem: FileSystem) {
    this.#root = root;
    this.#fileSystem = fileSystem;
  }

  /** Compares all folders above a path with those first seen. */
  verify(path: string, when: "before" | "after"): void {
    for (const folder of this.#foldersAbove(path)) {
      const known = this.#identities.get(folder);
      const present = this.#fileSystem.folderIdentity(folder);
      if (known !== undefined && present !== known) {
        throw new ReplacedFolderError(this.#message(folder, path, when));
      }
      if (present === undefined) {
        if (this.#fileSystem.kindOf(folder) === "link") {
          throw new DiskError(`${this.#name(folder)} is a link, and must be a folder. Links are never followed.`);
        }
        // The call itself fails if a folder is missing or is a file.
        return;
      }
      this.#identities.set(folder, present);
    }
  }

  forget(folder: string): void {
    this.#identities.delete(folder);
  }

  #foldersAbove(path: string): readonly string[] {
    const folders: string[] = [];
    for (let folder = path; folder !== this.#root && folder !== dirname(folder); ) {
      folder = dirname(folder);
      folders.push(folder);
    }
    return folders.reverse().filter((folder) => folder.length >= this.#root.length);
  }

  #message(folder: string, path: string, when: "before" | "after"): string {
    const replaced = `${this.#name(folder)} was replaced or removed`;
    return when === "before"
      ? `${replaced} during the run. Put it back and run again.`
      : `${replaced} while ${this.#name(path)} was changed. If it is a link now, check the file it leads to. Put the folder back and run again.`;
  }

  #name(path: string): string {
    return relative(this.#root, path).replaceAll(sep, "/") || "The output folder";
  }
}

/** Repeats calls that fail because a file or folder is in use (EBUSY), for about two and a half seconds. */
function retryingFileSystem(fileSystem: FileSystem, wait: (milliseconds: number) => void): FileSystem {
  const retrying = <T>(run: () => T): T => {
    for (let attempt = 0; ; attempt++) {
      try {
        return run();
      } catch (error) {
        if (failureCode(error) !== "EBUSY" || attempt === retries) {
          throw error;
        }
        wait(firstWait * 2 ** attempt);
      }
    }
  };
  return {
    kindOf: (path) => retrying(() => fileSystem.kindOf(path)),
    folderIdentity: (path) => retrying(() => fileSystem.folderIdentity(path)),
    realPath: (path) => retrying(() => fileSystem.realPath(path)),
    list: (folder) => retrying(() => fileSystem.list(folder)),
    read: (path, maxBytes) => retrying(() => fileSystem.read(path, maxBytes)),
    create: (path, bytes) => retrying(() => fileSystem.create(path, bytes)),
    createFolder: (path) => retrying(() => fileSystem.createFolder(path)),
    rename: (from, to) => retrying(() => fileSystem.rename(from, to)),
    remove: (path) => retrying(() => fileSystem.remove(path)),
    removeFolder: (path) => retrying(() => fileSystem.removeFolder(path)),
    syncFolder: (path) => retrying(() => fileSystem.syncFolder(path)),
  };
}
