import { DiskError, onDisk } from "./disk-error.js";
import { failureCode } from "./file-system.js";
import type { Output } from "./output.js";
import { absolute, bytesAt } from "./paths-on-disk.js";
import { isTreePath } from "./tree-path.js";

const journalName = ".bothends-journal";
const nextJournalName = ".bothends-journal-next";

/** One file's change as the journal tells it: enough to finish it or to undo it, whenever a run was stopped. */
export interface JournalEntry {
  readonly target: string;
  /** The hash of the new content; undefined: the file goes. */
  readonly next: string | undefined;
  /** The hash of the old content; undefined: there was no file. */
  readonly previous: string | undefined;
}

export interface Journal {
  /** While `staging` no target was touched; from `applying` on, everything that is needed is staged. */
  readonly state: "staging" | "applying";
  /** Folders that are made for new files, outermost first. */
  readonly folders: readonly string[];
  readonly entries: readonly JournalEntry[];
}

/** Where the new or the old content of an entry waits: in the target's folder, so that renaming it is atomic. */
export function stagedPath(target: string, index: number, which: "next" | "previous"): string {
  return `${target.slice(0, target.lastIndexOf("/") + 1)}${journalName}-${index}.${which}`;
}

/** Writes the first journal of a run; there is none before. */
export function createJournal(output: Output, journal: Journal): void {
  onDisk("write the journal", () => output.fileSystem.create(absolute(output, journalName), encoded(journal)));
  syncFolder(output, "");
}

/** Puts another journal in the place of the first, at once. */
export function replaceJournal(output: Output, journal: Journal): void {
  onDisk("write the journal", () => {
    output.fileSystem.create(absolute(output, nextJournalName), encoded(journal));
    output.fileSystem.rename(absolute(output, nextJournalName), absolute(output, journalName));
  });
  syncFolder(output, "");
}

/** The journal of a run that was stopped. `damaged`: it was stopped before it did anything. */
export function readJournal(output: Output): Journal | "damaged" | undefined {
  const bytes = bytesAt(output, journalName);
  const journal = bytes === undefined ? undefined : decoded(bytes);
  if (bytes === undefined || journal === undefined) {
    return bytes === undefined ? undefined : "damaged";
  }
  // Whoever wrote it, only files of the packages are touched.
  const other = pathsOf(journal).find((path) => !isInPackages(path, output.packages));
  if (other !== undefined) {
    throw new DiskError(
      `${journalName} tells of ${JSON.stringify(other.slice(0, 200))}, which is not in the packages to write. If a run was stopped that wrote there, run it again; if not, delete the journal.`,
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

/** Asks the disk to keep a folder's entries; some systems cannot. */
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

// Only the first journal can be incomplete, and nothing is done before it is written.
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
