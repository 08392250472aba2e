import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();
process.on("exit", () => {
  // A server that has just been killed may still hold its files.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
});

/** A folder that is gone when this program ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "peer-"));
  folders.add(folder);
  return folder;
}
