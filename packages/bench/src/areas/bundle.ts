import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { Group, Subject } from "../measure.js";

/** Programs for the browser. */
export const measureBundle = (): readonly Group[] => [
  {
    id: "bundle",
    title: "Bundle, minified, gzip",
    unit: "KB",
    baseline: "One operation over SOAP 1.1.",
    isExact: true,
    subjects: Object.entries(programs).map(
      ([name, program]): Subject => ({
        name,
        measure: async () => ({ cost: (await bundleProgram(program)).bytes / 1000 }),
      }),
    ),
  },
];

const soapCall = (module: string, protocol: string): string => `
  import { call, connect } from "@bothends/runtime/call";
  import { ${protocol} } from "@bothends/runtime/${module}";
  import { checkUSA } from "@bothends/contract/vehicle/operations";
  export const find = (baseUrl, input) => call(connect({ protocols: [${protocol}], options: { baseUrl } }), checkUSA, input);`;

/** The code of browser programs, keyed by the calls that they make. */
export const programs = {
  "one operation, SOAP 1.1": soapCall("soap11", "soap11"),
  "one operation, SOAP 1.2": soapCall("soap12", "soap12"),
  "one operation, HTTP GET": soapCall("http-get", "httpGet"),
  "one endpoint, REST": `
  import { RestClient } from "@bothends/runtime/rest-client";
  import { content, coreBlocksList } from "@bothends/contract/content/operations";
  export const list = (siteUrl, input) => new RestClient(content, { siteUrl }).call(coreBlocksList, input);`,
  "SOAP client classes": `export { VehicleClient } from "@bothends/client/vehicle";`,
  "REST client classes": `export { ContentClient } from "@bothends/client/content";`,
} as const;

/** The part of a bundle that a browser loads at startup, without modules that are loaded on first use. */
export interface Bundle {
  /** The size in bytes, minified and compressed with gzip. */
  readonly bytes: number;
  /** The paths of the modules in the bundle, below `packages`. */
  readonly modules: readonly string[];
}

const packages = join(import.meta.dirname, "..", "..", "..");

/** Bundles and minifies a program, and measures what a browser loads before the first call. */
export async function bundleProgram(program: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    conditions: ["@bothends/source"],
    outdir: "bundle",
    absWorkingDir: packages,
    metafile: true,
    write: false,
  });
  const { outputs } = metafile;
  const [entry = ""] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === "<stdin>") ?? [];
  const entryFiles = withImports(outputs, entry);
  const files = outputFiles.filter(({ path }) => entryFiles.has(relative(packages, path)));
  return {
    bytes: files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0),
    modules: [...entryFiles].flatMap((path) =>
      Object.entries(outputs[path]?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [input] : [],
      ),
    ),
  };
}

/** Returns the paths of a bundle's file and of all files that it imports statically. */
function withImports(
  outputs: Metafile["outputs"],
  path: string,
  visitedPaths = new Set<string>(),
): ReadonlySet<string> {
  if (visitedPaths.has(path)) {
    return visitedPaths;
  }
  visitedPaths.add(path);
  for (const importedFile of outputs[path]?.imports ?? []) {
    if (importedFile.kind === "import-statement") {
      withImports(outputs, importedFile.path, visitedPaths);
    }
  }
  return visitedPaths;
}
