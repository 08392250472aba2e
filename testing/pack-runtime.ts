import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the runtime, as it is published and as `generate --vendor-runtime` writes it, if it has changed. */
export function setup(): void {
  const program = join(import.meta.dirname, "..", "packages", "pack", "dist", "main.js");
  execFileSync(process.execPath, [program, "--if-changed", "runtime", "vendored-runtime"], { stdio: "inherit" });
}
