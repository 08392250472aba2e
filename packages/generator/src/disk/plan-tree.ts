import type { FileTree } from "../model/index.js";
import { DiskError, onDisk } from "./disk-error.js";
import { type Manifest, manifestName, manifestText, readManifest, textHash } from "./manifest.js";
import type { Output } from "./output.js";
import { absolute, assertPlainFolders, bytesAt, kindAt } from "./paths-on-disk.js";
import { checkTree } from "./tree-path.js";

/** What becomes of one file; `before` and `after` are its content, undefined where there is no file. */
export interface FileChange {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** How the disk differs from a tree. Reading it changes nothing. */
export interface TreePlan {
  readonly added: readonly FileChange[];
  readonly changed: readonly FileChange[];
  readonly removed: readonly FileChange[];
  /** Files in the way that people wrote or edited: replaced only on demand, and kept beside. */
  readonly edited: readonly FileChange[];
  readonly unchanged: readonly string[];
  /** Files that are generated no more, but were edited: they stay. */
  readonly kept: readonly string[];
  /** Packages whose folder holds files that are not ours, and no manifest. */
  readonly foreign: readonly string[];
  /** The manifests that tell our files, where they change. */
  readonly manifests: readonly FileChange[];
}

type MutablePlan = { -readonly [K in keyof TreePlan]: TreePlan[K] extends readonly (infer E)[] ? E[] : never };

/** Compares a tree with the disk. */
export function planTree(output: Output, tree: FileTree): TreePlan {
  checkTree(tree, output.packages);
  const plan: MutablePlan = {
    added: [],
    changed: [],
    removed: [],
    edited: [],
    unchanged: [],
    kept: [],
    foreign: [],
    manifests: [],
  };
  for (const folder of output.packages) {
    planPackage(output, { folder, tree, plan });
  }
  return plan;
}

interface PackagePlan {
  readonly folder: string;
  readonly tree: FileTree;
  readonly plan: MutablePlan;
}

function planPackage(output: Output, { folder, tree, plan }: PackagePlan): void {
  assertPlainFolders(output, `${folder}/x`);
  const manifest = manifestOf(output, folder);
  if (manifest === undefined && isForeign(output, folder)) {
    plan.foreign.push(folder);
  }
  const hashes = new Map<string, string>();
  for (const [path, text] of tree) {
    if (path.startsWith(`${folder}/`)) {
      const known = manifest?.get(path.slice(folder.length + 1));
      hashes.set(path.slice(folder.length + 1), planFile(output, { path, text, known, plan }));
    }
  }
  for (const [name, hash] of manifest ?? []) {
    if (!hashes.has(name)) {
      planRemoval(output, { path: `${folder}/${name}`, hash, plan });
    }
  }
  if (hashes.size > 0 || manifest !== undefined) {
    planManifest(output, { path: `${folder}/${manifestName}`, hashes, plan });
  }
}

/** Answers the hash of the new text. */
function planFile(
  output: Output,
  file: {
    readonly path: string;
    readonly text: string;
    readonly known: string | undefined;
    readonly plan: MutablePlan;
  },
): string {
  const { path, text, known, plan } = file;
  assertPlainFolders(output, path);
  const before = bytesAt(output, path);
  const after = new TextEncoder().encode(text);
  const hash = textHash(after);
  if (before === undefined) {
    plan.added.push({ path, before, after });
    return hash;
  }
  const present = Buffer.compare(before, after) === 0 ? hash : textHash(before);
  if (present === hash) {
    plan.unchanged.push(path);
  } else {
    (present === known ? plan.changed : plan.edited).push({ path, before, after });
  }
  return hash;
}

function planRemoval(
  output: Output,
  { path, hash, plan }: { readonly path: string; readonly hash: string; readonly plan: MutablePlan },
): void {
  assertPlainFolders(output, path);
  const before = bytesAt(output, path);
  if (before === undefined) {
    return;
  }
  if (textHash(before) === hash) {
    plan.removed.push({ path, before, after: undefined });
  } else {
    plan.kept.push(path);
  }
}

function planManifest(
  output: Output,
  { path, hashes, plan }: { readonly path: string; readonly hashes: Manifest; readonly plan: MutablePlan },
): void {
  const before = bytesAt(output, path);
  const after = new TextEncoder().encode(manifestText(hashes));
  if (before === undefined || textHash(before) !== textHash(after)) {
    plan.manifests.push({ path, before, after });
  }
}

function manifestOf(output: Output, folder: string): Manifest | undefined {
  const path = `${folder}/${manifestName}`;
  const bytes = bytesAt(output, path);
  if (bytes === undefined) {
    return undefined;
  }
  const manifest = readManifest(bytes);
  if (manifest === undefined) {
    throw new DiskError(`${path} is damaged. Restore it; or delete it, and run again with --allow-nonempty.`);
  }
  return manifest;
}

// What installing and building leave in a package is nobody's work.
function isForeign(output: Output, folder: string): boolean {
  if (kindAt(output, folder) === "missing") {
    return false;
  }
  const names = onDisk(`list ${folder}`, () => output.fileSystem.list(absolute(output, folder)));
  return names.some((name) => name !== "node_modules" && name !== "dist" && !name.startsWith(".bothends-journal"));
}
