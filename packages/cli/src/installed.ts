import { join } from "node:path";
import { isFolder, readFolder } from "@bothends/generator/disk";

// From `src` and from `dist` alike, this is the package's own folder.
const packageFolder = join(import.meta.dirname, "..");

/** The templates: packed with this package, or beside it in its repository. */
export function readTemplates(): ReadonlyMap<string, string> {
  return readFolder(firstFolder([join(packageFolder, "templates"), join(packageFolder, "..", "..", "templates")]));
}

/** The folder of a package that can be vendored: packed with this package, or beside it in its repository. */
export function vendoredFolder(name: "runtime" | "xml"): string {
  return firstFolder([join(packageFolder, "vendor", name), join(packageFolder, "..", name)]);
}

function firstFolder(folders: readonly string[]): string {
  const found = folders.find((folder) => isFolder(folder));
  if (found === undefined) {
    throw new Error(`None of these folders is there: ${folders.join(", ")}.`);
  }
  return found;
}
