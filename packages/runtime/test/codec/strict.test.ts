import { builtinDatatypes } from "@bothends/datatypes/definitions";
import { XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { DecodeError } from "../../src/answer-errors.js";
import { Decoder } from "../../src/codec/decoder.js";
import { builtInBases } from "../../src/codec/kinds/polymorphic.js";
import type { SimpleType, TypeReference } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decodeInside, ns, record } from "./messages.js";

const child = record({ id: { kind: "attribute", by: xs.attribute, type: xs.int }, e: { type: xs.string, min: 0 } });
const type = record({
  count: { type: xs.int },
  pair: { type: xs.string, nillable: true },
  child: { type: child, min: 0 },
  many: { type: xs.int, min: 0, max: 2 },
  fixed: { type: xs.decimal, min: 0, fixed: "1.0" },
});
const least = "<count>1</count><pair>p</pair>";

test.each([
  ["all of it", `${least}<child id="1"><e/></child><many>1</many><many>2</many><fixed>1.00</fixed>`],
  ["white space and comments", `\n ${least}\t<!-- -->\r\n`],
  ["attributes of xsi", `${least}<child xsi:type="a:T" xsi:schemaLocation="a b"/>`],
  ["nil that is false", '<count>1</count><pair xsi:nil="false">p</pair>'],
  ["nil", '<count>1</count><pair xsi:nil="true"/>'],
  ["the type of a simple value in xsi:type", '<count xsi:type="xsd:int">1</count><pair>p</pair>'],
  ["a type derived from that of a simple value", '<count xsi:type="xsd:byte">1</count><pair>p</pair>'],
  ["a type of the schema that may be derived", '<count xsi:type="a:Small">1</count><pair>p</pair>'],
])("strict accepts %s", (_, inside) => {
  expect(() => decodeInside(type, inside, { strict: true })).not.toThrow();
});

test.each([
  ["another order", "<pair>p</pair><count>1</count>", "/R/count"],
  ["an unknown element", `<x/>${least}`, "/R/x"],
  ["an unknown element in a child", `${least}<child><x/></child>`, "/R/child/x"],
  ["an unknown attribute", `${least}<child x="1"/>`, "/R/child/@x"],
  ["an attribute of a simple element", '<count x="1">1</count><pair>p</pair>', "/R/count/@x"],
  ["an unknown attribute of xsi", `${least}<child xsi:x="1"/>`, "/R/child/@x"],
  ["a duplicate", `<count>1</count>${least}`, "/R/pair"],
  ["too many", `${least}<many>1</many><many>2</many><many>3</many>`, "/R/many"],
  ["text between elements", `text${least}`, "/R"],
  ["an absent nillable element", "<count>1</count>", "/R/pair"],
  ["nil where that is not allowed", `${least}<child xsi:nil="true"/>`, "/R/child"],
  ["nil of a string that is not nillable", `${least}<child><e xsi:nil="true"/></child>`, "/R/child/e"],
  ["content after nil", '<count>1</count><pair xsi:nil="true"> </pair>', "/R/pair"],
  ["a nil that is no boolean", '<count>1</count><pair xsi:nil="yes"/>', "/R/pair"],
  ["another than the fixed value", `${least}<fixed>1.1</fixed>`, "/R/fixed"],
  ["nil that is false where that is not allowed", `${least}<child xsi:nil="false"/>`, "/R/child"],
  ["a base type of a simple value", '<count xsi:type="xsd:decimal">1</count><pair>p</pair>', "/R/count"],
  ["another type of a simple value", '<count xsi:type="xsd:string">1</count><pair>p</pair>', "/R/count"],
  ["another xsi:type", `${least}<child xsi:type="a:Other"/>`, "/R/child"],
])("strict refuses %s, which is otherwise tolerated", (_, inside, path) => {
  const attempt = (): unknown => decodeInside(type, inside, { strict: true });
  expect(attempt).toThrow(DecodeError);
  expect(attempt).toThrow(expect.objectContaining({ path }));
  expect(() => decodeInside(type, inside)).not.toThrow();
});

const mixed = record({ content: { kind: "mixed", by: xs.mixed, record: record({ e: { type: xs.string, min: 0 } }) } });

test.each([
  ["a number", xs.decimal, "<R>1.00</R>", "<R>2</R>"],
  ["mixed content", mixed, "<R>1.0</R>", `<R>1.<e xmlns="${ns}"/>0</R>`],
  ["mixed content without elements", mixed, "<R/>", "<R>1</R>"],
  ["a nil", xs.decimal, "<R/>", '<R xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>'],
] satisfies readonly (readonly [string, TypeReference<unknown>, string, string])[])(
  "in strict mode, %s must have the fixed value of its element",
  (_, type, right, wrong) => {
    const attempt = (xml: string) => () => {
      const reader = new XmlReader(xml);
      reader.next();
      return new Decoder({ strict: xs.inOrder }).decode<unknown>(reader, type, { fixed: "1.0", nillable: true });
    };
    expect(attempt(right)).not.toThrow();
    expect(attempt(wrong)).toThrow(expect.objectContaining({ path: "/R" }));
  },
);

test.each([
  ["an unknown element", `<x/>${least}`, "/R/x"],
  ["an unknown attribute", `${least}<child x="1"/>`, "/R/child/@x"],
  ["an unknown attribute of a simple element", '<count x="1">1</count><pair>p</pair>', "/R/count/@x"],
])("unknown: error refuses %s and stays tolerant otherwise", (_, inside, path) => {
  expect(() => decodeInside(type, inside, { unknown: "error" })).toThrow(expect.objectContaining({ path }));
  expect(() => decodeInside(type, "x<pair>p</pair><count>1</count>", { unknown: "error" })).not.toThrow();
});

test("too few occurrences are tolerated, but not zero", () => {
  const three = record({ e: { type: xs.int, min: 3, max: 5 } });
  expect(decodeInside(three, "<e>1</e>")).toStrictEqual({ e: [1] });
  expect(() => decodeInside(three, "<e>1</e>", { strict: true })).toThrow(expect.objectContaining({ path: "/R/e" }));
  expect(() => decodeInside(three, "")).toThrow(expect.objectContaining({ path: "/R/e" }));
});

const positive = xs.restriction([xs.int], [[xs.minInclusive, 1]], `{${ns}}Positive`);
const either = xs.union([positive, xs.token], [], `{${ns}}Either`);

test.each([
  ["a restriction", positive, "a:Positive"],
  ["a type of the schema that may be derived", positive, "a:One"],
  ["a member of a union", either, "xsd:NCName"],
  ["any simple type for anySimpleType", xs.anySimpleType, "xsd:date"],
  ["no elements in a simple type for anyType", xs.anyType, "xsd:string"],
] as const)("xsi:type accepts %s", (_, declared, actual) => {
  const single = record({ v: { type: declared as SimpleType<string> } });
  expect(() => decodeInside(single, `<v xsi:type="${actual}">1</v>`, { strict: true })).not.toThrow();
});

test.each([
  ["the base of a restriction", positive, "xsd:int", "1"],
  ["a type beside a restriction", positive, "xsd:byte", "1"],
  ["a type that no member of a union has", either, "xsd:string", "1"],
  ["anyType for anySimpleType", xs.anySimpleType, "xsd:anyType", "1"],
  ["elements in a simple type for anyType", xs.anyType, "xsd:int", "1<x/>"],
] as const)("xsi:type refuses %s", (_, declared, actual, content) => {
  const single = record({ v: { type: declared as SimpleType<string> } });
  const document = `<v xsi:type="${actual}">${content}</v>`;
  expect(() => decodeInside(single, document, { strict: true })).toThrow(DecodeError);
  expect(() => decodeInside(single, document)).not.toThrow();
});

test("the bases of built-in types are those of XSD 1.0 Part 2", () => {
  const bases = builtinDatatypes.flatMap((type) =>
    "base" in type && type.base !== "anySimpleType" ? [[type.name, type.base]] : [],
  );
  expect(builtInBases).toEqual(Object.fromEntries(bases));
});
