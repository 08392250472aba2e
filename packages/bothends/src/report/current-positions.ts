import type { FileTree } from "@bothends/generator/disk";
import { type Change, diffLines } from "diff";
import { maxEditLength } from "./changes.js";

/** The changes that a dry run would make to a server. Paths are relative to its folder. */
interface PlannedChanges {
  /** The folder of the server, as the report shows it. */
  readonly folder: string;
  readonly existing: FileTree;
  /** The new contents of new and changed files. */
  readonly files: FileTree;
  /** The paths of files whose content would move to another file. */
  readonly movedPaths: readonly string[];
}

/**
 * Replaces the positions in the report of a dry run, which are those after the merge, with the positions in the files
 * as they are.
 */
export function withCurrentPositions(report: string, { folder, existing, files, movedPaths }: PlannedChanges): string {
  const newFiles = [...files].filter(([path]) => !existing.has(path));
  const movedFiles = movedPaths.flatMap((oldPath) => {
    const countKept = ([, text]: (typeof newFiles)[number]) => countKeptLines(existing.get(oldPath) ?? "", text);
    const [newFile] = newFiles.toSorted((left, right) => countKept(right) - countKept(left));
    return newFile === undefined ? [] : [[newFile[0], oldPath] as const];
  });
  const oldPaths = new Map([...[...existing.keys()].map((path) => [path, path] as const), ...movedFiles]);
  let text = report;
  for (const [path, newText] of files) {
    const [start = "", ...parts] = text.split(`${folder}/${path}:`);
    const oldPath = oldPaths.get(path);
    const oldText = oldPath === undefined ? undefined : existing.get(oldPath);
    if (parts.length > 0 && oldText !== undefined) {
      const findLine = createLineFinder(oldText, newText);
      const newParts = parts.map((part) => part.replace(/^\d+/, (line) => String(findLine(Number(line)))));
      text = [start, ...newParts].join(`${folder}/${oldPath}:`);
    }
  }
  return text;
}

function countKeptLines(oldText: string, newText: string): number {
  const kept = diff(oldText, newText).filter(({ added, removed }) => !added && !removed);
  return kept.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the parts of two texts, or an empty list if too many lines differ; positions then stay as they are. */
function diff(oldText: string, newText: string): readonly Change[] {
  return diffLines(oldText, newText, { maxEditLength }) ?? [];
}

/**
 * Returns a function that converts a line of a new text to the same line of the old text. A changed line becomes the
 * line that it replaces, and an added line the line before which it is added.
 */
function createLineFinder(oldText: string, newText: string): (line: number) => number {
  const parts = diff(oldText, newText);
  return (line) => {
    let [oldLine, newLine, replaced] = [1, 1, 0];
    for (const { added, removed, count } of parts) {
      const offset = line - newLine;
      if (removed) {
        replaced = count;
      } else if (offset < count) {
        return oldLine + (added ? Math.min(offset, Math.max(replaced - 1, 0)) : replaced + offset);
      } else {
        newLine += count;
        oldLine += replaced + (added ? 0 : count);
        replaced = 0;
      }
    }
    return line;
  };
}
