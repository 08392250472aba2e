import { join, posix } from "node:path";
import type { Config } from "@bothends/generator";
import { isFolder, readFolder, readText } from "@bothends/generator/disk";
import { UsageError } from "./host.js";

// The folder of this package, from `src` and from `dist`.
const packageFolder = join(import.meta.dirname, "..");

/** Reads the templates, which are in this package when it is installed, and beside it in the repository. */
export function readTemplates(): ReadonlyMap<string, string> {
  return readFolder(firstFolder([join(packageFolder, "templates"), join(packageFolder, "..", "..", "templates")]));
}

/** The text of the page of diagnostics, which is in this package when it is installed, and among the pages in the repository. */
export function readExplanations(): string {
  const name = "diagnostics.md";
  const folder = firstFolder([join(packageFolder, "docs"), join(packageFolder, "..", "..", "docs")]);
  return readText(join(folder, name));
}

/** The folder of a package that can be vendored: packed with this package, or beside it in its repository. */
export function vendoredFolder(name: "runtime" | "datatypes" | "xml"): string {
  return firstFolder([join(packageFolder, "vendor", name), join(packageFolder, "..", name)]);
}

/** The version of this package. The runtime has the same. */
export function ownVersion(): string {
  return versionOf(readText(join(packageFolder, "package.json")));
}

function versionOf(text: string): string {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "version" in value ? String(value.version) : "0.0.0";
}

function firstFolder(folders: readonly string[]): string {
  const found = folders.find((folder) => isFolder(folder));
  if (found === undefined) {
    throw new Error(`None of these folders exists: ${folders.join(", ")}.`);
  }
  return found;
}

/** The runtime as a fourth package beside the generated ones, for when no registry has it. */
export interface VendoredRuntime {
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
  /** The configuration with the dependency on that package. */
  readonly config: Config;
}

/** Packs the runtime and the packages that it imports into one package that depends on nothing. */
export function vendorRuntime(config: Config): VendoredRuntime {
  const parents = new Set(Object.values(config.packages).map(({ path }) => posix.dirname(path)));
  const [parent] = parents;
  if (parent === undefined || parents.size !== 1) {
    throw new UsageError("--vendor-runtime needs all packages in one folder, beside which the runtime is written.");
  }
  const path = posix.join(parent, "runtime");
  if (Object.values(config.packages).some((each) => each.path === path)) {
    throw new UsageError(`--vendor-runtime writes the runtime to ${path}, which is the folder of another package.`);
  }
  return { path, files: vendoredFiles(path), config: { ...config, runtime: "file:../runtime" } };
}

/** The packages that the runtime imports; each gets a folder inside the runtime's `dist`. */
const imported = ["datatypes", "xml"] as const;

function vendoredFiles(path: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of imported) {
    for (const [file, text] of readFolder(`${vendoredFolder(name)}/dist`)) {
      files.set(`${name}/${file}`, text);
    }
  }
  for (const [file, text] of readFolder(`${vendoredFolder("runtime")}/dist`)) {
    files.set(file, text);
  }
  const entries = new Map(imported.flatMap(entriesOf));
  const code = [...files].filter(([name]) => /\.(?:js|d\.ts)$/.test(name));
  return new Map([
    [`${path}/package.json`, packageJson()],
    ...code.map(([name, text]) => [`${path}/dist/${name}`, withRelativeImports(name, text, entries)] as const),
  ]);
}

/** The files behind the entries of a package, inside the vendored `dist`: `@bothends/datatypes/xs` is `datatypes/xs.js`. */
function entriesOf(name: (typeof imported)[number]): readonly (readonly [specifier: string, file: string])[] {
  const { exports = {} } = readPackageJson(name);
  return Object.entries(exports).map(([entry, { default: file }]) => [
    posix.join("@bothends", name, entry),
    posix.join(name, posix.relative("dist", file)),
  ]);
}

function withRelativeImports(file: string, text: string, entries: ReadonlyMap<string, string>): string {
  return text.replaceAll(/(["'])(@bothends\/[a-z/-]+)\1/g, (literal, quote: string, specifier: string) => {
    const target = entries.get(specifier);
    if (target === undefined) {
      return literal;
    }
    const relative = posix.relative(posix.dirname(file), target);
    return `${quote}${relative.startsWith(".") ? relative : `./${relative}`}${quote}`;
  });
}

/** As it would be published, but without dependencies. */
function packageJson(): string {
  const { dependencies: _, devDependencies: __, publishConfig, ...rest } = readPackageJson("runtime");
  const { access: ___, ...entries } = publishConfig ?? {};
  return `${JSON.stringify({ ...rest, ...entries, private: true }, null, 2)}\n`;
}

function readPackageJson(name: "runtime" | (typeof imported)[number]): PackageJson {
  const file = `${vendoredFolder(name)}/package.json`;
  const value: unknown = JSON.parse(readText(file));
  if (!isPackageJson(value)) {
    throw new Error(`${file} is not a JSON object.`);
  }
  return value;
}

interface PackageJson {
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly exports?: Readonly<Record<string, { readonly default: string }>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

function isPackageJson(value: unknown): value is PackageJson {
  return typeof value === "object" && value !== null;
}
