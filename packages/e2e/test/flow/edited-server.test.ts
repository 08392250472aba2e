import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Project } from "../battery/project.js";
import { root } from "../house/sources.js";

interface OperationParts {
  readonly request: string;
  readonly answer: string;
}

const element = (name: string, type = "xs:string", more = "") => `<xs:element name="${name}" type="${type}" ${more}/>`;
const optional = 'minOccurs="0"';

/** Returns a WSDL with one service. The WSDL and the service have the same name. */
function wsdl(name: string, operations: Readonly<Record<string, OperationParts>>, types: string): string {
  const names = Object.keys(operations);
  const each = (text: (operation: string, parts: OperationParts) => string) =>
    Object.entries(operations)
      .map(([operation, parts]) => text(operation, parts))
      .join("\n  ");
  const body = (members: string) => `<xs:complexType><xs:sequence>${members}</xs:sequence></xs:complexType>`;
  return `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:${name}" targetNamespace="urn:${name}">
  <types><xs:schema targetNamespace="urn:${name}" elementFormDefault="qualified">
  ${types}
  ${each((operation, { request, answer }) => `<xs:element name="${operation}">${body(request)}</xs:element><xs:element name="${operation}Response">${body(answer)}</xs:element>`)}
  </xs:schema></types>
  ${names.map((operation) => `<message name="${operation}In"><part name="p" element="t:${operation}"/></message><message name="${operation}Out"><part name="p" element="t:${operation}Response"/></message>`).join("\n  ")}
  <portType name="P">${names.map((operation) => `<operation name="${operation}"><input message="t:${operation}In"/><output message="t:${operation}Out"/></operation>`).join("")}</portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>${names.map((operation) => `<operation name="${operation}"><soap:operation soapAction="urn:${name}/${operation}"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`).join("")}</binding>
  <service name="${name}"><port name="P" binding="t:B"><soap:address location="http://shop.example/${name}"/></port></service>
</definitions>`;
}

/** The sources of the project, which the edits change. */
interface Sources {
  readonly operations: Record<string, OperationParts>;
  types: Record<string, string>;
  routes: Record<string, Record<string, object>>;
  readonly wsdls: string[];
}

function write(project: Project, { operations, types, routes, wsdls }: Sources): void {
  const packages = ["contract", "client", "server"].map((name) => [
    name,
    { path: `packages/${name}`, name: `@x/${name}` },
  ]);
  const interfaces = { shop: { wsdl: wsdls }, site: { index: "schemas/site.json" } };
  project.write("bothends.json", JSON.stringify({ packages: Object.fromEntries(packages), interfaces }));
  project.write("schemas/orders.wsdl", wsdl("orders", operations, Object.values(types).join("\n  ")));
  project.write(
    "schemas/stock.wsdl",
    wsdl("stock", { CountItems: { request: element("shelf"), answer: element("count", "xs:int") } }, ""),
  );
  const described = Object.entries(routes).map(([route, args]) => [
    route,
    { namespace: "site/v1", methods: ["GET"], endpoints: [{ methods: ["GET"], args }] },
  ]);
  project.write(
    "schemas/site.json",
    JSON.stringify({ namespaces: ["site/v1"], routes: Object.fromEntries(described) }),
  );
}

const order = (...members: readonly string[]) =>
  `<xs:complexType name="Order"><xs:sequence>${members.join("")}</xs:sequence></xs:complexType>`;
const states = (...values: readonly string[]) =>
  `<xs:simpleType name="State"><xs:restriction base="xs:string">${values.map((value) => `<xs:enumeration value="${value}"/>`).join("")}</xs:restriction></xs:simpleType>`;
const members = [element("number", "xs:int"), element("state", "t:State"), element("note", "xs:string", optional)];

const initial = (): Sources => ({
  operations: {
    GetOrder: { request: element("number", "xs:int"), answer: element("order", "t:Order") },
    CancelOrder: { request: element("number", "xs:int"), answer: element("done", "xs:boolean") },
    FindOrders: {
      request: element("text"),
      answer: element("order", "t:Order", 'minOccurs="0" maxOccurs="unbounded"'),
    },
  },
  types: { Order: order(...members), State: states("open", "sent") },
  routes: {
    "/site/v1/pages": { search: { type: "string", required: false } },
    "/site/v1/pages/(?P<id>[\\d]+)": { id: { type: "integer", required: true } },
  },
  wsdls: ["schemas/orders.wsdl"],
});

/** The code with which the user replaces scaffolded handlers, by a part of the file's path and the key of a group. */
const written: readonly (readonly [file: string, from: RegExp, to: string])[] = [
  [
    "get-order.ts",
    /async \(_input, _context\) => \{[\s\S]*\};/,
    `async (input) => {
  // mine: the only order there is
  const words: Record<"open" | "sent", string> = { open: "wait", sent: "done" }; // mine
  const state = input.number > 10 ? "open" : "sent"; // mine
  const order: Order = { number: input.number, state, note: words[state] }; // mine
  return order; // mine
};`,
  ],
  ["get-order.ts", /^/, 'import type { Order } from "@x/server/shop"; // mine\n'],
  ["cancel-order.ts", /async \(_input, _context\) => \{[\s\S]*\};/, "async () => {\n  return true; // mine\n};"],
  [
    "find-orders.ts",
    /async \(_input, _context\) => \{[\s\S]*\};/,
    'async ({ text }) => [{ number: text.length, state: "open" }]; // mine',
  ],
  [
    "pages.ts",
    /list: async \(_input, _context\) => \{[\s\S]*?\n {2}\},/,
    '// mine: found by a word\n  list: async ({ search }) => [search ?? "all"], // mine',
  ],
  ["shop/handlers.ts", /findOrders,/, "// mine: slow\n  findOrders, // mine"],
];

interface Step {
  readonly title: string;
  readonly edit: (sources: Sources) => void;
  /** The expected parts of the output of `scaffold`. */
  readonly says: readonly string[];
  /** The changes that the user makes in files that no longer compile, and that the output names. */
  readonly fixes?: readonly (readonly [file: string, from: string, to: string])[];
}

const steps: readonly Step[] = [
  {
    title: "a field is added",
    edit: ({ types }) => {
      types["Order"] = order(...members, element("colour", "xs:string", optional));
    },
    says: [
      "changed: Order.colour: An optional member was added. Tolerated by old clients [member-added-optional]",
      "check getOrder",
    ],
  },
  {
    title: "a field is removed",
    edit: ({ types }) => {
      types["Order"] = order(...members.slice(0, 2), element("colour", "xs:string", optional));
    },
    says: ["changed: Order.note: An optional member was removed.", "[member-removed-optional]", "check getOrder"],
    fixes: [["get-order.ts", "note: words[state]", "colour: words[state]"]],
  },
  {
    title: "an operation is added",
    edit: ({ operations }) => {
      operations["SendOrder"] = { request: element("number", "xs:int"), answer: element("done", "xs:boolean") };
    },
    says: ["handler added: sendOrder"],
  },
  {
    title: "an operation is renamed",
    edit: ({ operations }) => {
      const { CancelOrder, ...others } = operations;
      for (const name of Object.keys(operations)) {
        delete operations[name];
      }
      Object.assign(operations, { CancelledOrder: CancelOrder, ...others });
    },
    says: [
      "no longer in the schema: cancelOrder",
      "Was it renamed to cancelledOrder?",
      "--rename cancelOrder=cancelledOrder",
    ],
  },
  {
    title: "an operation is removed",
    edit: ({ operations }) => {
      delete operations["FindOrders"];
    },
    says: ["no longer in the schema: findOrders (mine/src/shop/find-orders.ts, listed at mine/src/shop/handlers.ts:"],
  },
  {
    title: "the type of a field changes",
    edit: ({ types }) => {
      types["Order"] = order(element("number"), ...members.slice(1, 2), element("colour", "xs:string", optional));
    },
    says: ["changed: Order.number: A type allows more values (int → string).", "[type-widened]", "check getOrder"],
    fixes: [["get-order.ts", "{ number: input.number,", "{ number: String(input.number),"]],
  },
  {
    title: "an enumeration gets a value",
    edit: (sources) => {
      sources.types["State"] = states("open", "sent", "lost");
      sources.operations["SendOrder"] = { request: element("state", "t:State"), answer: element("done", "xs:boolean") };
    },
    says: [
      "changed: State: An enumeration has more values (lost).",
      "[enum-value-added]",
      "check getOrder",
      "check sendOrder",
    ],
  },
  {
    title: "an argument becomes required",
    edit: ({ routes }) => {
      routes["/site/v1/pages"] = { search: { type: "string", required: true } };
    },
    says: [
      "changed: GET /site/v1/pages search: An optional argument became required. Breaks TypeScript callers; may break old clients [argument-became-required]",
      "check site.pages.list (mine/src/site/site/pages.ts:",
    ],
  },
  {
    title: "a route is renamed",
    edit: (sources) => {
      const routes = Object.entries(sources.routes).map(([route, args]) => [route.replace("pages", "page"), args]);
      sources.routes = Object.fromEntries(routes);
    },
    says: [
      "no longer in the schema: site.pages (mine/src/site/site/pages.ts",
      "Was it renamed to site.page?",
      "--rename site.pages=site.page",
    ],
  },
  {
    title: "a service is added",
    edit: ({ wsdls }) => {
      wsdls.push("schemas/stock.wsdl");
    },
    says: [
      "handler added: stock.countItems",
      "The service stock is new. In mine/src/routes.ts, import stockRoutes from @x/server/shop and stockHandlers",
    ],
  },
  {
    title: "a service is removed",
    edit: ({ wsdls }) => {
      wsdls.pop();
    },
    says: [
      "The service stock no longer exists. Remove its handlers (mine/src/shop/stock/handlers.ts, mine/src/shop/stock/count-items.ts), and stockRoutes from mine/src/routes.ts.",
    ],
  },
];

const adapters = ["node", "fetch", "fastify", "express", "hono"] as const;

test.each(adapters)("a server for %s survives eleven edits of its schemas", { timeout: 240_000 }, async (adapter) => {
  const sources = initial();
  const project = new Project({});
  write(project, sources);
  expect(await project.run("generate")).toMatchObject({ code: 0 });
  expect(await project.run("scaffold", "server", "mine", "--adapter", adapter)).toMatchObject({ code: 0 });
  link(project);
  for (const [file, from, to] of written) {
    replace(project, file, from, to);
  }
  expect(await compile(project)).toEqual([]);
  for (const { title, edit, says, fixes = [] } of steps) {
    const before = linesOf(project);
    edit(sources);
    write(project, sources);
    const generated = await project.run("generate");
    expect(generated.code, `${title}\n${generated.err}`).toBe(0);
    const { code, out, err } = await project.run("scaffold", "server", "mine", "--verbose");
    expect(code, `${title}\n${err}`).toBe(0);
    expect(linesOf(project), title).toEqual(before);
    for (const text of says) {
      expect(out, title).toContain(text);
    }
    const renamed = await followSteps(project, out);
    expect(linesOf(project), title).toEqual(before.filter((line) => !renamed.removed.includes(line)));
    // The handlers do not depend on the adapter, so only the first server is compiled after each edit.
    const errors = adapter === "node" ? await compile(project) : undefined;
    for (const { file, text } of errors ?? []) {
      expect(out, `${title}: the output does not name ${file}: ${text}`).toContain(`(mine/${file}:`);
    }
    for (const [file, from, to] of fixes) {
      replace(project, file, from, to);
    }
    if (errors !== undefined && fixes.length > 0) {
      expect(errors, title).not.toEqual([]);
      expect(await compile(project), title).toEqual([]);
    } else {
      expect(errors ?? [], title).toEqual([]);
    }
  }
  if (adapter !== "node") {
    expect(await compile(project)).toEqual([]);
  }
  const again = await project.run("scaffold", "server", "mine");
  expect(again.out).toContain("Every operation has a handler.");
});

const ordersClass = `import type { OrdersHandlers } from "@x/server/shop"; // mine

// mine: everything about orders
export class Orders implements OrdersHandlers { // mine
  readonly #numbers = new Set<number>(); // mine

  async getOrder(input: { readonly number: number }) { // mine
    this.#numbers.add(input.number); // mine
    return { number: input.number, state: "open" as const, note: this.cancelOrder.name }; // mine
  } // mine

  cancelOrder: OrdersHandlers["cancelOrder"] = ({ number }) => this.#numbers.delete(number); // mine
  findOrders = () => []; // mine
} // mine
`;

test("a class of handlers survives new, renamed and removed operations", { timeout: 120_000 }, async () => {
  const sources = initial();
  const project = new Project({});
  write(project, sources);
  expect(await project.run("scaffold", "server", "mine")).toMatchObject({ code: 0 });
  link(project);
  for (const name of ["get-order", "cancel-order", "find-orders", "handlers"]) {
    rmSync(join(project.path, `mine/src/shop/${name}.ts`));
  }
  project.write("mine/src/orders.ts", ordersClass);
  replace(project, "src/routes.ts", "ordersRoutes(ordersHandlers)", "ordersRoutes(new Orders())");
  replace(project, "src/routes.ts", /^import \{ ordersHandlers \}.*$/m, 'import { Orders } from "./orders.js";');
  expect(await compile(project)).toEqual([]);
  const before = linesOf(project);
  const { CancelOrder, FindOrders: _, ...others } = sources.operations;
  Object.assign(sources, { operations: { CancelledOrder: CancelOrder, ...others } });
  write(project, sources);
  expect((await project.run("generate")).code).toBe(0);
  const { out } = await project.run("scaffold", "server", "mine");
  expect(linesOf(project)).toEqual(before);
  expect(out).toContain("handler added: cancelledOrder\n");
  expect(out).toMatch(/no longer in the schema: cancelOrder \(mine\/src\/orders\.ts:\d+\)\. Was it renamed/);
  expect(out).toMatch(
    /no longer in the schema: findOrders \(mine\/src\/orders\.ts:\d+\)\. Remove the handler from the class\./,
  );
  await followSteps(project, out);
  const renamed = before.map((line) => line.replaceAll("cancelOrder", "cancelledOrder")).sort();
  expect(linesOf(project)).toEqual(renamed);
  expect(await compile(project)).toEqual([]);
});

/** Returns the lines that the user wrote, sorted. */
function linesOf(project: Project): readonly string[] {
  const lines = Object.values(project.files("mine/src")).flatMap((text) => text.split("\n"));
  return lines.filter((line) => line.includes("// mine")).sort();
}

function replace(project: Project, file: string, from: string | RegExp, to: string): void {
  const path = Object.keys(project.files("mine")).find((each) => each.endsWith(file));
  const text = path === undefined ? "" : project.read(`mine/${path}`);
  expect(
    text.replace(from, () => to),
    file,
  ).not.toBe(text);
  project.write(
    `mine/${path}`,
    text.replace(from, () => to),
  );
}

/**
 * Follows the instructions in the output: runs the command that moves renamed handlers, and removes the handlers
 * without an operation.
 */
async function followSteps(project: Project, out: string): Promise<{ readonly removed: readonly string[] }> {
  const removed: string[] = [];
  const [, command] = /^To move renamed handlers: npx bothends (.*)$/m.exec(out) ?? [];
  if (command !== undefined) {
    const { code, err } = await project.run(...command.split(" "));
    expect(code, err).toBe(0);
  }
  for (const [, call = "", source = "", handlers = "", from = ""] of out.matchAll(
    /In mine\/src\/routes\.ts, import (\S+) from (\S+) and (\S+) from (\S+), and add \1\(\3\) to the routes\.$/gm,
  )) {
    const text = project.read("mine/src/routes.ts");
    project.write(
      "mine/src/routes.ts",
      `import { ${call} } from "${source}";\nimport { ${handlers} } from "${from}";\n${text.replace(/\n\];/, `\n  ${call}(${handlers}),\n];`)}`,
    );
  }
  for (const [, files = "", call = "", user = ""] of out.matchAll(
    /^The service \S+ no longer exists\. Remove its handlers \((.*)\), and (\S+) from (\S+)\.$/gm,
  )) {
    const lines = project.read(user).split("\n");
    const isOfService = (line: string) =>
      line.includes(call) || files.includes(/"\.\/(.*)\.js"/.exec(line)?.[1] ?? call);
    project.write(user, lines.filter((line) => !isOfService(line)).join("\n"));
    for (const file of files.split(", ")) {
      rmSync(join(project.path, file));
    }
  }
  for (const [, key = "", file = "", list = ""] of out.matchAll(
    /^no longer in the schema: (\S+) \((\S+), listed at (\S+):\d+\)\. Delete the file/gm,
  )) {
    const isRemoved = (line: string) => new RegExp(`^\\s*${key},|import \\{ ${key} \\}`).test(line);
    const lines = project.read(list).split("\n");
    removed.push(
      ...[...project.read(file).split("\n"), ...lines.filter(isRemoved)].filter((line) => line.includes("// mine")),
    );
    project.write(list, lines.filter((line) => !isRemoved(line)).join("\n"));
    rmSync(join(project.path, file));
  }
  return { removed };
}

const frameworkModules = ["express", "fastify", "hono", "@hono/node-server", "@types/express"];

/**
 * Links the packages that the server imports: this repository's runtime, the generated packages, and the frameworks.
 */
function link(project: Project): void {
  const links = {
    "@x/contract": join(project.path, "packages/contract"),
    "@x/server": join(project.path, "packages/server"),
    "@bothends/runtime": join(root, "packages/runtime"),
    "@types/node": join(root, "node_modules/@types/node"),
    ...Object.fromEntries(frameworkModules.map((name) => [name, join(root, "packages/e2e/node_modules", name)])),
  };
  for (const [name, target] of Object.entries(links)) {
    const path = join(project.path, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }
}

interface TypeError {
  /** The path of the file, relative to the server. */
  readonly file: string;
  readonly text: string;
}

/** Compiles the server with its own settings, against the sources of the generated packages and the built runtime. */
async function compile(project: Project): Promise<readonly TypeError[]> {
  const { exports }: { readonly exports: Readonly<Record<string, { readonly types: string }>> } = JSON.parse(
    readFileSync(join(root, "packages/runtime/package.json"), "utf8"),
  );
  const paths = Object.entries(exports).map(([path, { types }]) => [
    `@bothends/runtime${path.slice(1)}`,
    [join(root, "packages/runtime", types)],
  ]);
  const compilerOptions = {
    noEmit: true,
    rootDir: "..",
    paths: Object.fromEntries(paths),
    customConditions: ["@bothends/source"],
  };
  const config = join(project.path, "mine/tsconfig.check.json");
  writeFileSync(config, JSON.stringify({ extends: "./tsconfig.json", compilerOptions, references: [] }));
  const output = await new Promise<string>((resolve) => {
    execFile(
      join(root, "node_modules/.bin/tsc"),
      ["-p", config, "--pretty", "false"],
      { cwd: join(project.path, "mine") },
      (_error, out, err) => resolve(out + err),
    );
  });
  rmSync(config);
  const found = [...output.matchAll(/^(\S+?)\(\d+,\d+\): error (.*)$/gm)].map(([, file = "", text = ""]) => ({
    file,
    text,
  }));
  return found.length === 0 && output.trim() !== "" ? [{ file: "", text: output }] : found;
}
