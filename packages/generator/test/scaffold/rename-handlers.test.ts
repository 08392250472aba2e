import { expect, test } from "vitest";
import type { HandlerChanges } from "../../src/scaffold/handler-changes.js";
import type { HandlerNode } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";
import { noChanges, operation, serverPackage, soapTree } from "./handler-tree.js";

// The code, beside the handlers, that names a handler of a renamed or removed operation.

const operationPackages = ["@example/client", "@example/contract"];

const service = (key: string, type: string, ...keys: string[]): HandlerNode => ({
  kind: "group",
  key,
  children: keys.map(operation),
  service: { type: `${type}Handlers`, routes: `${key}Routes` },
});

/** Merges the handlers of the services `depot` and `shop`, whose operation `lookUp` is now `lookUpLevel`. */
function merged(
  code: string,
  renames: readonly (readonly [string, string])[] = [["depot.lookUp", "depot.lookUpLevel"]],
  changes = noChanges,
) {
  const handlers =
    "export const handlers: StockHandlers = {\n  depot: {\n    lookUp: async () => 1,\n  },\n  shop: {\n    buy: () => 2,\n  },\n};\n";
  const files = new Map([
    ["src/handlers.ts", `import type { StockHandlers } from "@example/server/stock";\n${handlers}`],
    ["src/routes.ts", 'import { handlers } from "./handlers.js";\nexport const routes = [stockRoutes(handlers)];\n'],
    [
      "src/mine.ts",
      `import { DepotHandlers, StockHandlers } from "@example/server/stock";\nimport { handlers } from "./handlers.js";\n${code}\n`,
    ],
  ]);
  const tree = {
    ...soapTree(service("depot", "Depot", "lookUpLevel"), service("shop", "Shop", "buy")),
    sameMembers: new Map([
      ["StockClient", []],
      ["DepotClient", ["depot"]],
    ]),
  };
  const { files: changed, report } = mergeHandlers(files, [tree], {
    changes,
    serverPackage,
    operationPackages,
    renames: new Map(renames),
  });
  const text = (changed.get("src/mine.ts") ?? files.get("src/mine.ts") ?? "").split("\n").slice(2, -1).join("\n");
  return { text, report };
}

test.each([
  { given: "handlers.depot.lookUp({});", want: "handlers.depot.lookUpLevel({});" },
  { given: 'handlers["depot"]?.["lookUp"]({});', want: 'handlers["depot"]?.["lookUpLevel"]({});' },
  {
    given: "const first = (all: StockHandlers) => all.depot.lookUp({});",
    want: "const first = (all: StockHandlers) => all.depot.lookUpLevel({});",
  },
  {
    given: "const first = (depot: DepotHandlers) => depot.lookUp({});",
    want: "const first = (depot: DepotHandlers) => depot.lookUpLevel({});",
  },
  {
    given: 'type Depot = StockHandlers["depot"];\nconst first = ({ lookUp }: Readonly<Depot>) => lookUp({});',
    want: 'type Depot = StockHandlers["depot"];\nconst first = ({ lookUpLevel: lookUp }: Readonly<Depot>) => lookUp({});',
  },
  {
    given: "const { depot: mine } = handlers;\nmine.lookUp({});",
    want: "const { depot: mine } = handlers;\nmine.lookUpLevel({});",
  },
  {
    given: "const make = (): StockHandlers => handlers;\nmake().depot.lookUp({});",
    want: "const make = (): StockHandlers => handlers;\nmake().depot.lookUpLevel({});",
  },
  {
    given:
      "class Test {\n  readonly #all: StockHandlers = handlers;\n  run() {\n    this.#all.depot.lookUp({});\n  }\n}",
    want: "class Test {\n  readonly #all: StockHandlers = handlers;\n  run() {\n    this.#all.depot.lookUpLevel({});\n  }\n}",
  },
  {
    given: "const first = (all: typeof handlers) => all.depot.lookUp({});",
    want: "const first = (all: typeof handlers) => all.depot.lookUpLevel({});",
  },
  {
    given: 'type All = typeof handlers;\nconst first: All["depot"]["lookUp"] = () => 1;',
    want: 'type All = typeof handlers;\nconst first: All["depot"]["lookUpLevel"] = () => 1;',
  },
  {
    given: 'const first: (typeof handlers)["depot"]["lookUp"] = () => 1;',
    want: 'const first: (typeof handlers)["depot"]["lookUpLevel"] = () => 1;',
  },
  {
    given: 'const first: import("@example/server/stock").StockHandlers["depot"]["lookUp"] = () => 1;',
    want: 'const first: import("@example/server/stock").StockHandlers["depot"]["lookUpLevel"] = () => 1;',
  },
  {
    given: "const first: typeof handlers.depot.lookUp = () => 1;",
    want: "const first: typeof handlers.depot.lookUpLevel = () => 1;",
  },
  {
    given: 'const names: (keyof typeof handlers.depot)[] = ["lookUp"];',
    want: 'const names: (keyof typeof handlers.depot)[] = ["lookUpLevel"];',
  },
  {
    given: 'const first = (some: Pick<typeof handlers.depot, "lookUp">) => some.lookUp({});',
    want: 'const first = (some: Pick<typeof handlers.depot, "lookUpLevel">) => some.lookUpLevel({});',
  },
  {
    given:
      "type All = StockHandlers;\nclass Mine implements All {\n  depot = { lookUp: () => 1 };\n  shop = handlers.shop;\n  run() {\n    this.depot.lookUp();\n  }\n}",
    want: "type All = StockHandlers;\nclass Mine implements All {\n  depot = { lookUpLevel: () => 1 };\n  shop = handlers.shop;\n  run() {\n    this.depot.lookUpLevel();\n  }\n}",
  },
  {
    given:
      "class Mine implements DepotHandlers {\n  async lookUp() {\n    return 1;\n  }\n}\nconst mine = new Mine();\nmine.lookUp();",
    want: "class Mine implements DepotHandlers {\n  async lookUpLevel() {\n    return 1;\n  }\n}\nconst mine = new Mine();\nmine.lookUpLevel();",
  },
  {
    given:
      "interface All extends StockHandlers {\n  readonly more: string;\n}\nconst first = (all: All) => all.depot.lookUp({});",
    want: "interface All extends StockHandlers {\n  readonly more: string;\n}\nconst first = (all: All) => all.depot.lookUpLevel({});",
  },
  {
    given: "const client = new StockClient();\nclient.depot.lookUp({});",
    want: "const client = new StockClient();\nclient.depot.lookUpLevel({});",
  },
  {
    given: "const first = (client: stock.DepotClient<Options>) => client.lookUp({});",
    want: "const first = (client: stock.DepotClient<Options>) => client.lookUpLevel({});",
  },
])("a member access that certainly names a renamed handler is changed: $want", ({ given, want }) => {
  const { text, report } = merged(given);
  expect(text).toBe(want);
  expect(report.notes).toEqual([]);
});

test.each([
  "const first = (handlers: Other) => handlers.depot.lookUp({});",
  "const other = { depot: { lookUp() {} } };\nother.depot.lookUp();",
  "handlers.shop.lookUp({});",
  "for (const handlers of others) {\n  handlers.depot.lookUp({});\n}",
  "const { handlers } = others;\nhandlers.depot.lookUp({});",
  "const circle: typeof circle = { lookUp: () => 1 };\ncircle.depot.lookUp({});",
  "class Other {\n  lookUp() {}\n}\nconst other: Other = { lookUp() {} };\nnew Other().lookUp();",
  "const names = { lookUp: 1 };\nlet other: stock.lookUp = names;",
])("a member access on another object is not changed: %s", (code) => {
  const text = code.startsWith("const { handlers }") ? `{\n${code}\n}` : code;
  expect(merged(text).text).toBe(text);
});

test.each([
  {
    given: "const fake: DepotHandlers = { lookUp: async () => 1 };",
    want: "const fake: DepotHandlers = { lookUpLevel: async () => 1 };",
  },
  {
    given: "const fake: Partial<StockHandlers> = { depot: { async lookUp() {} } };",
    want: "const fake: Partial<StockHandlers> = { depot: { async lookUpLevel() {} } };",
  },
  {
    given: "const fake = { depot: { lookUp: () => 1 }, shop: handlers.shop } satisfies StockHandlers;",
    want: "const fake = { depot: { lookUpLevel: () => 1 }, shop: handlers.shop } satisfies StockHandlers;",
  },
  {
    given: "export const fake = (): DepotHandlers => {\n  return { lookUp };\n};",
    want: "export const fake = (): DepotHandlers => {\n  return { lookUpLevel: lookUp };\n};",
  },
  {
    given: "serve(depotRoutes({ lookUp: () => 1 }));",
    want: "serve(depotRoutes({ lookUpLevel: () => 1 }));",
  },
  {
    given: "class Fake implements Partial<DepotHandlers> {\n  readonly lookUp = () => 1;\n}",
    want: "class Fake implements Partial<DepotHandlers> {\n  readonly lookUpLevel = () => 1;\n}",
  },
  {
    given:
      'class Fake implements DepotHandlers {\n  async "lookUp"() {}\n}\nclass Next extends Fake {\n  async lookUp() {}\n}',
    want: "class Fake implements DepotHandlers {\n  async lookUpLevel() {}\n}\nclass Next extends Fake {\n  async lookUpLevel() {}\n}",
  },
])("a member of another object of the same type is changed, or reported: $want", ({ given, want }) => {
  expect(merged(given)).toMatchObject({ text: want, report: { notes: [] } });
  expect(merged(given, []).report.removed[0]?.uses).toContainEqual(expect.stringMatching(/^src\/mine\.ts:/));
});

test("a member access on the service of a renamed service is changed", () => {
  const tree = soapTree(service("stock", "Depot", "lookUp"));
  const text =
    "const handlers: StockHandlers = {\n  depot: {\n    lookUp: () => 1,\n  },\n};\nhandlers.depot.lookUp();\n";
  const renames = new Map([["depot", "stock"]]);
  const { files } = mergeHandlers(new Map([["src/all.ts", text]]), [tree], {
    changes: noChanges,
    serverPackage,
    renames,
  });
  expect(files.get("src/all.ts")).toContain("\nhandlers.stock.lookUp();\n");
});

test("a member access follows a handler to another service, or is reported", () => {
  const { text, report } = merged("handlers.depot.lookUp({});\nconst { lookUp } = handlers.depot;", [
    ["depot.lookUp", "shop.buy"],
  ]);
  expect(report.notes).not.toContainEqual(expect.stringContaining("Other code still names"));
  expect(text).toContain("handlers.depot.lookUp({});");
});

test("a member access on a removed handler is reported", () => {
  const { report } = merged("handlers.depot.lookUp({});", []);
  expect(report.removed).toMatchObject([{ operation: "depot.lookUp", uses: ["src/mine.ts:3"] }]);
});

const changes: HandlerChanges = {
  ...noChanges,
  removedNames: [
    { interface: "stock", before: "lookUp", after: "lookUpLevel", operation: "depot.lookUpLevel", isOperation: true },
  ],
};

test.each(operationPackages)("the import of a renamed operation from %s is changed, or reported", (name) => {
  const module = `${name}/stock/operations`;
  const code = `import { lookUp } from "${module}";\nuse(lookUp, { lookUp }, handlers.depot.lookUp, other.lookUp);`;
  expect(merged(code, undefined, changes)).toMatchObject({
    text: `import { lookUpLevel } from "${module}";\nuse(lookUpLevel, { lookUp: lookUpLevel }, handlers.depot.lookUpLevel, other.lookUp);`,
    report: { notes: [] },
  });
  expect(merged(code, [] as never, changes).report.notes).toEqual([
    "The operation lookUp no longer exists. If it was renamed to depot.lookUpLevel, the new name is lookUpLevel. Change the code in the files that import it: src/mine.ts:3.",
  ]);
});

test.each([
  {
    given: "use(operations.lookUp, operations.other, other.lookUp);",
    want: "use(operations.lookUpLevel, operations.other, other.lookUp);",
  },
  { given: "const { lookUp } = operations;", want: "const { lookUpLevel: lookUp } = operations;" },
  { given: "const { lookUp: mine } = operations;", want: "const { lookUpLevel: mine } = operations;" },
  { given: "let mine: typeof operations.lookUp;", want: "let mine: typeof operations.lookUpLevel;" },
  { given: 'use(operations["lookUp"]);', want: 'use(operations["lookUpLevel"]);' },
])("a renamed operation is renamed in a namespace import, or reported: $want", ({ given, want }) => {
  const start = 'import * as operations from "@example/client/stock/operations";\n';
  expect(merged(`${start}${given}`, undefined, changes)).toMatchObject({
    text: `${start}${want}`,
    report: { notes: [] },
  });
  expect(merged(`${start}${given}`, [] as never, changes).report.notes).toEqual([
    "The operation lookUp no longer exists. If it was renamed to depot.lookUpLevel, the new name is lookUpLevel. Change the code in the files that import it: src/mine.ts:4.",
  ]);
});

test("the import of a renamed operation keeps its name in a file that declares the name again", () => {
  const code =
    'import { lookUp } from "@example/client/stock/operations";\nconst use = (lookUp: string) => lookUp;\nuse(lookUp);';
  expect(merged(code, undefined, changes).text).toBe(code.replace("{ lookUp }", "{ lookUpLevel as lookUp }"));
});

const shop: HandlerNode = { kind: "group", key: "orders", children: [operation("list"), operation("get")] };

test.each([
  { alias: 'type Book = StockHandlers["orders"];', implemented: "Book", type: "Book" },
  { alias: 'type Book = Readonly<StockHandlers["orders"]>;', implemented: "Book", type: "Book" },
  {
    alias: 'type Book = NonNullable<StockHandlers["orders"]>;',
    implemented: 'Pick<Required<Book>, "list">',
    type: "Book",
  },
  {
    alias: "",
    implemented: 'NonNullable<StockHandlers["orders"]>',
    type: 'StockHandlers["orders"]',
  },
  { alias: 'import type { Book } from "./types.js";', implemented: "Book", type: "Book" },
])("a handler is added to a class that implements $implemented: $alias", ({ alias, implemented, type }) => {
  const text = `${alias}\nclass Orders implements ${implemented} {\n  async list() {}\n}\nexport const handlers: StockHandlers = { orders: new Orders() };\n`;
  const files = new Map([
    ["src/types.ts", 'export type Book = StockHandlers["orders"];\n'],
    ["src/handlers.ts", text],
  ]);
  const { files: changed, report } = mergeHandlers(files, [soapTree(shop)], { changes: noChanges, serverPackage });
  expect(report).toMatchObject({ added: ["orders.get"], notes: [] });
  expect(changed.get("src/handlers.ts")).toContain(`  readonly get: ${type}["get"] = async`);
});

test.each([
  { declared: "type All = StockHandlers;" },
  { declared: "interface All extends StockHandlers {}" },
  { declared: 'import type { All } from "./types.js";' },
])("the handlers are found in a class that implements an alias of their type: $declared", ({ declared }) => {
  const text = (depot: string) =>
    `${declared}\nexport class Mine implements All {\n  readonly depot = {\n    ${depot}: async () => this.count(),\n  };\n  count() {\n    return 1;\n  }\n}\n`;
  const files = new Map([
    ["src/mine.ts", text("lookUp")],
    ["src/types.ts", 'import type { StockHandlers } from "@example/server/stock";\nexport type All = StockHandlers;\n'],
  ]);
  const renames = new Map([["depot.lookUp", "depot.lookUpLevel"]]);
  const tree = soapTree(service("depot", "Depot", "lookUpLevel"));
  const { files: changed, report } = mergeHandlers(files, [tree], { changes: noChanges, serverPackage, renames });
  expect(report).toMatchObject({ renamed: [{ from: "depot.lookUp", to: "depot.lookUpLevel" }], notes: [] });
  expect([...changed]).toEqual([["src/mine.ts", text("lookUpLevel")]]);
});

test.each([
  { path: "src/test/fake.ts", code: "export const fake: StockHandlers = {};" },
  { path: "src/fake.test.ts", code: "export const fake: StockHandlers = {};" },
  { path: "src/fake.ts", code: "export const fake: Partial<StockHandlers> = {};" },
  { path: "src/fake.ts", code: 'class Fake implements Pick<StockHandlers, "depot"> {}' },
])("fake handlers are not the handlers of the server: $path, $code", ({ path, code }) => {
  const files = new Map([[path, `import type { StockHandlers } from "@example/server/stock";\n${code}\n`]]);
  const { files: changed } = mergeHandlers(files, [soapTree(service("depot", "Depot", "lookUp"))], {
    changes: noChanges,
    serverPackage,
  });
  expect([...changed.keys()]).not.toContain(path);
});

test.each([
  'export const handlers: StockHandlers & { mine: string } = { depot: { lookUp }, mine: "a" };',
  'interface Mine extends StockHandlers {\n  mine(): string;\n}\nexport const handlers: Mine = { depot: { lookUp }, mine: () => "a" };',
  'interface Mine extends StockHandlers {\n  readonly mine: string;\n}\nexport function make(): Promise<Mine> {\n  return { depot: { lookUp }, mine: "a" };\n}',
])("another member that the type of the handlers declares is not a handler to remove: %s", (code) => {
  const start = 'import type { StockHandlers } from "@example/server/stock";\nconst lookUp = () => 1;\n';
  const files = new Map([
    ["src/mine.ts", `${start}${code}\nserve(stockRoutes(${code.includes("make") ? "make()" : "handlers"}));\n`],
  ]);
  const { report } = mergeHandlers(files, [soapTree(service("depot", "Depot", "lookUp"))], {
    changes: noChanges,
    serverPackage,
  });
  expect(report.removed).toEqual([]);
});

test("an object with handlers is reported where the schema has one operation now", () => {
  const text = `export const handlers: StockHandlers = {\n  depot: {\n    lookUp: { get: () => 1 },\n  },\n};\n`;
  const tree = soapTree(service("depot", "Depot", "lookUp"));
  const { report } = mergeHandlers(new Map([["src/mine.ts", text]]), [tree], { changes: noChanges, serverPackage });
  expect(report.notes).toEqual([
    "src/mine.ts:3: depot.lookUp is one operation now, not a group of operations. Write its handler, a function, in place of the object.",
  ]);
});

const literal = "{\n  depot: {\n    lookUp: () => 1,\n  },\n  shop: {\n    buy: () => 2,\n  },\n}";
const [inDefault, inNamespace] = ["all.depot.lookUp({});", "all.default.depot.lookUp({});"];

test.each([
  {
    all: `export default ${literal} satisfies StockHandlers;\n`,
    imported: 'import all from "./all.js";',
    use: inDefault,
  },
  {
    all: `export default ${literal} as const satisfies StockHandlers;\n`,
    imported: 'import { default as all } from "./all.js";',
    use: inDefault,
  },
  {
    all: `export default Object.freeze(${literal} satisfies StockHandlers);\n`,
    imported: 'import all from "./all.js";',
    use: inDefault,
  },
  {
    all: `const all: StockHandlers = ${literal};\nexport default all;\n`,
    imported: 'import all from "./all.js";',
    use: inDefault,
  },
  {
    all: `const made: StockHandlers = ${literal};\nexport { made as default };\n`,
    imported: 'import all from "./all.js";',
    use: inDefault,
  },
  {
    all: `export default ${literal} satisfies StockHandlers;\n`,
    imported: 'import * as all from "./all.js";',
    use: inNamespace,
  },
  {
    all: `export default ${literal} satisfies StockHandlers;\n`,
    imported: 'import { all } from "./index.js";',
    use: inDefault,
  },
  {
    all: `class Stock implements StockHandlers ${literal.replaceAll(": {", " = {").replaceAll("},", "};").replace("lookUp: () => 1,", "lookUp: () => 1")}\nexport default new Stock();\n`,
    imported: 'import all from "./all.js";',
    use: inDefault,
  },
])("a member access after $imported is changed, or reported: $all", ({ all, imported, use }) => {
  const tree = soapTree(service("depot", "Depot", "lookUpLevel"), service("shop", "Shop", "buy"));
  const files = new Map([
    ["src/all.ts", all],
    ["src/index.ts", 'export { default as all } from "./all.js";\n'],
    ["src/routes.ts", 'import all from "./all.js";\nexport const routes = [stockRoutes(all)];\n'],
    ["src/mine.ts", `${imported}\n${use}\n`],
  ]);
  const inputs = { changes: noChanges, serverPackage, operationPackages };
  const renames = new Map([["depot.lookUp", "depot.lookUpLevel"]]);
  const { files: changed, report } = mergeHandlers(files, [tree], { ...inputs, renames });
  expect(report).toMatchObject({ notes: [], renamed: [{ to: "depot.lookUpLevel" }] });
  expect(changed.get("src/mine.ts")).toBe(`${imported}\n${use.replace("lookUp", "lookUpLevel")}\n`);
  const { removed } = mergeHandlers(files, [tree], inputs).report;
  expect(removed[0]?.uses).toEqual(["src/mine.ts:2"]);
});

test("the name of a message is changed in the type of an import, or reported", () => {
  const removedNames = [{ interface: "stock", before: "LookUp", after: "LookUpLevel", operation: "depot.lookUpLevel" }];
  const code = 'type In = import("@example/server/stock").LookUp;\ntype Other = import("@example/other").LookUp;';
  expect(merged(code, undefined, { ...noChanges, removedNames })).toMatchObject({
    text: code.replace("LookUp;", "LookUpLevel;"),
    report: { notes: [] },
  });
  expect(merged(code, [], { ...noChanges, removedNames }).report.notes).toEqual([
    "The type LookUp no longer exists. If its operation was renamed to depot.lookUpLevel, the new name is LookUpLevel. Change the code in the files that import it: src/mine.ts:3.",
  ]);
});

test("a getter of a handler is renamed, and is not listed as other code that names the handler", () => {
  const tree = soapTree(operation("lookUpLevel"));
  const code =
    "const lookUp = () => 1;\nexport const all = Object.freeze({\n  // mine\n  get lookUp() { return lookUp; },\n} as StockHandlers);\nstockRoutes(all);\n";
  const inputs = { changes: noChanges, serverPackage };
  const { report, files } = mergeHandlers(new Map([["src/all.ts", code]]), [tree], {
    ...inputs,
    renames: new Map([["lookUp", "lookUpLevel"]]),
  });
  expect(report).toMatchObject({ added: [], removed: [], renamed: [{ from: "lookUp", to: "lookUpLevel" }] });
  expect([...files]).toEqual([["src/all.ts", code.replace("get lookUp()", "get lookUpLevel()")]]);
});

test("a handler in a class of the user is not listed as other code that names it", () => {
  const code =
    'class Depot implements Pick<StockHandlers, "lookUp"> {\n  lookUp = () => 1;\n}\nexport const depot = new Depot();\n';
  const handlers =
    'import { depot } from "./depot.js";\nexport const all: StockHandlers = {\n  lookUp: depot.lookUp,\n};\nstockRoutes(all);\n';
  const files = new Map([
    ["src/all.ts", handlers],
    ["src/depot.ts", code],
  ]);
  const { report } = mergeHandlers(files, [soapTree()], { changes: noChanges, serverPackage });
  expect(report.removed).toMatchObject([
    { operation: "lookUp", declarations: ["src/depot.ts:2"], uses: ["src/depot.ts:1"] },
  ]);
});

const jsDocTypes = [
  { given: '/** @type {import("@example/server/stock").DepotHandlers["lookUp"]} */\nconst one = () => 1;' },
  { given: '/** @param {import("@example/server/stock").LookUp} input */\nexport function one(input) {}' },
  {
    given:
      '/**\n * Looks up.\n *\n * @param {Readonly<import("@example/server/stock").LookUp>} input\n */\nconst one = (input) => 1;',
  },
  {
    given:
      '/** @typedef {import("@example/server/stock").StockHandlers["depot"]} Depot */\n/** @type {Depot["lookUp"]} */\nconst one = () => 1;',
  },
  { given: '/** @type {import("./types.js").Depot["lookUp"]} */\nconst one = () => 1;' },
  { given: '/** @type {Pick<import("@example/server/stock").DepotHandlers, "lookUp">} */\nconst one = {};' },
  { given: '/** @type {(keyof import("@example/server/stock").DepotHandlers)[]} */\nconst one = ["lookUp"];' },
  { given: '/** @type {Partial<import("@example/server/stock").DepotHandlers>} */\nconst one = { lookUp: () => 1 };' },
  {
    given:
      '/** @satisfies {Partial<import("@example/server/stock").DepotHandlers>} */\nconst one = { lookUp: () => 1 };',
  },
  {
    given:
      '/** @type {Record<keyof import("@example/server/stock").DepotHandlers, string>} */\nconst one = { lookUp: "slow" };',
  },
  { given: '/** @type {import("@example/server/stock").DepotHandlers} */\nexport const one = all();\none.lookUp();' },
  { given: 'class One {\n  /** @param {import("@example/server/stock").LookUp} input */\n  run(input) {}\n}' },
  {
    given:
      'const one = {\n  /** @type {import("@example/server/stock").DepotHandlers["lookUp"]} */\n  run: () => 1,\n};',
  },
];

test.each(jsDocTypes)(
  "the JSDoc types of a renamed handler are renamed, and those of a removed one named: $given",
  ({ given }) => {
    const files = new Map([
      [
        "src/handlers.ts",
        "export const handlers: StockHandlers = { depot: { lookUp: () => 1 }, shop: { buy: () => 2 } };\n",
      ],
      ["src/routes.ts", 'import { handlers } from "./handlers.js";\nexport const routes = [stockRoutes(handlers)];\n'],
      ["src/types.js", '/** @typedef {import("@example/server/stock").StockHandlers["depot"]} Depot */\nexport {};\n'],
      ["src/mine.js", `${given}\n`],
    ]);
    const tree = soapTree(service("depot", "Depot", "lookUpLevel"), service("shop", "Shop", "buy"));
    const removedNames = [
      { interface: "stock", before: "LookUp", after: "LookUpLevel", operation: "depot.lookUpLevel" },
    ];
    const changes = { ...noChanges, removed: [{ interface: "stock", operation: "depot.lookUp" }], removedNames };
    const inputs = { changes, serverPackage, operationPackages };
    const unchanged = mergeHandlers(files, [tree], inputs);
    expect(unchanged.files.get("src/mine.js")).toBeUndefined();
    expect(JSON.stringify(unchanged.report)).toContain("src/mine.js:");
    const renamed = mergeHandlers(files, [tree], {
      ...inputs,
      renames: new Map([["depot.lookUp", "depot.lookUpLevel"]]),
    });
    expect(renamed.files.get("src/mine.js")).toBe(`${given.replace(/(?<=["'.]|\{ )([lL]ookUp)\b/, "$1Level")}\n`);
    expect(JSON.stringify(renamed.report)).not.toContain("src/mine.js:");
  },
);
