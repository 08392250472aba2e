import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packedFolder } from "./pack-package.js";
import type { Published } from "./published.js";
import { root } from "./root.js";

/** The paths from which the published folders are built, below the root of the repository. */
const inputs = [
  ...["xml", "datatypes", "runtime", "generator", "diff", "bothends"].flatMap((name) =>
    ["src", "dist", "package.json", "README.md"].map((part) => `packages/${name}/${part}`),
  ),
  "packages/pack/dist",
  "packages/bothends/bothends.schema.json",
  "docs/diagnostics.md",
  "templates",
  "package.json",
  "pnpm-workspace.yaml",
  "LICENSE",
];

/** Whether a package's folder was built from the current files. */
export function isCurrent({ folder }: Published): boolean {
  const record = getRecordPath(folder);
  return (
    existsSync(join(packedFolder, folder)) &&
    existsSync(record) &&
    readFileSync(record, "utf8") === computeInputsDigest(folder)
  );
}

/** Records that a package's folder was built from the current files. */
export function recordInputs({ folder }: Published): void {
  mkdirSync(packedFolder, { recursive: true });
  writeFileSync(getRecordPath(folder), computeInputsDigest(folder));
}

function getRecordPath(folder: string): string {
  return join(packedFolder, `.${folder}.inputs`);
}

/** Computes a digest of the paths, sizes and times of all inputs, which is faster than a digest of their contents. */
function computeInputsDigest(folder: string): string {
  const digest = createHash("sha256");
  // `pnpm generate` does not compile `otel` in a fresh clone, so `otel` is an input only of its own published folder.
  const paths =
    folder === "otel"
      ? [...inputs, "packages/otel/package.json", "packages/otel/src", "packages/otel/dist", "packages/otel/README.md"]
      : inputs;
  for (const input of paths) {
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
