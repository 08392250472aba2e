import { DiskError, findFailureCode, withDiskErrors } from "./file-system.js";
import {
  assertPlainFolders,
  computeHash,
  findBytesAt,
  formatPath,
  getAbsolutePath,
  getKindAt,
  isTreePath,
  listFoldersAbove,
  type Output,
  ReplacedFolderError,
} from "./output.js";
import type { FileChange } from "./plan-tree.js";

// Changes either all files or none. A journal records the progress, so that the next run can finish or undo the changes
// of an interrupted run.

/**
 * Changes all files, or none. If a change fails, the old files are restored. If the run is killed, the next run
 * finishes or undoes its changes.
 */
export function applyChanges(output: Output, changes: readonly FileChange[]): void {
  if (changes.length === 0) {
    return;
  }
  const journal: Journal = {
    state: "staging",
    folders: listMissingFolders(output, changes),
    entries: changes.map(({ path, oldBytes, newBytes }) => ({
      target: path,
      next: newBytes === undefined ? undefined : computeHash(newBytes),
      previous: oldBytes === undefined ? undefined : computeHash(oldBytes),
    })),
    command: output.command,
  };
  try {
    createJournalFile(output, journal);
    stageFiles(output, journal, changes);
    replaceJournal(output, { ...journal, state: "applying" });
    rollForward(output, journal);
  } catch (error) {
    undoChanges(output, journal, error);
    throw error;
  }
  finishChanges(output, journal);
}

/** Whether the changes of an interrupted run were finished or undone. */
export type Recovery = "finished" | "undone";

/**
 * Finishes or undoes the changes of an interrupted run; returns undefined if there is none. If all changes are in
 * `undoFolders`, they are undone if possible. The caller then makes the changes again, and reports them.
 */
export function recover(output: Output, undoFolders: readonly string[] = []): Recovery | undefined {
  const journal = readJournal(output);
  if (journal === undefined) {
    return undefined;
  }
  if (journal === "damaged") {
    removeJournal(output);
    return "undone";
  }
  for (const { target } of journal.entries) {
    assertPlainFolders(output, target);
  }
  const undoes = journal.entries.every(({ target }) => isBelow(target, undoFolders)) && canRollBack(output, journal);
  if (journal.state === "applying" && !undoes && canRollForward(output, journal)) {
    rollForward(output, journal);
    finishChanges(output, journal);
    return "finished";
  }
  rollBack(output, journal);
  return "undone";
}

/** Whether a run was interrupted. The next run must then finish or undo its changes. */
export function isInterrupted(output: Output): boolean {
  return readJournal(output) !== undefined;
}

/** Throws if a run was interrupted, and names the command that finishes or undoes its changes. */
export function assertNotInterrupted(output: Output): void {
  const journal = readJournal(output);
  if (journal !== undefined) {
    const command = (journal === "damaged" ? undefined : journal.command) ?? "npx bothends generate";
    throw new DiskError(`An earlier run was interrupted. Run "${command}", which finishes or undoes its changes.`);
  }
}

/**
 * Removes the staged files in a folder and in the folders below it. They remain if a run is interrupted and the user
 * deletes its journal.
 */
export function removeStrayFiles(output: Output, folder: string): void {
  if (getKindAt(output, folder) !== "folder") {
    return;
  }
  const names = withDiskErrors(`list ${formatPath(output, folder)}`, () =>
    output.fileSystem.list(getAbsolutePath(output, folder)),
  );
  for (const name of names) {
    if (/^\.bothends-journal-\d+\.(?:next|previous)$/.test(name)) {
      removeIfPresent(output, `${folder}/${name}`);
    } else if (!/^(?:node_modules|dist|\.git)$/.test(name)) {
      removeStrayFiles(output, `${folder}/${name}`);
    }
  }
}

function listMissingFolders(output: Output, changes: readonly FileChange[]): readonly string[] {
  const folders = new Set(
    changes.flatMap(({ path, newBytes }) => (newBytes === undefined ? [] : listFoldersAbove(path))),
  );
  return [...folders].filter((folder) => getKindAt(output, folder) === "missing").sort();
}

function stageFiles(output: Output, journal: Journal, changes: readonly FileChange[]): void {
  for (const folder of journal.folders) {
    withDiskErrors(`create the folder ${formatPath(output, folder)}`, () =>
      output.fileSystem.createFolder(getAbsolutePath(output, folder)),
    );
  }
  changes.forEach(({ path, oldBytes, newBytes, mode }, index) => {
    if (newBytes !== undefined) {
      createStagedFile(output, getStagedPath(path, index, "next"), { bytes: newBytes, mode });
    }
    if (oldBytes !== undefined) {
      createStagedFile(output, getStagedPath(path, index, "previous"), { bytes: oldBytes, mode });
    }
  });
  syncTargets(output, journal);
}

function createStagedFile(
  output: Output,
  path: string,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number | undefined },
): void {
  withDiskErrors(`write ${formatPath(output, path)}`, () => {
    createOrReplaceFile(output, path, bytes);
    if (mode !== undefined) {
      output.fileSystem.setMode(getAbsolutePath(output, path), mode);
    }
  });
}

// Replaces a file that remains if a run is interrupted and the user deletes its journal.
function createOrReplaceFile(output: Output, path: string, bytes: Uint8Array): void {
  const absolutePath = getAbsolutePath(output, path);
  try {
    output.fileSystem.createFile(absolutePath, bytes);
  } catch (error) {
    if (findFailureCode(error) !== "EEXIST") {
      throw error;
    }
    output.fileSystem.remove(absolutePath);
    output.fileSystem.createFile(absolutePath, bytes);
  }
}

function rollForward(output: Output, journal: Journal): void {
  journal.entries.forEach(({ target, next }, index) => {
    if (next === undefined) {
      removeIfPresent(output, target);
      return;
    }
    const stagedFile = getStagedPath(target, index, "next");
    if (getKindAt(output, stagedFile) === "file") {
      rename(output, stagedFile, target);
    }
  });
  syncTargets(output, journal);
}

// Whether the changes of an interrupted run can be finished. If a file was edited after the interruption, the changes
// must be undone, because finishing would overwrite the edit.
function canRollForward(output: Output, journal: Journal): boolean {
  return journal.entries.every(({ target, next, previous }, index) => {
    const presentHash = hashAt(output, target);
    if (presentHash !== undefined && presentHash !== next && presentHash !== previous) {
      return false;
    }
    return (
      next === undefined || presentHash === next || getKindAt(output, getStagedPath(target, index, "next")) === "file"
    );
  });
}

// Whether the old files can be restored. An interrupted run that had written all files may have removed staged files.
function canRollBack(output: Output, journal: Journal): boolean {
  return journal.entries.every(
    ({ target, previous }, index) =>
      previous === undefined ||
      hashAt(output, target) === previous ||
      getKindAt(output, getStagedPath(target, index, "previous")) === "file",
  );
}

/**
 * Removes the staged files and the journal. Failures are ignored, because all new files are written and the next run
 * tries again. Only a folder that was replaced during the run is reported.
 */
function finishChanges(output: Output, journal: Journal): void {
  try {
    removeStagedFiles(output, journal);
    removeEmptyFolders(output, journal);
    removeJournal(output);
  } catch (error) {
    if (error instanceof ReplacedFolderError) {
      throw new DiskError(error.message, { help: error.help, cause: error.cause, isPartlyWritten: true });
    }
    if (!(error instanceof DiskError)) {
      throw error;
    }
  }
}

function undoChanges(output: Output, journal: Journal, cause: unknown): void {
  try {
    rollBack(output, journal);
  } catch (error) {
    if (!(error instanceof DiskError) || !(cause instanceof DiskError)) {
      throw error;
    }
    throw new DiskError(
      `${cause.message} Restoring the old files failed too: ${error.message} The next run finishes or undoes the changes.`,
      { help: cause.help, cause: cause.cause, isPartlyWritten: true },
    );
  }
}

/** Restores the old files. An earlier attempt may have restored some of them already. */
function rollBack(output: Output, journal: Journal): void {
  journal.entries.forEach((entry, index) => {
    restoreFile(output, entry, index);
  });
  removeStagedFiles(output, journal);
  for (const folder of journal.folders.toReversed()) {
    removeIfEmpty(output, folder);
  }
  removeJournal(output);
}

function restoreFile(output: Output, { target, next, previous }: JournalEntry, index: number): void {
  const presentHash = hashAt(output, target);
  if (presentHash === previous) {
    return;
  }
  if (previous === undefined) {
    // Removes the file only if it has the content that the run wrote.
    if (presentHash === next) {
      removeIfPresent(output, target);
    }
    return;
  }
  const stagedFile = getStagedPath(target, index, "previous");
  if (getKindAt(output, stagedFile) === "file" && (presentHash === undefined || presentHash === next)) {
    rename(output, stagedFile, target);
  }
}

function hashAt(output: Output, path: string): string | undefined {
  const bytes = findBytesAt(output, path);
  return bytes === undefined ? undefined : computeHash(bytes);
}

function removeStagedFiles(output: Output, journal: Journal): void {
  journal.entries.forEach(({ target }, index) => {
    removeIfPresent(output, getStagedPath(target, index, "next"));
    removeIfPresent(output, getStagedPath(target, index, "previous"));
  });
}

/** Removes folders that became empty, but not the folder of a package. */
function removeEmptyFolders(output: Output, journal: Journal): void {
  const folders = new Set(
    journal.entries.flatMap(({ target, next }) => (next === undefined ? listFoldersAbove(target) : [])),
  );
  const foldersInside = [...folders].filter((folder) =>
    output.packages.some((packageFolder) => folder.startsWith(`${packageFolder}/`)),
  );
  for (const folder of foldersInside.sort().reverse()) {
    removeIfEmpty(output, folder);
  }
}

function removeIfEmpty(output: Output, folder: string): void {
  withDiskErrors(`remove the folder ${formatPath(output, folder)}`, () => {
    const path = getAbsolutePath(output, folder);
    if (output.fileSystem.getKind(path) === "folder" && output.fileSystem.list(path).length === 0) {
      output.fileSystem.removeFolder(path);
    }
  });
}

function rename(output: Output, oldPath: string, newPath: string): void {
  withDiskErrors(`write ${formatPath(output, newPath)}`, () =>
    output.fileSystem.rename(getAbsolutePath(output, oldPath), getAbsolutePath(output, newPath)),
  );
}

function syncTargets(output: Output, journal: Journal): void {
  const folders = new Set(journal.entries.map(({ target }) => target.slice(0, target.lastIndexOf("/"))));
  for (const folder of folders) {
    syncFolder(output, folder);
  }
}

const journalName = ".bothends-journal";
const nextJournalName = ".bothends-journal-next";

/**
 * The change of one file, as recorded in the journal. After an interruption at any time, the change can be finished or
 * undone.
 */
interface JournalEntry {
  /** The path of the file, relative to the output folder. */
  readonly target: string;
  /** The hash of the new content; undefined if the file is to be removed. */
  readonly next: string | undefined;
  /** The hash of the old content; undefined if the file did not exist. */
  readonly previous: string | undefined;
}

interface Journal {
  /** `staging`: no file has been changed. `applying`: all new content is staged, and files may have been changed. */
  readonly state: "staging" | "applying";
  /** The folders that the run creates, the outermost first. */
  readonly folders: readonly string[];
  readonly entries: readonly JournalEntry[];
  /** The command line of the run; see `Output`. */
  readonly command?: string | undefined;
}

/**
 * Returns the path of the staged new or old content of a file. The staged content is in the same folder as the file, so
 * that renaming is atomic.
 */
function getStagedPath(target: string, index: number, version: "next" | "previous"): string {
  return `${target.slice(0, target.lastIndexOf("/") + 1)}${journalName}-${index}.${version}`;
}

/** Describes the action of writing the journal, for the error message `Cannot <action>: <reason>.` */
function describeJournalWrite(output: Output): string {
  return `write ${formatPath(output, journalName)}, the record of changes that a later run completes if this run is interrupted`;
}

/** Writes the journal of a run. Fails if a journal already exists. */
function createJournalFile(output: Output, journal: Journal): void {
  withDiskErrors(describeJournalWrite(output), () =>
    output.fileSystem.createFile(getAbsolutePath(output, journalName), encodeJournal(journal)),
  );
  syncFolder(output, "");
}

/** Writes a new journal and renames it, which replaces the old journal in one step. */
function replaceJournal(output: Output, journal: Journal): void {
  withDiskErrors(describeJournalWrite(output), () => {
    createOrReplaceFile(output, nextJournalName, encodeJournal(journal));
    output.fileSystem.rename(getAbsolutePath(output, nextJournalName), getAbsolutePath(output, journalName));
  });
  syncFolder(output, "");
}

/**
 * Reads the journal of an interrupted run; undefined if there is none. Returns "damaged" if the run was interrupted
 * while it wrote its first journal.
 */
function readJournal(output: Output): Journal | "damaged" | undefined {
  const bytes = findBytesAt(output, journalName);
  const journal = bytes === undefined ? undefined : decodeJournal(bytes);
  if (bytes === undefined || journal === undefined) {
    return bytes === undefined ? undefined : "damaged";
  }
  // Checks the paths in the journal, which may be forged: only files of the packages may be changed.
  const foreignPath = listPaths(journal).find(
    (path) => !isInPackages(path, [...output.packages, ...(output.otherFolders ?? [])]),
  );
  if (foreignPath !== undefined) {
    throw new DiskError(
      `${formatPath(output, journalName)}, the record of an interrupted run, contains the path ${JSON.stringify(foreignPath.slice(0, 200))}, which is not in a package of this run.`,
      {
        help: `${
          journal.command === undefined
            ? "Repeat the command that was interrupted (generate, fetch, init or scaffold, with the same options): it"
            : `Run "${journal.command}", which`
        } finishes or undoes its changes. Or delete ${formatPath(output, journalName)}, which leaves the files as they are.`,
      },
    );
  }
  return journal;
}

function listPaths({ folders, entries }: Journal): readonly string[] {
  return [...folders.map((folder) => `${folder}/x`), ...entries.map(({ target }) => target)];
}

function isInPackages(path: string, packages: readonly string[]): boolean {
  const isAbove = packages.some((folder) => `${folder}/`.startsWith(path.replace(/\/x$/, "/")));
  return isTreePath(path) && (isBelow(path, packages) || isAbove);
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

function removeJournal(output: Output): void {
  removeIfPresent(output, nextJournalName);
  removeIfPresent(output, journalName);
  syncFolder(output, "");
}

function removeIfPresent(output: Output, path: string): void {
  withDiskErrors(`remove ${formatPath(output, path)}`, () => {
    try {
      output.fileSystem.remove(getAbsolutePath(output, path));
    } catch (error) {
      if (findFailureCode(error) !== "ENOENT" && findFailureCode(error) !== "ENOTDIR") {
        throw error;
      }
    }
  });
}

/** Waits until the changed entries of a folder are on the disk, if the system supports that. */
function syncFolder(output: Output, folder: string): void {
  try {
    output.fileSystem.syncFolder(getAbsolutePath(output, folder));
  } catch (error) {
    if (findFailureCode(error) === undefined) {
      throw error;
    }
  }
}

function encodeJournal(journal: Journal): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(journal)}\n`);
}

// Decodes a journal; returns undefined if the journal is incomplete, which means that its run was interrupted before it
// changed any file.
function decodeJournal(bytes: Uint8Array): Journal | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJournal(value) ? { ...value, command: findCommand(value) } : undefined;
  } catch {
    return undefined;
  }
}

// Returns the command line of a journal, which may be forged. It is shown only if it runs nothing but `scaffold`: each
// word consists of harmless characters, or is in single quotes.
function findCommand({ command }: Journal): string | undefined {
  const isHarmless =
    typeof command === "string" &&
    command.length <= 2_000 &&
    /^npx bothends scaffold server(?: (?:[\w@%+=:,./-]+|'[^'\p{C}]*'))+$/u.test(command);
  return isHarmless ? command : undefined;
}

function isJournal(value: unknown): value is Journal {
  return (
    typeof value === "object" &&
    value !== null &&
    "state" in value &&
    (value.state === "staging" || value.state === "applying") &&
    "folders" in value &&
    Array.isArray(value.folders) &&
    value.folders.every((folder: unknown) => typeof folder === "string") &&
    "entries" in value &&
    Array.isArray(value.entries) &&
    value.entries.every(isEntry)
  );
}

function isEntry(entry: unknown): entry is JournalEntry {
  if (typeof entry !== "object" || entry === null || !("target" in entry) || typeof entry.target !== "string") {
    return false;
  }
  const next = "next" in entry ? entry.next : undefined;
  const previous = "previous" in entry ? entry.previous : undefined;
  return isHash(next) && isHash(previous);
}

function isHash(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && /^[0-9a-f]{64}$/.test(value));
}
