import { posix } from "node:path";
import { expect, test } from "vitest";
import { type Import, importsOf, type SourceFile, sourceFiles } from "./sources.js";

/**
 * The packages that each package may import. `name*` allows only types, `name/entry` only this entry of the package.
 */
const packages: Readonly<Record<string, readonly string[]>> = {
  xml: [],
  datatypes: ["xml"],
  runtime: ["xml", "datatypes"],
  otel: ["runtime*"],
  // The generator reads the routes and defaults of a REST index with the code that the runtime uses for requests.
  generator: ["xml", "datatypes", "runtime*", "runtime/route-syntax", "runtime/argument-defaults"],
  dynamic: ["generator", "runtime"],
  diff: ["generator", "datatypes", "xml"],
  bothends: ["generator", "diff"],
  pack: [],
  contract: ["runtime"],
  client: ["contract", "runtime"],
  server: ["contract", "runtime"],
  bench: ["xml", "runtime", "generator", "contract", "client", "server", "dynamic", "otel"],
  e2e: ["xml", "datatypes", "runtime", "generator", "dynamic", "diff", "bothends", "contract", "client", "server"],
};

/** The folders that each folder of the generator may import. `name*` allows only types. */
const generatorFolders: Readonly<Record<string, readonly string[]>> = {
  source: ["model*"],
  model: ["source*"],
  read: ["source", "model*"],
  components: ["source", "read"],
  lower: ["source", "model", "components", "read"],
  describe: ["model"],
  plan: ["source", "model"],
  print: [],
  emit: ["model", "plan", "describe", "print", "publish*"],
  render: ["model", "plan", "emit*"],
  publish: ["model", "source", "read*"],
  scaffold: ["model", "plan", "render"],
  disk: ["source", "model"],
};

/**
 * The folders that each folder of the runtime may import. `name*` allows only types. `protocol/client` and
 * `protocol/server` are the files whose names begin with `client` or `server`, or that are in a folder of this name;
 * neither imports the other. The files of `conventions` belong to servers.
 */
const runtimeFolders: Readonly<Record<string, readonly string[]>> = {
  client: ["protocol/client", "protocol", "rest", "codec", "http", "observe"],
  server: ["protocol/server", "protocol", "rest", "codec", "http", "observe", "pages"],
  "protocol/client": ["client", "protocol", "codec", "http"],
  "protocol/server": ["protocol", "codec", "http", "observe"],
  ws: ["client*", "protocol", "codec", "http"],
  values: ["codec"],
  pages: ["rest"],
  rest: ["http"],
  protocol: ["codec", "http"],
  observe: [],
  codec: [],
  http: ["observe*"],
  descriptor: [],
};

/** Libraries that only one folder may import. */
const libraryFolders: Readonly<Record<string, string>> = {
  handlebars: "packages/generator/src/render/",
  xmlbuilder2: "packages/generator/src/publish/",
  "ts-morph": "packages/generator/src/scaffold/",
  commander: "packages/bothends/src/",
  diff: "packages/bothends/src/",
  "node:fs": "packages/generator/src/disk/",
};

/** The only file of the runtime that may read files: it reads the limit of open files on Linux. */
const readsSystemLimits = "packages/runtime/src/server/adapters/node/listen.ts";

function problems(file: SourceFile, problemOf: (imported: Import) => string | undefined): string[] {
  return importsOf(file).flatMap((imported) => {
    const problem = problemOf(imported);
    return problem === undefined ? [] : [`${file.path}:${imported.line}: ${problem}`];
  });
}

function allows(list: readonly string[] | undefined, to: string, imported: Import): boolean {
  return list !== undefined && (list.includes(to) || (imported.typeOnly && list.includes(`${to}*`)));
}

test("packages import only the packages that the table allows", () => {
  const found = Object.entries(packages).flatMap(([from, allowed]) =>
    sourceFiles(`packages/${from}/src`).flatMap((file) =>
      problems(file, (imported) => {
        const [entry, to] = /^@bothends\/(([^/]+).*)/.exec(imported.specifier)?.slice(1) ?? [];
        if (entry === undefined || to === undefined || to === from) {
          return undefined;
        }
        return allows(allowed, to, imported) || allowed.includes(entry)
          ? undefined
          : `${from} must not import ${entry}`;
      }),
    ),
  );
  expect(found).toEqual([]);
});

test.each([
  ["generator", generatorFolders],
  ["runtime", runtimeFolders],
] as const)("folders of the %s import only the folders that the table allows", (name, table) => {
  const base = `packages/${name}/src`;
  const found = sourceFiles(base).flatMap((file) =>
    problems(file, (imported) => {
      if (!imported.specifier.startsWith(".")) {
        return undefined;
      }
      const from = folderOf(base, file.path);
      const to = folderOf(base, posix.join(posix.dirname(file.path), imported.specifier));
      if (from === undefined || to === undefined || from === to || allows(table[from], to, imported)) {
        return undefined;
      }
      return `${from} must not import ${to}`;
    }),
  );
  expect(found).toEqual([]);
});

test("files of the runtime that are in no folder import only each other, unless they are entries", () => {
  const base = "packages/runtime/src";
  const entries = ["index", "descriptor", "xs", "xs-basic"].map((name) => `${base}/${name}.ts`);
  const found = sourceFiles(base)
    .filter(({ path }) => posix.dirname(path) === base && !entries.includes(path))
    .flatMap((file) =>
      problems(file, ({ specifier }) =>
        /^\.\/[^/]+$/.test(specifier) || specifier.startsWith("@bothends/") ? undefined : `${specifier} is in a folder`,
      ),
    );
  expect(found).toEqual([]);
});

test("every folder of the generator and of the runtime is in the table", () => {
  const names = (base: string) => [...new Set(sourceFiles(base).flatMap((file) => folderOf(base, file.path) ?? []))];
  expect(names("packages/generator/src").filter((folder) => !(folder in generatorFolders))).toEqual([]);
  expect(names("packages/runtime/src").filter((folder) => !(folder in runtimeFolders))).toEqual([]);
});

test("a library is imported only by its folder", () => {
  const found = ["generator", "runtime", "datatypes", "xml", "bothends"].flatMap((name) =>
    sourceFiles(`packages/${name}/src`).flatMap((file) =>
      problems(file, ({ specifier }) => {
        const folder = libraryFolders[specifier.replace(/^(node:fs)\/.*/, "$1")];
        if (
          folder === undefined ||
          file.path.startsWith(folder) ||
          (specifier.startsWith("node:fs") && (name === "bothends" || file.path === readsSystemLimits))
        ) {
          return undefined;
        }
        return `${specifier} belongs to ${folder}`;
      }),
    ),
  );
  expect(found).toEqual([]);
});

test("nothing imports the compiler, and packages that users ship import only Node", () => {
  const found = ["generator", "runtime", "datatypes", "xml", "bothends"].flatMap((name) =>
    sourceFiles(`packages/${name}/src`).flatMap((file) =>
      problems(file, ({ specifier }) => {
        if (specifier === "typescript") {
          return "the compiler is not a library here";
        }
        const outside = !specifier.startsWith(".") && !specifier.startsWith("#") && !specifier.startsWith("@bothends/");
        const transport = /\/(transports|adapters)\//.test(file.path) && specifier.startsWith("node:");
        return (name === "runtime" || name === "datatypes" || name === "xml") && outside && !transport
          ? `${specifier} is not for users to ship`
          : undefined;
      }),
    ),
  );
  expect(found).toEqual([]);
});

function folderOf(base: string, path: string): string | undefined {
  const inside = path.slice(base.length + 1);
  const end = /^protocol\/(?:.*\b(client|server)|(?:.*-)?conventions)(?:[^/]*|\/[^/]+)$/.exec(inside);
  if (end !== null) {
    return `protocol/${end[1] ?? "server"}`;
  }
  return inside.includes("/") ? inside.slice(0, inside.indexOf("/")) : undefined;
}

test("the route syntax imports nothing else of the runtime, so that the generator does not load it", () => {
  const base = "packages/runtime/src/rest/route-syntax";
  const found = sourceFiles(base).flatMap((file) =>
    problems(file, ({ specifier }) =>
      specifier.startsWith("../") ? `${specifier} is outside the route syntax` : undefined,
    ),
  );
  expect(found).toEqual([]);
});

test("REST imports nothing from SOAP, on either end", () => {
  const folders = ["rest", "client/rest", "server/rest"].map((folder) => `packages/runtime/src/${folder}`);
  // The encoding of forms is the only part of the protocols that REST has too.
  const soap = /\/(?:soap\w*|codec|ws)\/|\/protocol\/(?!http\/form-encoding\.)/;
  const found = folders.flatMap((folder) =>
    sourceFiles(folder).flatMap((file) =>
      problems(file, ({ specifier }) => (soap.test(specifier) ? `${specifier} belongs to SOAP` : undefined)),
    ),
  );
  expect(found).toEqual([]);
});
