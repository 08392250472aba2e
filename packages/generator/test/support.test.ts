import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { catalogue } from "../src/source/catalogue/index.js";
import { goldenCases } from "./cases/case.js";
import { diagnosticsPage, diagnosticsText } from "./cases/diagnostics-page.js";
import { supportPage, supportText } from "./cases/support.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(repository, supportPage), "utf8");

test("the support page matches the cases", () => {
  expect(page, "if the cases are right, run pnpm golden").toBe(supportText(folder));
});

test("every golden is linked on the page", () => {
  const linked = new Set([...page.matchAll(/\]\(\.\.\/packages\/generator\/test\/([^)]+)\)/g)].map(([, path]) => path));
  expect(goldenCases(folder).flatMap(({ area, name }) => (linked.has(`${area}/${name}`) ? [] : [name]))).toEqual([]);
});

const diagnostics = readFileSync(join(repository, diagnosticsPage), "utf8");

test("the page of diagnostics matches the catalogue and the cases", () => {
  expect(diagnostics, "if the cases are right, run pnpm golden").toBe(diagnosticsText(folder));
});

test("every code on the page has an example that triggers it", () => {
  const sections = diagnostics.split(/^### /m).slice(1);
  const codes = Object.keys(catalogue);
  expect(sections.map((section) => section.slice(0, section.indexOf("\n"))).sort()).toEqual(codes.sort());
  for (const section of sections) {
    const code = section.slice(0, section.indexOf("\n"));
    expect(section, code).toMatch(new RegExp(`^\\S.*?:\\d+:\\d+: (?:error|warning|info) ${code} `, "m"));
  }
});
