import { expect, test } from "vitest";
import { diffContracts, type Level, levels } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";
import { agrees, observedText } from "./proof/observed.js";
import { callRest } from "./proof/rest-calls.js";

const many = Array.from({ length: 60 }, (_, index) => `v${index}`);
const listed = (...more: readonly string[]) => ({ type: "string", enum: [...many, ...more] });
const integer = { type: "integer" };
const listOf = (items: object) => ({ type: "array", items });
const withMember = (a: object) => ({ type: "object", properties: { a, b: { type: "string" } } });
const withMembers = (required: readonly string[]) => ({
  type: "object",
  required,
  properties: Object.fromEntries(["a", "b", "c", "d", "z"].map((name) => [name, { type: "string" }])),
});

/** Arguments with more values than are combined with others; the change affects only the last of them. */
const cases: readonly { readonly title: string; readonly before: object; readonly after: object }[] = [
  { title: "items with one more value", before: listOf(listed()), after: listOf(listed("last")) },
  {
    title: "items with a second type",
    before: listOf({ oneOf: [listed()] }),
    after: listOf({ oneOf: [listed(), integer] }),
  },
  { title: "a member with one more value", before: withMember(listed()), after: withMember(listed("last")) },
  {
    title: "a member with a second type",
    before: withMember({ oneOf: [listed()] }),
    after: withMember({ oneOf: [listed(), integer] }),
  },
  {
    title: "at least two items with one more value",
    before: { ...listOf(listed()), minItems: 2 },
    after: { ...listOf(listed("last")), minItems: 2 },
  },
  {
    title: "at least three different items with one more value",
    before: { ...listOf(listed()), minItems: 3, uniqueItems: true },
    after: { ...listOf(listed("last")), minItems: 3, uniqueItems: true },
  },
  { title: "items with an optional member", before: listOf(withMembers(["z"])), after: listOf(withMembers([])) },
];

test.each(cases)("old servers refuse some requests of new clients: $title", async ({ before, after }) => {
  const [oldSide, newSide] = [before, after].map((q) =>
    sideOf(indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q } } })),
  );
  if (oldSide === undefined || newSide === undefined) {
    throw new Error("There are no sides.");
  }
  const changes = [diffContracts(oldSide, newSide), diffContracts(newSide, oldSide)].map((diff) => diff.changes);
  const findLevel = (index: 0 | 1, party: "oldClients" | "newClients"): Level =>
    levels[Math.max(...(changes[index] ?? []).map(({ consequences }) => levels.indexOf(consequences[party])))] ??
    "none";
  expect([findLevel(0, "oldClients"), findLevel(0, "newClients")]).toEqual(["none", "some"]);
  expect([findLevel(1, "oldClients"), findLevel(1, "newClients")]).toEqual(["some", "none"]);
  for (const { observed } of await callRest(newSide.contract, oldSide.contract, { samples: 200 })) {
    expect([observedText(observed), agrees("some", observed, false)]).toEqual([observedText(observed), true]);
  }
});
