import {
  ImportDeclaration,
  ObjectLiteralExpression,
  PropertyAssignment,
  ShorthandPropertyAssignment,
  SourceFile,
} from "ts-morph";
import { expect, test, vi } from "vitest";
import type { HandlerChanges } from "../../src/scaffold/handler-changes.js";
import { createHandlers } from "../../src/scaffold/handler-files.js";
import type { HandlerNode, HandlerTree } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";
import { noChanges, operation, serverPackage, soapTree } from "./handler-tree.js";

const group = (key: string, ...children: HandlerNode[]): HandlerNode => ({ kind: "group", key, children });

function rest(...namespaces: HandlerNode[]): HandlerTree {
  return { ...soapTree(...namespaces), module: "site", folder: "src/site", type: "SiteHandlers", kind: "rest" };
}

function newOperations(...operations: readonly string[]): HandlerChanges["added"] {
  return operations.map((each) => ({ interface: "stock", operation: each }));
}

function moved(before: string, after: string): HandlerChanges {
  return { ...noChanges, moves: [{ interface: "stock", before, after }] };
}

function merged(
  before: HandlerTree,
  after: HandlerTree,
  edit: (path: string, text: string) => string = (_, text) => text,
  changes: HandlerChanges = noChanges,
) {
  const files = new Map([...createHandlers(before, serverPackage)].map(([path, text]) => [path, edit(path, text)]));
  return mergeHandlers(files, [after], { changes, serverPackage });
}

test.each([
  { keys: ["con", "nul", "com1", "conAir"], want: ["con-name", "nul-name", "com1-name", "con-air"] },
  { keys: ["checkUSA", "checkUsa", "checkUsa2"], want: ["check-usa", "check-usa2", "check-usa22"] },
  { keys: ["handlers"], want: ["handlers2"] },
  { keys: ["x".repeat(300)], want: ["x".repeat(200)] },
])("the operations $keys have files that every file system accepts", ({ keys, want }) => {
  const tree = soapTree(...keys.map(operation));
  const files = createHandlers(tree, serverPackage);
  expect([...files.keys()]).toEqual([...want.map((name) => `src/stock/${name}.ts`), "src/stock/handlers.ts"]);
  for (const [index, key] of keys.entries()) {
    expect(files.get(`src/stock/${want[index]}.ts`)).toContain(`["${key}"]`);
  }
  expect(merged(soapTree(), tree).files.size).toBe(files.size);
});

test("the groups of two services whose names differ only in case have separate folders", () => {
  const files = createHandlers(
    soapTree(group("soapA", operation("get")), group("soapa", operation("get"))),
    serverPackage,
  );
  expect([...files.keys()]).toEqual(["src/stock/soap-a/get.ts", "src/stock/soapa/get.ts", "src/stock/handlers.ts"]);
});

test("a new server has one file for each operation, and one that combines them", () => {
  const files = createHandlers(soapTree(group("quotes", operation("getQuote"), operation("listAll"))), serverPackage);
  expect([...files.keys()]).toEqual([
    "src/stock/quotes/get-quote.ts",
    "src/stock/quotes/list-all.ts",
    "src/stock/handlers.ts",
  ]);
  expect(
    files.get("src/stock/quotes/list-all.ts"),
  ).toBe(`import { type StockHandlers, SoapFault } from "@example/server/stock";

export const listAll: StockHandlers["quotes"]["listAll"] = async (_input, _context) => {
  throw new SoapFault({ reason: "This operation is not implemented yet." });
};
`);
  expect(files.get("src/stock/handlers.ts")).toBe(`import type { StockHandlers } from "@example/server/stock";
import { getQuote } from "./quotes/get-quote.js";
import { listAll } from "./quotes/list-all.js";

/** The handlers of all operations. TypeScript reports missing handlers. */
export const stockHandlers: StockHandlers = {
  quotes: {
    getQuote,
    listAll,
  },
};
`);
});

test("a group of routes has one file, imported under a unique name", () => {
  const files = createHandlers(
    rest(group("core", group("settings", operation("list"))), group("shop", group("settings", operation("delete")))),
    serverPackage,
  );
  expect(files.get("src/site/shop/settings.ts")).toContain(
    'export const shopSettings: SiteHandlers["shop"]["settings"] = {\n  delete: async',
  );
  expect(files.get("src/site/handlers.ts")).toContain("settings: shopSettings,");
});

test("a merge without differences changes nothing", () => {
  const same = soapTree(group("quotes", operation("getQuote")));
  const { files, report } = merged(same, same);
  expect([...files]).toEqual([]);
  expect(report).toEqual({ added: [], candidates: [], renamed: [], removed: [], changed: [], notes: [] });
});

test("a new operation gets a file, an import and a member, and edits are kept exactly", () => {
  const before = soapTree(group("quotes", operation("getQuote")));
  const after = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files, report } = merged(before, after, (path, text) =>
    path.endsWith("handlers.ts") ? text.replace("    getQuote,", "    getQuote, // ours\n    // keep me") : text,
  );
  expect(report.added).toEqual(["quotes.getHistory"]);
  expect([...files.keys()].sort()).toEqual(["src/stock/handlers.ts", "src/stock/quotes/get-history.ts"]);
  expect(files.get("src/stock/handlers.ts")).toBe(`import type { StockHandlers } from "@example/server/stock";
import { getQuote } from "./quotes/get-quote.js";
import { getHistory } from "./quotes/get-history.js";

/** The handlers of all operations. TypeScript reports missing handlers. */
export const stockHandlers: StockHandlers = {
  quotes: {
    getQuote, // ours
    // keep me
    getHistory,
  },
};
`);
});

test("a new file has the line ends of the other files", () => {
  const before = soapTree(group("quotes", operation("getQuote")));
  const after = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files } = merged(before, after, (_, text) => text.replaceAll("\n", "\r\n"));
  expect([...files.keys()].sort()).toEqual(["src/stock/handlers.ts", "src/stock/quotes/get-history.ts"]);
  for (const text of files.values()) {
    expect(text).toContain("\r\n");
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  }
});

test("added code has the line ends, quotes, semicolons and commas of the file", () => {
  const before = soapTree(group("quotes", operation("getQuote")));
  const after = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files } = merged(before, after, (path, text) =>
    path.endsWith("handlers.ts")
      ? text
          .replaceAll('"', "'")
          .replaceAll(";\n", "\n")
          .replace("    getQuote,\n", "    getQuote\n")
          .replaceAll("\n", "\r\n")
      : text,
  );
  const text = files.get("src/stock/handlers.ts") ?? "";
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  expect(text).toContain(
    "import { getQuote } from './quotes/get-quote.js'\r\nimport { getHistory } from './quotes/get-history.js'\r\n",
  );
  expect(text).toContain("    getQuote,\r\n    getHistory\r\n  },");
});

test("an operation is added to a literal on one line, and to one that moved to another file", () => {
  const after = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files } = mergeHandlers(
    new Map([
      ["src/a.ts", 'import { quotes } from "./b.js";\nexport const h: StockHandlers = { quotes };\n'],
      ["src/b.ts", "const getQuote = () => null;\nexport const quotes = { getQuote };\n"],
    ]),
    [after],
    { changes: noChanges, serverPackage },
  );
  expect(files.get("src/b.ts")).toContain("export const quotes = { getQuote, getHistory };");
});

test("a new group of routes and a new operation in an old group are added", () => {
  const before = rest(group("core", group("posts", operation("list"))));
  const after = rest(
    group("core", group("posts", operation("list"), operation("create")), group("media", operation("get"))),
  );
  const { files, report } = merged(before, after);
  expect(report.added).toEqual(["core.posts.create", "core.media.get"]);
  expect(files.get("src/site/core/posts.ts")).toContain(
    "  create: async (_input, _context) => {\n    throw new RestError(",
  );
  expect(files.get("src/site/core/media.ts")).toContain('SiteHandlers["core"]["media"]');
});

test("removed and changed operations are reported with their positions, and nothing is deleted", () => {
  const before = soapTree(group("quotes", operation("getQuote"), operation("getOld")));
  const after = soapTree(group("quotes", operation("getQuote")));
  const change = { interface: "stock", text: "Quote.Price changed", operations: ["quotes.getQuote", "quotes.getOld"] };
  const { files, report } = merged(before, after, undefined, { ...noChanges, changes: [change] });
  expect([...files]).toEqual([]);
  expect(report.removed).toEqual([
    {
      operation: "quotes.getOld",
      position: "src/stock/handlers.ts:9",
      files: ["src/stock/quotes/get-old.ts"],
      declarations: [],
      reExports: [],
      newPath: undefined,
    },
  ]);
  expect(report.changed).toEqual([
    {
      operation: "quotes.getQuote",
      position: "src/stock/quotes/get-quote.ts:3",
      change: "Quote.Price changed",
      isImplemented: false,
    },
  ]);
});

test("of the handlers to check, those that the user has written are marked", () => {
  const two = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const change = { interface: "stock", text: "changed", operations: ["quotes.getQuote", "quotes.getHistory"] };
  const { report } = merged(
    two,
    two,
    (path, text) => (path.endsWith("get-history.ts") ? text.replace(/throw new .*;/, "return [];") : text),
    { ...noChanges, changes: [change] },
  );
  expect(report.changed.map(({ operation: path, isImplemented }) => [path, isImplemented])).toEqual([
    ["quotes.getQuote", false],
    ["quotes.getHistory", true],
  ]);
});

test("a handler that is not found counts as written by the user, even beside one that is not implemented", () => {
  const two = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const change = { interface: "stock", text: "changed", operations: ["quotes.getQuote", "quotes.getHistory"] };
  const stub = `async () => {\n  throw new SoapFault({ reason: "This operation is not implemented yet." });\n}`;
  const { report } = mergeHandlers(
    new Map([["src/a.ts", `export const h: StockHandlers = { quotes: { ...theirs, getQuote: ${stub} } };\n`]]),
    [two],
    { changes: { ...noChanges, changes: [change] }, serverPackage },
  );
  expect(report.changed.map(({ operation: path, isImplemented }) => [path, isImplemented])).toEqual([
    ["quotes.getQuote", false],
    ["quotes.getHistory", true],
  ]);
});

test("nothing is added beside a spread", () => {
  const after = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files, report } = mergeHandlers(
    new Map([["src/a.ts", "export const h: StockHandlers = { quotes: { ...theirs } };\n"]]),
    [after],
    { changes: { ...noChanges, added: newOperations("quotes.getQuote", "quotes.getHistory") }, serverPackage },
  );
  expect([...files]).toEqual([]);
  expect(report.absent).toEqual([
    { position: "src/a.ts:1", reason: "unknown", operations: ["quotes.getQuote", "quotes.getHistory"] },
  ]);
});

test("the new path of a removed handler or of a whole group is named", () => {
  const before = rest(group("core", group("posts", operation("list"), operation("get"))));
  const after = rest(group("core", group("articles", operation("list"), operation("get"))));
  const moves = ["list", "get"].map((verb) => ({
    interface: "stock",
    before: `core.posts.${verb}`,
    after: `core.articles.${verb}`,
  }));
  const { report } = merged(before, after, undefined, { ...noChanges, moves });
  expect(report.removed).toMatchObject([
    { operation: "core.posts", files: ["src/site/core/posts.ts"], newPath: "core.articles" },
  ]);
});

test("the files of all handlers of a removed service are named", () => {
  const before = soapTree(group("quotes", operation("getQuote")), group("news", operation("list"), operation("find")));
  const { report } = merged(before, soapTree(group("quotes", operation("getQuote"))));
  expect(report.removed).toMatchObject([
    { operation: "news", files: ["src/stock/news/list.ts", "src/stock/news/find.ts"], newPath: undefined },
  ]);
});

test("a renamed operation keeps its handler, with every edit", () => {
  const before = soapTree(group("quotes", operation("checkMexico"), operation("getQuote")));
  const after = soapTree(group("quotes", operation("checkMexicanCar"), operation("getQuote")));
  const files = new Map(
    [...createHandlers(before, serverPackage)].map(([path, text]) => [
      path,
      path.endsWith("check-mexico.ts") ? `// mine\n${text.replace(/throw .*;/, "return answerOf(1); // ours")}` : text,
    ]),
  );
  const result = mergeHandlers(files, [after], {
    changes: noChanges,
    serverPackage,
    renames: new Map([["quotes.checkMexico", "quotes.checkMexicanCar"]]),
  });
  expect(result.movedPaths).toEqual(["src/stock/quotes/check-mexico.ts"]);
  expect(result.report).toMatchObject({ added: [], removed: [], renamed: [{ to: "quotes.checkMexicanCar" }] });
  expect(result.files.get("src/stock/quotes/check-mexican-car.ts")).toBe(`// mine
import { type StockHandlers, SoapFault } from "@example/server/stock";

export const checkMexicanCar: StockHandlers["quotes"]["checkMexicanCar"] = async (_input, _context) => {
  return answerOf(1); // ours
};
`);
  expect(result.files.get("src/stock/handlers.ts")).toContain(
    `import { checkMexicanCar } from "./quotes/check-mexican-car.js";`,
  );
  expect(result.files.get("src/stock/handlers.ts")).toContain("    checkMexicanCar,\n");
});

test("a moved handler replaces a handler that is not implemented, but never an implemented one", () => {
  const before = soapTree(group("quotes", operation("checkMexico"), operation("getQuote")));
  const after = soapTree(group("quotes", operation("checkMexicanCar"), operation("getQuote")));
  const renames = new Map([["quotes.checkMexico", "quotes.checkMexicanCar"]]);
  const old = new Map(
    [...createHandlers(before, serverPackage)].map(([path, text]) => [
      path,
      path.endsWith("check-mexico.ts") ? `// mine\n${text}` : text,
    ]),
  );
  const added = mergeHandlers(old, [after], { changes: noChanges, serverPackage });
  const withBoth = new Map([...old, ...added.files]);
  const moved = mergeHandlers(withBoth, [after], { changes: noChanges, serverPackage, renames });
  expect(moved.report).toMatchObject({
    added: [],
    removed: [],
    notes: [],
    renamed: [{ to: "quotes.checkMexicanCar" }],
  });
  expect(moved.files.get("src/stock/quotes/check-mexican-car.ts")).toMatch(/^\/\/ mine\n/);
  expect(moved.files.get("src/stock/handlers.ts")).toBe(`import type { StockHandlers } from "@example/server/stock";
import { checkMexicanCar } from "./quotes/check-mexican-car.js";
import { getQuote } from "./quotes/get-quote.js";

/** The handlers of all operations. TypeScript reports missing handlers. */
export const stockHandlers: StockHandlers = {
  quotes: {
    checkMexicanCar,
    getQuote,
  },
};
`);
  const file = "src/stock/quotes/check-mexican-car.ts";
  const written = new Map([...withBoth, [file, `// theirs\n${withBoth.get(file)}`]]);
  const kept = mergeHandlers(written, [after], { changes: noChanges, serverPackage, renames });
  expect([[...kept.files], kept.movedPaths]).toEqual([[], []]);
  expect(kept.report.notes).toEqual([
    "The operation quotes.checkMexicanCar already has a handler. Remove it, and run scaffold --rename again.",
  ]);
});

test("a renamed service replaces the handlers of the new service that are not implemented", () => {
  const before = soapTree(group("quotes", operation("getQuote"), operation("getHistory")));
  const after = soapTree(group("prices", operation("getQuote"), operation("getHistory")));
  const files = new Map(
    [...createHandlers(before, serverPackage)].map(([path, text]) => [
      path,
      path.endsWith("get-quote.ts") ? `// mine\n${text}` : text,
    ]),
  );
  const added = mergeHandlers(files, [after], { changes: noChanges, serverPackage });
  const withBoth = new Map([...files, ...added.files]);
  const renames = new Map([["quotes", "prices"]]);
  const {
    files: changedFiles,
    movedPaths,
    report,
  } = mergeHandlers(withBoth, [after], {
    changes: noChanges,
    serverPackage,
    renames,
  });
  expect(report).toMatchObject({ added: [], removed: [], notes: [], renamed: [{ from: "quotes", to: "prices" }] });
  expect([...movedPaths].sort()).toEqual(["src/stock/quotes/get-history.ts", "src/stock/quotes/get-quote.ts"]);
  expect(changedFiles.get("src/stock/handlers.ts")).toBe(
    files.get("src/stock/handlers.ts")?.replace("quotes: {", "prices: {").replaceAll("./quotes/", "./prices/"),
  );
  expect(changedFiles.get("src/stock/prices/get-quote.ts")).toMatch(/^\/\/ mine\n.*StockHandlers\["prices"\]/s);
});

test("the file of a handler moves to the folder of its new service, if its code does not depend on the folder", () => {
  const before = soapTree(
    group("quotes", operation("getQuote"), operation("listAll")),
    group("news", operation("find")),
  );
  const after = soapTree(
    group("quotes", operation("listAll")),
    group("news", operation("find"), operation("getQuote")),
  );
  const start =
    'import { data } from "./data.js";\nimport limits from "../../../limits.json";\nexport * from "../all.js";\n';
  const moveWith = (edit: (text: string) => string) => {
    const files = new Map(createHandlers(before, serverPackage));
    files
      .set("src/stock/quotes/get-quote.ts", edit(files.get("src/stock/quotes/get-quote.ts") ?? ""))
      .set("src/stock/quotes/data.ts", "export const data = 1;\n")
      .set("src/stock/all.ts", "export const all = 1;\n")
      .set("src/test/quote.test.ts", 'export { getQuote } from "../stock/quotes/get-quote.js";\n');
    const renames = new Map([["quotes.getQuote", "news.getQuote"]]);
    return mergeHandlers(files, [after], { changes: noChanges, serverPackage, renames });
  };
  const moved = moveWith((text) => `${start.replace(/export .*\n/, "")}${text}`);
  expect(moved.movedPaths).toEqual(["src/stock/quotes/get-quote.ts"]);
  expect(moved.files.get("src/stock/news/get-quote.ts")).toMatch(
    /^import \{ data \} from "\.\.\/quotes\/data\.js";\nimport limits from "\.\.\/\.\.\/\.\.\/limits\.json";\n/,
  );
  expect(moved.files.get("src/stock/handlers.ts")).toContain('import { getQuote } from "./news/get-quote.js";\n');
  expect(moved.files.get("src/test/quote.test.ts")).toBe('export { getQuote } from "../stock/news/get-quote.js";\n');
  expect(moved.report.renamed).toEqual([{ from: "quotes.getQuote", to: "news.getQuote" }]);
  for (const edit of [
    (text: string) => `${text}export const other = 1;\n`,
    (text: string) => `${start}${text}`,
    (text: string) => `const file = new URL("data.json", import.meta.url);\n${text}`,
    (text: string) => `const load = () => import("./data.js");\n${text}`,
  ]) {
    const kept = moveWith(edit);
    expect(kept.movedPaths).toEqual([]);
    expect(kept.report.renamed).toEqual([
      { from: "quotes.getQuote", to: "news.getQuote", keptFiles: ["src/stock/quotes/get-quote.ts"] },
    ]);
  }
});

test("the file of a group of routes moves to the folder of its new namespace", () => {
  const sizes = (...keys: readonly string[]) => group("fileSize", ...keys.map(operation));
  const before = rest(
    group("seo", sizes("list"), operation("check")),
    group("core", group("posts", operation("list"))),
  );
  const files = new Map(createHandlers(before, serverPackage));
  const old = "src/site/seo/file-size.ts";
  for (const { name, target, file } of [
    { name: "core.fileSize", target: [sizes("list")], file: "src/site/core/file-size.ts" },
    { name: "core.size", target: [group("size", operation("list"))], file: "src/site/core/size.ts" },
  ]) {
    const after = rest(group("seo", operation("check")), group("core", group("posts", operation("list")), ...target));
    const renames = new Map([["seo.fileSize", name]]);
    const moved = mergeHandlers(files, [after], { changes: noChanges, serverPackage, renames });
    expect([moved.movedPaths, moved.report.renamed]).toEqual([[old], [{ from: "seo.fileSize", to: name }]]);
    expect(moved.files.get(file)).toContain(`SiteHandlers["core"]["${name.replace("core.", "")}"]`);
    const kept = mergeHandlers(new Map([...files, [old, `${files.get(old)}export const other = 1;\n`]]), [after], {
      changes: noChanges,
      serverPackage,
      renames,
    });
    expect([kept.movedPaths, kept.report.renamed]).toEqual([
      [],
      [{ from: "seo.fileSize", to: name, keptFiles: [old] }],
    ]);
  }
});

test("the files of a renamed namespace move to its new folder", () => {
  const children = [group("fileSize", operation("list")), operation("check")];
  const files = new Map(createHandlers(rest(group("seo", ...children)), serverPackage));
  const { movedPaths, files: changedFiles } = mergeHandlers(files, [rest(group("search", ...children))], {
    changes: noChanges,
    serverPackage,
    renames: new Map([["seo", "search"]]),
  });
  expect([...movedPaths].sort()).toEqual(["src/site/seo/check.ts", "src/site/seo/file-size.ts"]);
  expect([...changedFiles.keys()].sort()).toEqual([
    "src/site/handlers.ts",
    "src/site/search/check.ts",
    "src/site/search/file-size.ts",
  ]);
});

test("a new namespace has a file for each of its groups and operations", () => {
  const posts = group("core", group("posts", operation("list")));
  const shop = group("shop", group("orders", operation("list"), group("items", operation("get"))), operation("check"));
  const { files, report } = merged(rest(posts), rest(posts, shop));
  expect(report.added).toEqual(["shop.orders.list", "shop.orders.items.get", "shop.check"]);
  expect([...files.keys()].sort()).toEqual([
    "src/site/handlers.ts",
    "src/site/shop/check.ts",
    "src/site/shop/orders.ts",
  ]);
  expect(files.get("src/site/handlers.ts")).toContain("  shop: {\n    orders,\n    check,\n  },\n");
  expect(files.get("src/site/shop/orders.ts")).toContain('orders: SiteHandlers["shop"]["orders"] = {');
});

test("the report of an operation that was split names its handler and the one that answered its calls before", () => {
  const changes: HandlerChanges = {
    ...noChanges,
    changes: [{ interface: "stock", text: "It was split.", operations: ["quotes.getQuoteHttpGet"] }],
    split: [{ interface: "stock", before: "quotes.getQuote", after: "quotes.getQuoteHttpGet" }],
  };
  const [before, after] = [
    soapTree(group("quotes", operation("getQuote"))),
    soapTree(group("quotes", operation("getQuote"), operation("getQuoteHttpGet"))),
  ];
  const changedBy = (edit: (path: string, text: string) => string) =>
    merged(before, after, edit, changes).report.changed;
  const newHandler = {
    operation: "quotes.getQuoteHttpGet",
    position: "src/stock/quotes/get-quote-http-get.ts:3",
    change: "It was split.",
  };
  expect(changedBy((_, text) => text)).toMatchObject([{ ...newHandler, isImplemented: false }]);
  const write = (path: string, text: string) =>
    path.endsWith("get-quote.ts") ? `// mine\n${text.replace(/\{\n.*\}/s, "null")}` : text;
  const previous = { operation: "quotes.getQuote", position: "src/stock/quotes/get-quote.ts:4" };
  expect(changedBy(write)).toMatchObject([{ ...newHandler, isImplemented: true, previous }]);
});

test("the types of a renamed handler change in all files, such as a class of the user", () => {
  const before = soapTree(group("quotes", operation("checkMexico"), operation("getQuote")));
  const after = soapTree(group("quotes", operation("checkMexicanCar"), operation("getQuote")));
  const checks = `import type { StockHandlers } from "@example/server/stock";
export class Checks {
  // The old way.
  readonly check: StockHandlers['quotes']['checkMexico'] = async (input) => this.find(input);
  find(input: Parameters<StockHandlers["quotes"]["checkMexico"]>[0]) { return input; }
  other?: StockHandlers["quotes"]["getQuote"];
  some?: Pick<StockHandlers['quotes'], 'checkMexico' | 'getQuote'>;
  rest?: Omit<StockHandlers["quotes"], "checkMexico">;
  aliased?: Quotes["checkMexico"];
  picked?: Pick<Quotes, "checkMexico" | "getQuote">;
  generic?: Handler<"checkMexico">;
}
type Quotes = StockHandlers["quotes"];
type Handler<Name extends keyof Quotes> = Quotes[Name];
`;
  const list = `import type { StockHandlers } from "@example/server/stock";
import { Checks } from "../logic/checks.js";
import { getQuote } from "./quotes/get-quote.js";
const checks = new Checks();
export const stockHandlers: StockHandlers = {
  quotes: { checkMexico: checks.check, getQuote },
};
`;
  const files = new Map(createHandlers(before, serverPackage));
  files.set("src/stock/handlers.ts", list).set("src/logic/checks.ts", checks);
  files.delete("src/stock/quotes/check-mexico.ts");
  const renames = new Map([["quotes.checkMexico", "quotes.checkMexicanCar"]]);
  const result = mergeHandlers(files, [after], { changes: noChanges, serverPackage, renames });
  expect(result.files.get("src/logic/checks.ts")).toBe(checks.replaceAll("checkMexico", "checkMexicanCar"));
  expect(result.files.get("src/stock/handlers.ts")).toBe(list.replace("checkMexico:", "checkMexicanCar:"));
  expect(result.report).toMatchObject({ added: [], removed: [], renamed: [{ to: "quotes.checkMexicanCar" }] });
});

test("paths of a rename that do not exist are named, with the paths that they probably mean", () => {
  const tree = soapTree(
    group("quotes", operation("getQuote"), operation("findHistory")),
    group("search", operation("listAll")),
  );
  const files = new Map(createHandlers(tree, serverPackage));
  const renames = new Map([
    ["quotes.getQuot", "quotes.findHistory"],
    ["quotes.getQuote", "quotes.findHistroy"],
    ["getQuote", "search.listAl"],
  ]);
  expect(mergeHandlers(files, [tree], { changes: noChanges, serverPackage, renames }).report.notes).toEqual([
    "The handler quotes.getQuot was not renamed, because the server has no such handler. Did you mean quotes.getQuote?",
    "The handler quotes.getQuote was not renamed, because the schemas have no operation quotes.findHistroy. Did you mean quotes.findHistory?",
    "The handler getQuote was not renamed, because the server has no such handler and the schemas have no operation search.listAl. Did you mean quotes.getQuote and search.listAll?",
  ]);
});

test("a handler that does not exist is not renamed", () => {
  const same = soapTree(group("quotes", operation("getQuote")));
  const files = new Map(createHandlers(same, serverPackage));
  const renames = new Map([["quotes.getOld", "quotes.getQuote"]]);
  const result = mergeHandlers(files, [same], { changes: noChanges, serverPackage, renames });
  expect([...result.files]).toEqual([]);
  expect(result.report.notes).toEqual([
    "The handler quotes.getOld was not renamed, because the server has no such handler.",
  ]);
  const unknown = new Map([["quotes.getQuote", "quotes.getOld"]]);
  expect(mergeHandlers(files, [same], { changes: noChanges, serverPackage, renames: unknown }).report.notes).toEqual([
    "The handler quotes.getQuote was not renamed, because the schemas have no operation quotes.getOld.",
  ]);
});

test("a renamed handler in a group of routes keeps its text", () => {
  const before = rest(group("core", group("posts", operation("list"), operation("get"))));
  const after = rest(group("core", group("posts", operation("browse"), operation("get"))));
  const files = new Map(
    [...createHandlers(before, serverPackage)].map(([path, text]) => [
      path,
      text.replace("list: async", "/* mine */ list: async"),
    ]),
  );
  const renames = new Map([["core.posts.list", "core.posts.browse"]]);
  const result = mergeHandlers(files, [after], { changes: noChanges, serverPackage, renames });
  expect(result.report).toMatchObject({ added: [], removed: [], notes: [] });
  expect(result.files.get("src/site/core/posts.ts")).toBe(
    files.get("src/site/core/posts.ts")?.replace("/* mine */ list: async", "/* mine */ browse: async"),
  );
});

test("handlers move below the member of their service when a second service is added", () => {
  const before = soapTree(operation("getQuote"), operation("listAll"));
  const after = soapTree(
    group("quotes", operation("getQuote"), operation("listAll")),
    group("news", operation("find")),
  );
  const files = new Map(
    [...createHandlers(before, serverPackage)].map(([path, text]) => [
      path,
      path.endsWith("get-quote.ts") ? `// mine\n${text}` : text,
    ]),
  );
  const unmoved = mergeHandlers(files, [after], { changes: moved("getQuote", "quotes.getQuote"), serverPackage });
  expect(unmoved.report.removed.map(({ operation: path, newPath }) => [path, newPath])).toEqual([
    ["getQuote", "quotes.getQuote"],
    ["listAll", undefined],
  ]);
  const renames = new Map([
    ["getQuote", "quotes.getQuote"],
    ["listAll", "quotes.listAll"],
  ]);
  const both = new Map([...files, ...unmoved.files]);
  for (const existing of [files, both]) {
    const result = mergeHandlers(existing, [after], { changes: noChanges, serverPackage, renames });
    expect(result.report).toMatchObject({
      removed: [],
      notes: [],
      renamed: [{ to: "quotes.getQuote" }, { to: "quotes.listAll" }],
    });
    const all = new Map([...existing, ...result.files]);
    expect(all.get("src/stock/quotes/get-quote.ts")).toBe(
      files.get("src/stock/get-quote.ts")?.replace('StockHandlers["getQuote"]', 'StockHandlers["quotes"]["getQuote"]'),
    );
    expect(all.get("src/stock/handlers.ts")).toMatch(
      /: StockHandlers = \{\n {2}quotes: \{\n {4}getQuote,\n {4}listAll,\n {2}\},\n {2}news: \{\n {4}find,\n {2}\},\n\};\n$/,
    );
  }
});

test("a new interface gets its handlers, and the step that connects them is named", () => {
  const before = soapTree(operation("getQuote"));
  const site: HandlerTree = { ...rest(group("core", operation("list"))), name: "site", routes: "siteRoutes" };
  const { files, report } = mergeHandlers(new Map(createHandlers(before, serverPackage)), [before, site], {
    changes: noChanges,
    serverPackage,
  });
  expect([...files.keys()]).toContain("src/site/handlers.ts");
  expect(report.added).toEqual(["core.list"]);
  expect(report.notes).toEqual([
    "The interface site is new. In src/routes.ts, import siteRoutes from @example/server/site and siteHandlers from ./site/handlers.js, and add siteRoutes(siteHandlers) to the routes.",
  ]);
});

test("a removed interface is reported with the remaining tasks", () => {
  const same = soapTree(operation("getQuote"));
  const { report } = merged(same, same, undefined, { ...noChanges, removedInterfaces: ["site"] });
  expect(report.notes).toEqual([
    "The interface site no longer exists. Remove its handlers, and its routes in src/routes.ts.",
  ]);
});

test("the files of a removed interface are named, and a renamed interface only needs other imports", () => {
  const quotes = soapTree(operation("getQuote"));
  const site: HandlerTree = {
    ...rest(group("core", operation("list"))),
    name: "site",
    type: "SiteHandlers",
    routes: "siteRoutes",
    module: "site",
    folder: "src/site",
  };
  const files = new Map([...createHandlers(quotes, serverPackage), ...createHandlers(site, serverPackage)]);
  files.set(
    "src/routes.ts",
    `import { siteRoutes } from "${serverPackage}/site";\nimport { stockRoutes } from "${serverPackage}/stock";\nexport const routes = [siteRoutes, stockRoutes];\n`,
  );
  const notesOf = (trees: readonly HandlerTree[]) =>
    mergeHandlers(files, trees, { changes: { ...noChanges, removedInterfaces: ["site"] }, serverPackage }).report.notes;
  expect(notesOf([quotes])).toEqual([
    "The interface site no longer exists. Remove its handlers (src/site/handlers.ts, src/site/core/list.ts), and its routes in src/routes.ts.",
  ]);
  expect(notesOf([quotes, { ...site, name: "page", module: "page" }])).toEqual([
    "The interface site is called page now. Import from @example/server/page, not from @example/server/site, in src/routes.ts, src/site/handlers.ts, src/site/core/list.ts.",
  ]);
});

const mexico = soapTree(group("quotes", operation("checkMexico")));
const mexicanCar = soapTree(group("quotes", operation("checkMexicanCar")));

/** The files of a server after its handler of `checkMexico` was renamed. */
function renamedMexico(edit: (path: string, text: string) => string) {
  const files = new Map([...createHandlers(mexico, serverPackage)].map(([path, text]) => [path, edit(path, text)]));
  const renames = new Map([["quotes.checkMexico", "quotes.checkMexicanCar"]]);
  const result = mergeHandlers(files, [mexicanCar], { changes: noChanges, serverPackage, renames });
  expect(result.report.renamed).toEqual([{ from: "quotes.checkMexico", to: "quotes.checkMexicanCar" }]);
  return { ...result, all: new Map([...files, ...result.files]) };
}

test("a renamed handler keeps the name under which the user imports it", () => {
  const { files, movedPaths: movedFiles } = renamedMexico((path, text) =>
    path.endsWith("handlers.ts")
      ? text
          .replace("{ checkMexico }", "{ checkMexico as mexico }")
          .replace("    checkMexico,", "    checkMexico: mexico, // mine")
      : text,
  );
  expect(files.get("src/stock/handlers.ts")).toContain(
    'import { checkMexico as mexico } from "./quotes/check-mexican-car.js";',
  );
  expect(files.get("src/stock/handlers.ts")).toContain("    checkMexicanCar: mexico, // mine\n");
  expect(files.get("src/stock/quotes/check-mexican-car.ts")).toContain('["quotes"]["checkMexicanCar"]');
  expect(movedFiles).toEqual(["src/stock/quotes/check-mexico.ts"]);
});

test.each([
  {
    form: "an exported alias",
    edit: (text: string) =>
      `${text.replace("export const checkMexico", "const mine")}export { mine as checkMexico };\n`,
  },
  {
    form: "a function",
    edit: (text: string) =>
      `${text.split("export const")[0]}export async function checkMexico(): Promise<void> {\n  throw new SoapFault({ reason: "mine" });\n}\n`,
  },
])("a renamed handler that is $form keeps its name and moves to the new file", ({ edit }) => {
  const { files } = renamedMexico((path, text) => (path.endsWith("check-mexico.ts") ? edit(text) : text));
  expect(files.get("src/stock/handlers.ts")).toContain('import { checkMexico } from "./quotes/check-mexican-car.js";');
  expect(files.get("src/stock/handlers.ts")).toContain("    checkMexicanCar: checkMexico,\n");
});

test.each([
  ["an exported alias", "const mine = 1;\nexport { mine as checkMexico };\n"],
  ["a function", "export async function checkMexico() {}\n"],
])("the file of a removed handler is named if the handler is %s", (_, code) => {
  const { report } = merged(mexico, soapTree(group("quotes")), (path, text) =>
    path.endsWith("check-mexico.ts") ? code : text,
  );
  expect(report.removed).toMatchObject([
    { operation: "quotes.checkMexico", files: ["src/stock/quotes/check-mexico.ts"] },
  ]);
});

test("a file that the user wrote for several handlers keeps its name if one of them is renamed", () => {
  const files = new Map([
    ["src/stock/all.ts", "export const checkMexico = 1;\nexport const checkPeru = 2;\n"],
    [
      "src/stock/handlers.ts",
      'import { checkMexico, checkPeru } from "./all.js";\nexport const stockHandlers: StockHandlers = {\n  quotes: {\n    checkMexico,\n    checkPeru,\n  },\n};\n',
    ],
  ]);
  const renames = new Map([["quotes.checkMexico", "quotes.checkMexicanCar"]]);
  const current = soapTree(group("quotes", operation("checkMexicanCar"), operation("checkPeru")));
  const result = mergeHandlers(files, [current], { changes: noChanges, serverPackage, renames });
  expect(result.movedPaths).toEqual([]);
  expect(result.files.get("src/stock/handlers.ts")).toContain('from "./all.js";');
});

test("a handler file that the user deleted is created again, if its import is still there", () => {
  const files = new Map(createHandlers(mexico, serverPackage));
  const text = files.get("src/stock/quotes/check-mexico.ts");
  files.delete("src/stock/quotes/check-mexico.ts");
  const result = mergeHandlers(files, [mexico], { changes: noChanges, serverPackage });
  expect([...result.files]).toEqual([["src/stock/quotes/check-mexico.ts", text]]);
  expect(result.report.added).toEqual(["quotes.checkMexico"]);
});

test("an import of another missing file is reported, because the handler may be in it", () => {
  const { files, report } = merged(mexico, mexico, (path, text) =>
    path.endsWith("handlers.ts") ? text.replace("./quotes/check-mexico.js", "./mine.js") : text,
  );
  expect([...files]).toEqual([]);
  expect(report.notes).toEqual([
    "src/stock/handlers.ts:2: The handler of quotes.checkMexico is imported from the file ./mine.js, which does not exist. Restore it, or remove the import and run scaffold again.",
  ]);
});

test.each(["js", "mjs", "tsx"])(
  "a handler file that the user replaced by a .%s file is not created again",
  (extension) => {
    const files = new Map(createHandlers(mexico, serverPackage));
    files.delete("src/stock/quotes/check-mexico.ts");
    files.set(`src/stock/quotes/check-mexico.${extension}`, "export const checkMexico = async () => ({});\n");
    const { files: changed, report } = mergeHandlers(files, [mexico], { changes: noChanges, serverPackage });
    expect([...changed]).toEqual([]);
    expect(report).toEqual({ added: [], candidates: [], renamed: [], removed: [], changed: [], notes: [] });
  },
);

test.each([
  { interface: "stock", candidates: [] },
  { interface: "other", candidates: ["ping"] },
])("a new handler whose path an operation of $interface moved to is offered for renames: $candidates", (move) => {
  const tree = soapTree(operation("ping"));
  const moves = [{ interface: move.interface, before: "pong", after: "ping" }];
  const { report } = merged(tree, tree, undefined, { ...noChanges, addedEarlier: newOperations("ping"), moves });
  expect(report.candidates).toEqual(move.candidates);
});

test.each([
  { what: "moved", interface: "stock", candidates: [] },
  { what: "moved", interface: "other", candidates: ["ping"] },
  { what: "was split", interface: "stock", candidates: [] },
  { what: "was split", interface: "other", candidates: ["ping"] },
])("an added handler whose path an operation of $interface $what to is offered for renames: $candidates", (change) => {
  const ping = { interface: change.interface, operation: "ping" };
  const changes =
    change.what === "moved"
      ? { ...noChanges, moves: [{ interface: change.interface, before: "pong", after: "ping" }] }
      : { ...noChanges, split: [{ interface: change.interface, before: "greet", after: "ping" }] };
  const { report } = merged(soapTree(operation("greet")), soapTree(operation("greet"), operation("ping")), undefined, {
    ...changes,
    added: [ping],
  });
  expect([report.added, report.candidates]).toEqual([["ping"], change.candidates]);
});

test.each([
  { interface: "stock", includedIn: undefined },
  { interface: "other", includedIn: "signs.wave" },
])("a handler that moved to another service is $includedIn if $interface removed that path later", (removal) => {
  const removed = [{ interface: removal.interface, operation: "signs.wave" }];
  const changes = { ...moved("wave", "signs.wave"), removed };
  const { report } = merged(
    soapTree(operation("greet"), operation("wave")),
    soapTree(operation("greet")),
    undefined,
    changes,
  );
  expect(report.removed.map(({ includedIn }) => includedIn)).toEqual([removal.includedIn]);
});

test("an import of a file outside the server is not reported as missing", () => {
  const { files, report } = merged(mexico, mexico, (path, text) =>
    path.endsWith("handlers.ts") ? text.replace("./quotes/check-mexico.js", "../../../lib/legacy.js") : text,
  );
  expect([...files]).toEqual([]);
  expect(report.notes).toEqual([]);
});

test.each([
  [
    "a conflict that was not resolved",
    "<<<<<<< HEAD\nconst a = 1;\n=======\nconst a = 2;\n>>>>>>> other\n",
    1,
    "Merge conflict marker encountered.",
  ],
  ["a syntax error", "const a = {\n", 2, "'}' expected."],
])("a server with %s is not changed, and its position is reported", (_, code, line, message) => {
  const files = new Map([...createHandlers(mexico, serverPackage), ["src/mine.ts", code]]);
  const result = mergeHandlers(files, [mexicanCar], { changes: noChanges, serverPackage });
  expect([...result.files]).toEqual([]);
  expect(result.problems).toEqual([`src/mine.ts:${line}: ${message}`]);
});

test("the existing lines of a file with both kinds of line ends do not change", () => {
  const mixed = "// one\r\n// two\n";
  const { files } = merged(
    mexico,
    soapTree(group("quotes", operation("checkMexico"), operation("checkPeru"))),
    (path, text) => (path.endsWith("handlers.ts") ? mixed + text : text),
  );
  expect(files.get("src/stock/handlers.ts")?.startsWith(mixed)).toBe(true);
});

test("a merge of four times as many handlers reads four times as much", () => {
  const operations = (count: number) => Array.from({ length: count }, (_, index) => `readStation${index}`);
  const countReads = (count: number): number => {
    const spies = [
      vi.spyOn(ImportDeclaration.prototype, "getNamedImports"),
      vi.spyOn(ObjectLiteralExpression.prototype, "getProperties"),
      vi.spyOn(SourceFile.prototype, "getVariableDeclarations"),
      vi.spyOn(SourceFile.prototype, "getFullText"),
      vi.spyOn(PropertyAssignment.prototype, "getNameNode"),
      vi.spyOn(ShorthandPropertyAssignment.prototype, "getNameNode"),
    ];
    const before = soapTree(...operations(count).map(operation));
    const after = soapTree(...operations(count - 1).map(operation));
    const change = { interface: "stock", text: "A member was added.", operations: operations(count) };
    const { report } = merged(before, after, undefined, { ...noChanges, changes: [change] });
    expect([report.changed.length, report.removed.length]).toEqual([count - 1, 1]);
    const reads = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    vi.restoreAllMocks();
    return reads;
  };
  expect(countReads(80) / countReads(20)).toBeLessThan(4.5);
});
