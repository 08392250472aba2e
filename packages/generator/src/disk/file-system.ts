import * as fs from "node:fs";

/** What an entry of a folder is; links are not followed. */
export type EntryKind = "file" | "folder" | "link" | "other" | "missing";

/** The disk as this package uses it: few operations, each of which can fail, so that tests can make each one fail. */
export interface FileSystem {
  kindOf(path: string): EntryKind;
  /** The device and inode of a folder; undefined if the path is anything else. Links are not followed. */
  folderIdentity(path: string): string | undefined;
  /** The path with all links followed. */
  realPath(path: string): string;
  /** Names, in no order. */
  list(folder: string): readonly string[];
  /** The bytes of a regular file. A link at the path itself is refused; nothing waits on a pipe. */
  read(path: string, maxBytes: number): Uint8Array;
  /** Writes a file that does not exist yet, and waits until the disk has it. */
  create(path: string, bytes: Uint8Array): void;
  createFolder(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  removeFolder(path: string): void;
  /** Waits until the disk has the folder's entries, where the system can do that. */
  syncFolder(path: string): void;
}

/** A failure of the disk that this package itself sees: its `code` is as the system would give it. */
export class FileSystemError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "FileSystemError";
    this.code = code;
  }
}

/** The system's code of a failure (`ENOENT`); undefined for anything that is no failure of the disk. */
export function failureCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;

/** The real disk. */
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
