import { expect, test } from "vitest";
import { EncodeError } from "../../src/answer-errors.js";
import { Encoder } from "../../src/codec/encoder.js";
import * as xs from "../../src/xs.js";
import { encode, encodeInside, ns, record } from "./messages.js";

const elements = record({
  word: { type: xs.string, min: 0 },
  count: { type: xs.int },
  pair: { type: xs.string, nillable: true },
  either: { type: xs.boolean, nillable: true, min: 0 },
  many: { type: xs.int, min: 0, max: "unbounded" },
  some: { type: xs.string, min: 0, max: 3, nillable: true },
});
const least = "<count>1</count>";
const nilPair = '<pair xsi:nil="true" />';

test.each([
  [{ count: 1, pair: "p" }, `${least}<pair>p</pair>`],
  [{ pair: "p", count: 1, word: "w" }, `<word>w</word>${least}<pair>p</pair>`],
  [{ count: 1, pair: null }, least + nilPair],
  [{ count: 1 }, least + nilPair],
  [{ count: 1, pair: "" }, `${least}<pair />`],
  [{ count: 1, pair: null, word: "" }, `<word />${least}${nilPair}`],
  [{ count: 1, pair: null, word: undefined }, least + nilPair],
  [{ count: 1, pair: null, word: null }, least + nilPair],
  [{ count: 1, pair: null, either: null }, `${least}${nilPair}<either xsi:nil="true" />`],
  [{ count: 1, pair: null, either: false }, `${least}${nilPair}<either>false</either>`],
  [{ count: 1, pair: null, many: [] }, least + nilPair],
  [{ count: 1, pair: null, many: [1, 2] }, `${least}${nilPair}<many>1</many><many>2</many>`],
  [{ count: 1, pair: null, some: [null, "", "x"] }, `${least}${nilPair}<some xsi:nil="true" /><some /><some>x</some>`],
  [{ count: 1, pair: "<&>\r\n" }, `${least}<pair>&lt;&amp;&gt;&#13;\n</pair>`],
  [{ __proto__: null, count: 1, pair: "p" }, `${least}<pair>p</pair>`],
])("writes elements %#: %o", (value, want) => {
  expect(encodeInside(elements, value)).toBe(want);
});

class Inherits {
  count = 1;
  get word(): string {
    return "lost";
  }
}

test.each([
  [{ pair: "p" }, "/R/count", "required"],
  [{ count: null, pair: "p" }, "/R/count", "not nillable"],
  [{ count: "1" }, "/R/count", "xs:int"],
  [{ count: 1.5 }, "/R/count", "xs:int"],
  [{ count: Number.NaN }, "/R/count", "xs:int"],
  [{ count: 1, word: 5 }, "/R/word", "xs:string"],
  [{ count: 1, word: {} }, "/R/word", "xs:string"],
  [{ count: 1, word: "a\u0001" }, "/R/word", "U+0001"],
  [{ count: 1, word: "a\ud800" }, "/R/word", "U+D800"],
  [{ count: 1, extra: 5 }, "/R", '"extra"'],
  [{ count: 1, many: 5 }, "/R/many", "array"],
  [{ count: 1, many: "55" }, "/R/many", "array"],
  [{ count: 1, many: [1, null] }, "/R/many/1", "xs:int"],
  [{ count: 1, many: [1, undefined] }, "/R/many/1", "xs:int"],
  [{ count: 1, some: ["a", "b", "c", "d"] }, "/R/some", "At most 3"],
  [new Inherits(), "/R", 'The member "word" must be an own property'],
  [new Date(), "/R", "Date"],
  [new Map(), "/R", "Map"],
  [[], "/R", "array"],
  ["text", "/R", "string"],
  [5, "/R", "number"],
  [null, "/R", "not nillable"],
  [undefined, "/R", "required"],
])("writing elements of the value %o is refused at %s", (value, path, message) => {
  const attempt = (): string => encode(elements, value);
  expect(attempt).toThrow(EncodeError);
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(expect.objectContaining({ path }));
});

test.each([
  [{ count: 1, wrod: "a" }, '/R: {urn:a}T has no member "wrod". Did you mean "word"?'],
  [{ count: 1, Word: "a" }, '/R: {urn:a}T has no member "Word". Did you mean "word"?'],
  [{ count: 1, other: "a" }, '/R: {urn:a}T has no member "other".'],
  [{ Count: 1 }, '/R/count: The element is required. There is no member "Count". Did you mean "count"?'],
  [{ R: { count: 1 } }, '/R/count: The element is required. There is no member "R".'],
  [{ word: "a", $type: "R" }, "/R/count: The element is required."],
])("the refusal of the misspelt member in %o suggests the right one", (value, message) => {
  expect(() => encode(elements, value)).toThrow(expect.objectContaining({ message }));
});

test("paths start at the caller's path, and lead through records and arrays", () => {
  const inner = record({ n: { type: xs.int } });
  const outer = record({ items: { type: inner, max: "unbounded" } });
  const attempt = (): string => encode(outer, { items: [{ n: 1 }, { n: "x" }] }, { path: "/Envelope/Body" });
  expect(attempt).toThrow(expect.objectContaining({ path: "/Envelope/Body/R/items/1/n" }));
});

test("a nillable root is written as nil for null and undefined", () => {
  expect(encode(elements, null, { nillable: true })).toBe(`<R xsi:nil="true" xmlns="${ns}" />`);
  expect(encode(elements, undefined, { nillable: true })).toBe(`<R xsi:nil="true" xmlns="${ns}" />`);
});

test("a root may have a simple type and namespace declarations", () => {
  expect(new Encoder().encode("R", xs.int, 5)).toBe("<R>5</R>");
  expect(new Encoder().encode("R", xs.string, "")).toBe("<R />");
  expect(encode(xs.string, "a", { declarations: ' xmlns:x="urn:x"' })).toBe(`<R xmlns:x="urn:x" xmlns="${ns}">a</R>`);
});

test("elements of several namespaces declare only the prefixes they need", () => {
  const inner = record({ same: { type: xs.int }, back: { type: xs.int, namespace: ns } }, { namespace: "urn:b" });
  const type = record({
    count: { type: xs.int },
    none: { type: xs.int, namespace: "" },
    other: { type: inner, namespace: "urn:b", name: "o-t" },
    amp: { type: xs.string, namespace: 'urn:"&' },
  });
  const value = { count: 1, none: 2, other: { same: 3, back: 4 }, amp: "" };
  expect(encodeInside(type, value)).toBe(
    `<count>1</count><none xmlns="">2</none><o-t xmlns="urn:b"><same>3</same><back xmlns="urn:a">4</back></o-t><amp xmlns="urn:&quot;&amp;" />`,
  );
});

test("attributes are written in the tag, those in a namespace with a prefix", () => {
  const type = record({
    id: { kind: "attribute", by: xs.attribute, type: xs.int, required: true },
    lang: { kind: "attribute", by: xs.attribute, type: xs.language, namespace: "http://www.w3.org/XML/1998/namespace" },
    far: { kind: "attribute", by: xs.attribute, type: xs.string, namespace: "urn:b", name: "f" },
    list: { kind: "attribute", by: xs.attribute, type: xs.NMTOKENS },
    e: { type: xs.string, min: 0 },
  });
  expect(encode(type, { id: 5 })).toBe(`<R id="5" xmlns="${ns}" />`);
  expect(encode(type, { id: 5, lang: "it", far: '<"\n', list: ["a", "b"], e: "" })).toBe(
    `<R id="5" xml:lang="it" q1:f="&lt;&quot;&#10;" list="a b" xmlns:q1="urn:b" xmlns="${ns}"><e /></R>`,
  );
  expect(() => encode(type, {})).toThrow("/R/id: The attribute is required.");
  expect(() => encode(type, { id: "x" })).toThrow(expect.objectContaining({ path: "/R/id" }));
  expect(() => encode(type, { id: 1, extra: 1 })).toThrow('no member "extra"');
});

test("simple content is text with attributes", () => {
  const type = record({
    value: { kind: "text", by: xs.text, type: xs.decimal },
    unit: { kind: "attribute", by: xs.attribute, type: xs.string },
  });
  expect(encode(type, { value: "1.5", unit: "km" })).toBe(`<R unit="km" xmlns="${ns}">1.5</R>`);
  expect(() => encode(type, { unit: "km" })).toThrow(expect.objectContaining({ path: "/R/value" }));
  expect(() => encode(type, { value: "x" })).toThrow(expect.objectContaining({ path: "/R/value" }));
  const texts = record({ value: { kind: "text", by: xs.text, type: xs.string } });
  expect(encode(texts, { value: "" })).toBe(`<R xmlns="${ns}" />`);
});

test("fixed values are compared as values, not as text", () => {
  const type = record({
    version: { kind: "attribute", by: xs.attribute, type: xs.decimal, fixed: "1.0" },
    kind: { type: xs.string, min: 0, fixed: "car" },
  });
  expect(encode(type, { version: "1.00", kind: "car" })).toContain("<kind>car</kind>");
  expect(() => encode(type, { version: "1.1" })).toThrow(expect.objectContaining({ path: "/R/version" }));
  expect(() => encode(type, { kind: "bus" })).toThrow(expect.objectContaining({ path: "/R/kind" }));
});

test("a document must match its declared encoding", () => {
  const encoder = new Encoder();
  expect(encoder.encode("R", xs.decimal, "1.00", { fixed: "1.0" })).toContain("1.00");
  expect(() => encoder.encode("R", xs.decimal, "1.1", { fixed: "1.0" })).toThrow("fixed");
  expect(() => encoder.encode("R", xs.string, "", { default: "red" })).toThrow("default");
});

test("empty text that would be read as a default is refused", () => {
  const type = record({ colour: { type: xs.string, default: "red" } });
  expect(encodeInside(type, { colour: "blue" })).toBe("<colour>blue</colour>");
  expect(() => encode(type, { colour: "" })).toThrow("default");
});

test("only own properties of a value are members, whatever their names", () => {
  const type = record({
    ["__proto__"]: { type: xs.string, min: 0 },
    constructor: { type: xs.string, min: 0 },
    toString: { type: xs.string, min: 0 },
  });
  expect(encodeInside(type, {})).toBe("");
  expect(encodeInside(type, JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}'))).toBe(
    "<__proto__>a</__proto__><constructor>b</constructor><toString>c</toString>",
  );
});

test("a record from another realm is accepted", () => {
  const foreign: unknown = structuredClone({ count: 1, pair: "p" });
  expect(encodeInside(elements, foreign)).toBe(`${least}<pair>p</pair>`);
});

test("QNames declare their prefixes on their own element", () => {
  const type = record({
    at: { kind: "attribute", by: xs.attribute, type: xs.QName },
    name: { type: xs.QName, min: 0 },
  });
  expect(encode(type, { at: "{urn:b}x", name: "{urn:c}y" })).toBe(
    `<R at="q1:x" xmlns:q1="urn:b" xmlns="${ns}"><name xmlns:q1="urn:c">q1:y</name></R>`,
  );
  expect(encode(type, { name: "bare" })).toBe(`<R xmlns="${ns}"><e:name xmlns:e="${ns}" xmlns="">bare</e:name></R>`);
  expect(encode(type, { at: "bare", name: "{urn:a}y" })).toBe(
    `<e:R at="bare" xmlns:e="${ns}" xmlns=""><name xmlns:q1="${ns}" xmlns="${ns}">q1:y</name></e:R>`,
  );
  expect(encode(type, { name: "{http://www.w3.org/2001/XMLSchema}int" })).toContain("<name>xsd:int</name>");
});
