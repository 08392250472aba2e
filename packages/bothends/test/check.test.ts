import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProjectFolder, wsdl } from "./project-folder.js";

test("finds no difference right after generating", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  const { code, out, err } = await project.run("check");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Up to date: 1 interface, 1 operation,/);
});

test("shows how the packages differ, writes nothing, and exits with 1", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  const before = project.snapshot();
  const { code, out, err } = await project.run("check");
  expect([code, project.snapshot()]).toEqual([1, before]);
  expect(out).toContain("--- a/packages/contract/src/hello/types.ts\n+++ b/packages/contract/src/hello/types.ts\n");
  expect(out).toMatch(/^\+.*Welcome/m);
  expect(out).not.toContain("\u001b");
  expect(out).toContain("  packages/contract/src/hello/types.ts\n");
  expect(err).toMatch(/^\d+ files out of date; nothing written\. Try npx bothends generate\.\n$/);
});

test.each([
  { what: "an edit", change: (project: ProjectFolder) => project.write("packages/client/README.md", "mine\n") },
  {
    what: "a missing manifest",
    change: (project: ProjectFolder) =>
      project.write("packages/client/.bothends-manifest.json", '{"format":1,"files":{}}'),
  },
])("check finds $what", async ({ change }) => {
  const project = new ProjectFolder();
  await project.run("generate");
  change(project);
  const before = project.snapshot();
  const { code } = await project.run("check");
  expect([code, project.snapshot()]).toEqual([1, before]);
});

test("reports every file before the first run of generate", async () => {
  const project = new ProjectFolder();
  const before = project.snapshot();
  const { code, out } = await project.run("check");
  expect([code, project.snapshot()]).toEqual([1, before]);
  expect(out).toContain("--- /dev/null\n+++ b/packages/");
});

test("reports an interrupted run, which generate finishes or undoes", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  project.write(".bothends-journal", '{"state":"staging","folders":[],"entries":[]}');
  const { code, err } = await project.run("check");
  expect(code).toBe(2);
  expect(err).toContain("generate");
  expect((await project.run("generate")).code).toBe(0);
  expect((await project.run("check")).code).toBe(0);
});

test("ignores line ends", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  for (const [path, text] of Object.entries(project.snapshot())) {
    if (path.startsWith("packages/")) {
      project.write(path, text.replaceAll("\n", "\r\n"));
    }
  }
  expect((await project.run("check")).code).toBe(0);
});

const snapshot = "packages/contract/.bothends-contract.json.gz";
const record = "packages/contract/node_modules/.cache/bothends/last-run.json";

/**
 * Generates twice, from two versions of the schema. Then restores the contract and the record of the first run, as if
 * the second run had been killed after it had written the packages.
 */
async function killAfterWriting(project: ProjectFolder): Promise<void> {
  await project.run("generate");
  const files = [snapshot, record].map(
    (path) => [join(project.path, path), readFileSync(join(project.path, path))] as const,
  );
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await project.run("generate");
  for (const [path, bytes] of files) {
    writeFileSync(path, bytes);
  }
}

test("after a run that was killed before it listed the changes, check reports that, and generate lists them", async () => {
  const project = new ProjectFolder();
  await killAfterWriting(project);
  for (const parameters of [["check"], ["check", "--fast"]]) {
    const { code, out, err } = await project.run(...parameters);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Up to date: /)]);
    expect(err).toBe(
      "note: The packages contain schema changes that generate has not listed, for example because its last run was interrupted, or because watch wrote the packages. npx bothends diff and the next npx bothends generate list them.\n",
    );
  }
  expect(JSON.parse((await project.run("check", "--format", "json")).out).notes).toHaveLength(1);
  expect((await project.run("diff")).out).toContain("Welcome");
  expect((await project.run("generate")).out).toContain("Changes since the last run:\n");
  expect((await project.run("check")).err).toBe("");
});

test("check does not report an old contract if diff compares with git", async () => {
  const project = new ProjectFolder();
  await killAfterWriting(project);
  const git = (...parameters: readonly string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...parameters], { cwd: project.path });
  git("init");
  expect((await project.run("check")).err).not.toBe("");
  git("add", "schemas", "bothends.json");
  git("commit", "-m", "Add the schemas");
  expect((await project.run("check")).err).toBe("");
  project.write("schemas/hello.wsdl", wsdl("Hail"));
  await project.run("generate");
  expect(existsSync(join(project.path, snapshot))).toBe(true);
  expect((await project.run("check")).err).toBe("");
});

test.each<{ readonly what: string; readonly change: (path: string) => void }>([
  { what: "that is absent", change: (path) => rmSync(path) },
  { what: "that is damaged", change: (path) => writeFileSync(path, "damaged") },
  { what: "in place of which there is a folder", change: replaceWithFolder },
])("check does not report a contract $what", async ({ change }) => {
  const project = new ProjectFolder();
  await killAfterWriting(project);
  change(join(project.path, snapshot));
  expect(await project.run("check")).toMatchObject({ code: 0, err: "" });
});

function replaceWithFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

test("check does not report a contract that differs only in positions", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  cpSync(join(project.path, snapshot), join(project.path, "old"));
  project.write("schemas/hello.wsdl", `\n\n${wsdl()}`);
  await project.run("generate");
  cpSync(join(project.path, "old"), join(project.path, snapshot));
  expect(await project.run("check")).toMatchObject({ code: 0, err: "" });
});

test("generate reports a contract of the last run that it cannot read, and replaces it", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  project.write(snapshot, "damaged");
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  const { code, err } = await project.run("generate");
  expect([code, err]).toEqual([
    0,
    `note: The changed files are listed, but not the changes to the schemas. ${snapshot}, the contract of the last run, is damaged, or another version of bothends wrote it.\n`,
  ]);
  project.write("schemas/hello.wsdl", wsdl("Hail"));
  expect((await project.run("generate")).out).toContain("Changes since the last run:\n");
});
