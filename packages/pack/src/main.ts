import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";
import { isCurrent, recordInputs } from "./current.js";
import { packedFolder, packPackage, packVendoredRuntime } from "./pack-package.js";
import { publishedPackages } from "./published.js";

// Usage: main.js [--if-changed] [--tarballs] [folder…]
const parameters = process.argv.slice(2);

/**
 * The functions that build the folders in `.packed`. The vendored runtime is first, because the command line contains
 * it.
 */
const builders: ReadonlyMap<string, () => Promise<string>> = new Map([
  ["vendored-runtime", packVendoredRuntime],
  ...publishedPackages.map((published) => [published.folder, () => packPackage(published)] as const),
]);
const chosenFolders = parameters.filter((parameter) => !parameter.startsWith("--"));
const unknownFolders = chosenFolders.filter((folder) => !builders.has(folder));
if (unknownFolders.length > 0) {
  throw new Error(
    `There is no folder ${unknownFolders.join(", ")} in .packed. The folders are ${[...builders.keys()].join(", ")}.`,
  );
}
const neededFolders = new Set(chosenFolders.length === 0 ? builders.keys() : chosenFolders);
if (neededFolders.has("bothends")) {
  neededFolders.add("vendored-runtime");
}

for (const [folder, build] of builders) {
  if (!neededFolders.has(folder)) {
    continue;
  }
  if (!parameters.includes("--if-changed") || !isCurrent(folder)) {
    const path = await build();
    recordInputs(folder);
    console.log(`Packed ${relative(process.cwd(), path)}`);
  }
  if (parameters.includes("--tarballs") && folder !== "vendored-runtime") {
    const options = { cwd: join(packedFolder, folder), encoding: "utf8", shell: process.platform === "win32" } as const;
    execFileSync("npm", ["pack", "--silent", "--pack-destination", packedFolder], {
      ...options,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
}
