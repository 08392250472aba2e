import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesBelow, refusalCases } from "./cases/case.js";
import { generateCase } from "./cases/generate-case.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const cases = refusalCases(folder).map((each) => ({ each, title: each.name, outcome: generateCase(each) }));

test.each(cases)("$title is told in full", ({ each, outcome }) => {
  const expected = filesBelow(each.folder).get("expected.txt");
  expect(outcome.text).toBe(new TextDecoder().decode(expected));
});

test("what has an error gives no file, and what has none gives all", () => {
  for (const { title, outcome } of cases) {
    const refused = outcome.diagnostics.some(({ severity }) => severity === "error");
    expect(outcome.tree.size === 0, title).toBe(refused);
  }
});

test("everything told has a place, an excerpt with carets under it, and a way out", () => {
  for (const { title, outcome } of cases) {
    expect(outcome.diagnostics.length, title).toBeGreaterThan(0);
    for (const { span } of outcome.diagnostics) {
      // An empty source has no line to show.
      const lines = span.source.text === "" ? "" : String.raw`  +\d+ \| .*\n +\| +\^+\n`;
      const whole = String.raw`^(?:[^\n]+:\d+:\d+: (?:error|warning|info) \w+ \([\w.-]+\): [^\n]+[.!?]\n${lines}  help: [^\n]+[.!?]\n)`;
      expect(outcome.text, title).toMatch(new RegExp(whole, "m"));
    }
  }
});
