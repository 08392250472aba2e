import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ProjectFolder, wsdl } from "./project-folder.js";

const index = JSON.stringify({
  namespaces: ["shop/v1"],
  routes: {
    "/shop/v1/things": { namespace: "shop/v1", methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] },
  },
});

test("begins a project with a WSDL, and shows how to call it", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "package.json": '{\n    "name": "mine"\n}\n' });
  const { code, out, err } = await project.run("init", "hello.wsdl");
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(project.read("bothends.json"))).toMatchObject({ interfaces: { hello: { wsdl: ["hello.wsdl"] } } });
  expect(JSON.parse(project.read("package.json"))).toEqual({
    name: "mine",
    scripts: { generate: "bothends generate --vendor-runtime", "generate:check": "bothends check --vendor-runtime" },
  });
  expect(project.read(".gitignore")).toContain("node_modules/\n");
  expect(project.read("generated/client/package.json")).toContain('"hello-client"');
  expect(out).toContain(`    import { HelloClient } from "hello-client/hello";

    const helloClient = new HelloClient({ baseUrl: "http://hello.example" });
    const answer = await helloClient.greet({ Name: "…" });
    console.log(answer);
`);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(/^\d+ added, 0 changed, 0 removed, 0 unchanged\.$/);
  expect((await project.run("generate", "--vendor-runtime")).out).toContain("0 added, 0 changed");
});

test("begins a project with an index, without a package.json", async () => {
  const project = new ProjectFolder({ "index.json": index });
  const { code, out } = await project.run("init", "--index", "index.json");
  expect(code).toBe(0);
  expect(JSON.parse(project.read("package.json"))).toMatchObject({ private: true, type: "module" });
  expect(out).toContain('new SiteClient({ siteUrl: "https://site.example" })');
});

test("asks for a source at a terminal", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  project.host = { ask: async () => "hello.wsdl" };
  expect((await project.run("init")).code).toBe(0);
});

test("fetches the document at an address", async () => {
  const server = createServer((_, response) => response.setHeader("content-type", "text/xml").end(wsdl()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const project = new ProjectFolder({});
  expect((await project.run("init", `http://127.0.0.1:${port}/hello.asmx?wsdl`)).code).toBe(0);
  expect(project.read("schemas/hello.wsdl")).toBe(wsdl());
});

test("keeps scripts and lines that exist", async () => {
  const project = new ProjectFolder({
    "hello.wsdl": wsdl(),
    "package.json": '{"scripts":{"generate":"mine"}}',
    ".gitignore": "/node_modules\ndist",
  });
  await project.run("init", "hello.wsdl");
  expect(JSON.parse(project.read("package.json")).scripts.generate).toBe("mine");
  expect(project.read(".gitignore")).toBe("/node_modules\ndist\n.bothends-journal*\n.bothends-lock\n*.orig\n");
});

test.each([
  { what: "a refused source", files: { "hello.wsdl": "<a/>" }, parameters: ["hello.wsdl"], says: "WSDL001" },
  { what: "no source", files: {}, parameters: [], says: "init needs a WSDL, an index, or the address of one" },
  {
    what: "a configuration that exists",
    files: { "bothends.json": "{}", "hello.wsdl": wsdl() },
    parameters: ["hello.wsdl"],
    says: "bothends.json exists",
  },
  {
    what: "a damaged package.json",
    files: { "package.json": "{", "hello.wsdl": wsdl() },
    parameters: ["hello.wsdl"],
    says: "package.json is not",
  },
  {
    what: "a source outside the folder",
    files: { x: "" },
    parameters: ["../hello.wsdl"],
    says: "there is no such file",
  },
])("$what writes nothing", async ({ files, parameters, says }) => {
  const project = new ProjectFolder(files);
  const before = project.snapshot();
  const { code, err } = await project.run("init", ...parameters);
  expect(code).toBeGreaterThan(0);
  expect(project.snapshot()).toEqual(before);
  expect(err).toContain(says);
});
