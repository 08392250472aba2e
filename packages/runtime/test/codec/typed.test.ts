import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = dirname(fileURLToPath(import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

test("a field left out of a descriptor does not compile", { timeout: 60_000 }, () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    [compiler, "--noEmit", "-p", join(folder, "..", "tsconfig.json")],
    {
      encoding: "utf8",
    },
  );
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
