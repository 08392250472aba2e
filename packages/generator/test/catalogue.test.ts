import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { catalogue } from "../src/source/catalogue/index.js";
import { filesBelow, refusalCases, warningCases } from "./cases/case.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const entries = Object.entries(catalogue);

test("every code has a unique kind, and a cause and a fix in sentences", () => {
  const kinds = new Map<string, string>();
  for (const [code, { kind, cause, fix }] of entries) {
    expect(kinds.get(kind), `${code} has the kind of another code`).toBeUndefined();
    kinds.set(kind, code);
    expect(kind).toMatch(/^[a-z]+\.[A-Za-z-]+$/);
    for (const text of [cause, fix]) {
      expect(text, code).toMatch(/^\S.{9,}[^.]\.$/s);
    }
  }
});

test("every code has a case among the refusals or the warnings", () => {
  const decoder = new TextDecoder();
  const shown = new Set(
    [...refusalCases(folder), ...warningCases(folder)].flatMap((each) => {
      const text = decoder.decode(filesBelow(each.folder).get("expected.txt"));
      return [...text.matchAll(/^\S.*?:\d+:\d+: (?:error|warning|info) (\w+) /gm)].map(([, code]) => code);
    }),
  );
  expect(entries.map(([code]) => code).filter((code) => !shown.has(code))).toEqual([]);
});
