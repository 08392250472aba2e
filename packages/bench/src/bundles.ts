import { gzipSync } from "node:zlib";
import { build } from "esbuild";

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

/** The bytes of a program as a browser loads it: bundled, minified, compressed. */
export async function bundleSize(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
