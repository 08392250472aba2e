import type { FileTree } from "../model/index.js";
import { applyChanges, recover } from "./apply.js";
import { DiskError, onDisk } from "./disk-error.js";
import { guardedOutput } from "./guarded-file-system.js";
import { withLock } from "./lock.js";
import type { Output } from "./output.js";
import { absolute, assertPlainFolders, bytesAt, kindAt } from "./paths-on-disk.js";
import type { FileChange } from "./plan-tree.js";
import { checkTree } from "./tree-path.js";

/** The text files that people have in a folder, by their path in it. What tools leave there, and links, are left out. */
export function readExisting(output: Output, folder: string): FileTree {
  assertPlainFolders(output, `${folder}/x`);
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    const names = onDisk(`list ${path}`, () => output.fileSystem.list(absolute(output, path)));
    for (const name of [...names].sort()) {
      const inside = `${path}/${name}`;
      const kind = /^(?:node_modules|dist|\.git|\.bothends-journal.*)$/.test(name) ? "other" : kindAt(output, inside);
      if (kind === "folder") {
        visit(inside);
      } else if (kind === "file") {
        texts.set(inside.slice(folder.length + 1), textOf(bytesAt(output, inside)));
      }
    }
  };
  if (kindAt(output, folder) === "folder") {
    visit(folder);
  }
  return texts;
}

/**
 * Writes files into a folder that belongs to people: new ones, and those whose text is still what `existing` says.
 * Answers what was written.
 */
export function writeBeside(
  unguarded: Output,
  files: FileTree,
  { folder, existing }: { readonly folder: string; readonly existing: FileTree },
): readonly FileChange[] {
  const tree = new Map([...files].map(([path, text]) => [`${folder}/${path}`, text]));
  checkTree(tree, [folder]);
  const output = guardedOutput(unguarded);
  return withLock(output, () => {
    recover(output);
    const changes = [...tree].flatMap(([path, text]) => {
      assertPlainFolders(output, path);
      const before = bytesAt(output, path);
      const known = existing.get(path.slice(folder.length + 1));
      if ((before === undefined ? undefined : textOf(before)) !== known) {
        throw new DiskError(`${path} changed while it was worked on.`);
      }
      return known === text ? [] : [{ path, before, after: new TextEncoder().encode(text) }];
    });
    applyChanges(output, changes);
    return changes;
  });
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder("utf-8").decode(bytes);
}
