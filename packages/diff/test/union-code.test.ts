import { expect, test } from "vitest";
import { diffContracts, type Level } from "../src/index.js";
import { findWorstLevel } from "../src/rules/rule.js";
import { indexOf } from "./pairs/index-document.js";
import { type CodeOutcome, observeCode } from "./proof/argument-programs.js";
import { sideOf } from "./proof/contracts.js";

const list = { type: "array", items: { type: "integer" } };
const object = { type: "object", properties: { terms: { ...list, required: true } } };
const word = { type: "string", enum: ["on", "off"] };

const cases: readonly { title: string; old: object; new: object; handlers: Level }[] = [
  { title: "an object that is no longer in a union", old: { oneOf: [list, object] }, new: list, handlers: "some" },
  { title: "a list that is no longer in a union", old: { oneOf: [list, object] }, new: object, handlers: "some" },
  {
    title: "a scalar that is no longer in a union",
    old: { type: ["string", "integer"] },
    new: { type: "integer" },
    handlers: "some",
  },
  {
    title: "one of three scalars",
    old: { type: ["string", "integer", "boolean"] },
    new: { type: ["string", "integer"] },
    handlers: "some",
  },
  {
    title: "null that is no longer in a union",
    old: { type: ["string", "null"] },
    new: { type: "string" },
    handlers: "none",
  },
  { title: "any value that became a scalar", old: {}, new: { type: "integer" }, handlers: "some" },
  { title: "any value that became an object", old: {}, new: object, handlers: "some" },
  {
    title: "an integer in a union with a number",
    old: { type: ["string", "integer", "number"] },
    new: { type: ["string", "integer"] },
    handlers: "none",
  },
  {
    title: "a word in a union with a text",
    old: { anyOf: [{ type: "string" }, word, { type: "integer" }] },
    new: { type: ["string", "integer"] },
    handlers: "none",
  },
  { title: "an object that is now in a union", old: list, new: { oneOf: [list, object] }, handlers: "breaks" },
];

const versions = new Map(
  cases.map((each) => [
    each.title.replaceAll(" ", "-"),
    [each.old, each.new].map((definition) =>
      indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: { ...definition, required: true } } } }),
    ) as [ReturnType<typeof indexOf>, ReturnType<typeof indexOf>],
  ]),
);

let outcomes: ReadonlyMap<string, CodeOutcome> | undefined;

test.each(cases)("handlers of $title have the code consequences that the compiler shows", ({ title, handlers }) => {
  const key = title.replaceAll(" ", "-");
  const [before, after] = versions.get(key) ?? [];
  if (before === undefined || after === undefined) {
    throw new Error(`There is no case ${title}.`);
  }
  outcomes ??= observeCode(versions);
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  const claimed = {
    callers: findWorstLevel(changes.map(({ consequences }) => consequences.callers)) !== "none",
    handlers: findWorstLevel(changes.map(({ consequences }) => consequences.handlers)),
  };
  const { writeError, readError, failingPrograms = [] } = outcomes.get(key) ?? {};
  const observed: Level = readError !== undefined ? "breaks" : failingPrograms.length > 0 ? "some" : "none";
  expect(observed).toBe(handlers);
  expect(claimed).toEqual({ callers: writeError !== undefined, handlers });
});
