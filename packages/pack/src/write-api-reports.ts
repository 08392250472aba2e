import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApiReport } from "./api-report.js";
import { publishedPackages } from "./published.js";
import { root } from "./root.js";

for (const publishedPackage of publishedPackages) {
  writeFileSync(join(root, "packages", publishedPackage.folder, "api.txt"), createApiReport(publishedPackage));
}
