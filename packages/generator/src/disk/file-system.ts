import * as fs from "node:fs";

/** The kind of a folder's entry. Links are not followed. */
export type EntryKind = "file" | "folder" | "link" | "other" | "missing";

/** The disk operations that the generator needs. Tests replace them to make each call fail. */
export interface FileSystem {
  kindOf(path: string): EntryKind;
  /** The device and inode of a folder; undefined if the path is not a folder. Links are not followed. */
  folderIdentity(path: string): string | undefined;
  /** The path with all links followed. */
  realPath(path: string): string;
  /** The names in a folder, in any order. */
  list(folder: string): readonly string[];
  /** Reads a regular file. Refuses a link or a pipe at the path. */
  read(path: string, maxBytes: number): Uint8Array;
  /** Writes a file that must not exist, and waits until it is on the disk. */
  create(path: string, bytes: Uint8Array): void;
  createFolder(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  removeFolder(path: string): void;
  /** Waits until the folder's entries are on the disk, if the system supports that. */
  syncFolder(path: string): void;
}

/** A failure detected by this module, with the corresponding system code. */
export class FileSystemError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "FileSystemError";
    this.code = code;
  }
}

/** The system's code for a failure, such as `ENOENT`; undefined for errors not caused by the disk. */
export function failureCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;

/** The disk of this machine. */
export const nodeFileSystem: FileSystem = {
  kindOf(path) {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      return "missing";
    }
    if (stats.isSymbolicLink()) {
      return "link";
    }
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  },
  folderIdentity(path) {
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
      return fs.readFileSync(file);
    } finally {
      fs.closeSync(file);
    }
  },
  create(path, bytes) {
    const file = fs.openSync(path, "wx");
    try {
      fs.writeFileSync(file, bytes);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
  },
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

/** The reason why files cannot be read or written: a full disk, a lock, a link where a folder must be. */
export class DiskError extends Error {
  /** Sentences that explain how to resolve the problem. */
  readonly help: string | undefined;

  constructor(message: string, { help, cause }: { readonly help?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DiskError";
    this.help = help;
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EACCES", "permission denied"],
  ["EPERM", "not permitted"],
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

const permissions = "Check the permissions of the folder, or choose another folder.";
const helps: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "Free some space, and run again."],
  ["EDQUOT", "Free some space, and run again."],
  ["EACCES", permissions],
  ["EPERM", permissions],
  ["EROFS", "Choose a folder on a disk that can be written to."],
  ["ENAMETOOLONG", "Choose a folder with a shorter path."],
  ["EBUSY", "Close the program that uses it, and run again."],
  ["EMFILE", "Close some programs, and run again."],
]);

/** Runs an action on the disk. Its failure becomes a `DiskError` that names the action: `Cannot <action>: …`. */
export function withDiskErrors<T>(action: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code = failureCode(error);
    if (code === undefined) {
      throw error;
    }
    throw new DiskError(`Cannot ${action}: ${failureReason(code)}.`, { help: helps.get(code), cause: error });
  }
}

/** The reason for a failure in words, with its code: `permission denied (EACCES)`. */
export function failureReason(code: string): string {
  return `${reasons.get(code) ?? "the disk refused it"} (${code})`;
}
