import { expect, test } from "vitest";
import type { JsonValue } from "../../src/descriptor.js";
import { ArgumentProblem, compileSchema } from "../../src/rest/argument-schema.js";
import { ItemCount, readArgument } from "../../src/rest/read-argument.js";

/** The coerced value, or the message of the refusal. */
function checked(schema: JsonValue, value: JsonValue, allowsRounded = false): unknown {
  const read = readArgument(value, compileSchema(schema), { name: "a", items: new ItemCount(), allowsRounded });
  return read instanceof ArgumentProblem ? read.message : read;
}

const integer = { type: "integer" };
const notInteger = "a is not of type integer.";
const list = { type: "array", items: integer };
const nullable = { type: ["string", "null"] };

const cases: readonly { schema: JsonValue; given: JsonValue; want: JsonValue }[] = [
  ...(["5", " 1", "+1", "01", "1.0", 2, "1e1", "-5", "5 "] as const).map((value) => ({
    schema: integer,
    given: value,
    want: Number(value),
  })),
  ...["", "abc", "1.5", 1.5, "0x1", true, [1], "1e999", "١", null, {}, "1 2"].map((value) => ({
    schema: integer,
    given: value,
    want: notInteger,
  })),
  { schema: { type: "int" }, given: "5", want: 5 },
  { schema: { type: "Integer" }, given: "x", want: notInteger },
  { schema: { type: "bool" }, given: "1", want: true },
  { schema: { type: "date-time" }, given: 7, want: "a is not of type string." },
  { schema: { type: "mixed" }, given: "x", want: "x" },
  { schema: { type: "number" }, given: "1.5", want: 1.5 },
  { schema: { type: "number" }, given: ".5", want: 0.5 },
  { schema: { type: "number" }, given: "x", want: "a is not of type number." },
  ...[true, "true", "TRUE", "1", 1].map((value) => ({ schema: { type: "boolean" }, given: value, want: true })),
  ...[false, "false", "False", "0", 0].map((value) => ({ schema: { type: "boolean" }, given: value, want: false })),
  ...["", "yes", "on", 2, "abc", [], null].map((value) => ({
    schema: { type: "boolean" },
    given: value,
    want: "a is not of type boolean.",
  })),
  { schema: { type: "string" }, given: "", want: "" },
  { schema: { type: "string" }, given: 7, want: "a is not of type string." },
  { schema: { type: "string" }, given: ["x"], want: "a is not of type string." },
  { schema: nullable, given: null, want: null },
  { schema: nullable, given: 5, want: "a is not of type string,null." },
  { schema: {}, given: ["anything", 1], want: ["anything", 1] },
  { schema: { type: "mixed" }, given: 5, want: 5 },

  { schema: list, given: "1,2", want: [1, 2] },
  { schema: list, given: "1 2", want: [1, 2] },
  { schema: list, given: "1, 2,,", want: [1, 2] },
  { schema: list, given: "", want: [] },
  { schema: list, given: 3, want: [3] },
  { schema: list, given: ["3", 4], want: [3, 4] },
  { schema: list, given: { "5": "1" }, want: [1] },
  { schema: list, given: { a: 3 }, want: "a is not of type array." },
  { schema: list, given: null, want: "a is not of type array." },
  { schema: list, given: "5,abc", want: "a[1] is not of type integer." },
  { schema: { type: "array", minItems: 1 }, given: "", want: "a must contain at least 1 item." },
  { schema: { type: "array", maxItems: 2 }, given: "1,2,3", want: "a must contain at most 2 items." },
  { schema: { ...list, uniqueItems: true }, given: "1,01", want: "a has duplicate items." },
  {
    schema: { type: "array", uniqueItems: true },
    given: [
      { x: 1, y: 2 },
      { y: 2, x: 1 },
    ],
    want: "a has duplicate items.",
  },

  { schema: { type: "object" }, given: { x: 1 }, want: { x: 1 } },
  { schema: { type: "object" }, given: "", want: {} },
  { schema: { type: "object" }, given: "x", want: "a is not of type object." },
  { schema: { type: "object", properties: { n: integer } }, given: { n: "5", o: "5" }, want: { n: 5, o: "5" } },
  { schema: { type: "object", properties: { n: integer } }, given: { n: "x" }, want: "a[n] is not of type integer." },
  {
    schema: { type: "object", properties: { n: { required: true } } },
    given: {},
    want: "n is a required property of a.",
  },
  { schema: { type: "object", required: ["n"] }, given: {}, want: "n is a required property of a." },
  {
    schema: { type: "object", additionalProperties: false },
    given: { secret: 1 },
    want: "A property is not a valid property of Object.",
  },
  {
    schema: { type: "object", additionalProperties: integer },
    given: { secret: "x" },
    want: "a[*] is not of type integer.",
  },
  {
    schema: { type: "object", patternProperties: { "^n": integer } },
    given: { n1: "5", o: "5" },
    want: { n1: 5, o: "5" },
  },
  { schema: { type: "object", minProperties: 2 }, given: { a: 1 }, want: "a must have at least 2 properties." },
  { schema: { type: "object", maxProperties: 1 }, given: { a: 1, b: 2 }, want: "a must have at most 1 property." },
  { schema: { type: "object", properties: [] }, given: { constructor: 1 }, want: { constructor: 1 } },

  { schema: { ...integer, minimum: 1 }, given: "0", want: "a must be greater than or equal to 1" },
  { schema: { ...integer, minimum: 1, exclusiveMinimum: true }, given: 1, want: "a must be greater than 1" },
  { schema: { ...integer, maximum: 5 }, given: 6, want: "a must be less than or equal to 5" },
  { schema: { ...integer, maximum: 5, exclusiveMaximum: true }, given: 5, want: "a must be less than 5" },
  {
    schema: { ...integer, minimum: 1, maximum: 100 },
    given: 101,
    want: "a must be between 1 (inclusive) and 100 (inclusive)",
  },
  {
    schema: { ...integer, minimum: 0, maximum: 360, exclusiveMinimum: true, exclusiveMaximum: true },
    given: 0,
    want: "a must be between 0 (exclusive) and 360 (exclusive)",
  },
  { schema: { ...integer, minimum: 1 }, given: 0.5, want: "a must be greater than or equal to 1" },
  { schema: { ...integer, multipleOf: 5 }, given: 6, want: "a must be a multiple of 5." },

  { schema: { type: "string", minLength: 1 }, given: "", want: "a must be at least 1 character long." },
  { schema: { type: "string", maxLength: 2 }, given: "😀😀", want: "😀😀" },
  { schema: { type: "string", maxLength: 2 }, given: "abc", want: "a must be at most 2 characters long." },
  { schema: { type: "string", pattern: "^[a-z]+$" }, given: "a1", want: "a does not match pattern ^[a-z]+$." },
  { schema: { type: "string", pattern: "[0-9]" }, given: "a1b", want: "a1b" },
  { schema: { type: "string", pattern: "^[a-z]+$" }, given: "Ab", want: "a does not match pattern ^[a-z]+$." },
  { schema: { type: "string", pattern: "^a|b$" }, given: "axx", want: "axx" },
  { schema: { type: "string", pattern: "^a|b$" }, given: "xxb", want: "xxb" },
  { schema: { type: "string", pattern: "^a|[|b]$" }, given: "xax", want: "a does not match pattern ^a|[|b]$." },
  {
    schema: { type: "string", pattern: "^[[:alpha:]|]$" },
    given: "xx]",
    want: "a does not match pattern ^[[:alpha:]|]$.",
  },
  { schema: { type: "string", pattern: "^(a|b)$" }, given: "xb", want: "a does not match pattern ^(a|b)$." },
  { schema: { type: "string", pattern: "a\\$" }, given: "xa$x", want: "xa$x" },
  {
    schema: { type: "string", pattern: "(\\d+)+$" },
    given: `${"1".repeat(50_000)}x`,
    want: "a does not match pattern (\\d+)+$.",
  },

  { schema: { type: "string", enum: ["asc", "desc"] }, given: "ASC", want: "a is not one of asc and desc." },
  { schema: { type: "string", enum: ["a", "b", "c"] }, given: "", want: "a is not one of a, b, and c." },
  { schema: { type: "string", enum: ["one"] }, given: "two", want: "a is not one." },
  { schema: { ...integer, enum: [1, 2] }, given: "2", want: 2 },
  { schema: { enum: { x: "a" } }, given: "a", want: "a" },

  { schema: { type: "string", format: "date-time" }, given: "2024-01-01T10:00:00", want: "2024-01-01T10:00:00" },
  ...["2024-01-01 10:00:00", "2024-01-01T10:00:00.5Z", "2024-02-29T10:00:00+02:00"].map((value) => ({
    schema: { type: "string", format: "date-time" },
    given: value,
    want: value,
  })),
  ...["", "2024-01-01", "2024-13-45T10:00:00", "2023-02-29T10:00:00", "yesterday"].map((value) => ({
    schema: { type: "string", format: "date-time" },
    given: value,
    want: "Invalid date.",
  })),
  { schema: { type: ["string", "null"], format: "date-time" }, given: null, want: null },
  { schema: { type: "string", format: "email" }, given: "a@b.example", want: "a@b.example" },
  { schema: { type: "date-time" }, given: "2024-01-01T10:00:00", want: "2024-01-01T10:00:00" },
  { schema: { type: "date-time" }, given: "tomorrow", want: "Invalid date." },
  { schema: { type: ["date-time", "null"] }, given: "tomorrow", want: "Invalid date." },
  { schema: { type: ["integer", "date-time", "datetime"] }, given: "tomorrow", want: "Invalid date." },
  { schema: { type: ["string", "date-time"] }, given: "tomorrow", want: "tomorrow" },
  { schema: { type: ["email", "date-time"] }, given: "2024-01-01T10:00:00", want: "2024-01-01T10:00:00" },
  { schema: { type: ["null", "email"] }, given: "a", want: "Invalid email address." },
  { schema: { type: "date-time", format: "uri" }, given: "tomorrow", want: "tomorrow" },
  ...["a", "a@b", "@b.example", "a@-b.example", "a b@c.example"].map((value) => ({
    schema: { type: "string", format: "email" },
    given: value,
    want: "Invalid email address.",
  })),
  ...["10.0.0.255", "::1", "2001:db8::1", "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8"].map((value) => ({
    schema: { type: "string", format: "ip" },
    given: value,
    want: value,
  })),
  ...["256.0.0.1", "1.2.3", "1.2.3.4.", ":::", "1:2:3:4:5:6:7:8:9", "12345::", "1::2::3", "g::"].map((value) => ({
    schema: { type: "string", format: "ip" },
    given: value,
    want: "a is not a valid IP address.",
  })),
  { schema: { type: "string", format: "uuid" }, given: "x", want: "a is not a valid UUID." },
  { schema: { type: "string", format: "hex-color" }, given: "#ffff", want: "Invalid hex color." },
  { schema: { type: "string", format: "hex-color" }, given: "#fff", want: "#fff" },
  { schema: { type: "string", format: "uri" }, given: "not a uri", want: "not a uri" },
];

test.each(cases)("$given under $schema is $want", ({ schema, given, want }) => {
  expect(checked(schema, given)).toEqual(want);
});

const terms = {
  type: ["object", "array"],
  oneOf: [
    { title: "List", type: "array", items: integer },
    {
      title: "Query",
      type: "object",
      properties: { terms: list, all: { type: "boolean" } },
      additionalProperties: false,
    },
  ],
};

const combined: readonly { schema: JsonValue; given: JsonValue; want: JsonValue }[] = [
  { schema: terms, given: "3,4", want: [3, 4] },
  { schema: terms, given: { terms: "3", all: "1" }, want: { terms: [3], all: true } },
  {
    schema: terms,
    given: { no: 1 },
    want: "a is not a valid Query. Reason: A property is not a valid property of Object.",
  },
  { schema: terms, given: ["x"], want: "a is not a valid List and Query." },
  { schema: { anyOf: [integer, { type: "boolean" }] }, given: "5", want: 5 },
  { schema: { anyOf: [integer, { type: "boolean" }] }, given: "true", want: true },
  {
    schema: { anyOf: [integer, { type: "boolean" }] },
    given: "x",
    want: "a does not match any of the expected formats.",
  },
  {
    schema: { type: "string", oneOf: [{ minLength: 1 }, { minLength: 2 }] },
    given: "abc",
    want: "a matches more than one of the expected formats.",
  },
  {
    schema: {
      oneOf: [
        { title: "A", type: "string" },
        { title: "B", type: "string" },
      ],
    },
    given: "abc",
    want: "a matches A and B, but should match only one.",
  },
];

test.each(combined)("$given under alternatives is $want", ({ schema, given, want }) => {
  expect(checked(schema, given)).toEqual(want);
});

const exactRange =
  "must be between -9007199254740991 (inclusive) and 9007199254740991 (inclusive), the integers that this server represents exactly.";

test.each([
  ...[9_007_199_254_740_992, "9007199254740993", "-9007199254740993", "9223372036854775807", "1e17", 1e17].map(
    (value) => ({ schema: integer, given: value, want: `a ${exactRange}` }),
  ),
  { schema: integer, given: "18446744073709551617", want: 2 ** 64 },
  { schema: integer, given: "9007199254740991", want: 9_007_199_254_740_991 },
  { schema: integer, given: -9_007_199_254_740_991, want: -9_007_199_254_740_991 },
  { schema: { ...integer, maximum: 2 ** 63 }, given: "9007199254740993", want: `a ${exactRange}` },
  { schema: { ...integer, maximum: 9 }, given: "9007199254740993", want: "a must be less than or equal to 9" },
  { schema: list, given: "1,9007199254740993", want: `a[1] ${exactRange}` },
  { schema: list, given: [1, 2, 9_007_199_254_740_994], want: `a[2] ${exactRange}` },
  { schema: { type: "number" }, given: "9007199254740993", want: 9_007_199_254_740_992 },
  { schema: { type: "number" }, given: 1e20, want: 1e20 },
  { schema: { type: "string" }, given: "9007199254740993", want: "9007199254740993" },
  { schema: { type: ["integer", "string"] }, given: "9007199254740993", want: "9007199254740993" },
  { schema: { type: ["integer", "number"] }, given: 1e17, want: 1e17 },
  { schema: { type: ["integer", "null"] }, given: "9007199254740993", want: `a ${exactRange}` },
  { schema: { anyOf: [integer, { type: "string" }] }, given: "9007199254740993", want: "9007199254740993" },
  { schema: {}, given: "9007199254740993", want: "9007199254740993" },
  { schema: {}, given: 9_007_199_254_740_994, want: `a ${exactRange}` },
  { schema: {}, given: [{ b: [1, 9_007_199_254_740_994] }], want: `a[0][*][1] ${exactRange}` },
  { schema: {}, given: { b: 1.5, c: 2 ** 64, d: null }, want: { b: 1.5, c: 2 ** 64, d: null } },
  { schema: { type: "array" }, given: [9_007_199_254_740_994], want: `a[0] ${exactRange}` },
  { schema: { type: "object" }, given: { n: 9_007_199_254_740_994 }, want: `a[*] ${exactRange}` },
  {
    schema: { type: "object", properties: { n: {} } },
    given: { n: { m: -9_007_199_254_740_994 } },
    want: `a[n][*] ${exactRange}`,
  },
])("an integer that JavaScript cannot represent exactly is refused: $given with $schema", ({ schema, given, want }) => {
  expect(checked(schema, given)).toEqual(want);
});

test("a default of the index may be a rounded integer", () => {
  expect(checked(integer, 2 ** 63, true)).toBe(2 ** 63);
  expect(checked({ type: "array", items: integer }, [2 ** 60], true)).toEqual([2 ** 60]);
  expect(checked({}, { n: 2 ** 60 }, true)).toEqual({ n: 2 ** 60 });
});
