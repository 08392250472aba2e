import { join, relative, sep } from "node:path";
import { sourceLimits } from "../source/limits.js";
import type { FileRead, ReadFile } from "../source/read-file.js";
import { type FileSystem, failureCode, nodeFileSystem } from "./file-system.js";

type Problem = Extract<FileRead, { readonly kind: "problem" }>["problem"];

/** Where sources may lie, and how large one may be. */
export interface SourceFolder {
  /** An absolute path. */
  readonly root: string;
  readonly fileBytes?: number | undefined;
  readonly fileSystem?: FileSystem | undefined;
}

/** Reads sources below a root: with all links followed, a file must be a regular file inside it. */
export function sourceReader({ root, fileBytes, fileSystem = nodeFileSystem }: SourceFolder): ReadFile {
  const limit = fileBytes ?? sourceLimits.fileBytes;
  return (path) => {
    try {
      const realRoot = fileSystem.realPath(root);
      const real = fileSystem.realPath(join(realRoot, path));
      if (!isInside(realRoot, real)) {
        return problem("outside", "it lies outside the root");
      }
      const kind = fileSystem.kindOf(real);
      if (kind !== "file") {
        return kind === "missing"
          ? problem("missing", "there is no such file")
          : problem("irregular", "it is not a regular file");
      }
      return { kind: "file", bytes: fileSystem.read(real, limit) };
    } catch (error) {
      return problemOf(error);
    }
  };
}

/** Whether a path is the folder or lies in it; both have their links followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !/^(?:[A-Za-z]:|[\\/])/.test(way));
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
      return problem("unreadable", code);
  }
}

function problem(kind: Problem, message: string): FileRead {
  return { kind: "problem", problem: kind, message };
}
