import type { JsonValue } from "@bothends/runtime";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

// Arguments whose type changes, and whose new or old type has restrictions. They are named with the type, and an allow
// list that accepts one of them does not accept another one.

type Schema = { readonly [keyword: string]: JsonValue };

const text: Schema = { type: "string" };
const integer = (keywords: Schema): Schema => ({ type: "integer", ...keywords });
const list = (items: Schema, keywords: Schema = {}): Schema => ({ type: "array", items, ...keywords });

function listChanges(before: Schema, after: Schema) {
  const sides = [before, after].map((schema) => sideOf(indexOf({ "/shop/v1/things": { args: { q: schema } } })));
  const [oldSide, newSide] = sides as [(typeof sides)[number], (typeof sides)[number]];
  return diffContracts(oldSide, newSide).changes.filter(({ direction }) => direction === "input");
}

const cases: readonly (readonly [
  before: Schema,
  after: Schema,
  other: Schema,
  beforeText: string,
  afterText: string,
])[] = [
  [text, integer({ maximum: 9 }), integer({ maximum: 99 }), "string", "integer (maximum 9)"],
  [
    { type: "string", maxLength: 20 },
    integer({ minimum: 1, maximum: 9 }),
    integer({ minimum: 1 }),
    "string (maxLength 20)",
    "integer (minimum 1, maximum 9)",
  ],
  [
    {},
    { type: "string", pattern: "^[a-z]+$" },
    { type: "string", pattern: "^[0-9]{3}$" },
    "any",
    "string (pattern ^[a-z]+$)",
  ],
  [{}, { type: "string", format: "email" }, { type: "string", format: "ip" }, "any", "string (format email)"],
  [
    text,
    list({ type: "string", maxLength: 2 }, { maxItems: 30 }),
    list({ type: "string", maxLength: 3 }, { maxItems: 30 }),
    "string",
    "array of string ([] maxLength 2, maxItems 30)",
  ],
  [
    {},
    { type: "object", properties: { limits: { type: "object", properties: { max: integer({ maximum: 50 }) } } } },
    { type: "object", properties: { limits: { type: "object", properties: { max: integer({ maximum: 5 }) } } } },
    "any",
    "object {limits} (limits.max maximum 50)",
  ],
  [
    {},
    { type: "object", additionalProperties: integer({ maximum: 9 }) },
    { type: "object", additionalProperties: integer({ maximum: 99 }) },
    "any",
    "object of integer (* maximum 9)",
  ],
  [
    {},
    { oneOf: [integer({ maximum: 50 }), { type: "string", maxLength: 20 }] },
    { oneOf: [integer({ maximum: 5 }), { type: "string", maxLength: 20 }] },
    "any",
    "integer or string (maximum 50, maxLength 20)",
  ],
];

test.each(cases)("the change from %j to %j names the restrictions", (before, after, _, beforeText, afterText) => {
  const [change] = listChanges(before, after);
  expect(change).toMatchObject({ before: beforeText, after: afterText });
  const [mirrored] = listChanges(after, before);
  expect(mirrored).toMatchObject({ before: afterText, after: beforeText });
});

test.each(cases)("the change from %j to %j has another fingerprint than that to %j", (before, after, other) => {
  const [fingerprints, otherFingerprints] = [after, other].map((version) =>
    listChanges(before, version).map(({ fingerprint }) => fingerprint),
  );
  expect(fingerprints?.filter((fingerprint) => otherFingerprints?.includes(fingerprint))).toEqual([]);
});

test("a member type that a union gains or loses is named with its restrictions", () => {
  const union = { anyOf: [text, integer({ maximum: 9 })] };
  expect(listChanges(text, union)).toMatchObject([{ rule: "union-member-added", after: "integer (maximum 9)" }]);
  expect(listChanges(union, text)).toMatchObject([{ rule: "union-member-removed", before: "integer (maximum 9)" }]);
});
