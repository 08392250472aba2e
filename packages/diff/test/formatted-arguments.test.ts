import type { JsonValue } from "@bothends/runtime";
import { describe, expect, test } from "vitest";
import { diffContracts, type Level } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { observeLevel, worstLevels } from "./proof/argument-levels.js";
import { sideOf } from "./proof/contracts.js";

// Arguments whose values have several forms: texts with a format, objects that fit several alternatives, and lists
// without equal items. Calls show the consequences.

type Schema = { readonly [keyword: string]: JsonValue };

/** Texts with each format, in several forms. */
const texts: Readonly<Record<string, readonly string[]>> = {
  "hex-color": ["#fff", "#FFF", "#aBc123", "#abcdef", "#000", "#123456"],
  uuid: ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "11111111-2222-3333-5555-666666666666"],
  ip: ["1.2.3.4", "255.255.255.255", "::1", "1111:2222:3333:4444:5555:6666:7777:8888", "AB::CD"],
  email: ["a@b.ch", "a1@b.ch", "u@x.test", "verylongname@example.org", `${"a".repeat(120)}@b.ch`, "A+b@c-d.e.org"],
  "date-time": [
    ...["2020-01-01T00:00:00", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00+02:00", "1999-01-01T00:00:00"],
    ...["2100-12-31 23:59:59", "2020-01-01T00:00:00.5", `2020-01-01T00:00:00.${"1".repeat(90)}`],
  ],
};
const restrictions: Readonly<Record<string, readonly Schema[]>> = {
  "hex-color": [
    { pattern: "^#([0-9a-f]{3}|[0-9a-f]{6})$" },
    { pattern: "^#([0-9a-fA-F]{3}){1,2}$" },
    ...[{ minLength: 7 }, { maxLength: 4 }, { maxLength: 7 }, { minLength: 4 }],
  ],
  uuid: [{ pattern: "^[0-9a-f-]+$" }, { pattern: "^[^4]*4" }, { maxLength: 36 }, { minLength: 36 }],
  ip: [{ pattern: "^\\d+\\.\\d+\\.\\d+\\.\\d+$" }, { pattern: ":" }, { maxLength: 15 }, { minLength: 7 }],
  email: [
    ...[{ pattern: "^[a-z.]+@[a-z.]+$" }, { pattern: "@x\\.test$" }, { pattern: "@" }],
    ...[{ maxLength: 10 }, { maxLength: 100 }, { minLength: 6 }, { minLength: 12 }],
  ],
  "date-time": [
    ...[{ pattern: "Z$" }, { pattern: "^20" }, { pattern: "T" }, { pattern: "^[0-9]" }],
    ...[{ maxLength: 19 }, { maxLength: 60 }, { minLength: 20 }, { minLength: 19 }],
  ],
};

const number = { type: "integer" };
const object = (...names: readonly string[]): Schema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, number])),
  required: names,
});
const lists: readonly (readonly Schema[])[] = [
  [object("a"), object("b")],
  [object("a"), object("b"), object("c")],
  [object("a", "b"), object("a", "c")],
  [object("a"), { type: "object", properties: { b: { type: "string", enum: ["x"] } }, required: ["b"] }],
  [object("a"), { type: "string" }],
  [{ ...object("a"), additionalProperties: false }, object("b")],
  [
    { ...object("a"), additionalProperties: false },
    { ...object("b"), additionalProperties: false },
  ],
];
const objects: readonly JsonValue[] = [
  ...[{}, { a: 1 }, { b: 1 }, { c: 1 }, { a: 1, b: 2 }, { a: 1, c: 2 }, { b: 1, c: 2 }, { a: 1, b: 2, c: 3 }],
  ...[{ b: "x" }, { a: 1, b: "x" }, "text"],
];
const numbers = (count: number): JsonValue[] => Array.from({ length: count }, (_, index) => index + 1);
const unique = (items: Schema, more: Schema): Schema => ({ type: "array", items, uniqueItems: true, ...more });
const word = { type: "string", enum: ["a", "b"] };

const pairs: readonly (readonly [before: Schema, after: Schema, values: readonly JsonValue[]])[] = [
  ...Object.entries(restrictions).flatMap(([format, list]) =>
    list.flatMap((restriction) => {
      const text = { type: "string" };
      const values = [
        ...(texts[format] ?? []),
        "a@b",
        "x",
        "#abc1",
        "2020",
        "1.2.3.400",
        ":",
        "@x.test",
        "Z",
        "T",
        "a".repeat(36),
      ];
      return [
        [{ ...text, format }, { ...text, format, ...restriction }, values] as const,
        ...("pattern" in restriction ? [[{ ...text, format }, { ...text, ...restriction }, values] as const] : []),
      ];
    }),
  ),
  ...lists.flatMap((alternatives) => [
    [{ anyOf: alternatives }, { oneOf: alternatives }, objects] as const,
    [
      { type: "array", items: { anyOf: alternatives } },
      { type: "array", items: { oneOf: alternatives } },
      [[], ...objects.map((value) => [value])],
    ] as const,
    [
      { type: "object", properties: { x: { anyOf: alternatives } } },
      { type: "object", properties: { x: { oneOf: alternatives } } },
      [{}, ...objects.map((x) => ({ x }))],
    ] as const,
  ]),
  ...[5, 20, 200].flatMap((count) => {
    const values = [[], numbers(1), numbers(count - 1), numbers(count), numbers(count + 1), ["a"], ["a", "b"]];
    const words = [...values, numbers(count).map(String), numbers(count + 1).map(String)];
    return [
      [unique(number, {}), unique(number, { maxItems: count }), values] as const,
      [unique(number, {}), unique(number, { minItems: count }), values] as const,
      [unique({ type: "string" }, {}), unique({ type: "string" }, { maxItems: count }), words] as const,
      [unique(word, {}), unique(word, { maxItems: count }), values] as const,
    ];
  }),
];

function sideWith(schema: Schema) {
  return sideOf(indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: { ...schema, required: true } } } }));
}

describe.each(pairs)("the change from %j to %j", (before, after, values) => {
  test.each([
    ["in this direction", before, after],
    ["in the other direction", after, before],
  ])("has the consequences that calls have, %s", async (_, from, to) => {
    const [oldSide, newSide] = [sideWith(from), sideWith(to)];
    const { changes } = diffContracts(oldSide, newSide);
    const { oldClients, newClients } = worstLevels(changes);
    const found: readonly Level[] = [
      await observeLevel(oldSide, newSide, values),
      await observeLevel(newSide, oldSide, values),
    ];
    expect([oldClients ?? "none", newClients ?? "none"]).toEqual(found);
  });
});
