import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { fill, type Slots, type Templates } from "../../generator/src/render/render.js";

const root = join(import.meta.dirname, "..", "..", "..");
const folder = join(root, "templates");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".hbs"));
const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
let compiled: Templates = new Map();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "packages/pack/dist/main.js"), "--if-changed"]);
  compiled = createRequire(import.meta.url)(join(root, ".packed/bothends/dist/templates.cjs")).templates;
}, 120_000);

test("the published command line has each template, compiled", () => {
  expect([...compiled.keys()]).toEqual(files.sort());
  expect([...compiled.values()].filter((template) => typeof template === "string")).toEqual([]);
});

test.each(files)("the compiled %s writes the same as its text", (file) => {
  const text = texts.get(file) ?? "";
  for (const slots of [slotsOf(text, true), slotsOf(text, false)]) {
    const written = fill(file, slots, texts);
    expect(written).not.toBe("");
    expect(fill(file, slots, compiled)).toBe(written);
  }
});

/** Values for all slots of a template: their names, and lists of two items. Conditions are true or absent. */
function slotsOf(text: string, conditions: boolean): Slots {
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const plain = Object.fromEntries(
    names(/\{\{(?:#if )?(?:\.\.\/)?([a-z]\w*)\}\}/gi).map((name) => [name, `<${name}>`]),
  );
  const lists = names(/\{\{#each (\w+)\}\}/g);
  const withLists = (items: Slots): Slots => ({
    ...plain,
    ...Object.fromEntries(lists.map((name) => [name, [items, items]])),
  });
  const absent = conditions ? [] : names(/\{\{#if (\w+)\}\}/g);
  return { ...withLists(withLists(plain)), ...Object.fromEntries(absent.map((name) => [name, undefined])) };
}
