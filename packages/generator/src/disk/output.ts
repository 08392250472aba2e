import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import type { FileTree } from "../model/index.js";
import { DiskError, type EntryKind, type FileSystem, nodeFileSystem, onDisk } from "./file-system.js";

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
  return onDisk(`use ${path} as output`, () => {
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
  onDisk(`create the folder ${root}`, () => fileSystem.createFolder(root));
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
  return onDisk(`inspect ${shownPath(output, path)}`, () => output.fileSystem.kindOf(absolute(output, path)));
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
  return onDisk(`read ${shownPath(output, path)}`, () => output.fileSystem.read(absolute(output, path), maxBytes));
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

/** Whether a path is a folder or inside it. Both must be real paths. */
export function isInside(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === "" || (from !== ".." && !from.startsWith(`..${sep}`) && !/^(?:[A-Za-z]:|[\\/])/.test(from));
}
