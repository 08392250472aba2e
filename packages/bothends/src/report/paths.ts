import { join, relative, sep } from "node:path";

/** A path relative to the working directory, with `/`. */
export function shownPath(workingFolder: string, path: string): string {
  return slashed(relative(workingFolder, path)) || ".";
}

/** A path of this system with `/` between its segments. */
export function slashed(path: string): string {
  return path.replaceAll(sep, "/");
}

/** Quotes a word for a shell where that is necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the paths of sources relative to the working directory, so that terminals can open them. */
export function pathsBelow(workingFolder: string, root: string | undefined): (path: string) => string {
  return (path) =>
    root === undefined || path.startsWith("(") ? path : shownPath(workingFolder, join(root, ...path.split("/")));
}
