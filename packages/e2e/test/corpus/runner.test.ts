import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contract } from "@bothends/generator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findDanglingReferences } from "../../src/corpus/dangling-references.js";
import { findJobs } from "../../src/corpus/find-jobs.js";
import { type Job, type JobSettings, noCalls, noDocuments, noInstances, type Outcome } from "../../src/corpus/job.js";
import { parseOutside } from "../../src/corpus/outside-xml.js";
import { compareBaseline, formatHeadline, report, summarize } from "../../src/corpus/report.js";
import { runJob } from "../../src/corpus/run-job.js";
import { checkTypes } from "../../src/corpus/type-check.js";
import { listDroppedEndpoints, listDroppedOperations } from "../../src/corpus/wsdl-source.js";
import { root } from "../house/sources.js";

const service = `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
  <w:types><x:schema targetNamespace="urn:t" elementFormDefault="qualified"><x:include schemaLocation="types.xsd"/>
    <x:element name="Op"><x:complexType><x:sequence>
      <x:element name="code" type="t:Code"/><x:choice><x:element name="a" type="x:int"/><x:element name="b" type="x:date"/></x:choice>
      <x:element name="when" type="x:dateTime" minOccurs="0" maxOccurs="unbounded"/>
    </x:sequence></x:complexType></x:element></x:schema></w:types>
  <w:message name="In"><w:part name="p" element="t:Op"/></w:message>
  <w:portType name="P"><w:operation name="Op"><w:input message="t:In"/></w:operation></w:portType>
  <w:binding name="B" type="t:P"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/><w:operation name="Op"><w:input><s:body use="literal"/></w:input></w:operation></w:binding>
</w:definitions>`;
const types = `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:simpleType name="Code"><x:restriction base="x:string"><x:pattern value="[A-C]{2}\\d{3}(-x)?"/></x:restriction></x:simpleType></x:schema>`;
const alone = `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:element name="n" type="x:int"/></x:schema>`;
const dangling = service.replace("t:In", "t:Im");
const index = { routes: { "/x/v1/things": { endpoints: [{ methods: ["GET", "POST"], args: [] }] } } };
const manifest = [
  {
    id: "set/n",
    schemaDocuments: ["n.xsd"],
    schemaValidity: "valid",
    instances: [
      { file: "one.xml", validity: "valid" },
      { file: "x.xml", validity: "invalid" },
    ],
  },
  { id: "set/wrong", schemaDocuments: ["wrong.xsd"], schemaValidity: "invalid" },
];

let folder = "";
let settings: JobSettings;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bothends-corpus-test-"));
  const files: Readonly<Record<string, string>> = {
    "corpus/a.wsdl": service,
    "corpus/types.xsd": types,
    "corpus/alone.xsd": alone,
    "corpus/dangling.wsdl": dangling,
    "corpus/index.json": JSON.stringify(index),
    "corpus/other.json": "[]",
    "corpus/suite/manifest.json": JSON.stringify(manifest),
    "corpus/suite/n.xsd": alone,
    "corpus/suite/wrong.xsd": alone.replace("<x:element", '<x:element minOccurs="0"'),
    "corpus/suite/one.xml": "<n>1</n>",
    "corpus/suite/x.xml": "<n>x</n>",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  settings = {
    corpusFolder: join(folder, "corpus"),
    outputFolder: join(folder, "out"),
    lenient: false,
    withInstances: true,
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const jobNamed = (name: string) => {
  const job = findJobs(settings.corpusFolder).find((candidate) => candidate.name === name);
  if (job === undefined) {
    throw new Error(`no job ${name}`);
  }
  return job;
};

test("finds WSDLs, schemas that no file refers to, indexes and schema tests", () => {
  expect(findJobs(settings.corpusFolder).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "wsdl a.wsdl",
    "wsdl dangling.wsdl",
    "schemas alone.xsd",
    "index index.json",
    "schemas suite/set/n",
    "schemas suite/set/wrong",
  ]);
});

test("a WSDL is complete, and instances of its messages are valid by its schema", async () => {
  const { outcome, problems, operations, instances } = await runJob(jobNamed("a.wsdl"), settings);
  expect({ outcome, problems, operations }).toEqual({ outcome: "complete", problems: [], operations: 1 });
  expect(instances).toMatchObject({ messages: 1, madeCount: 3, problems: [] });
});

test("a WSDL with a dangling reference is refused with its position, and complete when read leniently", async () => {
  const refused = await runJob(jobNamed("dangling.wsdl"), settings);
  expect(refused.outcome).toBe("refused");
  expect(refused.problems).toEqual([
    { kind: "wsdl.unknown-message", text: expect.stringContaining("dangling.wsdl:8:") },
  ]);
  const lenient = await runJob(jobNamed("dangling.wsdl"), { ...settings, lenient: true });
  expect(lenient.outcome).toBe("complete");
});

test("documents of a schema test are read if valid and refused if not", async () => {
  const { outcome, documents } = await runJob(jobNamed("suite/set/n"), settings);
  expect(outcome).toBe("complete");
  expect(documents).toEqual({ valid: { right: 1, all: 1 }, invalid: { right: 1, all: 1 }, problems: [] });
});

const testSuite = join(root, "../shared/corpora/xsd/ms");
const hasTestSuite = existsSync(testSuite);
if (!hasTestSuite) {
  process.stderr.write(`Skipped: the documents of the XML Schema Test Suite, because there is no ${testSuite}.\n`);
}

// In all these documents, adjacent occurrences of a group share a run of one element: `a a` can be two occurrences of
// `(a+)`.
describe.skipIf(!hasTestSuite)("the XML Schema Test Suite's documents with groups that repeat", () => {
  test.each(["ctZ006", "ctZ009", "ctZ009_d"])("%s: the document is read strictly", async (name) => {
    const paths = [`msData/complexType/${name}.xsd`];
    const documents = [{ path: `msData/complexType/${name}.xml`, isValid: true }];
    const job: Job = { id: 0, kind: "schemas", name, paths, documents, isInvalid: false };
    const result = await runJob(job, { ...settings, corpusFolder: testSuite, withInstances: false });
    expect(result.documents).toEqual({ valid: { right: 1, all: 1 }, invalid: { right: 0, all: 0 }, problems: [] });
  });
});

test("an accepted invalid schema counts as warned, with its warnings", async () => {
  const { outcome, problems } = await runJob(jobNamed("suite/set/wrong"), settings);
  expect([outcome, problems.map(({ kind }) => kind)]).toEqual(["warned", ["xsd.misplaced-attribute"]]);
});

test("a WSDL that only our reader refuses is eligible, but not a WSDL that no parser accepts", async () => {
  const results = { "doctype.wsdl": `<!DOCTYPE w>${service}`, "broken.wsdl": service.replace("</w:message>", "") };
  for (const [path, text] of Object.entries(results)) {
    writeFileSync(join(settings.corpusFolder, path), text);
  }
  const jobOf = (path: string) => ({ ...jobNamed("a.wsdl"), paths: [path] });
  expect(await runJob(jobOf("doctype.wsdl"), settings)).toMatchObject({
    outcome: "refused",
    problems: [{ kind: "xml.dtd" }],
  });
  expect(await runJob(jobOf("broken.wsdl"), settings)).toMatchObject({ outcome: "ineligible" });
  rmSync(join(settings.corpusFolder, "doctype.wsdl"));
  rmSync(join(settings.corpusFolder, "broken.wsdl"));
});

test("the root of a WSDL is the one that the command line would choose", async () => {
  const project = join(settings.corpusFolder, "project");
  const inProject = service.replace("types.xsd", "../types.xsd");
  for (const name of ["open", "closed"]) {
    mkdirSync(join(project, name), { recursive: true });
    writeFileSync(join(project, name, "a.wsdl"), inProject);
  }
  writeFileSync(join(project, "types.xsd"), types);
  writeFileSync(join(project, "closed/package.json"), "{}");
  const run = (path: string) => runJob({ ...jobNamed("a.wsdl"), paths: [path] }, settings);
  expect(await run("project/open/a.wsdl")).toMatchObject({ outcome: "complete" });
  expect(await run("project/closed/a.wsdl")).toMatchObject({
    outcome: "refused",
    problems: [{ kind: "import.outside" }],
  });
  rmSync(project, { recursive: true });
});

const empty: Contract = { interfaces: [] };

const thing = { id: { type: "integer", minimum: 3 }, tags: { type: "array", items: { type: "string" } } };
const called = {
  routes: {
    "/x/v1/things": { endpoints: [{ methods: ["GET", "POST"], args: thing }] },
    "/x/v1/things/?": { endpoints: [{ methods: ["GET"], args: [] }] },
    "/x/v1/things(?:/(?P<id>\\d+))?/tags": { endpoints: [{ methods: ["GET"], args: thing }] },
    "/x/v1/modes/(?P<mode>on|off)": {
      endpoints: [{ methods: ["PUT"], args: { context: { type: "string", enum: ["edit"], default: "view" } } }],
    },
    "/x/v1/never": {
      endpoints: [{ methods: ["GET"], args: { a: { type: "string", required: true, pattern: "^(?=a)b" } } }],
    },
  },
};

test("every endpoint of an index is called, and endpoints that no call reaches are named", async () => {
  writeFileSync(join(folder, "called.json"), JSON.stringify(called));
  const job = { ...jobNamed("index.json"), paths: ["called.json"] };
  const { outcome, calls } = await runJob(job, { ...settings, corpusFolder: folder });
  expect(outcome).toBe("complete");
  expect(calls).toMatchObject({ endpoints: 5, called: 4 });
  expect(calls.problems).toEqual([
    {
      kind: "call.elsewhere",
      text: expect.stringContaining("(/x/v1/things/?): the call reached x.things.list instead"),
    },
  ]);
});

test("operations and endpoints that the contract lacks count as dropped", () => {
  const binding = { name: "B", protocol: "soap11", operations: new Map([["Op", 1]]) } as const;
  expect(listDroppedOperations([binding], empty).map(({ text }) => text)).toEqual([
    'Operation "Op" of binding "B" (soap11) was dropped.',
  ]);
  expect(listDroppedEndpoints(index, empty).map(({ text }) => text)).toEqual([
    "Endpoint GET /x/v1/things was dropped.",
    "Endpoint POST /x/v1/things was dropped.",
  ]);
});

test("a WSDL is resolved if an independent parser finds no unresolved reference", () => {
  const dangling = (text: string, included = types) =>
    findDanglingReferences([text, included].map((each) => parseOutside(new TextEncoder().encode(each))));
  expect(dangling(service)).toEqual([]);
  expect(dangling(service.replace("t:In", "t:Im"))).toEqual(["message t:Im"]);
  const [bound] = /<w:operation name="Op"><w:input><s/.exec(service) ?? [""];
  expect(dangling(service.replace(bound, bound.replace('"Op"', '"Or"')))).toEqual(["operation t:P/Or"]);
  expect(dangling(service.replace('element="t:Op"', 'element="Op"'))).toEqual([]);
  expect(dangling(service.replace("x:dateTime", "x:datetime"))).toEqual(["type x:datetime"]);
  expect(dangling(service.replace("t:Code", "u:Code"))).toEqual(["type u:Code"]);
  expect(dangling(service, alone)).toEqual(["type t:Code"]);
});

test("type errors in the output are found", async () => {
  const output = join(folder, "broken");
  mkdirSync(join(output, "7", "contract", "src"), { recursive: true });
  writeFileSync(join(output, "7", "contract", "package.json"), '{ "type": "module" }');
  writeFileSync(join(output, "7", "contract", "src", "index.ts"), 'export const wrong: number = "text";\n');
  const errors = await checkTypes(output, [7], 10);
  expect([...errors].map(([id, problems]) => [id, problems.map(({ kind }) => kind)])).toEqual([
    [7, ["type-error.TS2322"]],
  ]);
});

test("a total that decreased is reported", () => {
  expect(compareBaseline({ complete: 3, operations: 5 }, { complete: 2, operations: 5 })).toEqual([
    "complete decreased from 3 to 2",
  ]);
});

const summaryOf = (job: Job, outcomes: readonly Outcome[]) => {
  const results = outcomes.map((outcome, id) => ({
    ...{ id, outcome, problems: [], documents: noDocuments, instances: noInstances, calls: noCalls },
    ...{ operations: 1, seconds: 0, memory: 0 },
  }));
  return summarize(
    outcomes.map((_, id) => ({ ...job, id })),
    results,
    new Map(),
  );
};

test("the totals of a corpus are on one line", () => {
  const summary = (outcomes: readonly Outcome[]) => summaryOf(jobNamed("a.wsdl"), outcomes);
  const usual = summary(["complete", "refused", "refused", "incomplete", "ineligible"]);
  expect([...usual.refused]).toEqual([1, 2]);
  expect(formatHeadline("wsdl", usual, summary(["complete", "refused"]))).toBe(
    "wsdl: of 4 eligible sources, 4 have no unresolved references; 1 complete without --lenient (25.0 % of the sources without unresolved references), 1 complete with --lenient, which reports their mistakes,\n" +
      "  1 incomplete (the problems list the parts that were left out), 1 refused: 50.0 % complete",
  );
});

test("the report of schema tests separates refused, warned and accepted schemas", () => {
  const options = { name: "xsd", lenient: false, seconds: 1, verbose: false };
  const textOf = (name: string, outcomes: readonly Outcome[]) => report(summaryOf(jobNamed(name), outcomes), options);
  expect(textOf("suite/set/n", ["complete", "complete", "refused"])).toContain(
    "  2 of 3 valid schemas complete (66.7 %)",
  );
  expect(textOf("suite/set/wrong", ["complete", "warned", "accepted", "accepted"])).toContain(
    "  2 of 4 invalid schemas reported (50.0 %): 1 refused, 1 with warnings",
  );
});

test("if a corpus contains other sources than WSDLs, its totals also list the WSDLs separately", () => {
  const wsdls = summaryOf(jobNamed("a.wsdl"), ["complete", "complete", "complete", "refused"]);
  const mixed = { ...wsdls, sources: 10, complete: 5, resolved: 9, resolvedComplete: 5 };
  expect(formatHeadline("held", mixed, summaryOf(jobNamed("a.wsdl"), ["complete"]))).toContain(
    "  WSDLs: 3 of 4 without unresolved references were generated completely (75.0 %); with --lenient, 4 of all 4 (100.0 %)",
  );
});
