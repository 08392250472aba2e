import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { type InterfaceSettings, serviceOf } from "./pairs/service.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";
import { callSoap } from "./proof/soap-calls.js";

// Operations exchange their names, while their messages, actions and locations stay. On the wire, nothing changes.

const member = (name: string, type: string) => `<element name="${name}" type="${type}"/>`;
const put = { name: "Put", members: member("item", "string"), answer: member("id", "int") };
const drop = { name: "Drop", members: member("id", "int"), answer: member("done", "boolean") };
const find = { name: "Find", members: member("like", "string"), answer: member("found", "long") };
const operations = [put, drop, find];

const exchange = { Put: "Drop", Drop: "Put" };
const rotation = { Put: "Drop", Drop: "Find", Find: "Put" };

/** Renames the operations of a service, without their messages, actions and locations. */
function renamed({ "s.wsdl": text = "" }: Sources, names: Readonly<Record<string, string>>): Sources {
  return {
    "s.wsdl": text.replace(/(?<=<operation name=")\w+/g, (name) => names[name] ?? name),
  };
}

/** Replaces texts of a WSDL. */
function edited({ "s.wsdl": text = "" }: Sources, ...edits: readonly (readonly [from: string | RegExp, to: string])[]) {
  return {
    "s.wsdl": edits.reduce((whole, [from, to]) => {
      expect(whole).toMatch(from);
      return whole.replaceAll(from, to);
    }, text),
  };
}

const service = (init: InterfaceSettings = {}) => serviceOf({ operations, ...init });
/** A service whose requests have no element, but an action. */
const withoutElements = edited(service(), [/<part name="p" element="e:(?:Put|Drop|Find)"\/>/g, ""]);
const withoutElementsAndActions = edited(withoutElements, [/soapAction="[^"]*"/g, 'soapAction=""']);
const sameElements = edited(service(), [/(?<=In"><part name="p" element="e:)(?:Put|Drop|Find)/g, "Put"]);
/** A service whose operations have the same messages over SOAP and HTTP. */
const withHttp = edited(
  service({
    protocols: ["soap11", "httpGet"],
    operations: ["Put", "Drop"].map((name) => ({ name, request: `${name}Request`, response: `${name}Reply` })),
  }),
  [
    /<message name="(Put|Drop)GetOut"><part name="b" type="xs:string"/g,
    '<message name="$1GetOut"><part name="b" element="e:$1Reply"',
  ],
);
/** A service whose operations have requests and answers with the same members. */
const alike = service({ operations: [{ name: "Put" }, { name: "Drop" }] });
/** A service with operations in RPC style, whose requests have different parts. */
const rpc = edited(service({ style: "rpc" }), [
  '<message name="DropIn"><part name="q"',
  '<message name="DropIn"><part name="z"',
]);

/** Returns the rules and subjects of the changes, apart from those of results and names in code. */
function changesOf(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after))
    .changes.filter(({ rule }) => rule !== "result-in-code-changed" && rule !== "name-in-code-changed")
    .map(({ rule, subject, before: old, after: current }) => `${rule} ${subject}: ${old} → ${current}`)
    .sort();
}

const exchanged = ["operation-name-exchanged Drop: Put → Drop", "operation-name-exchanged Put: Drop → Put"];

const cases: readonly {
  readonly title: string;
  readonly before: Sources;
  readonly after: Sources;
  readonly want: readonly string[];
}[] = [
  { title: "two names", before: service(), after: renamed(service(), exchange), want: exchanged },
  {
    title: "three names",
    before: service(),
    after: renamed(service(), rotation),
    want: [
      "operation-name-exchanged Drop: Put → Drop",
      "operation-name-exchanged Find: Drop → Find",
      "operation-name-exchanged Put: Find → Put",
    ],
  },
  {
    title: "two names in SOAP 1.1 and SOAP 1.2",
    before: service({ protocols: ["soap11", "soap12"] }),
    after: renamed(service({ protocols: ["soap11", "soap12"] }), exchange),
    want: exchanged,
  },
  {
    title: "two names, while a member of a request changes",
    before: service(),
    after: renamed(service({ operations: [{ ...put, members: member("item", "int") }, drop, find] }), exchange),
    want: [...exchanged, "type-narrowed Put.item: string → int"],
  },
  {
    title: "two names, while an operation is added and another one is removed",
    before: service({ operations: [put, drop, find] }),
    after: renamed(service({ operations: [put, drop, { name: "Stop", members: "", answer: "" }] }), exchange),
    want: [...exchanged, "operation-added Stop: undefined → Stop", "operation-removed Find: Find → undefined"],
  },
  {
    title: "two names of operations with HTTP ports only",
    before: service({ protocols: ["httpGet", "httpPost"] }),
    after: renamed(service({ protocols: ["httpGet", "httpPost"] }), exchange),
    want: exchanged,
  },
  {
    title: "two names, while locations follow the names",
    before: withHttp,
    after: edited(
      renamed(withHttp, exchange),
      ['location="/Put"', 'location="/-"'],
      ['location="/Drop"', 'location="/Put"'],
      ['location="/-"', 'location="/Drop"'],
    ),
    want: [
      ...exchanged,
      "http-location-changed Drop (httpGet): /Put → /Drop",
      "http-location-changed Put (httpGet): /Drop → /Put",
    ],
  },
  {
    title: "two names of operations that servers recognize by their actions",
    before: withoutElements,
    after: renamed(withoutElements, exchange),
    want: exchanged,
  },
  {
    title: "two names of operations with the same element and different actions",
    before: sameElements,
    after: renamed(sameElements, exchange),
    want: exchanged,
  },
  {
    title: "two names and the order of the operations, but also their messages, actions and locations",
    before: service(),
    after: service({ operations: [drop, put, find] }),
    want: [],
  },
  {
    title: "two names in RPC style, whose messages contain the names",
    before: rpc,
    after: renamed(rpc, exchange),
    want: [
      "member-renamed Drop.q: z → q",
      "member-renamed Put.z: q → z",
      "soap-action-changed Drop: urn:action/Drop → urn:action/Put",
      "soap-action-changed Put: urn:action/Put → urn:action/Drop",
    ],
  },
];

describe.each(cases)("operations exchange $title", ({ before, after, want }) => {
  test("the diff reports what happened", () => {
    expect(changesOf(before, after)).toEqual([...want].sort());
  });
});

const reversed = (names: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(names).map(([before, after]) => [after, before]));

test.each([exchange, rotation])("calls between both versions do not fail, and the diff says so: %o", async (names) => {
  for (const protocols of [["soap11"], ["soap12"], ["httpGet"], ["httpPost"]] as const) {
    const [before, after] = [service({ protocols }), renamed(service({ protocols }), names)].map(sideOf);
    if (before === undefined || after === undefined) {
      continue;
    }
    for (const [client, server, newNames] of [
      [before, after, names],
      [after, before, reversed(names)],
    ] as const) {
      for (const operation of ["Put", "Drop", "Find"]) {
        const { total, errors, losses } = await callSoap(client.contract, server.contract, { operation });
        expect({ operation, newNames, errors, losses }).toEqual({ operation, newNames, errors: 0, losses: 0 });
        expect(total).toBeGreaterThan(0);
      }
    }
    const consequences = diffContracts(before, after).changes.map((change) => change.consequences);
    expect(consequences.map(({ oldClients, newClients }) => `${oldClients} ${newClients}`)).not.toContain("breaks");
    expect(new Set(consequences.flatMap(({ oldClients, newClients }) => [oldClients, newClients]))).toEqual(
      new Set(["none"]),
    );
  }
});

test("code compiles with the other operation only if the types of both fit", () => {
  const files = new Map([
    ...modulesIn("old", service()),
    ...modulesIn("new", renamed(service(), exchange)),
    ...modulesIn("alike", renamed(alike, exchange)),
  ]);
  for (const folder of ["old", "new", "alike"]) {
    const use = (text: string) =>
      `import type { SClient } from "./client/src/api/index.js";\nexport const use = (client: SClient) => ${text};`;
    files.set(`${folder}/put.ts`, use(`client.put({ ${folder === "alike" ? "q" : "item"}: "a" })`));
  }
  expect(Object.fromEntries(compileErrors(files))).toEqual({ "new/put.ts": expect.stringContaining("item") });
});

test("requests that contain nothing to recognize them are compared by the names of their operations", () => {
  const names = changesOf(withoutElementsAndActions, renamed(withoutElementsAndActions, exchange));
  expect(names.filter((each) => each.startsWith("operation"))).toEqual([]);
});

test("if the actions follow the names, the elements changed", () => {
  const after = edited(
    renamed(service(), exchange),
    ["urn:action/Put", "urn:action/-"],
    ["urn:action/Drop", "urn:action/Put"],
    ["urn:action/-", "urn:action/Drop"],
  );
  expect(changesOf(service(), after)).toEqual(
    expect.arrayContaining([
      "input-element-changed Drop: {urn:s}Drop → {urn:s}Put",
      "input-element-changed Put: {urn:s}Put → {urn:s}Drop",
      "output-element-changed Drop: {urn:s}DropResponse → {urn:s}PutResponse",
      "output-element-changed Put: {urn:s}PutResponse → {urn:s}DropResponse",
    ]),
  );
});
