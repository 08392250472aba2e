import { dirname, join } from "node:path";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import { isInside } from "./output-paths.js";

/** The entries that mark the folder of a project. */
const projectMarkers = ["package.json", ".git", "bothends.json"] as const;

/** The sources of a run, and the working folder. All paths are absolute. */
interface SourcePaths {
  readonly sources: readonly string[];
  readonly workingFolder: string;
  readonly fileSystem?: FileSystem;
}

/**
 * Returns the default root of sources: the nearest folder above all of them that is a project's folder or the working folder.
 * Without such a folder it is the nearest one that contains all of them.
 */
export function sourceRoot({ sources, workingFolder, fileSystem = nodeFileSystem }: SourcePaths): string {
  const [first = workingFolder, ...others] = sources.map((path) => dirname(path));
  const common = others.reduce(commonFolder, first);
  for (let folder = common; ; folder = dirname(folder)) {
    if (folder === workingFolder || isProjectFolder(folder, fileSystem)) {
      return folder;
    }
    if (dirname(folder) === folder) {
      return common;
    }
  }
}

function isProjectFolder(folder: string, fileSystem: FileSystem): boolean {
  return projectMarkers.some((marker) => fileSystem.kindOf(join(folder, marker)) !== "missing");
}

/** Returns the nearest folder that contains both folders. */
export function commonFolder(first: string, second: string): string {
  return isInside(first, second) || dirname(first) === first ? first : commonFolder(dirname(first), second);
}
