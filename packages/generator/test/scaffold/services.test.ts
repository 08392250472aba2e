import { expect, test } from "vitest";
import { createHandlers } from "../../src/scaffold/handler-files.js";
import type { HandlerNode, HandlerTree } from "../../src/scaffold/handler-tree.js";
import { mergeHandlers } from "../../src/scaffold/merge-handlers.js";
import { noChanges, operation, serverPackage, soapTree } from "./handler-tree.js";

// Interfaces with several services, whose handlers may be in one object or in an object for each service.

const service = (key: string, type: string, ...keys: string[]): HandlerNode => ({
  kind: "group",
  key,
  children: keys.map(operation),
  service: { type: `${type}Handlers`, routes: `${key}Routes` },
});

const depot: HandlerTree = { ...soapTree(operation("lookUp")), type: "DepotHandlers", routes: "depotRoutes" };
const both: HandlerTree = soapTree(service("depot", "Depot", "lookUp"), service("shop", "Shop", "buy"));
const site: HandlerTree = {
  ...soapTree(operation("list")),
  name: "site",
  module: "site",
  folder: "src/site",
  type: "SiteHandlers",
  routes: "siteRoutes",
};

function merged(
  existing: ReadonlyMap<string, string>,
  trees: readonly HandlerTree[],
  renames: ReadonlyMap<string, string> = new Map(),
) {
  const { files, report } = mergeHandlers(existing, trees, { changes: noChanges, serverPackage, renames });
  return { report, files: new Map([...existing, ...files]) };
}

/** A server with `depotRoutes`, and the handlers of each operation in `tree`. */
function serverOf(tree: HandlerTree, routes: string): Map<string, string> {
  return new Map([...createHandlers(tree, serverPackage), ["src/routes.ts", `export const routes = [${routes}];\n`]]);
}

const shopSteps =
  "In src/routes.ts, import shopRoutes from @example/server/stock and shopHandlers from ./stock/shop/handlers.js, and add shopRoutes(shopHandlers) to the routes.";
const siteSteps =
  "In src/routes.ts, import siteRoutes from @example/server/site and siteHandlers from ./site/handlers.js, and add siteRoutes(siteHandlers) to the routes.";

test.each([
  { what: "service", trees: [both], subject: "The service shop", steps: shopSteps, routes: "shopRoutes(shopHandlers)" },
  {
    what: "interface",
    trees: [depot, site],
    subject: "The interface site",
    steps: siteSteps,
    routes: "siteRoutes(siteHandlers)",
  },
])("each run names the routes of a new $what, until some code makes them", ({ trees, subject, steps, routes }) => {
  const first = merged(serverOf(depot, "depotRoutes(depotHandlers)"), trees);
  expect(first.report.notes).toEqual([`${subject} is new. ${steps}`]);
  const renames = new Map([["depot.buy", "shop.buy"]]);
  for (const next of [merged(first.files, trees), merged(first.files, trees, renames)]) {
    expect(next.report.notes).toContain(`${subject} has no routes yet. ${steps}`);
  }
  const imported = `import { ${routes.replace(/\(.*/, "")} } from "@example/server";\n`;
  const [test, served] = [
    `${imported}${routes};\n`,
    `${imported}export const routes = [depotRoutes(all), ${routes}];\n`,
  ];
  const imports = new Map([...first.files, ["src/imports.ts", imported], ["src/test/routes.ts", test]]);
  expect(merged(imports, trees).report.notes).toEqual([`${subject} has no routes yet. ${steps}`]);
  expect(merged(new Map([...first.files, ["src/routes.ts", served]]), trees).report.notes).toEqual([]);
});

test.each([
  { routes: "stockRoutes(stockHandlers)", want: undefined },
  { routes: "depotRoutes(stockHandlers.depot), shopRoutes(stockHandlers.shop)", want: undefined },
  { routes: "make(depotRoutes, shopRoutes)", want: undefined },
  { routes: "stock.depotRoutes(stockHandlers.depot), stock.shopRoutes(stockHandlers.shop)", want: undefined },
  // Code in another package may serve the handlers.
  { routes: "", want: undefined },
  {
    routes: "depotRoutes(stockHandlers.depot)",
    want: "The service shop has no routes yet. In src/routes.ts, import shopRoutes from @example/server/stock, and add shopRoutes(…) to the routes, with the handlers at src/stock/handlers.ts:10.",
  },
  {
    routes: "siteRoutes(siteHandlers)",
    want: "The interface stock has no routes yet. In src/routes.ts, import stockRoutes from @example/server/stock and stockHandlers from ./stock/handlers.js, and add stockRoutes(stockHandlers) to the routes.",
  },
])("the services without routes among [$routes] are named", ({ routes, want }) => {
  const files = new Map([...serverOf(both, routes), ...createHandlers(site, serverPackage)]);
  const { notes } = merged(files, [both, site]).report;
  const unserved = notes.filter((note) => !note.startsWith("The interface site"));
  expect(unserved).toEqual(want === undefined ? [] : [want]);
});

test("the position of handlers without routes is named if routes.ts cannot import them", () => {
  const files = serverOf(depot, "depotRoutes(depotHandlers)").set(
    "src/site.ts",
    "export class Site implements SiteHandlers {\n  list = () => [];\n}\n",
  );
  expect(merged(files, [depot, site]).report.notes).toEqual([
    "The interface site has no routes yet. In src/routes.ts, import siteRoutes from @example/server/site, and add siteRoutes(…) to the routes, with the handlers at src/site.ts:1.",
  ]);
});

const oldTree: HandlerTree = {
  ...soapTree(operation("lookUp"), operation("buy")),
  type: "DepotHandlers",
  routes: "depotRoutes",
};
const change = { ...noChanges, moves: [{ interface: "stock", before: "buy", after: "shop.buy" }] };

function mergedMoves(existing: ReadonlyMap<string, string>, renames: ReadonlyMap<string, string> = new Map()) {
  const { files, movedPaths, report } = mergeHandlers(existing, [both], { changes: change, serverPackage, renames });
  const all = new Map([...existing, ...files].filter(([path]) => !movedPaths.includes(path)));
  return { report, all };
}

const written = (path: string, text: string) => (path.endsWith("/buy.ts") ? `// mine\n${text}` : text);

test.each(["buy=shop.buy", "depot.buy=shop.buy"])("a handler moves to the object of another service: %s", (rename) => {
  const files = new Map(
    [...serverOf(oldTree, "depotRoutes(depotHandlers)")].map(([path, text]) => [path, written(path, text)]),
  );
  const first = mergedMoves(files);
  expect(first.report.removed).toMatchObject([
    { operation: "depot.buy", newPath: "shop.buy", isMoved: true, files: ["src/stock/buy.ts"] },
  ]);
  const renames = new Map([rename.split("=") as [string, string]]);
  for (const { all, report } of [mergedMoves(files, renames), mergedMoves(first.all, renames)]) {
    expect(report).toMatchObject({ renamed: [{ from: "depot.buy", to: "shop.buy" }], removed: [] });
    expect(report.notes).toEqual([expect.stringContaining("In src/routes.ts, import shopRoutes")]);
    expect([...all.keys()].filter((path) => path.includes("buy"))).toEqual(["src/stock/shop/buy.ts"]);
    expect(all.get("src/stock/shop/buy.ts")).toBe(
      files.get("src/stock/buy.ts")?.replaceAll("DepotHandlers", "ShopHandlers"),
    );
    expect(all.get("src/stock/handlers.ts")).not.toContain("buy");
    expect(all.get("src/stock/shop/handlers.ts")).toContain('import { buy } from "./buy.js";');
    expect(all.get("src/stock/shop/handlers.ts")).toContain("{\n  buy,\n}");
    expect(mergedMoves(all).report.removed).toEqual([]);
  }
});

test("the reason is named if a handler cannot move to the object of another service", () => {
  const files = serverOf(oldTree, "depotRoutes(depotHandlers)").set(
    "src/stock/handlers.ts",
    'import { type DepotHandlers } from "@example/server/stock";\nconst price = 3;\nexport const depotHandlers: DepotHandlers = {\n  lookUp: () => 1,\n  buy: () => price,\n};\n',
  );
  for (const renames of [new Map(), new Map([["buy", "shop.buy"]])]) {
    const { report, all } = mergedMoves(files, renames);
    expect(report).toMatchObject({
      removed: [],
      renamed: [],
      unmoved: [
        {
          from: "depot.buy",
          to: "shop.buy",
          reason: "Its code uses names that may be unknown beside the handlers of shop: price.",
          position: "src/stock/handlers.ts:5",
          newPosition: "src/stock/shop/buy.ts:3",
        },
      ],
    });
    expect(report.notes).toEqual([expect.stringContaining("In src/routes.ts, import shopRoutes")]);
    expect(all.get("src/stock/handlers.ts")).toBe(files.get("src/stock/handlers.ts"));
  }
});
