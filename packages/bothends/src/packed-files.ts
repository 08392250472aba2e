import { readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix, sep } from "node:path";
import type { Config, Templates } from "@bothends/generator";
import { isFile, isFolder, manifestName, readFolder, readText } from "@bothends/generator/disk";
import { UsageError } from "./host.js";

// The folder of this package: the parent of `src` in the repository, and of `dist` in the published package.
const packageFolder = join(import.meta.dirname, "..");

/**
 * Returns the folder of this package if the project links to it, as after `npm install ../bothends`; undefined if a
 * package manager installed it.
 */
export function findLinkedFolder(): string | undefined {
  const folder = realpathSync(packageFolder);
  return folder.split(sep).includes("node_modules") ? undefined : folder;
}

/** Reads the templates, which are compiled in the published package. */
export function readTemplates(): Templates {
  return isFile(join(import.meta.dirname, "templates.cjs"))
    ? createRequire(import.meta.url)("templates").templates
    : readFolder(findFirstFolder([join(packageFolder, "..", "..", "templates")]));
}

/** Reads the diagnostics page: from the installed package, or from `docs` in the repository. */
export function readExplanations(): string {
  const name = "diagnostics.md";
  const folder = findFirstFolder([join(packageFolder, "docs"), join(packageFolder, "..", "..", "docs")]);
  return readText(join(folder, name));
}

/**
 * Returns the folder of the bundled runtime: part of an installed package; created by `pnpm build` in the repository.
 */
function findRuntimeFolder(): string {
  const builtRuntime = join(packageFolder, "..", "..", ".packed", "vendored-runtime");
  return findFirstFolder([join(packageFolder, "vendor", "runtime"), builtRuntime]);
}

/** Returns the version of this package; the runtime has the same version. */
export function readOwnVersion(): string {
  return getVersion(readText(join(packageFolder, "package.json")));
}

function getVersion(text: string): string {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "version" in value ? String(value.version) : "0.0.0";
}

function findFirstFolder(folders: readonly string[]): string {
  const existingFolder = folders.find((folder) => isFolder(folder));
  if (existingFolder === undefined) {
    throw new Error(`None of these folders exists: ${folders.join(", ")}. In the repository, run pnpm build.`);
  }
  return existingFolder;
}

/** The runtime as an additional package beside the generated packages, for projects without access to a registry. */
export interface VendoredRuntime {
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
  /** The configuration with a dependency on that package. */
  readonly config: Config;
}

/**
 * Reads the bundled runtime as a package for the output. It has the entries of the published runtime, but no
 * dependencies. `folder` is relative to the output; by default, it is beside the generated packages.
 */
export function readVendoredRuntime(config: Config, folder?: string): VendoredRuntime {
  const packages = Object.values(config.packages).map((packageConfig) => packageConfig.path);
  const parents = new Set(packages.map((packagePath) => posix.dirname(packagePath)));
  const [firstPackage = ""] = packages;
  const [parent] = parents;
  if (parent === undefined || parents.size !== 1) {
    throw new UsageError(
      "--vendor-runtime needs all packages in one folder, because it writes the runtime beside them.",
    );
  }
  const path = folder ?? posix.join(parent, "runtime");
  if (packages.some((packagePath) => isWithin(packagePath, path) || isWithin(path, packagePath))) {
    throw new UsageError(`--vendor-runtime writes the runtime to ${path}, which is the folder of another package.`);
  }
  return {
    path,
    files: listVendoredFiles(path),
    config: { ...config, runtime: `file:${posix.relative(firstPackage, path)}` },
  };
}

/** The maximum number of folders in a project that the search for a vendored runtime opens. */
const maxFolders = 2_000;
const maxDepth = 8;

/**
 * Finds a vendored runtime that another run wrote in the same project, because one runtime is enough. Returns undefined
 * if there is none, or if `defaultFolder` contains one. Paths are absolute. Skips links and folders of other projects.
 */
export function findSharedRuntime(project: string, defaultFolder: string): string | undefined {
  if (isVendoredRuntime(defaultFolder)) {
    return undefined;
  }
  let level = [project];
  for (let depth = 0, count = 0; depth <= maxDepth; depth++) {
    const subfolders: string[] = [];
    for (const folder of level) {
      if (depth > 0 && isVendoredRuntime(folder)) {
        return folder;
      }
      if ((depth === 0 || !isFile(join(folder, "package.json"))) && ++count <= maxFolders) {
        subfolders.push(...listFoldersIn(folder));
      }
    }
    level = subfolders;
  }
  return undefined;
}

function isVendoredRuntime(folder: string): boolean {
  const manifest = join(folder, "package.json");
  if (!isFile(join(folder, manifestName)) || !isFile(manifest)) {
    return false;
  }
  try {
    const value: unknown = JSON.parse(readText(manifest));
    return typeof value === "object" && value !== null && "name" in value && value.name === runtimeName;
  } catch {
    return false;
  }
}

const runtimeName = "@bothends/runtime";

function listFoldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|dist$)/.test(entry.name))
      .map(({ name }) => join(folder, name))
      .sort();
  } catch {
    return [];
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns the files of the bundled runtime by path. In this package, its `package.json` is named `manifest.json`. */
function listVendoredFiles(path: string): ReadonlyMap<string, string> {
  const files = [...readFolder(findRuntimeFolder())];
  return new Map(files.map(([name, text]) => [`${path}/${name === "manifest.json" ? "package.json" : name}`, text]));
}
