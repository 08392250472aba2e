import { relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

const soapCall = (module: string, protocol: string): string => `
  import { call, connect } from "@bothends/runtime/call";
  import { ${protocol} } from "@bothends/runtime/${module}";
  import { checkUSA } from "@bothends/contract/vehicle";
  export const find = (baseUrl, input) => call(connect({ protocols: [${protocol}], options: { baseUrl } }), checkUSA, input);`;

/** Programs for the browser, by what they do. */
export const programs = {
  "one operation, SOAP 1.1": soapCall("soap11", "soap11"),
  "one operation, SOAP 1.2": soapCall("soap12", "soap12"),
  "one operation, HTTP GET": soapCall("http-get", "httpGet"),
  "one endpoint, REST": `
  import { RestClient } from "@bothends/runtime/client";
  import { content, coreBlocksList } from "@bothends/contract/content";
  export const list = (siteUrl, input) => new RestClient(content, { siteUrl }).call(coreBlocksList, input);`,
  "SOAP client classes": `export { VehicleClient } from "@bothends/client/vehicle";`,
  "REST client classes": `export { ContentClient } from "@bothends/client/content";`,
} as const;

/** The bytes of a program as a browser loads it at first: bundled, minified, compressed, without what is loaded when it is needed. */
export async function bundleSize(program: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    outdir: "bundle",
    absWorkingDir: import.meta.dirname,
    metafile: true,
    write: false,
  });
  const [entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === "<stdin>") ?? [];
  const first = withImports(metafile.outputs, entry ?? "");
  const sizes = outputFiles.map(({ path, contents }) =>
    first.has(relative(import.meta.dirname, path)) ? gzipSync(contents, { level: 9 }).length : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A file of a bundle, and all that it imports at once. */
function withImports(outputs: Metafile["outputs"], path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const imported of outputs[path]?.imports ?? []) {
    if (imported.kind === "import-statement") withImports(outputs, imported.path, found);
  }
  return found;
}
