import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packedFolder } from "./pack-package.js";
import type { Published } from "./published.js";
import { root } from "./root.js";

/** The inputs of the published folders. */
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
  const record = recordOf(folder);
  return (
    existsSync(join(packedFolder, folder)) &&
    existsSync(record) &&
    readFileSync(record, "utf8") === inputsDigest(folder)
  );
}

/** Records that a package's folder was built from the current files. */
export function recordInputs({ folder }: Published): void {
  mkdirSync(packedFolder, { recursive: true });
  writeFileSync(recordOf(folder), inputsDigest(folder));
}

function recordOf(folder: string): string {
  return join(packedFolder, `.${folder}.inputs`);
}

/** A digest of the paths, sizes and times of all inputs. Reading their text would take longer. */
function inputsDigest(folder: string): string {
  const digest = createHash("sha256");
  // In a fresh clone, a command compiles only what it needs, so sources of other packages do not count as inputs.
  const all =
    folder === "otel"
      ? [...inputs, "packages/otel/package.json", "packages/otel/src", "packages/otel/dist", "packages/otel/README.md"]
      : inputs;
  for (const input of all) {
    const path = join(root, input);
    const nested = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: "utf8" }).sort()
      : [""];
    for (const file of nested) {
      const { size, mtimeMs } = statSync(join(path, file));
      digest.update(`${input}/${file} ${size} ${mtimeMs}\n`);
    }
  }
  return digest.digest("hex");
}
