import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readFolder } from "../src/disk/index.js";
import { Diagnostics, type Generated, GenerationCache, generate, readConfig } from "../src/index.js";
import { goldenCases, refusalCases, warningCases } from "./cases/case.js";
import { generateCase } from "./cases/generate-case.js";

const workspace = join(import.meta.dirname, "../../..");
const templates = readFolder(join(workspace, "templates"));

const small = (name: string, schema: string) => `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:${name}" targetNamespace="urn:${name}">
<types><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:${name}" elementFormDefault="qualified">
${schema}
<xs:element name="Ask"><xs:complexType><xs:sequence><xs:element name="Key" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
<xs:element name="AskResponse"><xs:complexType><xs:sequence>
  <xs:element name="Shade" type="xs:string" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
</xs:schema></types>
<message name="In"><part name="parameters" element="t:Ask"/></message>
<message name="Out"><part name="parameters" element="t:AskResponse"/></message>
<portType name="${name}"><operation name="Ask"><input message="t:In"/><output message="t:Out"/></operation></portType>
<binding name="${name}" type="t:${name}"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
  <operation name="Ask"><soap:operation soapAction="urn:${name}/Ask"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
</binding>
<service name="${name}"><port name="${name}" binding="t:${name}"><soap:address location="http://shop.example/"/></port></service>
</definitions>`;

const shared = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:annotation><xs:documentation>See "http://docs.example/".</xs:documentation></xs:annotation>
<xs:complexType name="Colour"><xs:sequence><xs:element name="Name" type="xs:string"/></xs:sequence></xs:complexType>
</xs:schema>`;

const config = JSON.stringify({
  packages: {
    contract: { path: "packages/contract", name: "@many/contract" },
    client: { path: "packages/client", name: "@many/client" },
    server: { path: "packages/server", name: "@many/server" },
  },
  interfaces: {
    vehicle: { wsdl: ["vehicle/reg.wsdl", "vehicle/bespokeapi.wsdl"] },
    alpha: { wsdl: ["alpha.wsdl"] },
    beta: { wsdl: ["beta.wsdl"], lenient: true },
    content: { index: "index.json" },
  },
});

/** A part of the content index: all of it would be generated anew in each of hundreds of runs. */
function smallIndex(): string {
  const index = JSON.parse(readFileSync(join(workspace, "schemas/content/index.json"), "utf8"));
  index.routes = Object.fromEntries(Object.entries(index.routes).slice(0, 12));
  return JSON.stringify(index, null, 1);
}

const source = (path: string) => readFileSync(join(workspace, "schemas/vehicle", path), "utf8");

const original: Readonly<Record<string, string>> = {
  "bothends.json": config,
  "vehicle/reg.wsdl": source("reg.wsdl"),
  "vehicle/bespokeapi.wsdl": source("bespokeapi.wsdl"),
  "vehicle/records.xsd": source("records.xsd"),
  "alpha.wsdl": small("Alpha", '<xs:include schemaLocation="shared.xsd"/>'),
  "beta.wsdl": small("Beta", '<xs:include schemaLocation="shared.xsd"/>'),
  "shared.xsd": shared,
  "index.json": smallIndex(),
};

type Edit = (text: string, number: number) => string | undefined;

/** Edits that keep documents valid, and edits that break them. Undefined removes the file. */
const edits: Readonly<Record<string, Edit>> = {
  "rename an element": (text, number) => text.replace(/name="(Key|Shade|Name|RegNumber)\w*"/i, `name="$1${number}"`),
  "add an optional element": (text, number) =>
    text.replace("<xs:sequence>", `<xs:sequence><xs:element name="Extra${number}" type="xs:string" minOccurs="0"/>`),
  "repeat an element name that differs by case": (text) =>
    text.replace("<xs:sequence>", '<xs:sequence><xs:element name="shade" type="xs:string" minOccurs="0"/>'),
  "write credentials into addresses": (text) =>
    text.replace(/(http:\/\/)(?!\w+:\w+@)([\w.]+\/)(?=")/, "$1user:secret@$2"),
  "refer to an unknown type": (text) => text.replace('type="xs:string"', 'type="xs:sting"'),
  "cut the document": (text) => text.slice(0, -20),
  "add a document type declaration": (text) => `<!DOCTYPE x>\n${text}`,
  "use an include less": (text) => text.replace('<xs:include schemaLocation="shared.xsd"/>', ""),
  "import another file": (text) => text.replace('schemaLocation="shared.xsd"', 'schemaLocation="vehicle/records.xsd"'),
  "change white space": (text) => `${text}\n`,
  "remove the file": () => undefined,
  "make an interface lenient": (text) => text.replace('["alpha.wsdl"]', '["alpha.wsdl"],"lenient":true'),
  "exchange the sources of two interfaces": (text) =>
    text.replace("alpha.wsdl", "x").replace("beta.wsdl", "alpha.wsdl").replace('"x"', '"beta.wsdl"'),
};

function run(files: ReadonlyMap<string, string>, cache: GenerationCache | undefined): Generated | undefined {
  const diagnostics = new Diagnostics();
  const text = files.get("bothends.json") ?? "";
  const settings = readConfig({ path: "bothends.json", text }, diagnostics, { runtime: "^1.0.0" });
  return (
    settings &&
    generate({
      readFile: (path) => {
        const found = files.get(path);
        return found === undefined
          ? { kind: "problem", problem: "missing", message: "there is no such file" }
          : { kind: "file", bytes: new TextEncoder().encode(found) };
      },
      templates,
      config: settings,
      cache,
    })
  );
}

/** The results of a run that users see. */
function visible(generated: Generated | undefined) {
  return {
    tree: generated && [...generated.tree],
    diagnostics: generated?.diagnostics.map(({ code, severity, span, message, help }) => [
      code,
      severity,
      `${span.source.path}:${span.start}-${span.end}`,
      span.source.text.length,
      message,
      help,
    ]),
  };
}

const paths = Object.keys(original);
const step = fc.record({
  path: fc.constantFrom(...paths),
  edit: fc.constantFrom("restore", ...Object.keys(edits)),
  number: fc.integer({ min: 0, max: 3 }),
});

test("after any series of edits, a run with a cache gives the bytes and the diagnostics of a run without a cache", () => {
  let reused = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 12 }), (steps) => {
      const cache = new GenerationCache();
      const files = new Map(Object.entries(original));
      let last = run(files, cache);
      for (const { path, edit, number } of steps) {
        const text = edits[edit]?.(files.get(path) ?? "", number);
        const next = edit === "restore" ? original[path] : text;
        if (next === undefined) {
          files.delete(path);
        } else {
          files.set(path, next);
        }
        const cached = run(files, cache);
        expect(visible(cached)).toEqual(visible(run(files, undefined)));
        reused += cached?.contract.interfaces.some((each) => last?.contract.interfaces.includes(each)) ? 1 : 0;
        last = cached;
      }
    }),
    { numRuns: 14, seed: 20_261_122 },
  );
  expect(reused).toBeGreaterThan(30);
}, 120_000);

test("an edit of one interface does not change the others", () => {
  const cache = new GenerationCache();
  const files = new Map(Object.entries(original));
  const before = run(files, cache)?.contract.interfaces ?? [];
  files.set("vehicle/records.xsd", `${files.get("vehicle/records.xsd")}\n`);
  const after = run(files, cache)?.contract.interfaces ?? [];
  expect(after.map((each, index) => [each.name, each === before[index]])).toEqual([
    ["vehicle", false],
    ["alpha", true],
    // It shares a document with alpha.
    ["beta", false],
    ["content", true],
  ]);
});

test("a run that repeats all stages gives the same bytes and diagnostics, and does not change the cache", () => {
  const cache = new GenerationCache();
  const files = new Map(Object.entries(original));
  const before = run(files, cache);
  const repeated = run(files, cache.withoutStages());
  expect(repeated?.contract.interfaces.filter((each) => before?.contract.interfaces.includes(each))).toEqual([]);
  expect(visible(repeated)).toEqual(visible(before));
  const kept = run(files, cache)?.contract.interfaces.filter((each) => before?.contract.interfaces.includes(each));
  // One of the four shares a document with another, so its steps are always repeated.
  expect(kept).toHaveLength(3);
  for (const path of ["alpha.wsdl", "shared.xsd", "vehicle/reg.wsdl"]) {
    files.set(path, edits["add an optional element"]?.(files.get(path) ?? "", 1) ?? "");
    expect(visible(run(files, cache))).toEqual(visible(run(files, undefined)));
  }
});

test("a problem of a shared document is reported after the interface that reported it first stops using the document", () => {
  const cache = new GenerationCache();
  const files = new Map(Object.entries(original));
  files.set("shared.xsd", shared.replace("http://docs", "http://user:secret@docs"));
  const problemsOf = () =>
    run(files, cache)
      ?.diagnostics.filter(({ span }) => span.source.path === "shared.xsd")
      .map(({ code }) => code);
  const first = problemsOf();
  expect(first).toHaveLength(1);
  files.set("alpha.wsdl", small("Alpha", ""));
  expect(problemsOf()).toEqual(first);
});

/** Edits of XML by patterns; `place` chooses one of the matches. */
const xmlEdits: readonly ((text: string, place: number) => string)[] = [
  // Removes or repeats an element.
  (text, place) => changed(text, /<[\w:]+(?: [^<>]*)?\/>/g, place, () => ""),
  (text, place) => changed(text, /<[\w:]+(?: [^<>]*)?\/>/g, place, (element) => `${element}\n  ${element}`),
  // Removes or repeats a global declaration, a message or an operation.
  (text, place) => changed(text, /^ *<([\w:]+)[^>]*>[\s\S]*?<\/\1>\n/gm, place, () => ""),
  (text, place) => changed(text, /^ *<([\w:]+)[^>]*>[\s\S]*?<\/\1>\n/gm, place, (element) => element + element),
  // Renames something, or changes a reference or another value.
  (text, place) => changed(text, /name="\w+/g, place, (name) => `${name}2`),
  (text, place) => changed(text, /(?:type|ref|base|element|message)="[^"]*"/g, place, () => 'type="t:Other"'),
  (text, place) => changed(text, /="[^"]*"/g, place, () => '="1"'),
  // Adds an attribute, an id, text or white space.
  (text, place) => changed(text, /(?= name=)/g, place, () => ' minOccurs="0"'),
  (text, place) => changed(text, /(?= name=)/g, place, () => ' id="same"'),
  (text, place) => changed(text, /(?<=>)/g, place, () => "text &#38; <!-- comment -->"),
  (text, place) => changed(text, /(?<=>)/g, place, () => "\n\n"),
  // Cuts out a few characters, which usually leaves an invalid document.
  (text, place) => text.slice(0, place % text.length) + text.slice((place % text.length) + 9),
];

function changed(text: string, pattern: RegExp, place: number, replace: (match: string) => string): string {
  const matches = [...text.matchAll(pattern)];
  const match = matches[place % matches.length];
  return match === undefined
    ? text
    : text.slice(0, match.index) + replace(match[0]) + text.slice(match.index + match[0].length);
}

/** The schemas of all golden cases, warnings and refusals. */
const schemas = [goldenCases, warningCases, refusalCases].flatMap((casesOf) =>
  casesOf(import.meta.dirname).filter(({ input }) => [...input.keys()].some((path) => /\.(?:wsdl|xsd)$/.test(path))),
);

test("after random edits of one schema, valid or not, files and diagnostics are those of a run without a cache", () => {
  const random = fc.sample(fc.array(fc.nat(1_000_000), { minLength: 18, maxLength: 18 }), {
    numRuns: schemas.length,
    seed: 20_261_123,
  });
  let generated = 0;
  for (const [index, schema] of schemas.entries()) {
    const cache = new GenerationCache();
    const sources = [...schema.input.keys()].filter((path) => /\.(?:wsdl|xsd)$/.test(path));
    const numbers = random[index] ?? [];
    const input = new Map(schema.input);
    for (let step = 0; step < numbers.length; step += 3) {
      const [which = 0, edit = 0, place = 0] = numbers.slice(step);
      const path = sources[which % sources.length] ?? "";
      // Most edits are of the last state, so that several of them add up.
      const text = new TextDecoder().decode((which % 3 === 0 ? schema.input : input).get(path));
      const edited = { ...schema, input };
      if (step === 0) {
        generateCase(edited, cache);
      }
      input.set(path, new TextEncoder().encode(xmlEdits[edit % xmlEdits.length]?.(text, place) ?? text));
      const after = generateCase(edited, cache);
      const whole = generateCase(edited);
      const name = `${schema.area}/${schema.name} ${numbers.slice(0, step + 3)}`;
      expect([name, after.text, [...after.tree]]).toEqual([name, whole.text, [...whole.tree]]);
      generated += after.tree.size > 0 ? 1 : 0;
    }
  }
  expect(schemas.length).toBeGreaterThan(100);
  expect(generated).toBeGreaterThan(150);
}, 240_000);
