import { expect, test } from "vitest";
import type { HandlerChanges } from "../../src/scaffold/handler-changes.js";
import type { HandlerTree } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";
import { noChanges, operation, serverPackage, soapTree } from "./handler-tree.js";

// New files and members have the language and the style of the user's handlers.

const service = (key: string, type: string, routes: string, ...operations: string[]) =>
  ({ kind: "group", key, service: { type, routes }, children: operations.map(operation) }) as const;

const shop: HandlerTree = {
  ...soapTree(
    service("quotes", "QuotesHandlers", "quotesRoutes", "getQuote", "listAll"),
    service("stock", "StockHandlers", "stockRoutes", "countItems"),
  ),
  name: "shop",
  module: "shop",
  folder: "src/shop",
  type: "ShopHandlers",
  routes: "shopRoutes",
};
const other: HandlerTree = {
  ...soapTree(operation("ping")),
  name: "other",
  module: "other",
  folder: "src/other",
  type: "OtherHandlers",
  routes: "otherRoutes",
};

function merged(files: Readonly<Record<string, string>>, trees: readonly HandlerTree[] = [shop]) {
  const changes: HandlerChanges = { ...noChanges, added: [{ interface: "shop", operation: "quotes.listAll" }] };
  return mergeHandlers(new Map(Object.entries(files)), trees, { changes, serverPackage });
}

/** The forms of a server's files: in ECMAScript modules, and in CommonJS modules. */
const esm = (extension: string, specifierEnd: string, handlersEnd = "") => ({
  [`src/routes.${extension}`]: `import { shopHandlers } from "./shop/handlers${specifierEnd}";\nexport const routes = [shopRoutes(shopHandlers)];\n`,
  [`src/shop/handlers.${extension}`]: `import { getQuote } from "./quotes/get-quote${specifierEnd}";\n\nexport const shopHandlers = {\n  quotes: {\n    getQuote,\n  },\n}${handlersEnd};\n`,
  [`src/shop/quotes/get-quote.${extension}`]: "export const getQuote = async () => 1;\n",
});

test.each([
  { extension: "ts", end: ".js" },
  { extension: "ts", end: ".ts" },
  { extension: "ts", end: "" },
  { extension: "mts", end: ".mjs" },
  { extension: "mts", end: ".mts" },
  { extension: "js", end: ".js" },
  { extension: "js", end: "" },
  { extension: "mjs", end: ".mjs" },
])("new handlers, services and interfaces are .$extension files, imported from …$end", ({ extension, end }) => {
  const { files, report } = merged(esm(extension, end), [shop, other]);
  expect(report.added).toEqual(["quotes.listAll", "stock.countItems", "ping"]);
  expect([...files.keys()].sort()).toEqual(
    ["other/handlers", "other/ping", "shop/handlers", "shop/quotes/list-all", "shop/stock/count-items"].map(
      (name) => `src/${name}.${extension}`,
    ),
  );
  const handlers = files.get(`src/shop/handlers.${extension}`);
  expect(handlers).toContain(`import { listAll } from "./quotes/list-all${end}";`);
  expect(handlers).toContain(`import { countItems } from "./stock/count-items${end}";`);
  const otherHandlers = files.get(`src/other/handlers.${extension}`);
  expect(otherHandlers).toContain(`import { ping } from "./ping${end}";`);
  expect(report.notes).toEqual([
    `The interface other is new. In src/routes.${extension}, import otherRoutes from @example/server/other and otherHandlers from ./other/handlers${end}, and add otherRoutes(otherHandlers) to the routes.`,
  ]);
  const isJavaScript = extension.endsWith("js");
  expect(otherHandlers).toContain(
    isJavaScript
      ? '/**\n * The handlers of all operations.\n * @type {import("@example/server/other").OtherHandlers}\n */\nexport const otherHandlers = {'
      : "export const otherHandlers: OtherHandlers = {",
  );
  expect(files.get(`src/other/ping.${extension}`)).toContain(
    isJavaScript
      ? '/** @type {import("@example/server/other").OtherHandlers["ping"]} */\nexport const ping = '
      : 'export const ping: OtherHandlers["ping"] = ',
  );
});

test.each(["js", "cjs"])("a new interface of a CommonJS server is a .%s file in CommonJS", (extension) => {
  const handlers = {
    [`src/shop/get-quote.${extension}`]: "exports.getQuote = async () => 1;\n",
    [`src/shop/handlers.${extension}`]: `const { getQuote } = require("./get-quote.${extension}");\n/** @type {import("@example/server/shop").ShopHandlers} */\nconst shopHandlers = {\n  quotes: {\n    getQuote,\n  },\n};\nmodule.exports = { shopHandlers };\n`,
    [`src/routes.${extension}`]: `const { shopHandlers } = require("./shop/handlers.${extension}");\nexports.routes = [shopRoutes(shopHandlers)];\n`,
  };
  const { files, report } = merged(handlers, [shop, other]);
  expect([...files.keys()].sort()).toEqual([`src/other/handlers.${extension}`, `src/other/ping.${extension}`]);
  expect(files.get(`src/other/handlers.${extension}`)).toBe(
    `const { ping } = require("./ping.${extension}");\n\n/**\n * The handlers of all operations.\n * @type {import("@example/server/other").OtherHandlers}\n */\nconst otherHandlers = {\n  ping,\n};\n\nmodule.exports = { otherHandlers };\n`,
  );
  expect(files.get(`src/other/ping.${extension}`)).toMatch(
    /^const \{ SoapFault \} = require\("@example\/server\/other"\);\n\n\/\*\* @type .* \*\/\nconst ping = async [\s\S]*;\n\nmodule\.exports = \{ ping \};\n$/,
  );
  expect(report.notes).toEqual([
    `src/shop/handlers.${extension}:4: Add quotes.listAll to this object. Scaffold does not change CommonJS files.`,
    `src/shop/handlers.${extension}:3: Add stock.countItems to this object. Scaffold does not change CommonJS files.`,
    `The interface other is new. In src/routes.${extension}, import otherRoutes from @example/server/other and otherHandlers from ./other/handlers.${extension}, and add otherRoutes(otherHandlers) to the routes.`,
  ]);
});

test("new handlers of an object in an ECMAScript module are in CommonJS if the others are", () => {
  const files = esm("mjs", ".mjs");
  const { files: changed } = merged({
    "src/routes.mjs": files["src/routes.mjs"] ?? "",
    "src/shop/handlers.mjs": (files["src/shop/handlers.mjs"] ?? "").replace("get-quote.mjs", "get-quote.cjs"),
    "src/shop/quotes/get-quote.cjs": "exports.getQuote = async () => 1;\n",
  });
  expect(changed.get("src/shop/handlers.mjs")).toContain('import { listAll } from "./quotes/list-all.cjs";');
  expect(changed.get("src/shop/quotes/list-all.cjs")).toMatch(/^const \{ SoapFault \} = require\(/);
  expect(changed.get("src/shop/stock/count-items.cjs")).toMatch(/^const \{ SoapFault \} = require\(/);
});

test.each(["js", "mjs", "ts", "mts"])("a deleted .%s file is restored in its language", (extension) => {
  const files = esm(extension, `.${extension.replace("ts", "js")}`);
  const { [`src/shop/quotes/get-quote.${extension}`]: _, ...rest } = files;
  expect([...merged(rest).files.keys()]).toContain(`src/shop/quotes/get-quote.${extension}`);
});

test("a separate object for each service gets the object of a new service in its language", () => {
  const { files } = merged({
    "src/shop/quotes.js": "export const quotes = {\n  getQuote: async () => 1,\n  listAll: async () => [],\n};\n",
    "src/routes.js": 'import { quotes } from "./shop/quotes.js";\nexport const routes = [quotesRoutes(quotes)];\n',
  });
  expect([...files.keys()].sort()).toEqual(["src/shop/stock/count-items.js", "src/shop/stock/handlers.js"]);
});

const classes = {
  "the tag @implements": `/** @implements {QuotesHandlers} */\nexport class Quotes {\n  // Mine.\n  getQuote() {}\n}\n`,
  "the tag @implements with an import": `/** Mine.\n * @implements {import("@example/server/shop").QuotesHandlers} */\nexport class Quotes {\n\tgetQuote() {}\n}\n`,
  "the tag @implements of a typedef": `/** @typedef {import("@example/server/shop").ShopHandlers["quotes"]} Q */\n\n/** @implements {Q} */\nexport class Quotes {\n  getQuote() {}\n}\n`,
  "the tag @implements of a variable": `/** @implements {Readonly<QuotesHandlers>} */\nexport const Quotes = class {\n  getQuote() {}\n};\n`,
  "no tag": `export class Quotes {\n  getQuote() {}\n}\n`,
};

test.each(Object.entries(classes))("a handler is added to a class in JavaScript with %s", (what, code) => {
  const { files, report } = merged({
    "src/quotes.js": code,
    "src/routes.js":
      'import { Quotes } from "./quotes.js";\nexport const routes = [shopRoutes({ quotes: new Quotes(), stock: { countItems: async () => 1 } })];\n',
  });
  expect(report).toMatchObject({ added: ["quotes.listAll"], notes: [] });
  const type = {
    "the tag @implements": "QuotesHandlers",
    "the tag @implements with an import": 'import("@example/server/shop").QuotesHandlers',
    "the tag @implements of a typedef": "Q",
    "the tag @implements of a variable": "QuotesHandlers",
  }[what];
  const written = type ?? 'import("@example/server/shop").ShopHandlers["quotes"]';
  const text = files.get("src/quotes.js") ?? "";
  expect(text).toContain(
    `\n\n  /** @type {${written}["listAll"]} */\n  listAll = async (_input, _context) => {\n    throw new SoapFault(`.replace(
      /^ {2,4}/gm,
      (indent) => (code.includes("\t") ? "\t".repeat(indent.length / 2) : indent),
    ),
  );
  for (const line of code.split("\n")) {
    expect(text.split("\n")).toContain(line);
  }
});

test("a handler of a class in JavaScript is renamed to a new operation, whose stub is removed", () => {
  const code = classes["the tag @implements"].replace(
    "  getQuote() {}",
    '  getQuote() {}\n\n  /** Finds.\n   * @type {QuotesHandlers["findAll"]} */\n  findAll = async () => [];',
  );
  const routes =
    'import { Quotes } from "./quotes.js";\nexport const routes = [shopRoutes({ quotes: new Quotes(), stock: { countItems: async () => 1 } })];\n';
  const first = merged({ "src/quotes.js": code, "src/routes.js": routes }).files.get("src/quotes.js") ?? "";
  const files = new Map([
    ["src/quotes.js", first],
    ["src/routes.js", routes],
  ]);
  const renames = new Map([["quotes.findAll", "quotes.listAll"]]);
  const second = mergeHandlers(files, [shop], { changes: noChanges, serverPackage, renames });
  expect(second.report.renamed).toEqual([{ from: "quotes.findAll", to: "quotes.listAll" }]);
  expect(second.files.get("src/quotes.js")).toBe(code.replaceAll("findAll", "listAll"));
});

test("handlers that a class or a CommonJS object lacks are named in one line", () => {
  const two = {
    ...shop,
    root: { ...shop.root, children: [service("quotes", "QuotesHandlers", "quotesRoutes", "a", "b", "c")] },
  };
  const { report: inClass } = merged(
    {
      "src/routes.ts":
        "class Quotes {\n  a() {}\n}\nconst handlers: ShopHandlers = { quotes: new Quotes() };\nexport const routes = [shopRoutes(handlers)];\n",
    },
    [two],
  );
  expect(inClass.notes).toEqual([
    "src/routes.ts:1: Add quotes.b and quotes.c to this class. Scaffold did not change the class, because it does not declare the type of its handlers (implements QuotesHandlers).",
  ]);
  const { report: inObject } = merged(
    { "src/routes.js": 'const x = require("x");\nexports.routes = [shopRoutes({ quotes: { a: x } })];\n' },
    [two],
  );
  expect(inObject.notes).toEqual([
    "src/routes.js:2: Add quotes.b and quotes.c to this object. Scaffold does not change CommonJS files.",
  ]);
});
