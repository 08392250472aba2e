import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packedFolder } from "./pack-package.js";
import { root } from "./root.js";

/** The packages of the repository from which each folder in `.packed` is built. */
const packages: Readonly<Record<string, readonly string[]>> = {
  runtime: ["xml", "datatypes", "runtime"],
  "vendored-runtime": ["xml", "datatypes", "runtime"],
  otel: ["otel"],
  bothends: ["xml", "datatypes", "runtime", "generator", "diff", "bothends"],
};

/** The paths, below the root of the repository, that affect every folder. */
const sharedInputs = ["packages/pack/dist", "package.json", "pnpm-workspace.yaml", "LICENSE"];

/** The other paths that affect the command line. */
const commandInputs = ["packages/bothends/bothends.schema.json", "docs/diagnostics.md", "templates"];

/** Whether a folder in `.packed` was built from the current files. */
export function isCurrent(folder: string): boolean {
  const record = getRecordPath(folder);
  return (
    existsSync(join(packedFolder, folder)) &&
    existsSync(record) &&
    readFileSync(record, "utf8") === computeInputsDigest(folder)
  );
}

/** Records that a folder in `.packed` was built from the current files. */
export function recordInputs(folder: string): void {
  mkdirSync(packedFolder, { recursive: true });
  writeFileSync(getRecordPath(folder), computeInputsDigest(folder));
}

/**
 * Returns the paths, below the root of the repository, from which a folder is built. Each folder has its own inputs, so
 * that an edit of the generator does not rebuild the runtime.
 */
export function listInputs(folder: string): readonly string[] {
  const names = packages[folder];
  if (names === undefined) {
    throw new Error(`current.ts lists no inputs for .packed/${folder}.`);
  }
  const packageInputs = names.flatMap((name) =>
    ["src", "dist", "package.json", "README.md"].map((part) => `packages/${name}/${part}`),
  );
  return [...packageInputs, ...sharedInputs, ...(folder === "bothends" ? commandInputs : [])];
}

function getRecordPath(folder: string): string {
  return join(packedFolder, `.${folder}.inputs`);
}

/** Computes a digest of the paths, sizes and times of all inputs, which is faster than a digest of their contents. */
function computeInputsDigest(folder: string): string {
  const digest = createHash("sha256");
  for (const input of listInputs(folder)) {
    const path = join(root, input);
    const filesInside = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: "utf8" }).sort()
      : [""];
    for (const file of filesInside) {
      const { size, mtimeMs } = statSync(join(path, file));
      digest.update(`${input}/${file} ${size} ${mtimeMs}\n`);
    }
  }
  return digest.digest("hex");
}
