import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashFile, replaceFile } from "../src/run-record.js";
import { config, ProjectFolder, wsdl } from "./project-folder.js";

const unchanged = "nothing has changed since the last run";

/** A project whose packages are generated and up to date. */
async function generated(): Promise<ProjectFolder> {
  const project = new ProjectFolder();
  await project.run("generate");
  expect((await project.run("generate")).out).toContain(unchanged);
  return project;
}

const changes: readonly { readonly what: string; readonly change: (project: ProjectFolder) => void }[] = [
  {
    what: "a source",
    change: (project) => project.write("schemas/hello.wsdl", wsdl("Welcome")),
  },
  {
    what: "a source that became a pipe",
    change(project) {
      rmSync(join(project.path, "schemas/hello.wsdl"));
      execFileSync("mkfifo", [join(project.path, "schemas/hello.wsdl")]);
    },
  },
  {
    what: "the configuration",
    change: (project) => project.write("bothends.json", config.replace('"hello":', '"other":')),
  },
  {
    what: "a generated file that was deleted",
    change: (project) => rmSync(join(project.path, "packages/client/README.md")),
  },
  {
    what: "a manifest that was deleted",
    change: (project) => rmSync(join(project.path, "packages/client/.bothends-manifest.json")),
  },
  {
    what: "a generated file that was edited",
    change: (project) => appendFileSync(join(project.path, "packages/client/README.md"), "mine\n"),
  },
  {
    what: "a generated file that became a link",
    change: (project) => {
      const file = join(project.path, "packages/client/README.md");
      project.write("elsewhere.md", project.read("packages/client/README.md"));
      rmSync(file);
      symlinkSync("../../elsewhere.md", file);
    },
  },
  {
    what: "an interrupted run",
    change: (project) => project.write(".bothends-journal", '{"state":"staging","folders":[],"entries":[]}'),
  },
  {
    what: "a damaged record",
    change: (project) =>
      project.write(
        "packages/contract/node_modules/.cache/bothends/last-run.json",
        '{"format":1,"sources":[],"output":{},"summary":{},"options":[],"workingFolder":"../.."}',
      ),
  },
];

test.each(changes)("a run notices $what", async ({ change }) => {
  const project = await generated();
  change(project);
  expect((await project.run("generate")).out).not.toContain(unchanged);
});

test.each([["--lenient"], ["--vendor-runtime"], ["--limit", "depth=99"], ["--verbose"], ["--dry-run"]])(
  "a run with %s is not answered by the record of another",
  async (...options) => {
    const project = await generated();
    const { out, err } = await project.run("generate", ...options);
    expect(out + err).not.toContain(unchanged);
  },
);

test("a record is not used in a copy that differs, nor from another folder", async () => {
  const project = await generated();
  project.write("in/x", "");
  const { out } = await project.runIn("in", "generate", "--config", "../bothends.json");
  expect(out).not.toContain(unchanged);
});

test("nothing is recorded if edited files remain", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  appendFileSync(join(project.path, "packages/client/README.md"), "mine\n");
  await project.run("generate", "--force");
  expect(existsSync(join(project.path, "packages/client/README.md.orig"))).toBe(true);
  expect((await project.run("generate")).code).toBe(0);
});

test("warnings are counted again", async () => {
  const project = new ProjectFolder();
  project.write("schemas/hello.wsdl", wsdl().replace('message="tns:In"', 'message="In"'));
  await project.run("generate");
  expect((await project.run("generate")).out).toContain("\n1 warning (see --verbose); 0 added, ");
});

test("check always generates; check --fast trusts the hashes, and reports that", async () => {
  const project = await generated();
  expect((await project.run("check")).out).toMatch(/^Up to date: /);
  expect((await project.run("check", "--fast")).out).toMatch(
    /^Up to date \(the hashes are those of the last run, so nothing was generated\): /,
  );
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  expect((await project.run("check", "--fast")).code).toBe(1);
});

test("the record contains only a hash of the options", async () => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl() });
  await project.run("generate", "--wsdl", "in/hello.wsdl", "--out", "made");
  const record = project.read("made/contract/node_modules/.cache/bothends/last-run.json");
  expect(record).not.toContain("--wsdl");
});

test("generating without a configuration is recorded too", async () => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl() });
  const parameters = ["generate", "--wsdl", "in/hello.wsdl", "--out", "made"];
  await project.run(...parameters);
  expect((await project.run(...parameters)).out).toContain(unchanged);
  project.write("in/hello.wsdl", wsdl("Welcome"));
  expect((await project.run(...parameters)).out).not.toContain(unchanged);
});

test("only a regular file has a hash, because a pipe would block the program", () => {
  expect(hashFile("/dev/null")).toBeUndefined();
});

test("a file that cannot be replaced leaves no part of the new one", () => {
  const project = new ProjectFolder({ "taken/mine.txt": "mine" });
  expect(() => replaceFile(join(project.path, "taken"), "new")).toThrow();
  expect(Object.keys(project.snapshot())).toEqual(["taken/mine.txt"]);
});
