import { join, relative, sep } from "node:path";
import { type CodeSplittingOptions, rolldown } from "rolldown";
import type { Entry } from "./manifest.js";
import { markPure } from "./mark-pure.js";
import type { Published } from "./published.js";
import { root } from "./root.js";

const packagesFolder = join(root, "packages");

/** Writes the code of a package's entries, with source maps, to `folder`: a file for each entry, and the shared files. */
export async function bundleCode(published: Published, entries: readonly Entry[], folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      entries.map(({ name, source }) => [name, join(packagesFolder, published.folder, source)]),
    ),
    platform: published.platform,
    external: [/^node:/, /^#/, ...published.dependencies],
    plugins: [markPure],
    resolve: { conditionNames: ["@bothends/source", "import", "default"] },
    treeshake: { moduleSideEffects: false },
    // An entry exports what its module exports: shared modules are in files that are not entries.
    preserveEntrySignatures: "allow-extension",
    tsconfig: false,
    checks: { bundlerTimings: false },
    onLog(level, log, report) {
      if (level === "warn") {
        throw new Error(log.message);
      }
      report(level, log);
    },
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    sourcemap: true,
    sourcemapPathTransform: (path, map) => publishedPath(join(map, "..", path)),
    entryFileNames: "[name].js",
    chunkFileNames: `${published.sharedFolder}[name].js`,
    ...(published.shared.length > 0 ? { codeSplitting: sharedFiles(published) } : {}),
  });
  await bundle.close();
}

function sharedFiles({ shared }: Published): CodeSplittingOptions {
  return {
    includeDependenciesRecursively: false,
    groups: shared.map(({ name, modules }, index) => ({
      name,
      test: (id: string) => modules.test(slashed(relative(packagesFolder, id))),
      priority: shared.length - index,
    })),
  };
}

/** The path of a source in a source map, which contains its text: the same on each machine. */
function publishedPath(path: string): string {
  return slashed(relative(packagesFolder, path));
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
