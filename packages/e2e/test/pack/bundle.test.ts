import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import * as runtime from "@bothends/runtime";
import * as client from "@bothends/runtime/client";
import * as server from "@bothends/runtime/server";
import * as xml from "@bothends/xml";
import { expect, test } from "vitest";
import { root } from "../house/sources.js";

/**
 * The part of vite that this test calls. The test imports vite as vitest does, because vite is a dependency of vitest.
 */
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

/** Returns the code that a browser loads for a program before its first call. */
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

test.each(programs)("a bundle of $what contains no code of other features", async ({ program, kilobytes }) => {
  const code = await bundled(program);
  expect(code).toContain("CheckUSA");
  expect(code).not.toMatch(/CheckPakistan|CheckIrishTaxi|RestError|node:http/);
  // Only descriptors that need attributes, SOAP arrays or WS-Addressing import their code.
  expect(code).not.toMatch(/The attribute is required|arrayType|urn:uuid/);
  // The size with gzip, as servers send the bundle (RFC 9110 §8.4.1.3).
  expect(gzipSync(code).length / 1024).toBeLessThan(kilobytes);
});

test("a bundle of a REST endpoint contains no XML code", async () => {
  const code = await bundled(`import { content, coreBlocksList } from "@bothends/client/content/operations";
import { RestClient } from "@bothends/runtime/client";
console.log(await new RestClient(content, { siteUrl: location.origin }).call(coreBlocksList, {}));`);
  expect(code).toContain("/core/v2/blocks");
  expect(code).not.toMatch(/Envelope|core\/v2\/media/);
  // Only programs that validate answers need the types of answers.
  expect(code).not.toContain("missing_image_sizes");
  expect(gzipSync(code).length / 1024).toBeLessThan(12.7);
});

const errorClasses = [
  { name: "SoapFault", from: "@bothends/runtime", init: '{ reason: "a" }' },
  { name: "RestError", from: "@bothends/runtime", init: '{ code: "gone", message: "Gone.", status: 410 }' },
  { name: "HttpStatusError", from: "@bothends/runtime", init: '"a", { status: 500 }' },
  { name: "ProtocolError", from: "@bothends/runtime", init: '"a", { status: 500 }' },
  { name: "BothendsError", from: "@bothends/runtime", init: '"a"' },
  { name: "AbortError", from: "@bothends/runtime", init: '"a"' },
  { name: "TimeoutError", from: "@bothends/runtime", init: '"a", { milliseconds: 1 }' },
  { name: "TransportError", from: "@bothends/runtime", init: '"a"' },
  { name: "ConfigError", from: "@bothends/runtime", init: '"a"' },
  { name: "EncodeError", from: "@bothends/runtime", init: '"a"' },
  { name: "DecodeError", from: "@bothends/runtime", init: '"a"' },
  { name: "LexicalError", from: "@bothends/runtime", init: '"a"' },
  { name: "BodyLimitError", from: "@bothends/runtime/client", init: "1" },
  { name: "DisconnectError", from: "@bothends/runtime/server", init: "" },
  { name: "XmlError", from: "@bothends/xml", init: '"xml.dtd", "a", { offset: 0, line: 1, column: 1 }' },
] as const;

test.each(errorClasses.map((each) => [each.name, each] as const))(
  "a minified bundle reports the name of %s",
  async (_, { name, from, init }) => {
    const code = await bundled(`import { ${name} } from "${from}";\nthrow new ${name}(${init});`);
    expect(code).not.toContain(`class ${name}`);
    await expect(import(`data:text/javascript,${encodeURIComponent(code)}`)).rejects.toMatchObject({ name });
  },
);

test("the test of minified errors covers every exported class of errors", async () => {
  const exported = Object.entries({ ...runtime, ...xml, ...server, ...client })
    .filter(([, value]) => typeof value === "function" && value.prototype instanceof Error)
    .map(([name]) => name);
  expect(exported.sort()).toEqual(errorClasses.map(({ name }) => name).sort());
});
