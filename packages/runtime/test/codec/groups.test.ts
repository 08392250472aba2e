import { expect, test } from "vitest";
import type { Particle, RecordDescriptor } from "../../src/descriptor.js";
import { DecodeError, EncodeError } from "../../src/errors.js";
import * as xs from "../../src/xs.js";
import { decodeInside, encodeInside, type Loose, record } from "./messages.js";

const e = { type: xs.string, min: 0 } as const;
const must = { type: xs.string } as const;

function of(fields: RecordDescriptor<Loose>["fields"], ...content: Particle[]): () => RecordDescriptor<Loose> {
  return record(fields, content.length === 0 ? {} : { content });
}
function group(item: () => RecordDescriptor<Loose>, min = 1, max: number | "unbounded" = "unbounded") {
  return { kind: "group", record: item, min, max } as const;
}

const oneOf = of({ a: must, b: must }, { choice: ["a", "b"] });
const choices = record({ choice: group(oneOf, 0) });
const pairs = record({ head: e, sequence: group(of({ k: must, v: e }), 1, 3), tail: e });
const loose = record({ sequence: group(of({ a: e, b: e }), 2) });
const inner = record({ x: must, inner: group(of({ y: must }), 0) });
const nested = record({ outer: group(inner, 1) });
const nestedChoice = record({
  choice: group(of({ a: must, run: group(of({ b: must }), 1) }, { choice: ["a", "run"] }), 0),
});
const alls = record({ all: group(of({ a: must, b: e }, { all: ["a", "b"] }), 1), end: must });
const twice = record({ first: group(of({ a: must }), 0), middle: must, second: group(of({ a: must }), 0) });
const limited = record({ two: group(of({ a: must }), 1, 2), last: { ...must, name: "a" } });

test.each([
  [
    "a repeated choice keeps its order",
    choices,
    { choice: [{ a: "1" }, { b: "2" }, { a: "3" }] },
    "<a>1</a><b>2</b><a>3</a>",
  ],
  ["a repeated choice that never occurs", choices, {}, ""],
  ["a repeated sequence", pairs, { sequence: [{ k: "1", v: "2" }, { k: "3" }] }, "<k>1</k><v>2</v><k>3</k>"],
  [
    "elements around it",
    pairs,
    { head: "h", sequence: [{ k: "1" }], tail: "t" },
    "<head>h</head><k>1</k><tail>t</tail>",
  ],
  [
    "a group of optional elements",
    loose,
    { sequence: [{ a: "1", b: "2" }, { b: "3" }, { a: "4" }] },
    "<a>1</a><b>2</b><b>3</b><a>4</a>",
  ],
  ["a group of optional elements that must occur, empty", loose, { sequence: [] }, ""],
  [
    "a group in a group",
    nested,
    { outer: [{ x: "1", inner: [{ y: "2" }, { y: "3" }] }, { x: "4" }] },
    "<x>1</x><y>2</y><y>3</y><x>4</x>",
  ],
  [
    "a group in a repeated choice",
    nestedChoice,
    { choice: [{ run: [{ b: "1" }, { b: "2" }] }, { a: "3" }] },
    "<b>1</b><b>2</b><a>3</a>",
  ],
  ["a repeated all", alls, { all: [{ a: "1", b: "2" }, { a: "3" }], end: "z" }, "<a>1</a><b>2</b><a>3</a><end>z</end>"],
  [
    "equal groups in two places",
    twice,
    { first: [{ a: "1" }], middle: "m", second: [{ a: "2" }] },
    "<a>1</a><middle>m</middle><a>2</a>",
  ],
  ["an end by number", limited, { two: [{ a: "1" }, { a: "2" }], last: "3" }, "<a>1</a><a>2</a><a>3</a>"],
])("both ways: %s", (_, type, value, inside) => {
  expect(encodeInside(type, value)).toBe(inside);
  expect(decodeInside(type, inside)).toStrictEqual(value);
  expect(decodeInside(type, inside, { strict: true })).toStrictEqual(value);
});

test("unknown elements among repeated groups are ignored, or refused", () => {
  const inside = "<x><a>9</a></x><a>1</a><y/><b>2</b>text";
  expect(decodeInside(choices, inside)).toStrictEqual({ choice: [{ a: "1" }, { b: "2" }] });
  expect(() => decodeInside(choices, inside, { unknown: "error" })).toThrow(expect.objectContaining({ path: "/R/x" }));
});

test("repeated groups need their order", () => {
  expect(() => decodeInside(pairs, "<tail/><k>1</k>")).toThrow(DecodeError);
  expect(() => decodeInside(pairs, "<v>1</v>")).toThrow(DecodeError);
  expect(() => decodeInside(pairs, "<k>1</k><head/>")).toThrow(expect.objectContaining({ path: "/R/head" }));
});

test("how often a group occurs is checked", () => {
  const four = "<k>1</k>".repeat(4);
  expect(() => decodeInside(pairs, four)).toThrow(expect.objectContaining({ path: "/R/k" }));
  expect(() => decodeInside(pairs, "")).toThrow(DecodeError);
  expect(() => encodeInside(pairs, { sequence: [] })).toThrow(expect.objectContaining({ path: "/R/sequence" }));
  expect(() => encodeInside(pairs, {})).toThrow(expect.objectContaining({ path: "/R/sequence" }));
  expect(() => encodeInside(pairs, { sequence: Array(4).fill({ k: "1" }) })).toThrow("At most 3");
});

test("items are checked like records", () => {
  expect(() => encodeInside(choices, { choice: [{ a: "1" }, { a: "1", b: "2" }] })).toThrow(
    expect.objectContaining({ path: "/R/choice/1" }),
  );
  expect(() => encodeInside(choices, { choice: [{ a: "1", x: 1 }] })).toThrow('no member "x"');
  expect(() => encodeInside(choices, { choice: [null] })).toThrow(EncodeError);
  expect(() => encodeInside(choices, { choice: { a: "1" } })).toThrow("no array");
});

test("a repeated group may hold what its record cannot: wildcards", () => {
  const any = { kind: "any", namespaces: ["urn:b"], process: "lax" } as const;
  const type = record({ part: group(of({ a: must, any: { ...any, min: 0, max: "unbounded" } }), 0) });
  const value = { part: [{ a: "1", any: [{ name: "{urn:b}x" }] }, { a: "2" }] };
  expect(encodeInside(type, value)).toBe('<a>1</a><x xmlns="urn:b" /><a>2</a>');
  expect(decodeInside(type, '<a>1</a><x xmlns="urn:b"/><a>2</a>')).toStrictEqual(value);
});
