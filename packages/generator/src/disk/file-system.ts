import * as fs from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { sourceLimits } from "../source/source-limits.js";
import type { FileRead, ReadFile } from "../source/sources.js";

// The operations and errors of the disk, and the functions that read sources and other files.

/** The kind of an entry in a folder. Links are not followed. */
export type EntryKind = "file" | "folder" | "link" | "other" | "missing";

/** The operations of the disk that the generator needs. Tests replace them to make calls fail. */
export interface FileSystem {
  getKind(path: string): EntryKind;
  /** Returns the device and inode of a folder; undefined if the path is not a folder. Links are not followed. */
  findFolderIdentity(path: string): string | undefined;
  /** Follows all links in a path, and returns the resulting path. */
  realPath(path: string): string;
  /** Returns the names in a folder, in any order. */
  list(folder: string): readonly string[];
  /** Reads a regular file. Throws if the path is a link or a pipe. */
  read(path: string, maxBytes: number): Uint8Array;
  /**
   * Writes a new file, and waits until it is on the disk, unless `waits` is false. Throws if the file already exists.
   */
  createFile(path: string, bytes: Uint8Array, waits?: boolean): void;
  /** Returns the permissions of a file, such as 0o644. */
  getMode(path: string): number;
  setMode(path: string, mode: number): void;
  createFolder(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  removeFolder(path: string): void;
  /** Waits until the folder's changed entries are on the disk, if the system supports that. */
  syncFolder(path: string): void;
}

/** A failure that this module detects, with the code that the operating system uses for such a failure. */
export class FileSystemError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "FileSystemError";
    this.code = code;
  }
}

/** Returns the code of a system error, such as `ENOENT`; undefined if the disk did not cause the error. */
export function findFailureCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;

/**
 * Reads an open file to its end. Replaces `fs.readFileSync`, which fails with the file descriptors of Yarn's
 * Plug'n'Play: these refer to files in zip archives.
 */
function readOpenFile(file: number, size: number): Uint8Array {
  // The additional byte lets the second read find the end of the file.
  let bytes = Buffer.alloc(size + 1);
  let length = 0;
  for (;;) {
    const count = fs.readSync(file, bytes, length, bytes.length - length, null);
    if (count === 0) {
      return bytes.subarray(0, length);
    }
    length += count;
    if (length === bytes.length) {
      bytes = Buffer.concat([bytes], 2 * length);
    }
  }
}

/** The disk of the machine on which the generator runs. */
export const nodeFileSystem: FileSystem = {
  getKind(path) {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      return "missing";
    }
    if (stats.isSymbolicLink()) {
      return "link";
    }
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  },
  findFolderIdentity(path) {
    const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true ? `${stats.dev}:${stats.ino}` : undefined;
  },
  realPath: (path) => fs.realpathSync(path),
  list: (folder) => fs.readdirSync(folder),
  read(path, maxBytes) {
    const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fs.fstatSync(file);
      if (!stats.isFile()) {
        throw new FileSystemError("EISDIR", `${path} is not a regular file.`);
      }
      if (stats.size > maxBytes) {
        throw new FileSystemError("EFBIG", `${path} is larger than ${maxBytes} bytes.`);
      }
      return readOpenFile(file, stats.size);
    } finally {
      fs.closeSync(file);
    }
  },
  createFile(path, bytes, waits = true) {
    const file = fs.openSync(path, "wx");
    try {
      fs.writeFileSync(file, bytes);
      if (waits) {
        fs.fsyncSync(file);
      }
    } finally {
      fs.closeSync(file);
    }
  },
  getMode: (path) => fs.lstatSync(path).mode & 0o7777,
  setMode: (path, mode) => fs.chmodSync(path, mode),
  createFolder: (path) => fs.mkdirSync(path),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  removeFolder: (path) => fs.rmdirSync(path),
  syncFolder(path) {
    const folder = fs.openSync(path, O_RDONLY);
    try {
      fs.fsyncSync(folder);
    } finally {
      fs.closeSync(folder);
    }
  },
};

/**
 * Thrown when files cannot be read or written, for example because the disk is full, or a link is in place of a folder.
 */
export class DiskError extends Error {
  /** Sentences that explain how to solve the problem. */
  readonly help: string | undefined;
  /** Whether some files were written and could not be restored. */
  readonly isPartlyWritten: boolean;
  /** Whether nothing was written because another run holds the lock of the output. */
  readonly isLocked: boolean;

  constructor(message: string, { help, cause, isPartlyWritten = false, isLocked = false }: DiskErrorInit = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DiskError";
    this.help = help;
    this.isPartlyWritten = isPartlyWritten;
    this.isLocked = isLocked;
  }
}

interface DiskErrorInit {
  readonly help?: string | undefined;
  readonly cause?: unknown;
  readonly isPartlyWritten?: boolean;
  readonly isLocked?: boolean;
}

const reasonsByCode: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is exceeded"],
  ["EACCES", "permission denied"],
  ["EPERM", "the operation is not permitted"],
  ["EROFS", "the file system is read-only"],
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EEXIST", "it exists already"],
  ["ELOOP", "it is a link"],
  ["EIO", "the disk failed"],
  ["EBUSY", "another program is using it"],
  ["EMFILE", "too many files are open"],
  ["ENAMETOOLONG", "the name is too long"],
]);

const permissionHelp = "Check the permissions of the folder, or choose another folder.";
const helpByCode: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "Free some space, and run again."],
  ["EDQUOT", "Free some space, and run again."],
  ["EACCES", permissionHelp],
  ["EPERM", permissionHelp],
  ["EROFS", "Choose a folder on a disk that can be written to."],
  ["ENAMETOOLONG", "Choose a folder with a shorter path."],
  ["EBUSY", "Close the program that uses it, and run again."],
  ["EMFILE", "Close some programs, and run again."],
]);

/** Runs an action on the disk. If it fails, throws a `DiskError` with the message `Cannot <action>: <reason>.` */
export function withDiskErrors<T>(action: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code = findFailureCode(error);
    if (code === undefined) {
      throw error;
    }
    throw new DiskError(`Cannot ${action}: ${describeFailure(code)}.`, { help: helpByCode.get(code), cause: error });
  }
}

/** Describes a failure by its code: `permission denied (EACCES)`. */
export function describeFailure(code: string): string {
  return `${reasonsByCode.get(code) ?? "the disk refused the operation"} (${code})`;
}

/** Whether a path is the given folder or is inside it. Both must be real paths. */
export function isInside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath === "" ||
    (relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !/^(?:[A-Za-z]:|[\\/])/.test(relativePath))
  );
}

type Problem = Extract<FileRead, { readonly kind: "problem" }>["problem"];

/** The folder of the sources, and the maximum size of a source. */
export interface SourceFolder {
  /** The absolute path of the folder. */
  readonly root: string;
  /** The maximum size of a source in bytes. */
  readonly fileBytes?: number | undefined;
  readonly fileSystem?: FileSystem | undefined;
}

/**
 * Returns a function that reads sources. The function follows links, which must lead to a regular file below the root.
 */
export function createSourceReader({ root, fileBytes, fileSystem = nodeFileSystem }: SourceFolder): ReadFile {
  const limit = fileBytes ?? sourceLimits.fileBytes;
  return (path) => {
    try {
      const realRoot = fileSystem.realPath(root);
      const realFile = fileSystem.realPath(join(realRoot, path));
      if (!isInside(realRoot, realFile)) {
        const widerFolder = relative(realRoot, findCommonFolder(realRoot, dirname(realFile))).replaceAll(sep, "/");
        return {
          kind: "problem",
          problem: "outside",
          message: "it is outside the root of the sources",
          root: widerFolder,
        };
      }
      const kind = fileSystem.getKind(realFile);
      if (kind !== "file") {
        return kind === "missing"
          ? createProblem("missing", "there is no such file")
          : createProblem("irregular", kind === "folder" ? "it is a folder, not a file" : "it is not a regular file");
      }
      return { kind: "file", bytes: fileSystem.read(realFile, limit) };
    } catch (error) {
      return createReadProblem(error);
    }
  };
}

function createReadProblem(error: unknown): FileRead {
  const code = findFailureCode(error);
  switch (code) {
    case undefined:
      throw error;
    case "ENOENT":
    case "ENOTDIR":
    case "ERR_INVALID_ARG_VALUE":
    case "ENAMETOOLONG":
      return createProblem("missing", "there is no such file");
    case "EISDIR":
    case "ELOOP":
    case "ENXIO":
      return createProblem("irregular", "it is not a regular file");
    case "EFBIG":
      return createProblem("large", "it is too large");
    default:
      return createProblem("unreadable", describeFailure(code));
  }
}

function createProblem(kind: Problem, message: string): FileRead {
  return { kind: "problem", problem: kind, message };
}

const maxTextBytes = 16 * 1024 * 1024;

/** Whether there is a folder at a path. Links are followed. */
export function isFolder(path: string, fileSystem: FileSystem = nodeFileSystem): boolean {
  try {
    return fileSystem.getKind(fileSystem.realPath(path)) === "folder";
  } catch {
    return false;
  }
}

/** Whether there is a file at a path. Links are followed. */
export function isFile(path: string, fileSystem: FileSystem = nodeFileSystem): boolean {
  try {
    return fileSystem.getKind(fileSystem.realPath(path)) === "file";
  } catch {
    return false;
  }
}

/** Returns the names in a folder, sorted; empty if the folder cannot be read. Links are followed. */
export function listEntries(path: string, fileSystem: FileSystem = nodeFileSystem): readonly string[] {
  try {
    return [...fileSystem.list(fileSystem.realPath(path))].sort();
  } catch {
    return [];
  }
}

/** Reads all text files below a folder, except links. Returns their texts by relative path, in sorted order. */
export function readFolder(folder: string, fileSystem: FileSystem = nodeFileSystem): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of [...fileSystem.list(join(folder, path))].sort()) {
      const relativePath = path === "" ? name : `${path}/${name}`;
      const kind = fileSystem.getKind(join(folder, relativePath));
      if (kind === "folder") {
        visit(relativePath);
      } else if (kind === "file") {
        texts.set(
          relativePath,
          new TextDecoder("utf-8").decode(fileSystem.read(join(folder, relativePath), maxTextBytes)),
        );
      }
    }
  };
  withDiskErrors(`read ${folder}`, () => visit(""));
  return texts;
}

/** Reads a text file, following links, because a package manager may install files as links. */
export function readText(path: string, fileSystem: FileSystem = nodeFileSystem): string {
  return withDiskErrors(`read ${path}`, () =>
    new TextDecoder("utf-8").decode(fileSystem.read(fileSystem.realPath(path), maxTextBytes)),
  );
}

/** A folder that has one of these entries is recognized as a project folder. */
const projectMarkers = ["package.json", ".git", "bothends.json"] as const;

/** The absolute paths of a run's sources and of its working folder. */
interface SourcePaths {
  readonly sources: readonly string[];
  readonly workingFolder: string;
  readonly fileSystem?: FileSystem;
}

/**
 * Returns the default root of sources: the nearest folder above all sources that is a project folder or the working
 * folder; if there is none, the nearest folder above all sources.
 */
export function findSourceRoot({ sources, workingFolder, fileSystem = nodeFileSystem }: SourcePaths): string {
  const [firstFolder = workingFolder, ...otherFolders] = sources.map((path) => dirname(path));
  const nearestFolder = otherFolders.reduce(findCommonFolder, firstFolder);
  for (let folder = nearestFolder; ; folder = dirname(folder)) {
    if (folder === workingFolder || isProjectFolder(folder, fileSystem)) {
      return folder;
    }
    if (dirname(folder) === folder) {
      return nearestFolder;
    }
  }
}

function isProjectFolder(folder: string, fileSystem: FileSystem): boolean {
  return projectMarkers.some((marker) => fileSystem.getKind(join(folder, marker)) !== "missing");
}

/** Returns the nearest folder that contains both given folders. */
export function findCommonFolder(first: string, second: string): string {
  return isInside(first, second) || dirname(first) === first ? first : findCommonFolder(dirname(first), second);
}
