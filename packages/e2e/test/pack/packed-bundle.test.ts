import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../house/sources.js";
import { Packed, packedFolder } from "./packed.js";

const packed = new Packed();
beforeAll(() => packed.build(), 120_000);
afterAll(() => packed.remove());

const programs = [
  {
    what: "one operation over SOAP 1.2",
    program: `import { checkUSA } from "@bothends/client/vehicle/operations";
import { call, connect } from "@bothends/runtime/call";
import { soap12 } from "@bothends/runtime/soap12";
console.log(await call(connect({ protocols: [soap12], options: { baseUrl: location.origin } }), checkUSA, { RegistrationNumber: "A", State: "NY", username: "u" }));`,
  },
  {
    what: "one operation over HTTP GET",
    program: `import { checkUSA } from "@bothends/client/vehicle/operations";
import { call, connect } from "@bothends/runtime/call";
import { httpGet } from "@bothends/runtime/http-get";
console.log(await call(connect({ protocols: [httpGet], options: { baseUrl: location.origin } }), checkUSA, { RegistrationNumber: "A", State: "NY", username: "u" }));`,
  },
  {
    what: "a REST endpoint",
    program: `import { content, coreBlocksList } from "@bothends/client/content/operations";
import { RestClient } from "@bothends/runtime/rest-client";
console.log(await new RestClient(content, { siteUrl: location.origin }).call(coreBlocksList, {}));`,
  },
];

/** The files of the published runtime's entries, by their names. */
function publishedEntries(): Record<string, string> {
  const folder = packedFolder("runtime");
  const exports: Readonly<Record<string, string | { readonly default: string }>> = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ).exports;
  return Object.fromEntries(
    Object.entries(exports).map(([entry, target]) => [
      `@bothends/runtime${entry.slice(1)}`,
      join(folder, typeof target === "string" ? target : target.default),
    ]),
  );
}

/** Compressed bytes that a browser loads before the first call, with the runtime's sources or as it is published. */
async function loadedBytes(program: string, runtime: "source" | "published"): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: `${root}/packages/e2e` },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    conditions: ["@bothends/source"],
    target: "es2023",
    outdir: "/out",
    absWorkingDir: "/",
    alias: runtime === "published" ? publishedEntries() : {},
    metafile: true,
    write: false,
  });
  const loaded = new Set(["out/stdin.js"]);
  for (const file of loaded) {
    for (const { kind, path } of metafile.outputs[file]?.imports ?? []) {
      if (kind === "import-statement") {
        loaded.add(path);
      }
    }
  }
  const code = outputFiles.filter(({ path }) => loaded.has(path.slice(1))).map(({ text }) => text);
  expect(code).toHaveLength(loaded.size);
  return gzipSync(code.join("")).length;
}

test.each(programs)(
  "a bundle of $what is as small with the published runtime as with its sources",
  async ({ program }) => {
    const [source, published] = [await loadedBytes(program, "source"), await loadedBytes(program, "published")];
    expect(source).toBeGreaterThan(5_000);
    expect(published / source).toBeLessThan(1.03);
  },
);
