import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { root } from "../house/sources.js";

/** The part of vite that this test calls. It is a dependency of vitest, and is resolved from there. */
interface Vite {
  build(options: object): Promise<{ readonly output: readonly Chunk[] }>;
}

interface Chunk {
  readonly fileName: string;
  readonly isEntry: boolean;
  /** The chunks that this chunk imports statically. */
  readonly imports: readonly string[];
  readonly code: string;
}

/** The code that a browser loads for a program before its first call. */
async function bundled(program: string): Promise<string> {
  const vitest = createRequire(createRequire(join(root, "package.json")).resolve("vitest/package.json"));
  const { build }: Vite = await import(pathToFileURL(vitest.resolve("vite")).href);
  const entry = join(root, "packages/e2e/entry.ts");
  const { output } = await build({
    configFile: false,
    logLevel: "error",
    root: join(root, "packages/e2e"),
    resolve: { conditions: ["@bothends/source", "browser", "import", "default"] },
    plugins: [
      {
        name: "program",
        resolveId: (id: string) => (id === entry ? id : null),
        load: (id: string) => (id === entry ? program : null),
      },
    ],
    build: { write: false, target: "es2023", modulePreload: false, rollupOptions: { input: entry } },
  });
  const first = new Set(output.filter(({ isEntry }) => isEntry));
  for (const { imports } of first) {
    for (const chunk of output) {
      if (imports.includes(chunk.fileName)) {
        first.add(chunk);
      }
    }
  }
  return [...first].map(({ code }) => code).join("");
}

const input = `{ RegistrationNumber: "A", State: "NY", username: "demo" }`;

function oneOperation(protocol: string, entry: string): string {
  return `import { checkUSA } from "@bothends/client/vehicle/operations";
import { call, connect } from "@bothends/runtime/call";
import { ${protocol} } from "@bothends/runtime/${entry}";
const connection = connect({ protocols: [${protocol}], options: { baseUrl: location.origin } });
console.log(await call(connection, checkUSA, ${input}));`;
}

const programs = [
  { what: "one operation over SOAP 1.2", program: oneOperation("soap12", "soap12"), kilobytes: 28.9 },
  { what: "one operation over HTTP GET", program: oneOperation("httpGet", "http-get"), kilobytes: 23.1 },
];

test.each(programs)("a bundle of $what contains no code of the others", async ({ program, kilobytes }) => {
  const code = await bundled(program);
  expect(code).toContain("CheckUSA");
  expect(code).not.toMatch(/CheckPakistan|CheckIrishTaxi|RestError|node:http/);
  // Attributes, SOAP arrays and WS-Addressing come with the descriptors that need them.
  expect(code).not.toMatch(/The attribute is required|arrayType|urn:uuid/);
  // Compressed as on the wire (RFC 9110 §8.4.1.3).
  expect(gzipSync(code).length / 1024).toBeLessThan(kilobytes);
});

test("a bundle of a REST endpoint contains no XML code", async () => {
  const code = await bundled(`import { content, coreBlocksList } from "@bothends/client/content/operations";
import { RestClient } from "@bothends/runtime/client";
console.log(await new RestClient(content, { siteUrl: location.origin }).call(coreBlocksList, {}));`);
  expect(code).toContain("/core/v2/blocks");
  expect(code).not.toMatch(/Envelope|core\/v2\/media/);
  // The types of answers are for those who check them.
  expect(code).not.toContain("missing_image_sizes");
  expect(gzipSync(code).length / 1024).toBeLessThan(12.7);
});

test("a minified bundle reports errors by the names of their classes", async () => {
  const code = await bundled(`import { RestError } from "@bothends/runtime";
throw new RestError({ code: "gone", message: "Gone.", status: 410 });`);
  expect(code).not.toContain("class RestError");
  await expect(import(`data:text/javascript,${encodeURIComponent(code)}`)).rejects.toMatchObject({ name: "RestError" });
});
