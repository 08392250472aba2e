import { join } from "node:path";
import { isFolder, readFolder, readText } from "@bothends/generator/disk";

// From `src` and from `dist` alike, this is the package's own folder.
const packageFolder = join(import.meta.dirname, "..");

/** The templates: packed with this package, or beside it in its repository. */
export function readTemplates(): ReadonlyMap<string, string> {
  return readFolder(firstFolder([join(packageFolder, "templates"), join(packageFolder, "..", "..", "templates")]));
}

/** The folder of a package that can be vendored: packed with this package, or beside it in its repository. */
export function vendoredFolder(name: "runtime" | "datatypes" | "xml"): string {
  return firstFolder([join(packageFolder, "vendor", name), join(packageFolder, "..", name)]);
}

/** The version of this package, which is the runtime's too. */
export function ownVersion(): string {
  return versionOf(readText(join(packageFolder, "package.json")));
}

function versionOf(text: string): string {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "version" in value ? String(value.version) : "0.0.0";
}

function firstFolder(folders: readonly string[]): string {
  const found = folders.find((folder) => isFolder(folder));
  if (found === undefined) {
    throw new Error(`None of these folders is there: ${folders.join(", ")}.`);
  }
  return found;
}
