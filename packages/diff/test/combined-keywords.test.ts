import type { JsonValue } from "@bothends/runtime";
import { expect, test } from "vitest";
import { diffContracts, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { observeLevel, worstLevels } from "./proof/argument-levels.js";
import { sideOf } from "./proof/contracts.js";

type Schema = { readonly [keyword: string]: JsonValue };

// Arguments of which several keywords change together, or whose keywords limit which values can be combined.

const integer = (keywords: Schema = {}): Schema => ({ type: "integer", ...keywords });
const list = (items: Schema, keywords: Schema = {}): Schema => ({ type: "array", items, ...keywords });
const object = (properties: Schema, keywords: Schema = {}): Schema => ({ type: "object", properties, ...keywords });
const text: Schema = { type: "string" };
const few: Schema = integer({ enum: [1, 2, 5] });

const numbers: readonly JsonValue[] = [
  -15, -10, -6, -5, -2, -1, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 20, 30, 40, 50, 60,
];
const lists: readonly JsonValue[] = [
  ["9", "1", "9"],
  ["x", "y", "z"],
  ["1", "2"],
  ["a", "b"],
  [1, 2],
  [1, 2, 3],
  [7, 8, 9],
];
const objects: readonly JsonValue[] = [{}, { q: "x y" }, { q: "a" }, { r: 1 }, { r: 100 }, { q: "a", r: 1 }];

const cases: readonly (readonly [before: Schema, after: Schema, values: readonly JsonValue[]])[] = [
  [few, integer(), numbers],
  [few, integer({ minimum: 1 }), numbers],
  [few, integer({ maximum: 5 }), numbers],
  [few, integer({ minimum: 1, maximum: 5 }), numbers],
  [few, integer({ minimum: 3 }), numbers],
  [few, { type: "number", minimum: 1 }, numbers],
  [integer({ minimum: 0, maximum: 9 }), integer({ enum: [1, 2] }), numbers],
  [integer({ minimum: 10, exclusiveMinimum: true, multipleOf: 2 }), integer({ enum: [-5, 50] }), numbers],
  [integer({ maximum: 5 }), integer({ multipleOf: 5 }), numbers],
  [integer({ maximum: 12, exclusiveMaximum: true }), integer({ multipleOf: 10 }), numbers],
  [integer({ minimum: 0, maximum: 8 }), { type: "number", minimum: -10, maximum: 5, multipleOf: 5 }, numbers],
  [integer({ multipleOf: 2 }), integer({ multipleOf: 3 }), numbers],
  [integer({ multipleOf: 2 }), integer({ multipleOf: 10 }), numbers],
  [{ type: "number", multipleOf: 0.1 }, { type: "number", multipleOf: 0.3 }, [0, 0.1, 0.3, 0.6, 0.5, 1.2, 3]],
  [list(text, { minItems: 3 }), list(integer(), { minItems: 3 }), lists],
  [list(text, { minItems: 2, uniqueItems: true }), list(integer(), { minItems: 2, uniqueItems: true }), lists],
  [list(integer(), { minItems: 3 }), list(integer({ maximum: 5 }), { minItems: 3 }), lists],
  [
    object({ q: text, r: integer() }, { maxProperties: 1 }),
    object({ q: { type: "string", enum: ["a", "b"] }, r: integer() }, { maxProperties: 1 }),
    objects,
  ],
  [
    object({ q: text, r: integer() }, { maxProperties: 1 }),
    object({ q: text, r: integer({ maximum: 5 }) }, { maxProperties: 1 }),
    objects,
  ],
];

/** The order of types decides how a text that looks like a number is read. */
const orderCases: typeof cases = [
  [{ type: ["integer", "string"] }, { type: ["string", "integer"] }, [9, "9", "a"]],
  [{ anyOf: [integer(), text] }, { anyOf: [text, integer()] }, [9, "9", "a"]],
  [list({ type: ["integer", "string"] }), list({ type: ["string", "integer"] }), [[9], ["9", "a"]]],
  [object({ q: { type: ["boolean", "string"] } }), object({ q: { type: ["string", "boolean"] } }), [{ q: "true" }]],
];

const sideWith = (schema: Schema): Side =>
  sideOf(indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: { ...schema, required: true } } } }));

test.each(
  [...cases, ...orderCases].flatMap(([before, after, values], index) => {
    const format = index < cases.length ? undefined : (value: JsonValue | undefined) => String(JSON.stringify(value));
    return [
      { before, after, values, format },
      { before: after, after: before, values, format },
    ];
  }),
)(
  "the change from $before to $after has the consequences that calls have",
  async ({ before, after, values, format }) => {
    const [oldSide, newSide] = [sideWith(before), sideWith(after)];
    expect(worstLevels(diffContracts(oldSide, newSide).changes)).toEqual({
      oldClients: await observeLevel(oldSide, newSide, values, format),
      newClients: await observeLevel(newSide, oldSide, values, format),
    });
  },
);
