import { type FSWatcher, readFileSync, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { hashOfBytes } from "../run-record.js";

/** Saves within this time are one change, such as two files that are saved at once, in milliseconds. */
const settleTime = 25;
/** A change is not delayed longer than this, even if files keep changing. */
const longestDelay = 250;
/** Some file systems report no changes; then files are looked at in this interval. */
const pollInterval = 1000;

/** Waits for changes of files. */
export interface FileWatch {
  /** Sets the files to watch, by absolute paths, with the hash of the content that is known; undefined: there is no file. */
  expect(files: ReadonlyMap<string, string | undefined>): void;
  /** Resolves when the content of a file differs from what is known; undefined when the watch ends. */
  next(): Promise<readonly string[] | undefined>;
}

/**
 * Watches files through their folders, because editors that save by renaming replace the file itself. Only a change of
 * content counts: a file that is touched, or that is written by this process, is not a change.
 */
export function watchFiles(signal: AbortSignal): FileWatch {
  let expected: ReadonlyMap<string, string | undefined> = new Map();
  const watchers = new Map<string, FSWatcher>();
  const stamps = new Map<string, string>();
  let wake: (() => void) | undefined;
  let settle: NodeJS.Timeout | undefined;
  let firstEvent: number | undefined;

  const notice = (): void => {
    firstEvent ??= performance.now();
    const remaining = Math.max(0, longestDelay - (performance.now() - firstEvent));
    clearTimeout(settle);
    settle = setTimeout(() => wake?.(), Math.min(settleTime, remaining));
  };
  const poll = setInterval(() => {
    for (const path of expected.keys()) {
      const stamp = stampOf(path);
      if (stamps.get(path) !== stamp) {
        stamps.set(path, stamp);
        notice();
      }
    }
  }, pollInterval);
  const end = (): void => {
    clearInterval(poll);
    clearTimeout(settle);
    for (const watcher of watchers.values()) {
      watcher.close();
    }
    wake?.();
  };
  signal.addEventListener("abort", end, { once: true });

  const watchFolder = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: true }, (_, name) => {
        if (name === null || [...expected.keys()].some((path) => dirname(path) === folder && basename(path) === name)) {
          notice();
        }
      });
      // A folder that is removed: the poll finds its files when they are there again.
      watcher.on("error", () => forget(folder));
      watchers.set(folder, watcher);
    } catch {
      // The folder does not exist yet: the poll finds its files.
    }
  };
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  return {
    expect(files) {
      expected = files;
      const folders = new Set([...files.keys()].map((path) => dirname(path)));
      for (const folder of [...watchers.keys()].filter((each) => !folders.has(each))) {
        forget(folder);
      }
      for (const folder of [...folders].filter((each) => !watchers.has(each))) {
        watchFolder(folder);
      }
      stamps.clear();
      for (const path of files.keys()) {
        stamps.set(path, stampOf(path));
      }
    },
    async next() {
      for (;;) {
        const changed = signal.aborted ? [] : changedFiles(expected);
        if (changed.length > 0 || signal.aborted) {
          return signal.aborted ? undefined : changed;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        firstEvent = undefined;
      }
    },
  };
}

function changedFiles(expected: ReadonlyMap<string, string | undefined>): readonly string[] {
  return [...expected].flatMap(([path, hash]) => (hashAt(path) === hash ? [] : [path]));
}

function hashAt(path: string): string | undefined {
  try {
    return hashOfBytes(readFileSync(path));
  } catch {
    return undefined;
  }
}

function stampOf(path: string): string {
  const { ino, size, mtimeMs, ctimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
