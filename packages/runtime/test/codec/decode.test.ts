import { XmlError, XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { DecodeError } from "../../src/answer-errors.js";
import type { DecodeElementOptions } from "../../src/codec/codec-options.js";
import { Decoder } from "../../src/codec/decoder.js";
import type { TypeReference } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decode, decodeInside, inRoot, ns, record } from "./messages.js";

const elements = record({
  word: { type: xs.string, min: 0 },
  count: { type: xs.int },
  pair: { type: xs.string, nillable: true },
  when: { type: xs.dateTime, min: 0 },
  either: { type: xs.int, nillable: true, min: 0 },
  many: { type: xs.int, min: 0, max: "unbounded" },
});
const nil = (name: string): string => `<${name} xsi:nil="true"/>`;

test.each([
  ["compact", "<word>w</word><count>1</count><pair>p</pair>", { word: "w", count: 1, pair: "p" }],
  ["prefixed", "<a:word>w</a:word><a:count>1</a:count><a:pair>p</a:pair>", { word: "w", count: 1, pair: "p" }],
  ["pretty", "\n  <count> 1 </count>\n  <pair>p</pair>\n", { count: 1, pair: "p" }],
  ["in another order", "<pair>p</pair><count>1</count><word>w</word>", { word: "w", count: 1, pair: "p" }],
  [
    "with comments and CDATA",
    "<!-- c --><count>1<!-- 2 -->2</count><pair>a<![CDATA[<b>]]></pair>",
    { count: 12, pair: "a<b>" },
  ],
  ["with unknown elements", "<x/><count>1</count><y><count>7</count></y><pair>p</pair>", { count: 1, pair: "p" }],
  [
    "with elements of another namespace",
    '<count xmlns="">7</count><b:count>8</b:count><count>1</count>',
    { count: 1, pair: null },
  ],
  [
    "with unknown attributes",
    '<count x="1" b:y="2">1</count><pair xsi:type="xsd:string">p</pair>',
    { count: 1, pair: "p" },
  ],
  ["with stray text", "text<count>1</count>text", { count: 1, pair: null }],
  ["twice: the first wins", "<count>1</count><count>2</count><pair>p</pair><pair>q</pair>", { count: 1, pair: "p" }],
  ["twice, later too", "<pair>p</pair><count>1</count><pair>q</pair>", { count: 1, pair: "p" }],
  ["empty", "<word/><count>1</count><pair></pair>", { word: "", count: 1, pair: "" }],
  ["nil", `<count>1</count>${nil("pair")}${nil("either")}`, { count: 1, pair: null, either: null }],
  ["nil with content", '<count>1</count><pair xsi:nil=" 1 ">x<y/></pair>', { count: 1, pair: null }],
  ["not nil", '<count xsi:nil="false">1</count><pair xsi:nil="0">p</pair>', { count: 1, pair: "p" }],
  ["absent", "<count>1</count>", { count: 1, pair: null }],
  ["nil, but not nillable: a string is empty", `<count>1</count>${nil("word")}`, { count: 1, pair: null, word: "" }],
  ["nil, but not nillable: an optional element is absent", `<count>1</count>${nil("when")}`, { count: 1, pair: null }],
  ["repeated", "<count>1</count><many>1</many><many>2</many>", { count: 1, pair: null, many: [1, 2] }],
  [
    "repeated with others between",
    "<many>1</many><count>1</count><many>2</many>",
    { count: 1, pair: null, many: [1, 2] },
  ],
  ["white space of a number", "<count>\n\t+007 </count>", { count: 7, pair: null }],
  ["white space of a string", "<count>1</count><pair> a\n b </pair>", { count: 1, pair: " a\n b " }],
])("reads elements: %s", (_, inside, want) => {
  const value = decodeInside(elements, inside);
  expect(value).toStrictEqual(want);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test.each([
  ["next to each other", "<count>1</count><count>2</count>", "/R/count"],
  ["apart", "<pair>p</pair><count>1</count><pair>q</pair>", "/R/pair"],
])("a single element that occurs twice is refused on request: %s", (_, inside, path) => {
  expect(() => decodeInside(elements, inside, { repeated: "error" })).toThrow(path);
});

test.each([
  ["<count/>", "/R/count", ""],
  ["<count>x</count>", "/R/count", "x"],
  ["<count> 1 2</count>", "/R/count", " 1 2"],
  [`<count>${"9".repeat(100)}</count>`, "/R/count", "9".repeat(64)],
  [`${nil("count")}`, "/R/count", undefined],
  ["", "/R/count", undefined],
  ["<COUNT>1</COUNT>", "/R/count", undefined],
  ["<count>1</count><when/>", "/R/when", ""],
  ["<count>1</count><when>yesterday</when>", "/R/when", "yesterday"],
  ["<count>1</count><many>1</many><many>x</many>", "/R/many[2]", "x"],
  [`<count>1</count><many>1</many>${nil("many")}`, "/R/many[2]", undefined],
  ["<count><b>1</b></count>", "/R/count", undefined],
])("reading the elements %s is refused at %s", (inside, path, value) => {
  const attempt = (): unknown => decodeInside(elements, inside);
  expect(attempt).toThrow(DecodeError);
  expect(attempt).toThrow(expect.objectContaining({ path, value }));
});

test("a path leads through records, arrays and attributes", () => {
  const leaf = record({
    at: { kind: "attribute", by: xs.attribute, type: xs.int },
    value: { kind: "text", by: xs.text, type: xs.int },
  });
  const type = record({ list: { type: record({ leaf: { type: leaf, max: "unbounded" } }) } });
  const path =
    (inside: string): (() => unknown) =>
    () =>
      decodeInside(type, inside);
  expect(path('<list><leaf>1</leaf><leaf at="x">1</leaf></list>')).toThrow(
    expect.objectContaining({ path: "/R/list/leaf[2]/@at", value: "x" }),
  );
  expect(path("<list><leaf>x</leaf></list>")).toThrow(expect.objectContaining({ path: "/R/list/leaf[1]" }));
  expect(path("<list/>")).toThrow(expect.objectContaining({ path: "/R/list/leaf" }));
});

test("errors of the document pass unchanged", () => {
  expect(() => decode(elements, inRoot("<count>1</pair>"))).toThrow(XmlError);
  expect(() => decode(elements, `<R xmlns="${ns}"><count>1`)).toThrow(XmlError);
});

test("nil elements that repeat one tag are read like the first, in every order", () => {
  const type = record({
    a: { type: xs.string, nillable: true },
    b: { type: xs.string, nillable: true },
    c: { type: xs.int, nillable: true, min: 0 },
  });
  expect(decodeInside(type, "<a>x</a><b>y</b><c>1</c>")).toEqual({ a: "x", b: "y", c: 1 });
  expect(decodeInside(type, `${nil("a")}${nil("b")}${nil("c")}`)).toEqual({ a: null, b: null, c: null });
  expect(decodeInside(type, `${nil("b")}\n ${nil("c")}${nil("a")}`)).toEqual({ a: null, b: null, c: null });
  expect(decodeInside(type, `${nil("a")}<b>y</b>`)).toEqual({ a: null, b: "y" });
  expect(() => decodeInside(type, `${nil("a")}${nil("a")}${nil("b")}`, { repeated: "error" })).toThrow(
    expect.objectContaining({ path: "/R/a" }),
  );
});

test("a list may have any number of items except 0, unless the order of elements decides what they are", () => {
  const list = record({ many: { type: xs.int, min: 2, max: 3 } });
  for (const count of [1, 2, 3, 5]) {
    expect(decodeInside(list, "<many>1</many>".repeat(count))).toEqual({ many: Array(count).fill(1) });
  }
  expect(() => decodeInside(list, "")).toThrow("/R/many: The element is required.");

  const pair = record({ k: { type: xs.string } });
  const pairs = record({ sequence: { kind: "group", by: xs.group, record: pair, min: 2, max: 3 } });
  expect(decodeInside(pairs, "<k>1</k>")).toEqual({ sequence: [{ k: "1" }] });
  expect(() => decodeInside(pairs, "<k>1</k>".repeat(4))).toThrow("does not allow it this many times");
});

test("the root may be nil, or of simple type", () => {
  const root = `<R xmlns="${ns}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>`;
  expect(decode(elements, root, { nillable: true })).toBeNull();
  expect(() => decode(elements, root)).toThrow(expect.objectContaining({ path: "/R" }));
  expect(decode(xs.string, root)).toBe("");
  expect(decode(xs.int, "<R> 5 </R>")).toBe(5);
  expect(() => decode(xs.int, "<R>x</R>")).toThrow(expect.objectContaining({ path: "/R", value: "x" }));
});

test("attributes are read in any position, by qualified name", () => {
  const type = record({
    id: { kind: "attribute", by: xs.attribute, type: xs.int, required: true },
    far: { kind: "attribute", by: xs.attribute, type: xs.string, namespace: "urn:b", name: "id" },
    list: { kind: "attribute", by: xs.attribute, type: xs.NMTOKENS },
  });
  expect(decodeInside(record({ t: { type } }), '<t b:id="x" list=" a  b " id=" 5 " more="x"/>')).toStrictEqual({
    t: { far: "x", list: ["a", "b"], id: 5 },
  });
  expect(() => decode(type, `<R/>`)).toThrow(expect.objectContaining({ path: "/R/@id" }));
});

test("defaults replace an absent attribute and an empty element", () => {
  const type = record({
    size: { kind: "attribute", by: xs.attribute, type: xs.int, default: "5" },
    version: { kind: "attribute", by: xs.attribute, type: xs.string, fixed: "1.0" },
    colour: { type: xs.string, default: "red", min: 0 },
    count: { type: xs.int, fixed: "7", min: 0 },
  });
  expect(decodeInside(type, "")).toStrictEqual({ size: 5, version: "1.0" });
  const named = record({ kind: { kind: "attribute", by: xs.attribute, type: xs.QName, default: "{urn:b}plain" } });
  expect(decodeInside(named, "")).toStrictEqual({ kind: "{urn:b}plain" });
  expect(decodeInside(type, "<colour/><count></count>")).toStrictEqual({
    size: 5,
    version: "1.0",
    colour: "red",
    count: 7,
  });
  expect(decodeInside(type, "<colour> </colour>")).toStrictEqual({ size: 5, version: "1.0", colour: " " });
});

test("a default also replaces an empty document and empty mixed content", () => {
  const mixed = record({ content: { kind: "mixed", by: xs.mixed, record: record({}) } });
  const read = (xml: string, type: TypeReference<unknown>, options: DecodeElementOptions) => {
    const reader = new XmlReader(xml);
    reader.next();
    return new Decoder().decode(reader, type, options);
  };
  expect(read("<R/>", xs.int, { default: "5" })).toBe(5);
  expect(read("<R/>", xs.decimal, { fixed: "1.0" })).toBe("1.0");
  expect(read("<R/>", xs.QName, { default: "{urn:b}name" })).toBe("{urn:b}name");
  expect(read("<R/>", mixed, { default: "a b" })).toEqual({ content: ["a b"] });
});

test("simple content is the text, and its attributes beside it", () => {
  const type = record({
    value: { kind: "text", by: xs.text, type: xs.decimal },
    unit: { kind: "attribute", by: xs.attribute, type: xs.string },
  });
  expect(decode(type, '<R unit="km"> 1.<!-- -->50 </R>')).toStrictEqual({ unit: "km", value: "1.50" });
  expect(() => decode(type, "<R/>")).toThrow(expect.objectContaining({ path: "/R" }));
  const withDefault = record({ e: { type, default: "2.5" } });
  expect(decodeInside(withDefault, "<e/>")).toStrictEqual({ e: { value: "2.5" } });
});

test("one local name in two namespaces, or twice in a sequence, belongs to two members", () => {
  const type = record({
    name: { type: xs.string },
    name2: { name: "name", namespace: "urn:b", type: xs.int },
    name3: { name: "name", type: xs.string, min: 0 },
  });
  const want = { name: "one", name2: 2, name3: "three" };
  expect(decodeInside(type, "<name>one</name><b:name>2</b:name><name>three</name>")).toStrictEqual(want);
  expect(decodeInside(type, "<name>one</name><b:name>2</b:name><name>three</name>", { strict: true })).toStrictEqual(
    want,
  );
});

test("elements that share a name are distinguished by their order", () => {
  const type = record({ a: { type: xs.int, min: 0 }, b: { type: xs.int }, a2: { name: "a", type: xs.int } });
  expect(decodeInside(type, "<b>1</b><a>2</a>")).toStrictEqual({ b: 1, a2: 2 });
  expect(decodeInside(type, "<a>0</a><b>1</b><a>2</a>")).toStrictEqual({ a: 0, b: 1, a2: 2 });
  expect(() => decodeInside(type, "<a>0</a><b>1</b>")).toThrow(expect.objectContaining({ path: "/R/a" }));
});

test("QNames are resolved in the scope of their element", () => {
  const type = record({ at: { kind: "attribute", by: xs.attribute, type: xs.QName }, name: { type: xs.QName } });
  const inside = '<t xmlns:p="urn:p" at="p:x"><name xmlns:p="urn:q">p:y</name></t>';
  expect(decodeInside(record({ t: { type } }), inside)).toStrictEqual({ t: { at: "{urn:p}x", name: "{urn:q}y" } });
  expect(() => decodeInside(type, "<name>z:y</name>")).toThrow(
    expect.objectContaining({ path: "/R/name", value: "z:y" }),
  );
});
