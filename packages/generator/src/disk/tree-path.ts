import { DiskError } from "./disk-error.js";
import type { FileTree } from "./file-tree.js";

const maxPath = 200;
const maxStep = 100;
const maxFiles = 10_000;
const maxBytes = 200 * 1024 * 1024;

/** Whether a path is relative, goes down only, and can exist on every file system. */
export function isTreePath(path: string): boolean {
  return path.length <= maxPath && path.split("/").every(isTreeStep);
}

function isTreeStep(step: string): boolean {
  return (
    step !== "" &&
    step.length <= maxStep &&
    !/[<>:"|?*\\\p{Cc}]/u.test(step) &&
    !/[. ]$/.test(step) &&
    !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(step) &&
    !/^(?:\.git|node_modules)$/i.test(step)
  );
}

/** Refuses a tree that does not fit on every disk, or leaves its packages: before anything is written. */
export function checkTree(tree: FileTree, packages: readonly string[]): void {
  const seen = new Map<string, string>();
  let bytes = 0;
  for (const [path, text] of tree) {
    if (!isTreePath(path) || !packages.some((folder) => path.startsWith(`${folder}/`))) {
      throw new DiskError(
        `"${path.slice(0, maxPath)}" is not a path that can be written (limits pathChars ${maxPath}, pathSegment ${maxStep}).`,
      );
    }
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) {
      throw new DiskError(`"${other}" and "${path}" are one file where letter case does not count.`);
    }
    seen.set(path.toLowerCase(), path);
    bytes += text.length;
  }
  if (tree.size > maxFiles || bytes > maxBytes) {
    throw new DiskError(
      `${tree.size} files of ${bytes} characters are more than is written (limits outputFiles ${maxFiles}, outputBytes ${maxBytes}).`,
    );
  }
}
