import { DiskError, failureCode, onDisk } from "./file-system.js";
import type { Output } from "./output.js";
import { absolute } from "./output-paths.js";

const lockName = ".bothends-lock";
const staleAfter = 10 * 60 * 1000;

interface Lock {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** Runs an action while no other run writes to the same output. The lock of a process that no longer runs is replaced. */
export function withLock<T>(output: Output, run: () => T): T {
  const path = absolute(output, lockName);
  acquire(output, path);
  try {
    return run();
  } finally {
    release(output, path);
  }
}

function acquire(output: Output, path: string): void {
  const { system } = output;
  const lock: Lock = { pid: system.pid, host: system.host, since: system.now() };
  const bytes = new TextEncoder().encode(JSON.stringify(lock));
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      output.fileSystem.create(path, bytes);
      return;
    } catch (error) {
      if (failureCode(error) !== "EEXIST") {
        // The file may have been created, but not filled.
        release(output, path);
        onDisk("lock the output", () => {
          throw error;
        });
      }
    }
    removeStale(output, path);
  }
  throw new DiskError("The output is locked by another run.");
}

/** Removes a stale lock. A lock that is not stale is an error. */
function removeStale(output: Output, path: string): void {
  const lock = settledLock(output, path);
  if (lock !== undefined && !isStale(output, lock)) {
    throw new DiskError(
      `The output is locked by pid ${lock.pid}${lock.host === output.system.host ? "" : ` on ${lock.host}`}.`,
    );
  }
  // Of several runs that rename a stale lock, one succeeds; the others find that it is gone.
  const aside = `${path}.${output.system.pid}`;
  onDisk("remove a stale lock", () => {
    try {
      output.fileSystem.rename(path, aside);
      output.fileSystem.remove(aside);
    } catch (error) {
      if (failureCode(error) !== "ENOENT") {
        throw error;
      }
    }
  });
}

// A lock is created empty and then filled. An empty one may be filled soon, or its run was killed.
function settledLock(output: Output, path: string): Lock | undefined {
  for (let attempt = 0; attempt < 10; attempt++) {
    const lock = readLock(output, path);
    if (lock !== undefined) {
      return lock;
    }
    output.system.wait(20);
  }
  return undefined;
}

function readLock(output: Output, path: string): Lock | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(output.fileSystem.read(path, 4096)));
    return isLock(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLock(value: unknown): value is Lock {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isSafeInteger(value.pid) &&
    "host" in value &&
    typeof value.host === "string" &&
    "since" in value &&
    typeof value.since === "number"
  );
}

function isStale({ system }: Output, lock: Lock): boolean {
  const gone = lock.host === system.host && !system.isRunning(lock.pid);
  return gone || system.now() - lock.since > staleAfter;
}

function release(output: Output, path: string): void {
  try {
    const lock = readLock(output, path);
    if (lock === undefined || (lock.pid === output.system.pid && lock.host === output.system.host)) {
      output.fileSystem.remove(path);
    }
  } catch (error) {
    if (failureCode(error) === undefined) {
      throw error;
    }
  }
}
