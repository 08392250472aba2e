import type { FileTree } from "../model/index.js";
import { DiskError } from "./disk-error.js";

/** What file systems can hold; generation has narrower limits (`pathChars`, `pathSegment`). */
const maxPath = 4_000;
const maxStep = 240;

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
  for (const path of tree.keys()) {
    if (!isTreePath(path) || !packages.some((folder) => path.startsWith(`${folder}/`))) {
      throw new DiskError(`"${path.slice(0, 200)}" is not a path that can be written.`);
    }
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) {
      throw new DiskError(`"${other}" and "${path}" are one file where letter case does not count.`);
    }
    seen.set(path.toLowerCase(), path);
  }
}
