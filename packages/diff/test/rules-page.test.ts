import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeRule, renderRulesPage, rules } from "../src/index.js";
import { root } from "./proof/contracts.js";

test("docs/diff-rules.md is the page of the rules", async () => {
  await expect(renderRulesPage()).toMatchFileSnapshot(join(root, "docs/diff-rules.md"));
});

test("ids are unique, and each opposite rule has the rule as its opposite", () => {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  expect(byId.size).toBe(rules.length);
  const unpaired = rules.filter(
    ({ id, oppositeRule }) => oppositeRule !== undefined && byId.get(oppositeRule)?.oppositeRule !== id,
  );
  expect(unpaired.map(({ id }) => id)).toEqual([]);
});

test("the consequences on the wire of an opposite rule are the rule's, exchanged", () => {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const unlike = rules.filter(({ kind, verdict, oppositeRule }) => {
    const opposite = byId.get(oppositeRule ?? "")?.verdict;
    const [oldVerdict, newVerdict] = verdict.split(" ");
    return kind === "exchange" && opposite !== undefined && opposite.slice(0, 3) !== `${newVerdict} ${oldVerdict}`;
  });
  expect(unlike.map(({ id }) => id)).toEqual([]);
});

test("reasons say that servers accept requests without an argument that has a default", () => {
  const withDefault = rules.filter(({ id, variants = {} }) =>
    Object.values(variants).some(({ when = "" }) => id.startsWith("argument-") && when.includes("has a default")),
  );
  const others = withDefault.filter(
    (rule) => !/unless the argument has a default|that has no default/.test(describeRule(rule)),
  );
  expect(withDefault.length).toBeGreaterThan(3);
  expect(others.map(({ id }) => id)).toEqual([]);
});

test("the page names every rule once", () => {
  const page = readFileSync(join(root, "docs/diff-rules.md"), "utf8");
  const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, id]) => id);
  expect(headings).toEqual(rules.map(({ id }) => id));
});

// A rule applies to one change, but other changes may have changed messages or code as well.
test("no rule says that messages are unchanged, or that all code still compiles", () => {
  const reasons = rules.map((rule) => `${rule.id}: ${describeRule(rule)}`);
  expect(reasons.filter((reason) => /messages are unchanged|Code still compiles/i.test(reason))).toEqual([]);
});

test("texts for REST interfaces contain no words of XML", () => {
  const wordsOfXml = /\b(elements?|attributes?|nil|XML)\b/;
  const texts = rules.flatMap(({ id, rest = {} }) =>
    Object.values(rest).map((text) => `${id}: ${JSON.stringify(text)}`),
  );
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => wordsOfXml.test(text))).toEqual([]);
});
