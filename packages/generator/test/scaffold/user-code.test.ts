import { expect, test } from "vitest";
import type { HandlerChanges } from "../../src/scaffold/handler-changes.js";
import type { HandlerTree } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";
import { noChanges, operation, serverPackage, soapTree } from "./handler-tree.js";

const quotes: HandlerTree = {
  ...soapTree(operation("getQuote"), operation("listAll")),
  type: "QuotesHandlers",
  routes: "quotesRoutes",
};

const added: HandlerChanges = { ...noChanges, added: [{ interface: "stock", operation: "listAll" }] };

const getQuote = "export const getQuote = async () => 1; // mine\n";

/** Merges handlers for `getQuote` and the new `listAll` into a server. */
function merged(
  files: Readonly<Record<string, string>>,
  changes: HandlerChanges | undefined = added,
  renames: ReadonlyMap<string, string> = new Map(),
) {
  const existing = new Map(Object.entries({ "src/lib/get-quote.ts": getQuote, ...files }));
  const result = mergeHandlers(existing, [quotes], { changes, serverPackage, renames });
  return { ...result, all: new Map([...existing, ...result.files]) };
}

const imported = 'import { getQuote } from "./lib/get-quote.js";\n';

test.each([
  { what: "a function", text: "export function make(): QuotesHandlers {\n  return {\n    getQuote,\n  };\n}\n" },
  { what: "an arrow function", text: "export const make = (): QuotesHandlers => ({\n  getQuote,\n});\n" },
  {
    what: "an asynchronous function",
    text: "export const make = async (): Promise<QuotesHandlers> => {\n  return {\n    getQuote,\n  };\n};\n",
  },
  { what: "satisfies", text: "export const handlers = {\n  getQuote,\n} as const satisfies QuotesHandlers;\n" },
  {
    what: "an alias of the type",
    text: 'import type { QuotesHandlers as All } from "@example/server/stock";\nexport const handlers: All = {\n  getQuote,\n};\n',
  },
  {
    what: "a namespace of types",
    text: 'import type * as stock from "@example/server/stock";\nexport const handlers: stock.QuotesHandlers = {\n  getQuote,\n};\n',
  },
  { what: "the call that makes routes", text: "export const routes = [\n  quotesRoutes({\n    getQuote,\n  }),\n];\n" },
  {
    what: "a variable in a function",
    text: "export function make() {\n  const all: QuotesHandlers = {\n    getQuote,\n  };\n  return all;\n}\n",
  },
])("a new handler is added to the object in $what", ({ text }) => {
  const { all, report } = merged({ "src/handlers.ts": imported + text });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect(all.get("src/handlers.ts")?.replace(/^import \{ listAll \}.*\n/m, "")).toBe(
    imported + text.replace(/^( *)getQuote,\n/m, "$1getQuote,\n$1listAll,\n"),
  );
});

test.each([
  { what: "of a call", text: "export const handlers: QuotesHandlers = withAudit({\n  getQuote,\n});\n" },
  {
    what: "of a call inside a call",
    text: "export const routes = quotesRoutes(withAudit(withLog({\n  getQuote,\n}), 3));\n",
  },
  {
    what: "of a call beside options",
    text: "const all = withAudit({ level: 3 }, {\n  getQuote,\n});\nexport const routes = quotesRoutes(all);\n",
  },
  {
    what: "of a call with the type",
    text: "export const handlers = withAudit({\n  getQuote,\n} satisfies QuotesHandlers) satisfies QuotesHandlers;\n",
  },
])("a new handler is added to the object that is the argument $what", ({ text }) => {
  const code = `${imported}declare const withAudit: <T>(...parameters: unknown[]) => T, withLog: typeof withAudit;\n${text}`;
  const { all, report } = merged({ "src/handlers.ts": code });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect(all.get("src/handlers.ts")?.replace(/^import \{ listAll \}.*\n/m, "")).toBe(
    code.replace(/^( *)getQuote,\n/m, "$1getQuote,\n$1listAll,\n"),
  );
});

test.each([
  { what: "has no handlers", text: "export const handlers: QuotesHandlers = makeAll({ level: 3 });\n" },
  {
    what: "has more than handlers",
    text: "export const handlers: QuotesHandlers = makeAll({ getQuote, level: 3 });\n",
  },
  { what: "is one of two", text: "export const handlers: QuotesHandlers = choose({ getQuote }, { getQuote });\n" },
])("an argument of a call that $what is not changed", ({ text }) => {
  const code = `${imported}declare const makeAll: any, choose: any;\n${text}`;
  const { all } = merged({ "src/handlers.ts": code });
  expect(all.get("src/handlers.ts")).toBe(code);
});

const spread = 'import { group } from "./group.js";\nexport const handlers: QuotesHandlers = {\n  ...group,\n};\n';
const groupFile = 'import { getQuote } from "./lib/get-quote.js";\nexport const group = {\n  getQuote, // mine\n};\n';

test("only the handlers that a known spread lacks are added", () => {
  const { all, report } = merged({ "src/handlers.ts": spread, "src/group.ts": groupFile });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect(all.get("src/handlers.ts")).toContain("{\n  ...group,\n  listAll,\n};\n");
  expect(all.get("src/group.ts")).toBe(groupFile);
});

test("a handler in a known spread is renamed and reported there", () => {
  const old = groupFile.replaceAll("getQuote", "findQuote");
  const files = {
    "src/handlers.ts": spread.replace("};", "  listAll,\n};"),
    "src/group.ts": old,
    "src/lib/get-quote.ts": getQuote.replace("getQuote", "findQuote"),
  };
  const { report } = merged(files, noChanges);
  expect(report.removed).toMatchObject([
    { operation: "findQuote", position: "src/group.ts:3", files: ["src/lib/get-quote.ts"] },
  ]);
  const { all, report: renamed } = merged(files, noChanges, new Map([["findQuote", "getQuote"]]));
  expect(renamed).toMatchObject({ renamed: [{ from: "findQuote", to: "getQuote" }], removed: [], added: [] });
  expect(all.get("src/group.ts")).toContain("  getQuote: findQuote, // mine\n");
});

test("a handler is renamed if the import of the new one is the first statement of its file", () => {
  const oldImport = 'import { findQuote } from "./lib/find-quote.js";\n';
  const handlers = "\nexport const handlers: QuotesHandlers = {\n  findQuote,\n  listAll: async () => [],\n};\n";
  const files = {
    "src/handlers.ts": oldImport + handlers,
    "src/lib/find-quote.ts": getQuote.replace("getQuote", "findQuote"),
    "src/lib/get-quote.ts": "",
  };
  const { all } = merged(files, { ...noChanges, added: [{ interface: "stock", operation: "getQuote" }] });
  const [newImport = ""] = /^import \{ getQuote \}.*\n/m.exec(all.get("src/handlers.ts") ?? "") ?? [];
  const sorted = newImport + all.get("src/handlers.ts")?.replace(newImport, "");
  const renames = new Map([["findQuote", "getQuote"]]);
  const second = mergeHandlers(new Map([...all, ["src/handlers.ts", sorted]]), [quotes], {
    changes: noChanges,
    serverPackage,
    renames,
  });
  expect(second.report.renamed).toEqual([{ from: "findQuote", to: "getQuote" }]);
  expect(second.files.get("src/handlers.ts")).toBe(oldImport + handlers.replace("findQuote", "getQuote: findQuote"));
});

test("a spread that contains itself is unknown", () => {
  const { report } = merged({
    "src/handlers.ts": "const all = { ...all };\nexport const handlers: QuotesHandlers = { ...all };\n",
  });
  expect(report.absent).toMatchObject([{ reason: "unknown", operations: ["getQuote", "listAll"] }]);
});

test.each([
  {
    what: "Omit",
    first: 'Pick<QuotesHandlers, "getQuote">',
    second: 'Omit<QuotesHandlers, "getQuote">',
    want: "second",
  },
  { what: "Pick", first: "Pick<QuotesHandlers, All>", second: "Omit<QuotesHandlers, All>", want: "first" },
  {
    what: "Omit of the keys of an object",
    first: undefined,
    second: "Omit<QuotesHandlers, keyof typeof first>",
    want: "second",
  },
  { what: "an alias", first: "Omit<QuotesHandlers, 'listAll'>", second: "Rest", want: "second" },
  { what: "an intersection", first: "{ more?: string } & Rest", second: "Partial<QuotesHandlers>", want: "first" },
  {
    what: "only the whole type",
    first: "Partial<QuotesHandlers>",
    second: "Readonly<Pick<QuotesHandlers, 'more'>>",
    want: "all",
  },
])("a new handler is added to the object whose type requires it ($what)", ({ first, second, want }) => {
  const text = `${imported}type All = "getQuote" | "listAll";
type Rest = Omit<QuotesHandlers, "getQuote">;
const first${first === undefined ? "" : `: ${first}`} = {
  getQuote,
};
const second: ${second} = {
  more,
};
export const all: QuotesHandlers = {
  ...first,
  ...second,
};
`;
  const passed = `${text.replace(": QuotesHandlers = {", " = {")}export const routes = quotesRoutes(all);\n`;
  for (const code of [text, passed]) {
    const { all, report } = merged({ "src/handlers.ts": code });
    expect(report.added).toEqual(["listAll"]);
    expect(all.get("src/handlers.ts")?.replace(/^import \{ listAll \}.*\n/m, "")).toBe(
      code.replace(new RegExp(`(const ${want}\\b[^{]*(?:\\{ more.*)?= \\{\n(?: .*\n)*)\\}`), "$1  listAll,\n}"),
    );
  }
});

test.each(['Omit<QuotesHandlers, "listAll">', "Partial<QuotesHandlers>", 'Pick<QuotesHandlers, "getQuote">'])(
  "a handler that the type %s does not require is not added, whether its operation is new or not",
  (type) => {
    const code = `${imported}const all: ${type} = { getQuote };\nexport const routes = quotesRoutes(all);\n`;
    const files = { "src/handlers.ts": code };
    for (const changes of [noChanges, added]) {
      const { files: changedFiles, report } = merged(files, changes);
      expect([...changedFiles]).toEqual([]);
      expect(report).toMatchObject({
        added: [],
        absent: [{ position: "src/handlers.ts:2", reason: "not required", operations: ["listAll"] }],
        notes: [],
      });
    }
  },
);

test("only the run after the change names the operations of an unknown spread as new or removed", () => {
  const code = { "src/handlers.ts": "export const handlers: QuotesHandlers = { ...make() };\n" };
  const changes = { ...added, removed: [{ interface: "stock", operation: "old" }] };
  const [note = "", ...others] = merged(code, { ...changes, sinceLastMerge: changes }).report.notes;
  expect([note.match(/\w+, which is (?:new|no longer in the schema)/g), others]).toEqual([
    ["listAll, which is new", "old, which is no longer in the schema"],
    [],
  ]);
  const { report, unread } = merged(code, { ...changes, sinceLastMerge: noChanges });
  expect([report.notes, unread]).toEqual([[], { added: [], removed: [] }]);
});

test("each operation without a known handler beside an unknown spread is named, whether it is new or not", () => {
  const { report } = merged({ "src/handlers.ts": "export const handlers: QuotesHandlers = { ...make() };\n" });
  expect(report).toMatchObject({
    absent: [{ position: "src/handlers.ts:1", reason: "unknown", operations: ["getQuote", "listAll"] }],
    notes: [expect.stringContaining("src/handlers.ts:1: Some of these handlers were not read")],
  });
});

const stub =
  'async (_input, _context) => {\n    throw new SoapFault({ reason: "This operation is not implemented yet." });\n  };\n';
const classText = `import type { QuotesHandlers } from "@example/server/stock";

/** Mine. */
export class Quotes implements QuotesHandlers {
  readonly #known = new Set<string>(); // mine

  async getQuote(input: { name: string }) {
    return this.#count(input.name);
  }

  #count(name: string) {
    return this.#known.add(name).size;
  }
  // The end.
}
`;

test.each([
  { what: "that implements the type", from: "", to: "", type: "QuotesHandlers" },
  {
    what: "that implements an alias of the type",
    from: /\{ QuotesHandlers \}(.*)implements QuotesHandlers/s,
    to: "{ QuotesHandlers as All }$1implements Disposable, All",
    type: "All",
  },
  {
    what: "that implements the type of a namespace",
    from: /type \{ QuotesHandlers \}(.*)implements QuotesHandlers/s,
    to: "type * as stock$1implements stock.QuotesHandlers",
    type: "stock.QuotesHandlers",
  },
])("a new handler is added to a class $what", ({ from, to, type }) => {
  const text = classText.replace(from, to);
  const { all, report } = merged({ "src/quotes.ts": text, "src/routes.ts": "quotesRoutes(new Quotes());\n" });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect(all.get("src/quotes.ts")).toBe(
    text
      .replace("\n\n/** Mine", '\nimport { SoapFault } from "@example/server/stock";\n\n/** Mine')
      .replace("  // The end.\n", `  // The end.\n\n  readonly listAll: ${type}["listAll"] = ${stub}`),
  );
});

test("a new handler is added to a class without members, on one line", () => {
  const { all } = merged({
    "src/all.ts": "export class All extends Base implements QuotesHandlers {}\nclass Base { getQuote() {} }\n",
  });
  expect(all.get("src/all.ts")).toContain(
    `implements QuotesHandlers {\n  readonly listAll: QuotesHandlers["listAll"] = ${stub}}\nclass Base`,
  );
});

test("a handler that is missing in a class without the type is named", () => {
  const { files, report } = merged({
    "src/quotes.ts": classText.replace(" implements QuotesHandlers", ""),
    "src/routes.ts":
      'import { Quotes } from "./quotes.js";\nconst handlers = new Quotes();\nexport const routes = [quotesRoutes(handlers)];\n',
  });
  expect([...files]).toEqual([]);
  expect(report.notes).toEqual([
    "src/quotes.ts:4: Add listAll to this class. Scaffold did not change the class, because it does not declare the type of its handlers (implements QuotesHandlers).",
  ]);
});

test("inherited handlers are not added again, and a base class that is not found is unknown", () => {
  const text = 'import { Base as Old } from "./base.js";\nexport class All extends Old implements QuotesHandlers {}\n';
  const base = "class Base extends Mixin { getQuote() {} listAll() {} }\nexport { Base };\n";
  expect(merged({ "src/all.ts": text, "src/base.ts": base.replace(" extends Mixin", "") }).report).toMatchObject({
    added: [],
    notes: [],
  });
  const unknownBase = { "src/all.ts": text, "src/base.ts": base.replace(" listAll() {}", "") };
  expect(merged(unknownBase).report).toMatchObject({
    added: [],
    absent: [{ position: "src/all.ts:2", reason: "unknown", operations: ["listAll"] }],
    notes: [expect.stringContaining("It is unknown whether they include listAll, which is new.")],
  });
});

const old: HandlerChanges = {
  ...added,
  removed: [{ interface: "stock", operation: "old" }],
  moves: [{ interface: "stock", before: "old", after: "listAll" }],
};
const oldClass = classText
  .replace("  // The end.\n", '  old: QuotesHandlers["old"] = async () => 1;\n  // The end.\n')
  .replace("return this.#count(input.name)", "return this.old(input, this.#count)");

test("changed and removed handlers of a class are reported, but not its other members", () => {
  const changes = { ...old, moves: [], changes: [{ interface: "stock", text: "changed", operations: ["getQuote"] }] };
  const { report } = merged({ "src/quotes.ts": oldClass }, changes);
  expect(report).toMatchObject({
    added: ["listAll"],
    changed: [{ operation: "getQuote", position: "src/quotes.ts:8", isImplemented: true }],
    removed: [{ operation: "old", position: "src/quotes.ts:15", isInClass: true, newPath: undefined }],
    notes: [],
  });
});

test("a renamed handler in a class is reported, and renamed with the references to it", () => {
  const first = merged({ "src/quotes.ts": oldClass }, old);
  expect(first.report).toMatchObject({ added: ["listAll"], removed: [{ operation: "old", newPath: "listAll" }] });
  const second = merged(Object.fromEntries(first.all), noChanges, new Map([["old", "listAll"]]));
  expect(second.report).toMatchObject({
    renamed: [{ from: "old", to: "listAll" }],
    added: [],
    removed: [],
    notes: [],
  });
  expect(second.all.get("src/quotes.ts")).toBe(
    oldClass
      .replace('  old: QuotesHandlers["old"]', '  listAll: QuotesHandlers["listAll"]')
      .replace("this.old(", "this.listAll("),
  );
});

test("a renamed handler in a class does not replace a handler that the user has written", () => {
  const text = oldClass.replace("  // The end.\n", "  listAll() {}\n");
  const { files, report } = merged({ "src/quotes.ts": text }, old, new Map([["old", "listAll"]]));
  expect([...files]).toEqual([]);
  expect(report.notes).toEqual([
    "The operation listAll already has a handler. Remove it, and run scaffold --rename again.",
  ]);
});

test("the class of a service is found in the object of all services", () => {
  const service = { type: "QuotesHandlers", routes: "quotesRoutes" };
  const tree = soapTree({ kind: "group", key: "quotes", children: quotes.root.children, service });
  const files = new Map([
    ["src/quotes.ts", classText],
    [
      "src/handlers.ts",
      'import { Quotes } from "./quotes.js";\nexport const all: StockHandlers = {\n  quotes: new Quotes(),\n};\n',
    ],
  ]);
  const { files: written, report } = mergeHandlers(files, [tree], { changes: noChanges, serverPackage });
  expect(report).toMatchObject({ added: ["quotes.listAll"], notes: [] });
  expect([...written.keys()]).toEqual(["src/quotes.ts"]);
  expect(written.get("src/quotes.ts")).toContain(`  readonly listAll: QuotesHandlers["listAll"] = ${stub}`);
  const { files: renamed } = mergeHandlers(files.set("src/quotes.ts", oldClass), [tree], {
    changes: noChanges,
    serverPackage,
    renames: new Map([["quotes.old", "quotes.listAll"]]),
  });
  expect(renamed.get("src/quotes.ts")).toContain('  listAll: QuotesHandlers["listAll"] = async () => 1;\n');
});

test("handlers are added to the object that is passed to the routes, not to another one of their type", () => {
  const text = "export const handlers: QuotesHandlers = { getQuote };\n";
  const { report, files } = merged({
    "src/fakes.ts": text,
    "src/handlers.ts": imported + text.replace(": QuotesHandlers", ""),
    "src/routes.ts": 'import { handlers } from "./handlers.js";\nexport const routes = [quotesRoutes(handlers)];\n',
  });
  expect(report.added).toEqual(["listAll"]);
  expect([...files.keys()].sort()).toEqual(["src/handlers.ts", "src/lib/list-all.ts"]);
});

const shopHandlers = "export const handlers: QuotesHandlers = {\n  getQuote,\n};\n";

test.each([
  { what: "a default export of a value", file: "export default { getQuote } satisfies QuotesHandlers;\n" },
  { what: "a default export of a name", file: "const mine = { getQuote };\nexport default mine;\n" },
  { what: "a default export of a class", file: "export default class implements QuotesHandlers { getQuote() {} }\n" },
  { what: "a member of a namespace", argument: "all.mine", file: "export const mine = { getQuote };\n" },
  {
    what: "a member of an object",
    argument: "all.mine.quotes",
    file: "export const mine = { quotes: { getQuote } };\n",
  },
  {
    what: "a function of dependencies",
    argument: "all.make(db)",
    file: "export const make = (db: Db) => ({ getQuote });\n",
  },
  {
    what: "a function with a variable",
    argument: "all.make()",
    file: "export function make() {\n  const mine = { getQuote };\n  return mine;\n}\n",
  },
  {
    what: "an awaited function",
    argument: "await all.make()",
    file: "export async function make() {\n  return { getQuote };\n}\n",
  },
  {
    what: "a class in a variable",
    argument: "new all.Mine()",
    file: "export const Mine = class implements QuotesHandlers { getQuote() {} };\n",
  },
])("a new handler is added to $what that is passed to the routes", ({ argument = "mine", file }) => {
  const { report, files } = merged({
    "src/lib/mine.ts": file,
    "src/lib/index.ts": 'export * from "./mine.js";\nexport { default } from "./mine.js";\n',
    "src/routes.ts": `import mine, * as all from "./lib/index.js";\nexport const routes = [quotesRoutes(${argument})];\n`,
  });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect([...files.keys()]).toContain("src/lib/mine.ts");
});

test.each([
  { line: "{ getQuote }", want: "{ getQuote, listAll }" },
  { line: "{ getQuote, }", want: "{ getQuote, listAll, }" },
  { line: "{getQuote}; // mine", want: "{getQuote, listAll}; // mine" },
  { line: "{ getQuote /* a */ }", want: "{ getQuote /* a */, listAll }" },
  {
    line: `{ getQuote, other: "${"x".repeat(26)}" }; // mine`,
    want: `{\n  getQuote,\n  other: "${"x".repeat(26)}",\n  listAll,\n}; // mine`,
  },
  {
    line: `{ /* a */ getQuote /* b */, /* c */ other: "${"x".repeat(26)}" /* d */ }`,
    want: `{\n  /* a */ getQuote /* b */,\n  /* c */ other: "${"x".repeat(26)}" /* d */,\n  listAll,\n}`,
  },
  { line: "{\n  other, getQuote, // mine\n}", want: "{\n  other, getQuote, // mine\n  listAll,\n}" },
  { line: "{\n  other, getQuote // mine\n}", want: "{\n  other, getQuote, // mine\n  listAll\n}" },
])("a handler is added to $line as a formatter would write it", ({ line, want }) => {
  const code = `${imported}export const handlers: QuotesHandlers = ${line};\n`;
  const { all, report } = merged({ "src/handlers.ts": code });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect(all.get("src/handlers.ts")?.replace(/^import \{ listAll \}.*\n/m, "")).toBe(
    code.replace(`= ${line}`, `= ${want}`),
  );
});

test("the outermost object of a line is broken first, and the longest line of the file is the limit", () => {
  const tree: HandlerTree = {
    ...soapTree(),
    type: "SiteHandlers",
    routes: "siteRoutes",
    kind: "rest",
    folder: "src/site",
  };
  const groups = ["patients", "visits", "reports", "rooms"].map((key) => ({
    kind: "group" as const,
    key,
    children: [operation("list")],
  }));
  const root = {
    kind: "group" as const,
    key: "",
    children: [{ kind: "group" as const, key: "clinic", children: groups }],
  };
  const merge = (text: string) => {
    const files = new Map([["src/all.ts", text]]);
    const { files: written } = mergeHandlers(files, [{ ...tree, root }], { changes: noChanges, serverPackage });
    return written.get("src/all.ts")?.replace(/^import .*\n/gm, "");
  };
  const code = (members: string) =>
    `export const api: SiteHandlers = { clinic: { patients: make(), visits: make(), ${members} } }; // mine\n`;
  expect(merge(code("reports: 1"))).toBe(
    "export const api: SiteHandlers = {\n  clinic: { patients: make(), visits: make(), reports: 1, rooms },\n}; // mine\n",
  );
  const long = `export const text = "${"x".repeat(90)}";\n`;
  expect(merge(long + code("reports: 1"))).toBe(long + code("reports: 1, rooms"));
});

test("a handler of several lines breaks the objects of its line", () => {
  const files = new Map([["src/all.ts", "export const all: SiteHandlers = { v1: { pages: { list } } };\n"]]);
  const { files: written } = mergeHandlers(files, [site], { changes: noChanges, serverPackage });
  expect(written.get("src/all.ts")).toContain(
    `= {\n  v1: {\n    pages: {\n      list,\n      ${create.replaceAll("    ", "        ").replace("\n  }", "\n      }")}    },\n  },\n};\n`,
  );
});

test("added code is indented with tabs in a file with tabs", () => {
  const text = (members: string) =>
    `export const all: SiteHandlers = {\n\tv1: {\n\t\tpages: {\n${members}\t\t},\n\t},\n};\n`;
  const existing = new Map([["src/all.ts", text("\t\t\tlist,\n")]]);
  const { files } = mergeHandlers(existing, [site], { changes: noChanges, serverPackage });
  expect(files.get("src/all.ts")).toContain(
    text(`\t\t\tlist,\n\t\t\t${create.replaceAll("    ", "\t\t\t\t").replace("\n  }", "\n\t\t\t}")}`),
  );
});

test("new files are created beside the handlers that the user has moved", () => {
  const unread = `${shopHandlers.replace("getQuote", "getQuote: make()")}`;
  const { files } = merged({ "src/api/soap/handlers.ts": unread });
  expect([...files.keys()].sort()).toEqual(["src/api/soap/handlers.ts", "src/api/soap/list-all.ts"]);
  const { files: others } = merged({
    "src/api/soap/handlers.ts": unread,
    "src/stock/other.ts": "export {};\n",
  });
  expect([...others.keys()].sort()).toEqual(["src/api/soap/handlers.ts", "src/stock/list-all.ts"]);
});

const handlersIn = (file: string, specifier: string) => ({
  [file]: `import { getQuote } from "${specifier}";\n${shopHandlers}`,
});

test.each([
  {
    what: "the folder of the code has another name",
    files: { ...handlersIn("source/stock/handlers.ts", "./get-quote.js"), "source/stock/get-quote.ts": getQuote },
    want: "source/stock/list-all.ts",
    specifier: "./list-all.js",
  },
  {
    what: "the handlers of a group are in another folder than their object",
    files: { ...handlersIn("source/all.ts", "./quotes/get-quote.js"), "source/quotes/get-quote.ts": getQuote },
    want: "source/quotes/list-all.ts",
    specifier: "./quotes/list-all.js",
  },
  {
    what: "the object contains the other handlers",
    files: { "lib/server/all.ts": shopHandlers.replace("getQuote", "getQuote: make()") },
    want: "lib/server/stock/list-all.ts",
    specifier: "./stock/list-all.js",
  },
  {
    what: "the object is in the user's own folder",
    files: { "src/app/all.ts": shopHandlers.replace("getQuote", "getQuote: make()"), "src/routes.ts": "" },
    want: "src/app/list-all.ts",
    specifier: "./list-all.js",
  },
  {
    what: "the object of scaffold contains handlers of another folder",
    files: {
      ...handlersIn("src/stock/handlers.ts", "../use-cases/quotes.js"),
      "src/use-cases/quotes.ts": getQuote,
      "src/routes.ts": "",
    },
    want: "src/use-cases/list-all.ts",
    specifier: "../use-cases/list-all.js",
  },
  {
    what: "the object spreads handlers of other files",
    files: {
      "src/all.ts":
        'import { makeQuotes } from "./app/quotes.js";\nexport const handlers: QuotesHandlers = {\n  ...makeQuotes(1),\n};\n',
      "src/app/quotes.ts": "export const makeQuotes = (deps: number) => ({\n  getQuote: () => deps,\n});\n",
    },
    want: "src/app/list-all.ts",
    specifier: "./app/list-all.js",
  },
  {
    what: "the names of files end with a word",
    files: { ...handlersIn("src/all.ts", "./app/get-quote.handler.js"), "src/app/get-quote.handler.ts": getQuote },
    want: "src/app/list-all.handler.ts",
    specifier: "./app/list-all.handler.js",
  },
  {
    what: "the files have the names of the operations",
    files: { ...handlersIn("src/all.ts", "./app/getQuoteHandler.js"), "src/app/getQuoteHandler.ts": getQuote },
    want: "src/app/listAllHandler.ts",
    specifier: "./app/listAllHandler.js",
  },
  {
    what: "each word in the names of files has a capital",
    files: { ...handlersIn("src/all.ts", "./app/GetQuote.js"), "src/app/GetQuote.ts": getQuote },
    want: "src/app/ListAll.ts",
    specifier: "./app/ListAll.js",
  },
  {
    what: "the package declares names for imports",
    files: {
      ...handlersIn("source/stock/handlers.ts", "#stock/get-quote.js"),
      "source/stock/get-quote.ts": getQuote,
      "package.json": '{ "imports": { "#*": "./dist/*" } }',
      "tsconfig.json": '{ "compilerOptions": { "rootDir": "source", "outDir": "dist" } } // mine',
    },
    want: "source/stock/list-all.ts",
    specifier: "#stock/list-all.js",
  },
  {
    what: "the compiler options declare names for imports",
    files: {
      ...handlersIn("source/stock/handlers.ts", "@/stock/get-quote"),
      "source/stock/get-quote.ts": getQuote,
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./source/*"] } } }',
    },
    want: "source/stock/list-all.ts",
    specifier: "@/stock/list-all",
  },
])("a new file is created beside the other handlers if $what", ({ files: existing, want, specifier }) => {
  const { files, report } = mergeHandlers(new Map(Object.entries(existing)), [quotes], {
    changes: added,
    serverPackage,
  });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  const [handlersFile = ""] = Object.keys(existing);
  expect([...files.keys()].sort()).toEqual([handlersFile, want].sort());
  expect(files.get(handlersFile)).toContain(`import { listAll } from "${specifier}";`);
});

test("a new file is created in the folder that contains the folders of the other handlers", () => {
  const files = new Map([
    [
      "src/modules/all.ts",
      'import { handle as getQuote } from "./quotes/get.handler.js";\nimport { handle as putQuote } from "./orders/put.handler.js";\nexport const all: QuotesHandlers = { getQuote, putQuote };\n',
    ],
    ["src/modules/quotes/get.handler.ts", "export const handle = () => 1;\n"],
    ["src/modules/orders/put.handler.ts", "export const handle = () => 1;\n"],
    ["src/routes.ts", ""],
  ]);
  const tree = { ...quotes, root: { ...quotes.root, children: [...quotes.root.children, operation("putQuote")] } };
  const { files: written } = mergeHandlers(files, [tree], { changes: added, serverPackage });
  expect([...written.keys()].sort()).toEqual(["src/modules/all.ts", "src/modules/list-all.handler.ts"]);
  const inCodeFolder = new Map([...files].map(([path, text]) => [path.replace("src/modules/", "src/"), text]));
  const { files: others } = mergeHandlers(inCodeFolder, [tree], { changes: added, serverPackage });
  expect([...others.keys()].sort()).toEqual(["src/all.ts", "src/stock/list-all.handler.ts"]);
});

test("the file of a group of routes is created beside the object that contains the other groups", () => {
  const { files } = mergeHandlers(
    new Map([
      ["src/app/api.module.ts", "export const api: SiteHandlers = { v1: { posts: {} } };\n"],
      ["src/routes.ts", ""],
    ]),
    [site],
    { changes: noChanges, serverPackage },
  );
  expect([...files.keys()].sort()).toEqual(["src/app/api.module.ts", "src/app/pages.ts"]);
});

test("the handlers of a new interface are created in the folder with the routes", () => {
  const { files, report } = mergeHandlers(new Map([["source/routes.ts", "export const routes = [];\n"]]), [quotes], {
    changes: added,
    serverPackage,
  });
  expect([...files.keys()].sort()).toEqual([
    "source/stock/get-quote.ts",
    "source/stock/handlers.ts",
    "source/stock/list-all.ts",
  ]);
  expect(report.notes).toEqual([expect.stringContaining("In source/routes.ts, import quotesRoutes")]);
  expect(report.notes).toEqual([expect.stringContaining("from ./stock/handlers.js")]);
});

const routesWith = (specifier: string) => ({
  "src/routes.ts": `import { handlers } from "${specifier}";\nexport const routes = [quotesRoutes(handlers)];\n`,
});
const untypedHandlers = "export const handlers = {\n  getQuote,\n};\n";
const jsType = '/** @type {import("@example/server/stock").QuotesHandlers} */\n';

test.each([
  {
    extension: "mts",
    compiled: "mjs",
    handlers: shopHandlers,
    type: 'export const listAll: QuotesHandlers["listAll"] =',
  },
  {
    extension: "mjs",
    compiled: "mjs",
    handlers: jsType + untypedHandlers,
    type: `${jsType.replace("}", '["listAll"]}')}export const listAll =`,
  },
  {
    extension: "js",
    compiled: "js",
    handlers: untypedHandlers,
    type: `${jsType.replace("}", '["listAll"]}')}export const listAll =`,
  },
])("a new handler has the language of the others (.$extension)", ({ extension, compiled, handlers, type }) => {
  const handlersFile = `src/stock/handlers.${extension}`;
  const { files, report } = merged(
    {
      ...routesWith(`./stock/handlers.${compiled}`),
      [handlersFile]: `import { getQuote } from "./get-quote.${compiled}";\n${handlers}`,
      [`src/stock/get-quote.${extension}`]: getQuote,
    },
    { ...old, changes: [{ interface: "stock", text: "changed", operations: ["getQuote"] }] },
  );
  expect(report).toMatchObject({
    added: ["listAll"],
    changed: [{ operation: "getQuote", position: `src/stock/get-quote.${extension}:1` }],
    notes: [],
  });
  expect([...files.keys()].sort()).toEqual([handlersFile, `src/stock/list-all.${extension}`]);
  expect(files.get(handlersFile)).toContain(`import { listAll } from "./list-all.${compiled}";`);
  expect(files.get(`src/stock/list-all.${extension}`)).toContain(type);
});

test.each(["ts", "mts", "js", "mjs"])("a .%s file moves with its handler, and keeps its extension", (extension) => {
  const compiled = extension.replace("ts", "js");
  const { files, movedPaths, report } = merged(
    {
      ...routesWith("./stock/handlers.js"),
      "src/stock/handlers.ts": `import { old } from "./old.${compiled}";\nexport const handlers: QuotesHandlers = {\n  old,\n};\n`,
      [`src/stock/old.${extension}`]: "export const old = async () => 1; // mine\n",
    },
    old,
    new Map([["old", "listAll"]]),
  );
  expect(report.renamed).toEqual([{ from: "old", to: "listAll" }]);
  expect(movedPaths).toEqual([`src/stock/old.${extension}`]);
  expect(files.get(`src/stock/list-all.${extension}`)).toBe("export const listAll = async () => 1; // mine\n");
  expect(files.get("src/stock/handlers.ts")).toContain(`import { listAll } from "./list-all.${compiled}";`);
});

test("a handler in JavaScript is renamed in the type of its comment", () => {
  const text = `${jsType.replace("}", '["old"]}')}export const old = async () => 1; // mine\n`;
  const { files } = merged(
    {
      ...routesWith("./stock/handlers.js"),
      "src/stock/handlers.js": 'import { old } from "./old.js";\nexport const handlers = {\n  old,\n};\n',
      "src/stock/old.js": text,
    },
    old,
    new Map([["old", "listAll"]]),
  );
  expect(files.get("src/stock/list-all.js")).toBe(text.replaceAll("old", "listAll"));
});

test("a handler that is missing in a CommonJS file is named, and the file is not changed", () => {
  const inObject = merged({ "src/routes.cjs": "exports.routes = [quotesRoutes({ getQuote })];\n" });
  const inOtherFile = merged({
    "src/routes.ts": 'import { handlers } from "./handlers.cjs";\nexport const routes = [quotesRoutes(handlers)];\n',
    "src/handlers.cjs": "exports.handlers = { getQuote };\n",
  });
  expect([...inObject.files, ...inOtherFile.files]).toEqual([]);
  expect([...inObject.report.notes, ...inOtherFile.report.notes]).toEqual([
    "src/routes.cjs:1: Add listAll to this object. Scaffold does not change CommonJS files.",
    "src/handlers.cjs:1: These handlers were not changed, because they are not an object literal or a class. Add handlers for listAll.",
  ]);
});

test.each([
  { what: "beside its TypeScript file", path: "src/all.js" },
  { what: "in the output folder", path: "src/build/all.js" },
])("a compiled file $what is not read", ({ path }) => {
  const { files } = merged({
    "tsconfig.json": '{ "compilerOptions": { "outDir": "src/build" } }',
    [path]: "export const handlers = { getQuote };\nexport const routes = [quotesRoutes(handlers)];\n",
    "src/all.ts": shopHandlers,
  });
  expect([...files.keys()]).toContain("src/all.ts");
});

test("a group in code that is not read is reported only if its operations were added or removed", () => {
  const code = "const make = (): any => new Map();\nexport const all: SiteHandlers = { v1: make() };\n";
  const existing = new Map([["src/all.ts", code]]);
  const notesAfter = (changes: Partial<HandlerChanges>) =>
    mergeHandlers(existing, [site], { changes: { ...noChanges, ...changes }, serverPackage }).report.notes;
  const start = "src/all.ts:2: The handlers of v1 were not changed, because they are not an object literal or a class.";
  expect(notesAfter({})).toEqual([]);
  expect(notesAfter({ added: [{ interface: "site", operation: "v1.pages.list" }] })).toEqual([
    `${start} Add handlers for v1.pages.list.`,
  ]);
  expect(notesAfter({ removed: [{ interface: "site", operation: "v1.tags.list" }] })).toEqual([]);
  existing.set("src/all.ts", code.replace("new Map()", "new Map([['tags', { list: 1 }]])"));
  expect(notesAfter({ removed: [{ interface: "site", operation: "v1.tags.list" }] })).toEqual([
    `${start} Remove the handlers of v1.tags.list, which are no longer in the schema.`,
  ]);
});

test("handlers that are the result of a call are not changed, and their remaining tasks are reported", () => {
  const text = "export const handlers: QuotesHandlers = make(db);\n";
  const changes = { ...old, changes: [{ interface: "stock", text: "changed", operations: ["getQuote"] }] };
  const { files, report } = merged({ "src/quotes.ts": text }, changes);
  expect([...files]).toEqual([]);
  expect(report).toMatchObject({
    changed: [{ operation: "getQuote", position: "src/quotes.ts:1", isImplemented: true }],
    notes: [
      "src/quotes.ts:1: These handlers were not changed, because they are not an object literal or a class. It is unknown whether they include listAll, which is new, or old, which is no longer in the schema. TypeScript reports missing handlers. Change the code that contains these handlers now: later runs do not name these operations again. Was old renamed to listAll? In that case, rename its handler.",
    ],
  });
  expect(merged({ "src/quotes.ts": text }, noChanges).report.notes).toEqual([]);
});

test.each([
  {
    what: "the argument of a call",
    all: 'import { pages } from "./pages.js";\nexport const all: SiteHandlers = { v1: { pages: withAuth(pages) } };\n',
    note: "src/all.ts:2: The handlers of v1.pages (see src/pages.ts:1)",
  },
  {
    what: "a namespace",
    all: 'import * as v1 from "./v1.js";\nexport const all: SiteHandlers = { v1 };\n',
    note: "src/all.ts:2: The handlers of v1 (see src/pages.ts:1)",
  },
  {
    what: "a namespace with another name",
    all: 'import * as everything from "./v1.js";\nexport const all: SiteHandlers = { v1: everything };\n',
    note: "src/all.ts:2: The handlers of v1 (see src/pages.ts:1)",
  },
  {
    what: "the members of a spread call",
    all: 'export const all: SiteHandlers = {\n  v1: { pages: { ...make() } },\n};\nimport { pages } from "./pages.js";\nfunction make() {\n  return structuredClone(pages);\n}\n',
    note: "src/all.ts:2: Some of these handlers were not read",
  },
])("removed operations are named if their handlers are $what", ({ all, note }) => {
  const existing = new Map([
    ["src/all.ts", all],
    ["src/pages.ts", "export const pages = { list: async () => [], drop: async () => [] };\n"],
    ["src/v1.ts", 'export * from "./pages.js";\n'],
  ]);
  const changes = {
    ...noChanges,
    removed: [{ interface: "site", operation: "v1.pages.drop" }],
    moves: [{ interface: "site", before: "v1.pages.drop", after: "v1.pages.remove" }],
  };
  const { files, report } = mergeHandlers(existing, [site], { changes, serverPackage });
  expect([...files]).toEqual([]);
  expect(report.notes).toContainEqual(expect.stringContaining(note));
  expect(report.notes.filter((text) => text.startsWith(note))).toEqual([
    expect.stringContaining(
      "Remove the handlers of v1.pages.drop, which are no longer in the schema. Was v1.pages.drop renamed to v1.pages.remove? In that case, rename its handler instead.",
    ),
  ]);
  expect(report.notes.join(" ")).not.toContain("drop. If TypeScript reports");
});

test("a handler with a computed key is found", () => {
  const files = {
    "src/handlers.ts": `${imported}export const all: QuotesHandlers = {\n  ["getQuote"]: getQuote,\n};\n`,
  };
  expect(merged(files).report.added).toEqual(["listAll"]);
  const { all, report } = merged(files, noChanges, new Map([["getQuote", "listAll"]]));
  expect(report.renamed).toEqual([{ from: "getQuote", to: "listAll" }]);
  expect(all.get("src/handlers.ts")).toContain("  listAll: getQuote,\n");
});

test.each([
  { what: "Object.freeze", value: "Object.freeze({ getQuote, old } as QuotesHandlers)" },
  { what: "a type assertion", value: "<QuotesHandlers>{ getQuote, old }" },
  { what: "as", value: "({ getQuote, old } as QuotesHandlers)" },
  {
    what: "a call",
    value: "withAuth<QuotesHandlers>({ getQuote, old })",
    routes: "export const routes = quotesRoutes(all);\n",
  },
])("removed handlers are found, and new ones added, in an object with $what", ({ value, routes = "" }) => {
  const code = `${imported}declare const withAuth: any;\nconst old = async () => 1;\nconst all = ${value};\nexport default all;\n${routes}`;
  const { all, report } = merged({ "src/handlers.ts": code }, old);
  expect(report).toMatchObject({
    added: ["listAll"],
    removed: [{ operation: "old", position: "src/handlers.ts:5", newPath: "listAll" }],
    notes: [],
  });
  expect(all.get("src/handlers.ts")).toContain("{ getQuote, old, listAll }");
});

test("all files that export a removed handler again are named", () => {
  const { report } = merged({
    "src/handlers.ts": `${imported}import { older } from "./third.js";\nexport const handlers: QuotesHandlers = {\n  getQuote,\n  old: older,\n};\n`,
    "src/index.ts": 'export * from "./lib/get-quote.js";\nexport { old } from "./lib/old.js";\n',
    "src/second.ts": 'export * from "./index.js";\n',
    "src/third.ts":
      'import { getQuote } from "./lib/get-quote.js";\nexport { getQuote };\nexport { old as older } from "./second.js";\n',
    "src/fourth.ts": 'import { older as oldest } from "./third.js";\nexport { oldest };\n',
    "src/lib/old.ts": "export const old = async () => 1;\n",
  });
  expect(report.removed).toMatchObject([
    { operation: "old", files: ["src/lib/old.ts"], reExports: ["src/index.ts:2", "src/third.ts:3", "src/fourth.ts:2"] },
  ]);
});

test.each([
  { what: "a function declaration", member: "getQuote", file: "export async function getQuote() {}\n" },
  { what: "a member of a namespace", member: "getQuote: all.getQuote", file: getQuote },
  { what: "a wrapped function", member: "getQuote: logged(getQuote)", file: getQuote },
  { what: "a default export", member: "getQuote: standard", file: "export default async function find() {}\n" },
])("the position of a changed handler is that of $what", ({ member, file }) => {
  const changes = { ...added, changes: [{ interface: "stock", text: "changed", operations: ["getQuote"] }] };
  const imports = `${imported}import * as all from "./lib/get-quote.js";\nimport standard from "./lib/get-quote.js";\n`;
  const { report } = merged(
    {
      "src/handlers.ts": `${imports}export const handlers: QuotesHandlers = {\n  ${member},\n};\n`,
      "src/lib/get-quote.ts": file,
    },
    changes,
  );
  expect(report.changed).toMatchObject([{ operation: "getQuote", position: "src/lib/get-quote.ts:1" }]);
});

const typeImport = 'import type { QuotesHandlers } from "@example/server/stock";\n';

test.each([
  { what: "Pick", text: 'export type Some = Pick<QuotesHandlers, "getQuote" | "old">;\n' },
  { what: "Omit of an alias", text: 'type Q = QuotesHandlers; export type Rest = Omit<Q, "old">;\n' },
  { what: "Exclude", text: 'export type Names = Exclude<keyof QuotesHandlers, "old">;\n' },
  { what: "a type in brackets", text: 'export type Old = Parameters<QuotesHandlers["old"]>[0];\n' },
  { what: "an alias of names", text: 'type N = "getQuote" | "old"; export type Some = Pick<QuotesHandlers, N>;\n' },
  { what: "a list", text: 'export const slow: readonly (keyof QuotesHandlers)[] = ["getQuote", "old"];\n' },
  {
    what: "a list that satisfies a type",
    text: 'export const slow = ["old"] as const satisfies (keyof QuotesHandlers)[];\n',
  },
  { what: "a record", text: 'export const texts: Partial<Record<keyof QuotesHandlers, string>> = { old: "x" };\n' },
  {
    what: "a record of an alias",
    text: 'type N = keyof QuotesHandlers; export const n: Record<N, number> = { getQuote: 1, "old": 2 };\n',
  },
  { what: "a set", text: 'export const slow = new Set<keyof QuotesHandlers>(["old"]);\n' },
  {
    what: "an argument",
    text: 'const log = <K extends keyof QuotesHandlers>(name: K) => name; export const n = log("old");\n',
  },
])("a removed handler that $what names is found there, and renamed there", ({ text }) => {
  const files = {
    "src/handlers.ts": `${imported}import { old } from "./lib/old.js";\nexport const handlers: QuotesHandlers = {\n  getQuote,\n  old,\n};\n`,
    "src/lib/old.ts": `${typeImport}export const old: QuotesHandlers["old"] = async () => 1;\n`,
    "src/list.ts": `${typeImport}// mine: "old"\nexport const other = { old: "old" };\n${text}`,
  };
  const { report } = merged(files);
  expect(report.removed).toMatchObject([{ operation: "old", files: ["src/lib/old.ts"], uses: ["src/list.ts:4"] }]);
  const { all, report: renamed } = merged(files, noChanges, new Map([["old", "listAll"]]));
  expect(renamed.renamed).toEqual([{ from: "old", to: "listAll" }]);
  expect(all.get("src/list.ts")).toBe(
    `${typeImport}// mine: "old"\nexport const other = { old: "old" };\n${text.replace(/\bold\b/, "listAll")}`,
  );
});

test("the files that import a removed handler are named, such as a test", () => {
  const { report } = merged({
    "src/handlers.ts": `${imported}import { old } from "./lib/old.js";\nexport const handlers: QuotesHandlers = {\n  getQuote,\n  old,\n};\n`,
    "src/lib/old.ts": "export const old = async () => 1;\n",
    "src/test/old.test.ts": '// mine\nimport { old as mine } from "../lib/old.js";\nmine();\n',
  });
  expect(report.removed).toMatchObject([{ operation: "old", uses: ["src/test/old.test.ts:2"] }]);
});

test.each([
  {
    what: "a file that two files re-export",
    member: "old",
    imports: 'import { old } from "./index.js";\n',
    file: "export const old = async () => 1;\n",
    want: { files: ["src/lib/old.ts"], declarations: [], reExports: ["src/index.ts:2", "src/second.ts:1"] },
  },
  {
    what: "a namespace of re-exports",
    member: "old: all.old",
    imports: 'import * as all from "./index.js";\n',
    file: "export const old = async () => 1;\n",
    want: { files: ["src/lib/old.ts"], declarations: [], reExports: ["src/index.ts:2", "src/second.ts:1"] },
  },
  {
    what: "a file with other exports",
    member: "old",
    imports: 'import { old } from "./lib/old.js";\n',
    file: "export const other = 1;\nexport const old = async () => 1;\n",
    want: { files: [], declarations: ["src/lib/old.ts:2"], reExports: ["src/index.ts:2"] },
  },
  {
    what: "a class with other methods",
    member: "old: new Quotes().old",
    imports: 'import { Quotes } from "./lib/old.js";\n',
    file: "export class Quotes {\n  other() {}\n  old() {}\n}\n",
    want: { files: [], declarations: ["src/lib/old.ts:3"], reExports: [] },
  },
])("a removed handler is found in $what", ({ member, imports, file, want }) => {
  const { report } = merged({
    "src/handlers.ts": `${imported}${imports}export const handlers: QuotesHandlers = {\n  getQuote,\n  ${member},\n};\n`,
    "src/index.ts": 'export * from "./lib/get-quote.js";\nexport { old } from "./lib/old.js";\n',
    "src/second.ts": 'export * from "./lib/old.js";\n',
    "src/lib/old.ts": file,
  });
  expect(report.removed).toEqual([{ operation: "old", position: "src/handlers.ts:6", newPath: undefined, ...want }]);
});

const services: HandlerChanges["services"] = [
  { interface: "stock", service: "quotes", type: "QuotesHandlers", routes: "quotesRoutes" },
];

test("the handlers and routes of a removed service are named", () => {
  const { report } = merged(
    {
      "src/handlers.ts": `${imported}export const handlers: QuotesHandlers = { getQuote, listAll: getQuote };\n`,
      "src/news.ts": 'import { find } from "./find.js";\nexport const news: NewsHandlers = { find };\n',
      "src/find.ts": "export const find = () => 1;\n",
      "src/routes.ts": "export const routes = [newsRoutes(news)];\n",
    },
    {
      ...noChanges,
      services,
      removedTypes: [{ interface: "stock", service: "news", type: "NewsHandlers", routes: "newsRoutes" }],
    },
  );
  expect(report.notes).toEqual([
    "The service news no longer exists. Remove its handlers (src/news.ts, src/find.ts), and newsRoutes from src/routes.ts.",
  ]);
});

test("if a service became part of another one, the handlers that now receive its calls are named", () => {
  const { report } = merged(
    {
      "src/handlers.ts": `${imported}export const handlers: QuotesHandlers = { getQuote, listAll: getQuote };\n`,
      "src/news.ts": "export const news: NewsHandlers = { listAll() {} };\n",
      "src/routes.ts": "export const routes = [newsRoutes(news), quotesRoutes(handlers)];\n",
    },
    {
      ...noChanges,
      services,
      moves: [{ interface: "stock", before: "news.listAll", after: "listAll" }],
      removedTypes: [{ interface: "stock", service: "news", type: "NewsHandlers", routes: "newsRoutes" }],
    },
  );
  expect(report.notes).toEqual([
    "The service news no longer exists. The handler listAll now receives the calls of its operations: move your code there. Remove its handlers (src/news.ts), and newsRoutes from src/routes.ts.",
  ]);
});

test("if one service is left of several, each place to change is named", () => {
  const typed = (service: string, key: string) =>
    `export const ${key}: StockHandlers["${service}"]["${key}"] = () => 1;\n`;
  const { files, report } = merged(
    {
      "src/handlers.ts":
        'import { getQuote } from "./get.js";\nimport { find } from "./find.js";\nexport const all: StockHandlers = {\n  quotes: { getQuote },\n  news: { find },\n};\n',
      "src/get.ts": typed("quotes", "getQuote"),
      "src/find.ts": typed("news", "find"),
      "src/routes.ts": "export const routes = [stockRoutes(all)];\n",
    },
    {
      ...noChanges,
      services,
      removedTypes: [
        { interface: "stock", service: "news", type: "NewsHandlers", routes: "newsRoutes" },
        { interface: "stock", service: undefined, type: "StockHandlers", routes: "stockRoutes" },
      ],
    },
  );
  expect([...files]).toEqual([]);
  expect(report.removed).toMatchObject([{ operation: "news", position: "src/handlers.ts:5", files: ["src/find.ts"] }]);
  expect(report.notes).toEqual([
    'quotes is the only service of stock now, so StockHandlers and stockRoutes no longer exist. Import QuotesHandlers, and write it in place of StockHandlers["quotes"], in src/get.ts. Replace the object at src/handlers.ts:3 with its member quotes (src/handlers.ts:4), and its type with QuotesHandlers. Pass it to quotesRoutes of @example/server/stock in src/routes.ts. Then run scaffold again.',
  ]);
});

const removedServices: HandlerChanges = {
  ...noChanges,
  services,
  removedTypes: [
    { interface: "stock", service: "news", type: "NewsHandlers", routes: "newsRoutes" },
    { interface: "stock", service: undefined, type: "StockHandlers", routes: "stockRoutes" },
  ],
};

test("if one service is left of several in a class, its other members are not reported", () => {
  const { report } = merged(
    {
      "src/all.ts":
        "export class All implements StockHandlers {\n  quotes = { getQuote() {}, listAll() {} };\n  news = {};\n  log() {}\n}\n",
      "src/routes.ts": "export const routes = [stockRoutes(new All())];\n",
    },
    removedServices,
  );
  expect(report.removed).toMatchObject([{ operation: "news", position: "src/all.ts:3" }]);
  expect(report.notes).toEqual([
    "quotes is the only service of stock now, so StockHandlers and stockRoutes no longer exist. Remove StockHandlers from the class at src/all.ts:1, and pass its member quotes (src/all.ts:2) to quotesRoutes of @example/server/stock in src/routes.ts. Then run scaffold again.",
  ]);
});

test("if one service is left, the object of all services is reported beside a function for each service", () => {
  const { report } = merged(
    {
      "src/all.ts":
        "export const quotes = (): QuotesHandlers => ({ getQuote() {}, listAll() {} });\nexport const news = (): NewsHandlers => ({});\nexport const make = (): StockHandlers => ({ quotes: quotes(), news: news() });\n",
      "src/routes.ts": "export const routes = [stockRoutes(make())];\n",
    },
    removedServices,
  );
  expect(report.removed).toMatchObject([{ operation: "news", position: "src/all.ts:3" }]);
  expect(report.notes).toEqual([
    "quotes is the only service of stock now, so StockHandlers and stockRoutes no longer exist. Replace the object at src/all.ts:3 with its member quotes (src/all.ts:1), and its type with QuotesHandlers. Pass it to quotesRoutes of @example/server/stock in src/routes.ts. Then run scaffold again.",
    "The service news no longer exists. Remove its handlers (src/all.ts:2).",
  ]);
});

const site: HandlerTree = {
  ...quotes,
  name: "site",
  module: "site",
  folder: "src/site",
  type: "SiteHandlers",
  routes: "siteRoutes",
  kind: "rest",
  root: {
    kind: "group",
    key: "",
    children: [
      {
        kind: "group",
        key: "v1",
        children: [{ kind: "group", key: "pages", children: [operation("list"), operation("create")] }],
      },
    ],
  },
};

/** Merges handlers for `list` and the new `create` of pages into a server. */
function withPages(pages: string, member = "pages"): string | undefined {
  const handlers = `import { pages } from "./pages.js";\nexport const all: SiteHandlers = {\n  v1: {\n    ${member},\n  },\n};\n`;
  const existing = new Map([
    ["src/site/handlers.ts", handlers],
    ["src/site/pages.ts", pages],
  ]);
  const { files, report } = mergeHandlers(existing, [site], { changes: noChanges, serverPackage });
  expect(report.added).toEqual(["v1.pages.create"]);
  expect([...files.keys()]).toEqual(["src/site/pages.ts"]);
  return files.get("src/site/pages.ts");
}

const types = 'import type { SiteHandlers } from "@example/server/site"; // mine\n';
const create =
  'create: async (_input, _context) => {\n    throw new RestError({ code: "not_implemented", message: "This operation is not implemented yet.", status: 501 });\n  },\n';

const pagesStart = '\nexport const pages: SiteHandlers["v1"]["pages"] = {\n';

test.each([
  { what: "a group", member: "pages" },
  { what: "a group that is spread", member: "pages: { ...pages }" },
])("a handler that is added to $what imports the error that it throws", ({ member }) => {
  const list = "  list: async () => [], // mine\n";
  expect(withPages(`${types}${pagesStart}${list}};\n`, member)).toBe(
    `${types}import { RestError } from "@example/server/site";\n${pagesStart}${list}  ${create}};\n`,
  );
});

test.each([
  { what: "a directive of TypeScript", head: "// @ts-check\n" },
  { what: "the name of an interpreter", head: "#!/usr/bin/env node\n" },
  { what: "options of a linter", head: "/* eslint-disable no-console */\n" },
  { what: "a license", head: "/*\n * Copyright\n */\n\n" },
  { what: "a directive and types", head: "// @ts-check\n/** @typedef {string} Name */\n\n" },
  { what: "strict mode", head: '"use strict";\n' },
  { what: "nothing", head: "" },
])("the first import of a file follows $what", ({ head }) => {
  const body = "/** All handlers. */\nexport const all: QuotesHandlers = {\n  getQuote() {},\n};\n";
  const { all } = merged({ "src/all.ts": `${head}${body}` });
  const imported = 'import { listAll } from "./stock/list-all.js";\n';
  expect(all.get("src/all.ts")).toBe(`${head}${imported}${body.replace("};", "  listAll,\n};")}`);
});

test("an error that is imported already is not imported again", () => {
  const text = 'import { RestError } from "@bothends/runtime/server";\n\nexport const pages = {\n  list,\n};\n';
  expect(withPages(text)).toBe(text.replace("};\n", `  ${create}};\n`));
});

test("comments around the last comma stay where they are", () => {
  const text = `${types}import { RestError } from "@example/server/site"; /* mine */\n\nexport const pages = {\n  list /* a */, // b\n};\n`;
  expect(withPages(text)).toBe(text.replace("};\n", `  ${create}};\n`));
});

test("a new handler is imported by its path relative to the file of the handlers", () => {
  const { all } = merged({
    "src/routes.ts":
      'import { getQuote } from "./lib/get-quote.js";\nexport const routes = [quotesRoutes({ getQuote })];\n',
  });
  expect(all.get("src/routes.ts")).toContain('import { listAll } from "./lib/list-all.js";\n');
  const { all: elsewhere } = merged({
    "src/lib/all.ts": "export const all: QuotesHandlers = { getQuote };\n",
    "src/stock/other.ts": "export {};\n",
  });
  expect(elsewhere.get("src/lib/all.ts")).toContain('import { listAll } from "../stock/list-all.js";\n');
});

test("the file of a removed handler is named if it is a member of a namespace, unless it exports more", () => {
  const files = (more: string) => ({
    "src/handlers.ts":
      'import * as all from "./lib/index.js";\nexport const handlers: QuotesHandlers = {\n  getQuote: all.getQuote,\n  listAll: all.getQuote,\n  old: all.old,\n};\n',
    "src/lib/index.ts": 'export * from "./get-quote.js";\nexport * from "./old.js";\n',
    "src/lib/old.ts": `export const old = () => 1;\n${more}`,
  });
  const removedFiles = (more: string) => merged(files(more), noChanges).report.removed.map((each) => each.files);
  expect(removedFiles("")).toEqual([["src/lib/old.ts"]]);
  expect(removedFiles("export const other = 1;\n")).toEqual([[]]);
});

const quotesService = { type: "QuotesHandlers", routes: "quotesRoutes" };
const split = soapTree(
  { kind: "group", key: "quotes", children: [operation("listAll")], service: quotesService },
  { kind: "group", key: "search", children: [operation("getQuote")] },
);
const searchService = { type: "SearchHandlers", routes: "searchRoutes" };
const splitChanges: HandlerChanges = {
  ...noChanges,
  added: [{ interface: "stock", operation: "search.getQuote" }],
  removed: [{ interface: "stock", operation: "quotes.getQuote" }],
};
const toSearch = new Map([["quotes.getQuote", "search.getQuote"]]);

test.each([
  {
    what: "an object in another file",
    handlers: "{ ...reading, listAll() {} }",
    reading:
      'const missing = () => new Error();\nexport const reading: Pick<QuotesHandlers, "getQuote"> = {\n  // Mine.\n  getQuote() { throw missing(); },\n};\n',
    want: {
      position: "src/reading.ts:4",
      reason:
        "It is a member of an object that the handlers of quotes spread, and that other code may use, too. Its code uses names that may be unknown beside the handlers of search: missing.",
      uses: ["src/reading.ts:2"],
    },
  },
  {
    what: "an object in a function",
    handlers: "make()",
    reading:
      "export function make() {\n  const missing = () => new Error();\n  return { getQuote() { throw missing(); }, listAll() {} };\n}\n",
    want: {
      position: "src/reading.ts:3",
      reason: "Its code uses names that may be unknown beside the handlers of search: missing.",
      uses: [],
    },
  },
  {
    what: "a class",
    handlers: "new Quotes()",
    reading: "export class Quotes implements QuotesHandlers {\n  getQuote() {}\n  listAll() {}\n}\n",
    want: { position: "src/reading.ts:2", reason: "It is a member of a class.", uses: [] },
  },
  {
    what: "a class, with a type that names it,",
    handlers: "new Quotes()",
    reading:
      'const all: (keyof QuotesHandlers)[] = ["getQuote"];\nexport class Quotes implements QuotesHandlers {\n  getQuote(input: Parameters<QuotesHandlers["getQuote"]>[0]) {}\n  listAll() {}\n}\n',
    want: { position: "src/reading.ts:3", reason: "It is a member of a class.", uses: ["src/reading.ts:1"] },
  },
])("a handler in $what is not moved to another group, and no code changes", ({ handlers, reading, want }) => {
  const files = new Map([
    [
      "src/handlers.ts",
      `import { make, Quotes, reading } from "./reading.js";\nexport const all: StockHandlers = {\n  quotes: ${handlers},\n};\n`,
    ],
    ["src/reading.ts", reading],
  ]);
  const first = mergeHandlers(files, [split], { changes: splitChanges, serverPackage });
  expect(first.report).toMatchObject({ added: ["search.getQuote"], removed: [{ operation: "quotes.getQuote" }] });
  const existing = new Map([...files, ...first.files]);
  const { files: written, report } = mergeHandlers(existing, [split], {
    changes: splitChanges,
    serverPackage,
    renames: toSearch,
  });
  expect([...written.keys()]).toEqual([]);
  expect(report).toMatchObject({
    added: [],
    renamed: [],
    removed: [],
    notes: [],
    unmoved: [
      { from: "quotes.getQuote", to: "search.getQuote", newPosition: "src/stock/search/get-quote.ts:3", ...want },
    ],
  });
});

test("a run without --rename reports a handler that cannot move as the refused run does", () => {
  const moves = [{ interface: "stock", before: "quotes.getQuote", after: "search.getQuote" }];
  const files = new Map([
    ["src/handlers.ts", "export const all: StockHandlers = {\n  quotes: new Quotes(),\n};\n"],
    ["src/quotes.ts", "export class Quotes implements QuotesHandlers {\n  getQuote() {}\n  listAll() {}\n}\n"],
  ]);
  files.set("src/handlers.ts", `import { Quotes } from "./quotes.js";\n${files.get("src/handlers.ts")}`);
  const inputs = { changes: { ...splitChanges, moves }, serverPackage };
  const reports = [new Map<string, string>(), toSearch].map(
    (renames) => mergeHandlers(files, [split], { ...inputs, renames }).report,
  );
  expect(reports[0]).toMatchObject({
    removed: [],
    unmoved: [{ from: "quotes.getQuote", to: "search.getQuote", reason: "It is a member of a class." }],
  });
  expect(reports[1]).toEqual({ ...reports[0], notRenamed: ["quotes.getQuote"] });
});

test.each([
  { what: "is an alias", types: 'export type Quotes = StockHandlers["quotes"];\n', name: "Quotes", isChanged: false },
  {
    what: "is re-exported",
    types: `export type { QuotesHandlers } from "${serverPackage}/stock";\n`,
    name: "QuotesHandlers",
    isChanged: false,
  },
  {
    what: "is re-exported with all others",
    types: `export * from "${serverPackage}/stock";\n`,
    name: "QuotesHandlers",
    isChanged: true,
  },
])("the type of a handler that moves to another service, and that $what, is changed: $isChanged", (typeImport) => {
  const { types, name, isChanged } = typeImport;
  const search = { kind: "group", key: "search", children: [operation("getQuote")], service: searchService } as const;
  const services = soapTree(
    { kind: "group", key: "quotes", children: [operation("listAll")], service: quotesService },
    search,
  );
  const handler = `import type { ${name} } from "../../types.js";\nexport const getQuote: ${name}["getQuote"] = async () => 1;\n`;
  const files = new Map([
    ["src/types.ts", types],
    ["src/stock/quotes/get-quote.ts", handler],
    [
      "src/stock/handlers.ts",
      'import { getQuote } from "./quotes/get-quote.js";\nexport const all: StockHandlers = {\n  quotes: { getQuote, listAll() {} },\n  search: {},\n};\n',
    ],
  ]);
  const { files: written, report } = mergeHandlers(files, [services], {
    changes: splitChanges,
    serverPackage,
    renames: toSearch,
  });
  const changed = isChanged ? handler.replaceAll(name, "SearchHandlers") : handler;
  expect(written.get("src/stock/search/get-quote.ts")).toBe(changed);
  expect(report.notes).toEqual(
    isChanged
      ? []
      : [
          "Other code still names quotes.getQuote, which is now search.getQuote: src/stock/search/get-quote.ts:2. Change the name there.",
        ],
  );
});

test("a handler moves from one object to another on the same line", () => {
  const line = (quotes: string, search: string) =>
    `const text = "${"x".repeat(90)}";\nexport const all: StockHandlers = { quotes: { ${quotes} }, search: { ${search} } };\n`;
  const files = new Map([["src/handlers.ts", line("listAll: all, getQuote: mine", "other")]]);
  const inputs = { changes: splitChanges, serverPackage, renames: toSearch };
  const { files: written } = mergeHandlers(files, [split], inputs);
  expect(written.get("src/handlers.ts")).toBe(line("listAll: all", "other, getQuote: mine"));
});

test("a handler that moves to another group of its file takes its comments along", () => {
  const text =
    "export const all: StockHandlers = {\n  quotes: {\n    // --- Reading ---\n\n    // The latest quote,\n    /* from the cache. */\n    getQuote() {}, // fast\n    // All of them.\n    listAll() {},\n  },\n};\n";
  const { files } = mergeHandlers(new Map([["src/handlers.ts", text]]), [split], {
    changes: splitChanges,
    serverPackage,
    renames: toSearch,
  });
  expect(files.get("src/handlers.ts")).toBe(
    "export const all: StockHandlers = {\n  quotes: {\n    // --- Reading ---\n\n    // All of them.\n    listAll() {},\n  },\n  search: {\n    // The latest quote,\n    /* from the cache. */\n    getQuote() {}, // fast\n  },\n};\n",
  );
});

test.each([
  {
    what: "in its own file",
    imported: 'import { getQuote } from "./quotes/get-quote.js";\nimport { listAll } from "./list-all.js";\n',
    members: "    getQuote, // fast\n    listAll,\n",
    search: "export const search = {\n  find() {},\n};\n",
    want: {
      handlers: 'import { listAll } from "./list-all.js";\n',
      search:
        'import { getQuote } from "./get-quote.js";\nexport const search = {\n  find() {},\n  getQuote, // fast\n};\n',
    },
  },
  {
    what: "imported under another name",
    imported: 'import { getQuote as quote, listAll } from "./quotes/get-quote.js";\n',
    members: "    getQuote: quote,\n    listAll,\n",
    search: 'import { quote } from "./other.js";\nexport const search = {\n  find: quote,\n};\n',
    want: {
      handlers: 'import { listAll } from "./search/get-quote.js";\n',
      search:
        'import { quote } from "./other.js";\nimport { getQuote } from "./get-quote.js";\nexport const search = {\n  find: quote,\n  getQuote,\n};\n',
    },
  },
  {
    what: "that other code uses",
    imported: 'import { getQuote } from "./quotes/get-quote.js";\nimport { listAll } from "./list-all.js";\n',
    members: "    listAll: getQuote,\n    getQuote,\n",
    search: 'import { getQuote as mine } from "../quotes/get-quote.js";\nexport const search = {\n  find: mine,\n};\n',
    want: {
      handlers: 'import { getQuote } from "./search/get-quote.js";\nimport { listAll } from "./list-all.js";\n',
      search:
        'import { getQuote as mine } from "./get-quote.js";\nexport const search = {\n  find: mine,\n  getQuote: mine,\n};\n',
    },
  },
])("a handler $what moves to a service whose object is in another file", ({ imported, members, search, want }) => {
  const service = { kind: "group", key: "search", children: [operation("find"), operation("getQuote")] } as const;
  const quotesGroup = {
    kind: "group",
    key: "quotes",
    children: [operation("listAll")],
    service: quotesService,
  } as const;
  const handlers = (imported: string, members: string) =>
    `${imported}import { search } from "./search/all.js";\nexport const all: StockHandlers = {\n  quotes: {\n${members}  },\n  search,\n};\n`;
  const files = new Map([
    ["src/stock/handlers.ts", handlers(imported, members)],
    ["src/stock/search/all.ts", search],
    ["src/stock/search/other.ts", "export const quote = () => 1;\n"],
    ["src/stock/list-all.ts", "export const listAll = () => 1;\n"],
    ["src/stock/quotes/get-quote.ts", 'export const getQuote: StockHandlers["quotes"]["getQuote"] = () => 1;\n'],
  ]);
  const inputs = { changes: splitChanges, serverPackage };
  const tree = soapTree(quotesGroup, service);
  const first = mergeHandlers(files, [tree], inputs);
  expect(first.report).toMatchObject({ added: ["search.getQuote"], removed: [{ operation: "quotes.getQuote" }] });
  for (const existing of [files, new Map([...files, ...first.files])]) {
    const { report, files: written } = mergeHandlers(existing, [tree], { ...inputs, renames: toSearch });
    expect(report).toMatchObject({ renamed: [{ to: "search.getQuote" }], removed: [], notes: [] });
    expect(report.unmoved).toBeUndefined();
    const lastMembers = members.replace(/ {4}getQuote\b.*\n/, "");
    expect(written.get("src/stock/handlers.ts")).toBe(handlers(want.handlers, lastMembers));
    // With a new handler, the object already had this text.
    expect(written.get("src/stock/search/all.ts") ?? existing.get("src/stock/search/all.ts")).toBe(want.search);
    expect(written.get("src/stock/search/get-quote.ts")).toContain('["search"]["getQuote"] = () => 1;');
  }
});

const joined = soapTree({
  kind: "group",
  key: "quotes",
  children: [operation("listAll"), operation("getQuote")],
  service: quotesService,
});
const joinedFiles = new Map([
  [
    "src/handlers.ts",
    'import type { StockHandlers } from "@example/server/stock";\nexport const all: StockHandlers = {\n  quotes: {\n    listAll() {},\n  },\n  search: {\n    getQuote() {},\n  },\n};\n',
  ],
]);
const joinedChanges: HandlerChanges = {
  ...noChanges,
  added: [{ interface: "stock", operation: "quotes.getQuote" }],
  removed: [{ interface: "stock", operation: "search.getQuote" }],
  moves: [{ interface: "stock", before: "search.getQuote", after: "quotes.getQuote" }],
};

test("if a service becomes part of another one, the move of each of its handlers is offered", () => {
  const inputs = { changes: joinedChanges, serverPackage };
  const first = mergeHandlers(joinedFiles, [joined], inputs);
  expect(first.report).toMatchObject({
    added: ["quotes.getQuote"],
    removed: [{ operation: "search.getQuote", newPath: "quotes.getQuote" }],
  });
  const renames = new Map([["search.getQuote", "quotes.getQuote"]]);
  const second = mergeHandlers(new Map([...joinedFiles, ...first.files]), [joined], { ...inputs, renames });
  expect(second.report).toMatchObject({ renamed: [{ from: "search.getQuote" }], removed: [], notes: [] });
  expect(second.files.get("src/handlers.ts")).toContain(
    "\nexport const all: StockHandlers = {\n  quotes: {\n    listAll() {},\n    getQuote() {},\n  },\n};\n",
  );
});

test("a service is not offered as the new name of another one if it contains other handlers", () => {
  const renames = new Map([["search", "quotes"]]);
  const { report } = mergeHandlers(joinedFiles, [joined], { changes: joinedChanges, serverPackage, renames });
  expect(report.notes).toEqual(["The group quotes already has handlers, so search was not moved as a whole."]);
  expect(report.removed).toMatchObject([{ operation: "search.getQuote", newPath: "quotes.getQuote" }]);
});

test("code that still names a handler after its move to another group is reported", () => {
  const text =
    "const limits: Record<keyof QuotesHandlers, number> = {\n  getQuote: 1,\n  listAll: 2,\n};\nexport const all: StockHandlers = {\n  quotes: {\n    getQuote() {},\n    listAll() {},\n  },\n};\n";
  const { files, report } = mergeHandlers(new Map([["src/handlers.ts", text]]), [split], {
    changes: splitChanges,
    serverPackage,
    renames: toSearch,
  });
  expect(files.get("src/handlers.ts")).toContain("  search: {\n    getQuote() {},\n  },\n");
  expect(report.notes).toEqual([
    "Other code still names quotes.getQuote, which is now search.getQuote: src/handlers.ts:2. Change the name there.",
  ]);
});

test("a renamed service does not replace a service that contains other handlers", () => {
  const tree = soapTree({ kind: "group", key: "quotes", children: [operation("listAll")], service: quotesService });
  const existing = new Map([
    [
      "src/handlers.ts",
      "export const all: StockHandlers = {\n  quotes: { getQuote() {} },\n  news: { listAll() {} },\n};\n",
    ],
  ]);
  const { files, report } = mergeHandlers(existing, [tree], {
    changes: noChanges,
    serverPackage,
    renames: new Map([["news", "quotes"]]),
  });
  expect(files.get("src/handlers.ts")).toContain("getQuote() {}");
  expect(report.notes).toEqual(["The group quotes already has handlers, so news was not moved as a whole."]);
});

const clients = soapTree(
  {
    kind: "group",
    key: "clients",
    children: [operation("getQuote")],
    service: { type: "ClientsHandlers", routes: "clientsRoutes" },
  },
  { kind: "group", key: "quotes", children: [operation("listAll")], service: quotesService },
);
const customersType = {
  interface: "stock",
  service: "customers",
  type: "CustomersHandlers",
  routes: "customersRoutes",
};
const customerFiles = new Map([
  [
    "src/handlers.ts",
    'import { Customers } from "./customers.js";\nexport const all: StockHandlers = {\n  quotes: { listAll() {} },\n  customers: new Customers(),\n};\n',
  ],
  [
    "src/customers.ts",
    'import type { CustomersHandlers } from "@example/server/stock";\nexport class Customers implements CustomersHandlers { getQuote() {} }\n',
  ],
  [
    "src/limits.ts",
    'import type { CustomersHandlers as All } from "@example/server/stock";\nexport type Names = keyof All;\n',
  ],
]);

test("the removal of a service is not advised beside the question if it was renamed", () => {
  const { report } = mergeHandlers(customerFiles, [clients], {
    changes: {
      ...noChanges,
      moves: [{ interface: "stock", before: "customers.getQuote", after: "clients.getQuote" }],
      removedTypes: [customersType],
    },
    serverPackage,
  });
  expect(report).toMatchObject({ removed: [{ operation: "customers", newPath: "clients" }], notes: [] });
});

test.each(["removedTypes", "typesRemovedEarlier"])("a renamed service has its new type in all imports (%s)", (list) => {
  const { files, report } = mergeHandlers(customerFiles, [clients], {
    changes: { ...noChanges, [list]: [customersType] },
    serverPackage,
    renames: new Map([["customers", "clients"]]),
  });
  expect(report).toMatchObject({ renamed: [{ from: "customers", to: "clients" }], removed: [], notes: [] });
  for (const path of ["src/customers.ts", "src/limits.ts"]) {
    expect(files.get(path)).toBe(customerFiles.get(path)?.replaceAll("CustomersHandlers", "ClientsHandlers"));
  }
});

test("the files that import a type that no longer exists are named, with the new name of the type", () => {
  const { report } = merged(
    {
      "src/handlers.ts": `${imported}export const handlers: QuotesHandlers = { getQuote, listAll: getQuote };\n`,
      "src/store.ts": '// Mine.\nimport type { Address, Old } from "@example/server/stock";\n',
      "src/other.ts": 'import type { Address } from "elsewhere";\n',
    },
    {
      ...noChanges,
      removedNames: [
        { interface: "stock", before: "Address", after: "PostalAddress" },
        { interface: "stock", before: "Old" },
        { interface: "stock", before: "Unused" },
      ],
    },
  );
  expect(report.notes).toEqual([
    "The type Address is called PostalAddress now. Change the name in the files that import it: src/store.ts:2.",
    "The type Old no longer exists. Change the code in the files that import it: src/store.ts:2.",
  ]);
});

test.each([
  { what: "a method that is bound", listAll: "table.listAll.bind(table)", position: "src/lib.ts:3" },
  { what: "a method of an object", listAll: "table.listAll", position: "src/lib.ts:3" },
  { what: "a function of a wrapper", listAll: "logged(mine)", position: "src/lib.ts:8" },
  { what: "a function between other arguments", listAll: "logged(log, logged(mine), table)", position: "src/lib.ts:8" },
  { what: "a method of a wrapper", listAll: "logged(table.listAll)", position: "src/lib.ts:3" },
  { what: "the only result of a function", listAll: "create(table)", position: "src/lib.ts:10" },
  { what: "a result of a function that makes others, too", listAll: 'todo("listAll")', position: "src/all.ts:5" },
  { what: "one of two functions", listAll: "isLive ? mine : other", position: "src/all.ts:5" },
  { what: "a wrapper of two functions", listAll: "logged(mine, other)", position: "src/all.ts:5" },
  { what: "a method of another package", listAll: "orders.listAll.bind(orders)", position: "src/all.ts:5" },
  { what: "a function of another package", listAll: "external", position: "src/all.ts:5" },
])("a changed handler that is $what is listed where its code is", ({ listAll, position }) => {
  const lib = `class Table {
  // The list.
  listAll() {
    return [];
  }
}
export const table = new Table();
export const mine = async () => [];
export const other = async () => [];
export const create = (from: Table) => async () => from.listAll();
export const todo = (name: string) => async () => [name];
export const logged = (...values: unknown[]) => values;
export const log = new Map<string, string>();
export const isLive = true;
`;
  const code = `import { create, isLive, log, logged, mine, other, table, todo } from "./lib.js";
import { external, orders } from "@example/orders";
export const all: QuotesHandlers = {
  getQuote: todo("getQuote"),
  listAll: ${listAll},
};
`;
  const changes = { ...noChanges, changes: [{ interface: "stock", text: "changed", operations: ["listAll"] }] };
  const { report } = merged({ "src/all.ts": code, "src/lib.ts": lib }, changes);
  expect(report.changed).toMatchObject([{ operation: "listAll", position }]);
});

test("a function that makes several handlers is not removed with one of them", () => {
  const code = `import { todo } from "./todo.js";\nexport const all: QuotesHandlers = { getQuote: todo(1), listAll: todo(2), old: todo(3) };\n`;
  const todo = "export const todo = (name: number) => async () => name;\n";
  const { report } = merged({ "src/all.ts": code, "src/todo.ts": todo }, { ...old, moves: [] });
  expect(report.removed).toMatchObject([{ operation: "old", files: [], declarations: [] }]);
});

test.each([
  {
    what: "a relative path",
    given: 'import { old } from "./lib/old.js";',
    want: 'import { old } from "./lib/list-all.js";',
  },
  {
    what: "a name of the package",
    given: 'import { old } from "#app/lib/old";',
    want: 'import { old } from "#app/lib/list-all";',
  },
  {
    what: "a name with an extension",
    given: 'import { old } from "#js/lib/old.js";',
    want: 'import { old } from "#js/lib/list-all.js";',
  },
  {
    what: "a path of the compiler",
    given: 'import { old } from "@/lib/old.ts";',
    want: 'import { old } from "@/lib/list-all.ts";',
  },
  { what: "an export", given: 'export { old } from "#app/lib/old";', want: 'export { old } from "#app/lib/list-all";' },
  {
    what: "a dynamic import",
    given: 'const load = () => import("./lib/old.js");',
    want: 'const load = () => import("./lib/list-all.js");',
  },
  {
    what: "a dynamic import of a name",
    given: 'const load = () => import("#app/lib/old");',
    want: 'const load = () => import("#app/lib/list-all");',
  },
  {
    what: "an imported type",
    given: 'type Old = typeof import("#app/lib/old");',
    want: 'type Old = typeof import("#app/lib/list-all");',
  },
  {
    what: "an imported type with an extension",
    given: 'type Old = typeof import("./lib/old.js");',
    want: 'type Old = typeof import("./lib/list-all.js");',
  },
])("when the file of a handler gets another name, $what keeps its form", ({ given, want }) => {
  const files = {
    "package.json": '{ "imports": { "#app/*": "./src/*.ts", "#js/*.js": "./src/*.ts" } }',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    "src/lib/old.ts": "export const old = async () => 1; // mine\n",
    "src/lib/all.ts": `import { getQuote } from "./get-quote.js";\nimport { old } from "#app/lib/old";\nexport const all: QuotesHandlers = { getQuote, old };\n`,
    "src/other.ts": `${given}\n`,
  };
  const { all, movedFrom } = merged(files, { ...old, added: [] }, new Map([["old", "listAll"]]));
  expect([...movedFrom]).toEqual([["src/lib/list-all.ts", "src/lib/old.ts"]]);
  expect(all.get("src/other.ts")?.replace(/\blistAll as old\b|\blistAll\b/, "old")).toBe(`${want}\n`);
  expect(all.get("src/lib/all.ts")).toContain('import { listAll } from "#app/lib/list-all";');
});
