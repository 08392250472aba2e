import { join, relative, sep } from "node:path";
import { type CodeSplittingOptions, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { onlyAscii, requireLazyFiles } from "./bundle-libraries.js";
import type { Entry } from "./manifest.js";
import { markPurePlugin } from "./mark-pure.js";
import type { Published } from "./published.js";
import { root } from "./root.js";

const packagesFolder = join(root, "packages");

/**
 * Writes the code of a package's entries to `folder`, with source maps: one file for each entry, and the shared files.
 * Returns the ids of the modules in these files.
 */
export async function bundleCode(
  published: Published,
  entries: readonly Entry[],
  folder: string,
): Promise<readonly string[]> {
  const lazyModules = new Set<string>();
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry.name, getEntryId(published, entry)])),
    platform: published.platform,
    external: [
      /^node:/,
      ...(published.condition === undefined ? [/^#/] : []),
      ...published.dependencies,
      ...published.peerDependencies,
    ],
    // Adds `@__PURE__` marks to the code for all platforms, and removes its bare imports, because only this code is
    // bundled into users' programs.
    plugins: [
      joinEntries(published, entries),
      published.platform === "neutral" ? markPurePlugin : undefined,
      requireLazyFiles(published.lazyFiles, "createRequire(import.meta.url)"),
      published.replacedModules === undefined ? undefined : replaceModules(published),
      collectLazyModules(lazyModules),
      published.platform === "neutral" ? removeBareImports : undefined,
      published.platform === "neutral" ? listOwnExports : undefined,
      published.condition === "node" ? onlyAscii : undefined,
    ],
    resolve: {
      conditionNames: ["@bothends/source", published.condition ?? [], "import", "default"].flat(),
      mainFields: ["module", "main"],
    },
    treeshake: { moduleSideEffects: false },
    // This option would allow additional exports of entries. There are none, because shared modules have separate
    // files.
    preserveEntrySignatures: "allow-extension",
    tsconfig: false,
    checks: { bundlerTimings: false },
    onLog(level, log, report) {
      // This warning is expected: several commands may load the same module with `import()`.
      if (level === "warn" && log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") {
        throw new Error(log.message);
      }
      report(level, log);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    sourcemap: true,
    ...(published.condition === "node" ? outputForNode : {}),
    sourcemapPathTransform: (path, map) => getPublishedPath(join(map, "..", path)),
    entryFileNames: "[name].js",
    chunkFileNames: `${published.sharedFolder}[name].js`,
    ...(published.sharedFiles.length > 0 ? { codeSplitting: listSharedFiles(published, lazyModules) } : {}),
  });
  await bundle.close();
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}

/**
 * Lets the code with which the bundler creates the namespace of a module read only the module's own exports. It would
 * also read members that other code adds to `Object.prototype`, and fail.
 */
const listOwnExports: Plugin = {
  name: "list-own-exports",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === "chunk" && chunk.code.includes("__exportAll = ")) {
        const code = chunk.code.replace("for (var name in all) ", "for (var name of Object.keys(all)) ");
        if (code === chunk.code) {
          throw new Error("The function __exportAll of the bundler has changed.");
        }
        chunk.code = code;
      }
    }
  },
};

/**
 * Node reads every character of a file at each start. So the files for Node have no comments, and have short names for
 * local variables and private members. Stack traces stay readable, because lines and the names of functions and classes
 * do not change. The files for other platforms, for bundlers and readers, look like the sources.
 */
const outputForNode: OutputOptions = {
  comments: { annotation: true, jsdoc: false, legal: false },
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { toplevel: false, keepNames: true },
    codegen: { removeWhitespace: false },
  },
};

/** Returns the module id of an entry: its source; for several sources, a virtual module that re-exports all of them. */
function getEntryId({ folder }: Published, { name, sources }: Entry): string {
  const [source = ""] = sources;
  return sources.length === 1 ? join(packagesFolder, folder, source) : getJoinedId(name);
}

function getJoinedId(name: string): string {
  return `\0entry:${name}`;
}

/** Creates the virtual modules of entries with several sources, and redirects dynamic imports to them. */
function joinEntries(published: Published, entries: readonly Entry[]): Plugin {
  return {
    name: "join-entries",
    async resolveId(source, importer, { kind }) {
      if (source.startsWith(getJoinedId(""))) {
        return source;
      }
      const resolvedModule = kind === "dynamic-import" ? await this.resolve(source, importer) : null;
      const entry =
        resolvedModule && published.filesOfLazyModules.get(withSlashes(relative(packagesFolder, resolvedModule.id)));
      return entry === undefined || entry === null ? null : getJoinedId(entry);
    },
    load(id) {
      const joinedEntry = entries.find((entry) => getJoinedId(entry.name) === id);
      return joinedEntry === undefined
        ? null
        : joinedEntry.sources
            .map((source) => `export * from ${JSON.stringify(join(packagesFolder, published.folder, source))};`)
            .join("\n");
    },
  };
}

/** Replaces the modules in `replacedModules` with other modules. */
function replaceModules({ folder, replacedModules = {} }: Published): Plugin {
  const source = join(packagesFolder, folder, "src");
  return {
    name: "replace-modules",
    async resolveId(specifier, importer) {
      const resolvedModule = await this.resolve(specifier, importer, { skipSelf: true });
      const replacement = resolvedModule === null ? undefined : replacedModules[relative(source, resolvedModule.id)];
      return replacement === undefined ? null : join(source, replacement);
    },
  };
}

/**
 * Removes imports without names, which only determine the order of evaluation. They have no effect, because no module
 * has side effects, but Node takes time to resolve each of them, and esbuild warns about them. Their lines stay empty,
 * so that the source maps remain valid.
 */
const removeBareImports: Plugin = {
  name: "remove-bare-imports",
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === "chunk") {
        file.code = file.code.replace(/^import "\.[^"]+";$/gm, "");
      }
    }
  },
};

/**
 * Collects the modules that are loaded on first use with `import()`, and the modules that only these import. They must
 * not be in a shared file: a program would load them at startup, and bundlers could not leave them out.
 */
function collectLazyModules(lazyModules: Set<string>): Plugin {
  return {
    name: "collect-lazy-modules",
    buildEnd() {
      const modules = [...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id) ?? []);
      const eagerModules = new Set(modules.filter(({ isEntry }) => isEntry).map(({ id }) => id));
      for (const id of eagerModules) {
        for (const importedId of this.getModuleInfo(id)?.importedIds ?? []) {
          eagerModules.add(importedId);
        }
      }
      for (const { id, dynamicallyImportedIds } of modules) {
        for (const target of eagerModules.has(id) ? dynamicallyImportedIds : [id]) {
          lazyModules.add(target);
        }
      }
    },
  };
}

function listSharedFiles(
  { sharedFiles, filesOfLazyModules }: Published,
  lazyModules: ReadonlySet<string>,
): CodeSplittingOptions {
  return {
    includeDependenciesRecursively: false,
    groups: sharedFiles.map(({ name, modules }, index) => ({
      name,
      test: (id: string) =>
        id === getJoinedId(name) ||
        ((filesOfLazyModules.size > 0 || !lazyModules.has(id)) &&
          modules.test(withSlashes(relative(packagesFolder, id)))),
      priority: sharedFiles.length - index,
    })),
  };
}

/** Returns the path of a source for source maps, which is the same on every machine. The maps contain the sources. */
function getPublishedPath(path: string): string {
  const [, inLibrary] = /.*(node_modules\/.+)/.exec(withSlashes(path)) ?? [];
  return inLibrary ?? withSlashes(relative(packagesFolder, path));
}

function withSlashes(path: string): string {
  return path.split(sep).join("/");
}
