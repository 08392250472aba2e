import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Published } from "./published.js";
import { root } from "./root.js";

/** The relevant members of a `package.json` in this repository. */
export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, Conditions>>;
  readonly imports?: Readonly<Record<string, SourceConditions>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The files of an entry in `exports`: its source, its declarations and its code. */
export interface Conditions {
  readonly "@bothends/source": string;
  readonly types: string;
  readonly default: string;
}

/** An entry in `imports`, with a source for Node and a source for other platforms. */
interface SourceConditions {
  readonly "@bothends/source": Readonly<Record<"node" | "default", string>>;
}

/** An entry of a published package. */
export interface Entry {
  /** The path of the entry's files below `dist`, without extension. */
  readonly name: string;
  /** The paths of the sources, relative to the package. The entry exports the names of all of them. */
  readonly sources: readonly string[];
  /**
   * The paths of the compiled declarations, relative to the package; empty if programs never import the entry by name.
   */
  readonly types: readonly string[];
}

/** The file with the licenses of the libraries inside a package. */
export const licensesFile = "THIRD-PARTY-LICENSES.txt";

export function readManifest(folder: string): SourceManifest {
  return JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
}

/** Lists the entries of a package from `exports`, `imports` and `bin`. */
export function listEntries(manifest: SourceManifest): readonly Entry[] {
  return [
    ...Object.entries(manifest.exports).map(([path, { "@bothends/source": source, types }]) => ({
      name: getEntryName(path),
      sources: [source],
      types: [types],
    })),
    ...Object.entries(manifest.imports ?? {}).flatMap(([name, { "@bothends/source": sources }]) =>
      Object.entries(sources).map(([platform, source]) => ({
        name: getImportName(name, platform),
        sources: [source],
        types: [],
      })),
    ),
    // `bin.js` is only for this repository: it starts `main.js`, or the packed one.
    ...Object.keys(manifest.bin ?? {}).map(() => ({ name: "main", sources: ["./src/main.ts"], types: [] })),
  ];
}

/** Converts a path in `exports` to a file name: `.` becomes `index`, `./client/fetch` becomes `client/fetch`. */
export function getEntryName(path: string): string {
  return path === "." ? "index" : path.slice("./".length);
}

/** Converts a name in `imports` to a file name: `#transport` on `node` becomes `transport-node`. */
function getImportName(name: string, platform: string): string {
  return `${name.slice(1)}-${platform}`;
}

/**
 * Creates the `package.json` of the published folder, without workspace ranges, conditions of this repository and
 * scripts. `getNodeFile` returns the file of an entry for the condition `node`.
 */
export function createPublishedManifest(
  published: Published,
  manifest: SourceManifest,
  nodeFileOf?: (path: string) => string,
): object {
  const {
    devDependencies: _,
    scripts: __,
    private: ___,
    dependencies: ____,
    peerDependencies: _____,
    ...rest
  } = {
    ...getMembers(manifest),
  };
  const exports = Object.keys(manifest.exports).map((path) => {
    const file = `./dist/${getEntryName(path)}`;
    const node = nodeFileOf === undefined ? {} : { node: nodeFileOf(path) };
    return [path, { types: `${file}.d.ts`, ...node, default: `${file}.js` }];
  });
  const imports = Object.entries(manifest.imports ?? {}).map(([name, { "@bothends/source": sources }]) => [
    name,
    Object.fromEntries(
      Object.keys(sources).map((platform) => [platform, `./dist/${getImportName(name, platform)}.js`]),
    ),
  ]);
  const bin = Object.fromEntries(Object.keys(manifest.bin ?? {}).map((name) => [name, "./dist/main.js"]));
  return {
    ...rest,
    ...(manifest.bin === undefined ? {} : { bin }),
    ...getRepository(published.folder),
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    ...(imports.length > 0 ? { imports: Object.fromEntries(imports) } : {}),
    files: [
      ...new Set([
        "dist",
        "src",
        licensesFile,
        ...Object.keys(published.files).map((path) => path.split("/")[0] ?? path),
      ]),
    ],
    ...(published.dependencies.length > 0
      ? { dependencies: Object.fromEntries(published.dependencies.map((name) => [name, getCatalogRange(name)])) }
      : {}),
    ...(published.peerDependencies.length > 0
      ? {
          peerDependencies: Object.fromEntries(
            published.peerDependencies.map((name) => [name, getPeerRange(name, manifest)]),
          ),
        }
      : {}),
    publishConfig: { access: "public", provenance: true },
  };
}

function getMembers(manifest: SourceManifest): Record<string, unknown> {
  return { ...manifest };
}

/** Returns the members `repository`, `homepage` and `bugs` of a package's manifest. */
function getRepository(folder: string): object {
  const { repository, homepage, bugs } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { homepage, bugs, repository: { ...repository, directory: `packages/${folder}` } };
}

/** Returns the version range of a peer dependency. All packages of this repository have one version. */
function getPeerRange(name: string, { version, peerDependencies }: SourceManifest): string {
  return name.startsWith("@bothends/") ? `^${version}` : (peerDependencies?.[name] ?? getCatalogRange(name));
}

/** Reads the version range of a dependency from the workspace's catalog. */
function getCatalogRange(name: string): string {
  const text = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  const escapedName = name.replaceAll(/[/@.-]/g, "\\$&");
  const range = new RegExp(`^  "?${escapedName}"?: (\\S+)$`, "m").exec(text)?.[1];
  if (range === undefined) {
    throw new Error(`pnpm-workspace.yaml has no version of ${name} in its catalog.`);
  }
  return range;
}
