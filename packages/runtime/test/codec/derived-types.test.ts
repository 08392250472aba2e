import { expect, test } from "vitest";
import { DecodeError, EncodeError } from "../../src/answer-errors.js";
import { getSimpleType } from "../../src/codec/resolved-types.js";
import type { DerivedSimpleType, PolymorphicDescriptor, RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decode, decodeInside, encode, encodeInside, ns, record, xsi } from "./messages.js";

interface Shape {
  name: string;
}
interface Circle extends Shape {
  radius: number;
}
interface Far extends Shape {
  x?: number | undefined;
}
type AnyShape =
  | (Shape & { readonly $type?: "Shape" | undefined })
  | (Circle & { readonly $type: "Circle" })
  | (Far & { readonly $type: "Far" });

const shape: RecordDescriptor<Shape> = {
  kind: "record",
  name: `{${ns}}Shape`,
  namespace: ns,
  fields: { name: { type: xs.string } },
};
const circle: RecordDescriptor<Circle> = {
  kind: "record",
  name: `{${ns}}Circle`,
  namespace: ns,
  fields: { name: { type: xs.string }, radius: { type: xs.int } },
};
const far: RecordDescriptor<Far> = {
  kind: "record",
  name: "{urn:b}Far",
  namespace: "urn:b",
  fields: { name: { type: xs.string, namespace: ns }, x: { type: xs.int, min: 0 } },
};
const anyShape: PolymorphicDescriptor<AnyShape> = {
  kind: "polymorphic",
  by: xs.polymorphic,
  name: `{${ns}}Shape`,
  declared: "Shape",
  alternatives: { Shape: () => shape, Circle: () => circle, Far: () => far },
};
const abstractShape: PolymorphicDescriptor<AnyShape> = {
  kind: "polymorphic",
  by: xs.polymorphic,
  name: `{${ns}}Shape`,
  alternatives: { Shape: () => shape, Circle: () => circle, Far: () => far },
};
const holder = record({ s: { type: () => anyShape } });
const strictHolder = record({ s: { type: () => abstractShape } });

test.each([
  ["the declared type", { name: "n" }, "<s><name>n</name></s>"],
  [
    "a derived type",
    { $type: "Circle", name: "n", radius: 2 },
    '<s xsi:type="Circle"><name>n</name><radius>2</radius></s>',
  ],
  [
    "one of another namespace",
    { $type: "Far", name: "n", x: 1 },
    '<s xsi:type="q1:Far" xmlns:q1="urn:b"><name>n</name><x xmlns="urn:b">1</x></s>',
  ],
])("an element of a type with derived types is written and read: %s", (_, s, inside) => {
  expect(encodeInside(holder, { s })).toBe(inside);
  expect(decodeInside(holder, inside)).toStrictEqual({ s });
  expect(decodeInside(holder, inside, { strict: true })).toStrictEqual({ s });
});

test("naming the declared type adds no information", () => {
  expect(encodeInside(holder, { s: { $type: "Shape", name: "n" } })).toBe("<s><name>n</name></s>");
  expect(decodeInside(holder, '<s xsi:type="a:Shape"><name>n</name></s>')).toStrictEqual({ s: { name: "n" } });
});

test("an abstract type always needs xsi:type", () => {
  const inside = '<s xsi:type="Circle"><name>n</name><radius>2</radius></s>';
  expect(encodeInside(strictHolder, { s: { $type: "Circle", name: "n", radius: 2 } })).toBe(inside);
  expect(decodeInside(strictHolder, inside)).toStrictEqual({ s: { $type: "Circle", name: "n", radius: 2 } });
  expect(() => encode(strictHolder, { s: { name: "n" } })).toThrow("abstract");
  expect(() => decodeInside(strictHolder, "<s><name>n</name></s>")).toThrow(expect.objectContaining({ path: "/R/s" }));
  expect(() => decodeInside(strictHolder, '<s xsi:type="a:Other"><name>n</name></s>')).toThrow(DecodeError);
});

test.each(["a:Other", "Other", "z:Circle", ":", "", "b:Circle"])(
  "xsi:type %j is read as the declared type, and refused by servers and in strict mode",
  (type) => {
    const inside = `<s xsi:type="${type}"><name>n</name><radius>2</radius></s>`;
    expect(decodeInside(holder, inside)).toStrictEqual({ s: { name: "n" } });
    for (const options of [{ strict: true }, { unknownTypes: "error" }] as const) {
      expect(() => decodeInside(holder, inside, options)).toThrow(
        expect.objectContaining({ name: "DecodeError", path: "/R/s" }),
      );
    }
  },
);

test("the types that an element may have are accepted where others are refused", () => {
  for (const type of ["Shape", "Circle"]) {
    const radius = type === "Circle" ? "<radius>2</radius>" : "";
    const inside = `<s xsi:type="a:${type}"><name>n</name>${radius}</s>`;
    expect(decodeInside(holder, inside, { unknownTypes: "error" })).toMatchObject({ s: { name: "n" } });
  }
});

test.each([
  [{ $type: "Square", name: "n" }, 'The member "$type" must name'],
  [{ $type: "__proto__", name: "n" }, 'The member "$type" must name'],
  [{ $type: 5, name: "n" }, 'The member "$type" must name'],
  [{ $type: "Circle", name: "n" }, "/R/s/radius"],
  [{ name: "n", radius: 5 }, '"radius"'],
  [5, "number"],
  [[], "array"],
])("an element of a type with derived types refuses to write %j", (s, message) => {
  expect(() => encode(holder, { s })).toThrow(EncodeError);
  expect(() => encode(holder, { s })).toThrow(message);
});

test("a record that is not polymorphic accepts a value with $type, and ignores xsi:type", () => {
  const plain = record({ c: { type: () => circle } });
  expect(encodeInside(plain, { c: { $type: "Circle", name: "n", radius: 1 } })).toBe(
    "<c><name>n</name><radius>1</radius></c>",
  );
  expect(decodeInside(plain, '<c xsi:type="z:y"><name>n</name><radius>1</radius></c>')).toStrictEqual({
    c: { name: "n", radius: 1 },
  });
});

test("SOAP encoding declares the type of every value inside", () => {
  const type = record(
    {
      n: { type: xs.int, namespace: "" },
      texts: { type: xs.string, namespace: "", max: "unbounded" },
      shape: { type: () => shape, namespace: "" },
      any: { type: xs.anyType, namespace: "" },
      nil: { type: xs.string, namespace: "", nillable: true },
    },
    { name: "wrapper" },
  );
  const value = { n: 1, texts: ["a", ""], shape: { name: "x" }, any: "t", nil: null };
  const xml = encode(type, value, {
    declaredTypes: xs.soapEncoding.declaredTypes.soap11,
    declarations: ` xmlns:xsi="${xsi}" xmlns:xsd="http://www.w3.org/2001/XMLSchema"`,
  });
  expect(xml.replace(/^<R[^>]*>/, "")).toBe(
    '<n xsi:type="xsd:int" xmlns="">1</n><texts xsi:type="xsd:string" xmlns="">a</texts><texts xsi:type="xsd:string" xmlns="" />' +
      `<shape xsi:type="q1:Shape" xmlns:q1="${ns}" xmlns=""><name xsi:type="xsd:string" xmlns="${ns}">x</name></shape>` +
      '<any xsi:type="xsd:string" xmlns="">t</any><nil xsi:nil="true" xmlns="" /></R>',
  );
  expect(decode(type, xml)).toEqual({
    ...value,
    any: { type: "{http://www.w3.org/2001/XMLSchema}string", content: ["t"] },
  });
});

test("a derived descriptor is resolved once, whatever the order", () => {
  const colour: DerivedSimpleType<"red" | "green"> = {
    kind: "derived",
    name: "{urn:x}Colour",
    by: xs.restriction,
    types: [xs.token],
    facets: [[xs.enumeration, ["red", "green"]]],
  };
  const warm: DerivedSimpleType<"red"> = {
    kind: "derived",
    name: "{urn:x}Warm",
    by: xs.restriction,
    types: [() => colour],
    facets: [[xs.enumeration, ["red"]]],
  };
  expect(getSimpleType(warm)).toBe(getSimpleType(warm));
  const type = record({ colour: { type: () => warm, namespace: "" } });
  expect(decode(type, "<R><colour> red </colour></R>")).toEqual({ colour: "red" });
  expect(() => decode(type, "<R><colour>green</colour></R>")).toThrow(DecodeError);
});

test("values are written in a form that the pattern of their type allows", () => {
  const flag: DerivedSimpleType<boolean> = {
    kind: "derived",
    name: "{urn:x}Flag",
    by: xs.restriction,
    types: [xs.boolean],
    facets: [[xs.pattern, ["0|1"]]],
  };
  const type = record({ flag: { type: () => flag, namespace: "" } });
  const xml = encode(type, { flag: true });
  expect(xml).toMatch(/<flag[^>]*>1</);
  expect(decode(type, xml)).toEqual({ flag: true });
});
