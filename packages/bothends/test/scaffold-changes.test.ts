import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProjectFolder, wsdlOfServices } from "./project-folder.js";

// Equal changes of several items are one line in the report of `scaffold`, with the handlers to check.

type Routes = Readonly<Record<string, Readonly<Record<string, object>>>>;

const index = (routes: Routes) =>
  JSON.stringify({
    namespaces: ["shop/v1"],
    routes: Object.fromEntries(
      Object.entries(routes).map(([name, args]) => [
        `/shop/v1${name}`,
        { namespace: "shop/v1", methods: ["GET"], endpoints: [{ methods: ["GET"], args }] },
      ]),
    ),
  });

/** Scaffolds a server for `before`, and returns the lines about changed handlers after a change to `now`. */
async function linesAfter(before: Routes, now: Routes, ...parameters: readonly string[]): Promise<readonly string[]> {
  const project = new ProjectFolder({ "site.json": index(before) });
  const command = ["scaffold", "server", "shop", "--index", "site.json", "--out", "made"];
  await project.run(...command);
  project.write("site.json", index(now));
  const { out } = await project.run(...command, ...parameters);
  return out.split("\n").filter((line) => /^changed\b|^ {2}(?:check|…) /.test(line));
}

const text = { type: "string", required: false };
const number = { type: "integer", required: false };
const names = ["/a", "/b", "/c", "/d"];
const each = (args: Readonly<Record<string, object>>): Routes => Object.fromEntries(names.map((name) => [name, args]));
const position = (name: string) => `(shop/src/site/shop/${name}.ts:4)`;

test("equal changes of several operations are one line, with the item of each handler", async () => {
  const lines = await linesAfter({ "": {}, ...each({}) }, { "": { lang: text }, ...each({ lang: text }) }, "--verbose");
  expect(lines).toEqual([
    "changed in 4 operations: An optional argument was added. Tolerated by new clients [argument-added-optional]",
    ...["a", "b", "c", "d"].map((name) => `  check shop.${name}.get ${position(name)}: GET /shop/v1/${name} lang`),
  ]);
});

test("equal changes of several items of the same operations are one line, which names the items", async () => {
  const colours = (...values: readonly string[]) => ({ type: "string", enum: values, required: false });
  const args = (...values: readonly string[]) => ({
    x: colours(...values),
    y: colours(...values),
    z: colours(...values),
  });
  const lines = await linesAfter({ "/a": args("red", "blue") }, { "/a": args("red", "blue", "grey") });
  expect(lines).toEqual([
    expect.stringMatching(
      /^changed: GET \/shop\/v1\/a x, GET \/shop\/v1\/a y and GET \/shop\/v1\/a z: An enumeration has more values \("grey"\)\. /,
    ),
    `  check shop.a.get ${position("a")}`,
  ]);
});

test("the items of a handler in a group are on its line", async () => {
  const lines = await linesAfter(
    { ...each({ lang: text }), "/b": { lang: text, page: text } },
    { ...each({ lang: number }), "/b": { lang: number, page: number } },
  );
  expect(lines).toEqual([
    "changed in 4 operations: A type allows fewer values (string → integer). Breaks TypeScript callers and handlers; may break old clients [type-narrowed]",
    `  check shop.a.get ${position("a")}: GET /shop/v1/a lang`,
    `  check shop.b.list ${position("b")}: GET /shop/v1/b lang and GET /shop/v1/b page`,
    `  check shop.c.get ${position("c")}: GET /shop/v1/c lang`,
    "  … and 1 more handler without your code",
  ]);
});

test("changes with different values are separate lines", async () => {
  const lines = await linesAfter(each({ n: text }), {
    ...each({ n: number }),
    "/b": { n: { ...text, required: true } },
  });
  expect(lines.filter((line) => line.startsWith("changed"))).toEqual([
    expect.stringMatching(/^changed in 3 operations: .*\(string → integer\)/),
    expect.stringMatching(/^changed: GET \/shop\/v1\/b n: /),
  ]);
});

test("changes of operations that may have been renamed are a group of their own", async () => {
  const args = { q: text, s: text };
  const { "/d": _, ...others } = each({ ...args, lang: text });
  const lines = await linesAfter(each(args), { ...others, "/dd": { ...args, lang: text } });
  expect(lines.filter((line) => line.startsWith("changed"))).toEqual([
    expect.stringMatching(/^changed in 3 operations: An optional argument was added\./),
    expect.stringMatching(/^changed if shop\.d\.get was renamed to shop\.dd\.get: GET \/shop\/v1\/dd lang: /),
  ]);
});

test.each([
  { count: 5, lines: ["handler added: shop.x0.get", "handler added: shop.x1.get"] },
  {
    count: 6,
    lines: ["handlers added: shop.x0.get, shop.x1.get, shop.x2.get, shop.x3.get, shop.x4.get and shop.x5.get"],
  },
])("$count new handlers are named", async ({ count, lines }) => {
  const project = new ProjectFolder({ "site.json": index({ "/a": {} }) });
  const command = ["scaffold", "server", "shop", "--index", "site.json", "--out", "made"];
  await project.run(...command);
  const added = Array.from({ length: count }, (_, number) => [`/x${number}`, {}] as const);
  project.write("site.json", index({ "/a": {}, ...Object.fromEntries(added) }));
  const { out } = await project.run(...command);
  for (const line of lines) {
    expect(out).toContain(`${line}\n`);
  }
});

test.each([
  { isTypeScript: true, advice: "Then compile the server: TypeScript reports other code that these changes affect," },
  { isTypeScript: false, advice: "Then check other code that these changes affect, such as functions and tests.\n" },
])("a server is to be compiled only if it contains TypeScript: $isTypeScript", async ({ isTypeScript, advice }) => {
  const project = new ProjectFolder({ "site.json": index({ "/a": {} }) });
  const command = ["scaffold", "server", "shop", "--index", "site.json", "--out", "made"];
  await project.run(...command);
  if (!isTypeScript) {
    for (const path of Object.keys(project.snapshot()).filter((each) => /^shop\/.*\.ts$/.test(each))) {
      const isRoutes = path.endsWith("/routes.ts");
      project.write(
        path.replace(/ts$/, "js"),
        isRoutes ? "export const routes = [siteRoutes({ shop: { a: { get: () => 1 } } })];\n" : "export {};\n",
      );
      rmSync(join(project.path, path));
    }
  }
  project.write("site.json", index({ "/a": {}, "/b": {} }));
  expect((await project.run(...command)).out).toContain(advice);
});

test("handlers of operations that exchanged their names are not moved, and the report says which code belongs to each", async () => {
  const text = wsdlOfServices({ Stock: ["Put", "Drop", "Find"] });
  const project = new ProjectFolder({ "stock.wsdl": text });
  const command = ["scaffold", "server", "shop", "--wsdl", "stock.wsdl", "--out", "made"];
  await project.run(...command);
  const path = Object.keys(project.snapshot()).find((each) => each.endsWith("/put.ts")) ?? "";
  const ours = project.read(path).replace(/throw .*/, 'return "put";');
  project.write(path, ours);
  const others: Readonly<Record<string, string>> = { Put: "Drop", Drop: "Put" };
  project.write(
    "stock.wsdl",
    text.replace(/(?<=<operation name=")\w+/g, (name) => others[name] ?? name),
  );
  const { out } = await project.run(...command);
  expect(out.split("\n").filter((line) => /^(?:changed|handler|moved)| \(shop/.test(line))).toEqual([
    expect.stringMatching(/^changed: Drop: .*names.* \(was Put\)/),
    "  use the previous code of put in drop (shop/src/stock/drop.ts:3)",
    expect.stringMatching(/^changed: Put: .*names.* \(was Drop\)/),
    "  use the previous code of drop in put (shop/src/stock/put.ts:3)",
  ]);
  expect(project.read(path)).toBe(ours);
});

test("handlers of operations with one name that changed places are not moved, and the report says so", async () => {
  const overloaded = wsdlOfServices({ Stock: ["Put", "Drop"] }).replace(
    /<operation name="Drop">(.*?)<input/g,
    (_, between: string) => `<operation name="Put">${between}<input name="Again"`,
  );
  const project = new ProjectFolder({ "stock.wsdl": overloaded });
  const command = ["scaffold", "server", "shop", "--wsdl", "stock.wsdl", "--out", "made"];
  await project.run(...command);
  const reordered = overloaded.replace(
    /(<operation name="Put">(?:(?!<operation name).)*?<\/operation>)(<operation name="Put">.*?<\/operation>)/g,
    "$2$1",
  );
  expect(reordered).not.toBe(overloaded);
  project.write("stock.wsdl", reordered);
  const { out } = await project.run(...command);
  expect(out.split("\n").filter((line) => / \(shop/.test(line))).toEqual([
    "  use the previous code of put in put2 (shop/src/stock/put2.ts:3)",
    "  use the previous code of put2 in put (shop/src/stock/put.ts:3)",
  ]);
});
