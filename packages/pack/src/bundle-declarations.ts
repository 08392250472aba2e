import { existsSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import type { Entry } from "./manifest.js";
import { mapDeclarations } from "./map-declarations.js";
import type { Published } from "./published.js";
import { root } from "./root.js";

const packagesFolder = join(root, "packages");

/**
 * The modules whose declarations need those of Node. They are in separate files, so that the compiler does not read
 * them for browser programs.
 */
export const nodeModulePattern = /^runtime\/dist\/server\/adapters\/|\/transports\/(?:node-|ntlm)/;

/**
 * Writes the declarations of a package's entries to `folder`, beside their code, from the compiler's declarations.
 * Declaration maps refer to the sources, which are written to `src`, so that editors open the source of a declaration.
 */
export async function bundleDeclarations(
  published: Published,
  entries: readonly Entry[],
  folder: string,
): Promise<void> {
  const declaredEntries = entries.filter(({ types }) => types.length > 0);
  const files = new Map(declaredEntries.map((entry) => [entry.name, prepareEntryFile(published, entry, folder)]));
  const entryPaths = new Set(files.values());
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(files),
    external: [
      /^node:/,
      ...published.dependencies,
      ...published.peerDependencies.flatMap((name) => [name, new RegExp(`^${name}/`)]),
    ],
    plugins: [
      dts({
        dtsInput: true,
        sourcemap: false,
        tsconfig: false,
        resolve: published.peerDependencies.length > 0 ? [] : [/^@bothends\//],
      }),
    ],
    resolve: { conditionNames: ["types", "import", "default"] },
    preserveEntrySignatures: "allow-extension",
    experimental: { attachDebugInfo: "none" },
    checks: { bundlerTimings: false },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].ts",
    chunkFileNames: `${published.sharedFolder}[name].ts`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name: `${published.sharedTypesFile}.d`,
          test: (id: string) =>
            id === files.get(published.sharedTypesFile) ||
            (!entryPaths.has(id) && !nodeModulePattern.test(withSlashes(id))),
        },
      ],
    },
  });
  await bundle.close();
  mapDeclarations(folder, new Map(output.map((file) => [file.fileName, file.type === "chunk" ? file.moduleIds : []])));
}

/**
 * Returns the path of an entry's declarations. For an entry with several sources, writes a file to `folder` that
 * re-exports all of them.
 */
function prepareEntryFile(published: Published, { name, types }: Entry, folder: string): string {
  const paths = types.map((path) => join(packagesFolder, published.folder, path));
  for (const path of paths) {
    if (!existsSync(path)) {
      throw new Error(`${path} does not exist. Run tsc -b first.`);
    }
  }
  const [only = ""] = paths;
  if (paths.length === 1) {
    return only;
  }
  const joinedFile = join(folder, `${name}.entry.d.ts`);
  writeFileSync(joinedFile, paths.map((path) => `export * from ${JSON.stringify(path)};\n`).join(""));
  return joinedFile;
}

function withSlashes(path: string): string {
  return relative(packagesFolder, path).split(sep).join("/");
}
