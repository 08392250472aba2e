import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiReport } from "./api-report.js";
import { published } from "./published.js";
import { root } from "./root.js";

for (const each of published) {
  writeFileSync(join(root, "packages", each.folder, "api.txt"), apiReport(each));
}
