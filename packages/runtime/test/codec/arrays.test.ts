import { messageLimits, XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { Decoder } from "../../src/codec/decoder.js";
import { Encoder } from "../../src/codec/encoder.js";
import type { ArrayDescriptor, RecordDescriptor, TypeReference } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";

const ns = "urn:a";
const enc11 = "http://schemas.xmlsoap.org/soap/encoding/";
const enc12 = "http://www.w3.org/2003/05/soap-encoding";
const declared = ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:soapenc="${enc11}" xmlns:t="${ns}"`;

interface Point {
  x: number;
}
type Words = (string | null)[];
type Points = (Point | null)[];
type Grid = (Words | null)[];
type Tree = (Tree | null)[];

const point: RecordDescriptor<Point> = {
  kind: "record",
  name: `{${ns}}Point`,
  fields: { x: { type: xs.int } },
};
const words: ArrayDescriptor<Words> = {
  kind: "array",
  by: xs.array,
  name: `{${ns}}Words`,
  element: "item",
  item: xs.string,
};
const points: ArrayDescriptor<Points> = {
  kind: "array",
  by: xs.array,
  name: `{${ns}}Points`,
  element: "item",
  item: () => point,
};
const grid: ArrayDescriptor<Grid> = {
  kind: "array",
  by: xs.array,
  name: `{${ns}}Grid`,
  element: "item",
  item: () => words,
};
const tree: ArrayDescriptor<Tree> = {
  kind: "array",
  by: xs.array,
  name: `{${ns}}Tree`,
  element: "item",
  item: () => tree,
};
const anything: ArrayDescriptor<unknown[]> = {
  kind: "array",
  by: xs.array,
  name: `{${ns}}Any`,
  element: "item",
  item: xs.anyType,
};

const encoder = new Encoder();
const decoder = new Decoder({ unknown: "error" });

function encode<T>(type: TypeReference<T>, value: T, encoded?: "soap11" | "soap12"): string {
  return encoder.encode("a", type, value, {
    declaredTypes: encoded && xs.soapEncoding.declaredTypes[encoded],
  });
}

function decode<T>(type: TypeReference<T>, xml: string): T {
  const reader = new XmlReader(xml.replace(/^<a/, `<a${declared}`));
  reader.next();
  return decoder.decode(reader, type, { encoding: xs.soapEncoding.headerRules });
}

const item = (type: string, text: string) => `<item xsi:type="${type}">${text}</item>`;
const written = [
  {
    name: "texts",
    type: () => words,
    value: ["b", null, ""],
    attributes: ` soapenc:arrayType="xsd:string[3]"`,
    content: `${item("xsd:string", "b")}<item xsi:nil="true" /><item xsi:type="xsd:string" />`,
  },
  {
    name: "records",
    type: () => points,
    value: [{ x: 1 }],
    attributes: ` soapenc:arrayType="q1:Point[1]" xmlns:q1="${ns}"`,
    content: `<item xsi:type="q1:Point" xmlns:q1="${ns}"><x xsi:type="xsd:int">1</x></item>`,
  },
  {
    name: "arrays",
    type: () => grid,
    value: [["b"], []],
    attributes: ` soapenc:arrayType="xsd:string[][2]"`,
    content:
      `<item xmlns:soapenc="${enc11}" xsi:type="soapenc:Array" soapenc:arrayType="xsd:string[1]">${item("xsd:string", "b")}</item>` +
      `<item xmlns:soapenc="${enc11}" xsi:type="soapenc:Array" soapenc:arrayType="xsd:string[0]" />`,
  },
  {
    name: "anything",
    type: () => anything,
    value: ["b"],
    attributes: ` soapenc:arrayType="xsd:anyType[1]"`,
    content: item("xsd:string", "b"),
    read: [{ type: "{http://www.w3.org/2001/XMLSchema}string", content: ["b"] }],
  },
  {
    name: "itself",
    type: () => tree,
    value: [[]],
    attributes: ` soapenc:arrayType="xsd:anyType[1]"`,
    content: `<item xmlns:soapenc="${enc11}" xsi:type="soapenc:Array" soapenc:arrayType="xsd:anyType[0]" />`,
  },
];

test.each(written)(
  "an array of $name declares the type and number of its items",
  ({ type, value, attributes, content, read }) => {
    const xml = encode<unknown>(type, value, "soap11");
    expect(xml).toBe(`<a xmlns:soapenc="${enc11}" xsi:type="soapenc:Array"${attributes}>${content}</a>`);
    expect(decode<unknown>(type, xml.replace(` xmlns:soapenc="${enc11}"`, ""))).toEqual(read ?? value);
  },
);

test("SOAP 1.2 has an attribute for the type and one for the number", () => {
  expect(encode(() => words, ["b"], "soap12")).toBe(
    `<a xmlns:soapenc="${enc12}" xsi:type="soapenc:Array" soapenc:itemType="xsd:string" soapenc:arraySize="1">${item("xsd:string", "b")}</a>`,
  );
  expect(encode(() => grid, [], "soap12")).toContain('soapenc:itemType="soapenc:Array" soapenc:arraySize="0"');
});

test("an array in a literal message consists only of its items", () => {
  expect(encode(() => words, ["b", null])).toBe('<a><item>b</item><item xsi:nil="true" /></a>');
});

test.each([
  { given: `<a soapenc:arrayType="xsd:string[2]"><x>b</x><t:y soapenc:root="1" id="i">c</t:y></a>`, want: ["b", "c"] },
  { given: `<a soapenc:arrayType="xsd:string[]" soapenc:offset="[0]"/>`, want: [] },
  { given: `<a> <item xsi:type="xsd:int">1</item> <item xsi:nil="1"/> </a>`, want: ["1", null] },
])("$given is read, whatever the names of its items", ({ given, want }) => {
  expect(decode(() => words, given)).toEqual(want);
});

test.each([
  { given: `<a href="#id0"/>`, message: "/a: The value must not be a reference (href)" },
  { given: `<a><item href="#id0"/></a>`, message: "/a/item[1]: The value must not be a reference (href)" },
  {
    given: `<a xmlns:e="${enc12}"><item/><item e:ref="id0"/></a>`,
    message: "/a/item[2]: The value must not be a reference (ref)",
  },
  { given: `<a soapenc:arrayType="xsd:string[2,3]"/>`, message: "/a: Arrays of more than one dimension" },
  { given: `<a xmlns:e="${enc12}" e:arraySize="2 3"/>`, message: "/a: Arrays of more than one dimension" },
  { given: `<a soapenc:arrayType="xsd:string[5]" soapenc:offset="[2]"><i>b</i></a>`, message: "/a: A partial array" },
  { given: `<a><i soapenc:position="[2]">b</i></a>`, message: "/a/i[1]: Sparse arrays" },
])("$given is refused by name", ({ given, message }) => {
  expect(() => decode(() => words, given)).toThrow(message);
});

test("references are refused inside records too", () => {
  expect(() => decode(() => point, `<a><x href="#id0"/></a>`)).toThrow(
    "/a/x: The value must not be a reference (href)",
  );
});

test.each([
  { value: "b", message: "/a: The value must be an array, not a string." },
  { value: ["b", 1], message: "/a/1:" },
  { value: ["b", undefined], message: "/a/1: An item must not be undefined." },
])("$value is not an array of strings", ({ value, message }) => {
  expect(() => encode<unknown>(() => words, value, "soap11")).toThrow(message);
});

test("an array that contains itself, or is nested too deeply, is refused", () => {
  const endless: Tree = [];
  endless.push(endless);
  expect(() => encode(() => tree, endless, "soap11")).toThrow("nested deeper than");
  const deep = `${"<a>".repeat(600)}${"</a>".repeat(600)}`;
  const reader = new XmlReader(deep, { ...messageLimits, depth: 1000 });
  reader.next();
  expect(() => decoder.decode(reader, () => tree)).toThrow("The document is nested deeper than");
});
