import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config, ProjectFolder, wsdl } from "./project-folder.js";

test("--vendor-runtime writes a runtime without dependencies beside the packages", async () => {
  const project = new ProjectFolder();
  const { code, out } = await project.run("generate", "--vendor-runtime");
  expect(code).toBe(0);
  const [, files] = /^ {2}added {4}packages\/runtime \((\d+) files\)$/m.exec(out) ?? [];
  expect(Number(files)).toBeLessThanOrEqual(22);
  expect(out).not.toContain("packages/runtime/dist");
  expect(project.read("packages/client/package.json")).toContain('"@bothends/runtime": "file:../runtime"');
  const runtime = Object.entries(project.snapshot()).filter(([path]) => path.startsWith("packages/runtime/"));
  expect(JSON.parse(project.read("packages/runtime/package.json"))).not.toHaveProperty("dependencies");
  expect(
    runtime.filter(([, text]) => /["']@bothends\/\w+["']|sourceMappingURL/.test(text)).map(([path]) => path),
  ).toEqual(["packages/runtime/package.json"]);
  expect((await project.run("check", "--vendor-runtime")).code).toBe(0);
});

test("--vendor-runtime-in writes one runtime for several runs", async () => {
  const project = new ProjectFolder();
  for (const name of ["one", "two"]) {
    const flags = [
      "--wsdl",
      "schemas/hello.wsdl",
      "--out",
      `${name}`,
      "--name",
      name,
      "--vendor-runtime-in",
      "shared/runtime",
    ];
    const { code, err } = await project.run("generate", ...flags);
    expect(code, err).toBe(0);
    expect((await project.run("check", ...flags)).code).toBe(0);
  }
  const files = Object.keys(project.snapshot()).filter((path) => path.endsWith("/dist/core.js"));
  expect(files).toEqual(["shared/runtime/dist/core.js"]);
  for (const name of ["one", "two"]) {
    const { dependencies } = JSON.parse(project.read(`${name}/client/package.json`));
    expect(dependencies).toEqual({
      [`${name}-contract`]: "file:../contract",
      "@bothends/runtime": "file:../../shared/runtime",
    });
  }
});

const runtimes = (project: ProjectFolder) =>
  Object.keys(project.snapshot()).filter((path) => path.endsWith("/dist/core.js"));

test("several runs of a project share one vendored runtime", async () => {
  const project = new ProjectFolder({ "schemas/hello.wsdl": wsdl(), "package.json": "{}" });
  const flags = (name: string, out: string) =>
    ["--wsdl", "schemas/hello.wsdl", "--out", out, "--name", name, "--vendor-runtime"] as const;
  for (const [name, out] of [
    ["one", "generated"],
    ["two", "src/two"],
  ] as const) {
    const { code, err } = await project.run("generate", ...flags(name, out));
    expect(code, err).toBe(0);
  }
  expect(runtimes(project)).toEqual(["generated/runtime/dist/core.js"]);
  const dependency = () => JSON.parse(project.read("src/two/client/package.json")).dependencies["@bothends/runtime"];
  expect(dependency()).toBe("file:../../../generated/runtime");
  expect((await project.run("check", ...flags("one", "generated"))).code).toBe(0);
  expect((await project.run("check", ...flags("two", "src/two"))).code).toBe(0);
  // The first packages are deleted, and the second need a runtime again.
  rmSync(join(project.path, "generated"), { recursive: true });
  expect((await project.run("generate", ...flags("two", "src/two"))).code).toBe(0);
  expect([runtimes(project), dependency()]).toEqual([["src/two/runtime/dist/core.js"], "file:../runtime"]);
});

test.each([
  { out: "apps/web/src/lib/gen", want: ["apps/web/src/lib/gen/runtime/dist/core.js"] },
  { out: "a/b/c/d/e/f/g", want: ["a/b/c/d/e/f/g/runtime/dist/core.js"] },
  { out: "a/b/c/d/e/f/g/h", want: ["a/b/c/d/e/f/g/h/runtime/dist/core.js", "gen2/runtime/dist/core.js"] },
])("a vendored runtime in $out is shared if it is at most 8 folders deep", async ({ out, want }) => {
  const project = new ProjectFolder({
    "schemas/hello.wsdl": wsdl(),
    "package.json": "{}",
    [join(out, "../notes.txt")]: "",
  });
  for (const folder of [out, "gen2"]) {
    const { code, err } = await project.run(
      "generate",
      "--wsdl",
      "schemas/hello.wsdl",
      "--out",
      folder,
      "--vendor-runtime",
    );
    expect(code, err).toBe(0);
  }
  expect(runtimes(project).sort()).toEqual(want);
});

test("a configuration shares the vendored runtime of its project", async () => {
  const project = new ProjectFolder();
  const flags = ["--wsdl", "schemas/hello.wsdl", "--out", "generated", "--vendor-runtime"];
  expect((await project.run("generate", ...flags)).code).toBe(0);
  expect((await project.run("generate", "--vendor-runtime")).code).toBe(0);
  expect(runtimes(project)).toEqual(["generated/runtime/dist/core.js"]);
  expect((await project.run("check", "--vendor-runtime")).code).toBe(0);
});

test.each([
  { where: "of another package of the workspace", folder: "member", file: "package.json" },
  { where: "behind a link", folder: "../elsewhere", file: "notes.txt" },
])("a vendored runtime $where is not shared", async ({ folder, file }) => {
  const project = new ProjectFolder({ "project/hello.wsdl": wsdl(), "project/package.json": "{}" });
  const other = join("project", folder);
  project.write(join(other, file), "{}");
  project.write(join(other, "runtime/package.json"), '{"name":"@bothends/runtime"}');
  project.write(join(other, "runtime/.bothends-manifest.json"), '{"format":1,"files":{}}');
  if (folder.startsWith("..")) {
    symlinkSync(join(project.path, other), join(project.path, "project/linked"));
  }
  const { code, err } = await project.runIn(
    "project",
    "generate",
    "--wsdl",
    "hello.wsdl",
    "--out",
    "made",
    "--vendor-runtime",
  );
  expect(code, err).toBe(0);
  expect(runtimes(project)).toEqual(["project/made/runtime/dist/core.js"]);
});

test("the interfaces of a configuration share one vendored runtime", async () => {
  const names = ["one", "two"];
  const interfaces = Object.fromEntries(names.map((name) => [name, { wsdl: ["schemas/hello.wsdl"] }]));
  const runtime = { path: "packages/runtime" };
  const project = new ProjectFolder({
    "schemas/hello.wsdl": wsdl(),
    "bothends.json": JSON.stringify({ ...JSON.parse(config), interfaces, runtime }),
  });
  const { code, err } = await project.run("generate");
  expect(code, err).toBe(0);
  const paths = Object.keys(project.snapshot());
  expect(paths.filter((path) => path.endsWith("/dist/core.js"))).toEqual(["packages/runtime/dist/core.js"]);
  expect(paths).toEqual(expect.arrayContaining(names.map((name) => `packages/client/src/${name}/index.ts`)));
});

test.each(["../elsewhere", "packages/client", "."])("--vendor-runtime-in %s is refused", async (folder) => {
  const project = new ProjectFolder();
  const { code, err } = await project.run("generate", "--vendor-runtime-in", folder);
  expect([code, err]).toEqual([2, expect.stringMatching(/is not a folder below|the folder of another package/)]);
});
