import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { nodeFileSystem } from "../../generator/src/disk/file-system.js";
import { config, ProjectFolder, wsdl, wsdlOfServices } from "./project-folder.js";

test("makes a server at the top of the project, in the scope of the generated packages", async () => {
  const project = new ProjectFolder();
  const { code, out, err } = await project.run("scaffold", "server", "greeter");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("  added    greeter/package.json\n");
  expect(JSON.parse(project.read("greeter/package.json"))).toMatchObject({
    name: "@hello/greeter",
    dependencies: { "@hello/server": "file:../packages/server" },
  });
});

test("a run for an existing server says that --adapter has no effect", async () => {
  const project = new ProjectFolder();
  const run = () => project.run("scaffold", "server", "greeter", "--adapter", "express");
  const note = "--adapter has no effect on an existing server";
  const first = await run();
  expect(first.out + first.err).not.toContain(note);
  const second = await run();
  expect(second.code).toBe(0);
  expect(second.out + second.err).toContain(note);
});

test("generates the packages first if they are missing", async () => {
  const project = new ProjectFolder();
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(/^Generated the packages first, in packages\/server and the folders beside it\.\n/);
  expect(out).toContain(
    "    npm install ./packages/server\n    npm install --prefix greeter\n    npm start --prefix greeter\n",
  );
  expect(await project.run("check")).toMatchObject({ code: 0 });
});

test("generates the packages first without a configuration too", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const parameters = ["--wsdl", "hello.wsdl", "--out", "generated", "--vendor-runtime"];
  expect(await project.run("scaffold", "server", "greeter", ...parameters)).toMatchObject({ code: 0, err: "" });
  expect(await project.run("check", ...parameters)).toMatchObject({ code: 0 });
  expect(project.read("generated/runtime/package.json")).toContain("@bothends/runtime");
});

test("a dry run generates nothing", async () => {
  const project = new ProjectFolder();
  const before = project.snapshot();
  const { code, out } = await project.run("scaffold", "server", "greeter", "--dry-run");
  expect([code, out]).toEqual([0, expect.stringMatching(/^Would generate the packages first: \d+ files added\.\n/)]);
  expect(project.snapshot()).toEqual(before);
});

test("a folder with files of others is refused before anything is written", async () => {
  const project = new ProjectFolder();
  project.write("packages/server/mine.txt", "mine");
  const before = project.snapshot();
  const { code, err } = await project.run("scaffold", "server", "greeter");
  expect([code, err]).toEqual([2, expect.stringContaining("contains other files: packages/server/mine.txt.")]);
  expect(project.snapshot()).toEqual(before);
});

test("the README of the server has commands that work as they are", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const parameters = ["--wsdl", "hello.wsdl", "--out", "generated", "--vendor-runtime"];
  await project.run("scaffold", "server", "@hello/greeter", ...parameters, "--path", "servers/greeter");
  project.write("hello.wsdl", wsdl("Welcome"));
  const [, block = ""] = /```console\n([^`]+)```/.exec(project.read("servers/greeter/README.md")) ?? [];
  const commands = block.trim().split("\n");
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    expect(await project.run(...command.replace(/^npx bothends /, "").split(" "))).toMatchObject({ code: 0, err: "" });
  }
  expect(project.read("servers/greeter/src/hello/welcome.ts")).toContain("welcome");
});

test("warns of packages that are not those of the sources, with the command that updates them", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const parameters = ["--wsdl", "hello.wsdl", "--out", "generated"];
  await project.run("generate", ...parameters);
  project.write("hello.wsdl", wsdl("Welcome"));
  const { err } = await project.run("scaffold", "server", "greeter", ...parameters);
  expect(err).toMatch(
    /^note: \d+ generated files differ from the sources; run npx bothends generate --wsdl hello\.wsdl --out generated before you build the server\.$/m,
  );
});

test("makes a server beside the generated package in a workspace", async () => {
  const project = new ProjectFolder({
    "bothends.json": JSON.stringify({ ...JSON.parse(config), runtime: "workspace:^" }),
    "schemas/hello.wsdl": wsdl(),
  });
  await project.run("scaffold", "server", "greeter");
  expect(JSON.parse(project.read("packages/greeter/package.json"))).toMatchObject({ name: "@hello/greeter" });
});

test("makes a server outside the folder of generated packages", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const parameters = ["--wsdl", "hello.wsdl", "--out", "generated", "--vendor-runtime"];
  await project.run("generate", ...parameters);
  const { code } = await project.run("scaffold", "server", "greeter", ...parameters);
  expect(code).toBe(0);
  expect(JSON.parse(project.read("greeter/package.json")).dependencies).toEqual({
    "@bothends/runtime": "file:../generated/runtime",
    "hello-server": "file:../generated/server",
  });
});

test("a server of an earlier version stays beside the generated packages", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter", "--path", "packages/greeter");
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain("Merged into packages/greeter.");
});

test("a server refers once to a package that is contract and server", async () => {
  const packages = { path: "generated", name: "hello" };
  const project = new ProjectFolder({
    "bothends.json": JSON.stringify({ ...JSON.parse(config), packages }),
    "schemas/hello.wsdl": wsdl(),
  });
  await project.run("scaffold", "server", "greeter");
  expect(JSON.parse(project.read("greeter/tsconfig.json")).references).toEqual([{ path: "../generated" }]);
});

test.each(["node", "fetch", "express", "fastify", "hono"])("makes a server for %s", async (adapter) => {
  const project = new ProjectFolder();
  expect((await project.run("scaffold", "server", "greeter", "--adapter", adapter)).code).toBe(0);
  expect(project.read("greeter/src/main.ts")).toContain('lineLogger({ format: "json" })');
  expect(project.read("greeter/src/routes.ts")).toContain("const health = healthRoutes({");
  expect(project.read("greeter/Dockerfile")).toContain("docker build -f greeter/Dockerfile -t greeter .");
});

test.each([
  { parameters: ["--adapter", "koa"], says: "Adapters: node, fetch, express, fastify, hono." },
  { parameters: ["--interface", "helo"], says: "Try --interface hello." },
  { parameters: ["--rename", "x"], says: "--rename needs old=new" },
])("$parameters ends with exit code 2", async ({ parameters, says }) => {
  const { code, err } = await new ProjectFolder().run("scaffold", "server", "greeter", ...parameters);
  expect(code).toBe(2);
  expect(err).toContain(says);
});

test.each([
  { routes: ["/", "/site/v1", "/site/v1/pages"], requested: '"/wp-json/"' },
  { routes: ["/site/v1", "/site/v1/pages"], requested: '"/wp-json/site/v1"' },
  { routes: ["/site/v1/pages"], requested: undefined },
])("the test of a new server requests an index that is among the routes $routes", async ({ routes, requested }) => {
  const endpoints = [{ methods: ["GET"], args: {} }];
  const index = routes.map((route) => [route, { namespace: "site/v1", methods: ["GET"], endpoints }]);
  const project = new ProjectFolder({
    "bothends.json": JSON.stringify({ ...JSON.parse(config), interfaces: { site: { index: "site.json" } } }),
    "site.json": JSON.stringify({ namespaces: ["site/v1"], routes: Object.fromEntries(index) }),
  });
  expect((await project.run("scaffold", "server", "site")).code).toBe(0);
  expect(project.read("site/src/test/server.test.ts")).toContain(
    `for (const path of ["/health", "/ready"${requested === undefined ? "" : `, ${requested}`}])`,
  );
});

test("a new handler reports that it is not implemented", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  expect(project.read("greeter/src/hello/greet.ts")).toContain("throw new SoapFault(");
});

test("reports what changed in an operation, and the position of its handler", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const colour = '<element name="Name" type="string"/><element name="Colour" type="string" minOccurs="0"/>';
  project.write("schemas/hello.wsdl", wsdl().replace('<element name="Name" type="string"/>', colour));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain(
    "changed: Greet.Colour: An optional member was added. Tolerated by new clients [member-added-optional]\n  check greet (greeter/src/hello/greet.ts:3)\n",
  );
  expect(out).toMatch(/0 handlers added, 1 to check, 0 to remove\.\n$/);
});

test("says what to do in a handler if its operation lost a protocol", async () => {
  const two = wsdl()
    .replace("</schema>", '<element name="Wave" type="string"/></schema>')
    .replace("<portType", '<message name="WaveIn"><part name="p" element="tns:Wave"/></message><portType')
    .replace("</portType>", '<operation name="Wave"><input message="tns:WaveIn"/></operation></portType>');
  const bind = (prefix: string, name: string, output: string) =>
    `<operation name="${name}"><${prefix}:operation soapAction="urn:hello/${name}"/><input><${prefix}:body use="literal"/></input>${output}</operation>`;
  const withSoap12 = (...names: readonly string[]) =>
    two
      .replace("</binding>", `${bind("soap", "Wave", "")}</binding>`)
      .replace(
        "<service",
        `<binding name="B12" type="tns:Hello" xmlns:s12="http://schemas.xmlsoap.org/wsdl/soap12/"><s12:binding transport="http://schemas.xmlsoap.org/soap/http"/>${names.map((name) => bind("s12", name, name === "Greet" ? '<output><s12:body use="literal"/></output>' : "")).join("")}</binding><service`,
      )
      .replace(
        "</service>",
        '<port name="P12" binding="tns:B12"><s12:address xmlns:s12="http://schemas.xmlsoap.org/wsdl/soap12/" location="http://hello.example/hello"/></port></service>',
      );
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": withSoap12("Greet", "Wave") });
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/hello.wsdl", withSoap12("Wave"));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(/^changed: Greet: A protocol was removed \(soap12\)\. /m);
  expect(out).toContain(
    '\n  remove any code for context.protocol "soap12" from greet (greeter/src/hello/greet.ts:3)\n',
  );
});

test("a new handler is added without a change to check", async () => {
  const routes = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        `/shop/v1/${name}`,
        { namespace: "shop/v1", methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] },
      ]),
    );
  const index = (...names: readonly string[]) => JSON.stringify({ namespaces: ["shop/v1"], routes: routes(names) });
  const project = new ProjectFolder({ "site.json": index("things") });
  const parameters = ["scaffold", "server", "greeter", "--index", "site.json", "--out", "made"];
  await project.run(...parameters);
  project.write("site.json", index("things", "orders"));
  const { out } = await project.run(...parameters);
  expect(out).toContain("handler added: shop.orders.list\n");
  expect(out).toMatch(/1 handler added, 0 to check, 0 to remove\.\n$/);
});

test("a record of an earlier version is not compared, which is reported with a fix, and it is replaced", async () => {
  const date = { type: "string", format: "date-time" };
  const index = {
    namespaces: ["shop/v1"],
    routes: {
      "/shop/v1/things": {
        namespace: "shop/v1",
        methods: ["GET"],
        endpoints: [{ methods: ["GET"], args: { range: { type: "object", properties: { from: date } } } }],
      },
    },
  };
  const project = new ProjectFolder({ "site.json": JSON.stringify(index) });
  const parameters = ["scaffold", "server", "greeter", "--index", "site.json", "--out", "made"];
  await project.run(...parameters);
  const path = "greeter/.bothends-scaffold.json";
  const written = project.read(path);
  const record = JSON.parse(written);
  const contract = gunzipSync(Buffer.from(record.contract, "base64")).toString();
  // Earlier versions had another name for the annotations of a member.
  const earlier = contract.replace(/"format":\d+,/, '"format":2,').replaceAll('"annotations":', '"facts":');
  expect(earlier).toMatch(/"facts":\{"span":\{[^}]*\},"format":"date-time"\}/);
  project.write(path, JSON.stringify({ ...record, contract: gzipSync(earlier).toString("base64") }));
  const { code, out } = await project.run(...parameters);
  expect(code).toBe(0);
  expect(out).not.toMatch(/^changed:/m);
  expect(out).toContain(
    "The changes since the last run of scaffold are unknown, because the file .bothends-scaffold.json was damaged or had been written by another version. The file is now up to date. Check the handlers of operations that may have changed.\n",
  );
  expect(project.read(path)).toBe(written);
  expect((await project.run(...parameters)).out).toContain("Every operation has a handler.");
});

test.each([
  { title: "an older format", edit: (record: Record<string, unknown>) => ({ ...record, format: 2, open: undefined }) },
  { title: "missing members", edit: (record: Record<string, unknown>) => ({ ...record, open: { moves: [] } }) },
])("a record with $title is recognized until the handlers of that time are moved", async ({ edit }) => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet", "Wave"], Signs: ["Nod"] }),
  });
  await project.run("scaffold", "server", "greeter");
  const wave = "greeter/src/hello/hello/wave.ts";
  project.write(wave, `// mine\n${project.read(wave)}`);
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet", "Beckon"], Signs: ["Nod"] }));
  await project.run("scaffold", "server", "greeter");
  const record = "greeter/.bothends-scaffold.json";
  project.write(record, JSON.stringify(edit(JSON.parse(project.read(record)))));
  const note = "An older version of bothends wrote the file .bothends-scaffold.json.";
  // The first of these runs replaces the record.
  for (const _ of ["old record", "new record"]) {
    const { out } = await project.run("scaffold", "server", "greeter");
    expect(out).toContain(note);
    expect(out).toMatch(/no longer in the schema: hello\.wave \(/);
    expect(out).toContain("move its handler instead: npx bothends scaffold server greeter --rename <old>=<new>\n");
  }
  const { out } = await project.run("scaffold", "server", "greeter", "--rename", "hello.wave=hello.beckon");
  expect(out).toContain(note);
  expect(project.read("greeter/src/hello/hello/beckon.ts")).toMatch(/^\/\/ mine\n/);
  const last = await project.run("scaffold", "server", "greeter");
  expect(last.out).toContain("Every operation has a handler.");
  expect(last.out).not.toContain(note);
});

test("a renamed operation is recognized, and its handler moved on request", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write("greeter/src/hello/greet.ts", `// mine\n${project.read("greeter/src/hello/greet.ts")}`);
  project.write("schemas/hello.wsdl", wsdl("GreetAll"));
  const shown = await project.run("scaffold", "server", "greeter", "--dry-run");
  expect(shown.out).toContain(
    "no longer in the schema: greet (greeter/src/hello/greet.ts, listed at greeter/src/hello/handlers.ts:6)",
  );
  expect(shown.out).toContain(
    "To move renamed handlers: npx bothends scaffold server greeter --rename greet=greetAll\n",
  );
  const { out } = await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll");
  expect(out).toContain("  removed  greeter/src/hello/greet.ts\n");
  expect(project.read("greeter/src/hello/greet-all.ts")).toMatch(
    /^\/\/ mine\n.*export const greetAll: HelloHandlers\["greetAll"\]/s,
  );
  expect(Object.keys(project.snapshot())).not.toContain("greeter/src/hello/greet.ts");
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("Every operation has a handler.");
});

test("the move of a handler is offered, also if the new name is another", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/hello.wsdl", wsdl("Salute"));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain(
    "Was it renamed to salute? If not, delete the file, its import and the member that refers to it, which no longer compile.\nTo move renamed handlers: npx bothends scaffold server greeter --rename greet=salute\n",
  );
});

test("new names that are equally likely are named, and none is offered", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet"], Signs: ["Nod"] }),
  });
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Beckon", "Salute"], Signs: ["Nod"] }));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(
    /hello\.greet \(.*\)\. Was it renamed to hello\.beckon or hello\.salute\? .* equally likely\. If not, /,
  );
  expect(out).toContain(
    "If an operation was renamed, move its handler instead: npx bothends scaffold server greeter --rename <old>=<new>\n",
  );
});

test.each([
  { newName: "GreetAll", to: "greetAll", offer: "Was it renamed to greetAll?" },
  { newName: "Salute", to: "salute", offer: "Was it renamed to salute?" },
])(
  "the move of a handler to $to is offered until it is moved or the new handler is written",
  async ({ newName, to, offer }) => {
    const project = new ProjectFolder();
    const scaffold = async (...parameters: readonly string[]) =>
      (await project.run("scaffold", "server", "greeter", ...parameters)).out;
    await scaffold();
    project.write("greeter/src/hello/greet.ts", `// mine\n${project.read("greeter/src/hello/greet.ts")}`);
    project.write("schemas/hello.wsdl", wsdl(newName));
    const outputs = [await scaffold(), await scaffold(), await scaffold()];
    for (const out of outputs) {
      expect(out).toContain(offer);
      expect(out).toContain(`npx bothends scaffold server greeter --rename greet=${to}\n`);
    }
    const handlers = project.snapshot();
    const file = `greeter/src/hello/${newName === "Salute" ? "salute" : "greet-all"}.ts`;
    project.write(file, `// mine too\n${project.read(file)}`);
    expect(await scaffold()).not.toContain("--rename");
    project.write(file, handlers[file] ?? "");
    await scaffold("--rename", `greet=${to}`);
    expect(project.read(file)).toMatch(/^\/\/ mine\n/);
    expect(await scaffold()).toContain("Every operation has a handler.");
  },
);

test("the move of a handler is offered if its operation was renamed and split at the same time", async () => {
  const folder = new URL("../../../schemas/vehicle/", import.meta.url);
  const [oldText, records] = ["reg.wsdl", "records.xsd"].map((name) => readFileSync(new URL(name, folder), "utf8"));
  const project = new ProjectFolder({
    "bothends.json": config.replace("hello.wsdl", "reg.wsdl"),
    "schemas/reg.wsdl": oldText ?? "",
    "schemas/records.xsd": records ?? "",
  });
  await project.run("scaffold", "server", "greeter");
  const file = "greeter/src/hello/check-mexico.ts";
  project.write(file, `// mine\n${project.read(file).replace(/ =>.*/s, " => null;\n")}`);
  const newText = oldText
    ?.replaceAll("CheckMexico", "CheckMexicanCar")
    .replace(/(<s:element name="CheckMexicanCar">.*?)RegistrationNumber/s, "$1Plate");
  project.write("schemas/reg.wsdl", newText ?? "");
  for (const _ of ["first run", "second run"]) {
    const { out } = await project.run("scaffold", "server", "greeter");
    expect(out).toContain("Was it renamed to checkMexicanCar? If not, delete the file");
    expect(out).toContain("npx bothends scaffold server greeter --rename checkMexico=checkMexicanCar\n");
  }
  const { out } = await project.run("scaffold", "server", "greeter", "--rename", "checkMexico=checkMexicanCar");
  expect(out).toMatch(
    /CheckMexicanCar\.RegistrationNumber removed, .*\n {2}check checkMexicanCar \(.*mexican-car\.ts:4\)/,
  );
  expect(project.read("greeter/src/hello/check-mexican-car.ts")).toMatch(/^\/\/ mine\n/);
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("Every operation has a handler.");
  project.write("schemas/reg.wsdl", oldText ?? "");
  const joined = await project.run("scaffold", "server", "greeter");
  expect(joined.out).toContain("greeter --rename checkMexicanCar=checkMexico\n");
  expect(joined.out).toMatch(
    /no longer in the schema: checkMexicanCarHttpGet \(.*\)\. The handler checkMexico now receives the calls/,
  );
});

test("a handler whose operation was renamed twice is offered the last name", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write("greeter/src/hello/greet.ts", `// mine\n${project.read("greeter/src/hello/greet.ts")}`);
  for (const name of ["GreetAll", "GreetThemAll"]) {
    project.write("schemas/hello.wsdl", wsdl(name));
    await project.run("scaffold", "server", "greeter");
  }
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(
    /no longer in the schema: greet \(.*\)\. Was it renamed to greetThemAll\? If not, delete the file, its import and/,
  );
});

test("the move of a handler is offered if its operation moved to another service", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet", "Wave"], Signs: ["Nod"] }),
  });
  await project.run("scaffold", "server", "greeter");
  const file = "greeter/src/hello/hello/wave.ts";
  project.write(file, `// mine\n${project.read(file)}`);
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet"], Signs: ["Nod", "Wave"] }));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(/moved to another service: hello\.wave \(.*\) is now signs\.wave\./);
  const rename = ["--rename", "hello.wave=signs.wave"];
  expect(out).toContain(`To move these handlers: npx bothends scaffold server greeter ${rename.join(" ")}\n`);
  await project.run("scaffold", "server", "greeter", ...rename);
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("Every operation has a handler.");
});

/** Returns the imports of other files of the server whose name these files do not declare. */
function listMissingImports(project: ProjectFolder, file: string): readonly string[] {
  const imports = project.read(file).matchAll(/import \{ (\w+) \} from "(\.[^"]+)\.js"/g);
  return [...imports]
    .filter(([, name, path]) => !project.read(join(file, "..", `${path}.ts`)).includes(`export const ${name}:`))
    .map(([text]) => text);
}

test.each(["after a run without it", "in the first run"])(
  "a handler that moved to a new service moves back, with --rename %s",
  async (order) => {
    const [joined, split] = [
      { Hello: ["Greet", "Wave"], Signs: ["Nod"] },
      { Hello: ["Greet"], Signs: ["Nod"], Waves: ["Wave"] },
    ].map(wsdlOfServices);
    const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": joined ?? "" });
    await project.run("scaffold", "server", "greeter");
    const wave = "greeter/src/hello/hello/wave.ts";
    project.write(wave, `// mine\n${project.read(wave)}`);
    const readCode = () => Object.entries(project.snapshot()).filter(([path]) => path.startsWith("greeter/src/hello/"));
    const original = readCode();
    const edits = [
      { wsdl: split, rename: "hello.wave=waves.wave" },
      { wsdl: joined, rename: "waves.wave=hello.wave" },
    ];
    for (const { wsdl = "", rename } of edits) {
      project.write("schemas/hello.wsdl", wsdl);
      if (order !== "in the first run") {
        const { out } = await project.run("scaffold", "server", "greeter");
        expect(out).toContain(`To move these handlers: npx bothends scaffold server greeter --rename ${rename}\n`);
        expect(out).not.toContain("receives the calls");
        // Each handler is in a file: that of the user, those of the other operations, and the new one.
        expect(readCode().filter(([, text]) => text.includes("not implemented yet"))).toHaveLength(4);
        expect(listMissingImports(project, "greeter/src/hello/handlers.ts")).toEqual([]);
      }
      const { out } = await project.run("scaffold", "server", "greeter", "--rename", rename);
      expect(out).toContain(`handler renamed: ${rename.replace("=", " is now ")}\n`);
    }
    expect(readCode()).toEqual(original);
  },
);

test("the code to remove is named for a handler in a file that only the user can move to a class", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet"], Waves: ["Wave"], Signs: ["Nod"] }),
  });
  await project.run("scaffold", "server", "greeter");
  const [handlers, wave] = ["greeter/src/hello/handlers.ts", "greeter/src/hello/waves/wave.ts"];
  project.write(wave, `// mine\n${project.read(wave)}`);
  const text = project.read(handlers).replace(/hello: \{[^}]*\}/, "hello: new Greeter()");
  const greeter = "class Greeter implements HelloHandlers {\n  greet = async () => null;\n}\n";
  project.write(
    handlers,
    text.replace("\n\n", `\nimport type { HelloHandlers } from "@hello/server/hello";\n\n${greeter}`),
  );
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet", "Wave"], Signs: ["Nod"] }));
  const { out } = await project.run("scaffold", "server", "greeter");
  const lines = project.read(handlers).split("\n");
  const member = `${handlers}:${lines.indexOf("    wave,") + 1}`;
  expect(out).toMatch(/^check: waves\.wave \(greeter\/src\/hello\/waves\/wave\.ts:4\) was not moved to hello\.wave /m);
  expect(out).toContain(
    `Move the handler yourself, with the imports and the code that it needs. Then delete the file, its import and the member that refers to it (${member}). If waves has no other handlers, remove it, too.\n`,
  );
});

test("a file that still contains a live handler is not to be deleted", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet", "Wave"], Signs: ["Nod"] }),
  });
  await project.run("scaffold", "server", "greeter");
  const handlers = "greeter/src/hello/handlers.ts";
  // The user passes the handler to both services, and the schema then removes it from the first one.
  project.write(handlers, project.read(handlers).replace("    nod,", "    nod,\n    wave,"));
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet"], Signs: ["Nod", "Wave"] }));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(/no longer in the schema: hello\.wave \(greeter\/src\/hello\/handlers\.ts:\d+\)\./);
  expect(out).not.toContain("Delete");
});

test("if one service becomes two, the move of a handler to the second is offered until it is made", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet", "Wave"] }),
  });
  await project.run("scaffold", "server", "greeter");
  const file = "greeter/src/hello/wave.ts";
  const code = `// mine\n${project.read(file)}`;
  project.write(file, code);
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet"], Signs: ["Wave"] }));
  const rename = "--rename hello.wave=signs.wave";
  for (const run of ["first", "second"]) {
    const { out } = await project.run("scaffold", "server", "greeter");
    expect(out, run).toMatch(/moved to another service: hello\.wave \(.*\) is now signs\.wave\./);
    expect(out, run).toContain(`To move these handlers: npx bothends scaffold server greeter ${rename}\n`);
  }
  const moved = await project.run("scaffold", "server", "greeter", ...rename.split(" "));
  expect(moved.out).toContain("handler renamed: hello.wave is now signs.wave\n");
  expect(project.read("greeter/src/hello/signs/wave.ts")).toBe(code.replaceAll("HelloHandlers", "SignsHandlers"));
  const next = await project.run("scaffold", "server", "greeter");
  expect(next.out).toContain("The service signs has no routes yet.");
  expect(next.out).not.toContain("--rename");
});

test("if two services become one, the moves of the handlers are offered until they are made", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet"], Signs: ["Wave"] }),
  });
  await project.run("scaffold", "server", "greeter");
  const file = "greeter/src/hello/signs/wave.ts";
  project.write(file, `// mine\n${project.read(file)}`);
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet", "Wave"] }));
  const rename = "--rename signs.wave=hello.wave";
  for (const run of ["first", "second"]) {
    const { out } = await project.run("scaffold", "server", "greeter");
    expect(out, run).toContain("hello is the only service of hello now");
    expect(out, run).toMatch(/moved to another service: signs\.wave \(.*\) is now hello\.wave\./);
    expect(out, run).toContain(`To move these handlers: npx bothends scaffold server greeter ${rename}\n`);
  }
  const moved = await project.run("scaffold", "server", "greeter", ...rename.split(" "));
  expect(moved.out).toContain("handler renamed: signs.wave is now hello.wave\n");
  expect(moved.out).toContain("hello is the only service of hello now");
  expect(project.read("greeter/src/hello/handlers.ts")).toMatch(
    / = \{\n {2}hello: \{\n {4}greet,\n {4}wave,\n {2}\},\n\};\n/,
  );
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("hello is the only service of hello now");
});

test("each run reports the handler type of a removed service where it is imported", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet"], Signs: ["Wave"] }),
  });
  await project.run("scaffold", "server", "greeter");
  project.write(
    "greeter/src/signs.ts",
    'import type { SignsHandlers } from "@hello/server/hello";\nexport type Wave = SignsHandlers["wave"];\n',
  );
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet", "Wave"] }));
  for (const run of ["first", "second"]) {
    expect((await project.run("scaffold", "server", "greeter")).out, run).toContain(
      "The type SignsHandlers no longer exists. Change the code in the files that import it: greeter/src/signs.ts:1.\n",
    );
  }
});

test("the report has the positions after the run, also in a file with the handlers of several interfaces", async () => {
  const project = new ProjectFolder({
    "bothends.json": config.replace('"hello": {', '"extra": { "wsdl": ["schemas/extra.wsdl"] }, "hello": {'),
    "schemas/hello.wsdl": wsdl(),
    "schemas/extra.wsdl": wsdl(),
  });
  await project.run("scaffold", "server", "greeter");
  const file = "greeter/src/extra/handlers.ts";
  project.write(
    file,
    `import type { ExtraHandlers } from "@hello/server/extra";
import type { HelloHandlers } from "@hello/server/hello";
export const helloHandlers: HelloHandlers = {
  greet: () => "hello",
};
export const extraHandlers: ExtraHandlers = { greet: () => "extra" };
export type Greet = ExtraHandlers["greet"];
`,
  );
  rmSync(join(project.path, "greeter/src/hello"), { recursive: true });
  rmSync(join(project.path, "greeter/src/extra/greet.ts"));
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet", "Wave"] }));
  project.write("schemas/extra.wsdl", wsdl("Salute"));
  const { out } = await project.run("scaffold", "server", "greeter");
  const lines = project.read(file).split("\n");
  const findLine = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;
  expect(out).toContain(
    `no longer in the schema: greet (${file}:${findLine('greet: () => "extra"')}). Was it renamed to salute?`,
  );
  expect(out).toContain(`Other code names this handler, too: ${file}:${findLine("export type Greet")}.`);
});

test("a dry run reports the positions in the files as they are", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet"] }),
  });
  const scaffold = async (...parameters: readonly string[]) =>
    (await project.run("scaffold", "server", "greeter", ...parameters)).out;
  await scaffold();
  const file = "greeter/src/hello/handlers.ts";
  project.write(file, `${project.read(file)}export type Greet = HelloHandlers["greet"];\n`);
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Wave", "Nod"] }));
  const formatUse = () => {
    const lines = project.read(file).split("\n");
    return `names this handler, too: ${file}:${lines.findIndex((line) => line.includes("type Greet")) + 1}.`;
  };
  expect(await scaffold("--dry-run")).toContain(formatUse());
  expect(await scaffold()).toContain(formatUse());
});

test("a dry run reports the position of a handler that would move to another file in its present file", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const file = "greeter/src/hello/greet.ts";
  project.write(
    file,
    'import type { HelloHandlers } from "@hello/server/hello";\n\nexport const greet: HelloHandlers["greet"] = () => "hello";\n',
  );
  project.write("schemas/hello.wsdl", wsdl("GreetAll").replace('"Name" type="string"', '"Name" type="int"'));
  const { out } = await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll", "--dry-run");
  expect(out).toContain(`${file}:3`);
  expect(out).not.toContain("greet-all.ts:");
});

test("the new names of a renamed service's types, routes and constant are reported where they are imported", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet"], Signs: ["Wave"] }),
  });
  await project.run("scaffold", "server", "greeter");
  project.write(
    "greeter/src/signs.ts",
    'import { type SignsHandlers, signsRoutes } from "@hello/server/hello";\nimport { signs } from "@hello/client/hello/operations";\n',
  );
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet"], Signals: ["Wave"] }));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out.split("\n")).toEqual(
    expect.arrayContaining([
      "The type SignsHandlers is called SignalsHandlers now. Change the name in the files that import it: greeter/src/signs.ts:1.",
      "The function signsRoutes is called signalsRoutes now. Change the name in the files that import it: greeter/src/signs.ts:1.",
      "The operation signs no longer exists. If it was renamed to signals, the new name is signals. Change the code in the files that import it: greeter/src/signs.ts:2.",
    ]),
  );
});

test("a renamed service with an object of its own is merged when the user's code has its new names", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet"], Signs: ["Wave"] }),
  });
  const scaffold = async () => (await project.run("scaffold", "server", "greeter")).out;
  await scaffold();
  rmSync(join(project.path, "greeter/src/hello"), { recursive: true });
  const file = "greeter/src/routes.ts";
  project.write(
    file,
    `import { type HelloHandlers, helloRoutes, type SignsHandlers, signsRoutes } from "@hello/server/hello";
const hello: HelloHandlers = { greet: () => "hello" };
const signs: SignsHandlers = { wave: () => "wave" };
export const routes = [helloRoutes(hello), signsRoutes(signs)];
`,
  );
  await scaffold();
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet"], Signals: ["Wave", "Nod"] }));
  for (const run of ["first", "second"]) {
    expect(await scaffold(), run).toBe(
      `Merged into greeter.\nThe service signs is called signals now. Write SignalsHandlers in place of SignsHandlers, signalsRoutes in place of signsRoutes, in the files with these imports: ${file}:1. Then run scaffold again.\n0 handlers added, 0 to check, 0 to remove.\n`,
    );
  }
  const renamed = project.read(file).replaceAll("SignsHandlers", "SignalsHandlers").replaceAll("signsR", "signalsR");
  project.write(file, renamed);
  const merged = await scaffold();
  expect(merged).toContain("handler added: nod\n");
  expect(merged).not.toMatch(/no longer|Remove|is called/);
  expect(project.read(file)).toMatch(/const signs: SignalsHandlers = \{ wave: \(\) => "wave",\s+nod/);
});

test("a refused move that only the user named is reported in the same way by the next run", async () => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet", "Wave"], Signs: ["Nod"] }),
  });
  const run = (...parameters: readonly string[]) => project.run("scaffold", "server", "greeter", ...parameters);
  const scaffold = async () => (await run()).out;
  await scaffold();
  const text = project.read("greeter/src/hello/handlers.ts");
  const signs = "{\n    wave,\n  }";
  project.write(
    "greeter/src/hello/handlers.ts",
    text
      .replace(/hello: \{[^}]*\}/, "hello: { ...mine, greet }")
      .replace("\n\n", '\nimport { mine } from "./mine.js";\n\n'),
  );
  project.write(
    "greeter/src/hello/mine.ts",
    `export const mine = ${signs.replace("wave", "wave: async () => null")};\n`,
  );
  project.write("schemas/hello.wsdl", wsdlOfServices({ Hello: ["Greet"], Signs: ["Nod", "Salute"] }));
  await scaffold();
  const refused = /check: hello\.wave \(.*\) was not moved to signs\.salute \(.*\)\. .* Move the handler yourself/;
  expect(await run("--rename", "hello.wave=signs.salute")).toMatchObject({
    code: 1,
    out: expect.stringMatching(refused),
    err: expect.stringMatching(/^0 handlers added, 1 not renamed, /m),
  });
  const next = await scaffold();
  expect(next).toMatch(refused);
  expect(next).not.toContain("Remove the handler");
});

test.each([
  { what: "does not exist", renames: ["wave=greetAll"], counts: "0 handlers added, 1 not renamed" },
  { what: "has no new operation", renames: ["greet=wave"], counts: "0 handlers added, 1 not renamed" },
  {
    what: "is one of two",
    renames: ["greet=greetAll", "wave=greetAll"],
    counts: "0 handlers added, 1 renamed, 1 not renamed",
  },
  { what: "is shown only", renames: ["greet=wave"], options: ["--dry-run"], counts: "Nothing written." },
])("a requested rename of a handler that $what ends with exit code 1", async ({ renames, options = [], counts }) => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/hello.wsdl", wsdl("GreetAll"));
  await project.run("scaffold", "server", "greeter");
  const parameters = renames.flatMap((rename) => ["--rename", rename]);
  const { code, out, err } = await project.run("scaffold", "server", "greeter", ...parameters, ...options);
  expect(code).toBe(1);
  expect(out).toMatch(/^The handler (?:greet|wave) was not renamed, because /m);
  expect(err).toContain(counts);
});

test("a handler that the user has written for the new operation is kept, and the rename ends with exit code 1", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/hello.wsdl", wsdl("GreetAll"));
  await project.run("scaffold", "server", "greeter");
  const path = "greeter/src/hello/greet-all.ts";
  const text = `${project.read(path)}// mine\n`;
  project.write(path, text);
  const { code, out } = await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll");
  expect(code).toBe(1);
  expect(out).toContain("The operation greetAll already has a handler.");
  expect(project.read(path)).toBe(text);
});

test("no handler of a new server can be renamed", async () => {
  const project = new ProjectFolder();
  const { code, err } = await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll");
  expect(code).toBe(2);
  expect(err).toContain("error: greeter is not a scaffolded server, so it has no handlers to rename.");
  expect(Object.keys(project.snapshot())).toEqual(["bothends.json", "schemas/hello.wsdl"]);
});

test("the imports of a renamed operation's types are renamed with its handler in a class", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const text = (name: string, key: string) =>
    `import type { ${name}, HelloHandlers } from "@hello/server/hello";\nexport class Mine implements HelloHandlers {\n  async ${key}(input: ${name}) {\n    return input.Name;\n  }\n}\n`;
  project.write("greeter/src/hello/handlers.ts", text("Greet", "greet"));
  project.write("schemas/hello.wsdl", wsdl("GreetAll"));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain("The type Greet no longer exists.");
  await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll");
  expect(project.read("greeter/src/hello/handlers.ts")).toContain(text("GreetAll", "greetAll"));
});

/** The files of a server whose code imports the type of an operation's request, in several layouts. */
const layouts = [
  {
    layout: "a method of a class",
    file: "handlers.ts",
    newFile: "handlers.ts",
    format: (type: string, key: string) =>
      `import type { ${type}, HelloHandlers } from "@hello/server/hello";\nexport class Mine implements HelloHandlers {\n  async ${key}(input: ${type}) {\n    return input.Name;\n  }\n}\n`,
    line: 3,
  },
  {
    layout: "a property of a class",
    file: "handlers.ts",
    newFile: "handlers.ts",
    format: (type: string, key: string) =>
      `import type { ${type}, HelloHandlers } from "@hello/server/hello";\nexport class Mine implements HelloHandlers {\n  readonly ${key} = (input: ${type}) => input.Name;\n}\n`,
    line: 3,
  },
  {
    layout: "a member of an object",
    file: "handlers.ts",
    newFile: "handlers.ts",
    format: (type: string, key: string) =>
      `import type { ${type}, HelloHandlers } from "@hello/server/hello";\nexport const mine: HelloHandlers = {\n  ${key}: (input: ${type}) => input.Name,\n};\n`,
    line: 3,
  },
  {
    layout: "a file",
    file: "greet.ts",
    newFile: "salute.ts",
    format: (type: string, key: string) =>
      `import type { ${type}, HelloHandlers } from "@hello/server/hello";\nexport const ${key}: HelloHandlers["${key}"] = (input: ${type}) => input.Name;\n`,
    line: 2,
  },
];
const renameSteps = [
  { steps: "after a run without --rename", plainRuns: 1 },
  { steps: "after two runs without --rename", plainRuns: 2 },
  { steps: "in the first run", plainRuns: 0 },
];
const moveCases = layouts.flatMap((layout) => renameSteps.map((step) => ({ ...layout, ...step })));

test.each(moveCases)(
  "the imports of a handler in $layout are renamed with an operation of another name $steps, and its changes are listed",
  async ({ file, newFile, format, line, plainRuns }) => {
    const project = new ProjectFolder();
    const scaffold = async (...parameters: readonly string[]) =>
      (await project.run("scaffold", "server", "greeter", ...parameters)).out;
    await scaffold();
    project.write(`greeter/src/hello/${file}`, format("Greet", "greet"));
    const name = '<element name="Name" type="string"/>';
    project.write("schemas/hello.wsdl", wsdl("Salute").replace(name, `${name}<element name="Loudness" type="int"/>`));
    for (let run = 0; run < plainRuns; run += 1) {
      expect(await scaffold()).toContain(
        `The type Greet no longer exists. If its operation was renamed to salute, the new name is Salute. Change the code in the files that import it: greeter/src/hello/${file}:1.\n`,
      );
    }
    const out = await scaffold("--rename", "greet=salute");
    expect(out).toContain("handler renamed: greet is now salute\n");
    expect(out).toContain(
      `changed: Salute.Loudness: A required member was added. Breaks old clients and TypeScript callers; tolerated by new clients [member-added-required]\n  check salute (greeter/src/hello/${newFile}:${line})\n`,
    );
    expect(out).not.toContain("no longer exists");
    expect(project.read(`greeter/src/hello/${newFile}`)).toContain(format("Salute", "salute"));
    expect(await scaffold()).toContain("Every operation has a handler.\n");
  },
);

test("a changed operation with a new name is to be checked in the user's handler, not in the new one", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write(
    "greeter/src/hello/greet.ts",
    'import type { HelloHandlers } from "@hello/server/hello";\n\nexport const greet: HelloHandlers["greet"] = () => "Hello";\n',
  );
  const name = '<element name="Name" type="string"/>';
  project.write("schemas/hello.wsdl", wsdl("GreetAll").replace(name, `${name}<element name="Loudness" type="int"/>`));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(
    /changed if greet was renamed to greetAll: GreetAll\.Loudness: .*\n {2}check greetAll \(greeter\/src\/hello\/greet\.ts:3\)\n/,
  );
  const moved = await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll");
  expect(moved.out).toMatch(
    /changed: GreetAll\.Loudness: .*\n {2}check greetAll \(greeter\/src\/hello\/greet-all\.ts:3\)\n/,
  );
});

test("an added operation with another method or other arguments is not offered as the new name", async () => {
  const route = (name: string, method: string, argument: string) => {
    const endpoints = [{ methods: [method], args: { [argument]: { type: "string" } } }];
    return [`/shop/v1/${name}`, { namespace: "shop/v1", methods: [method], endpoints }];
  };
  const index = (...routes: ReturnType<typeof route>[]) =>
    JSON.stringify({ namespaces: ["shop/v1"], routes: Object.fromEntries(routes) });
  const pages = route("pages", "GET", "search");
  const parameters = ["scaffold", "server", "greeter", "--index", "site.json", "--out", "made"];
  for (const addition of [route("reviews", "GET", "author"), route("reviews", "DELETE", "sku")]) {
    const project = new ProjectFolder({ "site.json": index(pages, route("products", "DELETE", "id")) });
    await project.run(...parameters);
    project.write("site.json", index(pages, addition));
    const { out } = await project.run(...parameters);
    expect(out).toContain(
      "If an operation was renamed, move its handler instead: npx bothends scaffold server greeter --index site.json --out made --rename <old>=<new>\n",
    );
    expect(out).not.toContain("--rename shop.products");
  }
});

test("methods that move to an endpoint of their own are reported at the handler that answered them", async () => {
  const index = (...endpointMethods: readonly (readonly string[])[]) =>
    JSON.stringify({
      namespaces: ["shop/v1"],
      routes: {
        "/shop/v1/pages": {
          namespace: "shop/v1",
          methods: endpointMethods.flat(),
          endpoints: endpointMethods.map((methods) => ({ methods, args: {} })),
        },
      },
    });
  const project = new ProjectFolder({ "site.json": index(["POST", "PUT", "PATCH"]) });
  const parameters = ["scaffold", "server", "greeter", "--index", "site.json", "--out", "made"];
  await project.run(...parameters);
  project.write("site.json", index(["POST"], ["PUT", "PATCH"]));
  const { out } = await project.run(...parameters);
  expect(out).toMatch(/changed: .*\(shop\.pages\.update → shop\.pages\.put\).*\n {2}check shop\.pages\.update \(/);
});

test("the move of a whole group is offered if its only route has another name", async () => {
  const endpoints = [{ methods: ["GET"], args: {} }];
  const index = (name: string) =>
    JSON.stringify({
      namespaces: ["shop/v1"],
      routes: { [`/shop/v1/${name}`]: { namespace: "shop/v1", methods: ["GET"], endpoints } },
    });
  const project = new ProjectFolder({ "site.json": index("pages") });
  const parameters = ["scaffold", "server", "greeter", "--index", "site.json", "--out", "made"];
  await project.run(...parameters);
  const file = "greeter/src/site/shop/pages.ts";
  project.write(file, `// mine\n${project.read(file)}`);
  project.write("site.json", index("documents"));
  const { out } = await project.run(...parameters);
  expect(out).toMatch(/Was it renamed to shop\.documents\? .* --rename shop\.pages=shop\.documents\n/s);
  await project.run(...parameters, "--rename", "shop.pages=shop.documents");
  expect(project.read("greeter/src/site/shop/documents.ts")).toMatch(/^\/\/ mine\n.*export const documents: /s);
  expect((await project.run(...parameters)).out).toContain("Every operation has a handler.");
});

test("an operation that is a part of another one is not offered as the new name of a removed operation", async () => {
  const schemas = join(import.meta.dirname, "../../../schemas/vehicle");
  const source = (file: string) => readFileSync(join(schemas, file), "utf8");
  const text = source("reg.wsdl");
  const project = new ProjectFolder({
    "bothends.json": config.replace("schemas/hello.wsdl", "schemas/reg.wsdl"),
    "schemas/reg.wsdl": text,
    "schemas/records.xsd": source("records.xsd"),
  });
  await project.run("scaffold", "server", "greeter");
  const isInPeru = /<wsdl:operation name="CheckPeru">[\s\S]*?<\/wsdl:operation>/g;
  const withMoreParts = '<wsdl:message name="CheckUSAHttpGetIn">\n    <wsdl:part name="More" type="s:string" />';
  const edited = text.replaceAll(isInPeru, "").replace('<wsdl:message name="CheckUSAHttpGetIn">', withMoreParts);
  project.write("schemas/reg.wsdl", edited);
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain("handler added: checkUSAHttpGet\n");
  expect(out).toContain("no longer in the schema: checkPeru (");
  expect(out).not.toContain("--rename");
});

test("a renamed handler in a class is offered, and renamed on request", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const text = "export class Mine implements HelloHandlers {\n  async greet() {\n    return null;\n  }\n}\n";
  project.write("greeter/src/hello/handlers.ts", `import type { HelloHandlers } from "@hello/server";\n${text}`);
  project.write("schemas/hello.wsdl", wsdl("GreetAll"));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain(
    "no longer in the schema: greet (greeter/src/hello/handlers.ts:4). Was it renamed to greetAll? If not, remove the handler from the class. Other code names this handler, too: greeter/src/hello/greet.ts:3. Remove the name there.\nTo move renamed handlers: npx bothends scaffold server greeter --rename greet=greetAll\n",
  );
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("Was it renamed to greetAll? If not, ");
  expect((await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll")).code).toBe(0);
  expect(project.read("greeter/src/hello/handlers.ts")).toContain(text.replace("greet()", "greetAll()"));
});

test("notes about handlers that are not read have paths from the working folder", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const text = 'import type { HelloHandlers } from "@hello/server";\nexport const mine: HelloHandlers = make();\n';
  project.write("greeter/src/hello/handlers.ts", text);
  project.write("schemas/hello.wsdl", wsdl("GreetAll"));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain(
    "greeter/src/hello/handlers.ts:2: These handlers were not changed, because they are not an object literal or a class. It is unknown whether they include greetAll, which is new, or greet, which is no longer in the schema. TypeScript reports missing handlers. Change the code that contains these handlers now: later runs do not name these operations again. Was greet renamed to greetAll? In that case, rename its handler. Other code names greet, too: greeter/src/hello/greet.ts:3. Change the name there, or remove it.\n",
  );
});

test("a server with an unresolved conflict is refused with its positions, and is not changed", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const handlers = project.read("greeter/src/hello/handlers.ts");
  project.write("greeter/src/hello/handlers.ts", `<<<<<<< HEAD\n${handlers}=======\n>>>>>>> other\n`);
  project.write("schemas/hello.wsdl", wsdl("GreetAll"));
  await project.run("generate");
  const before = project.snapshot();
  const { code, err } = await project.run("scaffold", "server", "greeter");
  expect([code, err]).toEqual([
    2,
    `error: The server contains syntax errors, so handlers cannot be merged:
  greeter/src/hello/handlers.ts:1: Merge conflict marker encountered.
  help: Correct these files, and run scaffold again.
1 error; nothing written.
`,
  ]);
  expect(project.snapshot()).toEqual(before);
});

test("the user's code is kept when an operation is added", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter", "--path", "servers/greeter");
  const [path = ""] = Object.keys(project.snapshot()).filter((each) =>
    /^servers\/greeter\/src\/.*greet\.ts$/.test(each),
  );
  project.write(path, `// mine\n${project.read(path)}`);
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  const { code, out } = await project.run("scaffold", "server", "greeter", "--path", "servers/greeter");
  expect(code).toBe(0);
  expect(out).toContain("Merged into servers/greeter.");
  expect(project.read(path)).toMatch(/^\/\/ mine\n/);
});

test("changes nothing if no handler is missing", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const before = project.snapshot();
  const { code } = await project.run("scaffold", "server", "greeter");
  expect([code, project.snapshot()]).toEqual([0, before]);
});

test("a folder with other files is refused until it is allowed", async () => {
  const project = new ProjectFolder();
  project.write("greeter/notes.txt", "mine");
  const { code, err } = await project.run("scaffold", "server", "greeter");
  expect(code).toBe(2);
  expect(err).toContain("greeter contains files that scaffold did not write: notes.txt.\n");
  expect(err).toContain("--allow-nonempty");
  for (const name of ["a", "b", "c", "d"]) {
    project.write(`greeter/src/${name}.ts`, "");
  }
  expect((await project.run("scaffold", "server", "greeter")).err).toContain(
    "did not write: notes.txt, src/a.ts, src/b.ts and 2 more files.\n",
  );
});

test("a refused input makes no server", async () => {
  const project = new ProjectFolder();
  project.write("schemas/hello.wsdl", "<a/>");
  const before = project.snapshot();
  expect((await project.run("scaffold", "server", "greeter")).code).toBe(1);
  expect(project.snapshot()).toEqual(before);
});

test("a handler whose calls another handler receives is not renamed", async () => {
  const indexOf = (...endpoints: readonly (readonly string[])[]) =>
    JSON.stringify({
      namespaces: ["shop/v1"],
      routes: {
        "/shop/v1/things": {
          namespace: "shop/v1",
          methods: ["GET"],
          endpoints: endpoints.map((methods) => ({ methods, args: {} })),
        },
      },
    });
  const project = new ProjectFolder({
    "bothends.json": config.replace('"hello": {', '"site": { "index": "site.json" }, "hello": {'),
    "schemas/hello.wsdl": wsdl(),
    "site.json": indexOf(["GET"], ["POST"]),
  });
  expect(await project.run("generate")).toMatchObject({ code: 0 });
  expect(await project.run("scaffold", "server", "mine")).toMatchObject({ code: 0 });
  project.write("site.json", indexOf(["GET", "POST"]));
  expect(await project.run("generate")).toMatchObject({ code: 0 });
  const { out } = await project.run("scaffold", "server", "mine");
  expect(out).toMatch(
    /no longer in the schema: (?:\w+\.)*create \(.*\)\. The handler (?:\w+\.)*list now receives the calls of this operation: move your code there\. Remove the handler/,
  );
  expect(out).not.toContain("--rename");
});

test("the types of a renamed route's arguments and of a group's handlers are renamed, or reported where they are imported", async () => {
  const indexOf = (namespace: string, ...routes: readonly string[]) =>
    JSON.stringify({
      namespaces: [namespace],
      routes: Object.fromEntries(
        routes.map((route) => [
          `/${namespace}/${route}`,
          { namespace, methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] },
        ]),
      ),
    });
  const project = new ProjectFolder({
    "bothends.json": config.replace('"hello": {', '"site": { "index": "site.json" }, "hello": {'),
    "schemas/hello.wsdl": wsdl(),
    "site.json": indexOf("shop/v1", "color", "things"),
  });
  await project.run("scaffold", "server", "mine");
  const file = "mine/src/colors.ts";
  const code = (color: string, version: string) =>
    `import type { ShopColor${color}Get, Shop${version}Handlers } from "@hello/server/site";\nexport let input: ShopColor${color}Get;\nexport let all: Shop${version}Handlers;\n`;
  project.write(file, code("", "V1"));
  project.write("site.json", indexOf("shop/v1", "colorful", "things"));
  const { out } = await project.run("scaffold", "server", "mine");
  expect(out).toContain(
    `The type ShopColorGet no longer exists. If its operation was renamed to shop.colorful.get, the new name is ShopColorfulGet. Change the code in the files that import it: ${file}:1.\n`,
  );
  await project.run("scaffold", "server", "mine", "--rename", "shop.color=shop.colorful");
  expect(project.read(file)).toBe(code("ful", "V1"));
  project.write("site.json", indexOf("shop/v2", "colorful", "things"));
  expect((await project.run("scaffold", "server", "mine")).out).toContain(
    `The type ShopV1Handlers is called ShopV2Handlers now. Change the name in the files that import it: ${file}:1.\n`,
  );
});

test("the types of a renamed route's answers in each context are renamed, or reported where they are imported", async () => {
  const context = { type: "string", enum: ["view", "edit"], default: "view" };
  const indexOf = (title: string) =>
    JSON.stringify({
      namespaces: ["shop/v1"],
      routes: {
        [`/shop/v1/${title}s`]: {
          namespace: "shop/v1",
          methods: ["GET", "POST"],
          endpoints: [
            { methods: ["GET"], args: { context, page: { type: "integer" } } },
            { methods: ["POST"], args: {} },
          ],
          schema: {
            title,
            type: "object",
            properties: {
              id: { type: "integer", context: ["view", "edit"] },
              secret: { type: "string", context: ["edit"] },
            },
          },
        },
      },
    });
  const project = new ProjectFolder({
    "bothends.json": config.replace('"hello": {', '"site": { "index": "site.json" }, "hello": {'),
    "schemas/hello.wsdl": wsdl(),
    "site.json": indexOf("snippet"),
  });
  await project.run("scaffold", "server", "mine");
  const file = "mine/src/all.ts";
  const code = (title: string) =>
    `import type { ${title}, ${title}Contexts, ${title}ForEdit } from "@hello/server/site";\nexport let all: ${title} | ${title}ForEdit | ${title}Contexts;\n`;
  project.write(file, code("Snippet"));
  expect(project.read("packages/contract/src/site/index.ts")).toContain("SnippetForEdit");
  project.write("site.json", indexOf("piece"));
  const { out } = await project.run("scaffold", "server", "mine");
  for (const suffix of ["", "Contexts", "ForEdit"]) {
    expect(out).toContain(
      `The type Snippet${suffix} no longer exists. If its operation was renamed to shop.pieces.list, the new name is Piece${suffix}. Change the code in the files that import it: ${file}:1.\n`,
    );
  }
  await project.run("scaffold", "server", "mine", "--rename", "shop.snippets=shop.pieces");
  expect(project.read(file)).toBe(code("Piece"));
});

test("each run reports a renamed type where it is imported, and a changed namespace is not a reason to check handlers", async () => {
  const element = '<element name="Name" type="string"/>';
  const withType = (name: string) =>
    wsdl()
      .replace("<element ", `<complexType name="${name}"><sequence>${element}</sequence></complexType><element `)
      .replace(
        `${element}</sequence></complexType>\n`,
        `<element name="Who" type="tns:${name}"/></sequence></complexType>\n`,
      );
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": withType("Person") });
  await project.run("scaffold", "server", "greeter");
  project.write(
    "greeter/src/store.ts",
    'import type { Person } from "@hello/server/hello";\nexport const all: Person[] = [];\n',
  );
  project.write("schemas/hello.wsdl", withType("Guest"));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain(
    "The type Person is called Guest now. Change the name in the files that import it: greeter/src/store.ts:1.\n",
  );
  expect(out).toMatch(/0 handlers added, 0 to check, 0 to remove\.\n$/);
  const next = await project.run("scaffold", "server", "greeter");
  expect(next.out).toContain("The type Person is called Guest now.");
  project.write("greeter/src/store.ts", project.read("greeter/src/store.ts").replaceAll("Person", "Guest"));
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("Every operation has a handler.\n");
  project.write("schemas/hello.wsdl", withType("Guest").replaceAll("urn:hello", "urn:hello:v2"));
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("Every operation has a handler.\n");
});

/** Throws at one call that changes the disk and at all later calls, as if the process was killed before the call. */
function killAt(at: number) {
  const state = { calls: 0 };
  const names = ["createFile", "createFolder", "rename", "remove", "removeFolder", "list", "read", "getKind"] as const;
  const changing = names.slice(0, 5);
  const spies = names.map((name) => {
    const method: (...parameters: never[]) => unknown = nodeFileSystem[name];
    return vi.spyOn(nodeFileSystem, name).mockImplementation((...parameters: unknown[]): never => {
      if (changing.some((each) => each === name) && state.calls < at) {
        state.calls++;
      }
      if (state.calls >= at) {
        throw new Error("killed");
      }
      return method(...(parameters as never[])) as never;
    });
  });
  return { state, restore: () => spies.map((spy) => spy.mockRestore()) };
}

const firstScaffold = { given: "a first scaffold", operation: undefined, options: [], step: 7 };
const interruptedRuns = [
  firstScaffold,
  { given: "a merge", operation: "GreetAll", options: [], step: 2 },
  { given: "a merge with --rename", operation: "GreetAll", options: ["--rename", "greet=greetAll"], step: 2 },
];

/** Prepares a project for the command of an interrupted run. Returns the files before and after that command. */
async function prepareRun({ operation, options }: (typeof interruptedRuns)[number]) {
  const project = new ProjectFolder();
  await project.run("generate");
  if (operation !== undefined) {
    await project.run("scaffold", "server", "greeter");
    project.write("greeter/src/hello/greet.ts", `// mine\n${project.read("greeter/src/hello/greet.ts")}`);
    project.write("schemas/hello.wsdl", wsdl(operation));
    await project.run("generate");
  }
  const command = ["scaffold", "server", "greeter", ...options];
  const before = project.snapshot();
  const result = await project.run(...command);
  return { command, before, result, after: project.snapshot() };
}

/** Runs a command that is killed at a call; returns whether it was killed before it ended. */
async function runKilled(project: ProjectFolder, command: readonly string[], at: number): Promise<boolean> {
  const { state, restore } = killAt(at);
  try {
    await project.run(...command).catch(() => undefined);
  } finally {
    restore();
  }
  // The lock belongs to the process of this test, which is still running.
  rmSync(join(project.path, ".bothends-lock"), { force: true });
  return state.calls >= at;
}

const finishedNote =
  "note: An interrupted run had already written its files, so this report does not list the changes of that run.\n";

test.each(interruptedRuns)(
  "$given that was killed at a call is completed by the same command",
  async (interruptedRun) => {
    const { command, before, result, after } = await prepareRun(interruptedRun);
    let undone = 0;
    for (let at = 1; ; at += interruptedRun.step) {
      const project = new ProjectFolder(before);
      if (!(await runKilled(project, command, at))) {
        break;
      }
      // If the run was killed after it had removed its journal, nothing remains to be recovered or reported.
      const isComplete = isDeepStrictEqual(project.snapshot(), after);
      const secondResult = await project.run(...command);
      expect([at, secondResult.code, project.snapshot()]).toEqual([at, 0, after]);
      if (!isComplete && !secondResult.err.includes(finishedNote)) {
        expect([at, secondResult]).toEqual([at, result]);
        undone++;
      }
    }
    expect(undone).toBeGreaterThan(5);
  },
  180_000,
);

test.each(interruptedRuns)(
  "after $given was killed, other commands name the command that completes it",
  async (interruptedRun) => {
    const { command, before } = await prepareRun(interruptedRun);
    const project = new ProjectFolder(before);
    await runKilled(project, command, 12);
    const help = 'Run "npx bothends scaffold server greeter", which finishes or undoes its changes.';
    const interrupted = project.snapshot();
    for (const other of [["generate"], ["check"], ["scaffold", "server", "other"], [...command, "--dry-run"]]) {
      const { code, err } = await project.run(...other);
      expect([other, code, err]).toEqual([other, 2, expect.stringContaining(help)]);
      expect(project.snapshot()).toEqual(interrupted);
    }
  },
);

test.each(interruptedRuns)("after $given was killed, its journal can be deleted", async (interruptedRun) => {
  const { command, before } = await prepareRun(interruptedRun);
  const project = new ProjectFolder(before);
  await runKilled(project, command, 12);
  rmSync(join(project.path, ".bothends-journal"));
  expect(await project.run(...command)).toMatchObject({ code: 0, err: "" });
  expect(Object.keys(project.snapshot()).filter((path) => path.includes("bothends-journal"))).toEqual([]);
});

test("a first scaffold that was killed is completed without its journal", async () => {
  const { command, before, after } = await prepareRun(firstScaffold);
  const counts = new Set<number>();
  for (let at = 12; ; at += 5) {
    const project = new ProjectFolder(before);
    if (!(await runKilled(project, command, at))) {
      break;
    }
    rmSync(join(project.path, ".bothends-journal"), { force: true });
    counts.add(Object.keys(project.snapshot()).filter((path) => path in after).length);
    expect([at, (await project.run(...command)).code, project.snapshot()]).toEqual([at, 0, after]);
  }
  expect(counts.size).toBeGreaterThan(3);
});

test("the imports of types nested in the messages of a renamed operation are renamed, or reported", async () => {
  const nested = (operation: string) =>
    wsdl(operation).replace(
      '<element name="Name" type="string"/>',
      '<element name="Who"><complexType><sequence><element name="Name" type="string"/><element name="Home"><complexType><sequence><element name="Town" type="string"/></sequence></complexType></element></sequence></complexType></element>',
    );
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": nested("Greet") });
  await project.run("scaffold", "server", "greeter");
  const code = (name: string) =>
    `import type { ${name}Who, ${name}WhoHome } from "@hello/server/hello";\nexport const towns = (who: ${name}Who): ${name}WhoHome => who.Home;\n`;
  project.write("greeter/src/towns.ts", code("Greet"));
  project.write("greeter/src/taken.ts", `const GreetAllWho = 1;\n${code("Greet")}export { GreetAllWho };\n`);
  project.write("schemas/hello.wsdl", nested("GreetAll"));
  expect((await project.run("scaffold", "server", "greeter")).out).toContain(
    "The type GreetWho no longer exists. If its operation was renamed to greetAll, the new name is GreetAllWho. Change the code in the files that import it: greeter/src/taken.ts:2, greeter/src/towns.ts:1.\n",
  );
  const { out } = await project.run("scaffold", "server", "greeter", "--rename", "greet=greetAll");
  expect(project.read("greeter/src/towns.ts")).toBe(code("GreetAll"));
  expect(out).toContain(
    "The type GreetWho is called GreetAllWho now. Change the name in the files that import it: greeter/src/taken.ts:2.\n",
  );
});

test("the code of an interface with another name is not replaced: the report says what to write, until it is written", async () => {
  const configOf = (name: string) => config.replace('"hello":', `"${name}":`);
  const services = { Hello: ["Greet"], Signs: ["Nod"] };
  const project = new ProjectFolder({
    "bothends.json": configOf("hello"),
    "schemas/hello.wsdl": wsdlOfServices(services),
  });
  await project.run("scaffold", "server", "greeter");
  project.write(
    "greeter/src/test/fake.ts",
    'import type { HelloServicesHandlers } from "@hello/server/hello";\nexport const fake: Partial<HelloServicesHandlers> = {};\nexport const whole = {} as HelloServicesHandlers;\n',
  );
  project.write("bothends.json", configOf("welcome"));
  project.write("schemas/hello.wsdl", wsdlOfServices({ ...services, Signs: ["Nod", "Wink"] }));
  await project.run("generate");
  const before = project.snapshot();
  for (const _ of ["first run", "second run"]) {
    const { out } = await project.run("scaffold", "server", "greeter");
    expect(out).toContain(
      "The interface hello is called welcome now. Write @hello/server/welcome in place of @hello/server/hello, WelcomeHandlers in place of HelloServicesHandlers, welcomeRoutes in place of helloServicesRoutes, in the files with these imports: greeter/src/routes.ts:2, greeter/src/hello/handlers.ts:1,",
    );
    expect(project.snapshot()).toEqual(before);
  }
  for (const [path, text] of Object.entries(project.snapshot())) {
    if (path.startsWith("greeter/src/")) {
      project.write(
        path,
        text.replaceAll("server/hello", "server/welcome").replaceAll("HelloServicesHandlers", "WelcomeHandlers"),
      );
    }
  }
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain("handler added: signs.wink\n");
  expect(out).not.toContain("is called");
  expect(Object.keys(project.snapshot())).toContain("greeter/src/hello/signs/wink.ts");
});

test("a change after which code may not compile ends with the request to compile the server", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/hello.wsdl", wsdl().replace('name="Name" type="string"', 'name="Name" type="int"'));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toMatch(/ {2}check greet \(.*\)\nThen compile the server: TypeScript reports other code/);
});

test("the code of the only service is kept if the service has another name: the report says what to write", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/welcome.wsdl", wsdl());
  project.write("bothends.json", config.replace("schemas/hello.wsdl", "schemas/welcome.wsdl"));
  await project.run("generate");
  const before = project.snapshot();
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toBe(
    "Merged into greeter.\nThe service hello is called welcome now. Write WelcomeHandlers in place of HelloHandlers, welcomeRoutes in place of helloRoutes, in the files with these imports: greeter/src/routes.ts:2, greeter/src/hello/greet.ts:1, greeter/src/hello/handlers.ts:1. Then run scaffold again.\n0 handlers added, 0 to check, 0 to remove.\n",
  );
  expect(project.snapshot()).toEqual(before);
  for (const path of ["routes.ts", "hello/greet.ts", "hello/handlers.ts"]) {
    const text = project.read(`greeter/src/${path}`);
    const renamed = text.replaceAll("HelloHandlers", "WelcomeHandlers").replaceAll("helloRoutes", "welcomeRoutes");
    project.write(`greeter/src/${path}`, renamed);
  }
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("Every operation has a handler.\n");
});

test("a group whose only operation has the path of a group now is not moved as a group", async () => {
  const write = (project: ProjectFolder, route: string, name: string) => {
    const names = { [`GET /shop/v1/${route}`]: name };
    const interfaces = { site: { index: "site.json", names } };
    project.write("bothends.json", JSON.stringify({ ...JSON.parse(config), interfaces }));
    const endpoint = { namespace: "shop/v1", methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] };
    const routes = { [`/shop/v1/${route}`]: endpoint, "/shop/v1/things": endpoint };
    project.write("site.json", JSON.stringify({ namespaces: ["shop/v1"], routes }));
  };
  const project = new ProjectFolder({});
  write(project, "orders/finish", "shop.orders.finish.create");
  await project.run("scaffold", "server", "mine");
  const file = "mine/src/site/shop/orders.ts";
  project.write(file, `// mine\n${project.read(file)}`);
  write(project, "orders/end", "shop.orders.end");
  const { out } = await project.run("scaffold", "server", "mine", "--rename", "shop.orders.finish=shop.orders.end");
  expect(out).toContain(
    "shop.orders.finish is a group of handlers, but shop.orders.end is one operation. To move a handler of the group, name it: --rename shop.orders.finish.create=shop.orders.end.",
  );
  await project.run("scaffold", "server", "mine", "--rename", "shop.orders.finish.create=shop.orders.end");
  expect(project.read(file)).toMatch(/^\/\/ mine\n.*= \{\n {2}end: async/s);
  expect((await project.run("scaffold", "server", "mine")).out).toContain("Every operation has a handler.\n");
});

test("the new names of a renamed fault's class and of its detail are named", async () => {
  const wsdlOfFault = (fault: string) =>
    wsdlOfServices({ Hello: ["Greet", "Wave"] })
      .replace(
        "</schema>",
        '<element name="Rude"><complexType><sequence><element name="why" type="string"/></sequence></complexType></element></schema>',
      )
      .replace("<portType", '<message name="RudeFault"><part name="p" element="tns:Rude"/></message><portType')
      .replace('GreetOut"/></operation>', `GreetOut"/><fault name="${fault}" message="tns:RudeFault"/></operation>`)
      .replace(
        "</output></operation>",
        `</output><fault name="${fault}"><soap:fault name="${fault}"/></fault></operation>`,
      );
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": wsdlOfFault("Refused") });
  await project.run("scaffold", "server", "greeter");
  project.write(
    "greeter/src/faults.ts",
    'import type { Refused, RefusedDetail } from "@hello/server/hello";\nexport type Fault = Refused | RefusedDetail;\n',
  );
  project.write("schemas/hello.wsdl", wsdlOfFault("Declined"));
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain("Declined");
  expect(out).toContain("DeclinedDetail");
});

const greetAndNod = "{ hello: { greet: () => null }, signs: { nod: () => null } }";

test.each([
  { what: "an argument", handlers: "", argument: greetAndNod, isRequired: false },
  { what: "an object without a type", handlers: `const all = ${greetAndNod};`, isRequired: false },
  {
    what: "an object with a partial type",
    handlers: `const all = ${greetAndNod} satisfies { hello: Partial<HelloServicesHandlers["hello"]>; signs: object };`,
    isRequired: false,
  },
  {
    what: "an object with a partial type for each service",
    handlers: `const hello: Partial<HelloServicesHandlers["hello"]> = { greet: () => null };\nconst signs = { nod: () => null };\nconst all = { hello, signs };`,
    isRequired: false,
  },
  {
    what: "a class without the type",
    handlers: `class Hello {\n  greet() {\n    return null;\n  }\n}\nconst all = { hello: new Hello(), signs: { nod: () => null } };`,
    isRequired: false,
  },
  {
    what: "an object whose type requires all handlers",
    handlers: `const all: HelloServicesHandlers = ${greetAndNod};`,
    isRequired: true,
  },
  {
    what: "an object for a service whose type requires all handlers",
    handlers: `const hello: HelloServicesHandlers["hello"] = { greet: () => null };\nconst signs: HelloServicesHandlers["signs"] = { nod: () => null };\nconst all = { hello, signs };`,
    isRequired: true,
  },
])("handlers that routes may lack are not added to $what: $isRequired", async ({ handlers, argument, isRequired }) => {
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdlOfServices({ Hello: ["Greet", "Wave"], Signs: ["Nod", "Wink"] }),
  });
  const scaffold = async () => (await project.run("scaffold", "server", "greeter")).out;
  await scaffold();
  rmSync(join(project.path, "greeter/src/hello"), { recursive: true });
  project.write(
    "greeter/src/routes.ts",
    `import { type HelloServicesHandlers, helloServicesRoutes } from "@hello/server/hello";\n${handlers}\nexport const routes = [\n  helloServicesRoutes(${argument ?? "all"}, { missing: "fault" }),\n];\n`,
  );
  const before = project.snapshot();
  const outputs = [await scaffold(), await scaffold()];
  if (isRequired) {
    expect(outputs[0]).toContain("handler added: hello.wave\nhandler added: signs.wink\n");
    expect(outputs[1]).toContain("Every operation has a handler.");
  } else {
    const line = 4 + handlers.split("\n").length - 1;
    expect(project.snapshot()).toEqual(before);
    for (const out of outputs) {
      expect(out).toContain(
        `greeter/src/routes.ts:${line}: With this option, no handlers were added for hello.wave and signs.wink. Calls of these operations are answered with an error.\n`,
      );
      expect(out).not.toContain("handler added");
    }
  }
});

test("a removed interface is reported until no code names it, also in tests and in JavaScript", async () => {
  const withInterfaces = (interfaces: object) => JSON.stringify({ ...JSON.parse(config), interfaces });
  const hello = { wsdl: ["schemas/hello.wsdl"] };
  const project = new ProjectFolder({
    "bothends.json": withInterfaces({ hello, bye: { wsdl: ["schemas/bye.wsdl"] } }),
    "schemas/hello.wsdl": wsdl(),
    "schemas/bye.wsdl": wsdl("Wave").replaceAll("urn:hello", "urn:bye").replaceAll("Hello", "Bye"),
  });
  const scaffold = async () => (await project.run("scaffold", "server", "greeter")).out;
  await scaffold();
  project.write(
    "greeter/src/test/fakes.js",
    `/** @type {import("@hello/server/bye").ByeHandlers} */\nexport const bye = {};\n`,
  );
  project.write("bothends.json", withInterfaces({ hello }));
  const task =
    "The interface bye no longer exists. Remove its handlers (greeter/src/bye/handlers.ts, greeter/src/bye/wave.ts, greeter/src/test/fakes.js), and its routes in greeter/src/routes.ts.\nThen compile";
  expect([await scaffold(), await scaffold()]).toEqual([expect.stringContaining(task), expect.stringContaining(task)]);
  const routes = project.read("greeter/src/routes.ts");
  project.write("greeter/src/routes.ts", routes.replace(/^import .*bye.*\n/gm, "").replace(/byeRoutes\(.*\),?/, ""));
  rmSync(join(project.path, "greeter/src/bye"), { recursive: true });
  expect(await scaffold()).toContain("Remove its handlers (greeter/src/test/fakes.js).\nThen compile");
  rmSync(join(project.path, "greeter/src/test/fakes.js"));
  const done = await scaffold();
  expect(done).not.toContain("bye");
  expect(done).toContain("Every operation has a handler.\n");
  expect(done).not.toContain("compile");
});

test("the image of a server in a workspace contains the files and the packages that it needs to run", async () => {
  const project = new ProjectFolder({
    "bothends.json": JSON.stringify({ ...JSON.parse(config), runtime: "workspace:^" }),
    "schemas/hello.wsdl": wsdl(),
  });
  await project.run("scaffold", "server", "greeter");
  const stages = project.read("packages/greeter/Dockerfile").split(/^FROM .*\n/m);
  expect(stages[1]).toContain("RUN npx -y pnpm@12 deploy --legacy --prod --filter @hello/greeter /deployed\n");
  expect(stages[2]?.match(/^COPY .*/gm)).toEqual(["COPY --from=build /deployed ."]);
  // Without this list, pnpm would leave out the files that Git ignores.
  expect(JSON.parse(project.read("packages/greeter/package.json")).files).toContain("dist");
});

test("the image of a server contains no files with secrets, and is checked at its own port", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  expect(project.read("greeter/Dockerfile.dockerignore").split("\n")).toEqual(
    expect.arrayContaining(["**/node_modules", "**/.git", "**/.env", "**/.env.*", "**/*.key", "**/*.pem"]),
  );
  const [check = ""] = /HEALTHCHECK .*/.exec(project.read("greeter/Dockerfile")) ?? [];
  expect(check).toContain("fetch('http://127.0.0.1:' + process.env.PORT + '/health')");
});

test.each([
  { services: { Hello: ["Greet"] }, place: "beside it" },
  { services: { Hello: ["Greet"], Signs: ["Nod"] }, place: "in the folders beside it" },
])("the README says that the handlers are $place", async ({ services, place }) => {
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": wsdlOfServices(services) });
  await project.run("scaffold", "server", "greeter");
  expect(project.read("greeter/README.md")).toContain(`The files ${place} contain one operation each.`);
});
