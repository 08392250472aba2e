import { createHash } from "node:crypto";
import { isTreePath } from "./tree-path.js";

/** The file in each generated package that tells our files from others', and unchanged ones from edited ones. */
export const manifestName = ".bothends-manifest.json";

/** The hash of each file that was written, by its path in the package. */
export type Manifest = ReadonlyMap<string, string>;

/** A hash that line ends and a byte order mark do not change: a checkout may have changed them. */
export function textHash(bytes: Uint8Array): string {
  const text = new TextDecoder("utf-8").decode(bytes).replaceAll(/\r\n?/g, "\n");
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The manifest as a file: sorted by path, so that equal packages have equal manifests. */
export function manifestText(manifest: Manifest): string {
  const paths = [...manifest.keys()].sort();
  return `${JSON.stringify({ format: 1, files: Object.fromEntries(paths.map((path) => [path, manifest.get(path)])) }, null, 2)}\n`;
}

/** Reads a manifest; undefined where it is none. What it says of paths outside the package is not believed. */
export function readManifest(bytes: Uint8Array): Manifest | undefined {
  const files = manifestFiles(new TextDecoder("utf-8").decode(bytes));
  if (files === undefined) {
    return undefined;
  }
  const manifest = new Map<string, string>();
  for (const [path, hash] of Object.entries(files)) {
    if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash) || !isTreePath(path)) {
      return undefined;
    }
    manifest.set(path, hash);
  }
  return manifest;
}

function manifestFiles(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value !== "object" ||
      value === null ||
      !("format" in value) ||
      value.format !== 1 ||
      !("files" in value)
    ) {
      return undefined;
    }
    return typeof value.files === "object" && value.files !== null ? value.files : undefined;
  } catch {
    return undefined;
  }
}
