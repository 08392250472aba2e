import { failureCode } from "./file-system.js";

/** What keeps a run from reading or writing, other than a mistake in a schema: a full disk, a lock, a link in the way. */
export class DiskError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DiskError";
  }
}

const words: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EACCES", "permission denied"],
  ["EPERM", "not permitted"],
  ["EROFS", "the file system is read-only"],
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "a step of the path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EEXIST", "it exists already"],
  ["ELOOP", "it is a link"],
  ["EIO", "the disk failed"],
  ["EBUSY", "another program is using it"],
  ["EMFILE", "too many files are open"],
  ["ENAMETOOLONG", "the name is too long"],
]);

/** Runs something that touches the disk; a failure of the disk becomes a `DiskError` that says what was being done. */
export function onDisk<T>(doing: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code = failureCode(error);
    if (code === undefined) {
      throw error;
    }
    throw new DiskError(`Cannot ${doing}: ${words.get(code) ?? "the disk refused"} (${code}).`, error);
  }
}
