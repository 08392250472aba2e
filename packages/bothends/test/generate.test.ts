import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { config, ProjectFolder, wsdl } from "./project-folder.js";

test("generates from a configuration, and lists the files", async () => {
  const project = new ProjectFolder();
  const { code, out, err } = await project.run("generate");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Generated 1 interface, 1 operation, \d+ types? in 0\.00 s\.\n/);
  expect(out).toContain("  added    packages/contract/src/hello/types.ts\n");
  expect(project.read("packages/contract/package.json")).toContain("@hello/contract");
  expect(Object.keys(project.snapshot()).filter((path) => /^\.bothends|journal|lock/.test(path))).toEqual([]);
});

test("writes nothing the second time", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  const before = project.snapshot();
  const times = Object.keys(before).map((path) => statSync(join(project.path, path)).mtimeMs);
  const { code, out } = await project.run("generate");
  expect([code, project.snapshot()]).toEqual([0, before]);
  expect(Object.keys(before).map((path) => statSync(join(project.path, path)).mtimeMs)).toEqual(times);
  expect(out).toMatch(/\n0 added, 0 changed, 0 removed, \d+ unchanged\.\n$/);
});

test("a mistake in a schema is reported with its position, and nothing is written", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  project.write("schemas/hello.wsdl", wsdl().replace('element="tns:Greet"', 'element="tns:Gret"'));
  const before = project.snapshot();
  const { code, out, err } = await project.run("generate");
  expect([code, out, project.snapshot()]).toEqual([1, "", before]);
  expect(err).toMatch(/^schemas\/hello\.wsdl:\d+:\d+: error /);
});

test("edited files are listed and kept; --force replaces them and keeps copies", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  const path = "packages/client/src/hello/index.ts";
  const original = project.read(path);
  project.write(path, `${original}// mine\n`);
  const refused = await project.run("generate");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(`  ${path}\n`);
  expect(project.read(path)).toContain("// mine");
  const forced = await project.run("generate", "--force");
  expect(forced.code).toBe(0);
  expect(forced.out).toContain(`  backup   ${path}.orig\n`);
  expect(project.read(path)).toBe(original);
  expect(project.read(`${path}.orig`)).toContain("// mine");
});

test("a dry run lists the changes and writes nothing", async () => {
  const project = new ProjectFolder();
  const before = project.snapshot();
  const { code, out } = await project.run("generate", "--dry-run");
  expect([code, project.snapshot()]).toEqual([0, before]);
  expect(out).toContain("Would generate");
  expect(out).toContain("  added    packages/contract/src/hello/types.ts\n");
});

test("a folder with other files is refused until it is allowed", async () => {
  const project = new ProjectFolder();
  project.write("packages/client/notes.txt", "mine");
  const refused = await project.run("generate");
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("--allow-nonempty");
  expect((await project.run("generate", "--allow-nonempty")).code).toBe(0);
  expect(project.read("packages/client/notes.txt")).toBe("mine");
});

test("generates from a WSDL without a configuration", async () => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl() });
  const { code, err } = await project.run("generate", "--wsdl", "in/hello.wsdl", "--out", "made");
  expect([code, err]).toEqual([0, ""]);
  expect(project.read("made/client/package.json")).toContain('"hello-client"');
});

test("the first run shows how to call the client, and the next one does not", async () => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl() });
  const parameters = ["generate", "--wsdl", "in/hello.wsdl", "--out", "made"];
  const { out } = await project.run(...parameters);
  expect(out).toContain("    npm install ./made/client\n    npx tsc -b made/client\n");
  expect(out).toContain('    import { HelloClient } from "hello-client/hello";\n');
  project.write("in/hello.wsdl", wsdl("Welcome"));
  expect((await project.run(...parameters)).out).not.toContain("import {");
});

test("names the files of the output by their paths from the working folder", async () => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl(), "app/package.json": "{}" });
  const parameters = ["--wsdl", "../in/hello.wsdl", "--out", "../made"];
  const generated = await project.runIn("app", "generate", ...parameters);
  expect(generated.out).toContain("  added    ../made/client/package.json\n");
  project.write("made/client/package.json", "{}\n");
  const edited = await project.runIn("app", "generate", ...parameters);
  expect(edited.err).toContain("  ../made/client/package.json\n");
  expect(edited.err).toMatch(/Try npx bothends generate --wsdl \.\.\/in\/hello\.wsdl --out \.\.\/made --force\.\n$/);
  const checked = await project.runIn("app", "check", ...parameters);
  expect(checked.out).toContain("+++ b/../made/client/package.json\n");
  expect(checked.err).toMatch(/Try npx bothends generate --wsdl \.\.\/in\/hello\.wsdl --out \.\.\/made\.\n$/);
});

test("files beside the packages are left as they are", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "made/notes.txt": "mine", "made/src/index.ts": "mine" });
  expect(await project.run("generate", "--wsdl", "hello.wsdl", "--out", "made")).toMatchObject({ code: 0, err: "" });
  expect([project.read("made/notes.txt"), project.read("made/src/index.ts")]).toEqual(["mine", "mine"]);
});

test("a package folder with files of others is refused by the names of the files", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "made/client/a.ts": "mine", "made/server/b/c.ts": "mine" });
  const before = project.snapshot();
  const { code, err } = await project.run("generate", "--wsdl", "hello.wsdl", "--out", "made");
  expect([code, project.snapshot()]).toEqual([2, before]);
  expect(err).toContain(
    "contains other files: made/client/a.ts, made/server/b.\n  help: Choose another folder with --out,",
  );
});

test.each([
  { options: ["--client"], packages: ["client", "contract"] },
  { options: ["--server"], packages: ["contract", "server"] },
  { options: ["--types"], packages: ["contract"] },
  { options: ["--client", "--server"], packages: ["client", "contract", "server"] },
])("$options writes the packages $packages", async ({ options, packages }) => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl() });
  const { code, err } = await project.run("generate", "--wsdl", "in/hello.wsdl", "--out", "made", ...options);
  expect([code, err]).toEqual([0, ""]);
  const made = Object.keys(project.snapshot()).filter((path) => path.startsWith("made/"));
  expect([...new Set(made.map((path) => path.split("/")[1]))].sort()).toEqual(packages);
  expect(made.some((path) => /contract\/src\/\w+\/operations\.ts$/.test(path))).toBe(packages.length > 1);
});

test("--types does not need the runtime, and writes nothing for servers to use", async () => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl() });
  const sources = ["--wsdl", "in/hello.wsdl", "--out", "made", "--types"];
  await project.run("generate", ...sources);
  expect(project.read("made/contract/package.json")).not.toContain("@bothends/runtime");
  const { code, err } = await project.run("scaffold", "server", "hello-server", ...sources);
  expect(code).toBe(2);
  expect(err).toContain("A server needs the generated server package, but the project does not generate one.");
});

test("--client is refused with a configuration, which leaves packages out", async () => {
  const project = new ProjectFolder();
  const { code, err } = await project.run("generate", "--client");
  expect(code).toBe(2);
  expect(err).toContain('leave the package out of "packages"');
});

test("the packages of another interface are not replaced", async () => {
  const project = new ProjectFolder({ "first.wsdl": wsdl(), "second.wsdl": wsdl("Leave") });
  const flags = (name: string) => ["--wsdl", `${name}.wsdl`, "--out", "made"] as const;
  expect((await project.run("generate", ...flags("first"))).code).toBe(0);
  const before = project.snapshot();
  const refused = await project.run("generate", ...flags("second"));
  expect([refused.code, refused.out, project.snapshot()]).toEqual([2, "", before]);
  expect(refused.err).toBe(
    `error: made/contract contains the generated package first-contract, which second-contract would replace.
  help: To keep both, write to another folder, or list both interfaces in one bothends.json. npx bothends generate --force removes the files of first-contract.
1 error; nothing written. Try --out made-second.
`,
  );
  const started = await project.run("init", "second.wsdl", "--out", "made");
  expect([started.code, project.snapshot()]).toEqual([2, before]);
  const scaffolded = await project.run("scaffold", "server", "my-server", ...flags("second"));
  expect([scaffolded.code, project.snapshot()]).toEqual([2, before]);
  const forced = await project.run("generate", ...flags("second"), "--force");
  expect([forced.code, forced.err]).toEqual([0, ""]);
  expect(Object.keys(project.snapshot()).filter((path) => path.includes("/first/"))).toEqual([]);
});

test("the packages of another interface are not replaced by those of a configuration", async () => {
  const project = new ProjectFolder();
  expect((await project.run("generate")).code).toBe(0);
  const replacing = config.replaceAll("@hello/", "@other/").replace('"hello":', '"other":');
  project.write("bothends.json", replacing);
  const { code, err } = await project.run("generate");
  expect([code, err]).toEqual([
    2,
    `error: packages/contract contains the generated package @hello/contract, which @other/contract would replace.
  help: To keep both, list both interfaces in one bothends.json, or change the paths in "packages". npx bothends generate --force removes the files of @hello/contract.
1 error; nothing written. Try npx bothends generate --help.
`,
  ]);
  project.write("bothends.json", replacing.replaceAll('"packages/', '"others/'));
  expect((await project.run("generate")).code).toBe(0);
});

test.each([
  { out: ".", advised: "second" },
  { out: "..", advised: "../second" },
  { out: "made", advised: "made-second" },
])("the folder that is advised instead of $out is free", async ({ out, advised }) => {
  const project = new ProjectFolder({ "project/first.wsdl": wsdl(), "project/second.wsdl": wsdl("Leave") });
  const generate = (name: string, folder: string) =>
    project.runIn("project", "generate", "--wsdl", `${name}.wsdl`, "--out", folder, "--allow-nonempty");
  expect((await generate("first", out)).code).toBe(0);
  expect((await generate("second", out)).err).toContain(`Try --out ${advised}.\n`);
  expect((await generate("second", advised)).code).toBe(0);
});

test("a configuration may rename its interfaces, and its packages", async () => {
  const project = new ProjectFolder();
  expect((await project.run("generate")).code).toBe(0);
  project.write("bothends.json", config.replaceAll("@hello/", "@hi/"));
  expect((await project.run("generate")).code).toBe(0);
  project.write("bothends.json", config.replaceAll("@hello/", "@hi/").replace('"hello":', '"hi":'));
  const { code, err } = await project.run("generate");
  expect(code, err).toBe(0);
  expect(project.read("packages/client/src/hi/index.ts")).not.toBe("");
});

test.each([
  { parameters: [], why: "Usage: bothends" },
  { parameters: ["nope"], why: "unknown command" },
  { parameters: ["generate", "--nope"], why: "unknown option" },
  { parameters: ["generate", "extra"], why: 'generate accepts only options, not "extra"' },
  { parameters: ["generate", "--config", "no.json"], why: "there is no such file" },
  { parameters: ["generate", "--wsdl", "schemas/no.wsdl", "--out", "x"], why: "no.wsdl: there is no such file" },
  { parameters: ["generate", "--index", "schemas", "--out", "x"], why: "not a regular file" },
  { parameters: ["generate", "--out", "x"], why: "need --wsdl or --index" },
  { parameters: ["generate", "--wsdl", "schemas/hello.wsdl"], why: "need --out" },
  {
    parameters: ["generate", "--config", "bothends.json", "--wsdl", "x", "--out", "y"],
    why: "--config cannot be combined",
  },
  { parameters: ["generate", "--root", "schemas"], why: "outside the root" },
  {
    parameters: ["generate", "--wsdl", "schemas/hello.wsdl", "--out", "x", "--name", "A b"],
    why: '--name "A b" is not a valid name',
  },
  { parameters: ["generate", "--limit", "nope=1"], why: "--limit needs name=value" },
  { parameters: ["generate", "--limit", "depth=-1"], why: "--limit needs name=value" },
  { parameters: ["generate", "--wsdl", "schemas/hello.wsdl", "--out", "a/b"], why: "does not exist" },
  {
    parameters: ["generate", "--wsdl", "schemas/hello.wsdl", "--out", "file"],
    why: "file is a file, but must be a folder.",
  },
  { parameters: ["generate", "--wsdl", "schemas/hello.wsdl", "--out", "link"], why: "Links are never followed" },
  { parameters: ["generate", "--wsdl", "schemas/hello.wsdl", "--out", "link/made"], why: "Links are never followed" },
  { parameters: ["scaffold"], why: "Usage: bothends scaffold" },
  { parameters: ["scaffold", "server"], why: "missing required argument" },
  { parameters: ["scaffold", "server", "../x"], why: "is not a valid package name" },
  { parameters: ["scaffold", "server", "mine", "--path", "packages/client"], why: "the folder of a generated package" },
])("$parameters ends with exit code 2", async ({ parameters, why }) => {
  const project = new ProjectFolder();
  writeFileSync(join(project.path, "file"), "");
  mkdirSync(join(project.path, "elsewhere"));
  symlinkSync("elsewhere", join(project.path, "link"));
  const before = project.snapshot();
  const { code, err, out } = await project.run(...parameters);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(why);
  expect(err).not.toMatch(/\n +at /);
  expect(project.snapshot()).toEqual(before);
});

test.each([
  { parameters: ["--help"] },
  { parameters: ["generate", "--help"] },
  { parameters: ["check", "--help"] },
  { parameters: ["scaffold", "--help"] },
  { parameters: ["scaffold", "server", "--help"] },
  { parameters: ["--version"] },
])("$parameters prints an answer, with exit code 0", async ({ parameters }) => {
  const { code, out, err } = await new ProjectFolder({}).run(...parameters);
  expect([code, err]).toEqual([0, ""]);
  expect(out).not.toBe("");
});

test("a mistake in a command line is reported with a suggestion", async () => {
  const { err } = await new ProjectFolder({}).run("generate", "--wsld", "x");
  expect(err).toBe(
    "error: unknown option '--wsld'.\n  help: Did you mean --wsdl?\n1 error; nothing written. Try npx bothends generate --help.\n",
  );
});

test.each([
  "fileBytes",
  "inputBytes",
  "inputFiles",
  "imports",
  "depth",
  "namespaces",
  "attributes",
  "attributeChars",
  "children",
  "nodes",
  "textChars",
  "nameChars",
  "types",
  "operations",
  "particles",
])("the limit %s may be zero, and the refusal names the option", async (name) => {
  const project = new ProjectFolder();
  const { code, err } = await project.run("generate", "--limit", `${name}=0`);
  expect(code).toBe(1);
  expect(err).toContain(`(limit.${name})`);
  expect(err).toContain(`--limit ${name}=<number>`);
  expect(err).toMatch(new RegExp(`Try (?:--limit \\w+=\\d+ )*--limit ${name}=2[. ]`));
  expect(Object.keys(project.snapshot())).toEqual(["bothends.json", "schemas/hello.wsdl"]);
});

test("a package's folder behind a link is refused", async () => {
  const project = new ProjectFolder();
  mkdirSync(join(project.path, "elsewhere"));
  symlinkSync("elsewhere", join(project.path, "packages"));
  const { code, err } = await project.run("generate");
  expect(code).toBe(2);
  expect(err).toContain("packages is a link");
});

/** A WSDL that includes a schema outside its folder. */
const importing = wsdl().replace(
  "<types>",
  '<types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:other"><include schemaLocation="../types/x.xsd"/></schema>',
);
const included = '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:other"/>';

test("a WSDL includes a schema of a neighboring folder when a project contains both", async () => {
  const files = { "air/hello.wsdl": importing, "types/x.xsd": included };
  const inWorkingFolder = await new ProjectFolder(files).run("generate", "--wsdl", "air/hello.wsdl", "--out", "made");
  expect(inWorkingFolder).toMatchObject({ code: 0 });
  const inPackage = new ProjectFolder({ "app/x": "", "shop/package.json": "{}", ...below("shop", files) });
  const wsdlPath = join(inPackage.path, "shop/air/hello.wsdl");
  expect(await inPackage.run("generate", "--wsdl", wsdlPath, "--out", "made")).toMatchObject({ code: 0 });
});

test("a source outside the root is refused with the root that contains it", async () => {
  const project = new ProjectFolder({
    "air/package.json": "{}",
    ...below("air", { "v1/hello.wsdl": importing.replace("../types", "../../types") }),
    "types/x.xsd": included,
  });
  const parameters = ["generate", "--wsdl", "air/v1/hello.wsdl", "--out", "made"];
  const { code, err } = await project.run(...parameters);
  expect(code).toBe(1);
  expect(err).toContain("Add --root . to read it.");
  expect(await project.run(...parameters, "--root", ".")).toMatchObject({ code: 0 });
});

test("a source outside the root is refused, also behind a link", async () => {
  const project = new ProjectFolder({ "secret/hello.wsdl": wsdl(), "in/package.json": "{}" });
  symlinkSync("../secret/hello.wsdl", join(project.path, "in/hello.wsdl"));
  const parameters = ["generate", "--wsdl", "in/hello.wsdl", "--out", "made"];
  const { code, err } = await project.run(...parameters);
  expect(code).toBe(1);
  expect(err).toContain("Add --root . to read it.");
  expect(await project.run(...parameters, "--root", ".")).toMatchObject({ code: 0 });
});

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

test("a stack trace is printed only with --debug", async () => {
  const { err } = await new ProjectFolder().run("generate", "--config", "no.json", "--debug");
  expect(err).toMatch(/\n +at /);
});

describe("an installed TypeScript", () => {
  const typeScript = (version: string) => JSON.stringify({ name: "typescript", version });
  const path = "node_modules/typescript/package.json";

  test.each(["5.7.3", "4.9.5"])("%s is reported, because it cannot build the packages", async (version) => {
    const project = new ProjectFolder();
    project.write(path, typeScript(version));
    const { code, err } = await project.run("generate");
    expect([code, err]).toEqual([
      0,
      `note: The installed TypeScript ${version.slice(0, 3)} is too old for the packages, which need 5.8 or later: npm install --save-dev typescript@latest.\n`,
    ]);
  });

  test.each([typeScript("5.8.3"), typeScript("7.0.2"), typeScript("next"), "{", undefined])(
    "%s is not reported",
    async (text) => {
      const project = new ProjectFolder();
      if (text !== undefined) {
        project.write(path, text);
      }
      expect(await project.run("generate")).toMatchObject({ code: 0, err: "" });
    },
  );
});
