import { expect, test } from "vitest";
import { describe, type Value } from "../../src/describe/describe.js";
import type { AnswerType, Interface, JsonType, RecordType, TypeDefinition } from "../../src/model/index.js";
import { everythingInterface, vehicleInterface } from "../emit/contracts.js";
import {
  arg,
  attribute,
  builtin,
  contractOf,
  element,
  endpoint,
  field,
  group,
  named,
  ns,
  other,
  recordType,
  restInterface,
  soapOf,
  span,
} from "../emit/fixtures.js";

/** Descriptors as plain objects for comparison; references are kept. */
function plain(value: Value | undefined): unknown {
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "object") {
    return value;
  }
  return Object.fromEntries(value.members.map(([key, each]) => [key, plain(each)]));
}

function described(contractInterface: Interface) {
  const found = describe(contractOf(contractInterface)).get(contractInterface);
  if (found === undefined) {
    throw new Error("not described");
  }
  return found;
}

function typeOf(type: TypeDefinition): unknown {
  const found = described(soapOf([type]));
  return found.kind === "soap" ? plain(found.describeType(type.id)) : undefined;
}

function record(init: Partial<RecordType>, ...fields: RecordType["fields"]): unknown {
  return typeOf(recordType("A", fields, init));
}

const text = builtin("string");

test("a sequence in the order of its fields needs no content", () => {
  expect(record({}, element("a", text), element("b", text, { min: 0, nillable: true }))).toEqual({
    kind: "record",
    name: `{${ns}}A`,
    namespace: ns,
    fields: { a: { type: text }, b: { type: text, min: 0, nillable: true } },
  });
});

test("a choice is part of the content model", () => {
  const content = [field("a"), group("choice", [field("b"), group("sequence", [field("c")])], true)];
  expect(record({ content }, element("a", text), element("b", text), element("c", text))).toMatchObject({
    content: ["a", { choice: ["b", { sequence: ["c"] }], optional: true }],
  });
});

test("a field has a namespace if most fields have a different one", () => {
  const fields = [
    element("a", text, { namespace: "" }),
    element("b", text),
    element("c", text, { namespace: other }),
    element("d", text),
  ];
  expect(record({}, ...fields)).toMatchObject({
    namespace: ns,
    fields: { a: { namespace: "" }, b: { type: text }, c: { namespace: other } },
  });
});

test("unqualified elements have no namespace, and none is written", () => {
  expect(record({}, element("a", text, { namespace: "" }))).toEqual({
    kind: "record",
    name: `{${ns}}A`,
    fields: { a: { type: text } },
  });
});

test("a member has its wire name if this differs from its key", () => {
  const renamed = element("a", text, { wireName: { namespace: ns, local: "b" } });
  const both = attribute("a2", text, { wireName: { namespace: other, local: "a" }, required: true, default: "x" });
  expect(record({}, renamed, both)).toMatchObject({
    fields: {
      a: { name: "b", type: text },
      a2: { kind: "attribute", name: "a", namespace: other, required: true, default: "x" },
    },
  });
});

test("references to types are tagged", () => {
  const soap = vehicleInterface();
  const found = described(soap);
  const [operation] = soap.services[0]?.operations ?? [];
  if (found.kind !== "soap" || operation === undefined) {
    throw new Error("no operation");
  }
  expect(plain(found.describeOperation(operation))).toMatchObject({
    service: { kind: "service", service: soap.services[0] },
    input: { body: { element: `{${ns}}CheckUSA`, type: { kind: "type", id: `{${ns}}CheckUSA` } } },
    output: { result: "CheckUSAResult" },
    http: { parameters: { State: { type: text } }, answer: { kind: "xml", nillable: true } },
    bindings: { httpGet: { location: "/CheckUSA" } },
  });
  expect(plain(found.settings)).toMatchObject({ ambient: ["username"], slots: { namespaces: { reg: ns } } });
});

test("simple types are derivations with facets", () => {
  const soap = everythingInterface();
  const found = described(soap);
  if (found.kind !== "soap") {
    throw new Error("no types");
  }
  const typeOf = (local: string): unknown => plain(found.describeType(`{${ns}}${local}`));
  expect(typeOf("Colour")).toMatchObject({
    by: { kind: "xs", name: "restriction" },
    facets: [
      [
        { kind: "xs", name: "enumeration" },
        { kind: "values", id: `{${ns}}Colour` },
      ],
    ],
  });
  expect(typeOf("Colours")).toMatchObject({
    by: { kind: "xs", name: "list" },
    types: [named(`{${ns}}Colour`)].map(() => ({ kind: "type" })),
  });
  expect(typeOf("Shape*")).toEqual({
    kind: "polymorphic",
    by: { kind: "xs", name: "polymorphic" },
    name: `{${ns}}Shape`,
    declared: "Shape",
    alternatives: { Shape: { kind: "type", id: `{${ns}}Shape` }, Circle: { kind: "type", id: `{${ns}}Circle` } },
  });
});

test.each([
  { name: "anything", given: { kind: "any" } as const, want: {} },
  {
    name: "a string or null",
    given: { kind: "union", members: [{ kind: "string" }, { kind: "null" }] } as const,
    want: { type: ["string", "null"] },
  },
  {
    name: "an enumeration",
    given: { kind: "enumeration", values: ["a", 1] } as const,
    want: { type: ["string", "integer"], enum: ["a", 1] },
  },
  {
    name: "a list",
    given: { kind: "array", items: { kind: "integer" } } as const,
    want: { type: "array", items: { type: "integer" } },
  },
  {
    name: "an object",
    given: {
      kind: "object",
      properties: [{ name: "raw", required: true, type: { kind: "string" }, documentation: undefined }],
    } as const,
    want: { type: "object", properties: { raw: { required: true, type: "string" } } },
  },
])("an argument that is $name", ({ given, want }) => {
  const list = endpoint("core.x.list", { args: [arg("a", { type: given })] });
  const rest = described(restInterface([list]));
  expect(rest.kind === "rest" && plain(rest.describeEndpoint(list))).toMatchObject({ args: { a: want } });
});

const object = { kind: "object", properties: [] } as const;
const string = { kind: "string" } as const;
const nothing = { kind: "null" } as const;

test.each<{ readonly name: string; readonly given: JsonType | undefined; readonly want: true | undefined }>([
  { name: "without a schema", given: undefined, want: undefined },
  { name: "with any value", given: { kind: "any" }, want: undefined },
  { name: "an object", given: object, want: true },
  { name: "a list of nulls", given: { kind: "array", items: nothing }, want: true },
  { name: "a string", given: string, want: true },
  { name: "null", given: nothing, want: undefined },
  { name: "one of some values", given: { kind: "enumeration", values: ["a", 1] }, want: true },
  { name: "one of some values, or null", given: { kind: "enumeration", values: ["a", null] }, want: undefined },
  { name: "an object or a string", given: { kind: "union", members: [object, string] }, want: true },
  { name: "an object or null", given: { kind: "union", members: [object, nothing] }, want: undefined },
  { name: "a named object", given: { kind: "named", id: "object" }, want: true },
  { name: "a named type that allows null", given: { kind: "named", id: "nullable" }, want: undefined },
  { name: "a named type that refers to itself", given: { kind: "named", id: "circle" }, want: true },
])("an answer that is $name requires a body: $want", ({ given, want }) => {
  const get = endpoint("core.x.get", { answer: given });
  const types: readonly Pick<AnswerType, "id" | "type">[] = [
    { id: "object", type: object },
    { id: "nullable", type: { kind: "union", members: [{ kind: "named", id: "object" }, nothing] } },
    { id: "circle", type: { kind: "union", members: [object, { kind: "named", id: "circle" }] } },
  ];
  const answers = types.map((type) => ({ ...type, span: span(), words: "x", namespace: "", documentation: undefined }));
  const rest = described(restInterface([get], { answers }));
  const found = rest.kind === "rest" ? plain(rest.describeEndpoint(get)) : undefined;
  expect((found as { readonly answerRequired?: true }).answerRequired).toBe(want);
});

test("path variables come first among the arguments", () => {
  const get = endpoint("core.x.get", { args: [arg("b"), arg("id", { inPath: true, required: true })] });
  const rest = described(restInterface([get]));
  const found = rest.kind === "rest" ? plain(rest.describeEndpoint(get)) : undefined;
  expect(Object.keys((found as { readonly args: object }).args)).toEqual(["id", "b"]);
});
