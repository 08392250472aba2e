import { expect, test } from "vitest";
import type { HandlerChanges } from "../../src/scaffold/handler-changes.js";
import type { HandlerTree } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";
import { noChanges, operation, serverPackage, soapTree } from "./handler-tree.js";

// Handlers that are the exports of a file, and handlers in CommonJS files.

const shop: HandlerTree = {
  ...soapTree({
    kind: "group",
    key: "quotes",
    service: { type: "QuotesHandlers", routes: "quotesRoutes" },
    children: ["getQuote", "listAll"].map(operation),
  }),
  name: "shop",
  module: "shop",
  folder: "src/shop",
  type: "ShopHandlers",
  routes: "shopRoutes",
};

const added: HandlerChanges = {
  ...noChanges,
  added: [{ interface: "shop", operation: "quotes.listAll" }],
  changes: [{ interface: "shop", text: "changed", operations: ["quotes.getQuote"] }],
};

function merged(files: Readonly<Record<string, string>>, changes: HandlerChanges = added, tree = shop) {
  return mergeHandlers(new Map(Object.entries(files)), [tree], { changes, serverPackage });
}

const getQuote = "// mine\nexport const getQuote = async () => 1;\n";
const listAll = "export const listAll = async () => [];\n";
const barrel = { "src/quotes/get-quote.ts": getQuote, "src/quotes/index.ts": 'export * from "./get-quote.js";\n' };
const routes = (head: string, value: string) => `${head}export const routes = [shopRoutes({ quotes: ${value} })];\n`;

const modules = [
  {
    what: "an imported namespace",
    files: { "src/routes.ts": routes('import * as quotes from "./quotes/index.js";\n', "quotes") },
  },
  {
    what: "an exported namespace",
    files: {
      "src/routes.ts": routes('import { quotes as mine } from "./all.js";\n', "mine"),
      "src/all.ts": 'export * as quotes from "./quotes/index.js";\n',
    },
  },
  {
    what: "a namespace that is exported again",
    files: {
      "src/routes.ts": routes('import { quotes } from "./barrel.js";\n', "(quotes satisfies QuotesHandlers)"),
      "src/barrel.ts": 'export * from "./all.js";\n',
      "src/all.ts": 'import * as inner from "./quotes/index.js";\nexport { inner as quotes };\n',
    },
  },
];

test.each(modules)("missing handlers of $what are named in each run, until the file exports them", ({ files }) => {
  const { report } = merged({ ...barrel, ...files });
  const line = files["src/routes.ts"].split("\n").length - 1;
  const note = `src/routes.ts:${line}: The handlers of quotes are the exports of src/quotes/index.ts, which was not changed. Add handlers for quotes.listAll.`;
  expect(report.notes).toEqual([note]);
  expect(report.changed).toMatchObject([{ position: "src/quotes/get-quote.ts:2", isImplemented: true }]);
  expect(report.absent).toBeUndefined();
  expect(merged({ ...barrel, ...files }, noChanges).report.notes).toEqual([note]);
  const complete = { ...barrel, ...files, "src/quotes/index.ts": `export * from "./get-quote.js";\n${listAll}` };
  expect(merged(complete).report).toMatchObject({ added: [], notes: [] });
  expect(merged(complete).report.absent).toBeUndefined();
});

test("a removed operation is named as long as the file exports its handler", () => {
  const files = { ...barrel, ...modules[0]?.files, "src/quotes/list-all.ts": listAll };
  const changes = { ...noChanges, removed: [{ interface: "shop", operation: "quotes.old" }] };
  const all = { ...files, "src/quotes/index.ts": 'export * from "./get-quote.js";\nexport * from "./list-all.js";\n' };
  const withOld = { ...all, "src/quotes/list-all.ts": `${listAll}export const old = 1;\n` };
  expect(merged(withOld, changes).report.notes).toEqual([
    "src/routes.ts:2: The handlers of quotes (see src/quotes/list-all.ts:2) are the exports of src/quotes/index.ts, which was not changed. Remove the handlers of quotes.old, which are no longer in the schema.",
  ]);
  expect(merged(all, changes).report.notes).toEqual([]);
});

test("it stays unknown which handlers a file has that exports those of another package", () => {
  const { report } = merged({
    ...modules[0]?.files,
    "src/quotes/index.ts": 'export * from "@example/quotes";\n',
  });
  expect(report.notes.join()).not.toContain("are the exports of");
});

const commonJs = [
  {
    what: "module.exports",
    require: 'const quotes = require("./quotes");\n',
    value: "quotes",
    file: "module.exports = {\n  getQuote() {},\n};\n",
    position: "src/quotes.js:1",
  },
  {
    what: "a member of module.exports",
    require: 'const { all: quotes } = require("./quotes.js");\n',
    value: "quotes",
    file: "const all = {\n  getQuote() {},\n};\nmodule.exports = { all, other: 1 };\n",
    position: "src/quotes.js:1",
  },
  {
    what: "a member of exports",
    require: 'const { quotes } = require("./quotes.js");\n',
    value: "quotes",
    file: "exports.other = 1;\nexports.quotes = {\n  getQuote() {},\n};\n",
    position: "src/quotes.js:2",
  },
  {
    what: "a member of the required object",
    require: 'const all = require("./quotes");\n',
    value: "all.quotes",
    file: "module.exports = { quotes: {\n  getQuote() {},\n} };\n",
    position: "src/quotes.js:1",
  },
  {
    what: "a call of require",
    require: "",
    value: 'require("./quotes")',
    file: "class Quotes {\n  getQuote() {}\n}\nmodule.exports = new Quotes();\n",
    position: "src/quotes.js:1",
  },
  {
    what: "a class",
    require: 'const { Quotes } = require("./quotes");\n',
    value: "new Quotes(1)",
    file: "class Quotes {\n  getQuote() {}\n}\nexports.Quotes = Quotes;\n",
    position: "src/quotes.js:1",
  },
];

test.each(commonJs)("handlers in CommonJS are found in $what", ({ require, value, file, position }) => {
  const { files, report } = merged({
    "src/routes.js": `${require}exports.routes = [shopRoutes({ quotes: ${value} })];\n`,
    "src/quotes.js": file,
  });
  expect([...files]).toEqual([]);
  const kind = file.startsWith("class") ? "class" : "object";
  expect(report.notes).toEqual([
    `${position}: Add quotes.listAll to this ${kind}. Scaffold does not change CommonJS files.`,
  ]);
  const line = file.split("\n").findIndex((text) => text.includes("getQuote")) + 1;
  expect(report.changed).toMatchObject([{ position: `src/quotes.js:${line}` }]);
});

test.each([
  'const quotes = require("quotes");\n',
  'const quotes = require("./missing");\n',
  'const name = "./quotes";\nconst quotes = require(name);\n',
])("%j is not found", (require) => {
  const { report } = merged({
    "src/routes.js": `${require}exports.routes = [shopRoutes({ quotes })];\n`,
    "src/quotes.js": "module.exports = { getQuote() {} };\n",
  });
  expect(report.notes.join()).toContain("It is unknown whether they include quotes.listAll");
});

test("files that require each other are read once", () => {
  const { report } = merged({
    "src/routes.js": 'exports.routes = [shopRoutes({ quotes: require("./a") })];\n',
    "src/a.js": 'module.exports = require("./b");\n',
    "src/b.js": 'module.exports = require("./a");\n',
  });
  expect(report.added).toEqual([]);
});

test("a new file has the name of the files with wrapped handlers", () => {
  const { files } = merged({
    "src/routes.ts":
      'import { audited } from "./audit.js";\nimport getQuote from "./quotes/get_quote.handler.js";\nexport const routes = [shopRoutes({ quotes: {\n  getQuote: audited("get", getQuote),\n} })];\n',
    "src/audit.ts": "export const audited = <F>(name: string, handler: F): F => handler;\n",
    "src/quotes/get_quote.handler.ts": "const handler = async () => 1;\nexport default handler;\n",
  });
  expect([...files.keys()]).toContain("src/quotes/list_all.handler.ts");
});

test("routes are to be added where the user makes the others", () => {
  const other: HandlerTree = { ...soapTree(operation("ping")), name: "other", folder: "src/other" };
  const files = new Map([
    ["src/http/app.ts", "export const routes = [shopRoutes({ quotes: { getQuote: 1, listAll: 1 } })];\n"],
    ["src/index.ts", "export {};\n"],
  ]);
  const { report } = mergeHandlers(files, [shop, other], { changes: noChanges, serverPackage });
  expect(report.notes).toEqual([
    "The interface other is new. In src/http/app.ts, import stockRoutes from @example/server/stock and stockHandlers from ../other/handlers.js, and add stockRoutes(stockHandlers) to the routes.",
  ]);
});
