import { expect, test } from "vitest";
import type { HandlerChanges } from "../../src/scaffold/handler-changes.js";
import type { HandlerTree } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";
import { noChanges, operation, serverPackage, soapTree } from "./handler-tree.js";

// Handlers that no property of an object literal declares: exports of a namespace, assignments, and results of helpers.

const tree: HandlerTree = {
  ...soapTree(operation("getQuote"), operation("listAll")),
  type: "QuotesHandlers",
  routes: "quotesRoutes",
};
const added: HandlerChanges = { ...noChanges, added: [{ interface: "stock", operation: "listAll" }] };
const removed: HandlerChanges = { ...noChanges, removed: [{ interface: "stock", operation: "old" }] };

function merged(
  code: string,
  {
    changes = noChanges,
    files = {},
    renames = new Map(),
  }: {
    readonly changes?: HandlerChanges;
    readonly files?: Readonly<Record<string, string>>;
    readonly renames?: ReadonlyMap<string, string>;
  } = {},
) {
  const start = 'import type { QuotesHandlers } from "@example/server/stock";\n';
  const existing = new Map(Object.entries({ "src/handlers.ts": start + code, ...files }));
  return mergeHandlers(existing, [tree], { changes, serverPackage, renames });
}

const helperCall = '{ ...guard("getQuote", () => 1), ...guard("listAll", () => []) }';
const helpers = [
  "const guard = <K extends keyof QuotesHandlers>(name: K, run: QuotesHandlers[K]) => ({ [name]: run }) as Pick<QuotesHandlers, K>;",
  "function guard(name: string, run: unknown): any {\n  const made: any = { [name]: run };\n  return made;\n}",
  "function guard<K extends keyof QuotesHandlers>(name: K, run: QuotesHandlers[K]) {\n  const made = {} as Pick<QuotesHandlers, K>;\n  made[name] = run;\n  return made;\n}",
  "function guard(name: string, run: unknown) {\n  const made = {};\n  (made as any)[name] = run;\n  return made;\n}",
  "function guard(name: string, run: unknown) {\n  const made = {};\n  Object.assign(made, Object.fromEntries([[name, run]]));\n  return made;\n}",
  "function guard(name: string, run: unknown) {\n  const made = {};\n  Object.defineProperty(made, name, { value: run });\n  return made;\n}",
  "const all = { getQuote: 1 };\nconst guard = (name: string, all: object) => ({ ...all });",
];

test.each(helpers)("no handler is added beside the results of the helper %s", (helper) => {
  for (const changes of [noChanges, added]) {
    const { files, report } = merged(`${helper}\nexport const all: QuotesHandlers = ${helperCall};\n`, { changes });
    expect([...files.keys()]).toEqual([]);
    expect(report).toMatchObject({ added: [], removed: [] });
    const isUnknown = (key: string) =>
      report.notes.some((note) => note.includes(`has a handler for ${key}.`)) ||
      report.absent?.some(({ reason, operations }) => reason === "unknown" && operations.includes(key));
    expect(["getQuote", "listAll"].filter((key) => !isUnknown(key))).toEqual([]);
  }
});

test.each([
  { what: "a member", code: "const all: any = {};\nall.getQuote = () => 1;\nall.listAll = () => [];\n" },
  {
    what: "a member in brackets",
    code: 'const all = { getQuote: () => 1 } as QuotesHandlers;\n(all as any)["listAll"] = () => [];\n',
  },
  { what: "a member that may exist", code: "const all: any = { listAll: () => [] };\nall.getQuote ??= () => 1;\n" },
])("a handler that is assigned to $what is not added", ({ code }) => {
  const { files, report } = merged(`${code}quotesRoutes(all);\n`);
  expect([...files.keys()]).toEqual([]);
  expect(report).toEqual({ added: [], candidates: [], renamed: [], removed: [], changed: [], notes: [] });
});

test("an assigned handler is reported at the assignment, and not moved", () => {
  const code = "const all: any = { getQuote: () => 1, listAll: () => [] };\nall.old = () => 1;\nquotesRoutes(all);\n";
  const { report } = merged(code, { changes: removed });
  expect(report.removed).toMatchObject([{ operation: "old", position: "src/handlers.ts:3" }]);
  const moved = merged(code.replace(", listAll: () => []", ""), {
    changes: removed,
    renames: new Map([["old", "listAll"]]),
  });
  expect(moved.report).toMatchObject({
    renamed: [],
    unmoved: [{ from: "old", to: "listAll", reason: "Other code assigns it to the object of the handlers." }],
  });
});

const spread =
  'import * as quotes from "./quotes.js";\nexport const all: QuotesHandlers = {\n  ...quotes,\n};\nquotesRoutes(all);\n';

test.each([
  { what: "are declared", code: "export const getQuote = () => 1;\nexport function listAll() {}\n" },
  {
    what: "are re-exported",
    code: 'export { one as getQuote } from "./one.js";\nexport * from "./more.js";\nconst format = 1;\n',
  },
])("the exports of a namespace are handlers if they $what", ({ code }) => {
  const files = {
    "src/one.ts": "export const one = () => 1;\n",
    "src/more.ts": "export const listAll = () => [];\nexport const format = () => 1;\nexport type Old = 1;\n",
    "src/quotes.ts": code,
  };
  const { files: changed, report } = merged(spread, { files });
  expect([...changed.keys()]).toEqual([]);
  expect(report).toEqual({ added: [], candidates: [], renamed: [], removed: [], changed: [], notes: [] });
});

test("a handler is added beside a namespace, and a removed export is reported where it is declared", () => {
  const files = { "src/quotes.ts": "export const getQuote = () => 1;\nexport const old = () => 1;\n" };
  const { files: changed, report } = merged(spread, { files, changes: { ...added, removed: removed.removed } });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect(report.removed).toMatchObject([{ operation: "old", position: "src/quotes.ts:2" }]);
  expect(changed.get("src/handlers.ts")).toContain("  ...quotes,\n  listAll,\n};");
  const moved = merged(spread, { files, changes: removed, renames: new Map([["old", "listAll"]]) }).report;
  expect(moved).toMatchObject({
    renamed: [],
    unmoved: [{ from: "old", to: "listAll", reason: "The object of the handlers spreads all exports of its file." }],
  });
});

test("a namespace with unknown exports may contain a handler", () => {
  const files = { "src/quotes.ts": 'export * from "./missing.js";\nexport const getQuote = () => 1;\n' };
  const { report } = merged(spread, { files });
  expect(report.absent).toEqual([{ position: "src/handlers.ts:3", reason: "unknown", operations: ["listAll"] }]);
});

test("a removed operation is reported beside an unknown spread only while code may contain its handler", () => {
  const code = (member: string) =>
    `const make = () => Object.fromEntries(Object.entries({ ${member}getQuote: () => 1 }));\nexport const all: QuotesHandlers = { ...make(), listAll: () => [] };\n`;
  expect(merged(code("old: () => 1, "), { changes: removed }).report.notes).toEqual([
    expect.stringContaining("Remove the handlers of old, which are no longer in the schema."),
  ]);
  expect(merged(code(""), { changes: removed }).report.notes).toEqual([]);
});

test.each([noChanges, removed])("the arguments of Object.assign are not changed", (changes) => {
  for (const parts of [
    "{ getQuote: () => 1 }, { old: () => 1 }",
    "{ getQuote: () => 1 }, more",
    "more, { getQuote: () => 1 }",
  ]) {
    const { files, report } = merged(
      `declare const more: any;\nexport const all: QuotesHandlers = Object.assign({}, ${parts});\n`,
      { changes },
    );
    expect([...files.keys()]).toEqual([]);
    expect(report.notes.length + (report.absent?.length ?? 0)).toBe(1);
  }
});

test.each([
  { type: "Record<keyof QuotesHandlers, string>", missing: true },
  { type: "Readonly<Record<Name, string>>", missing: true },
  { type: "{ readonly [K in keyof QuotesHandlers]: string }", missing: true },
  { type: '{ [K in Exclude<Name, "getQuote">]: string } & { getQuote: string }', missing: true },
  { type: "QuotesHandlers", missing: true },
  { type: "Partial<Record<Name, string>>", missing: false },
  { type: "{ [K in keyof QuotesHandlers]?: string }", missing: false },
  { type: 'Record<Exclude<Name, "listAll">, string>', missing: false },
  { type: 'Record<"getQuote", string>', missing: false },
  { type: "Record<string, string>", missing: false },
  { type: "Other", missing: false },
])("another object of the type $type that lacks a new operation is named: $missing", ({ type, missing }) => {
  const table = `type Name = keyof QuotesHandlers;\nexport const table: ${type} = {\n  getQuote: "one",\n};\nexport const cast = { getQuote: "one" } as ${type};\n`;
  const handlers = "export const all: QuotesHandlers = { getQuote: () => 1 };\nquotesRoutes(all);\n";
  for (const path of ["src/table.ts", "src/test/table.test.ts"]) {
    const files = { [path]: `import type { QuotesHandlers } from "@example/server/stock";\n${table}` };
    const { report } = merged(handlers, { files, changes: added });
    const note = `${path}:3: Add listAll to this object. Its type requires the members of all handlers.`;
    expect(report).toMatchObject({ added: ["listAll"], notes: missing ? [note] : [] });
    const complete = handlers.replace("() => 1 }", "() => 1, listAll: () => [] }");
    expect(merged(complete, { files }).report.notes).toEqual(missing ? [note] : []);
  }
});

test("a new handler is added to the spread object whose mapped type requires it", () => {
  const code =
    'type Reading = "getQuote";\nconst reading: Pick<QuotesHandlers, Reading> = { getQuote: () => 1 };\nconst writing: { [K in Exclude<keyof QuotesHandlers, Reading>]: QuotesHandlers[K] } = {\n};\nexport const all: QuotesHandlers = { ...writing, ...reading };\nquotesRoutes(all);\n';
  const { files, report } = merged(code, { changes: added });
  expect(report).toMatchObject({ added: ["listAll"], notes: [] });
  expect(files.get("src/handlers.ts")).toContain("= {\n  listAll,\n};\nexport");
});

test("another object need not get a member that a rename will give it", () => {
  const handlers =
    'export const all: QuotesHandlers = { getQuote: () => 1, old: () => [] };\nconst names: Record<keyof QuotesHandlers, string> = { getQuote: "", old: "" };\nquotesRoutes(all);\n';
  const move = { interface: "stock", before: "old", after: "listAll" };
  const changes = { ...added, removed: removed.removed, moves: [move] };
  const first = merged(handlers, { changes });
  expect(first.report).toMatchObject({ removed: [{ newPath: "listAll" }], notes: [] });
  const second = merged(handlers, { changes, renames: new Map([["old", "listAll"]]) });
  expect(second.report).toMatchObject({ renamed: [{ from: "old", to: "listAll" }], notes: [] });
  expect(second.files.get("src/handlers.ts")).toContain('= { getQuote: "", listAll: "" };');
});

test("a handler is added to the object that a constructor assigns", () => {
  const site: HandlerTree = {
    ...soapTree({ kind: "group", key: "v1", children: [operation("get"), operation("list")] }),
    type: "SiteHandlers",
    kind: "rest",
  };
  const code = (statements: string) =>
    `export class Site implements SiteHandlers {\n  readonly v1: SiteHandlers["v1"];\n\n  constructor() {\n    this.v1 = {\n      get: () => 1,\n    };\n${statements}  }\n}\n`;
  const mergeSite = (text: string) =>
    mergeHandlers(new Map([["src/site.ts", text]]), [site], { changes: noChanges, serverPackage });
  const { files, report } = mergeSite(code(""));
  expect(report).toMatchObject({ added: ["v1.list"], notes: [] });
  expect(files.get("src/site.ts")).toContain("      get: () => 1,\n      list,\n    };");
  const second = mergeSite(code("    this.v1 = other;\n"));
  expect([...second.files]).toEqual([]);
  expect(second.report.absent).toEqual([{ position: "src/site.ts:2", reason: "unread", operations: ["v1"] }]);
});
