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
