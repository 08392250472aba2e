import { spawnSync } from "node:child_process";
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
    scripts: { generate: "bothends generate", "generate:check": "bothends check" },
  });
  expect(project.read(".gitignore")).toContain("node_modules/\n");
  expect(project.read("generated/client/package.json")).toContain('"hello-client"');
  expect(out).toContain(`    import { HelloClient } from "hello-client/hello";

    const helloClient = new HelloClient();
    const answer = await helloClient.greet({ Name: "…" });
    console.log(answer);
`);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(/^\d+ added, 0 changed, 0 removed, 0 unchanged\.$/);
  expect((await project.run("generate")).out).toContain("0 added, 0 changed");
});

function createRestriction(name: string, base: string, facets: string): string {
  return `<element name="${name}"><simpleType><restriction base="${base}">${facets}</restriction></simpleType></element>`;
}

test.each([
  {
    given: "dates and decimals",
    members:
      '<element name="due" type="date"/><element name="price" type="decimal"/><element name="at" type="dateTime"/>',
    input: '{ due: "2026-01-31", price: "12.50", at: "2026-01-31T12:00:00Z" }',
  },
  {
    given: "facets",
    members:
      '<element name="code"><simpleType><restriction base="string"><length value="3"/></restriction></simpleType></element>' +
      '<element name="year"><simpleType><restriction base="int"><minInclusive value="1900"/></restriction></simpleType></element>',
    input: '{ code: "………", year: 1900 }',
  },
  {
    given: "long texts and bytes",
    members: [
      createRestriction("key", "string", '<minLength value="40"/>'),
      createRestriction("digest", "hexBinary", '<length value="32"/>'),
    ].join(""),
    input: '{ key: "…".repeat(40), digest: new Uint8Array(32) }',
  },
  {
    given: "patterns",
    members: [
      createRestriction("zip", "string", '<pattern value="[A-Z]{2}\\d{4}"/>'),
      createRestriction("short", "token", '<pattern value="[A-Z]+"/><maxLength value="2"/>'),
      createRestriction("long", "string", '<pattern value="\\d+"/><minLength value="8"/>'),
      createRestriction("year", "int", '<pattern value="2\\d{3}"/>'),
      createRestriction("amount", "decimal", '<pattern value="\\d+\\.\\d{3}"/>'),
      createRestriction("day", "date", '<pattern value=".{10}Z"/>'),
    ].join(""),
    input:
      '{\n      zip: "AB1234",\n      short: "A",\n      long: "12345678",\n      year: 2123,\n      amount: "123.123",\n      day: "2026-01-31",\n    }',
  },
  {
    given: "patterns of several derivation steps",
    members: '<element name="code" type="tns:Code"/>',
    types:
      '<simpleType name="Text"><restriction base="string"><pattern value="[A-Z]*"/><pattern value="\\d*"/><maxLength value="8"/></restriction></simpleType>' +
      '<simpleType name="Code"><restriction base="tns:Text"><pattern value=".{4,9}"/><length value="5"/></restriction></simpleType>',
    input: '{ code: "ABCDE" }',
  },
  {
    given: "patterns that no value is found for",
    members: [
      createRestriction("both", "string", '<pattern value="[A-Z]{3}"/><maxLength value="2"/>'),
      createRestriction("none", "string", '<pattern value="[a-z-[a-z]]"/>'),
      createRestriction("count", "int", '<pattern value="[A-Z]"/>'),
    ].join(""),
    input: '{ both: "…", none: "…", count: 1 }',
  },
  {
    given: "records in records",
    members:
      '<element name="line" maxOccurs="2"><complexType><sequence><element name="sku" type="string"/></sequence><attribute name="id" type="long" use="required"/></complexType></element>',
    input: '{ line: [{ id: 1n, sku: "…" }] }',
  },
  {
    given: "a member whose name would set the prototype",
    members: '<element name="__proto__" type="string"/>',
    input: '{ ["__proto__"]: "…" }',
  },
  {
    given: "a value with an invisible character",
    members: createRestriction("a", "string", '<enumeration value="x&#x202E;y"/>'),
    input: '{ a: "x\\u202Ey" }',
  },
  {
    given: "a choice",
    members: '<choice><element name="a" type="string"/><element name="b" type="string"/></choice>',
    input: '{ a: "…" }',
  },
  {
    given: "a value without an example that may be nil",
    members: '<element name="a" type="anyType" nillable="true"/>',
    input: "{ a: null }",
  },
  {
    given: "a type with derived types",
    members: '<element name="a" type="tns:Base"/>',
    types:
      '<complexType name="Base"><sequence><element name="b" type="string"/></sequence></complexType>' +
      '<complexType name="Derived"><complexContent><extension base="tns:Base"/></complexContent></complexType>',
    input: '{ a: { b: "…" } }',
  },
  {
    given: "many members",
    members: ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"]
      .map((name) => `<element name="${name}Name" type="string"/>`)
      .join(""),
    input:
      '{\n      firstName: "…",\n      secondName: "…",\n      thirdName: "…",\n      fourthName: "…",\n      fifthName: "…",\n      sixthName: "…",\n      seventhName: "…",\n    }',
  },
])("the first call has an example of $given", async ({ members, types = "", input }) => {
  const text = wsdl()
    .replace('<element name="Name" type="string"/>', members)
    .replace("</schema>", `${types}</schema>`);
  const { out } = await new ProjectFolder({ "hello.wsdl": text }).run("init", "hello.wsdl");
  expect(out).toContain(`    const answer = await helloClient.greet(${input});\n`);
});

test("the first call of an operation whose input is a simple value has that value", async () => {
  const text = wsdl().replace(
    /<element name="Greet">[\s\S]*?<\/element>\s*<element name="GreetR/,
    (found) => `<element name="Greet" type="date"/>${found.slice(found.lastIndexOf("<element name="))}`,
  );
  const { out } = await new ProjectFolder({ "hello.wsdl": text }).run("init", "hello.wsdl");
  expect(out).toContain('    const answer = await helloClient.greet("2026-01-31");\n');
});

const everyFlag = [
  [],
  ["--name", "greeter", "--out", "made/here", "--client", "--lenient", "--limit", "depth=300"],
  ["--server", "--vendor-runtime-in", "vendor/runtime"],
  ["--client", "--server", "--vendor-runtime"],
  ["--types", "--no-vendor-runtime"],
];

test.each(everyFlag.map((flags) => ({ flags })))(
  "after init with $flags, generate and check without options give the same packages",
  async ({ flags }) => {
    const project = new ProjectFolder({ "hello.wsdl": wsdl() });
    expect(await project.run("init", "hello.wsdl", ...flags)).toMatchObject({ code: 0 });
    const files = () => Object.entries(project.snapshot()).filter(([path]) => !path.includes("/.cache/"));
    const before = files();
    expect(await project.run("check")).toMatchObject({ code: 0, err: "" });
    expect(await project.run("generate")).toMatchObject({ code: 0 });
    expect(files()).toEqual(before);
  },
);

test("writes only the parts and paths that the flags choose", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const { out } = await project.run("init", "hello.wsdl", "--types", "--name", "greeter", "--out", "made/here");
  const folders = Object.keys(project.snapshot()).filter((path) => /^made\/here\/[^/]+\/package\.json$/.test(path));
  expect(folders).toEqual(["made/here/contract/package.json", "made/here/runtime/package.json"]);
  expect(out).toContain('    import type * as greeter from "greeter-contract/greeter";\n');
});

test("names the folder to run init in if a document imports one above", async () => {
  const included = wsdl().replace("<element name=", '<include schemaLocation="../types.xsd"/><element name=');
  const schema = '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:hello"/>';
  const project = new ProjectFolder({ "app/hello.wsdl": included, "types.xsd": schema });
  const { err } = await project.runIn("app", "init", "hello.wsdl");
  expect(err).toContain("  help: Run init in .., which contains all documents.\n");
  expect(err).toContain("Try cd .. && npx bothends init app/hello.wsdl.");
  expect(await project.run("init", "app/hello.wsdl")).toMatchObject({ code: 0 });
});

test("uses the vendored runtime that an earlier run wrote in the project", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  await project.run("generate", "--wsdl", "hello.wsdl", "--out", "first", "--vendor-runtime");
  expect((await project.run("init", "hello.wsdl")).code).toBe(0);
  expect(JSON.parse(project.read("bothends.json")).runtime).toEqual({ path: "first/runtime" });
  const runtimes = Object.keys(project.snapshot()).filter((path) => path.endsWith("/dist/core.js"));
  expect(runtimes).toEqual(["first/runtime/dist/core.js"]);
});

test("commits the runtime, but not the compiler's output", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  await project.run("init", "hello.wsdl", "--out", "made");
  const git = (...parameters: readonly string[]) => spawnSync("git", ["-C", project.path, ...parameters]);
  git("init", "--quiet");
  const isIgnored = (path: string) => git("check-ignore", path).status === 0;
  expect(["made/client/dist/x.js", "dist/x.js", "made/runtime/dist/call.js"].map(isIgnored)).toEqual([
    true,
    true,
    false,
  ]);
});

test("shows the list of posts for a WordPress, and the address in its index", async () => {
  const list = (args: object) => ({ endpoints: [{ methods: ["GET"], args }] });
  const paged = list({ per_page: { type: "integer" } });
  const routes = { "/akismet/v1/alerts": list({}), "/wp/v2/pages": paged, "/wp/v2/posts": paged };
  const home = "https://name:secret@site.example/blog/";
  const namespaces = ["akismet/v1", "wp/v2"];
  const shown = async (text: object) =>
    (await new ProjectFolder({ "site.json": JSON.stringify(text) }).run("init", "site.json")).out;
  const out = await shown({ namespaces, routes, home });
  expect(out).toContain('    const siteClient = new SiteClient({ siteUrl: "https://site.example/blog" });\n');
  expect(out).toContain("    const answer = await siteClient.wp.posts.list({ per_page: 5 });\n");
  const { "/wp/v2/posts": _, ...others } = routes;
  expect(await shown({ namespaces, routes: others })).toMatch(
    /siteUrl: "https:\/\/site\.example" \}[\s\S]*\.wp\.pages\.list\(\{ per_page: 5 \}\)/,
  );
});

test("an index that is fetched from a file has its site's address, not the one of the file", async () => {
  const server = createServer((_, response) => {
    const site = { ...JSON.parse(index), home: "https://site.example/blog" };
    response.setHeader("content-type", "application/json").end(JSON.stringify(site));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, out } = await new ProjectFolder({}).run("init", `http://127.0.0.1:${port}/index.json`);
  expect([code, out]).toEqual([0, expect.stringContaining('new SiteClient({ siteUrl: "https://site.example/blog" })')]);
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
  const { code, out } = await project.run("init", `http://127.0.0.1:${port}/hello.asmx?wsdl`);
  expect(code).toBe(0);
  expect(out).toMatch(/^ {2}saved {4}schemas\/hello\.wsdl\n {2}added {4}bothends\.json\n/);
  expect(project.read("schemas/hello.wsdl")).toBe(wsdl());
});

test.each([
  { flags: [], operation: "Greet", reused: true },
  { flags: ["--fresh"], operation: "Welcome", reused: false },
])(
  "after an interrupted init, init with $flags saves the WSDL with $operation",
  async ({ flags, operation, reused }) => {
    let sent = wsdl().replace("<element name=", '<include schemaLocation="types.xsd"/><element name=');
    let works = false;
    const server = createServer(({ url }, response) => {
      if (url === "/hello.wsdl") {
        response.end(sent);
      } else {
        works ? response.end('<schema xmlns="http://www.w3.org/2001/XMLSchema"/>') : response.destroy();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hello.wsdl`;
    const project = new ProjectFolder({});
    expect(await project.run("init", address)).toMatchObject({ code: 2 });
    [sent, works] = [sent.replaceAll("Greet", "Welcome"), true];
    const { code, out } = await project.run("init", address, ...flags);
    expect([code, out.startsWith("Reused 1 document from an interrupted fetch.")]).toEqual([0, reused]);
    expect(project.read("schemas/hello.wsdl")).toContain(`<operation name="${operation}">`);
  },
);

test.each([
  { files: { "schemas/hello.wsdl": wsdl() }, folder: ".", lists: "schemas/hello.wsdl", runs: "schemas/hello.wsdl" },
  { files: { "hello.wsdl": wsdl(), "package.json": "{}" }, folder: ".", lists: "hello.wsdl", runs: "hello.wsdl" },
  {
    files: { "schemas/site.json": '{ "routes": {} }', "schemas/tsconfig.json": "{}" },
    folder: "schemas",
    lists: "schemas/site.json",
    runs: "schemas/site.json",
  },
])("init says what it needs in place of the folder $folder, which contains $lists", async (example) => {
  const project = new ProjectFolder(example.files as Readonly<Record<string, string>>);
  const { code, err } = await project.run("init", example.folder);
  expect(code).toBe(2);
  expect(err).toContain(
    `${example.folder} is a folder, not a regular file. init needs a file: a WSDL or an index.\n  help: The folder contains ${example.lists}.\n`,
  );
  expect(err).toContain(`Try npx bothends init ${example.runs}.`);
});

test("init in a folder without documents says how to get one", async () => {
  const { code, err } = await new ProjectFolder({ "package.json": "{}" }).run("init", ".");
  expect(code).toBe(2);
  expect(err).toContain(
    "The folder contains no WSDL and no index. Name a file. npx bothends init <address> fetches the document from the network.\n",
  );
});

test("init keeps scripts and lines that exist", async () => {
  const project = new ProjectFolder({
    "hello.wsdl": wsdl(),
    "package.json": '{"scripts":{"generate":"mine"}}',
    ".gitignore": "/node_modules\ndist",
  });
  await project.run("init", "hello.wsdl");
  expect(JSON.parse(project.read("package.json")).scripts.generate).toBe("mine");
  expect(project.read(".gitignore")).toBe(
    "/node_modules\ndist\n.bothends-journal*\n.bothends-lock\n*.orig\n!/generated/runtime/dist/\n",
  );
});

test("init keeps the line ends of package.json, and adds its scripts last", async () => {
  const manifest = '{\r\n  "name": "mine",\r\n  "scripts": {\r\n    "test": "t"\r\n  }\r\n}\r\n';
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "package.json": manifest });
  await project.run("init", "hello.wsdl");
  expect(project.read("package.json")).toBe(
    manifest.replace(
      '"t"\r\n',
      '"t",\r\n    "generate": "bothends generate",\r\n    "generate:check": "bothends check"\r\n',
    ),
  );
});

test.each([
  { what: "a refused source", files: { "hello.wsdl": "<a/>" }, parameters: ["hello.wsdl"], says: "WSDL001" },
  { what: "no source", files: {}, parameters: [], says: "init needs a WSDL, an index, or the address of one" },
  {
    what: "a configuration that exists",
    files: { "bothends.json": "{}", "hello.wsdl": wsdl() },
    parameters: ["hello.wsdl"],
    says: "bothends.json already exists",
  },
  {
    what: "a damaged package.json",
    files: { "package.json": "{", "hello.wsdl": wsdl() },
    parameters: ["hello.wsdl"],
    says: "package.json is not",
  },
  {
    what: "a package.json that is a list",
    files: { "package.json": "[]", "hello.wsdl": wsdl() },
    parameters: ["hello.wsdl"],
    says: "package.json is not a JSON object.",
  },
  {
    what: "a folder in place of package.json",
    files: { "package.json/x": "", "hello.wsdl": wsdl() },
    parameters: ["hello.wsdl"],
    says: "Cannot read package.json: ",
  },
  {
    what: "a folder in place of .gitignore",
    files: { ".gitignore/x": "", "hello.wsdl": wsdl() },
    parameters: ["hello.wsdl"],
    says: "Cannot read .gitignore: ",
  },
  {
    what: "no source in a folder with a WSDL",
    files: { "hello.wsdl": wsdl() },
    parameters: [],
    says: "The folder contains hello.wsdl.\n1 error; nothing written. Try npx bothends init hello.wsdl.",
  },
  {
    what: "a folder with files of others",
    files: { "hello.wsdl": wsdl(), "generated/client/mine.txt": "mine" },
    parameters: ["hello.wsdl"],
    says: "generated/client/mine.txt",
  },
  {
    what: "a source outside the folder",
    files: { x: "" },
    parameters: ["../hello.wsdl"],
    says: "there is no such file",
  },
])("init writes nothing for $what", async ({ files, parameters, says }) => {
  const project = new ProjectFolder(files);
  const before = project.snapshot();
  const { code, err } = await project.run("init", ...parameters);
  expect(code).toBeGreaterThan(0);
  expect(project.snapshot()).toEqual(before);
  expect(err).toContain(says);
});

test.each([
  {
    parameters: ["https://site.example/", "--name", "site", "--user", "editor"],
    example: '"site": { "index": "schemas/index.json" }',
    command: "bothends fetch https://site.example/ --user editor",
  },
  {
    parameters: ["--wsdl", "https://service.example/Quotes.asmx?wsdl", "--header", "X-Key: secret"],
    example: '"quotes": { "wsdl": ["schemas/Quotes.wsdl"] }',
    command: "bothends fetch 'https://service.example/Quotes.asmx?wsdl' --header 'X-Key: …'",
  },
  {
    parameters: ["https://service.example/hello.asmx?wsdl", "--name", "other"],
    example: '"other": { "wsdl": ["schemas/other/hello.wsdl"] }',
    command: "bothends fetch 'https://service.example/hello.asmx?wsdl' --into schemas/other",
  },
])("init in a project shows how to add the service of $parameters.0", async ({ parameters, example, command }) => {
  const project = new ProjectFolder();
  const { code, err } = await project.run("init", ...parameters);
  expect([code, err]).toEqual([
    2,
    `error: bothends.json already exists.
  help: To add a service, fetch its documents with the command below, add an interface to the file, and then generate: "interfaces": { …, ${example} }.
1 error; nothing written. Try npx ${command}.
`,
  ]);
});

test.each(["EPCglobal-epcis.wsdl", "StockQuote.wsdl", "AService.wsdl", "GDSQueue.wsdl"])(
  "the packages of %s and their folders have the same words, with init and with flags",
  async (file) => {
    const project = new ProjectFolder({ [file]: wsdl() });
    expect(await project.run("init", file)).toMatchObject({ code: 0 });
    expect(await project.run("generate", "--wsdl", file, "--out", "flags")).toMatchObject({ code: 0 });
    const words = (out: string) => {
      const name: unknown = JSON.parse(project.read(`${out}/client/package.json`)).name;
      const paths = Object.keys(project.snapshot()).map((path) => path.split("/"));
      const folders = paths.filter(
        (path) => path[0] === out && path[1] === "client" && path[2] === "src" && path.length > 4,
      );
      return [name, [...new Set(folders.map((path) => path[3]))]];
    };
    const [name, folders] = words("generated");
    expect(folders).toEqual([String(name).replace(/-client$/, "")]);
    expect(words("flags")).toEqual([name, folders]);
  },
);

test("init with an address finishes or undoes the changes of an interrupted init", async () => {
  const server = createServer((_, response) => response.end(wsdl()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const project = new ProjectFolder({ "generated/contract/.bothends-journal-0.next": "half" });
  const entries = [{ target: "generated/contract/package.json", next: "0".repeat(64) }];
  project.write(".bothends-journal", JSON.stringify({ state: "staging", folders: ["generated/contract"], entries }));
  const { code, err } = await project.run("init", `http://127.0.0.1:${port}/hello.wsdl`);
  expect([code, err]).toEqual([0, ""]);
  expect(Object.keys(project.snapshot()).filter((path) => path.includes("journal"))).toEqual([]);
});

test("init in an existing project shows the interface to add for a file, and the command for an address", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "bothends.json": "{}" });
  expect((await project.run("init", "./hello.wsdl")).err).toContain(
    'then generate: "interfaces": { …, "hello": { "wsdl": ["hello.wsdl"] } }.',
  );
  const { err } = await project.run("init", "https://service.example/hello.asmx?wsdl");
  expect(err).toMatch(/Try npx bothends fetch 'https:\/\/service\.example\/hello\.asmx\?wsdl'\.\n$/);
});
