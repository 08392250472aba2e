import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the runtime as it is published, if it changed: `generate --vendor-runtime` copies it. */
export function setup(): void {
  const program = join(import.meta.dirname, "..", "packages", "pack", "dist", "main.js");
  execFileSync(process.execPath, [program, "--if-changed", "runtime"], { stdio: "inherit" });
}
