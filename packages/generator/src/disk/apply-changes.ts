import { DiskError, onDisk } from "./file-system.js";
import { ReplacedFolderError } from "./guarded-file-system.js";
import {
  createJournal,
  dropJournal,
  type Journal,
  type JournalEntry,
  readJournal,
  removeIfPresent,
  replaceJournal,
  stagedPath,
  syncFolder,
} from "./journal.js";
import type { Output } from "./output.js";
import { absolute, assertPlainFolders, bytesAt, bytesHash, foldersAbove, kindAt } from "./output-paths.js";
import type { FileChange } from "./plan-tree.js";

/** Makes all changes or none. After a failure the old files are there again; the next run finishes or undoes a run that was killed. */
export function applyChanges(output: Output, changes: readonly FileChange[]): void {
  if (changes.length === 0) {
    return;
  }
  const journal: Journal = {
    state: "staging",
    folders: missingFolders(output, changes),
    entries: changes.map(({ path, before, after }) => ({
      target: path,
      next: after === undefined ? undefined : bytesHash(after),
      previous: before === undefined ? undefined : bytesHash(before),
    })),
  };
  try {
    createJournal(output, journal);
    stage(output, journal, changes);
    replaceJournal(output, { ...journal, state: "applying" });
    rollForward(output, journal);
  } catch (error) {
    undo(output, journal, error);
    throw error;
  }
  finish(output, journal);
}

/** Finishes or undoes an interrupted run. */
export function recover(output: Output): void {
  const journal = readJournal(output);
  if (journal === undefined) {
    return;
  }
  if (journal === "damaged") {
    dropJournal(output);
    return;
  }
  for (const { target } of journal.entries) {
    assertPlainFolders(output, target);
  }
  if (journal.state === "applying" && canRollForward(output, journal)) {
    rollForward(output, journal);
    finish(output, journal);
  } else {
    rollBack(output, journal);
  }
}

/** Whether a run was interrupted, so that the next must finish or undo it. */
export function isInterrupted(output: Output): boolean {
  return readJournal(output) !== undefined;
}

function missingFolders(output: Output, changes: readonly FileChange[]): readonly string[] {
  const folders = new Set(changes.flatMap(({ path, after }) => (after === undefined ? [] : foldersAbove(path))));
  return [...folders].filter((folder) => kindAt(output, folder) === "missing").sort();
}

function stage(output: Output, journal: Journal, changes: readonly FileChange[]): void {
  for (const folder of journal.folders) {
    onDisk(`create the folder ${folder}`, () => output.fileSystem.createFolder(absolute(output, folder)));
  }
  changes.forEach(({ path, before, after }, index) => {
    if (after !== undefined) {
      createStaged(output, stagedPath(path, index, "next"), after);
    }
    if (before !== undefined) {
      createStaged(output, stagedPath(path, index, "previous"), before);
    }
  });
  syncTargets(output, journal);
}

function createStaged(output: Output, path: string, bytes: Uint8Array): void {
  onDisk(`write ${path}`, () => output.fileSystem.create(absolute(output, path), bytes));
}

function rollForward(output: Output, journal: Journal): void {
  journal.entries.forEach(({ target, next }, index) => {
    if (next === undefined) {
      removeIfPresent(output, target);
      return;
    }
    const staged = stagedPath(target, index, "next");
    if (kindAt(output, staged) === "file") {
      rename(output, staged, target);
    }
  });
  syncTargets(output, journal);
}

// An edit made since the interruption is not overwritten: in that case the run is undone.
function canRollForward(output: Output, journal: Journal): boolean {
  return journal.entries.every(({ target, next, previous }, index) => {
    const present = hashAt(output, target);
    if (present !== undefined && present !== next && present !== previous) {
      return false;
    }
    return next === undefined || present === next || kindAt(output, stagedPath(target, index, "next")) === "file";
  });
}

/** Removes the staged files and the journal. The new files are in place, so a failure is left to the next run. */
function finish(output: Output, journal: Journal): void {
  try {
    clearStaged(output, journal);
    removeEmptyFolders(output, journal);
    dropJournal(output);
  } catch (error) {
    if (!(error instanceof DiskError) || error instanceof ReplacedFolderError) {
      throw error;
    }
  }
}

function undo(output: Output, journal: Journal, cause: unknown): void {
  try {
    rollBack(output, journal);
  } catch (error) {
    if (!(error instanceof DiskError) || !(cause instanceof DiskError)) {
      throw error;
    }
    throw new DiskError(
      `${cause.message} Undoing failed too: ${error.message} The next run finishes or undoes it.`,
      cause,
    );
  }
}

/** Restores the old files. Each step may be done already, by an earlier attempt. */
function rollBack(output: Output, journal: Journal): void {
  journal.entries.forEach((entry, index) => {
    restore(output, entry, index);
  });
  clearStaged(output, journal);
  for (const folder of journal.folders.toReversed()) {
    removeIfEmpty(output, folder);
  }
  dropJournal(output);
}

function restore(output: Output, { target, next, previous }: JournalEntry, index: number): void {
  const present = hashAt(output, target);
  if (present === previous) {
    return;
  }
  if (previous === undefined) {
    // Only a file that this run created is removed.
    if (present === next) {
      removeIfPresent(output, target);
    }
    return;
  }
  const staged = stagedPath(target, index, "previous");
  if (kindAt(output, staged) === "file" && (present === undefined || present === next)) {
    rename(output, staged, target);
  }
}

function hashAt(output: Output, path: string): string | undefined {
  const bytes = bytesAt(output, path);
  return bytes === undefined ? undefined : bytesHash(bytes);
}

function clearStaged(output: Output, journal: Journal): void {
  journal.entries.forEach(({ target }, index) => {
    removeIfPresent(output, stagedPath(target, index, "next"));
    removeIfPresent(output, stagedPath(target, index, "previous"));
  });
}

/** Removes folders that lost their last file, but not the folder of a package. */
function removeEmptyFolders(output: Output, journal: Journal): void {
  const folders = new Set(
    journal.entries.flatMap(({ target, next }) => (next === undefined ? foldersAbove(target) : [])),
  );
  const inside = [...folders].filter((folder) => output.packages.some((each) => folder.startsWith(`${each}/`)));
  for (const folder of inside.sort().reverse()) {
    removeIfEmpty(output, folder);
  }
}

function removeIfEmpty(output: Output, folder: string): void {
  onDisk(`remove the folder ${folder}`, () => {
    const path = absolute(output, folder);
    if (output.fileSystem.kindOf(path) === "folder" && output.fileSystem.list(path).length === 0) {
      output.fileSystem.removeFolder(path);
    }
  });
}

function rename(output: Output, from: string, to: string): void {
  onDisk(`write ${to}`, () => output.fileSystem.rename(absolute(output, from), absolute(output, to)));
}

function syncTargets(output: Output, journal: Journal): void {
  const folders = new Set(journal.entries.map(({ target }) => target.slice(0, target.lastIndexOf("/"))));
  for (const folder of folders) {
    syncFolder(output, folder);
  }
}
