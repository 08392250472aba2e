import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { drawSchema, editSchema, type Schema } from "./edits/random-arguments.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

// Edits a member of an argument alone, and together with another member. The changes of the first member must have the
// same consequences for clients.

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

/** The changes of the member `first` if an argument has these members: rules, subjects and consequences for clients. */
function listChanges(before: Schema, after: Schema, method: string) {
  const [oldSide, newSide] = [before, after].map((properties) =>
    sideOf(indexOf({ "/shop/v1/things": { methods: [method], args: { q: { type: "object", properties } } } })),
  );
  const changes = oldSide && newSide ? diffContracts(oldSide, newSide).changes : [];
  return changes
    .filter(({ subject }) => / q\.first\b/.test(subject))
    .map(({ rule, subject, consequences: { oldClients, newClients } }) =>
      [rule, subject, oldClients, newClients].join(" "),
    )
    .sort();
}

test.each(seeds)("seed %i: a member has the same effect on clients if another member changes too", (seed) => {
  const random = new Random(seed * 7919);
  const method = random.drawBoolean(50) ? "GET" : "POST";
  const [first, second] = [drawSchema(random), drawSchema(random)];
  const [editedFirst, editedSecond] = [editSchema(first, random), editSchema(second, random)];
  const alone = listChanges({ first, second }, { first: editedFirst, second }, method);
  expect(listChanges({ first, second }, { first: editedFirst, second: editedSecond }, method)).toEqual(alone);
});
