import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { catalogue } from "../src/source/catalogue/index.js";
import { goldenCases, refusalCases } from "./cases/case.js";
import { generateCase } from "./cases/generate-case.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const entries = Object.entries(catalogue);

test("every code has a kind of its own, a cause and a way out, in sentences", () => {
  const kinds = new Map<string, string>();
  for (const [code, { kind, cause, fix }] of entries) {
    expect(kinds.get(kind), `${code} has the kind of another`).toBeUndefined();
    kinds.set(kind, code);
    expect(kind).toMatch(/^[a-z]+(?:\.[A-Za-z-]+)?$/);
    for (const text of [cause, fix]) expect(text, code).toMatch(/^\S.{9,}[^.]\.$/s);
  }
});

test("every code is shown by a case among the refusals", () => {
  const shown = new Set(refusalCases(folder).flatMap((each) => generateCase(each).diagnostics.map(({ code }) => code)));
  expect(entries.map(([code]) => code).filter((code) => !shown.has(code as keyof typeof catalogue))).toEqual([]);
});

test("no golden has an error", () => {
  const errors = goldenCases(folder).flatMap((each) =>
    generateCase(each).diagnostics.filter(({ severity }) => severity === "error"),
  );
  expect(errors).toEqual([]);
});
