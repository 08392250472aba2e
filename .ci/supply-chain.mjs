// Checks the dependencies: their licenses, that the lockfile has a hash for each and installs none from an address, and known
// advisories if the registry answers. Usage: supply-chain.mjs
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const allowed = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "MPL-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "Unlicense",
  "Python-2.0",
  "CC-BY-4.0",
];
const problems = [];

function pnpm(...parameters) {
  const { stdout, stderr, status } = spawnSync("npx", ["-y", "pnpm@12", ...parameters], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return { stdout, stderr, status };
}

const licenses = Object.entries(JSON.parse(pnpm("licenses", "list", "--json").stdout));
for (const [license, packages] of licenses) {
  const isAllowed = license
    .replace(/[()]/g, "")
    .split(/ OR /)
    .some((each) => each.split(" AND ").every((part) => allowed.includes(part)));
  if (!isAllowed) {
    problems.push(`${license}: ${packages.map(({ name }) => name).join(", ")}`);
  }
}

const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
const resolutions = lockfile.match(/^ {4}resolution: .*$/gm) ?? [];
for (const line of resolutions) {
  if (!/integrity: sha512-/.test(line) || /tarball:|type: git|repo:/.test(line)) {
    problems.push(`The lockfile has a package without a hash, or from an address: ${line.trim()}`);
  }
}
if (resolutions.length === 0) {
  problems.push("The lockfile has no packages.");
}

const audit = pnpm("audit", "--json");
let advisories = "not checked, because the registry does not answer";
try {
  const { advisories: found = {} } = JSON.parse(audit.stdout);
  advisories = `${Object.keys(found).length}`;
  for (const { module_name, title, severity } of Object.values(found)) {
    if (severity === "high" || severity === "critical") {
      problems.push(`${module_name}: ${title} (${severity})`);
    }
  }
} catch {
  // The problem is printed below.
}

const count = licenses.reduce((sum, [, packages]) => sum + packages.length, 0);
console.log(
  `${count} packages, licenses ${licenses.map(([name]) => name).join(", ")}; ${resolutions.length} hashes; advisories: ${advisories}`,
);
for (const problem of problems) {
  console.log(`  ${problem}`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
