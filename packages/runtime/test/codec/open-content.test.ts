import { expect, test } from "vitest";
import { DecodeError, EncodeError } from "../../src/answer-errors.js";
import type { DeclaredElement } from "../../src/codec/codec-options.js";
import type { AnyElement, AnyValue, RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { heapUsed } from "../heap-used.js";
import { decode, decodeInside, encode, encodeInside, type Loose, ns, record, xsi } from "./messages.js";

const anyMany = { kind: "any", by: xs.any, namespaces: "any", process: "lax", min: 0, max: "unbounded" } as const;
const anyOne = { kind: "any", by: xs.any, namespaces: "any", process: "skip", min: 0 } as const;

test("a wildcard keeps names, attributes, text and nesting", () => {
  const type = record({ a: { type: xs.int }, any: anyMany });
  const value = {
    a: 1,
    any: [
      {
        name: "{urn:b}x",
        attributes: [
          { name: "id", value: '"<1>\n' },
          { name: "{urn:c}id", value: "2" },
          { name: "{http://www.w3.org/XML/1998/namespace}lang", value: "it" },
        ],
        content: ["\n text ", { name: "y", content: ["<"] }, { name: "{urn:b}z" }],
      },
      { name: `{${ns}}unknown` },
    ],
  } satisfies { a: number; any: AnyElement[] };
  const inside =
    '<a>1</a><x id="&quot;&lt;1&gt;&#10;" q1:id="2" xml:lang="it" xmlns:q1="urn:c" xmlns="urn:b">\n text <y xmlns="">&lt;</y><z /></x><unknown />';
  expect(encodeInside(type, value)).toBe(inside);
  expect(decodeInside(type, inside)).toStrictEqual(value);
  expect(decodeInside(type, inside, { strict: true })).toStrictEqual(value);
});

test("declared elements come first, wildcards accept the rest", () => {
  const type = record({ a: { type: xs.int, min: 0 }, any: anyOne });
  expect(decodeInside(type, "<b:x/><a>1</a>")).toStrictEqual({ any: { name: "{urn:b}x" }, a: 1 });
  expect(decodeInside(type, "<b:x/><b:y/>")).toStrictEqual({ any: { name: "{urn:b}x" } });
  expect(() => decodeInside(type, "<b:x/><b:y/>", { unknown: "error" })).toThrow(DecodeError);
});

test.each([
  ["any", ["", ns, "urn:b"]],
  [{ not: ns }, ["urn:b"]],
  [
    ["", "urn:b"],
    ["", "urn:b"],
  ],
  [[ns], [ns]],
] as const)("a wildcard of namespaces %j admits %j", (namespaces, admitted) => {
  const type = record({ any: { kind: "any", by: xs.any, namespaces, process: "lax", min: 0 } });
  for (const namespace of ["", ns, "urn:b"]) {
    const name = namespace === "" ? "x" : `{${namespace}}x`;
    const xml = `<R xmlns="${ns}"><x xmlns="${namespace}"/></R>`;
    if (admitted.some((admittedNamespace) => admittedNamespace === namespace)) {
      expect(decode(type, xml)).toStrictEqual({ any: { name } });
      expect(encode(type, { any: { name } })).toContain("<x");
    } else {
      expect(decode(type, xml)).toStrictEqual({});
      expect(() => encode(type, { any: { name } })).toThrow(EncodeError);
    }
  }
});

test("an attribute wildcard accepts the attributes of its namespaces", () => {
  const other = record({
    id: { kind: "attribute", by: xs.attribute, type: xs.int },
    anyAttribute: { kind: "anyAttribute", by: xs.anyAttribute, namespaces: { not: ns }, process: "lax" },
  });
  const value = { id: 1, anyAttribute: [{ name: "{urn:b}x", value: "y" }] };
  expect(encode(other, value)).toBe(`<R id="1" q1:x="y" xmlns:q1="urn:b" xmlns="${ns}" />`);
  expect(decode(other, encode(other, value), { strict: true })).toStrictEqual(value);
  expect(decode(other, `<R xmlns:p="${ns}" p:x="1" y="2" id="1" xmlns:xsi="${xsi}" xsi:type="q"/>`)).toStrictEqual({
    id: 1,
  });
  for (const name of ["x", `{${ns}}x`, "id", `{${xsi}}nil`]) {
    expect(() => encode(other, { anyAttribute: [{ name, value: "" }] }), name).toThrow(EncodeError);
  }
  const twice = [
    { name: "{urn:b}x", value: "1" },
    { name: "{urn:b}x", value: "2" },
  ];
  expect(() => encode(other, { anyAttribute: twice })).toThrow(expect.objectContaining({ path: "/R/anyAttribute/1" }));
});

test("xsi:type inside a wildcard keeps its type name", () => {
  const type = record({ any: anyOne });
  const inside = '<b:x xmlns:p="urn:p" xsi:type="p:T" xsi:nil="true"/>';
  const value = {
    any: {
      name: "{urn:b}x",
      attributes: [
        { name: `{${xsi}}type`, value: "{urn:p}T" },
        { name: `{${xsi}}nil`, value: "true" },
      ],
    },
  };
  expect(decodeInside(type, inside)).toStrictEqual(value);
  expect(encodeInside(type, value)).toBe('<x xsi:type="q1:T" xsi:nil="true" xmlns:q1="urn:p" xmlns="urn:b" />');
});

const anything = record({ v: { type: xs.anyType, nillable: true } });
test.each([
  ["text", "text", "<v>text</v>"],
  ["white space", " \n", "<v> \n</v>"],
  ["nothing", "", "<v />"],
  ["nil", null, '<v xsi:nil="true" />'],
  ["a typed text", { type: "{http://www.w3.org/2001/XMLSchema}int", content: ["5"] }, '<v xsi:type="xsd:int">5</v>'],
  ["a type of the same namespace", { type: `{${ns}}T` }, '<v xsi:type="T" />'],
  ["a type of no namespace", { type: "T" }, `<e:v xsi:type="T" xmlns:e="${ns}" xmlns="" />`],
  ["attributes", { attributes: [{ name: "a", value: "1" }] }, '<v a="1" />'],
  ["elements", { content: [{ name: `{${ns}}x` }, "t", { name: "{urn:b}y" }] }, '<v><x />t<y xmlns="urn:b" /></v>'],
  ["one element", { content: [{ name: "y" }] }, '<v><y xmlns="" /></v>'],
] satisfies [string, AnyValue | null, string][])("xs.anyType is written and read: %s", (_, v, inside) => {
  expect(encodeInside(anything, { v })).toBe(inside);
  expect(decodeInside(anything, inside)).toStrictEqual({ v });
});

test.each([
  [5, "/R/v"],
  [{ type: "{urn:x" }, "/R/v"],
  [{ content: [5] }, "/R/v/0"],
  [{ content: ["a\u0000"] }, "/R/v/0"],
  [{ extra: 1 }, "/R/v"],
  [{ attributes: [{ name: `{${xsi}}type`, value: "x" }] }, "/R/v/0"],
  [{ attributes: [{ name: "a" }] }, "/R/v/0"],
])("xs.anyType refuses %j", (v, path) => {
  expect(() => encode(anything, { v })).toThrow(expect.objectContaining({ name: "EncodeError", path }));
});

const inline: RecordDescriptor<Loose> = {
  kind: "record",
  name: `{${ns}}Inline`,
  namespace: ns,
  fields: {
    b: { type: xs.string, min: 0 },
    n: { type: xs.int, min: 0 },
    p: { type: () => paragraph, min: 0 },
    any: { kind: "any", by: xs.any, namespaces: { not: ns }, process: "lax", min: 0 },
  },
  by: xs.content,
  content: [{ choice: ["b", "n", "p", "any"] }],
};
const paragraph: RecordDescriptor<Loose> = {
  kind: "record",
  name: `{${ns}}P`,
  namespace: ns,
  fields: {
    id: { kind: "attribute", by: xs.attribute, type: xs.int },
    content: { kind: "mixed", by: xs.mixed, record: () => inline },
  },
};

test.each([
  ["nothing", { content: [] }, ""],
  ["text", { content: ["a <b>"] }, "a &lt;b&gt;"],
  ["text and elements", { content: ["a ", { b: "bold" }, " ", { n: 5 }] }, "a <b>bold</b> <n>5</n>"],
  ["nested", { content: [{ p: { id: 1, content: ["x", { b: "" }] } }] }, '<p id="1">x<b /></p>'],
  ["a wildcard", { content: ["x", { any: { name: "{urn:b}y" } }] }, 'x<y xmlns="urn:b" />'],
])("mixed content is written and read: %s", (_, value, inside) => {
  expect(encodeInside(() => paragraph, value)).toBe(inside);
  expect(decodeInside(() => paragraph, inside)).toStrictEqual(value);
});

test("mixed content skips unknown elements, and joins text around comments", () => {
  expect(decodeInside(() => paragraph, "a<!-- -->b<u/>c<b>d</b>")).toStrictEqual({ content: ["ab", "c", { b: "d" }] });
  expect(() => decodeInside(() => paragraph, "a<u/>", { unknown: "error" })).toThrow(
    expect.objectContaining({ path: "/R/u" }),
  );
  expect(() => decodeInside(() => paragraph, "<n>x</n>")).toThrow(expect.objectContaining({ path: "/R/n" }));
});

test.each([
  [{ content: [{ b: "1", n: 2 }] }, "/R/content/0"],
  [{ content: [{}] }, "/R/content/0"],
  [{ content: [5] }, "/R/content/0"],
  [{ content: ["a", { n: "x" }] }, "/R/content/1/n"],
  [{ content: [{ zzz: "x" }] }, "/R/content/0"],
  [{ content: "text" }, "/R/content"],
])("mixed content refuses %j", (value, path) => {
  expect(() => encode(() => paragraph, value)).toThrow(expect.objectContaining({ name: "EncodeError", path }));
});

const when = { type: xs.date };
const place = record({ town: { type: xs.token } });
const known: ReadonlyMap<string, DeclaredElement> = new Map<string, DeclaredElement>([
  ["{urn:b}date", when],
  ["{urn:b}place", { type: place, nillable: true }],
  ["{urn:b}name", { type: xs.QName }],
]);
const declared = { find: (name: string) => known.get(name) };
const strictOne = { ...anyOne, process: "strict" } as const;

test.each([
  { fact: "a declared element", any: strictOne, inside: "<b:date>2026-01-31</b:date>" },
  {
    fact: "a record with its namespaces",
    any: strictOne,
    inside: '<b:place><town xmlns="urn:a">Kyiv</town></b:place>',
  },
  { fact: "a nil element", any: strictOne, inside: '<b:place xsi:nil="true"/>' },
  { fact: "a name whose prefix is declared outside", any: strictOne, inside: "<b:name>a:b</b:name>" },
  { fact: "an element that is not known", any: strictOne, inside: "<b:other/>" },
  { fact: "an element of processContents skip", any: anyOne, inside: "<b:date>x</b:date>" },
])("a wildcard accepts $fact", ({ any, inside }) => {
  const type = record({ any });
  expect(decodeInside(type, inside, { declared })).toStrictEqual(decodeInside(type, inside));
});

test.each([
  { fact: "a wrong value", any: strictOne, inside: "<b:date>2026-01-32</b:date>", path: "/R/date" },
  { fact: "a wrong value, laxly", any: { ...anyOne, process: "lax" } as const, inside: "<b:date/>", path: "/R/date" },
  { fact: "a record without its member", any: strictOne, inside: "<b:place/>", path: "/R/place/town" },
  { fact: "a wrong element in an unknown one", any: strictOne, inside: "<b:x><b:date/></b:x>", path: "/R/x" },
])("on request, a wildcard refuses $fact", ({ any, inside, path }) => {
  const type = record({ any });
  expect(() => decodeInside(type, inside)).not.toThrow();
  expect(() => decodeInside(type, inside, { declared })).toThrow(expect.objectContaining({ path }));
});

test("if all elements are known, a strict wildcard refuses others, and a lax one accepts them", () => {
  const all = { ...declared, complete: true };
  const lax = { ...anyOne, process: "lax" } as const;
  expect(() => decodeInside(record({ any: strictOne }), "<b:other/>", { declared: all })).toThrow(
    "/R/other: The schema does not",
  );
  expect(() => decodeInside(record({ any: lax }), "<b:other/>", { declared: all })).not.toThrow();
});

test("elements in a value of anyType are checked laxly", () => {
  const type = record({ v: { type: xs.anyType } });
  expect(() => decodeInside(type, "<v><b:date/></v>", { declared })).toThrow(
    expect.objectContaining({ path: "/R/v/date" }),
  );
  expect(() => decodeInside(type, "<v><b:other/></v>", { declared })).not.toThrow();
});

test("a short element with an attribute that matches a wildcard takes at most 230 bytes", async () => {
  const type = record({ any: anyOne });
  const inside = `<b:x>${'<b:a z=""/>'.repeat(40_000)}</b:x>`;
  const before = await heapUsed();
  const value = decodeInside(type, inside);
  const used = (await heapUsed()) - before;
  expect(value).toHaveProperty("any");
  expect(used / 40_000).toBeLessThan(230);
});
