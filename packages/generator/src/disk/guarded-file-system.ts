import { dirname, relative, sep } from "node:path";
import { DiskError, type FileSystem, failureCode } from "./file-system.js";
import type { Output } from "./output.js";

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
