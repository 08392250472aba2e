import { type FSWatcher, type Stats, statSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { diffContracts, formatShortChanges } from "@bothends/diff";
import { GenerationCache } from "@bothends/generator";
import { DiskError, isLocked, type Output } from "@bothends/generator/disk";
import { type Generation, type GenerationResult, generateProject } from "../generation.js";
import type { Host } from "../host.js";
import { formatPath } from "../paths.js";
import type { GenerateOptions } from "../project.js";
import { createFailureOutcome, formatCount, type Outcome } from "../report/outcome.js";
import { getWarningKey, present } from "../report/present.js";
import { hashFile, type RecordedSource } from "../run-record.js";
import { type SchemaReport, writeGeneration } from "./generate.js";

/**
 * `bothends watch`: generates whenever a source changes, until it is interrupted. While there are errors, the generated
 * files are not changed.
 */
export async function runWatch(options: GenerateOptions, host: Host): Promise<Outcome> {
  const watchEnd = new AbortController();
  const signals = host.interrupted === undefined ? [] : [host.interrupted];
  const files = new FileWatch(AbortSignal.any([...signals, watchEnd.signal]));
  const cache = new GenerationCache();
  let lastGeneration: Generation | undefined;
  let isFirst = true;
  let isPrepared = false;
  let isWaiting = false;
  let printedWarnings: ReadonlySet<string> = new Set();
  for (
    let changedPaths: readonly string[] | undefined = [];
    changedPaths !== undefined;
    changedPaths = isWaiting ? changedPaths : await files.nextChange()
  ) {
    const start = host.now();
    const run = generateOnce(options, host, { cache, lastGeneration, start });
    const { outcome, sources, generation, lockedOutput } = run;
    files.setFiles(new Map(sources.map(({ path, hash }) => [path, hash])));
    lastGeneration = generation ?? lastGeneration;
    if (lockedOutput !== undefined) {
      if (!isWaiting) {
        host.out.write(formatHeading(changedPaths, host));
        await present(outcome, options, host);
        host.err.write("The packages are unchanged. ");
        host.out.write("Waiting until the output is no longer locked …\n");
      }
      isWaiting = true;
      changedPaths = await waitForLock(lockedOutput, files, changedPaths);
      continue;
    }
    isWaiting = false;
    host.out.write(formatHeading(changedPaths, host));
    await present(outcome, { ...options, printedWarnings }, host);
    printedWarnings = addPrintedWarnings(printedWarnings, run);
    if (isFirst && outcome.exit === 2 && generation === undefined) {
      // Stops the timer of the watch, which would otherwise keep the program running.
      watchEnd.abort();
      return { exit: 2, result: undefined };
    }
    isFirst = false;
    if (generation !== undefined && !isPrepared) {
      prepareSaves(options, host, { cache, lastGeneration: generation, files });
      isPrepared = true;
    }
    host.err.write(outcome.result === "nothing written" ? "The packages are unchanged. " : "");
    host.out.write(`Watching ${formatCount(sources.length, "file")} …\n`);
  }
  return { exit: 0, result: "stopped watching" };
}

/** Adds the warnings of a run. Omits those that a run whose sources were accepted no longer reports. */
function addPrintedWarnings(
  printedWarnings: ReadonlySet<string>,
  { outcome, generation }: WatchedRun,
): ReadonlySet<string> {
  const warnings = (outcome.diagnostics ?? []).filter(({ severity }) => severity === "warning").map(getWarningKey);
  return new Set([...(generation === undefined ? printedWarnings : []), ...warnings]);
}

/** The time in milliseconds between checks of a lock. */
const lockCheckInterval = 100;

/**
 * Waits until the output is no longer locked. Returns the changed paths, with those of files that change meanwhile;
 * undefined when the watch ends.
 */
async function waitForLock(
  output: Output,
  files: FileWatch,
  changedPaths: readonly string[],
): Promise<readonly string[] | undefined> {
  const allPaths = new Set(changedPaths);
  do {
    const newPaths = await files.nextChange(lockCheckInterval);
    if (newPaths === undefined) {
      return undefined;
    }
    for (const path of newPaths) {
      allPaths.add(path);
    }
    if (newPaths.length > 0) {
      await delay(lockCheckInterval);
    }
  } while (isLocked(output));
  return [...allPaths];
}

const maxNamedFiles = 5;

/** Formats the line that names the changed files; empty before the first run. */
function formatHeading(paths: readonly string[], { workingFolder }: Host): string {
  const names = paths.slice(0, maxNamedFiles).map((path) => formatPath(workingFolder, path));
  const hiddenCount = paths.length - names.length;
  const hiddenNote = hiddenCount > 0 ? ` and ${formatCount(hiddenCount, "more file")}` : "";
  return names.length === 0 ? "" : `\n${names.join(", ")}${hiddenNote}:\n`;
}

interface WatchedRun {
  readonly outcome: Outcome;
  readonly sources: readonly RecordedSource[];
  /**
   * The written packages; undefined if nothing was written, because the input was refused, files were edited, or the
   * run failed.
   */
  readonly generation: Generation | undefined;
  /** Present if nothing was written because another run holds the lock of this output. */
  readonly lockedOutput?: Output;
}

function generateOnce(
  options: GenerateOptions,
  host: Host,
  {
    cache,
    lastGeneration,
    start,
  }: { readonly cache: GenerationCache; readonly lastGeneration: Generation | undefined; readonly start: number },
): WatchedRun {
  let result: GenerationResult | undefined;
  const watchedPaths = lastGeneration?.sources.map(({ path }) => path) ?? listNamedFiles(options, host);
  const oldStates = watchedPaths.map(readFileState);
  try {
    result = generateProject(options, host, { cache });
    if (result.kind === "refused") {
      return { outcome: result.outcome, sources: result.sources, generation: undefined };
    }
    const { generation } = result;
    const reportChanges = lastGeneration === undefined ? undefined : () => findChangesSince(lastGeneration, generation);
    // The next save replaces the packages, and after a crash of the system they can be generated again.
    const isSave = lastGeneration !== undefined;
    const run = { options, host, start, reportChanges, waitsForDisk: !isSave };
    return createWatchedRun(writeGeneration(generation, run), generation);
  } catch (error) {
    const outcome = createFailureOutcome(error);
    const isLockedOut = error instanceof DiskError && error.isLocked;
    return result?.kind === "generated"
      ? {
          ...createWatchedRun(outcome, result.generation),
          ...(isLockedOut ? { lockedOutput: result.generation.output } : {}),
        }
      : { outcome, sources: listSeenSources(watchedPaths, oldStates), generation: undefined };
  }
}

/**
 * Returns the files of a failed run with the hashes of their content during that run. A file that has changed since
 * then has no hash, so it is read again.
 */
function listSeenSources(paths: readonly string[], oldStates: readonly string[]): readonly RecordedSource[] {
  return paths.map((path, index) => {
    const hash = hashFile(path);
    return { path, hash: readFileState(path) === oldStates[index] ? hash : undefined };
  });
}

function createWatchedRun(outcome: Outcome, generation: Generation): WatchedRun {
  const isWritten = outcome.files !== undefined;
  return { outcome, sources: generation.sources, generation: isWritten ? generation : undefined };
}

/** How often the first generation is repeated. Most of the code is then compiled; a third repetition gains little. */
const repetitions = 2;

/**
 * Repeats the first generation without writing or reporting anything, so that V8 compiles the code before the first
 * save. Otherwise, the first runs after a save would be slower. If a file is saved meanwhile, the repetition stops
 * before its next step.
 */
function prepareSaves(
  options: GenerateOptions,
  host: Host,
  {
    cache,
    lastGeneration,
    files,
  }: { readonly cache: GenerationCache; readonly lastGeneration: Generation; readonly files: FileWatch },
): void {
  const stopIfSaved = (): void => {
    if (files.hasChanged()) {
      throw new SavedMeanwhile();
    }
  };
  try {
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      stopIfSaved();
      const result = generateProject(options, host, { cache: cache.withoutStages(), onStep: stopIfSaved });
      stopIfSaved();
      if (result.kind === "generated") {
        const reportChanges = () => findChangesSince(lastGeneration, result.generation);
        writeGeneration(result.generation, { options: { ...options, dryRun: true }, host, start: 0, reportChanges });
      }
    }
  } catch {
    // Ignores a failure: if it occurs again, the next run reports it.
  }
}

/** Thrown to end the repetition when a file is saved. */
class SavedMeanwhile extends Error {}

/** Compares the schemas with those of the last successful run. */
function findChangesSince(lastGeneration: Generation, { contract, plan }: Generation): SchemaReport {
  const { changes } = diffContracts(
    { name: "the last run", contract: lastGeneration.contract, plan: lastGeneration.plan },
    { name: "this run", contract, plan },
  );
  const text = formatShortChanges(changes)
    .map((line) => `  ${line}\n`)
    .join("");
  return { text: text === "" ? undefined : text, saveContract: () => undefined };
}

/** Returns the files that the command line names. If no source could be read, these files are watched. */
function listNamedFiles({ config, wsdl, index }: GenerateOptions, { workingFolder }: Host): readonly string[] {
  const inputs = [...(wsdl ?? []), ...(index === undefined ? [] : [index])];
  const names = inputs.length > 0 ? inputs : [config ?? "bothends.json"];
  return names.map((name) => resolve(workingFolder, name));
}

/**
 * The time in milliseconds within which several saves count as one, for example when an editor saves two files
 * together.
 */
const settleTime = 25;
/** The maximum time in milliseconds from a change to the next run, even if files keep changing. */
const longestDelay = 250;
/**
 * The time in milliseconds between checks of all files. Checks are needed because some file systems do not report
 * changes.
 */
const defaultPollInterval = 1000;

/**
 * Waits for files to change. Watches the folders of the files, not the files, because some editors save a file by
 * replacing it. A file counts as changed only if its content differs from the known content, not if only its time
 * differs.
 */
export class FileWatch {
  readonly #signal: AbortSignal;
  readonly #watchers: FolderWatchers;
  readonly #pollTimer: NodeJS.Timeout;
  #settleTimer: NodeJS.Timeout | undefined;
  #expectedHashes: ReadonlyMap<string, string | undefined> = new Map();
  readonly #fileStates = new Map<string, string>();
  /** Ends the wait for an event. */
  #wake: (() => void) | undefined;
  #firstEvent: number | undefined;

  constructor(signal: AbortSignal, { pollInterval = defaultPollInterval }: { readonly pollInterval?: number } = {}) {
    this.#signal = signal;
    this.#watchers = new FolderWatchers((folder, name) => {
      // Thousands of events may arrive, for example while a package is installed, so none goes through all files.
      if (name === null || this.#expectedHashes.has(join(folder, name))) {
        this.#scheduleWake();
      }
    });
    this.#pollTimer = setInterval(() => this.#poll(), pollInterval);
    signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /**
   * Sets the files to watch. The keys are absolute paths. The values are hashes of the known content, or undefined for
   * a file that cannot be read.
   */
  setFiles(files: ReadonlyMap<string, string | undefined>): void {
    this.#expectedHashes = files;
    this.#watchFolders();
    this.#fileStates.clear();
    for (const path of files.keys()) {
      this.#fileStates.set(path, readFileState(path));
    }
  }

  /** Whether a file was probably written since `setFiles`: its inode, size or times have changed. */
  hasChanged(): boolean {
    return [...this.#fileStates].some(([path, state]) => readFileState(path) !== state);
  }

  /**
   * Resolves with the paths of files whose content differs from the known content; with undefined when the watch ends;
   * with no paths when the time limit in milliseconds ends.
   */
  async nextChange(limit = Number.POSITIVE_INFINITY): Promise<readonly string[] | undefined> {
    const end = performance.now() + limit;
    let emptySince: number | undefined;
    for (;;) {
      // Lets the program notice an interruption, even if files change all the time.
      await new Promise((resolve) => setImmediate(resolve));
      this.#watchFolders();
      const changedPaths = this.#signal.aborted ? [] : listChangedFiles(this.#expectedHashes);
      if (changedPaths.some(isEmpty)) {
        emptySince ??= performance.now();
        if (performance.now() - emptySince < longestDelay) {
          await delay(settleTime);
          continue;
        }
      }
      if (changedPaths.length > 0 || this.#signal.aborted) {
        return this.#signal.aborted ? undefined : changedPaths;
      }
      if (performance.now() >= end) {
        return [];
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (Number.isFinite(limit)) {
          setTimeout(resolve, end - performance.now());
        }
      });
      this.#firstEvent = undefined;
    }
  }

  #watchFolders(): void {
    this.#watchers.setFolders(new Set([...this.#expectedHashes.keys()].map((path) => dirname(path))));
  }

  #poll(): void {
    for (const path of this.#expectedHashes.keys()) {
      const state = readFileState(path);
      if (this.#fileStates.get(path) !== state) {
        this.#fileStates.set(path, state);
        this.#scheduleWake();
      }
    }
  }

  #scheduleWake(): void {
    this.#firstEvent ??= performance.now();
    const remainingDelay = Math.max(0, longestDelay - (performance.now() - this.#firstEvent));
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#wake?.(), Math.min(settleTime, remainingDelay));
  }

  #stop(): void {
    clearInterval(this.#pollTimer);
    clearTimeout(this.#settleTimer);
    this.#watchers.close();
    this.#wake?.();
  }
}

function listChangedFiles(expectedHashes: ReadonlyMap<string, string | undefined>): readonly string[] {
  return [...expectedHashes].flatMap(([path, hash]) => (hashFile(path) === hash ? [] : [path]));
}

/** Whether a file is empty: many editors empty a file before they write its new content. */
function isEmpty(path: string): boolean {
  return findStatus(path)?.size === 0;
}

/** Watches folders for added, removed and changed entries. */
class FolderWatchers {
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number | undefined }>();
  readonly #onChange: (folder: string, name: string | null) => void;

  constructor(onChange: (folder: string, name: string | null) => void) {
    this.#onChange = onChange;
  }

  /** Watches exactly these folders. A folder that was replaced has a different inode, and is watched again. */
  setFolders(folders: ReadonlySet<string>): void {
    for (const [folder, { inode }] of this.#watchers) {
      if (!folders.has(folder) || getInode(folder) !== inode) {
        this.#unwatch(folder);
      }
    }
    for (const folder of folders) {
      if (!this.#watchers.has(folder)) {
        this.#watch(folder);
      }
    }
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) {
      watcher.close();
    }
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: true }, (_, name) => this.#onChange(folder, name));
      // If the folder was removed, polling finds the files as soon as they exist again.
      watcher.on("error", () => this.#unwatch(folder));
      this.#watchers.set(folder, { watcher, inode: getInode(folder) });
    } catch {
      // Ignores a folder that does not exist yet. Polling finds its files later.
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }
}

function getInode(folder: string): number | undefined {
  return findStatus(folder)?.ino;
}

/**
 * Returns the status of a file or folder; undefined if it does not exist or cannot be reached, for example because of a
 * link to itself.
 */
function findStatus(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function readFileState(path: string): string {
  const { ino, size, mtimeMs, ctimeMs } = findStatus(path) ?? {};
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
