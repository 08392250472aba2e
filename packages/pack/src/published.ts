/** A published package: its sources, and how they are divided into files. */
export interface Published {
  /** The folder below `packages/`. */
  readonly folder: string;
  /** The platform of the code. `node` allows `require` of dependencies that are not ES modules. */
  readonly platform: "neutral" | "node";
  /** The files with modules that several entries share. A module belongs to the first file whose pattern matches. */
  readonly sharedFiles: readonly SharedFile[];
  /** The file with the declarations that several entries share. */
  readonly sharedTypesFile: string;
  /** The folder of shared files below `dist`. */
  readonly sharedFolder: "" | "shared/";
  /** Dependencies that users install. All other dependencies are bundled. */
  readonly dependencies: readonly string[];
  /** Packages that users install themselves: peer dependencies. */
  readonly peerDependencies: readonly string[];
  /** CommonJS files that the code loads synchronously on first use. */
  readonly lazyFiles: readonly LazyFile[];
  /**
   * Modules that are loaded on first use from a shared file, with the entry of that file. Any other module that is
   * loaded on first use has a separate file.
   */
  readonly filesOfLazyModules: ReadonlyMap<string, string>;
  /** The platform whose files replace imports such as `#transport`. Undefined if these imports remain. */
  readonly condition?: "node";
  /** For each replaced module, by its path below the package's `src`, the module that replaces it. */
  readonly replacedModules?: Readonly<Record<string, string>>;
  /** Additional files of the package's folder or of the repository, by their path in the published folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** A file that contains a complete library, the compiled templates, or a module of the package with all its imports. */
export interface LazyFile {
  /** The name of the file, without `.cjs`. */
  readonly name: string;
  /** The folder, below `packages/`, of the package that depends on the library or contains the module. */
  readonly packageFolder: string;
  readonly content: "templates" | { readonly library: string } | { readonly module: string };
}

/** A file that contains modules shared by several entries. */
export interface SharedFile {
  readonly name: string;
  /** Matches paths of modules below `packages/`. */
  readonly modules: RegExp;
}

/**
 * Files of the runtime. Node takes 1 to 2 ms per module, so a few large files load faster than many small ones; a
 * program's bundler leaves out what the program does not use. Clients do not load code that only servers need.
 *
 * Modules loaded with `import()` have their own files. esbuild follows an `import()` even if the surrounding function
 * is left out, and moves code shared by two files into a third, which a program loads at startup. It assigns whole
 * files, and also follows imports that only unused code needs, unless nothing in the importing file is used. So code
 * that is loaded on first use must share as little as possible with the first load:
 *
 * | file | contents |
 * |---|---|
 * | `base` | what programs and code loaded on first use share, for all protocols; imports nothing |
 * | `core` | clients of all protocols; only clients load it |
 * | `rest`, `requests` | calls of REST interfaces, and their unusual requests |
 * | `calls`, `soap-calls` | calls of operations, and those over SOAP |
 * | `message`, `soap` | what calls share with `decoder` and servers: built-in types, tables, envelopes |
 * | `derived-types` | types that descriptors import, and for which clients need `formats` before an unusual message |
 * | `kinds` | kinds of types, which descriptors import, with the code that they share with `decoder` |
 * | `decoder` | the codec for messages that the quick codecs do not support |
 * | `formats` | names, media types and JSON, for unusual messages and servers; imports only `base` |
 * | `errors`, `answers` | the errors for answers; errors of Node's transport, events, and suggestions |
 *
 * A file with one entry would get the name of the entry, so the patterns leave out `codec/index.ts`.
 */
const runtimeFiles: readonly SharedFile[] = [
  {
    name: "server",
    modules: joinPatterns(
      /^runtime\/src\/server\/(?!adapters\/|shared-exports\.|(?:soap\/|rest\/)?index\.)/,
      /^runtime\/src\/(?:protocol\/(?:.+\/)?(?:server|conventions)|server-limits|thrown-values|is-promise)/,
      /^runtime\/src\/http\/(?!body-|bytes\.|(?:json|compression)-mistakes\.|media-type\.|pem\.)/,
      /^runtime\/src\/observe\/(?!events\.|safe-hooks\.|redact\.|json-tokens\.|index\.)/,
      /^runtime\/src\/rest\/(?!check-answers|segment-names|json-limits|php-json|route-paths|index\.|argument-defaults\.|route-syntax\/index\.)/,
    ),
  },
  {
    name: "node",
    modules:
      /^runtime\/src\/server\/adapters\/(?:node-answers|node\/(?:write-answer|encode-answer|node-request|arrival-timeouts))\./,
  },
  {
    name: "base",
    modules: joinPatterns(
      /^(?:datatypes\/src\/(?:lexical-error|simple-type)|xml\/src\/limits)\./,
      /^runtime\/src\/(?:errors|descriptor\/operation|http\/body-collector|option-types|observe\/(?:redact|json-tokens))\./,
      /^runtime\/src\/(?:protocol\/http\/form-encoding|rest\/json-limits)\./,
    ),
  },
  { name: "errors", modules: /^runtime\/src\/(?:answer-errors|value-problems|keyed-hash)\./ },
  {
    name: "formats",
    modules: joinPatterns(
      /^(?:xml\/src\/name-characters|datatypes\/src\/value-space)\./,
      /^runtime\/src\/(?:http\/(?:bytes|media-type)|rest\/(?:php-json|route-paths))\./,
    ),
  },
  {
    name: "answers",
    modules:
      /^(?:runtime\/src\/(?:client\/(?:errors\/failures|transport)|http\/(?:(?:json|compression)-mistakes|pem)|option-checks|observe\/(?:events|safe-hooks))|xml\/src\/nearest-name)\./,
  },
  { name: "derived-types", modules: /^datatypes\/src\/(?:derivation|union-members|facets|types\/name-types)\./ },
  {
    name: "kinds",
    modules: joinPatterns(
      /^xml\/src\/(?:escape|error|expected-name)\./,
      /^datatypes\/src\/pattern(?!\/example-text\.)/,
      /^runtime\/src\/codec\/(?:(?:decode-table|encode-table|start-tag|schema-mismatch|element-attributes|resolve-type)\.|kinds\/)/,
      /^runtime\/src\/protocol\/soap\/(?:encoding|attachments|client\/extensions)\.ts$/,
    ),
  },
  {
    name: "decoder",
    modules: joinPatterns(
      /^xml\/src\/(?:reader\/|(?:reader|long-text|decode|tree)\.)/,
      /^runtime\/src\/codec\/(?:decode|encoder|tolerant-reader)/,
      /^runtime\/src\/protocol\/soap\/(?:fault|read-envelope|related|client\/(?:features|request-writer))\./,
      /^runtime\/src\/(?:protocol\/(?:http\/parameters|missing-nodes)|http\/body-parts|client\/soap\/find-target)\./,
    ),
  },
  {
    name: "soap-calls",
    modules: joinPatterns(
      /^runtime\/src\/codec\/quick\/quick-encoder\./,
      /^runtime\/src\/protocol\/soap(?:11|12)?\/client\./,
      /^runtime\/src\/client\/soap\/service-client\./,
    ),
  },
  {
    name: "calls",
    modules: joinPatterns(
      /^runtime\/src\/codec\/quick\//,
      /^runtime\/src\/protocol\/(?:[^/]+\/)?client\./,
      /^runtime\/src\/client\/soap\/(?!interface-settings\.)/,
    ),
  },
  {
    name: "soap",
    modules: /^(?:xml\/src\/characters\.|runtime\/src\/(?:codec\/tags\.|protocol\/soap\/(?!client\/)))/,
  },
  {
    name: "message",
    modules: joinPatterns(
      /^(?:xml|datatypes)\/src\/(?!pattern\/example-text\.)/,
      /^runtime\/src\/(?:codec\/(?!index\.)|protocol\/(?!client-|.+\/client(?:-|\/)))/,
      /^runtime\/src\/(?:client\/soap\/interface-settings|wire-names)\./,
    ),
  },
  { name: "requests", modules: /^runtime\/src\/client\/rest\/(?:request|arguments)\./ },
  { name: "rest", modules: /^runtime\/src\/client\/rest\/(?!index\.|batch\.)/ },
  {
    name: "core",
    modules: joinPatterns(
      /^runtime\/src\/[^/]+$/,
      /^runtime\/src\/client\/(?!index\.|streams\/|rest\/(?:index|batch)\.|transports\/(?:connection-queue|ntlm|node-|web-))/,
      /^runtime\/src\/rest\/(?:check-answers|segment-names)\./,
    ),
  },
];

/** A file that exports the names of several entries. */
export interface JoinedFile extends SharedFile {
  readonly entries: readonly string[];
}

/** Returns a pattern that matches if one of several patterns matches. */
export function joinPatterns(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

export const runtime: Published = {
  folder: "runtime",
  platform: "neutral",
  sharedFiles: runtimeFiles,
  sharedTypesFile: "types",
  sharedFolder: "shared/",
  dependencies: [],
  peerDependencies: [],
  lazyFiles: [],
  filesOfLazyModules: new Map(),
  files: {},
};

const otel: Published = {
  folder: "otel",
  platform: "neutral",
  sharedFiles: [],
  sharedTypesFile: "types",
  sharedFolder: "",
  dependencies: [],
  peerDependencies: ["@bothends/runtime", "@opentelemetry/api"],
  lazyFiles: [],
  filesOfLazyModules: new Map(),
  files: {},
};

const bothends: Published = {
  folder: "bothends",
  platform: "node",
  sharedFiles: [],
  sharedTypesFile: "types",
  // The modules find the package's folder by going one folder up from their own.
  sharedFolder: "",
  // ts-morph has 10 MB, and only `scaffold` needs it. The other libraries are bundled, because one file loads faster
  // than hundreds.
  dependencies: ["ts-morph"],
  lazyFiles: [
    { name: "xmlbuilder2", packageFolder: "generator", content: { library: "xmlbuilder2" } },
    { name: "templates", packageFolder: "generator", content: "templates" },
    { name: "command", packageFolder: "bothends", content: { module: "run-command.ts" } },
  ],
  replacedModules: { "run-command.ts": "load-compiled-command.ts" },
  peerDependencies: [],
  filesOfLazyModules: new Map(),
  files: {
    "bothends.schema.json": "packages/bothends/bothends.schema.json",
    "docs/diagnostics.md": "docs/diagnostics.md",
    // The file must not be named `package.json`, because tools would treat it as the manifest of a package.
    "vendor/runtime/manifest.json": ".packed/vendored-runtime/package.json",
    "vendor/runtime/LICENSE": ".packed/vendored-runtime/LICENSE",
    "vendor/runtime/dist": ".packed/vendored-runtime/dist",
  },
};

/** The published packages. The command line contains the runtime for `--vendor-runtime`, so it comes last. */
export const publishedPackages: readonly Published[] = [runtime, otel, bothends];
