import { expect, test } from "vitest";
import { DecodeError, EncodeError } from "../../src/answer-errors.js";
import type { Particle, RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decodeInside, encodeInside, type Loose, record } from "./messages.js";

const e = { type: xs.string, min: 0 } as const;
const must = { type: xs.string } as const;
const nillable = { type: xs.string, nillable: true } as const;

function recordOf(fields: RecordDescriptor<Loose>["fields"], ...content: Particle[]): () => RecordDescriptor<Loose> {
  return record(fields, { content });
}

const ordered = recordOf({ b: must, a: must }, "a", "b");
const card = recordOf({ id: must, card: must, cash: must, note: e }, "id", { choice: ["card", "cash"] }, "note");
const maybe = recordOf({ card: must, cash: must }, { choice: ["card", "cash"], optional: true });
const arms = recordOf(
  { a: must, b: must, c: must, d: e },
  { choice: [{ sequence: ["a", "b"] }, { sequence: ["c", "d"] }] },
);
const crossed = recordOf({ a: must, b: must }, { choice: [{ sequence: ["a", "b"] }, { sequence: ["b"] }] });
const optionalPair = recordOf({ a: must, b: must, c: e }, { sequence: ["a", "b"], optional: true }, "c");
const nested = recordOf(
  { a: must, b: must, c: must, d: must },
  { choice: ["a", { choice: ["b", { sequence: ["c", { sequence: ["d"], optional: true }] }] }] },
);
const unordered = recordOf({ a: must, b: e, c: nillable }, { all: ["a", "b", "c"] });
const armOfOptionals = recordOf({ a: e, b: e, c: must }, { choice: [{ sequence: ["a", "b"] }, "c"] });
const repeatedArm = recordOf({ a: { type: xs.int, min: 0, max: "unbounded" }, c: must }, { choice: ["a", "c"] });
const nilArm = recordOf({ a: nillable, c: must }, { choice: ["a", "c"] });

test.each([
  ["content gives the order", ordered, { a: "1", b: "2" }, "<a>1</a><b>2</b>"],
  ["one alternative", card, { id: "1", card: "2" }, "<id>1</id><card>2</card>"],
  ["the other alternative", card, { id: "1", cash: "2", note: "n" }, "<id>1</id><cash>2</cash><note>n</note>"],
  ["an optional choice without its alternatives", maybe, {}, ""],
  ["an optional choice with one", maybe, { cash: "1" }, "<cash>1</cash>"],
  ["an alternative that is a sequence", arms, { a: "1", b: "2" }, "<a>1</a><b>2</b>"],
  ["an alternative without its optional element", arms, { c: "1" }, "<c>1</c>"],
  ["a member of two alternatives: the longer", crossed, { a: "1", b: "2" }, "<a>1</a><b>2</b>"],
  ["a member of two alternatives: the shorter", crossed, { b: "2" }, "<b>2</b>"],
  ["an optional sequence, absent", optionalPair, { c: "1" }, "<c>1</c>"],
  ["an optional sequence, present", optionalPair, { a: "1", b: "2" }, "<a>1</a><b>2</b>"],
  ["a choice in a choice", nested, { b: "1" }, "<b>1</b>"],
  ["a sequence in a choice in a choice", nested, { c: "1", d: "2" }, "<c>1</c><d>2</d>"],
  ["a sequence without its optional group", nested, { c: "1" }, "<c>1</c>"],
  ["all", unordered, { a: "1", b: "2", c: null }, '<a>1</a><b>2</b><c xsi:nil="true" />'],
  ["an alternative in which everything is optional", armOfOptionals, {}, ""],
  ["part of it", armOfOptionals, { b: "1" }, "<b>1</b>"],
  ["an alternative that repeats", repeatedArm, { a: [1, 2] }, "<a>1</a><a>2</a>"],
  ["an alternative that is nil", nilArm, { a: null }, '<a xsi:nil="true" />'],
])("content models are written and read: %s", (_, type, value, inside) => {
  expect(encodeInside(type, value)).toBe(inside);
  expect(decodeInside(type, inside)).toStrictEqual(value);
  expect(decodeInside(type, inside, { strict: true })).toStrictEqual(value);
});

test.each([
  ["no alternative of a choice", card, { id: "1" }, '"card" and "cash"'],
  ["two alternatives of a choice", card, { id: "1", card: "1", cash: "2" }, "must not be present together"],
  ["half an alternative of a choice", arms, { a: "1" }, "/R/b"],
  ["halves of two alternatives", arms, { a: "1", d: "2" }, "must not be present together"],
  ["half an optional sequence", optionalPair, { b: "1" }, "/R/a"],
  ["an inner group without its outer", nested, { d: "1" }, "/R/c"],
  ["a nil that nobody gave", nilArm, {}, "is required"],
])("a content model refuses to write %s", (_, type, value, message) => {
  expect(() => encodeInside(type, value)).toThrow(EncodeError);
  expect(() => encodeInside(type, value)).toThrow(message);
});

test.each([
  ["no alternative of a choice", card, "<id>1</id>"],
  ["two alternatives of a choice", card, "<id>1</id><card>1</card><cash>2</cash>"],
  ["half an alternative of a choice", arms, "<a>1</a>"],
  ["half an optional sequence", optionalPair, "<b>1</b>"],
  ["an inner group without its outer", nested, "<d>1</d>"],
])("a content model refuses to read %s", (_, type, inside) => {
  expect(() => decodeInside(type, inside)).toThrow(DecodeError);
  expect(() => decodeInside(type, inside, { strict: true })).toThrow(DecodeError);
});

test("xs:all accepts its elements in any order, each once, also in strict mode", () => {
  const value = { a: "1", b: "2", c: null };
  expect(decodeInside(unordered, '<c xsi:nil="true"/><b>2</b><a>1</a>', { strict: true })).toStrictEqual(value);
  expect(() => decodeInside(unordered, "<a>1</a><a>1</a><c/>", { strict: true })).toThrow(DecodeError);
  expect(() => decodeInside(unordered, "<b/><c/>", { strict: true })).toThrow("/R/a");
});

test("two choices in one sequence do not multiply their branches", () => {
  const two = recordOf({ a: must, b: must, c: must, d: must }, { choice: ["a", "b"] }, { choice: ["c", "d"] });
  expect(encodeInside(two, { b: "1", c: "2" })).toBe("<b>1</b><c>2</c>");
  expect(decodeInside(two, "<c>2</c><b>1</b>")).toStrictEqual({ b: "1", c: "2" });
});

test("content that leaves out a field, or names none, is a mistake of the descriptor", () => {
  expect(() => encodeInside(recordOf({ a: e, b: e }, "a"), {})).toThrow('must contain its field "b"');
  expect(() => encodeInside(recordOf({ a: e }, "a", "b"), {})).toThrow('refers to "b"');
});
