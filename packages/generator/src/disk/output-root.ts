import { basename, dirname, join, relative } from "node:path";
import { DiskError, onDisk } from "./disk-error.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import { isInside } from "./read-source.js";

/** The folder that output goes to, and where the run was started. Both are absolute. */
export interface OutputFolder {
  readonly path: string;
  readonly workingFolder: string;
  readonly fileSystem?: FileSystem;
}

/**
 * The real path of the output folder, which need not exist. Its parent must, and neither it nor, inside the working
 * folder, anything above it may be a link that leads elsewhere.
 */
export function outputRoot({ path, workingFolder, fileSystem = nodeFileSystem }: OutputFolder): string {
  return onDisk(`use ${path} as output`, () => {
    const kind = fileSystem.kindOf(path);
    if (kind !== "folder" && kind !== "missing") {
      throw new DiskError(
        `${path} is ${kind === "link" ? "a link" : "not a folder"}. The output must be a folder. Links are never followed.`,
      );
    }
    const parent = dirname(path);
    if (fileSystem.kindOf(parent) === "missing") {
      throw new DiskError(`${parent} does not exist. Make it first; only the last folder of the output is made.`);
    }
    const realParent = fileSystem.realPath(parent);
    const real = kind === "folder" ? fileSystem.realPath(path) : join(realParent, basename(path));
    const home = fileSystem.realPath(workingFolder);
    if (isInside(workingFolder, path) && relative(home, real) !== relative(workingFolder, path)) {
      throw new DiskError(`${path} lies behind a link. Links are never followed.`);
    }
    return real;
  });
}

/** Runs something with the output folder in place; one that was made for it goes again if that fails. */
export function inOutputRoot<T>(root: string, run: () => T, fileSystem: FileSystem = nodeFileSystem): T {
  if (fileSystem.kindOf(root) !== "missing") {
    return run();
  }
  onDisk(`make the folder ${root}`, () => fileSystem.createFolder(root));
  try {
    return run();
  } catch (error) {
    if (fileSystem.list(root).length === 0) {
      fileSystem.removeFolder(root);
    }
    throw error;
  }
}
