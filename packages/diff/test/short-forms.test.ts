import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { compileErrors } from "./proof/compile.js";
import { sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

// Calls may pass one item in place of a list, and a text in place of the object `title`.

const text = { type: "string" };
const list = (items: object) => ({ type: "array", items });
const raw = { type: "object", properties: { raw: text } };
const sourcesOf = (name: string, schema: object) =>
  indexOf({ "/shop/v1/things": { methods: ["POST"], args: { [name]: schema } } });

const cases = [
  { name: "slug", before: text, after: list(text), calls: ['"a"', '["a"]'], callers: "some" },
  { name: "slug", before: list(text), after: text, calls: ['"a"', '["a"]'], callers: "some" },
  {
    name: "author",
    before: { type: "integer" },
    after: list({ type: "integer" }),
    calls: ["1", "[1]"],
    callers: "some",
  },
  { name: "author", before: { type: "integer" }, after: list(text), calls: ["1", "[1]", '"a"'], callers: "breaks" },
  { name: "author", before: { type: "integer" }, after: list({}), calls: ["1", "[1]"], callers: "breaks" },
  { name: "ids", before: list({ type: "integer" }), after: list(text), calls: ["1", "[1]"], callers: "breaks" },
  { name: "title", before: text, after: raw, calls: ['"a"', '{ raw: "a" }'], callers: "some" },
  { name: "title", before: raw, after: text, calls: ['"a"', '{ raw: "a" }'], callers: "some" },
  { name: "other", before: text, after: raw, calls: ['"a"', '{ raw: "a" }'], callers: "breaks" },
] as const;

test("callers break only if no call compiles with both versions", () => {
  const files = new Map<string, string>();
  for (const [index, { name, before, after, calls }] of cases.entries()) {
    for (const [version, schema] of [before, after].entries()) {
      const folder = `${index}-${version}`;
      for (const [path, module] of modulesIn(folder, sourcesOf(name, schema))) {
        files.set(path, module);
      }
      calls.forEach((call, position) => {
        const program = `import type { ApiClient } from "./${folder}/client/src/api/index.js";\nexport const use = (client: ApiClient) => client.shop.things.create({ ${name}: ${call} });\n`;
        files.set(`${folder}-${position}.ts`, program);
      });
    }
  }
  const errors = compileErrors(files);
  for (const [index, { name, before, after, calls, callers }] of cases.entries()) {
    const compiles = (version: number, position: number) => !errors.has(`${index}-${version}-${position}.ts`);
    const isShared = calls.some((_, position) => compiles(0, position) && compiles(1, position));
    expect([name, isShared ? "some" : "breaks"]).toEqual([name, callers]);
    const { changes } = diffContracts(sideOf(sourcesOf(name, before)), sideOf(sourcesOf(name, after)));
    expect(changes.map(({ consequences }) => [name, consequences.callers])).toEqual([[name, callers]]);
  }
});
