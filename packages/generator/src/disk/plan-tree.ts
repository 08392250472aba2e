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
  /** The permissions of the file before and after the change. Default: those of new files. */
  readonly mode?: number;
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
  const manifest = readManifest(new TextDecoder("utf-8").decode(bytes));
  if (!("problem" in manifest)) {
    return manifest;
  }
  throw new DiskError(
    `The manifest ${formatPath(output, path)}, which lists the generated files, cannot be used: ${manifest.problem}.`,
    { help: manifest.help ?? manifestHelp },
  );
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

/** The reason why a manifest cannot be used. */
interface ManifestProblem {
  readonly problem: string;
  /** Default: `manifestHelp`. */
  readonly help?: string;
}

const manifestHelp =
  "Restore it from version control. Or delete it, and run generate with --allow-nonempty; if it then reports edited files, add --force, which keeps copies of them.";

/** Reads a manifest. It may be damaged, edited by hand, or forged, so every path in it is checked. */
function readManifest(text: string): Manifest | ManifestProblem {
  const content = parseManifest(text);
  if (content === undefined) {
    return { problem: describeInvalidJson(text) };
  }
  if (!isObject(content)) {
    return { problem: "it is not a JSON object" };
  }
  const { format, files } = content;
  if (format !== 1) {
    return typeof format === "number" && format > 1
      ? {
          problem: `a later version of bothends wrote it, in format ${format}`,
          help: "Run that version, for example with npx bothends@latest.",
        }
      : { problem: 'its member "format" is not 1' };
  }
  if (!isObject(files)) {
    return { problem: 'its member "files" is not an object' };
  }
  const manifest = new Map<string, string>();
  for (const [path, hash] of Object.entries(files)) {
    if (!isTreePath(path) || /(?:^|\/)\.bothends-[^/]*$/.test(path)) {
      return { problem: `it lists ${JSON.stringify(path.slice(0, 200))}, which cannot be a generated file` };
    }
    if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash)) {
      return { problem: `the hash of ${JSON.stringify(path)} is not a SHA-256` };
    }
    manifest.set(path, hash);
  }
  return manifest;
}

/** Parses JSON; undefined if it is invalid. */
function parseManifest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeInvalidJson(text: string): string {
  if (text.trim() === "") {
    return "it is empty";
  }
  return /^(?:<{7}|>{7}) /m.test(text) ? "it contains the marks of an unresolved merge" : "it is not JSON";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
