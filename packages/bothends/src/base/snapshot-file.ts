import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { contractSnapshot, readSnapshot } from "@bothends/diff";
import type { Contract } from "@bothends/generator";

/** The file beside the manifest of the contract package with the contract of the last run, where no version control keeps it. */
export const snapshotName = ".bothends-contract.json.gz";

const maxBytes = 512 * 1024 * 1024;

/** Reads a snapshot; undefined if there is none, or if it is damaged. */
export function readSnapshotFile(path: string): Contract | undefined {
  try {
    return readSnapshot(gunzipSync(readFileSync(path), { maxOutputLength: maxBytes }).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Keeps the contract of this run in a folder. A failure costs only the words of the next run, so it is ignored. */
export function keepSnapshot(folder: string, contract: Contract): void {
  const file = join(folder, snapshotName);
  try {
    const bytes = gzipSync(contractSnapshot(contract), { level: 6 });
    if (existsSync(file) && readFileSync(file).equals(bytes)) {
      return;
    }
    writeFileSync(`${file}.new`, bytes);
    renameSync(`${file}.new`, file);
  } catch {
    // The next run does not say what changed.
  }
}
