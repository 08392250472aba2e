import type { JsonValue } from "@bothends/runtime";
import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { observeLevel, worstLevels } from "./proof/argument-levels.js";
import { sideOf } from "./proof/contracts.js";

// A member of a nested object of an argument becomes required, or is added as a required one, beside other changes.

type Schema = { readonly [keyword: string]: JsonValue };

const text = { type: "string" };
const short = { type: "string", maxLength: 3 };
const object = (properties: Schema, ...required: readonly string[]): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const containers: readonly (readonly [
  title: string,
  contain: (schema: Schema) => Schema,
  containValue: (value: JsonValue) => JsonValue,
])[] = [
  ["an argument", (schema) => schema, (value) => value],
  ["a member of an argument", (schema) => object({ x: schema }, "x"), (x) => ({ x })],
  ["the items of a list", (items) => ({ type: "array", items, minItems: 1 }), (value) => [value]],
  [
    "a member of the items of a list",
    (schema) => ({ type: "array", items: object({ x: schema }, "x"), minItems: 1 }),
    (x) => [{ x }],
  ],
];
const values: readonly JsonValue[] = [
  ...[{}, { a: "x" }, { a: "xxxx" }, { b: "y" }, { a: "x", b: "y" }],
  ...[{ c: "x" }, { a: "x", c: "x" }, { a: "xxxx", c: "x" }, { a: "x", b: "y", c: "x" }],
];
const edits: readonly (readonly [
  title: string,
  before: Schema,
  after: Schema,
  expected: readonly [rule: string, member: string, oldClients: string],
])[] = [
  [
    "is added beside a shorter member",
    object({ a: text }),
    object({ a: short, c: text }, "c"),
    ["member-added-required", "c", "breaks"],
  ],
  [
    "is added, and another one is removed",
    object({ a: text, b: text }),
    object({ a: text, c: text }, "c"),
    ["member-added-required", "c", "breaks"],
  ],
  [
    "is added beside a required one",
    object({ a: text }, "a"),
    object({ a: short, c: text }, "a", "c"),
    ["member-added-required", "c", "breaks"],
  ],
  [
    "becomes required beside a shorter member",
    object({ a: text, c: text }),
    object({ a: short, c: text }, "c"),
    ["member-became-required", "c", "some"],
  ],
  [
    "is required as a member, and not in a list",
    object({ a: text }),
    object({ a: short, c: { ...text, required: true } }),
    ["member-added-required", "c", "breaks"],
  ],
];
const opposites: Readonly<Record<string, string>> = {
  "member-added-required": "member-removed-required",
  "member-became-required": "member-became-optional",
};
const sideWith = (q: Schema) => sideOf(indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q } } }));

describe.each(containers)("in %s", (_container, contain, containValue) => {
  test.each(edits)(
    "a member that %s has the consequences that calls have",
    async (_, before, after, [rule, member, level]) => {
      const [oldSide, newSide] = [sideWith(contain(before)), sideWith(contain(after))];
      // TypeScript allows only members that the schema lists.
      const listValues = ({ properties }: Schema) =>
        values
          .filter((value) => Object.keys(value ?? {}).every((name) => name in Object(properties)))
          .map(containValue);
      for (const [from, to, id, party, sent, received] of [
        [oldSide, newSide, rule, "oldClients", listValues(before), listValues(after)],
        [newSide, oldSide, opposites[rule], "newClients", listValues(after), listValues(before)],
      ] as const) {
        const { changes } = diffContracts(from, to);
        const change = changes.find((each) => each.rule === id && each.subject.endsWith(member));
        expect([id, change?.consequences[party]]).toEqual([id, level]);
        expect(worstLevels(changes)).toEqual({
          oldClients: await observeLevel(from, to, sent),
          newClients: await observeLevel(to, from, received),
        });
      }
    },
  );
});
