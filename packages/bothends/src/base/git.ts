import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { FileRead, ReadFile } from "@bothends/generator";

/** A commit of the repository that contains a folder. */
export interface Commit {
  /** The folder, by which files are read. */
  readonly folder: string;
  /** The path of the folder in the repository, with `/` at its end; "" for the top. */
  readonly prefix: string;
  readonly id: string;
}

/** Finds a revision in the repository around a folder; undefined without git, a repository, or the revision. */
export function findCommit(folder: string, revision: string): Commit | undefined {
  const prefix = git(folder, ["rev-parse", "--show-prefix"]);
  const id = git(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  if (prefix === undefined || id === undefined) {
    return undefined;
  }
  return { folder, prefix: prefix.toString("utf8").trim(), id: id.toString("utf8").trim() };
}

/** Reads files of a commit, by their paths below its folder. */
export function commitReader({ folder, prefix, id }: Commit, fileBytes: number): ReadFile {
  return (path): FileRead => {
    const inRepository = posix.normalize(`${prefix}${path}`);
    const bytes = git(folder, ["cat-file", "blob", `${id}:${inRepository}`], fileBytes + 1);
    return bytes === undefined
      ? { kind: "problem", problem: "missing", message: `the commit ${id.slice(0, 8)} has no such file` }
      : { kind: "file", bytes };
  };
}

/** Whether a commit has files with exactly these contents. */
export function hasFiles({ folder, prefix, id }: Commit, files: ReadonlyMap<string, Uint8Array>): boolean {
  const names = [...files.keys()].map((path) => `${id}:${posix.normalize(`${prefix}${path}`)}`);
  const ids = git(folder, ["rev-parse", ...names]);
  const found = ids?.toString("utf8").trim().split("\n") ?? [];
  const wanted = [...files.values()].map((bytes) =>
    createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex"),
  );
  return found.length === wanted.length && found.every((each, index) => each === wanted[index]);
}

/** Runs git; undefined if it fails. It never asks, fetches, or writes. */
function git(folder: string, parameters: readonly string[], maxBuffer = 1024 * 1024): Buffer | undefined {
  const environment = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };
  const ran = spawnSync("git", ["-C", folder, ...parameters], {
    env: environment,
    maxBuffer,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 30_000,
  });
  return ran.status === 0 && ran.error === undefined ? ran.stdout : undefined;
}
