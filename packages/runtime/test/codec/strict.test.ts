import { XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { Decoder } from "../../src/codec/decoder.js";
import type { TypeReference } from "../../src/descriptor.js";
import { DecodeError } from "../../src/errors.js";
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
  ["attributes of xsi", `${least}<child xsi:type="a:T" xsi:schemaLocation="a b" xsi:nil="false"/>`],
  ["nil", '<count>1</count><pair xsi:nil="true"/>'],
  ["xsi:type on a simple value", '<count xsi:type="xsd:int">1</count><pair>p</pair>'],
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
  "strict holds %s to the fixed value of its element",
  (_, type, right, wrong) => {
    const attempt = (xml: string) => () => {
      const reader = new XmlReader(xml);
      reader.next();
      return new Decoder({ strict: xs.inOrder }).element<unknown>(reader, type, { fixed: "1.0", nillable: true });
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

test("fewer than minOccurs is tolerated, none is not", () => {
  const three = record({ e: { type: xs.int, min: 3, max: 5 } });
  expect(decodeInside(three, "<e>1</e>")).toStrictEqual({ e: [1] });
  expect(() => decodeInside(three, "<e>1</e>", { strict: true })).toThrow(expect.objectContaining({ path: "/R/e" }));
  expect(() => decodeInside(three, "")).toThrow(expect.objectContaining({ path: "/R/e" }));
});
