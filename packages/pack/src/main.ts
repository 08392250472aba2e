import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";
import { isCurrent, recordInputs } from "./current.js";
import { packedFolder, packPackage, packVendoredRuntime } from "./pack-package.js";
import { publishedPackages } from "./published.js";

// Usage: main.js [--if-changed] [--tarballs] [package…]
const parameters = process.argv.slice(2);
const names = parameters.filter((parameter) => !parameter.startsWith("--"));
const unknownNames = names.filter((name) => !publishedPackages.some(({ folder }) => folder === name));
if (unknownNames.length > 0) {
  throw new Error(
    `There is no published package ${unknownNames.join(", ")}. The published packages are ${publishedPackages.map(({ folder }) => folder).join(", ")}.`,
  );
}

for (const publishedPackage of publishedPackages.filter(({ folder }) => names.length === 0 || names.includes(folder))) {
  // The command line contains the vendored runtime.
  if (publishedPackage.folder === "bothends") {
    await packIfNeeded("vendored-runtime", packVendoredRuntime);
  }
  await packIfNeeded(publishedPackage.folder, () => packPackage(publishedPackage));
  if (parameters.includes("--tarballs")) {
    const folder = join(packedFolder, publishedPackage.folder);
    const options = { cwd: folder, encoding: "utf8", shell: process.platform === "win32" } as const;
    execFileSync("npm", ["pack", "--silent", "--pack-destination", packedFolder], {
      ...options,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
}

/** Builds a folder in `.packed`, unless it is current and `--if-changed` is given. */
async function packIfNeeded(folder: string, pack: () => Promise<string>): Promise<void> {
  if (parameters.includes("--if-changed") && isCurrent(folder)) {
    return;
  }
  const path = await pack();
  recordInputs(folder);
  console.log(`Packed ${relative(process.cwd(), path)}`);
}
