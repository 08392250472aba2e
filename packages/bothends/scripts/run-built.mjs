// Builds and packs the command line if a source has changed since the last build, and runs it: `node run-built.mjs generate`.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packages = join(import.meta.dirname, "..", "..");
const root = join(packages, "..");
const names = ["xml", "datatypes", "runtime", "diff", "generator", "bothends", "pack"];
const hashFile = join(root, "node_modules", ".cache", "bothends", "last-build.txt");

/** Hashes the names, sizes and times of all sources, settings and templates, and of the files of the last build. */
function hashInputs() {
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
    for (const file of filesBelow(join(packages, name, "src"))) {
      add(join(packages, name, "src", file));
    }
    add(join(packages, name, "dist", "tsconfig.tsbuildinfo"));
  }
  for (const file of filesBelow(join(root, "templates"))) {
    add(join(root, "templates", file));
  }
  add(join(root, ".packed", "bothends", "dist", "main.js"));
  return hash.digest("hex");
}

function filesBelow(folder) {
  try {
    return readdirSync(folder, { recursive: true }).sort();
  } catch {
    return [];
  }
}

function readLastHash() {
  try {
    return readFileSync(hashFile, "utf8");
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

if (readLastHash() !== hashInputs()) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  run(tsc, "-b", join(packages, "bothends"), join(packages, "pack"));
  run(join(packages, "pack", "dist", "main.js"), "--if-changed", "bothends");
  mkdirSync(dirname(hashFile), { recursive: true });
  writeFileSync(hashFile, hashInputs());
}
await import("../dist/bin.js");
