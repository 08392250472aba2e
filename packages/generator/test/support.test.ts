import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { goldenCases } from "./cases/case.js";
import { supportPage, supportText } from "./cases/support.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(repository, supportPage), "utf8");

test("the page of what is supported matches the cases", () => {
  expect(page, "if the cases are right, run pnpm golden").toBe(supportText(folder));
});

test("every golden is linked on the page", () => {
  const linked = new Set([...page.matchAll(/\]\(\.\.\/packages\/generator\/test\/([^)]+)\)/g)].map(([, path]) => path));
  expect(goldenCases(folder).flatMap(({ area, name }) => (linked.has(`${area}/${name}`) ? [] : [name]))).toEqual([]);
});
