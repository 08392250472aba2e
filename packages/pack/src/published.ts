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
  readonly loadedFrom: ReadonlyMap<string, string>;
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
 * Files of the runtime. Node takes 1 to 2 ms per module, so a few large files load faster than many small ones; a program's
 * bundler leaves out what the program does not use. Clients do not load code that only servers need.
 *
 * Modules loaded with `import()` have their own files. esbuild follows an `import()` even if the surrounding function is left
 * out, and moves code shared by two files into a third, which a program loads at startup. Code that clients need only for
 * messages that the quick codecs do not support is therefore in two files that no module loaded at startup imports: `decoder`,
 * which also contains the encoder for such requests, and `answers`, which clients need only for errors and such answers, and
 * servers for all requests. `answers` also has the errors of Node's transport (`client/transport`), which the code for failures
 * recognizes: in `core`, every program would load them at startup. The same applies to `requests`, for REST requests that
 * `usual-request.ts` does not support, which only the entry `./client/batch` imports at startup. `kinds`, which descriptors
 * import, does not import `decoder`, but contains the code that both need. Clients of REST interfaces load `core`, which does
 * not import `message`. Their calls are in `rest`, because calls load modules on first use. What the code loaded on first use
 * for REST shares with the program is in `base`, and what it shares with SOAP and with servers is in `formats`: if it imported
 * `core` or `kinds`, a bundler would put everything that these files share with any code loaded later into the program.
 */
const runtimeFiles: readonly SharedFile[] = [
  {
    name: "server",
    modules: joinPatterns(
      /^runtime\/src\/server\/(?!adapters\/|shared-exports\.|(?:soap\/|rest\/)?index\.)/,
      /^runtime\/src\/(?:protocol\/(?:.+\/)?(?:server|conventions)|server-limits)/,
      /^runtime\/src\/http\/(?!body-|media-type\.)/,
      /^runtime\/src\/observe\/(?!events\.|safe-hooks\.|redact\.|index\.)/,
      /^runtime\/src\/rest\/(?!check-answers|segment-names|json-limits|php-json|route-paths|index\.|argument-defaults\.|route-syntax\/index\.)/,
    ),
  },
  { name: "node", modules: /^runtime\/src\/server\/adapters\/node\/(?:answer|request)\./ },
  {
    name: "base",
    modules: joinPatterns(
      /^datatypes\/src\/lexical-error\./,
      /^runtime\/src\/errors\./,
      /^runtime\/src\/http\/body-collector\./,
      /^runtime\/src\/protocol\/http\/form-encoding\./,
      /^runtime\/src\/rest\/json-limits\./,
    ),
  },
  { name: "errors", modules: /^runtime\/src\/(?:answer-errors|value-problems)\./ },
  { name: "formats", modules: /^runtime\/src\/(?:http\/media-type|rest\/(?:php-json|route-paths))\./ },
  {
    name: "answers",
    modules:
      /^(?:runtime\/src\/(?:client\/(?:failures|transport)|observe\/(?:events|safe-hooks))|xml\/src\/nearest-name)\./,
  },
  {
    name: "kinds",
    modules: joinPatterns(
      /^xml\/src\/(?:escape|error|expected-name)\./,
      /^runtime\/src\/codec\/(?:(?:decode-table|encode-table|start-tag|schema-mismatch|element-attributes|resolve-type)\.|kinds\/)/,
      /^runtime\/src\/protocol\/soap\/(?:encoding|attachments|client-extensions)\.ts$/,
    ),
  },
  {
    name: "decoder",
    modules: joinPatterns(
      /^xml\/src\/(?:reader\/|(?:reader|content|decode|tree)\.)/,
      /^runtime\/src\/codec\/(?:decode|encoder|tolerant-reader)/,
      /^runtime\/src\/protocol\/(?:soap\/(?:fault|read-envelope|related|client-parts)|http\/parameters)\./,
      /^runtime\/src\/(?:http\/body-parts|client\/soap\/find-target)\./,
    ),
  },
  {
    name: "soap",
    modules: joinPatterns(
      /^xml\/src\/characters\./,
      /^runtime\/src\/codec\/(?:tags|quick\/quick-encoder)\./,
      /^runtime\/src\/protocol\/(?:soap|soap11|soap12)\//,
      /^runtime\/src\/client\/soap\/service-client\./,
    ),
  },
  {
    name: "message",
    modules: joinPatterns(
      /^xml\/src\/(?!limits\.|nearest-name\.)/,
      /^datatypes\/src\/(?!lexical-error\.)/,
      /^runtime\/src\/(?:codec|client\/soap|protocol(?!\/http\/form-encoding\.))\//,
      /^runtime\/src\/wire-names\./,
    ),
  },
  { name: "requests", modules: /^runtime\/src\/client\/rest\/(?:request|arguments)\./ },
  { name: "rest", modules: /^runtime\/src\/client\/rest\/(?!index\.|batch\.)/ },
  {
    name: "core",
    modules: joinPatterns(
      /^(?:xml|datatypes)\/src\//,
      /^runtime\/src\/[^/]+$/,
      /^runtime\/src\/client\/(?!index\.|streams\/|rest\/(?:index|batch)\.|transports\/(?:connection-queue|ntlm|node-|web-))/,
      /^runtime\/src\/(?:http\/body-collector|descriptor\/operation)\./,
      /^runtime\/src\/protocol\/http\/form-encoding\./,
      /^runtime\/src\/observe\/redact\./,
      /^runtime\/src\/rest\/(?:check-answers|segment-names|json-limits)\./,
    ),
  },
];

/** A file that exports the names of several entries. */
export interface JoinedFile extends SharedFile {
  readonly entries: readonly string[];
}

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
  loadedFrom: new Map(),
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
  loadedFrom: new Map(),
  files: {},
};

const bothends: Published = {
  folder: "bothends",
  platform: "node",
  sharedFiles: [],
  sharedTypesFile: "types",
  // The modules find the package's folder by going one folder up from their own.
  sharedFolder: "",
  // ts-morph has 10 MB, and only `scaffold` needs it. The other libraries are bundled, because one file loads faster than
  // hundreds.
  dependencies: ["ts-morph"],
  lazyFiles: [
    { name: "xmlbuilder2", packageFolder: "generator", content: { library: "xmlbuilder2" } },
    { name: "templates", packageFolder: "generator", content: "templates" },
    { name: "command", packageFolder: "bothends", content: { module: "run-command.ts" } },
  ],
  replacedModules: { "run-command.ts": "compiled-command.ts" },
  peerDependencies: [],
  loadedFrom: new Map(),
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
