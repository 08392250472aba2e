import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./sources.js";

/** The pages of the repository, without those that tests expect as output. */
const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((path) => !path.includes("/expected/") && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** The fragment that GitHub derives from a heading. */
function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function hasHeading(text: string, fragment: string): boolean {
  return [...text.matchAll(/^#+ (.*)$/gm)].some(([, heading = ""]) => fragmentOf(heading) === fragment);
}

function isBroken(link: string, page: { readonly path: string; readonly text: string }): boolean {
  const [path = "", fragment] = link.split("#");
  const target = path === "" ? page.path : join(dirname(page.path), path);
  if (!existsSync(join(root, target))) {
    return true;
  }
  return fragment !== undefined && !hasHeading(readFileSync(join(root, target), "utf8"), fragment);
}

test("links between pages lead to files and headings that exist", () => {
  const broken = pages.flatMap((page) =>
    [...page.text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^https?:/.test(link) && isBroken(link, page))
      .map((link) => `${page.path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("the commands on the pages are scripts of the root package, or of the page's own", () => {
  const builtIn = ["install", "exec", "add", "dlx"];
  const unknown = pages.flatMap(({ path, text }) => {
    const known = new Set([
      ...scriptsOf("package.json"),
      ...scriptsOf(join(dirname(path), "package.json")),
      ...builtIn,
    ]);
    return [...text.matchAll(/pnpm(?:@12)? ([a-z][a-z:-]*)/g)]
      .map(([, command = ""]) => command)
      .filter((command) => !known.has(command))
      .map((command) => `${path}: ${command}`);
  });
  expect(unknown).toEqual([]);
});

function scriptsOf(path: string): readonly string[] {
  const file = join(root, path);
  return existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, "utf8")).scripts ?? {}) : [];
}

test("the table of where things go names folders and files that exist", () => {
  const table =
    readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("## Where does it go?")[1]?.split("\n## ")[0] ?? "";
  const rows = [...table.matchAll(/^\| ([^|]+) \| `([^`]+)`[^|]* \| (.*) \|$/gm)];
  const missing = rows.flatMap(([, subject = "", folder = "", files = ""]) =>
    [folder, ...[...files.matchAll(/`([\w/.-]+\.\w+|[\w-]+\/[\w/-]+)`/g)].map(([, path = ""]) => path)]
      .filter((path) => ![path, join(folder, path)].some((candidate) => existsSync(join(root, "packages", candidate))))
      .filter((path) => !(subject === "a protocol" && /^(client|server)\.ts$/.test(path)))
      .map((path) => `${subject}: ${path}`),
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
