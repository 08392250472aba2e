import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { createPublishedManifest, type Entry, type SourceManifest } from "./manifest.js";
import { type JoinedFile, joinPatterns, type Published, runtime } from "./published.js";
import { root } from "./root.js";

/**
 * The files of the vendored runtime. Users commit them, so there should be few: entries share a file unless a browser
 * would then load more before the first call. Because esbuild assigns whole files to chunks, these rules keep a bundle
 * as small as with the published runtime:
 *
 * - `client-rare` and `server-rare` are loaded on first use, and nothing else imports them.
 * - `core` does not import `soap`, because clients of REST interfaces do not need it.
 * - `codec` contains the code that clients need only for answers that the quick decoder does not support. `xs`, which
 *   all descriptors import, therefore does not import it directly, because esbuild would load it at startup. `xs`
 *   imports `kinds`, which imports `codec`.
 * - `failures` contains the errors of Node's transport and suggestions for misspelled names. Browsers load it on first
 *   use, and Node at startup.
 * - Only `node-client` and `node-server` import Node modules.
 * - `core` and `node-client` import each other, so modules of `node-client` use imports of `core` only in functions.
 *
 * A module is in the first file whose pattern matches its path.
 */
const files: readonly JoinedFile[] = [
  {
    name: "node-client",
    entries: ["./client/ntlm"],
    modules: /^runtime\/src\/client\/transports\/(?:connection-queue\.|node-|ntlm)/,
  },
  {
    name: "node-server",
    entries: ["./server/node", "./server/fastify", "./server/express"],
    modules: /^runtime\/src\/server\/adapters\/(?:node\/|fastify|express)/,
  },
  { name: "failures", entries: [], modules: /^(?:xml\/src\/nearest-name|runtime\/src\/client\/transport)\./ },
  {
    name: "server-rare",
    entries: [],
    modules: /^(?:runtime\/src\/pages\/|datatypes\/src\/pattern\/example-text\.)/,
  },
  {
    name: "server",
    entries: [
      "./server",
      "./soap-server",
      "./rest-server",
      "./server/web",
      "./server/lambda",
      "./observe",
      "./route-syntax",
      "./argument-defaults",
    ],
    modules: joinPatterns(
      /^runtime\/src\/(?:server\/|server-limits\.|thrown-values\.|is-promise\.)/,
      /^runtime\/src\/protocol\/(?:.+\/)?(?:server|conventions)/,
      /^runtime\/src\/rest\/(?:php-form|argument-|read-argument|exact-integers)/,
      /^runtime\/src\/observe\/(?!redact|json-tokens|events|safe-hooks)/,
      /^runtime\/src\/http\/(?:server-|headers|json-body)/,
    ),
  },
  {
    name: "client-rare",
    entries: ["./client/batch"],
    modules: joinPatterns(
      /^runtime\/src\/client\/(?:soap\/find-target|errors\/[\w-]+|exchange\/(?:hooks-and-retries|observed-call)|rest\/(?:answer|arguments|batch|request))\./,
      /^runtime\/src\/codec\/tolerant-reader\./,
      /^runtime\/src\/protocol\/(?:client-(?:unusual-messages|document-failure|answer-decoder)|http-post\/client-document)\./,
      /^runtime\/src\/protocol\/(?:soap\/client\/|http\/client-)answer-reader\./,
    ),
  },
  { name: "xs", entries: ["./xs"], modules: /^(?:datatypes\/src\/pattern-facet|runtime\/src\/xs)\./ },
  {
    name: "kinds",
    entries: ["./values", "./client/stream"],
    modules: joinPatterns(
      /^runtime\/src\/client\/streams\//,
      /^runtime\/src\/codec\/kinds\/(?!any-element)/,
      /^runtime\/src\/values\//,
      /^runtime\/src\/protocol\/soap\/(?:attachments|client\/extensions)\./,
    ),
  },
  {
    name: "codec",
    entries: ["./codec", "./ws"],
    modules: joinPatterns(
      /^xml\/src\/(?:reader\/|(?:reader|expected-name|long-text|decode|tree|escape|error)\.)/,
      /^runtime\/src\/codec\/(?:decode|encode|start-tag|schema-mismatch|element-attributes|resolve-type|index|kinds\/)/,
      /^runtime\/src\/ws\//,
      /^runtime\/src\/protocol\/soap\/(?:encoding|fault|read-envelope|related|client\/(?:features|request-writer))\./,
      /^runtime\/src\/(?:value-problems|option-checks|protocol\/(?:http\/parameters|missing-nodes)|http\/body-parts|http\/(?:json|compression)-mistakes|http\/media-type|rest\/php-json|rest\/route-paths|observe\/(?:events|safe-hooks))\./,
    ),
  },
  {
    name: "soap",
    entries: ["./xs/basic", "./client", "./soap-client", "./call", "./soap11", "./soap12", "./http-get", "./http-post"],
    modules: joinPatterns(
      /^xml\/src\/(?!limits\.)/,
      /^datatypes\/src\/(?!lexical-error\.|pattern\/)/,
      /^runtime\/src\/(?:codec|client\/soap|protocol(?!\/http\/form-encoding\.))\//,
      /^runtime\/src\/(?:wire-names|xs-basic|client\/index)\./,
    ),
  },
  {
    name: "core",
    entries: [".", "./rest-client", "./client/fetch", "./rest", "./segment-names"],
    modules: /./,
  },
];

/**
 * The modules that are loaded on first use, by path below `packages/`, with the names of the files that contain them.
 */
const filesOfLazyModules: ReadonlyMap<string, string> = new Map(
  readdirSync(join(root, "packages/runtime/src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const path = posix.join("runtime/src", file.split(sep).join("/"));
      const code = readFileSync(join(root, "packages", path), "utf8");
      return [...code.matchAll(/\bimport\("(\.[^"]+)\.js"\)/g)].map(([, target = ""]) => {
        const module = `${posix.join(posix.dirname(path), target)}.ts`;
        return [module, files.find(({ modules }) => modules.test(module))?.name ?? ""] as const;
      });
    }),
);

/** The runtime that `--vendor-runtime` writes: the published entries in fewer files. */
export const vendored: Published = {
  ...runtime,
  sharedFiles: files,
  sharedTypesFile: "core",
  sharedFolder: "",
  filesOfLazyModules,
};

/**
 * Returns the entries of the vendored runtime, one for each file that a program imports or that another file loads on
 * first use.
 */
export function listVendoredEntries({ exports, imports = {} }: SourceManifest): readonly Entry[] {
  const missingEntries = Object.keys(exports).filter((path) => findFile(path) === undefined);
  if (missingEntries.length > 0) {
    throw new Error(
      `These exports of the runtime's package.json are assigned to no file of the vendored runtime: ${missingEntries.join(", ")}. Assign each to a file in vendored.ts.`,
    );
  }
  const { node, default: web } = imports["#transport"]?.["@bothends/source"] ?? {};
  const platforms = new Map([
    ["node-client", node],
    ["core", web],
  ]);
  return files.flatMap(({ name, entries }) => {
    const publishedEntry = entries.flatMap((path) => exports[path] ?? []);
    const loadedSources = [...filesOfLazyModules].flatMap(([module, file]) =>
      file === name ? module.replace("runtime/", "./") : [],
    );
    const sources = [
      ...publishedEntry.map((conditions) => conditions["@bothends/source"]),
      ...loadedSources,
      platforms.get(name) ?? [],
    ].flat();
    return sources.length === 0 ? [] : [{ name, sources, types: publishedEntry.map(({ types }) => types) }];
  });
}

/**
 * Creates the `package.json` of the vendored runtime: that of the published package, with the new file of each entry.
 */
export function createVendoredManifest(manifest: SourceManifest): object {
  const exports = Object.keys(manifest.exports).map((path) => {
    const file = `./dist/${findFile(path)}`;
    return [path, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  const {
    files: _,
    publishConfig: __,
    ...rest
  } = { publishConfig: {}, files: [], ...createPublishedManifest(runtime, manifest) };
  return {
    ...rest,
    private: true,
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    imports: { "#transport": { node: "./dist/node-client.js", default: "./dist/core.js" } },
  };
}

function findFile(path: string): string | undefined {
  return files.find(({ entries }) => entries.includes(path))?.name;
}
