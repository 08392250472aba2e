import { link, mkdir, readdir, readFile, rename, rm, statfs, writeFile } from "node:fs/promises";
import { NoSpaceError } from "./outages.js";

/** Makes the files of a new database under another name, so that a process that is killed meanwhile leaves none that is half made. */
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

/** PGlite does not survive a disk that is full when it needs the next file of its log, of 16 MB. */
const reserve = Number(process.env["DATABASE_RESERVE"] ?? 64) * 1024 * 1024;

/** Rejects if the disk has less than the reserve. */
export async function checkSpaceOf(folder: string): Promise<void> {
  if (folder.startsWith("memory://")) {
    return;
  }
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < reserve) {
    const left = Math.floor((bavail * bsize) / (1024 * 1024));
    throw new NoSpaceError(
      `The disk of ${folder} has ${left} MB left; DATABASE_RESERVE is ${reserve / (1024 * 1024)} MB.`,
    );
  }
}

/** Keeps other processes out of PGlite's files, which two would damage. Returns a function that lets them in. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  if (folder.startsWith("memory://")) {
    return async () => {};
  }
  await mkdir(folder, { recursive: true });
  const file = `${folder}.lock`;
  // The file appears with its content: a process that is killed while it writes must not leave an empty lock.
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
    // 0 would mean this process's group.
    if (owner !== 0 && owner !== process.pid && isRunning(owner)) {
      await rm(unfinished, { force: true });
      throw new Error(
        `Process ${owner} uses the database in ${folder}. Stop it, or choose another folder with DATABASE_FOLDER.`,
      );
    }
    // The owner ended without closing the database.
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
