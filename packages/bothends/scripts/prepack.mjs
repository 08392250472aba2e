// Puts into the package what it needs of its repository: the templates, the page of diagnostics, and the packages that can be vendored.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const here = join(import.meta.dirname, "..");
const copies = [
  [join(here, "..", "..", "templates"), join(here, "templates")],
  [join(here, "..", "..", "docs", "diagnostics.md"), join(here, "docs", "diagnostics.md")],
  ...["runtime", "datatypes", "xml"].flatMap((name) =>
    ["package.json", "dist"].map((part) => [join(here, "..", name, part), join(here, "vendor", name, part)]),
  ),
];

rmSync(join(here, "templates"), { recursive: true, force: true });
rmSync(join(here, "docs"), { recursive: true, force: true });
rmSync(join(here, "vendor"), { recursive: true, force: true });
if (!process.argv.includes("--undo")) {
  for (const [from, to] of copies) {
    cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith(".tsbuildinfo") });
  }
}
