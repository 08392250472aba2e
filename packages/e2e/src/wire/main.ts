import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { recordWire } from "./record.js";

/** Rewrites all wire files. Refuses to run in continuous integration, where nobody would review the changes. */
const folder = fileURLToPath(new URL("../../test/wire/operations", import.meta.url));
if (process.env["CI"] !== undefined) {
  process.stderr.write(
    "Wire files cannot be rewritten in continuous integration, because nobody would review the changes.\n",
  );
  process.exitCode = 2;
} else {
  const files = await recordWire();
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  process.stdout.write(`${files.size} wire files written.\n`);
}
