import type { JsonValue } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { describe, expect, test } from "vitest";
import { diffContracts, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { observeLevel, worstLevels } from "./proof/argument-levels.js";
import { sideOf } from "./proof/contracts.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";

interface TypeCase {
  readonly definition: object;
  /** Values that clients send, in all forms that servers read differently. */
  readonly values: readonly JsonValue[];
}

const texts = [
  "",
  "2026-01-31T10:20:30",
  "a",
  "word",
  "two words",
  "a,b",
  "a,a",
  "1,2",
  "7",
  "7.5",
  "-2",
  "true",
  "1",
  "0",
  "2",
];
const [integers, numbers] = [
  [-2, 0, 1, 2, 7, 123],
  [-2, 0, 1, 2, 7.5, 123],
];
const listOf = (items: object, values: readonly JsonValue[]): TypeCase => ({
  definition: { type: "array", items },
  values: [[], ...values.map((value) => [value]), values],
});

const cases: Readonly<Record<string, TypeCase>> = {
  string: { definition: { type: "string" }, values: texts },
  integer: { definition: { type: "integer" }, values: integers },
  number: { definition: { type: "number" }, values: numbers },
  boolean: { definition: { type: "boolean" }, values: [true, false] },
  "a | b": { definition: { type: "string", enum: ["a", "b"] }, values: ["a", "b"] },
  "1 | 2": { definition: { type: "integer", enum: [1, 2] }, values: [1, 2] },
  "string or integer": { definition: { type: ["string", "integer"] }, values: [...texts, ...integers] },
  "string or boolean": {
    definition: { anyOf: [{ type: "string" }, { type: "boolean" }] },
    values: [...texts, true, false],
  },
  "integer or boolean": { definition: { type: ["integer", "boolean"] }, values: [...integers, true, false] },
  "number or boolean": {
    definition: { anyOf: [{ type: "number" }, { type: "boolean" }] },
    values: [...numbers, true, false],
  },
  "integer or a | b": {
    definition: { oneOf: [{ type: "integer" }, { type: "string", enum: ["a", "b"] }] },
    values: [...integers, "a", "b"],
  },
  "list of string": listOf({ type: "string" }, texts),
  "list of integer": listOf({ type: "integer" }, integers),
  "list of boolean": listOf({ type: "boolean" }, [true, false]),
};

/** Types with restrictions that servers check after they have converted a value. */
const restrictedCases: Readonly<Record<string, TypeCase>> = {
  "list of two or more integers": {
    definition: { type: "array", items: { type: "integer" }, minItems: 2 },
    values: [
      [1, 2],
      [0, 1, 2],
    ],
  },
  "list of two or more strings": {
    definition: { type: "array", items: { type: "string" }, minItems: 2 },
    values: [
      ["a", "b"],
      ["1", "2", "3"],
    ],
  },
  "list of different strings": {
    definition: { type: "array", items: { type: "string" }, uniqueItems: true },
    values: [[], ["a"], ["1"], ["a", "b"]],
  },
  "list of at most one string": {
    definition: { type: "array", items: { type: "string" }, maxItems: 1 },
    values: [[], ["a"], ["1"]],
  },
  "list of long strings": {
    definition: { type: "array", items: { type: "string", minLength: 3 } },
    values: [[], ["word"], ["123"], ["word", "true"]],
  },
  character: { definition: { type: "string", maxLength: 1 }, values: ["", "a", "1"] },
  date: { definition: { type: "string", format: "date-time" }, values: ["2026-01-31T10:20:30", "2026-01-31 10:20:30"] },
  "positive integer": { definition: { type: "integer", minimum: 1 }, values: [1, 2, 7, 10] },
  "even integer": { definition: { type: "integer", multipleOf: 2 }, values: [-2, 0, 2] },
};
const allCases = { ...cases, ...restrictedCases };

const route = "/shop/v1/things";

function createSide(method: string, { definition }: TypeCase): Side {
  return sideOf(indexOf({ [route]: { methods: [method], args: { q: { ...definition, required: true } } } }));
}

describe.each([
  ["query", "GET"],
  ["body", "POST"],
])("in a %s", (_place, method) => {
  const sides = new Map(Object.entries(allCases).map(([name, each]) => [name, createSide(method, each)]));
  const pairs = Object.keys(cases).flatMap((before) =>
    Object.keys(cases).flatMap((after) => (before === after ? [] : [[before, after] as const])),
  );
  // Restrictions of values that have the same kind in both versions are compared keyword by keyword.
  const kindOf = (name: string) => {
    const { type } = Object(allCases[name]?.definition) as { readonly type: string };
    return type === "integer" ? "number" : type;
  };
  const restrictedPairs = Object.keys(restrictedCases).flatMap((restricted) =>
    Object.keys(cases).flatMap((other) =>
      kindOf(restricted) === kindOf(other) ? [] : [[restricted, other] as const, [other, restricted] as const],
    ),
  );

  test.each([...pairs, ...restrictedPairs])(
    "the change from %s to %s has the consequences that calls have",
    async (before, after) => {
      const [oldSide, newSide] = [sides.get(before), sides.get(after)];
      const [oldCase, newCase] = [allCases[before], allCases[after]];
      if (oldSide === undefined || newSide === undefined || oldCase === undefined || newCase === undefined) {
        throw new Error("There is no such type.");
      }
      const { changes } = diffContracts(oldSide, newSide);
      expect(worstLevels(changes)).toEqual({
        oldClients: await observeLevel(oldSide, newSide, oldCase.values),
        newClients: await observeLevel(newSide, oldSide, newCase.values),
      });
    },
  );
});

const rawTextCases = [
  { title: "a required member", old: { raw: { type: "string" } }, new: { raw: { type: "string", required: true } } },
  { title: "a shorter member", old: { raw: { type: "string" } }, new: { raw: { type: "string", maxLength: 3 } } },
  { title: "another type", old: { raw: { type: "string" } }, new: { raw: { type: "integer" } } },
  { title: "a closed object", old: { raw: { type: "string" } }, new: { raw: { type: "string" } }, closed: true },
];

test.each(rawTextCases)("servers do not check raw text: $title", async ({ old, new: other, closed = false }) => {
  const [oldSide, newSide] = [old, other].map((properties, index) => {
    const more = closed && index === 1 ? { additionalProperties: false } : {};
    return sideOf(
      indexOf({
        [route]: { methods: ["POST"], args: { title: { type: "object", properties, ...more, required: true } } },
      }),
    );
  });
  if (oldSide === undefined || newSide === undefined) {
    throw new Error("There are two sides.");
  }
  const { changes } = diffContracts(oldSide, newSide);
  expect(changes.length).toBeGreaterThan(0);
  for (const { consequences } of changes) {
    expect([consequences.oldClients, consequences.newClients]).toEqual(["none", "none"]);
  }
  const rest = restOf(oldSide.contract);
  const server = new MemoryServer(restOf(newSide.contract));
  const api = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport: server.transport });
  for (const title of [{}, { raw: "a longer text" }, { raw: "word", more: 1 }]) {
    await api.call(rest.endpoints[0]?.descriptor as never, { title } as never);
    expect(server.received?.input["title"]).toEqual(title);
  }
});

test("servers read a text as raw text, and refuse an object in place of a text", async () => {
  const [object, text] = [{ type: "object", properties: { raw: { type: "string" } } }, { type: "string" }].map(
    (title) => sideOf(indexOf({ [route]: { methods: ["POST"], args: { title: { ...title, required: true } } } })),
  );
  const changes = object && text ? diffContracts(object, text).changes : [];
  expect(changes.map(({ consequences }) => [consequences.oldClients, consequences.newClients])).toEqual([
    ["breaks", "tolerated"],
  ]);
});

test.each([
  ["a pattern that no integer matches", "^[a-z]+$", ["type-changed", "breaks", "breaks"]],
  // A server reads the text 00000001 as the integer 1.
  ["a pattern that some integers match", "^[0-9]{8}$", ["type-narrowed", "some", "tolerated"]],
])("judges %s", (_name, pattern, want) => {
  const [oldSide, newSide] = [{ type: "integer" }, { type: "string", pattern }].map((definition) =>
    createSide("GET", { definition, values: [] }),
  );
  const changes = oldSide === undefined || newSide === undefined ? [] : diffContracts(oldSide, newSide).changes;
  expect(changes.map(({ rule, consequences }) => [rule, consequences.oldClients, consequences.newClients])).toEqual([
    want,
  ]);
});

test("compares deeply nested lists with a text, which is a list with one item at each depth", () => {
  const nested = Array.from({ length: 40 }).reduce<object>((items) => ({ type: "array", items }), { type: "string" });
  const [before, after] = [{ type: "string" }, nested].map((definition) =>
    createSide("POST", { definition, values: [] }),
  );
  const changes = before === undefined || after === undefined ? [] : diffContracts(before, after).changes;
  expect(changes.map(({ rule }) => rule)).toEqual(["type-widened"]);
});
