import { relative, sep } from "node:path";

/** A path relative to the working directory, with `/`. */
export function shownPath(workingFolder: string, path: string): string {
  return slashed(relative(workingFolder, path)) || ".";
}

/** A path of this system with `/` between its segments. */
export function slashed(path: string): string {
  return path.replaceAll(sep, "/");
}
