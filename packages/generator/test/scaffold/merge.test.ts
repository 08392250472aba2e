import { expect, test } from "vitest";
import { createHandlers } from "../../src/scaffold/handler-files.js";
import type { HandlerInterface, HandlerNode } from "../../src/scaffold/handler-tree.js";
import { recordOf } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";

const operation = (key: string, signature = "1"): HandlerNode => ({ kind: "operation", key, signature });
const group = (key: string, ...children: HandlerNode[]): HandlerNode => ({ kind: "group", key, children });

function soap(...services: HandlerNode[]): HandlerInterface {
  return {
    module: "stock",
    type: "StockHandlers",
    routes: "stockRoutes",
    kind: "soap",
    root: { kind: "group", key: "", children: services },
    shape: { types: {}, operations: {} },
  };
}

function rest(...namespaces: HandlerNode[]): HandlerInterface {
  return { ...soap(...namespaces), module: "site", type: "SiteHandlers", kind: "rest" };
}

const serverPackage = "@example/server";

function merged(
  before: HandlerInterface,
  after: HandlerInterface,
  edit: (path: string, text: string) => string = (_, text) => text,
) {
  const files = new Map([...createHandlers(before, serverPackage)].map(([path, text]) => [path, edit(path, text)]));
  return mergeHandlers(files, [after], { record: recordOf([before]), serverPackage });
}

test("a new server has one file for each operation, and one that combines them", () => {
  const files = createHandlers(soap(group("quotes", operation("getQuote"), operation("listAll"))), serverPackage);
  expect([...files.keys()]).toEqual([
    "src/stock/quotes/get-quote.ts",
    "src/stock/quotes/list-all.ts",
    "src/stock/handlers.ts",
  ]);
  expect(
    files.get("src/stock/quotes/list-all.ts"),
  ).toBe(`import { type StockHandlers, SoapFault } from "@example/server/stock";

export const listAll: StockHandlers["quotes"]["listAll"] = async (_input, _context) => {
  throw new SoapFault({ reason: "This operation is not written yet." });
};
`);
  expect(files.get("src/stock/handlers.ts")).toBe(`import type { StockHandlers } from "@example/server/stock";
import { getQuote } from "./quotes/get-quote.js";
import { listAll } from "./quotes/list-all.js";

/** Every operation with its handler. A missing one does not compile. */
export const stockHandlers: StockHandlers = {
  quotes: {
    getQuote,
    listAll,
  },
};
`);
});

test("a group of routes has one file, under a name that is unique where it is imported", () => {
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
  const same = soap(group("quotes", operation("getQuote")));
  const { files, report } = merged(same, same);
  expect([...files]).toEqual([]);
  expect(report).toEqual({ added: [], renamed: [], removed: [], changed: [], notes: [] });
});

test("a new operation gets a file, an import and a member, and edits are kept exactly", () => {
  const before = soap(group("quotes", operation("getQuote")));
  const after = soap(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files, report } = merged(before, after, (path, text) =>
    path.endsWith("handlers.ts") ? text.replace("    getQuote,", "    getQuote, // ours\n    // keep me") : text,
  );
  expect(report.added).toEqual(["quotes.getHistory"]);
  expect([...files.keys()].sort()).toEqual(["src/stock/handlers.ts", "src/stock/quotes/get-history.ts"]);
  expect(files.get("src/stock/handlers.ts")).toBe(`import type { StockHandlers } from "@example/server/stock";
import { getQuote } from "./quotes/get-quote.js";
import { getHistory } from "./quotes/get-history.js";

/** Every operation with its handler. A missing one does not compile. */
export const stockHandlers: StockHandlers = {
  quotes: {
    getQuote, // ours
    // keep me
    getHistory,
  },
};
`);
});

test("added code has the line ends, quotes, semicolons and commas of the file", () => {
  const before = soap(group("quotes", operation("getQuote")));
  const after = soap(group("quotes", operation("getQuote"), operation("getHistory")));
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
  const before = soap(group("quotes", operation("getQuote")));
  const after = soap(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files } = mergeHandlers(
    new Map([
      ["src/a.ts", 'import { quotes } from "./b.js";\nexport const h: StockHandlers = { quotes };\n'],
      ["src/b.ts", "const getQuote = () => null;\nexport const quotes = { getQuote };\n"],
    ]),
    [after],
    { record: recordOf([before]), serverPackage },
  );
  expect(files.get("src/b.ts")).toContain("export const quotes = { getQuote,\n  getHistory,\n };");
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

test("removed and changed operations are reported with their places, and nothing is deleted", () => {
  const before = soap(group("quotes", operation("getQuote"), operation("getOld")));
  const after = soap(group("quotes", operation("getQuote", "2")));
  const { files, report } = merged(before, after);
  expect([...files]).toEqual([]);
  expect(report.removed).toEqual([
    {
      operation: "quotes.getOld",
      place: "src/stock/handlers.ts:9",
      file: "src/stock/quotes/get-old.ts",
      renamed: undefined,
    },
  ]);
  expect(report.changed).toEqual([
    { operation: "quotes.getQuote", place: "src/stock/quotes/get-quote.ts:3", changes: [] },
  ]);
});

test("nothing is added beside a spread", () => {
  const after = soap(group("quotes", operation("getQuote"), operation("getHistory")));
  const { files, report } = mergeHandlers(
    new Map([["src/a.ts", "export const h: StockHandlers = { quotes: { ...theirs } };\n"]]),
    [after],
    { record: recordOf([after]), serverPackage },
  );
  expect([...files]).toEqual([]);
  expect(report.notes).toHaveLength(2);
});

test("the members that changed in an operation are named", () => {
  const shape = (members: Readonly<Record<string, string>>) => ({
    types: { Quote: members, Other: { unrelated: "string" } },
    operations: { "quotes.getQuote": { input: "Other", output: "Quote, list" } },
  });
  const before = { ...soap(group("quotes", operation("getQuote"))), shape: shape({ Price: "decimal", Old: "string" }) };
  const after = {
    ...soap(group("quotes", operation("getQuote", "2"))),
    shape: shape({ Price: "decimal, optional", Colour: "string, optional" }),
  };
  expect(merged(before, after).report.changed.map(({ changes }) => changes)).toEqual([
    ["Quote.Price is now decimal, optional, was decimal", "Quote.Old removed", "Quote.Colour added (string, optional)"],
  ]);
});

test("a similar new operation is suggested for a removed one", () => {
  const before = soap(group("quotes", operation("checkMexico"), operation("getQuote")));
  const after = soap(group("quotes", operation("checkMexicanCar"), operation("getQuote"), operation("listAll")));
  expect(merged(before, after).report.removed.map(({ renamed }) => renamed)).toEqual(["quotes.checkMexicanCar"]);
});

test("a renamed operation keeps its handler, with every edit", () => {
  const before = soap(group("quotes", operation("checkMexico"), operation("getQuote")));
  const after = soap(group("quotes", operation("checkMexicanCar"), operation("getQuote")));
  const files = new Map(
    [...createHandlers(before, serverPackage)].map(([path, text]) => [
      path,
      path.endsWith("check-mexico.ts") ? `// mine\n${text.replace(/throw .*;/, "return answerOf(1); // ours")}` : text,
    ]),
  );
  const result = mergeHandlers(files, [after], {
    record: recordOf([before]),
    serverPackage,
    renames: new Map([["quotes.checkMexico", "quotes.checkMexicanCar"]]),
  });
  expect(result.moved).toEqual(["src/stock/quotes/check-mexico.ts"]);
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

test("a handler is moved in place of one that nobody has written, and never over one that somebody has", () => {
  const before = soap(group("quotes", operation("checkMexico"), operation("getQuote")));
  const after = soap(group("quotes", operation("checkMexicanCar"), operation("getQuote")));
  const renames = new Map([["quotes.checkMexico", "quotes.checkMexicanCar"]]);
  const old = new Map(
    [...createHandlers(before, serverPackage)].map(([path, text]) => [
      path,
      path.endsWith("check-mexico.ts") ? `// mine\n${text}` : text,
    ]),
  );
  const added = mergeHandlers(old, [after], { record: recordOf([before]), serverPackage });
  const withBoth = new Map([...old, ...added.files]);
  const moved = mergeHandlers(withBoth, [after], { record: recordOf([after]), serverPackage, renames });
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

/** Every operation with its handler. A missing one does not compile. */
export const stockHandlers: StockHandlers = {
  quotes: {
    checkMexicanCar,
    getQuote,
  },
};
`);
  const file = "src/stock/quotes/check-mexican-car.ts";
  const written = new Map([...withBoth, [file, `// theirs\n${withBoth.get(file)}`]]);
  const kept = mergeHandlers(written, [after], { record: recordOf([after]), serverPackage, renames });
  expect([[...kept.files], kept.moved]).toEqual([[], []]);
  expect(kept.report.notes).toEqual(["quotes.checkMexicanCar has a handler already. Remove it, and rename again."]);
});

test("an operation that does not exist is not renamed", () => {
  const same = soap(group("quotes", operation("getQuote")));
  const files = new Map(createHandlers(same, serverPackage));
  const renames = new Map([["quotes.getOld", "quotes.getQuote"]]);
  const result = mergeHandlers(files, [same], { record: recordOf([same]), serverPackage, renames });
  expect([...result.files]).toEqual([]);
  expect(result.report.notes).toEqual(["quotes.getOld has no file of its own, so that its handler is not moved."]);
});
