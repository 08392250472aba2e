import { DiskError, failureCode, onDisk } from "./file-system.js";
import type { Output } from "./output.js";
import { absolute, bytesAt, isTreePath } from "./output-paths.js";

const journalName = ".bothends-journal";
const nextJournalName = ".bothends-journal-next";

/** The change of one file, with what is needed to finish or undo it after an interruption at any point. */
export interface JournalEntry {
  readonly target: string;
  /** The hash of the new content; undefined: the file is removed. */
  readonly next: string | undefined;
  /** The hash of the old content; undefined: there was no file. */
  readonly previous: string | undefined;
}

export interface Journal {
  /** `staging`: no target was changed yet. `applying`: all content is staged, and targets may have been changed. */
  readonly state: "staging" | "applying";
  /** Folders created for new files, outermost first. */
  readonly folders: readonly string[];
  readonly entries: readonly JournalEntry[];
}

/** The path of an entry's staged content, new or old. It is in the target's folder, so that renaming it is atomic. */
export function stagedPath(target: string, index: number, which: "next" | "previous"): string {
  return `${target.slice(0, target.lastIndexOf("/") + 1)}${journalName}-${index}.${which}`;
}

/** Writes the journal of a run, which must not exist. */
export function createJournal(output: Output, journal: Journal): void {
  onDisk("write the journal", () => output.fileSystem.create(absolute(output, journalName), encoded(journal)));
  syncFolder(output, "");
}

/** Replaces the journal, atomically. */
export function replaceJournal(output: Output, journal: Journal): void {
  onDisk("write the journal", () => {
    output.fileSystem.create(absolute(output, nextJournalName), encoded(journal));
    output.fileSystem.rename(absolute(output, nextJournalName), absolute(output, journalName));
  });
  syncFolder(output, "");
}

/** Reads the journal of an interrupted run. `damaged`: the run was interrupted before it changed anything. */
export function readJournal(output: Output): Journal | "damaged" | undefined {
  const bytes = bytesAt(output, journalName);
  const journal = bytes === undefined ? undefined : decoded(bytes);
  if (bytes === undefined || journal === undefined) {
    return bytes === undefined ? undefined : "damaged";
  }
  // A journal may be forged: only files of the packages are changed.
  const other = pathsOf(journal).find((path) => !isInPackages(path, output.packages));
  if (other !== undefined) {
    throw new DiskError(
      `${journalName} names ${JSON.stringify(other.slice(0, 200))}, which is not in the packages of this run. If a run for other packages was interrupted, repeat that run; if not, delete the journal.`,
    );
  }
  return journal;
}

function pathsOf({ folders, entries }: Journal): readonly string[] {
  return [...folders.map((folder) => `${folder}/x`), ...entries.map(({ target }) => target)];
}

function isInPackages(path: string, packages: readonly string[]): boolean {
  const isAbove = packages.some((folder) => `${folder}/`.startsWith(path.replace(/\/x$/, "/")));
  return isTreePath(path) && (packages.some((folder) => path.startsWith(`${folder}/`)) || isAbove);
}

export function dropJournal(output: Output): void {
  removeIfPresent(output, nextJournalName);
  removeIfPresent(output, journalName);
  syncFolder(output, "");
}

export function removeIfPresent(output: Output, path: string): void {
  onDisk(`remove ${path}`, () => {
    try {
      output.fileSystem.remove(absolute(output, path));
    } catch (error) {
      if (failureCode(error) !== "ENOENT" && failureCode(error) !== "ENOTDIR") {
        throw error;
      }
    }
  });
}

/** Waits until a folder's entries are on the disk. Some systems cannot do that, which is ignored. */
export function syncFolder(output: Output, folder: string): void {
  try {
    output.fileSystem.syncFolder(absolute(output, folder));
  } catch (error) {
    if (failureCode(error) === undefined) {
      throw error;
    }
  }
}

function encoded(journal: Journal): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(journal)}\n`);
}

// Only the first journal can be incomplete: it is complete before anything is changed.
function decoded(bytes: Uint8Array): Journal | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJournal(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
