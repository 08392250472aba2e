import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Case, filesBelow, refusalCases, warningCases } from "./cases/case.js";
import { generateCase } from "./cases/generate-case.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const generated = (each: Case) => ({ each, title: `${each.area}/${each.name}`, outcome: generateCase(each) });
const refusals = refusalCases(folder).map(generated);
const warnings = warningCases(folder).map(generated);
const all = [...refusals, ...warnings];

test.each(all)("$title has the expected diagnostics", ({ each, outcome }) => {
  const expected = filesBelow(each.folder).get("expected.txt");
  expect(outcome.text).toBe(new TextDecoder().decode(expected));
});

test("a refusal has an error and no files, a warning has no error and all files", () => {
  for (const { title, outcome } of all) {
    const hasError = outcome.diagnostics.some(({ severity }) => severity === "error");
    expect(hasError, title).toBe(title.startsWith("refusals/"));
    expect(outcome.tree.size === 0, title).toBe(hasError);
  }
});

test("a case is in the folder of the source of its first diagnostic", () => {
  const misplaced = all.flatMap(({ each, title, outcome }) => {
    const wanted = areaOf(each, outcome);
    return each.area.endsWith(`/${wanted}`) ? [] : [`${title} belongs to ${wanted}`];
  });
  expect(misplaced).toEqual([]);
});

test("every diagnostic has a position, an excerpt with carets, and help", () => {
  for (const { title, outcome } of all) {
    expect(outcome.diagnostics.length, title).toBeGreaterThan(0);
    for (const { span } of outcome.diagnostics) {
      // An empty source has no line to show.
      const lines = span.source.text === "" ? "" : String.raw`  +\d+ \| .*\n +\| +\^+\n`;
      const whole = String.raw`^(?:[^\n]+:\d+:\d+: (?:error|warning|info) \w+ \([\w.-]+\): [^\n]+[.!?]\n${lines}  help: [^\n]+[.!?]\n)`;
      expect(outcome.text, title).toMatch(new RegExp(whole, "m"));
    }
  }
});

/** By the file of the most serious diagnostic; where that is the command line, by the sources. */
function areaOf({ input }: Case, { diagnostics }: (typeof all)[number]["outcome"]): string {
  const [first] = ["error", "warning", "info"].flatMap((severity) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity),
  );
  const path = first?.span.source.path ?? "";
  if (path === "bothends.json") {
    return "config";
  }
  const files = [...input.keys()].filter((file) => file !== "bothends.json" && file !== "sender.wsdl");
  if (files.some((file) => file.endsWith(".json"))) {
    return "index";
  }
  return files.some((file) => file.endsWith(".xsd")) && !path.endsWith(".wsdl") ? "xsd" : "wsdl";
}
