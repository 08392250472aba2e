import { hostname } from "node:os";
import { type FileSystem, nodeFileSystem } from "./file-system.js";

/** Where files are written, and the world around that: everything a test may replace. */
export interface Output {
  /** An absolute path with its links followed. */
  readonly root: string;
  /** The folders of the generated packages, relative to the root. */
  readonly packages: readonly string[];
  readonly fileSystem: FileSystem;
  readonly system: System;
}

/** What a lock needs to know of running processes. */
export interface System {
  readonly pid: number;
  readonly host: string;
  /** Milliseconds; only differences count. */
  now(): number;
  isRunning(pid: number): boolean;
  wait(milliseconds: number): void;
}

/** This process on this machine. */
export const nodeSystem: System = {
  pid: process.pid,
  host: hostname(),
  now: () => Date.now(),
  isRunning(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // Another user's process runs, though we may not signal it.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
  wait(milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** An output on this machine's disk. */
export function outputOn(root: string, packages: readonly string[]): Output {
  return { root, packages, fileSystem: nodeFileSystem, system: nodeSystem };
}
