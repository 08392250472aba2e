import { createHash } from "node:crypto";
import { join } from "node:path";
import { DiskError, onDisk } from "./disk-error.js";
import type { EntryKind } from "./file-system.js";
import type { Output } from "./output.js";

/** Larger than any file that is written; what is larger is not ours. */
const maxBytes = 256 * 1024 * 1024;

/** The absolute path of a path relative to the output root. */
export function absolute(output: Output, path: string): string {
  return join(output.root, ...path.split("/"));
}

/** The folders above a path, outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const steps = path.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

/** Refuses a path whose folders are links or files: nothing is ever written or deleted through a link. */
export function assertPlainFolders(output: Output, path: string): void {
  for (const folder of foldersAbove(path)) {
    const kind = kindAt(output, folder);
    if (kind === "missing") {
      return;
    }
    if (kind !== "folder") {
      throw new DiskError(`${folder} is ${described(kind)}, and must be a folder. Links are never followed.`);
    }
  }
}

/** What stands at a path. */
export function kindAt(output: Output, path: string): EntryKind {
  return onDisk(`look at ${path}`, () => output.fileSystem.kindOf(absolute(output, path)));
}

/** What a file holds; undefined where there is none. Anything else than a regular file is refused. */
export function bytesAt(output: Output, path: string): Uint8Array | undefined {
  const kind = kindAt(output, path);
  if (kind === "missing") {
    return undefined;
  }
  if (kind !== "file") {
    throw new DiskError(`${path} is ${described(kind)}, and must be a regular file. Links are never followed.`);
  }
  return onDisk(`read ${path}`, () => output.fileSystem.read(absolute(output, path), maxBytes));
}

/** A hash of exactly these bytes. */
export function bytesHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
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
