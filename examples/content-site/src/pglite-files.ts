import { link, mkdir, readdir, readFile, rename, rm, statfs, writeFile } from "node:fs/promises";
import { NoSpaceError } from "./outages.js";

/**
 * Creates the files of a new database in a temporary folder and renames it, so that a killed process leaves no incomplete
 * database.
 */
export async function createFolder(
  folder: string,
  create: (path: string) => Promise<{ close(): Promise<void> }>,
): Promise<void> {
  if (folder.startsWith("memory://") || (await readdir(folder)).length > 0) {
    return;
  }
  const path = `${folder}.new`;
  await rm(path, { recursive: true, force: true });
  await (await create(path)).close();
  await rename(path, folder);
}

/** The free space to keep, in bytes: PGlite fails if the disk has no space for the next file of its log, which has 16 MB. */
const reserve = Number(process.env["DATABASE_RESERVE"] ?? 64) * 1024 * 1024;

/** Rejects if the disk of a folder has less free space than the reserve. */
export async function checkSpaceOf(folder: string): Promise<void> {
  if (folder.startsWith("memory://")) {
    return;
  }
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < reserve) {
    const freeMegabytes = Math.floor((bavail * bsize) / (1024 * 1024));
    throw new NoSpaceError(
      `The disk of ${folder} has ${freeMegabytes} MB left, less than the reserve of ${reserve / (1024 * 1024)} MB (DATABASE_RESERVE).`,
    );
  }
}

/** Locks PGlite's files, which two processes would damage. Returns a function that removes the lock. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  if (folder.startsWith("memory://")) {
    return async () => {};
  }
  await mkdir(folder, { recursive: true });
  const file = `${folder}.lock`;
  // The lock file is written under another name and then linked, so that a killed process leaves no empty lock.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, String(process.pid));
  try {
    await link(unfinished, file);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EEXIST") {
      await rm(unfinished, { force: true });
      throw error;
    }
    const owner = Number(await readFile(file, "utf8"));
    // The process id 0 would mean the group of this process.
    if (owner !== 0 && owner !== process.pid && isRunning(owner)) {
      await rm(unfinished, { force: true });
      throw new Error(
        `Process ${owner} uses the database in ${folder}. Stop it, or choose another folder with DATABASE_FOLDER.`,
      );
    }
    // The process that made the lock ended without removing it.
    await rename(unfinished, file);
  }
  await rm(unfinished, { force: true });
  return () => rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
