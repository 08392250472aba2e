import { hostname } from "node:os";
import { type FileSystem, nodeFileSystem } from "./file-system.js";

/** The folder that files are written to, with the disk and the system, which tests replace. */
export interface Output {
  /** An absolute path with its links followed. */
  readonly root: string;
  /** The folders of the generated packages, relative to the root. */
  readonly packages: readonly string[];
  readonly fileSystem: FileSystem;
  readonly system: System;
}

/** The process and the clock: for locks, and for waiting. */
export interface System {
  readonly pid: number;
  readonly host: string;
  /** The time in milliseconds. Only differences are used. */
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
      // The process of another user: it is running, but must not be signalled.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
  wait(milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** An output on the disk of this machine. */
export function outputOn(root: string, packages: readonly string[]): Output {
  return { root, packages, fileSystem: nodeFileSystem, system: nodeSystem };
}
