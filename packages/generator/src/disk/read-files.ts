import { dirname, join, relative, sep } from "node:path";
import { sourceLimits } from "../source/source-limits.js";
import type { FileRead, ReadFile } from "../source/sources.js";
import { type FileSystem, failureCode, failureReason, nodeFileSystem, withDiskErrors } from "./file-system.js";
import { isInside } from "./output.js";

// Reads sources and other files from disk, and finds the root of the sources.

type Problem = Extract<FileRead, { readonly kind: "problem" }>["problem"];

/** The folder of the sources, and the maximum size of a source. */
export interface SourceFolder {
  /** An absolute path. */
  readonly root: string;
  readonly fileBytes?: number | undefined;
  readonly fileSystem?: FileSystem | undefined;
}

/** Reads sources below a root. After all links are followed, a source must be a regular file inside the root. */
export function sourceReader({ root, fileBytes, fileSystem = nodeFileSystem }: SourceFolder): ReadFile {
  const limit = fileBytes ?? sourceLimits.fileBytes;
  return (path) => {
    try {
      const realRoot = fileSystem.realPath(root);
      const real = fileSystem.realPath(join(realRoot, path));
      if (!isInside(realRoot, real)) {
        const wider = relative(realRoot, commonFolder(realRoot, dirname(real))).replaceAll(sep, "/");
        return { kind: "problem", problem: "outside", message: "it is outside the root", root: wider };
      }
      const kind = fileSystem.kindOf(real);
      if (kind !== "file") {
        return kind === "missing"
          ? problem("missing", "there is no such file")
          : problem("irregular", kind === "folder" ? "it is a folder, not a file" : "it is not a regular file");
      }
      return { kind: "file", bytes: fileSystem.read(real, limit) };
    } catch (error) {
      return problemOf(error);
    }
  };
}

function problemOf(error: unknown): FileRead {
  const code = failureCode(error);
  switch (code) {
    case undefined:
      throw error;
    case "ENOENT":
    case "ENOTDIR":
    case "ERR_INVALID_ARG_VALUE":
    case "ENAMETOOLONG":
      return problem("missing", "there is no such file");
    case "EISDIR":
    case "ELOOP":
    case "ENXIO":
      return problem("irregular", "it is not a regular file");
    case "EFBIG":
      return problem("large", "it is too large");
    default:
      return problem("unreadable", failureReason(code));
  }
}

function problem(kind: Problem, message: string): FileRead {
  return { kind: "problem", problem: kind, message };
}

const maxTextBytes = 16 * 1024 * 1024;

/** Whether a path leads to a folder. Links are followed. */
export function isFolder(path: string, fileSystem: FileSystem = nodeFileSystem): boolean {
  try {
    return fileSystem.kindOf(fileSystem.realPath(path)) === "folder";
  } catch {
    return false;
  }
}

/** Whether a path leads to a file. Links are followed. */
export function isFile(path: string, fileSystem: FileSystem = nodeFileSystem): boolean {
  try {
    return fileSystem.kindOf(fileSystem.realPath(path)) === "file";
  } catch {
    return false;
  }
}

/** The names in a folder, sorted; empty if it cannot be read. Links are followed. */
export function entriesOf(path: string, fileSystem: FileSystem = nodeFileSystem): readonly string[] {
  try {
    return [...fileSystem.list(fileSystem.realPath(path))].sort();
  } catch {
    return [];
  }
}

/** Reads the text files below a folder, by their paths in it, sorted. Links are left out. */
export function readFolder(folder: string, fileSystem: FileSystem = nodeFileSystem): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of [...fileSystem.list(join(folder, path))].sort()) {
      const inside = path === "" ? name : `${path}/${name}`;
      const kind = fileSystem.kindOf(join(folder, inside));
      if (kind === "folder") {
        visit(inside);
      } else if (kind === "file") {
        texts.set(inside, new TextDecoder("utf-8").decode(fileSystem.read(join(folder, inside), maxTextBytes)));
      }
    }
  };
  withDiskErrors(`read ${folder}`, () => visit(""));
  return texts;
}

/** Reads a text file. Links are followed: a package manager may install files as links. */
export function readText(path: string, fileSystem: FileSystem = nodeFileSystem): string {
  return withDiskErrors(`read ${path}`, () =>
    new TextDecoder("utf-8").decode(fileSystem.read(fileSystem.realPath(path), maxTextBytes)),
  );
}

/** The entries that identify a project folder. */
const projectMarkers = ["package.json", ".git", "bothends.json"] as const;

/** The sources of a run, and the working folder. All paths are absolute. */
interface SourcePaths {
  readonly sources: readonly string[];
  readonly workingFolder: string;
  readonly fileSystem?: FileSystem;
}

/**
 * Returns the default root of sources: the nearest folder containing all of them that is a project folder or the working folder.
 * If there is none, the nearest folder containing all of them.
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
