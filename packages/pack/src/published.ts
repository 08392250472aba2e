/** A package as it is published: its sources, and how they are divided into files. */
export interface Published {
  /** The folder below `packages/`. */
  readonly folder: string;
  /** The platform of the code. `node` allows `require` of dependencies that are not ES modules. */
  readonly platform: "neutral" | "node";
  /** The modules that several entries share, and the file that contains them. The first rule that matches decides. */
  readonly shared: readonly SharedFile[];
  /** The file with the declarations that several entries share. */
  readonly types: string;
  /** The folder of shared files below `dist`. */
  readonly sharedFolder: "" | "shared/";
  /** Dependencies that users install. All others are inside the files. */
  readonly dependencies: readonly string[];
  /** Packages that users have anyway, beside this one. */
  readonly peers: readonly string[];
  /** CommonJS files that the code loads on first use, without waiting. */
  readonly lazyFiles: readonly LazyFile[];
  /** Modules that are loaded on first use from a shared file, and the entry that contains them; others have files of their own. */
  readonly loadedFrom: ReadonlyMap<string, string>;
  /** Further files of the package's folder, or of the repository, by their place in the published folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** A file that contains a whole library, or the compiled templates. */
export interface LazyFile {
  /** Its name, without `.cjs`. */
  readonly name: string;
  /** The folder below `packages/` of the package that depends on the library. */
  readonly from: string;
  readonly content: "templates" | { readonly library: string };
}

/** A file that contains the modules which several entries share. */
export interface SharedFile {
  readonly name: string;
  /** Matches paths of modules below `packages/`. */
  readonly modules: RegExp;
}

/**
 * Files of the runtime. Loading a module costs Node 1 to 2 ms, so that few large files load faster than many small ones; what a
 * program does not use, its bundler leaves out. Clients do not load what only servers need.
 *
 * Modules that an `import()` loads have files of their own. esbuild follows an `import()` even if the function around it is left
 * out, and moves what two files share into a third, which a program loads at its start. So what clients load only for unusual
 * messages is in `decoder`, which nothing imports that clients load at their start, and in `answers`, which has what clients need
 * only for errors and for unusual answers, and servers for all requests. `kinds`, which descriptors import, shares `records` with
 * `decoder`. `core`, which clients of REST interfaces load, does not import `message`.
 */
const runtimeFiles: readonly SharedFile[] = [
  {
    name: "server",
    modules:
      /^runtime\/src\/(?:server\/(?!adapters\/|index\.)|protocol\/(?:.+\/)?(?:server|conventions)|rest\/php-form|observe\/incidents)/,
  },
  { name: "node", modules: /^runtime\/src\/server\/adapters\/(?:framework-routes|node-(?:answer|channels|request))\./ },
  { name: "errors", modules: /^runtime\/src\/answer-errors\./ },
  {
    name: "answers",
    modules: /^runtime\/src\/(?:client\/failures|http\/media-type|rest\/php-json|observe\/observations)\./,
  },
  { name: "records", modules: /^runtime\/src\/codec\/(?:decode-table|element-attributes|kinds\/any-element)\./ },
  {
    name: "decoder",
    modules: pathsMatching(
      /^xml\/src\/(?:reader|start-tag|content|long-text|scope|decode|tree)\./,
      /^runtime\/src\/codec\/decode/,
      /^runtime\/src\/protocol\/soap\/(?:fault|read-envelope|related)\./,
      /^runtime\/src\/http\/body-parts\./,
    ),
  },
  {
    name: "kinds",
    modules: /^runtime\/src\/(?:codec\/kinds\/|protocol\/soap\/(?:attachments|client-extensions)\.ts$)/,
  },
  {
    name: "soap",
    modules: pathsMatching(
      /^xml\/src\/(?:characters|error)\./,
      /^runtime\/src\/codec\/(?:encode|start-tag|schema-mismatch)/,
      /^runtime\/src\/protocol\/(?:soap|soap11|soap12|http-post)\//,
      /^runtime\/src\/client\/soap\/service-client\./,
    ),
  },
  {
    name: "message",
    modules: pathsMatching(
      /^xml\/src\/(?!limits\.|nearest-name\.)/,
      /^datatypes\/src\/(?!lexical-error\.)/,
      /^runtime\/src\/(?:codec|client\/soap|protocol(?!\/http\/form-encoding\.))\//,
      /^runtime\/src\/wire-names\./,
    ),
  },
  {
    name: "core",
    modules: pathsMatching(
      /^(?:xml|datatypes)\/src\//,
      /^runtime\/src\/[^/]+$/,
      /^runtime\/src\/client\/(?!index\.|streams\/|rest\/index\.|transports\/(?:ntlm|node-|web-))/,
      /^runtime\/src\/http\/body-collector\./,
      /^runtime\/src\/protocol\/http\/form-encoding\./,
      /^runtime\/src\/observe\/redact\./,
      /^runtime\/src\/rest\/(?:check-answers|route-paths|json-limits)\./,
    ),
  },
  { name: "routes", modules: /^runtime\/src\/(?:rest|http|observe)\/(?!index\.|route-syntax\/index\.)/ },
];

export function pathsMatching(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

export const runtime: Published = {
  folder: "runtime",
  platform: "neutral",
  shared: runtimeFiles,
  types: "types",
  sharedFolder: "shared/",
  dependencies: [],
  peers: [],
  lazyFiles: [],
  loadedFrom: new Map(),
  files: {},
};

const otel: Published = {
  folder: "otel",
  platform: "neutral",
  shared: [],
  types: "types",
  sharedFolder: "",
  dependencies: [],
  peers: ["@bothends/runtime", "@opentelemetry/api"],
  lazyFiles: [],
  loadedFrom: new Map(),
  files: {},
};

const bothends: Published = {
  folder: "bothends",
  platform: "node",
  shared: [],
  types: "types",
  // Its modules find the package's folder from their own: it is the one above.
  sharedFolder: "",
  // 10 MB, which only `scaffold` needs. The others are inside, because one file loads faster than hundreds.
  dependencies: ["ts-morph"],
  lazyFiles: [
    { name: "xmlbuilder2", from: "generator", content: { library: "xmlbuilder2" } },
    { name: "templates", from: "generator", content: "templates" },
  ],
  peers: [],
  loadedFrom: new Map(),
  files: {
    "bothends.schema.json": "packages/bothends/bothends.schema.json",
    "docs/diagnostics.md": "docs/diagnostics.md",
    // Not `package.json`, which tools would take for that of a package.
    "vendor/runtime/manifest.json": ".packed/vendored-runtime/package.json",
    "vendor/runtime/LICENSE": ".packed/vendored-runtime/LICENSE",
    "vendor/runtime/dist": ".packed/vendored-runtime/dist",
  },
};

/** The published packages. The command line contains the runtime for `--vendor-runtime`, so it comes last. */
export const published: readonly Published[] = [runtime, otel, bothends];
