import { describe, expect, test } from "vitest";
import type { AnyOperationDescriptor, AnyRecordDescriptor, RecordDescriptor } from "../../src/descriptor.js";
import { operationFields } from "../../src/pages/operation-page.js";
import { layout, sampleText } from "../../src/pages/sample-element.js";
import { bodyNodes, sampleOf } from "../../src/pages/sample-message.js";
import { servedNames, servedOperations } from "../../src/server/soap/served-operations.js";

import * as xs from "../../src/xs.js";
import { service } from "../server/fixture.js";

const ns = "urn:a";
type Fields = AnyRecordDescriptor["fields"];

const record = (name: string, fields: Fields, rest: Partial<AnyRecordDescriptor> = {}) =>
  ({ kind: "record", name: `{${ns}}${name}`, namespace: ns, fields, ...rest }) as const;

/** An operation whose input is this record. */
function sampled(type: { readonly kind: string }, more: Partial<AnyOperationDescriptor> = {}) {
  const descriptor: AnyOperationDescriptor = {
    kind: "operation",
    service,
    name: "Op",
    input: { body: { element: `{${ns}}Op`, type: () => type as RecordDescriptor<unknown> } },
    bindings: { soap11: { action: "urn:a/Op" } },
    ...more,
  };
  const names = servedNames([descriptor]);
  const [operation] = servedOperations({ service, operations: { op: descriptor }, handlers: { op: () => 1 } }, names);
  if (operation === undefined) throw new Error("There is no operation.");
  return { operation, names, addressOf: () => "http://h.example/a" };
}

function bodyOf(type: { readonly kind: string }): string {
  const { operation, names } = sampled(type);
  return sampleText(layout(bodyNodes({ ...operation.descriptor.input, names }, "soap11")));
}

const colour = {
  kind: "derived",
  name: "{urn:a}Colour",
  by: xs.restriction,
  of: [xs.string],
  facets: [[xs.enumeration, ["red", "blue"]]],
} as const;
const point = record("Point", { x: { type: xs.int }, y: { type: xs.int } });
const node: AnyRecordDescriptor = record("Node", {
  name: { type: xs.string },
  next: { type: () => node as RecordDescriptor<unknown>, min: 0 },
});

describe("a sample body", () => {
  test.each([
    {
      what: "a plain list",
      type: record("Op", { a: { type: xs.string }, b: { type: xs.decimal } }),
      want: "  <a>string</a>\n  <b>decimal</b>\n",
    },
    { what: "an enumeration", type: record("Op", { c: { type: () => colour } }), want: "  <c>red or blue</c>\n" },
    {
      what: "a repeated element",
      type: record("Op", { a: { type: xs.int, max: "unbounded" } }),
      want: "  <a>int</a>\n  <a>int</a>\n",
    },
    {
      what: "a record in it",
      type: record("Op", { p: { type: () => point as RecordDescriptor<unknown> } }),
      want: "  <p>\n    <x>int</x>\n    <y>int</y>\n  </p>\n",
    },
    {
      what: "a fixed value",
      type: record("Op", { a: { type: xs.string, fixed: "<1>" } }),
      want: "  <a>&lt;1&gt;</a>\n",
    },
    {
      what: "another namespace",
      type: record("Op", { a: { type: xs.string, namespace: "urn:b" } }),
      want: '  <a xmlns="urn:b">string</a>\n',
    },
    {
      what: "no namespace",
      type: record("Op", { a: { type: xs.string, namespace: "" } }),
      want: '  <a xmlns="">string</a>\n',
    },
    {
      what: "any element",
      type: record("Op", { a: { kind: "any", namespaces: "any", process: "lax" } }),
      want: "  <!-- any element -->\n",
    },
    { what: "any type", type: record("Op", { a: { type: xs.anyType } }), want: "  <a>anyType</a>\n" },
    {
      what: "a choice",
      type: record(
        "Op",
        { a: { type: xs.int }, b: { type: xs.int }, c: { type: xs.int } },
        { content: [{ choice: ["a", "b", "c"] }] },
      ),
      want: "  <a>int</a>\n  <!-- or b, or c -->\n",
    },
    {
      what: "a type that holds itself",
      type: record("Op", { n: { type: () => node as RecordDescriptor<unknown> } }),
      want: "  <n>\n    <name>string</name>\n    <next />\n  </n>\n",
    },
  ])("of $what", ({ type, want }) => {
    expect(bodyOf(type)).toBe(`<Op xmlns="${ns}">\n${want}</Op>\n`);
  });

  test("of attributes and text", () => {
    const type = record("Op", {
      unit: { kind: "attribute", type: xs.token, default: "m" },
      value: { kind: "text", type: xs.double },
    });
    expect(bodyOf(type)).toBe(`<Op xmlns="${ns}" unit="m">double</Op>\n`);
  });

  test("of a type that others derive from says which it is", () => {
    const shape = { kind: "polymorphic", name: "{urn:a}Shape", arms: { Point: () => point } };
    expect(bodyOf(shape)).toContain(`<Op xmlns="${ns}" xsi:type="Point">\n  <x>int</x>`);
  });

  test("ends, however many types hold each other", () => {
    const types: AnyRecordDescriptor[] = Array.from({ length: 30 }, (_, index) =>
      record(`T${index}`, {
        a: { type: () => (types[index + 1] ?? point) as RecordDescriptor<unknown> },
        b: { type: () => (types[index + 1] ?? point) as RecordDescriptor<unknown> },
      }),
    );
    expect(bodyOf(types[0] ?? point).length).toBeLessThan(60_000);
  });
});

describe("the fields of an operation", () => {
  const fieldsOf = (type: { readonly kind: string }, more: Partial<AnyOperationDescriptor> = {}) =>
    operationFields(sampled(type, more), new Map([["{urn:a}Op/a", "what it is"]]));

  test.each([
    { fields: { a: { type: xs.string } }, want: { kind: "string", control: "text", documentation: "what it is" } },
    { fields: { a: { type: xs.string, min: 0 } }, want: { kind: "string, optional", soap: { optional: true } } },
    { fields: { a: { type: xs.int, max: 3 } }, want: { kind: "int, one per line", control: "lines" } },
    { fields: { a: { type: () => colour } }, want: { control: "choice", choices: ["red", "blue"] } },
    { fields: { a: { type: xs.boolean } }, want: { control: "choice", choices: ["true", "false"] } },
    {
      fields: { a: { type: () => point as RecordDescriptor<unknown> } },
      want: { control: "xml", value: "<a>\n  <x>int</x>\n  <y>int</y>\n</a>", soap: { start: "", end: "" } },
    },
  ] satisfies { fields: Fields; want: object }[])("are $want for $fields", ({ fields, want }) => {
    expect(fieldsOf(record("Op", fields))).toMatchObject({ fields: [want], wrapper: [`<Op xmlns="${ns}">`, "</Op>"] });
  });

  test.each([
    record("Op", { a: { kind: "attribute", type: xs.int }, b: { type: xs.int } }),
    record("Op", { a: { kind: "text", type: xs.int } }),
    record("Op", { a: { type: xs.int }, b: { type: xs.int } }, { content: [{ choice: ["a", "b"] }] }),
    record("Op", { a: { kind: "any", namespaces: "any", process: "lax" } }),
    xs.string,
  ])("are the body as XML where it is no plain list", (type) => {
    const { fields, wrapper } = fieldsOf(type);
    expect(fields).toMatchObject([{ name: "Body", control: "xml" }]);
    expect(fields[0]?.value).toMatch(/^<Op xmlns="urn:a"/);
    expect(wrapper).toEqual(["", ""]);
  });

  test("are the parameters where there is no SOAP", () => {
    const http = {
      parameters: { a: { type: xs.string, name: "A" }, b: { type: xs.string, list: true as const } },
      answer: { kind: "text" as const, type: xs.string },
    };
    const more = { http, bindings: { httpGet: { location: "/Op" } } };
    expect(fieldsOf(record("Op", {}), more).fields).toMatchObject([
      { name: "A", parameter: "A", control: "text" },
      { name: "b", parameter: "b", control: "lines" },
    ]);
    expect(sampleText(sampleOf("httpGet", sampled(record("Op", {}), more))?.response ?? [])).toMatch(
      /text\/plain[\s\S]*string$/,
    );
  });

  test("have a place for each header block", () => {
    const headers = () => record("Headers", { Session: { type: xs.string } });
    const input = {
      body: { element: `{${ns}}Op`, type: () => record("Op", {}) as RecordDescriptor<unknown> },
      headers,
    };
    expect(fieldsOf(record("Op", {}), { input }).fields).toMatchObject([
      { name: "Session", control: "xml", value: "", soap: { place: "header", optional: true } },
    ]);
  });

  test("an encoded body says the types of its values", () => {
    const type = record("Op", { a: { type: xs.int }, p: { type: () => point as RecordDescriptor<unknown> } });
    const body = {
      element: `{${ns}}Op`,
      type: () => type as RecordDescriptor<unknown>,
      encoded: true,
      rpc: true,
    } as const;
    const sample = sampled(type, { input: { body } });
    const text = sampleText(sampleOf("soap11", sample)?.request ?? []);
    expect(text).toContain('soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"');
    expect(text).toContain('<a xsi:type="xsd:int">int</a>');
    expect(text).toContain('<p xsi:type="Point">');
    expect(operationFields(sample).fields[0]?.soap?.start).toBe('<a xsi:type="xsd:int">');
  });

  test.each([
    { version: "soap11", want: 'xsi:type="soapenc:Array" soapenc:arrayType="xsd:int[2]"' },
    { version: "soap12", want: 'xsi:type="soapenc:Array" soapenc:itemType="xsd:int" soapenc:arraySize="2"' },
  ] as const)("an array says what its items are in $version", ({ version, want }) => {
    const numbers = { kind: "array", name: "{urn:a}Numbers", element: "item", item: xs.int } as const;
    const type = record("Op", { list: { type: () => numbers as never } });
    const body = {
      element: `{${ns}}Op`,
      type: () => type as RecordDescriptor<unknown>,
      encoded: true,
      rpc: true,
    } as const;
    const sample = sampled(type, { input: { body }, bindings: { [version]: { action: "" } } });
    const text = sampleText(sampleOf(version, sample)?.request ?? []);
    expect(text).toContain(want);
    expect(text.match(/<item xmlns="" xsi:type="xsd:int">int<\/item>/g)).toHaveLength(2);
    expect(operationFields(sample).fields[0]).toMatchObject({ name: "list", control: "xml" });
  });
});
