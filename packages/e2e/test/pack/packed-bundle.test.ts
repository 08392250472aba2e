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

/** Returns the files of the entries of a built runtime, by the names of the entries. */
function entriesIn(folder: string): Record<string, string> {
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

/**
 * Returns the compressed bytes that a browser loads before the first call, with the runtime's sources or with a built
 * runtime.
 */
async function loadedBytes(program: string, runtime?: string): Promise<number> {
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
    alias: runtime === undefined ? {} : entriesIn(runtime),
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
  // The names of chunks contain a hash of their paths, which depend on the folder of the repository.
  return gzipSync(code.join("").replace(/chunk-[0-9A-Z]{8}/g, "chunk")).length;
}

// The file with all kinds of fields shares some of its imports with the code for answers that the quick decoder does
// not support.
const attribute = {
  what: "an operation with an attribute",
  program: `import { call, connect } from "@bothends/runtime/call";
import { soap11 } from "@bothends/runtime/soap11";
import * as xs from "@bothends/runtime/xs";
const type = () => ({ kind: "record", name: "{urn:a}B", fields: { id: { kind: "attribute", by: xs.attribute, type: xs.string } } });
const service = { descriptorFormat: 2, name: "S", namespace: "urn:a", ports: { soap11: { name: "P", address: "http://a.example/" } } };
const operation = { kind: "operation", service, name: "B", input: { body: { element: "{urn:a}B", type } }, bindings: { soap11: { action: "" } } };
console.log(await call(connect({ protocols: [soap11], options: { baseUrl: location.origin } }), operation, { id: "1" }));`,
};

test.each([...programs.map((each) => ({ ...each, most: 1.03 })), { ...attribute, most: 1.13 }])(
  "a bundle of $what is at most $most times as large with the published runtime as with its sources",
  async ({ program, most }) => {
    const [source, published] = [await loadedBytes(program), await loadedBytes(program, packedFolder("runtime"))];
    expect(source).toBeGreaterThan(5_000);
    expect(published / source).toBeLessThan(most);
  },
);

// The vendored runtime has only eleven files: a client over HTTP GET also loads parts of the code for envelopes.
test.each(programs)("a bundle of $what with the vendored runtime is not much larger", async ({ what, program }) => {
  const [source, vendored] = [await loadedBytes(program), await loadedBytes(program, packedFolder("vendored-runtime"))];
  expect(source).toBeGreaterThan(5_000);
  expect(vendored / source).toBeLessThan(what.includes("GET") ? 1.125 : 1.06);
});
