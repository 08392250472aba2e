import { posix } from "node:path";
import type { Config } from "@bothends/generator";
import { readFolder, readText } from "@bothends/generator/disk";
import { vendoredFolder } from "./installed.js";
import { UsageError } from "./usage-error.js";

/** The runtime as a fourth package beside the generated ones, for where no registry has it. */
export interface VendoredRuntime {
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
  /** The configuration in which the packages ask for it. */
  readonly config: Config;
}

/** Packs the runtime and the XML package into one package that depends on nothing. */
export function vendorRuntime(config: Config): VendoredRuntime {
  const parents = new Set(Object.values(config.packages).map(({ path }) => posix.dirname(path)));
  const [parent] = parents;
  if (parent === undefined || parents.size !== 1) {
    throw new UsageError(
      "--vendor-runtime needs the packages in one folder, so that each finds the runtime beside it.",
    );
  }
  const path = posix.join(parent, "runtime");
  if (Object.values(config.packages).some((each) => each.path === path)) {
    throw new UsageError(`--vendor-runtime puts the runtime at ${path}, where another package is.`);
  }
  return { path, files: vendoredFiles(path), config: { ...config, runtime: "file:../runtime" } };
}

function vendoredFiles(path: string): ReadonlyMap<string, string> {
  const runtime = readFolder(`${vendoredFolder("runtime")}/dist`);
  const xml = readFolder(`${vendoredFolder("xml")}/dist`);
  const files = new Map<string, string>();
  for (const [name, text] of xml) {
    files.set(`xml/${name}`, text);
  }
  for (const [name, text] of runtime) {
    files.set(name, text);
  }
  const code = [...files].filter(([name]) => /\.(?:js|d\.ts)$/.test(name));
  return new Map([
    [`${path}/package.json`, packageJson()],
    ...code.map(([name, text]) => [`${path}/dist/${name}`, withOwnXml(name, text)] as const),
  ]);
}

/** Compiled code of ours that imports the XML package finds it in `dist/xml`. */
function withOwnXml(name: string, text: string): string {
  return text.replaceAll(/(["'])@bothends\/xml(\/pattern)?\1/g, (_, quote: string, pattern: string | undefined) => {
    const target = pattern === undefined ? "xml/index.js" : "xml/pattern/index.js";
    const way = posix.relative(posix.dirname(name), target);
    return `${quote}${way.startsWith(".") ? way : `./${way}`}${quote}`;
  });
}

/** As it would be published, but without dependencies. */
function packageJson(): string {
  const published: unknown = JSON.parse(readText(`${vendoredFolder("runtime")}/package.json`));
  if (!isPackageJson(published)) {
    throw new Error("The runtime's package.json is no object.");
  }
  const { dependencies: _, devDependencies: __, publishConfig, ...rest } = published;
  const { access: ___, ...entries } = publishConfig ?? {};
  return `${JSON.stringify({ ...rest, ...entries, private: true }, null, 2)}\n`;
}

interface PackageJson {
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

function isPackageJson(value: unknown): value is PackageJson {
  return typeof value === "object" && value !== null;
}
