import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../house/sources.js";
import { Packed, packages } from "./packed.js";

const packed = new Packed();
afterAll(() => packed.remove(), 60_000);
beforeAll(() => packed.pack(), 120_000);

/** Returns all texts in a value of a manifest. */
function leaves(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** A WSDL with an operation whose request contains elements of many types. */
function largeWsdl(typeCount: number): string {
  const numbers = Array.from({ length: typeCount }, (_, index) => index);
  const fields = ["Name", "Colour", "Size", "Maker", "Note"].map(
    (name) => `<xs:element name="${name}" type="xs:string"/>`,
  );
  const types = numbers.map(
    (index) => `<xs:complexType name="Item${index}"><xs:sequence>${fields.join("")}</xs:sequence></xs:complexType>`,
  );
  const items = numbers.map((index) => `<xs:element name="Item${index}" type="t:Item${index}"/>`);
  return `<definitions name="Shop" targetNamespace="urn:shop" xmlns:t="urn:shop" xmlns="http://schemas.xmlsoap.org/wsdl/"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <types><xs:schema targetNamespace="urn:shop">${types.join("\n")}
    <xs:element name="Order"><xs:complexType><xs:sequence>${items.join("\n")}</xs:sequence></xs:complexType></xs:element>
  </xs:schema></types>
  <message name="Order"><part name="parameters" element="t:Order"/></message>
  <portType name="Shop"><operation name="Order"><input message="t:Order"/></operation></portType>
  <binding name="Shop" type="t:Shop">
    <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Order"><soap:operation soapAction=""/><input><soap:body use="literal"/></input></operation>
  </binding>
  <service name="Shop"><port name="Shop" binding="t:Shop"><soap:address location="http://shop.example/"/></port></service>
</definitions>`;
}

/** Serves the home page of a WordPress site, which names the address of its API, and the index. */
function serveIndex(index: string): Promise<RunningServer> {
  const html = ["Content-Type", "text/html"] as const;
  return listen(
    [
      {
        name: "site",
        answer({ target }) {
          if (target === "/") {
            return { status: 200, headers: [html, ["Link", '</wp-json/>; rel="https://api.w.org/"']], body: "" };
          }
          const isIndex = target.startsWith("/wp-json/?");
          return isIndex ? { status: 200, headers: [["Content-Type", "application/json"]], body: index } : undefined;
        },
      },
    ],
    { port: 0, host: "127.0.0.1" },
  );
}

describe.each(packages)("the packed %s", (name) => {
  test("contains the files of its entries, and the sources of their declarations", async () => {
    const { files, manifest } = await packed.contents(name);
    const { exports, imports, bin, dependencies } = JSON.parse(manifest);
    expect(JSON.stringify([exports, imports])).not.toMatch(/@bothends\/source|\/src\//);
    const targets = [...leaves(exports), ...leaves(imports), ...leaves(bin)].map((path) => path.replace("./", ""));
    expect(targets.filter((path) => !files.includes(path))).toEqual([]);
    expect(leaves(dependencies).filter((range) => !/^\^\d/.test(range))).toEqual([]);
    const allowed =
      /^(?:package\.json|LICENSE|THIRD-PARTY-LICENSES\.txt|README\.md|bothends\.schema\.json|(?:dist|docs|vendor|src)\/.*)$/;
    expect(files.filter((file) => !allowed.test(file) || file.endsWith(".tsbuildinfo"))).toEqual([]);
  });
});

test("the packed CLI contains its templates and the runtime", async () => {
  const { files } = await packed.contents("bothends");
  expect(files).toContain("dist/templates.cjs");
  expect(files).toContain("vendor/runtime/dist/core.js");
  expect(files.filter((file) => /^vendor\/.*\.map$/.test(file))).toEqual([]);
});

describe.sequential("in an empty folder", () => {
  beforeAll(async () => {
    packed.write("package.json", JSON.stringify({ name: "app", private: true, type: "module" }));
    const tarballs = packages.map((name) => packed.tarball(name));
    const { code, err } = await packed.run("npm", [
      "install",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      ...tarballs,
    ]);
    expect(code, err).toBe(0);
  }, 120_000);

  /** Runs the command line that npm installed. */
  const bothends = (parameters: readonly string[], folder?: string) =>
    packed.run(join(packed.app, "node_modules/.bin/bothends"), parameters, folder);

  test.concurrent.each([
    { parameters: ["--help"], code: 0, says: "Usage: bothends" },
    { parameters: ["generate", "--help"], code: 0, says: "--vendor-runtime" },
    { parameters: ["check", "--help"], code: 0, says: "Generate in memory, and show" },
    { parameters: ["scaffold", "server", "--help"], code: 0, says: "<name>" },
    { parameters: ["generate"], code: 2, says: "There is no file bothends.json" },
    { parameters: ["generate", "--bad"], code: 2, says: "unknown option '--bad'" },
    { parameters: ["generate", "--wsdl", "no.wsdl", "--out", "o"], code: 2, says: "no.wsdl: there is no such file" },
    { parameters: ["generate", "--index", "package.json", "--out", "o"], code: 1, says: "package.json:1:1: error" },
    { parameters: ["check", "--debug"], code: 2, says: "\n    at " },
  ])("bothends $parameters ends with $code", async ({ parameters, code, says }) => {
    const before = readdirSync(packed.app);
    const ran = await bothends(parameters);
    expect(ran.code, ran.err).toBe(code);
    expect(code === 0 ? [ran.out, ran.err] : [ran.err, ran.out]).toEqual([expect.stringContaining(says), ""]);
    expect(ran.out + ran.err).not.toContain("\u001b");
    if (!parameters.includes("--debug")) {
      expect(ran.err).not.toMatch(/\n +at /);
    }
    expect(readdirSync(packed.app)).toEqual(before);
  });

  const keepsCode = !("enableCompileCache" in nodeModule);

  test.runIf(keepsCode)("compiled code is cached, and missing or damaged code is compiled again", async () => {
    const cache = join(packed.app, "node_modules/bothends/node_modules/.cache");
    rmSync(cache, { recursive: true, force: true });
    const answers: unknown[] = [];
    const codes: string[] = [];
    const explain = async () => {
      answers.push(await bothends(["explain", "WSDL012"]));
      const [file = "", ...others] = readdirSync(cache).map((name) => join(cache, name));
      expect(others).toEqual([]);
      codes.push(createHash("sha256").update(readFileSync(file)).digest("hex"));
      return file;
    };
    await explain();
    const file = await explain();
    const damaged = readFileSync(file).fill(0, 100_000);
    writeFileSync(file, damaged);
    await explain();
    expect(answers[0]).toMatchObject({ code: 0, out: expect.stringContaining("WSDL012"), err: "" });
    expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
    expect(codes[1]).toBe(codes[0]);
    expect(codes[2]).not.toBe(createHash("sha256").update(damaged).digest("hex"));
  });

  test.runIf(keepsCode)("the compiled code of a large run is used again", { timeout: 60_000 }, async () => {
    const cache = join(packed.app, "node_modules/bothends/node_modules/.cache");
    rmSync(cache, { recursive: true, force: true });
    packed.write("large.wsdl", largeWsdl(3_000));
    const writtenFiles: unknown[] = [];
    for (const _ of ["compiling", "using"]) {
      const ran = await bothends(["generate", "--wsdl", "large.wsdl", "--out", "large", "--dry-run"]);
      expect(ran.code, ran.err).toBe(0);
      writtenFiles.push(readdirSync(cache).map((name) => [name, statSync(join(cache, name)).mtimeMs]));
    }
    expect(writtenFiles[0]).toHaveLength(3);
    expect(writtenFiles[1]).toEqual(writtenFiles[0]);
  });

  test("with the packages that the documented commands generate, a program serves and calls", {
    timeout: 240_000,
  }, async () => {
    const page = readFileSync(join(root, "README.md"), "utf8");
    const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, block = ""]) =>
      block.trim().split("\n"),
    );
    expect(blocks.map((lines) => lines.map((line) => line.split(" ").slice(0, 3).join(" ")))).toEqual([
      ["npm install --save-dev", "npx bothends init", "npm install ./generated/client", "npx tsc -b"],
      ["npx bothends scaffold", "npm install ./generated/server", "npm install --prefix", "npm test --prefix"],
      ["npm install --save-dev", "npx bothends init", "npm install ./generated/client", "npx tsc -b"],
      ["npx bothends diff", "npx bothends generate", "npx bothends scaffold"],
    ]);
    for (const file of ["reg.wsdl", "records.xsd"]) {
      packed.copy(`schemas/vehicle/${file}`, file);
    }
    packed.write("site/package.json", '{ "name": "site-project", "private": true, "type": "module" }');
    const site = await serveIndex(readFileSync(join(root, "packages/e2e/recorded/wordpress/index.json"), "utf8"));
    const tsc = join(root, "node_modules/.bin/tsc");
    const bin = join(packed.app, "node_modules/.bin/bothends");
    // Replacements in the documented commands: packages are installed from their tarballs, the compiler is already
    // installed, and the site is a local server.
    const substitutes: Readonly<Record<string, string>> = {
      "npm install --save-dev bothends typescript": `${bin} --version`,
      "npx bothends init https://site.example/": `${bin} init ${site.url}`,
      "npx tsc": tsc,
      "npm install": "npm install --omit=dev --prefer-offline",
      "npm test --prefix": `${tsc} -b generated/server && ${tsc} --typeRoots ${join(root, "node_modules/@types")} -p`,
    };
    for (const [index, lines] of blocks.entries()) {
      const folder = index === 2 ? join(packed.app, "site") : packed.app;
      for (const line of lines) {
        const [start = ""] = Object.keys(substitutes).filter((text) => line.startsWith(text));
        const { code, out, err } = await packed.run(
          "sh",
          ["-c", line.replace(start, substitutes[start] ?? start)],
          folder,
        );
        expect(code, `${line}\n${out}${err}`).toBe(0);
      }
    }
    await site.close();
    expect(
      leaves(JSON.parse(packed.read("generated/runtime/package.json"))).filter((each) => /^\.\/src/.test(each)),
    ).toEqual([]);

    packed.write(
      "main.js",
      `import { listen } from "@bothends/runtime/server/node";
import { RegClient } from "reg-client/reg";
import { regRoutes } from "reg-server/reg";
import { SiteClient } from "./site/generated/client/dist/site/index.js";

const handler = ({ RegistrationNumber }) => ({ vehicleData: { Description: RegistrationNumber } });
const handlers = new Proxy({}, { get: () => handler, has: () => true, getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: handler }) });
const server = await listen([regRoutes(handlers)], { port: 0, host: "127.0.0.1" });
const client = new RegClient({ baseUrl: server.url });
const answers = [];
for (const protocol of ["soap11", "soap12", "httpGet", "httpPost"])
  answers.push((await client.checkUSA({ RegistrationNumber: protocol, State: "NY", username: "u" }, { protocol }))?.vehicleData?.Description);
await server.close();
console.log(answers.join(), typeof new SiteClient({ siteUrl: server.url }).wp.posts.list);
`,
    );
    const { code, out, err } = await packed.run("node", ["main.js"]);
    expect([code, out.trim(), err]).toEqual([0, "soap11,soap12,httpGet,httpPost function", ""]);
  });

  test("from an index, packages and a server for them are generated", { timeout: 240_000 }, async () => {
    packed.copy("schemas/content/index.json", "site.json");
    const flags = ["--index", "site.json", "--out", "made", "--vendor-runtime"];
    for (const command of [["generate"], ["scaffold", "server", "my-site"]]) {
      const { code, err } = await bothends([...command, ...flags]);
      expect(code, err).toBe(0);
    }
    const made = (part: string) => join(packed.app, part === "my-site" ? part : `made/${part}`);
    // Each package is installed separately, in a folder that is not part of a program.
    const installs = ["contract", "client", "server", "my-site"].map((part) =>
      packed.run("npm", ["install", "--omit=dev", "--prefer-offline"], made(part)),
    );
    for (const { code, err } of await Promise.all(installs)) {
      expect(code, err).toBe(0);
    }
    expect((await packed.tsc("-b", made("client"), made("server"))).out).toBe("");
    const typeRoots = join(root, "node_modules/@types");
    expect((await packed.tsc("-p", made("my-site"), "--typeRoots", typeRoots)).out).toBe("");
    const { scripts } = JSON.parse(packed.read("my-site/package.json"));
    const tested = await packed.run("sh", ["-c", scripts.test.replace("tsc -b && ", "")], made("my-site"));
    expect(tested.code, tested.out).toBe(0);

    packed.write(
      "made/main.js",
      `import { SiteClient } from "./client/dist/site/index.js";
import { siteHandlers } from "../my-site/dist/site/handlers.js";
import { siteRoutes } from "./server/dist/site/index.js";
import { listen } from "../generated/runtime/dist/node-server.js";

const { core } = siteHandlers;
const update = (input, { method }) => ({ method, input });
const handlers = { ...siteHandlers, core: { ...core, blocks: { ...core.blocks, update } } };
const server = await listen([siteRoutes(handlers)], { port: 0, host: "127.0.0.1" });
const site = new SiteClient({ siteUrl: server.url });
const { method, input } = await site.core.blocks.update({ id: 7, status: "draft" }, { method: "PATCH" });
await server.close();
console.log(method, input.id, input.status);
`,
    );
    const { code, out, err } = await packed.run("node", ["made/main.js"]);
    expect([code, out.trim(), err]).toEqual([0, "PATCH 7 draft", ""]);
  });

  test("scaffold explains how to install ts-morph if the project links to a folder without it", async () => {
    await packed.run("mkdir", ["../linked"]);
    await packed.run("tar", ["-xzf", packed.tarball("bothends"), "-C", "../linked"]);
    const main = join(packed.path, "linked/package/dist/main.js");
    const scaffold = ["scaffold", "server", "linked-site", "--index", "site.json", "--out", "made", "--vendor-runtime"];
    expect((await packed.run("node", [main, ...scaffold])).code).toBe(0);
    const { code, err } = await packed.run("node", [main, ...scaffold]);
    expect([code, err]).toEqual([
      2,
      `error: The package ts-morph is not installed, but scaffold needs it to read the code of a server.
  help: The project links to ../linked/package, and npm does not install the dependencies of a linked package.
1 error; nothing written. Try npm install --omit=dev --prefix ../linked/package.
`,
    ]);
  });

  test("the generated packages of one project share the vendored runtime", () => {
    for (const folder of ["generated", "made"]) {
      const contract = nodeModule.createRequire(
        join(realpathSync(join(packed.app, folder, "contract")), "package.json"),
      );
      expect(contract.resolve("@bothends/runtime")).toBe(join(packed.app, "generated/runtime/dist/core.js"));
    }
  });

  test("the READMEs' examples compile under every strict flag, declarations of the runtime included", async () => {
    const examples = ["generated", "made"].flatMap((folder) =>
      ["client", "server"].flatMap((part) =>
        [...packed.read(`${folder}/${part}/README.md`).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => ({
          file: `${folder}/${part}/example.ts`,
          text: match[1] ?? "",
        })),
      ),
    );
    expect(examples).toHaveLength(4);
    for (const { file, text } of examples) {
      packed.write(file, text);
    }
    const { compilerOptions } = JSON.parse(packed.read("generated/client/tsconfig.json"));
    const { composite: _, tsBuildInfoFile: __, rootDir: ___, outDir: ____, ...strict } = compilerOptions;
    const typesOptions = {
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    packed.write(
      "tsconfig.json",
      JSON.stringify({ compilerOptions: { ...strict, ...typesOptions }, files: examples.map(({ file }) => file) }),
    );
    expect((await packed.tsc("-p", packed.app)).out).toBe("");
  });
});
