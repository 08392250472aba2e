import type { RuleId } from "../../src/index.js";
import { type EndpointInit, indexOf } from "./index-document.js";
import type { Pair } from "./pair.js";

type Schema = Readonly<Record<string, unknown>>;

/** A pair whose argument `q` has another definition, and the swapped pair. */
function both(
  rule: RuleId,
  oppositeRule: RuleId,
  [before, after]: readonly [Schema, Schema],
  init: Partial<Pair> = {},
): readonly Pair[] {
  return [pairOf(rule, [before, after], init), pairOf(oppositeRule, [after, before], init)];
}

function pairOf(rule: RuleId, [before, after]: readonly [Schema, Schema], init: Partial<Pair> = {}): Pair {
  const sources = (q: Schema) =>
    indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q } } satisfies EndpointInit });
  return { rule, old: sources(before), new: sources(after), ...init };
}

const text = (keywords: Schema = {}) => ({ type: "string", ...keywords });
const integer = (keywords: Schema = {}) => ({ type: "integer", ...keywords });
const object = (keywords: Schema = {}) => ({ type: "object", properties: { a: text() }, ...keywords });
const list = (keywords: Schema = {}) => ({ type: "array", items: integer({ maximum: 3 }), ...keywords });
const letters = { a: text(), b: text(), c: text() };
const anyOf = (...alternatives: readonly Schema[]) => ({ anyOf: alternatives });
const oneOf = (...alternatives: readonly Schema[]) => ({ oneOf: alternatives });

/** A pair in which the values of a member change, and an optional member is added. */
function besideAddition(title: string, schemas: readonly [Schema, Schema]): Pair {
  return pairOf("type-overlaps", schemas, { title, also: ["member-added-optional"], notShown: seldom });
}

const flags = [integer({ minimum: 5 }), { type: "boolean" }];
const texts = { type: "array", items: text() };
const seldom = "random values seldom differ in this";

const lines = (required: readonly string[]) => ({
  type: "array",
  items: {
    type: "object",
    required,
    properties: Object.fromEntries(["a", "b", "c", "d", "z"].map((name) => [name, text()])),
  },
});

/** An edit of an image, as an alternative of `oneOf`: all numbers in its arguments are required. */
const edit = (name: string, ...numbers: readonly string[]) => ({
  title: name,
  properties: {
    type: { type: "string", enum: [name] },
    args: {
      type: "object",
      required: numbers,
      properties: Object.fromEntries(numbers.map((number) => [number, { type: "number" }])),
    },
  },
});
const edits = (...alternatives: readonly Schema[]) => ({
  type: "array",
  minItems: 1,
  items: { type: "object", required: ["type", "args"], ...oneOf(...alternatives) },
});
const firstEdits = [edit("rotate", "angle"), edit("crop", "left", "top", "width", "height")];

/** Pairs about keywords of JSON Schema that no type expresses. */
export const keywordPairs: readonly Pair[] = [
  ...both(
    "range-tightened",
    "range-loosened",
    [anyOf(integer({ maximum: 90 }), { type: "boolean" }), anyOf(integer({ maximum: 20 }), { type: "boolean" })],
    { title: "in an alternative" },
  ),
  ...both(
    "length-tightened",
    "length-loosened",
    [oneOf(text({ maxLength: 8 }), list()), oneOf(text({ maxLength: 3 }), list())],
    { title: "in an alternative" },
  ),
  pairOf("pattern-changed", [anyOf(text({ pattern: "^[a-m]" }), list()), anyOf(text({ pattern: "^[a-e]" }), list())], {
    title: "in an alternative",
  }),
  ...both(
    "range-tightened",
    "range-loosened",
    [
      { type: "integer", anyOf: [{ maximum: 90 }, { minimum: 500 }] },
      { type: "integer", anyOf: [{ maximum: 20 }, { minimum: 500 }] },
    ],
    { title: "in an alternative that has the type of the argument" },
  ),
  ...both(
    "union-member-removed",
    "union-member-added",
    [anyOf(text({ maxLength: 2 }), text({ minLength: 8 })), anyOf(text({ maxLength: 2 }))],
    { title: "with the type of another alternative" },
  ),
  ...both(
    "type-narrowed",
    "type-widened",
    [
      anyOf(integer({ minimum: 1 }), integer({ maximum: 50 })),
      oneOf(integer({ minimum: 1 }), integer({ maximum: 50 })),
    ],
    { title: "if only one alternative may match", notShown: seldom },
  ),
  ...both("format-added", "format-removed", [text(), anyOf(text({ format: "email" }), text({ minLength: 3 }))], {
    title: "of the first of several alternatives",
    also: ["keyword-changed"],
    notShown: seldom,
  }),
  pairOf("keyword-changed", [text(), anyOf(text({ format: "email" }), text())], {
    title: "by an alternative whose values another alternative accepts, too",
  }),
  ...both("type-narrowed", "type-widened", [text(), oneOf(text({ format: "email" }), text())], {
    title: "if two alternatives of oneOf accept a text",
    also: ["keyword-changed"],
    notShown: seldom,
  }),
  ...both("member-became-nillable", "member-became-not-nillable", [text(), text({ type: ["string", "null"] })], {
    title: "of an argument",
    notShown: seldom,
  }),
  ...both("length-tightened", "length-loosened", [object({ maxProperties: 3 }), object({ maxProperties: 1 })], {
    title: "of the number of properties",
    notShown: seldom,
  }),
  ...both("length-tightened", "length-loosened", [object(), object({ minProperties: 2 })], {
    title: "of the least number of properties",
    notShown: seldom,
  }),
  ...both("type-narrowed", "type-widened", [object(), object({ patternProperties: { "^x": integer() } })], {
    title: "of properties whose names match a pattern",
    notShown: seldom,
  }),
  ...both(
    "type-widened",
    "type-narrowed",
    [
      object({ additionalProperties: false }),
      object({ additionalProperties: false, patternProperties: { "^x": integer() } }),
    ],
    { title: "by a pattern for names of properties", notShown: seldom },
  ),
  ...both(
    "range-tightened",
    "range-loosened",
    [
      object({ patternProperties: { "^x": integer({ maximum: 9 }) } }),
      object({ patternProperties: { "^x": integer({ maximum: 5 }) } }),
    ],
    { title: "of properties whose names match a pattern", notShown: seldom },
  ),
  ...both(
    "type-widened",
    "type-narrowed",
    [
      object({ properties: {}, additionalProperties: false }),
      object({ properties: {}, additionalProperties: integer() }),
    ],
    { title: "of properties that are not listed", notShown: "random objects without properties are empty lists" },
  ),
  ...both(
    "range-tightened",
    "range-loosened",
    [
      object({ properties: {}, additionalProperties: integer({ maximum: 90 }) }),
      object({ properties: {}, additionalProperties: integer({ maximum: 20 }) }),
    ],
    { title: "of properties that are not listed" },
  ),
  ...both(
    "member-removed-optional",
    "member-added-optional",
    [
      object({ properties: { a: text(), b: text() }, additionalProperties: false }),
      object({ additionalProperties: false }),
    ],
    { title: "of an object that refuses other properties" },
  ),
  ...both(
    "enum-value-removed",
    "enum-value-added",
    [
      { type: "array", enum: [[1], [2], [3]] },
      { type: "array", enum: [[1], [2]] },
    ],
    { title: "of lists" },
  ),
  ...both(
    "enum-value-removed",
    "enum-value-added",
    [
      { type: "array", enum: [[1], [2], "x"] },
      { type: "array", enum: [[1]] },
    ],
    { title: "of lists, and one with another type", notShown: "equal sides fail too" },
  ).map((pair, index) => ({
    ...pair,
    also: [index === 0 ? ("type-widened" as const) : ("type-narrowed" as const)],
  })),
  ...both("enum-closed", "enum-opened", [object(), object({ enum: [{ a: "x" }, { a: "y" }] })], {
    title: "of objects",
    always: true,
  }),
  pairOf("format-changed", [text({ format: "date-time" }), text({ format: "email" })], {
    title: "of another argument",
  }),
  pairOf("format-changed", [anyOf(text({ format: "date-time" }), list()), anyOf(text({ format: "email" }), list())], {
    title: "in an alternative",
  }),
  ...both(
    "format-added",
    "format-removed",
    [
      { type: "array", items: text() },
      { type: "array", items: text({ format: "uuid" }) },
    ],
    { title: "of items", always: true },
  ),
  ...both("type-narrowed", "type-widened", [list(), list({ uniqueItems: true })], {
    title: "to lists without duplicates",
  }),
  ...both("type-narrowed", "type-widened", [integer(), integer({ multipleOf: 5 })], { title: "to multiples" }),
  ...both("type-narrowed", "type-widened", [integer({ multipleOf: 5 }), integer({ multipleOf: 15 })], {
    title: "to multiples of a multiple",
  }),
  ...both("type-narrowed", "type-widened", [text({ enum: ["a", "b"] }), { type: "boolean", enum: ["a", "b"] }], {
    title: "to a type that the listed values do not have",
    notShown: "equal sides fail too",
  }),
  pairOf("keyword-changed", [integer(), integer({ format: "email" })], { title: "the format of a number" }),
  pairOf(
    "keyword-changed",
    [
      { type: "int", title: "a" },
      { type: "integer", title: "b" },
    ],
    {
      title: "and another name of the type",
      notShown: "random values need the usual name",
    },
  ),
  pairOf(
    "type-overlaps",
    [
      { type: "object", oneOf: [{ properties: { kind: text({ enum: ["a"] }) } }, { properties: { size: integer() } }] },
      { type: "object", oneOf: [{ properties: { kind: text({ enum: ["b"] }) } }, { properties: { size: integer() } }] },
    ],
    { title: "in an alternative without a type", notShown: seldom },
  ),
  pairOf("keyword-changed", [anyOf(text({ title: "A" }), list()), anyOf(text({ title: "B" }), list())], {
    title: "the title of an alternative",
  }),
  pairOf(
    "keyword-changed",
    [
      anyOf(text({ title: "A", maxLength: 3 }), text({ title: "B", minLength: 9 })),
      anyOf(text({ title: "B", maxLength: 3 }), text({ title: "A", minLength: 9 })),
    ],
    { title: "the exchanged titles of two alternatives" },
  ),
  ...both("type-narrowed", "type-widened", [oneOf(text(), integer()), oneOf(text(), text({ title: "B" }), integer())], {
    title: "if oneOf has two alternatives that accept the same values",
  }),
  pairOf("type-narrowed", [oneOf(...flags), oneOf(...flags, texts)], {
    title: "if oneOf has another alternative that accepts some of the same values",
    also: ["union-member-added"],
  }),
  pairOf("type-widened", [oneOf(...flags, texts), oneOf(...flags)], {
    title: "if oneOf no longer has an alternative that accepts some of the same values",
    also: ["union-member-removed"],
  }),
  ...both("union-member-added", "union-member-removed", [oneOf(...flags), oneOf(...flags, object())], {
    title: "of oneOf, with other values",
  }),
  ...both(
    "member-became-required",
    "member-became-optional",
    [
      { type: "object", properties: letters, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { type: "object", properties: letters, required: ["c"], anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ],
    { title: "beside alternatives without a type" },
  ),
  ...both(
    "member-became-required",
    "member-became-optional",
    [
      { type: "object", properties: letters, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { type: "object", properties: letters, anyOf: [{ required: ["a"] }, { required: ["b", "c"] }] },
    ],
    { title: "in an alternative without a type", notShown: seldom },
  ),
  ...both(
    "member-became-required",
    "member-became-optional",
    [
      anyOf(object({ properties: letters }), { type: "boolean" }),
      { required: ["b"], ...anyOf(object({ properties: letters }), { type: "boolean" }) },
    ],
    { title: "beside alternatives with the type" },
  ),
  ...both(
    "range-tightened",
    "range-loosened",
    [
      { maximum: 90, anyOf: [integer(), { type: "boolean" }] },
      { maximum: 20, anyOf: [integer(), { type: "boolean" }] },
    ],
    { title: "beside alternatives with the type" },
  ),
  ...both(
    "member-added-optional",
    "member-removed-optional",
    [
      { type: "object", properties: { a: text() }, anyOf: [{ required: ["a"] }, { maxProperties: 1 }] },
      { type: "object", properties: { a: text(), b: text() }, anyOf: [{ required: ["a"] }, { maxProperties: 1 }] },
    ],
    { title: "beside alternatives without a type", notShown: "a server keeps properties that it does not know" },
  ),
  pairOf(
    "keyword-changed",
    [anyOf({ maximum: 3 }, { minimum: 5 }), { required: ["a"], ...anyOf({ maximum: 3 }, { minimum: 5 }) }],
    { title: "a list of required properties without a type" },
  ),
  pairOf("type-overlaps", [integer({ multipleOf: 4 }), integer({ multipleOf: 6 })], { title: "of multiples" }),
  besideAddition("of multiples of a member whose name begins the name of the new member", [
    { type: "object", properties: { a: integer({ multipleOf: 2 }) } },
    { type: "object", properties: { a: integer({ multipleOf: 3 }), ab: text() } },
  ]),
  besideAddition("of multiples in a type that objects have too", [
    { type: ["integer", "object"], multipleOf: 2 },
    { type: ["integer", "object"], multipleOf: 3, properties: { x: text() } },
  ]),
  besideAddition("of multiples in a type of items that objects have too", [
    { type: "array", items: { type: ["integer", "object"], multipleOf: 2 } },
    { type: "array", items: { type: ["integer", "object"], multipleOf: 3, properties: { x: text() } } },
  ]),
  pairOf(
    "member-became-required",
    [
      { type: "object", properties: { a: { type: "object", ...anyOf({ required: ["x"] }, { required: ["y"] }) } } },
      {
        type: "object",
        properties: { a: { type: "object", ...anyOf({ required: ["x", "z"] }, { required: ["y"] }) }, ab: text() },
      },
    ],
    {
      title: "in an alternative of a member whose name begins the name of the new member",
      also: ["member-added-optional"],
      notShown: seldom,
    },
  ),
  pairOf(
    "member-became-required",
    [
      {
        type: "object",
        ...anyOf({ required: ["b"], properties: { a: integer({ maximum: 5 }) } }, { required: ["c"] }),
      },
      {
        type: "object",
        ...anyOf({ required: ["b", "c"], properties: { a: integer({ maximum: 10 }) } }, { required: ["c"] }),
      },
    ],
    { title: "in an alternative of which a bound changes too", also: ["range-loosened"], notShown: seldom },
  ),
  ...both(
    "range-tightened",
    "range-loosened",
    [
      { type: "number", minimum: 1 },
      { type: "number", minimum: 1, exclusiveMinimum: true },
    ],
    { title: "to exclude the bound", notShown: seldom },
  ),
  pairOf(
    "keyword-changed",
    [object({ properties: { a: text({ default: "x" }) } }), object({ properties: { a: text({ default: "y" }) } })],
    { title: "the default of a nested property" },
  ),
  pairOf("keyword-changed", [text({ title: "Old" }), text({ title: "New" })]),
  pairOf("keyword-changed", [text({ readonly: true }), text()], { title: "readonly" }),
  pairOf("keyword-changed", [text({ minimum: 1 }), text({ minimum: 2 })], { title: "a bound of another type" }),
  pairOf(
    "documentation-changed",
    [
      object({ properties: { a: text({ description: "old" }) } }),
      object({ properties: { a: text({ description: "new" }) } }),
    ],
    { title: "of a nested property" },
  ),
  ...both(
    "union-member-added",
    "union-member-removed",
    [edits(...firstEdits), edits(...firstEdits, edit("flip", "axis"))],
    {
      title: "to edits with nested required members",
    },
  ),
  ...both("member-became-required", "member-became-optional", [lines([]), lines(["z"])], {
    title: "in the objects of a list",
  }),
  pairOf("type-narrowed", [anyOf(integer(), integer()), oneOf(integer(), integer())], {
    title: "to an alternative that oneOf lists twice",
  }),
  ...both(
    "union-member-added",
    "union-member-removed",
    [edits(...firstEdits), { ...edits(...firstEdits, edit("flip", "axis")), minItems: 2 }],
    { title: "to edits, beside another change", also: ["length-tightened"] },
  ).map((pair, index): Pair => ({ ...pair, also: [index === 0 ? "length-tightened" : "length-loosened"] })),
  pairOf(
    "member-renamed",
    [
      oneOf(object({ properties: { angle: integer() } }), { type: "boolean" }),
      oneOf(object({ properties: { degrees: integer() } }), { type: "boolean" }),
    ],
    { title: "optional, in an alternative of oneOf" },
  ),
  ...both(
    "enum-value-added",
    "enum-value-removed",
    [
      { type: "object", additionalProperties: text({ enum: ["a", "b"] }) },
      { type: "object", additionalProperties: text({ enum: ["a", "b", "c"] }) },
    ],
    { title: "of further members" },
  ),
];
