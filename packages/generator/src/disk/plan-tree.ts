import type { FileTree } from "../model/index.js";
import { DiskError, withDiskErrors } from "./file-system.js";
import {
  assertPlainFolders,
  checkTree,
  computeHash,
  findBytesAt,
  formatPath,
  getAbsolutePath,
  getKindAt,
  isTreePath,
  type Output,
} from "./output.js";

/** The change of one file. `oldBytes` and `newBytes` are its content; undefined means that the file does not exist. */
export interface FileChange {
  readonly path: string;
  readonly oldBytes: Uint8Array | undefined;
  readonly newBytes: Uint8Array | undefined;
}

/** The differences between the files on the disk and a tree of generated files. */
export interface TreePlan {
  readonly added: readonly FileChange[];
  readonly changed: readonly FileChange[];
  readonly removed: readonly FileChange[];
  /** Files that the user has written or edited. They are replaced only with `--force`, which copies them to `.orig`. */
  readonly edited: readonly FileChange[];
  readonly unchanged: readonly string[];
  /** Edited files that are no longer generated, and are not removed. */
  readonly keptPaths: readonly string[];
  /** The entries of package folders without a manifest. The generator did not write them. */
  readonly foreignPaths: readonly string[];
  /** The manifests whose text changes. */
  readonly manifests: readonly FileChange[];
}

type MutablePlan = { -readonly [K in keyof TreePlan]: TreePlan[K] extends readonly (infer E)[] ? E[] : never };

/** Compares a tree of generated files with the disk. Nothing is written. */
export function planTree(output: Output, tree: FileTree): TreePlan {
  checkTree(tree, output.packages);
  const plan: MutablePlan = {
    added: [],
    changed: [],
    removed: [],
    edited: [],
    unchanged: [],
    keptPaths: [],
    foreignPaths: [],
    manifests: [],
  };
  const plainFolders = new Set<string>();
  for (const folder of output.packages) {
    planPackage(output, { folder, tree, plan, plainFolders });
  }
  return plan;
}

interface PackagePlan {
  readonly folder: string;
  readonly tree: FileTree;
  readonly plan: MutablePlan;
  /** The folders that were inspected and are not links. They are inspected again before anything is written. */
  readonly plainFolders: Set<string>;
}

function planPackage(output: Output, { folder, tree, plan, plainFolders }: PackagePlan): void {
  assertPlainFolders(output, `${folder}/x`, plainFolders);
  const manifest = findManifest(output, folder);
  if (manifest === undefined) {
    plan.foreignPaths.push(...listForeignEntries(output, folder));
  }
  const hashes = new Map<string, string>();
  for (const [path, text] of tree) {
    if (path.startsWith(`${folder}/`)) {
      const knownHash = manifest?.get(path.slice(folder.length + 1));
      hashes.set(path.slice(folder.length + 1), planFile(output, { path, text, knownHash, plan, plainFolders }));
    }
  }
  for (const [name, hash] of manifest ?? []) {
    if (!hashes.has(name)) {
      planRemoval(output, { path: `${folder}/${name}`, hash, plan, plainFolders });
    }
  }
  if (hashes.size > 0 || manifest !== undefined) {
    planManifest(output, { path: `${folder}/${manifestName}`, hashes, plan });
  }
}

/** Adds a generated file to the plan, and returns the hash of its text. */
function planFile(
  output: Output,
  file: Pick<PackagePlan, "plan" | "plainFolders"> & {
    readonly path: string;
    readonly text: string;
    readonly knownHash: string | undefined;
  },
): string {
  const { path, text, knownHash, plan, plainFolders } = file;
  assertPlainFolders(output, path, plainFolders);
  const oldBytes = findBytesAt(output, path);
  const newBytes = new TextEncoder().encode(text);
  const hash = computeTextHash(newBytes);
  if (oldBytes === undefined) {
    plan.added.push({ path, oldBytes, newBytes });
    return hash;
  }
  const presentHash = Buffer.compare(oldBytes, newBytes) === 0 ? hash : computeTextHash(oldBytes);
  if (presentHash === hash) {
    plan.unchanged.push(path);
  } else {
    (presentHash === knownHash ? plan.changed : plan.edited).push({ path, oldBytes, newBytes });
  }
  return hash;
}

function planRemoval(
  output: Output,
  file: Pick<PackagePlan, "plan" | "plainFolders"> & { readonly path: string; readonly hash: string },
): void {
  const { path, hash, plan, plainFolders } = file;
  assertPlainFolders(output, path, plainFolders);
  const oldBytes = findBytesAt(output, path);
  if (oldBytes === undefined) {
    return;
  }
  if (computeTextHash(oldBytes) === hash) {
    plan.removed.push({ path, oldBytes, newBytes: undefined });
  } else {
    plan.keptPaths.push(path);
  }
}

function planManifest(
  output: Output,
  { path, hashes, plan }: { readonly path: string; readonly hashes: Manifest; readonly plan: MutablePlan },
): void {
  const oldBytes = findBytesAt(output, path);
  const newBytes = new TextEncoder().encode(formatManifest(hashes));
  if (oldBytes === undefined || computeTextHash(oldBytes) !== computeTextHash(newBytes)) {
    plan.manifests.push({ path, oldBytes, newBytes });
  }
}

function findManifest(output: Output, folder: string): Manifest | undefined {
  const path = `${folder}/${manifestName}`;
  const bytes = findBytesAt(output, path);
  if (bytes === undefined) {
    return undefined;
  }
  const manifest = readManifest(bytes);
  if (manifest === undefined) {
    throw new DiskError(
      `The manifest ${formatPath(output, path)} is damaged. Restore it, or delete it and run again with --allow-nonempty.`,
    );
  }
  return manifest;
}

// Lists the entries of a package folder, except those that package managers, compilers and interrupted runs create.
function listForeignEntries(output: Output, folder: string): readonly string[] {
  if (getKindAt(output, folder) === "missing") {
    return [];
  }
  const names = withDiskErrors(`list ${formatPath(output, folder)}`, () =>
    output.fileSystem.list(getAbsolutePath(output, folder)),
  );
  return names
    .filter((name) => name !== "node_modules" && name !== "dist" && !name.startsWith(".bothends-journal"))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/**
 * The name of the manifest in each generated package, which lists the generated files with their hashes. A file that it
 * does not list was written by the user; a file with a different hash was edited.
 */
export const manifestName = ".bothends-manifest.json";

/** The hash of each generated file by its path in the package. */
type Manifest = ReadonlyMap<string, string>;

/**
 * Computes the hash of a file's text, ignoring line ends and a byte order mark, because version control may change
 * both.
 */
export function computeTextHash(bytes: Uint8Array): string {
  const [firstByte] = bytes;
  if (firstByte !== 0xef && !bytes.includes(0x0d)) {
    return computeHash(bytes);
  }
  const text = new TextDecoder("utf-8").decode(bytes).replaceAll(/\r\n?/g, "\n");
  return computeHash(new TextEncoder().encode(text));
}

/** Formats a manifest, sorted by path. */
function formatManifest(manifest: Manifest): string {
  const paths = [...manifest.keys()].sort();
  return `${JSON.stringify({ format: 1, files: Object.fromEntries(paths.map((path) => [path, manifest.get(path)])) }, null, 2)}\n`;
}

/** Reads a manifest; undefined if it is damaged or names a path outside its package. */
function readManifest(bytes: Uint8Array): Manifest | undefined {
  const files = findManifestFiles(new TextDecoder("utf-8").decode(bytes));
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

function findManifestFiles(text: string): object | undefined {
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
