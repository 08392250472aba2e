import { XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { Decoder } from "../../src/codec/decoder.js";
import { Encoder } from "../../src/codec/encoder.js";
import type { PolymorphicDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decode, encode, type Loose, ns, record } from "./messages.js";

const leaf = record({ e: { type: xs.int } }, { name: `{${ns}}Leaf` });
const poly: PolymorphicDescriptor<{ e: number; $type: "Leaf" }> = {
  kind: "polymorphic",
  by: xs.polymorphic,
  name: "Base",
  alternatives: { Leaf: leaf },
};
const type = record({
  CheckResult: { type: leaf },
  p: { type: () => poly },
  at: { kind: "attribute", by: xs.attribute, type: xs.string, namespace: ns },
  any: { kind: "any", by: xs.any, namespaces: [ns], process: "lax", min: 0 },
});
const names = {
  namespaces: new Map([[ns, "urn:real"]]),
  elements: new Map([
    [`{${ns}}CheckResult`, "ProbeResult"],
    [`{${ns}}R`, "Probe"],
  ]),
};
const value: Loose = { at: "x", CheckResult: { e: 1 }, p: { $type: "Leaf", e: 2 }, any: { name: "{urn:real}y" } };
const xml =
  '<Probe q1:at="x" xmlns:q1="urn:real" xmlns="urn:real"><ProbeResult><e>1</e></ProbeResult><p xsi:type="Leaf"><e>2</e></p><y /></Probe>';

test("namespaces and elements have their real names on the wire, in both directions", () => {
  const encoded = new Encoder(names).encode(`{${ns}}R`, type, value);
  expect(encoded).toBe(xml);
  const document = xml.replace("<Probe", '<Probe xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"');
  expect(decode(type, document, { ...names, strict: true })).toStrictEqual(value);
});

test("names changed for one encoder do not change for others", () => {
  new Encoder(names).encode(`{${ns}}R`, type, value);
  expect(encode(leaf, { e: 1 })).toBe(`<R xmlns="${ns}"><e>1</e></R>`);
  expect(encode(leaf, { e: 1 }, { namespaces: new Map([[ns, "urn:other"]]) })).toBe(
    '<R xmlns="urn:other"><e>1</e></R>',
  );
  expect(decode(leaf, `<R xmlns="${ns}"><e>1</e></R>`)).toStrictEqual({ e: 1 });
});

test("paths lead through the value when encoding, through the document when decoding", () => {
  expect(() => new Encoder(names).encode(`{${ns}}R`, type, {})).toThrow(
    expect.objectContaining({ path: "/Probe/CheckResult" }),
  );
  expect(() => decode(type, '<Probe xmlns="urn:real"/>', names)).toThrow(
    expect.objectContaining({ path: "/Probe/ProbeResult" }),
  );
});

test("illegal characters are refused, or replaced on request", () => {
  const texts = record({ t: { type: xs.string }, a: { kind: "attribute", by: xs.attribute, type: xs.string } });
  const bad = { t: "a\u0000b\ud800<\ufffe", a: "\u001f\udc00\t" };
  expect(() => encode(texts, bad)).toThrow("U+001F");
  expect(encode(texts, bad, { illegalCharacters: "replace" })).toBe(
    `<R a="\ufffd\ufffd&#9;" xmlns="${ns}"><t>a\ufffdb\ufffd&lt;\ufffd</t></R>`,
  );
  expect(encode(texts, { t: "😀", a: "" }, { illegalCharacters: "replace" })).toContain("<t>😀</t>");
});

test("elements are siblings if no element encloses them", () => {
  const parts = record({ a: { type: xs.int }, b: { type: leaf, namespace: "" } });
  expect(new Encoder().encodeContent(parts, { a: 1, b: { e: 2 } })).toBe(
    `<a xmlns="${ns}">1</a><b><e xmlns="${ns}">2</e></b>`,
  );
  expect(() => new Encoder().encodeContent(parts, { a: "x" }, { path: "/Body" })).toThrow(
    expect.objectContaining({ path: "/Body/a" }),
  );
});

test("decoding ends at the end of its element", () => {
  const reader = new XmlReader(`<B><R xmlns="${ns}"><e>1</e></R><next/></B>`);
  reader.next();
  reader.next();
  expect(new Decoder().decode(reader, leaf, { path: "/B" })).toStrictEqual({ e: 1 });
  expect([reader.localName, reader.depth]).toEqual(["R", 2]);
  reader.next();
  expect(reader.localName).toBe("next");
});

test("paths in the document start at the caller's path", () => {
  const reader = new XmlReader(`<R xmlns="${ns}"><e>x</e></R>`);
  reader.next();
  expect(() => new Decoder().decode(reader, leaf, { path: "/Envelope/Body" })).toThrow(
    expect.objectContaining({ path: "/Envelope/Body/R/e", value: "x" }),
  );
});
