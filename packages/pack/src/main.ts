import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { isCurrent, recordInputs } from "./current.js";
import { packedFolder, packPackage } from "./pack-package.js";
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
  if (parameters.includes("--if-changed") && isCurrent(publishedPackage)) {
    continue;
  }
  const folder = await packPackage(publishedPackage);
  recordInputs(publishedPackage);
  if (parameters.includes("--tarballs")) {
    const options = { cwd: folder, encoding: "utf8", shell: process.platform === "win32" } as const;
    execFileSync("npm", ["pack", "--silent", "--pack-destination", packedFolder], {
      ...options,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  console.log(`Packed ${relative(process.cwd(), folder)}`);
}
