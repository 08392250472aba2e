import { expect, test } from "vitest";
import { readConfig, readConfigFromFlags } from "../../../src/read/config/read-config.js";
import { Diagnostics } from "../../../src/source/diagnostics.js";
import { getPosition } from "../../../src/source/span.js";

const packages = {
  contract: { path: "packages/contract", name: "@x/contract" },
  client: { path: "packages/client", name: "@x/client" },
  server: { path: "packages/server", name: "@x/server" },
};
const interfaces = { vehicle: { wsdl: ["a.wsdl"] } };
const defaults = { runtime: "^1.0.0" };

test.each([
  { given: '{"depth": 1e999}', want: ["CFG005"] },
  { given: '{"depth": 9007199254740993}', want: ["CFG005"] },
  { given: '{"depth": "\\ud800"}', want: ["CFG005"] },
  { given: '{"\\ud800": 1}', want: ["CFG003"] },
  { given: '{"__proto__": 1}', want: ["CFG003"] },
])("the limits $given are one error in the configuration", ({ given, want }) => {
  const text = JSON.stringify({ packages, interfaces }).replace(/\}$/, `,"limits":${given}}`);
  const diagnostics = new Diagnostics();
  expect(readConfig({ path: "bothends.json", text }, diagnostics, defaults)).toBeUndefined();
  expect(diagnostics.all.map(({ code }) => code)).toEqual(want);
});

function read(config: unknown, path = "bothends.json") {
  const diagnostics = new Diagnostics();
  const text = typeof config === "string" ? config : JSON.stringify(config, null, 1);
  const result = readConfig({ path, text }, diagnostics, defaults);
  return {
    config: result,
    problems: diagnostics.all.map(
      ({ code, message, help }) => `${code} ${message}${help === undefined ? "" : ` ${help}`}`,
    ),
    places: diagnostics.all.map(({ span }) => getPosition(span.source, span.start)),
  };
}

test("reads the folder that the runtime is written to", () => {
  const { config } = read({ packages, runtime: { path: "packages/runtime" }, interfaces }, "sub/bothends.json");
  expect([config?.runtime, config?.runtimeFolder]).toEqual(["^1.0.0", "sub/packages/runtime"]);
});

test.each([
  { runtime: {}, problem: /^CFG004 / },
  { runtime: { path: "packages/client/runtime" }, problem: /^CFG009 The folder "packages\/client\/runtime"/ },
  { runtime: { path: "../runtime" }, problem: /^CFG006 / },
  { runtime: 1, problem: /^CFG005 / },
])("refuses the runtime $runtime", ({ runtime, problem }) => {
  expect(read({ packages, runtime, interfaces }).problems).toEqual([expect.stringMatching(problem)]);
});

test("reads a SOAP interface with all its members", () => {
  const { config, problems } = read({
    $schema: "x",
    packages,
    runtime: "workspace:^",
    interfaces: {
      vehicle: {
        wsdl: ["schemas/a.wsdl", "./schemas//b.wsdl"],
        ambient: ["username"],
        wireNames: { namespaces: { reg: "urn:reg" }, operations: ["Check"] },
        soap12Action: true,
        lenient: true,
        typeMap: { dateTime: "Date" },
        operations: ["Check"],
        names: { Check: "check" },
      },
    },
  });
  expect(problems).toEqual([]);
  expect(config?.runtime).toBe("workspace:^");
  expect(config?.packages).toEqual(packages);
  expect(config?.interfaces[0]).toMatchObject({
    kind: "soap",
    name: "vehicle",
    wsdl: [{ path: "schemas/a.wsdl" }, { path: "schemas/b.wsdl" }],
    ambient: [{ name: "username" }],
    wireNames: { namespaces: [{ slot: "reg", namespace: "urn:reg" }], operations: [{ name: "Check" }] },
    soap12Action: true,
    lenient: true,
    operations: [{ name: "Check" }],
  });
  const [soap] = config?.interfaces ?? [];
  expect(soap?.kind === "soap" && soap.typeMap.get("dateTime")).toMatchObject({ type: "Date" });
});

test("reads a REST interface with its base", () => {
  const { config, problems } = read({
    packages,
    interfaces: {
      content: {
        index: "index.json",
        base: { path: "/{lang}/api", values: { lang: ["en", "pt-pt"] }, language: { variable: "lang", argument: "l" } },
        wireNames: { segments: ["seo"] },
        names: { "POST /x/v1/things": "x.things.add" },
      },
    },
  });
  expect(problems).toEqual([]);
  expect(config?.interfaces[0]).toMatchObject({
    kind: "rest",
    index: { path: "index.json" },
    base: {
      path: "/{lang}/api",
      values: new Map([["lang", ["en", "pt-pt"]]]),
      language: { variable: "lang", argument: "l" },
    },
    wireNames: { segments: [{ name: "seo" }] },
    routes: undefined,
  });
});

test("absent members have their defaults", () => {
  const { config } = read({ packages, interfaces: { vehicle: { wsdl: ["a.wsdl"] }, content: { index: "i.json" } } });
  expect(config?.runtime).toBe("^1.0.0");
  expect(config?.interfaces).toMatchObject([
    { ambient: [], soap12Action: false, lenient: false, operations: undefined },
    { base: { path: "/wp-json", language: undefined }, routes: undefined },
  ]);
});

test("paths are relative to the folder of the configuration", () => {
  const { config } = read(
    { packages, interfaces: { vehicle: { wsdl: ["../shared/a.wsdl"] } } },
    "project/bothends.json",
  );
  expect(config?.packages.client.path).toBe("project/packages/client");
  expect(config?.interfaces[0]).toMatchObject({ wsdl: [{ path: "shared/a.wsdl" }] });
});

test("comments are allowed", () => {
  expect(read(`// a comment\n${JSON.stringify({ packages, interfaces })}`).problems).toEqual([]);
});

test("keys such as __proto__ are allowed in maps and unknown in other objects", () => {
  const text = `{"packages": ${JSON.stringify(packages)}, "__proto__": 1, "interfaces": {"a": {"wsdl": ["a"], "names": {"__proto__": "p"}}}}`;
  expect(read(text).problems[0]).toContain('CFG003 Unknown member "__proto__"');
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

const soap = (members: object) => ({ packages, interfaces: { vehicle: { wsdl: ["a.wsdl"], ...members } } });
const rest = (members: object) => ({ packages, interfaces: { content: { index: "i.json", ...members } } });
const folder = (path: string) => ({ packages: { ...packages, client: { path, name: "c" } }, interfaces });
const packageName = (name: string) => ({ packages: { ...packages, client: { path: "c", name } }, interfaces });
const called = (name: string) => ({ packages, interfaces: { [name]: { wsdl: ["a.wsdl"] } } });

test("reads one package with three parts, and limits", () => {
  const combined = { path: "all", name: "@x/all" };
  const { config } = read({ packages: combined, interfaces, limits: { depth: 0 } });
  expect(config?.packages.client).toEqual({ ...combined, part: "client" });
  expect(Object.values(config?.packages ?? {}).map(({ part }) => part)).toEqual(["contract", "client", "server"]);
  expect(config?.limits).toEqual({ depth: 0 });
});

test.each([
  { given: "", want: "CFG001" },
  { given: "{", want: "CFG001" },
  { given: '{"a": 1,}', want: "CFG001" },
  { given: "{'a': 'b'}", want: "CFG001 The configuration has a string in single quotes." },
  { given: `{"packages": {}, "packages": {}}`, want: "CFG002 The member /packages occurs twice." },
  { given: "[1]", want: "CFG005 The configuration must be an object." },
  {
    given: { packages, interfaces, runtme: "x" },
    want: 'CFG003 Unknown member "runtme" in the configuration. Did you mean "runtime"?',
  },
  { given: { packages: { path: "x" }, interfaces }, want: 'CFG004 A package lacks the required member "name".' },
  {
    given: { packages: { path: "x", name: "x", client: packages.client }, interfaces },
    want: 'CFG003 Unknown member "client" in a package.',
  },
  { given: { packages, interfaces, limits: { depht: 1 } }, want: 'Did you mean "depth"?' },
  { given: { packages, interfaces, limits: { depth: -1 } }, want: 'CFG005 "depth" must be a whole number, 0 or more.' },
  { given: soap({ tolerate: ["nill"] }), want: 'CFG005 The value "nill" in "tolerate" is not allowed.' },
  { given: soap({ tolerate: "nil" }), want: 'CFG005 "tolerate" must be a list of strings.' },
  { given: soap({ conventions: "dotnet" }), want: 'CFG005 "conventions" must be "standard" or "asmx".' },
  { given: soap({ typeFiles: "many" }), want: 'CFG005 "typeFiles" must be "one" or "namespace".' },
  { given: { packages, interfaces, qqqqqq: 1 }, want: 'Allowed members: "$schema", "packages"' },
  { given: { interfaces }, want: 'CFG004 The configuration lacks the required member "packages".' },
  { given: { packages }, want: 'CFG004 The configuration lacks the required member "interfaces".' },
  {
    given: { packages: { client: packages.client, server: packages.server }, interfaces },
    want: 'CFG004 "packages" lacks the required member "contract".',
  },
  {
    given: { packages: { ...packages, cleint: packages.client }, interfaces },
    want: 'CFG003 Unknown member "cleint" in "packages". Did you mean "client"?',
  },
  {
    given: { packages: { path: "x", name: "x", parts: ["clients"] }, interfaces },
    want: 'CFG005 The value "clients" in "parts" is not allowed.',
  },
  {
    given: { packages: { path: "x", name: "x", parts: [] }, interfaces },
    want: 'CFG005 "parts" must have at least one value.',
  },
  {
    given: { packages: { ...packages, client: { path: "x" } }, interfaces },
    want: 'CFG004 A package lacks the required member "name".',
  },
  { given: { packages, interfaces: [] }, want: 'CFG005 "interfaces" must be an object.' },
  { given: { packages, interfaces: {} }, want: "CFG010" },
  { given: soap({ wsdl: [] }), want: "CFG010" },
  { given: soap({ wsdl: "a.wsdl" }), want: 'CFG005 "wsdl" must be a list of strings.' },
  { given: soap({ wsdl: [1] }), want: 'CFG005 An item of "wsdl"' },
  { given: soap({ wsdl: ["a", "a"] }), want: "CFG013" },
  { given: soap({ index: "i" }), want: 'has both "wsdl" and "index"' },
  { given: { packages, interfaces: { a: {} } }, want: 'has neither "wsdl" nor "index"' },
  { given: soap({ soap12Action: 1 }), want: "CFG005" },
  { given: soap({ ambient: [""] }), want: "CFG005" },
  { given: soap({ ambient: ["a\nb"] }), want: "CFG005" },
  { given: soap({ wireNames: { namespaces: { a: "urn:x", b: "urn:x" } } }), want: "CFG013" },
  { given: soap({ routes: [] }), want: 'CFG003 Unknown member "routes" in interface "vehicle".' },
  { given: soap({ wsdl: ["/etc/x"] }), want: "CFG006" },
  { given: soap({ wsdl: ["../x"] }), want: "leads outside the root. Set a wider root with --root" },
  { given: soap({ wsdl: ["http://x/y"] }), want: "is an address" },
  { given: soap({ wsdl: ["C:\\x"] }), want: "is not relative" },
  { given: soap({ wsdl: ["a\\b"] }), want: "CFG006" },
  { given: folder("."), want: "CFG006" },
  { given: folder("../c"), want: "CFG006" },
  { given: folder("a/CON"), want: "every file system" },
  { given: folder("a."), want: "every file system" },
  { given: folder("x".repeat(241)), want: "every file system" },
  { given: folder("xy/".repeat(1400)), want: "has more than 4000 characters" },
  { given: folder("packages/contract"), want: "CFG009" },
  { given: folder("packages/Contract/x"), want: "CFG009" },
  { given: packageName("@x/server"), want: "CFG009" },
  ...["Upper", "@a/b/c", "a b", ".x", "", "../x", "node_modules"].map((name) => ({
    given: packageName(name),
    want: /CFG00[57]/,
  })),
  ...["", "Upper", "1a", "a.b", "../x", "con", "index", "__proto__x", "a".repeat(65)].map((name) => ({
    given: called(name),
    want: "CFG008",
  })),
  {
    given: { packages, interfaces: { ab: { wsdl: ["a"] }, aB: { wsdl: ["a"] } } },
    want: "differ only in letter case",
  },
  { given: rest({ base: { path: "/{lang}/api" } }), want: "{lang} of the base path has no values" },
  { given: rest({ base: { path: "/api", values: { lang: ["en"] } } }), want: "has no variable {lang}" },
  { given: rest({ base: { path: "/{l}", values: { l: [] } } }), want: "at least one value" },
  { given: rest({ base: { path: "/{l}", values: { l: ["a/b"] } } }), want: "segment of a path" },
  { given: rest({ base: "api" }), want: "CFG012" },
  { given: rest({ base: "/a/../b" }), want: "CFG012" },
  { given: rest({ base: { path: "/x", language: { variable: "lang" } } }), want: "has no variable {lang}" },
  { given: `${"[".repeat(20)}${"]".repeat(20)}`, want: "CFG014" },
  { given: " ".repeat(1_100_000), want: "CFG014" },
])("refuses $given", ({ given, want }) => {
  const { config, problems } = read(given);
  expect(config).toBeUndefined();
  expect(problems.join("\n")).toMatch(want);
});

test("all problems are reported with line and column", () => {
  const { places, problems } = read('{\n  "runtme": 1,\n  "packages": 2,\n  "interfaces": {"A": {}}\n}');
  expect(problems.map((each) => each.slice(0, 6))).toEqual(["CFG003", "CFG005", "CFG004", "CFG008"]);
  expect(places[0]).toEqual({ line: 2, column: 3 });
  expect(places.at(-1)).toEqual({ line: 4, column: 18 });
});

test("flags replace a configuration", () => {
  const diagnostics = new Diagnostics();
  const flags = { wsdl: ["in/Stock Quote.v2.wsdl"], index: undefined, name: undefined };
  const config = readConfigFromFlags(flags, diagnostics, defaults);
  expect(diagnostics.all).toEqual([]);
  expect(config?.packages.client).toEqual({ path: "client", name: "stock-quote-v2-client" });
  expect(config?.interfaces).toMatchObject([
    { kind: "soap", name: "stock-Quote-v2", wsdl: [{ path: "in/Stock Quote.v2.wsdl" }] },
  ]);
});

test.each([
  { file: "größe é.wsdl", want: "grosse-e" },
  { file: "Øresund Æ.wsdl", want: "oresund-ae" },
  { file: "注文.wsdl", want: "service" },
  { file: "GDSQueue.wsdl", want: "gdsQueue" },
  { file: "EC2.wsdl", want: "ec2" },
  { file: "Air.wsdl", want: "air" },
  { file: "EPCglobal-epcis.wsdl", want: "epCglobal-epcis" },
  { file: "AService.wsdl", want: "aService" },
])("the interface of $file is called $want", ({ file, want }) => {
  const config = readConfigFromFlags({ wsdl: [file], index: undefined, name: undefined }, new Diagnostics(), defaults);
  expect(config?.interfaces.map(({ name }) => name)).toEqual([want]);
});

test("flags can define one interface of each kind", () => {
  const config = readConfigFromFlags(
    { wsdl: ["a.wsdl"], index: "a.json", name: undefined },
    new Diagnostics(),
    defaults,
  );
  expect(config?.interfaces.map(({ name }) => name)).toEqual(["a", "a-rest"]);
});

const indexNames = [
  { given: { index: "shop.json" }, want: "shop" },
  { given: { index: "index.json", siteName: "My Shop" }, want: "my-Shop" },
  { given: { index: "wp-json.json", siteName: "My Shop" }, want: "my-Shop" },
  { given: { index: "2026.json", siteName: "My Shop" }, want: "my-Shop" },
  { given: { index: "shop/index.json" }, want: "shop" },
  { given: { index: "index.json", folderName: "shop" }, want: "shop" },
  { given: { index: "index.json", siteName: "サイト" }, want: "site" },
];

test.each(indexNames)("the interface of $given is called $want", ({ given, want }) => {
  const config = readConfigFromFlags({ wsdl: [], name: undefined, ...given }, new Diagnostics(), defaults);
  expect(config?.interfaces.map(({ name }) => name)).toEqual([want]);
});

test("the name in the flags is checked like any other", () => {
  const diagnostics = new Diagnostics();
  expect(
    readConfigFromFlags({ wsdl: ["a.wsdl"], index: undefined, name: "../x" }, diagnostics, defaults),
  ).toBeUndefined();
  expect(diagnostics.all[0]?.code).toMatch(/CFG00[78]/);
});
