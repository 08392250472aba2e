import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Editor } from "../flow/language-server.js";
import { Packed, packedFolder } from "./packed.js";

const names = ["SoapFault", "RestClient", "soap12", "listen", "Transport", "restAnswer"];
const program = `import { SoapFault } from "@bothends/runtime";
import { RestClient, type Transport } from "@bothends/runtime/client";
import { restAnswer } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { soap12 } from "@bothends/runtime/soap12";
export const used: unknown = [SoapFault, RestClient, soap12, listen, restAnswer, {} as Transport];
`;

const packed = new Packed();
let editor: Editor;

beforeAll(async () => {
  await packed.build();
  mkdirSync(join(packed.app, "node_modules/@bothends"), { recursive: true });
  symlinkSync(packedFolder("runtime"), join(packed.app, "node_modules/@bothends/runtime"), "dir");
  packed.write("package.json", '{ "type": "module" }');
  packed.write("tsconfig.json", '{ "compilerOptions": { "module": "nodenext" }, "files": ["program.ts"] }');
  packed.write("program.ts", program);
  editor = new Editor(packed.app);
  await editor.open("program.ts", program);
}, 120_000);
afterAll(() => {
  editor.stop();
  packed.remove();
});

test.each(names)("the definition of %s is in the sources of the package", async (name) => {
  const lines = program.split("\n");
  const line = lines.findIndex((text) => new RegExp(`\\b${name}\\b`).test(text));
  const result = await editor.request("textDocument/definition", {
    textDocument: { uri: String(pathToFileURL(join(packed.app, "program.ts"))) },
    position: { line, character: lines[line]?.search(new RegExp(`\\b${name}\\b`)) },
  });
  const [found] = [result].flat().map(Object);
  expect(found?.uri).toMatch(/\/\.packed\/runtime\/src\/(?:runtime|xml|datatypes)\/[\w/-]+\.ts$/);
  const source = readFileSync(new URL(found.uri), "utf8").split("\n")[found.range.start.line] ?? "";
  expect(source).toMatch(new RegExp(`^export .*\\b${name}\\b`));
});
