import fc from "fast-check";
import { expect, test } from "vitest";
import { DecodeError, EncodeError } from "../../src/answer-errors.js";
import type { Particle, RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decodeInside, encodeInside, type Loose, record } from "./messages.js";

const e = { type: xs.string, min: 0 } as const;
const must = { type: xs.string } as const;

function recordOf(fields: RecordDescriptor<Loose>["fields"], ...content: Particle[]): () => RecordDescriptor<Loose> {
  return record(fields, content.length === 0 ? {} : { content });
}
function group(item: () => RecordDescriptor<Loose>, min = 1, max: number | "unbounded" = "unbounded") {
  return { kind: "group", by: xs.group, record: item, min, max } as const;
}

const oneOf = recordOf({ a: must, b: must }, { choice: ["a", "b"] });
const choices = record({ choice: group(oneOf, 0) });
const pairs = record({ head: e, sequence: group(recordOf({ k: must, v: e }), 1, 3), tail: e });
const loose = record({ sequence: group(recordOf({ a: e, b: e }), 2) });
const inner = record({ x: must, inner: group(recordOf({ y: must }), 0) });
const nested = record({ outer: group(inner, 1) });
const nestedChoice = record({
  choice: group(recordOf({ a: must, run: group(recordOf({ b: must }), 1) }, { choice: ["a", "run"] }), 0),
});
const alls = record({ all: group(recordOf({ a: must, b: e }, { all: ["a", "b"] }), 1), end: must });
const twice = record({ first: group(recordOf({ a: must }), 0), middle: must, second: group(recordOf({ a: must }), 0) });
const limited = record({ two: group(recordOf({ a: must }), 1, 2), last: { ...must, name: "a" } });

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
])("repeated groups are written and read: %s", (_, type, value, inside) => {
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

test("the number of occurrences of a group is checked", () => {
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
  expect(() => encodeInside(choices, { choice: { a: "1" } })).toThrow("must be an array");
});

test("a repeated group may contain wildcards, which its record cannot", () => {
  const any = { kind: "any", by: xs.any, namespaces: ["urn:b"], process: "lax" } as const;
  const type = record({ part: group(recordOf({ a: must, any: { ...any, min: 0, max: "unbounded" } }), 0) });
  const value = { part: [{ a: "1", any: [{ name: "{urn:b}x" }] }, { a: "2" }] };
  expect(encodeInside(type, value)).toBe('<a>1</a><x xmlns="urn:b" /><a>2</a>');
  expect(decodeInside(type, '<a>1</a><x xmlns="urn:b"/><a>2</a>')).toStrictEqual(value);
});

const repeated = { min: 1, max: 2, type: xs.string } as const;
const short = record({ g: group(recordOf({ a: repeated, b: e }), 2, 10) });
const runs = record({ g: group(recordOf({ a: { ...repeated, max: "unbounded" } }), 2) });
const shortRuns = record({ g: group(recordOf({ a: repeated }), 2, 10) });
const twoOrThree = record({ g: group(recordOf({ a: { ...repeated, min: 2, max: 3 } }), 0) });
const between = record({ g: group(recordOf({ x: e, a: repeated, b: e }), 3, 5) });
const chosen = record({ g: group(recordOf({ a: repeated, b: { ...repeated, min: 2 } }, { choice: ["a", "b"] }), 3) });
const apart = record({
  g: group(
    recordOf({ a: { ...repeated, min: 2, max: 3 }, b: { ...repeated, min: 2, max: 3 } }, optional("a"), optional("b")),
    1,
  ),
});
const three = recordOf({ e: must });
const nestedTwice = record({
  outer: group(
    recordOf({
      g: group(recordOf({ threes: group(three, 3), f: must }, { choice: ["threes", "f"] }), 2),
    }),
    0,
  ),
});
const pairsOfPairs = record({ outer: group(recordOf({ inner: group(recordOf({ a: repeated }), 2, 2) }), 2, 2), z: e });
const wild = record({
  g: group(
    recordOf({ any: { kind: "any", by: xs.any, namespaces: ["urn:b"], process: "skip", min: 1, max: 2 }, b: e }),
    2,
  ),
});

function optional(key: string): Particle {
  return { sequence: [key], optional: true };
}

test.each([
  { type: short, given: "aab", want: [{ a: ["1"] }, { a: ["2"], b: "3" }] },
  { type: short, given: "aa", want: [{ a: ["1"] }, { a: ["2"] }] },
  { type: short, given: "aaab", want: [{ a: ["1", "2"] }, { a: ["3"], b: "4" }] },
  { type: short, given: "abaa", want: [{ a: ["1"], b: "2" }, { a: ["3", "4"] }] },
  { type: runs, given: "aa", want: [{ a: ["1"] }, { a: ["2"] }] },
  { type: runs, given: "a", want: undefined },
  { type: shortRuns, given: "aa", want: [{ a: ["1"] }, { a: ["2"] }] },
  { type: twoOrThree, given: "aaaa", want: [{ a: ["1", "2"] }, { a: ["3", "4"] }] },
  { type: twoOrThree, given: "aaaaaaa", want: [{ a: ["1", "2", "3"] }, { a: ["4", "5"] }, { a: ["6", "7"] }] },
  { type: between, given: "xaab", want: undefined },
  { type: between, given: "xaaab", want: [{ x: "1", a: ["2"] }, { a: ["3"] }, { a: ["4"], b: "5" }] },
  { type: chosen, given: "aabb", want: [{ a: ["1"] }, { a: ["2"] }, { b: ["3", "4"] }] },
  { type: chosen, given: "abbb", want: undefined },
  {
    type: apart,
    given: "aaaabbbb",
    want: [{ a: ["1", "2"] }, { a: ["3", "4"], b: ["5", "6"] }, { b: ["7", "8"] }],
  },
])("the elements $given of a repeated group are read into enough occurrences, or refused", ({ type, given, want }) => {
  const inside = [...given].map((name, index) => `<${name}>${index + 1}</${name}>`).join("");
  if (want === undefined) {
    expect(() => decodeInside(type, inside, { strict: true })).toThrow(
      "do not occur often enough: their group must occur at least",
    );
    return;
  }
  expect(decodeInside(type, inside, { strict: true })).toEqual({ g: want });
  expect(decodeInside(type, inside)).toEqual({ g: want });
  expect(encodeInside(type, { g: want })).toBe(inside);
});

test("nested groups get enough occurrences, at any depth", () => {
  const inside = [1, 2, 3, 4, 5, 6].map((value) => `<e>${value}</e>`).join("");
  const threes = (...values: string[]) => ({ threes: values.map((value) => ({ e: value })) });
  expect(decodeInside(nestedTwice, inside, { strict: true })).toEqual({
    outer: [{ g: [threes("1", "2", "3"), threes("4", "5", "6")] }],
  });
  const a = (count: number) => "<a>1</a>".repeat(count);
  const inner = (...counts: number[]) => ({ inner: counts.map((count) => ({ a: Array(count).fill("1") })) });
  for (const [count, want] of [
    [4, [inner(1, 1), inner(1, 1)]],
    [6, [inner(2, 2), inner(1, 1)]],
    [8, [inner(2, 2), inner(2, 2)]],
  ] as const) {
    expect(decodeInside(pairsOfPairs, a(count), { strict: true })).toEqual({ outer: want });
  }
  for (const count of [3, 9]) {
    expect(() => decodeInside(pairsOfPairs, a(count), { strict: true })).toThrow(DecodeError);
  }
});

test("adjacent occurrences are also divided at a wildcard", () => {
  const inside = '<x xmlns="urn:b"/><y xmlns="urn:b"/>';
  const want = [{ any: [{ name: "{urn:b}x" }] }, { any: [{ name: "{urn:b}y" }] }];
  expect(decodeInside(wild, inside, { strict: true })).toEqual({ g: want });
});

/** A group of elements and groups, each of which may repeat: `(x?, a{1,2}, b?){2,3}`. */
const counts = fc
  .record({ min: fc.integer({ min: 0, max: 3 }), more: fc.integer({ min: 0, max: 3 }) })
  .filter(({ min, more }) => min + more > 0)
  .map(({ min, more }) => ({ min, max: min + more }));
const positive = counts.map(({ min, max }) => ({ min: Math.max(min, 1), max }));

test("any value with nested groups survives writing, reading and writing again", () => {
  const cases = fc.record({
    leaf: positive,
    inner: positive,
    outer: counts,
    ends: fc.record({ x: fc.boolean(), b: fc.boolean(), c: fc.boolean() }),
    seed: fc.array(fc.nat(99), { minLength: 60, maxLength: 60 }),
  });
  fc.assert(
    fc.property(cases, ({ leaf, inner, outer, ends, seed }) => {
      const end = (is: boolean) => (is ? e : { type: xs.string, max: 0, min: 0 });
      const innerType = recordOf({ x: end(ends.x), a: { type: xs.string, ...leaf }, b: end(ends.b) });
      const outerType = recordOf({ in: group(innerType, inner.min, inner.max), c: end(ends.c) });
      const type = record({ out: group(outerType, outer.min, outer.max) });
      const draws = [...seed];
      const draw = ({ min, max }: { min: number; max: number }) => min + ((draws.pop() ?? 0) % (max - min + 1));
      const maybe = (key: string, is: boolean) => (is && (draws.pop() ?? 0) % 3 === 0 ? { [key]: "1" } : {});
      const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
      const value = {
        out: times(draw(outer), () => ({
          in: times(draw(inner), () => ({
            ...maybe("x", ends.x),
            a: times(leaf.max === 1 ? 1 : draw(leaf), () => "1"),
            ...maybe("b", ends.b),
          })).map((item) => (leaf.max === 1 ? { ...item, a: "1" } : item)),
          ...maybe("c", ends.c),
        })),
      };
      const inside = encodeInside(type, value);
      const read = decodeInside(type, inside, { strict: true });
      expect(encodeInside(type, read)).toBe(inside);
    }),
    { numRuns: 2_000 },
  );
});

test('ordered content that is entirely in another namespace is an error with loss: "error"', () => {
  const content = '<x:choice xmlns:x="urn:other"/><x:a xmlns:x="urn:other">1</x:a>';
  expect(decodeInside(choices, content)).toEqual({});
  expect(() => decodeInside(choices, content, { loss: "error" })).toThrow(
    "/R/a: The element {urn:a}a is expected here, not {urn:other}a.",
  );
  expect(decodeInside(choices, `<a>2</a>${content}`, { loss: "error" })).toEqual({ choice: [{ a: "2" }] });
});
