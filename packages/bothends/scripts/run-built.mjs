// Builds the command line if a source has changed since the last build, and runs it: `node run-built.mjs generate`.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packages = join(import.meta.dirname, "..", "..");
const root = join(packages, "..");
const names = ["xml", "datatypes", "runtime", "generator", "bothends", "pack"];
const stampFile = join(root, "node_modules", ".cache", "bothends", "last-build.txt");

/** The names, sizes and times of all sources, of the compiler's settings, and of everything that was built. */
function stamp() {
  const hash = createHash("sha256");
  const add = (path) => {
    const { size, mtimeMs, ctimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    hash.update(`${path} ${size} ${mtimeMs} ${ctimeMs}\n`);
  };
  add(join(root, "tsconfig.base.json"));
  add(join(root, "node_modules", "typescript", "package.json"));
  for (const name of names) {
    for (const file of ["package.json", "tsconfig.json"]) {
      add(join(packages, name, file));
    }
    for (const folder of [join(packages, name, "src"), join(packages, name, "dist")]) {
      for (const file of filesBelow(folder)) {
        add(join(folder, file));
      }
    }
  }
  return hash.digest("hex");
}

function filesBelow(folder) {
  try {
    return readdirSync(folder, { recursive: true }).sort();
  } catch {
    return [];
  }
}

function lastStamp() {
  try {
    return readFileSync(stampFile, "utf8");
  } catch {
    return undefined;
  }
}

function run(...parameters) {
  const { status } = spawnSync(process.execPath, parameters, { stdio: "inherit" });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

if (lastStamp() !== stamp()) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  run(tsc, "-b", join(packages, "bothends"), join(packages, "pack"));
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp());
}
if (process.argv.includes("--vendor-runtime")) {
  run(join(packages, "pack", "dist", "main.js"), "--if-changed", "runtime");
}
await import("../dist/bin.js");
