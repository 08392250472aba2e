import { readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { nodeFileSystem } from "../../generator/src/disk/file-system.js";
import { config, ProjectFolder, wsdl } from "./project-folder.js";

const html = `<!DOCTYPE html>\n<html><head><title>Quotes</title></head><body>It works</body></html>`;
const login = `<html><head><title>Sign in</title></head><body><input type="password"></body></html>`;
const withText = (before: string, after: string) => config.replace(before, after);

interface MistakeCase {
  readonly mistake: string;
  readonly parameters: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The first line of the output, or its beginning. */
  readonly place: string | RegExp;
  /** A text that the help contains. */
  readonly help: string;
  /** The end of the verdict. */
  readonly verdict: string;
}

const fromWsdl = "generate --wsdl in.wsdl --out made";
const fromIndex = "generate --index in.json --out made";

const cases: readonly MistakeCase[] = [
  {
    mistake: "an OpenAPI file as index",
    parameters: fromIndex,
    files: { "in.json": '{"openapi":"3.0.1","paths":{}}' },
    place: "in.json:1:1: error IDX010 ",
    help: "openapi-typescript",
    verdict: "Details: npx bothends explain IDX010",
  },
  {
    mistake: "an OpenAPI file in YAML",
    parameters: "generate --index in.yaml --out made",
    files: { "in.yaml": "openapi: 3.0.0\npaths: {}\n" },
    place: "in.yaml:1:1: error SRC004 ",
    help: "openapi-typescript",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an OpenAPI file as WSDL",
    parameters: "generate --wsdl in.json --out made",
    files: { "in.json": '{"swagger":"2.0"}' },
    place: "in.json:1:1: error SRC004 ",
    help: "openapi-typescript",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an index as WSDL",
    parameters: "generate --wsdl in.json --out made",
    files: { "in.json": '{"namespaces":[],"routes":{}}' },
    place: "in.json:1:1: error SRC004 ",
    help: "--index",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a WSDL as index",
    parameters: "generate --index in.wsdl --out made",
    files: { "in.wsdl": wsdl() },
    place: "in.wsdl:1:1: error SRC004 ",
    help: "--wsdl",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an HTML page saved as WSDL",
    parameters: fromWsdl,
    files: { "in.wsdl": html },
    place:
      'in.wsdl:1:1: error SRC004 (source.unexpected): Expected a WSDL 1.1 document, but found an HTML page with the title "Quotes".',
    help: "usually ends with ?wsdl",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an HTML page whose title has character references",
    parameters: fromWsdl,
    files: {
      "in.wsdl": html.replace("Quotes", "Log In &lsaquo; R&#38;D &#8212; &#x1b;[31m&nbsp;Word&#9999999;&none;"),
    },
    place:
      'in.wsdl:1:1: error SRC004 (source.unexpected): Expected a WSDL 1.1 document, but found an HTML page with the title "Log In ‹ R&D — ?[31m Word?&none;".',
    help: "--user <name>",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an HTML page whose title has other characters than those of ASCII",
    parameters: fromWsdl,
    files: { "in.wsdl": html.replace("Quotes", "\n  Dépôts –\n  株価 \u202egnp.\u001b[2J") },
    place:
      'in.wsdl:1:1: error SRC004 (source.unexpected): Expected a WSDL 1.1 document, but found an HTML page with the title "Dépôts – 株価 ?gnp.?[2J".',
    help: "usually ends with ?wsdl",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a login page saved as WSDL",
    parameters: fromWsdl,
    files: { "in.wsdl": login },
    place: "in.wsdl:1:1: error SRC004 ",
    help: "--user <name>",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "the metadata of OData",
    parameters: fromWsdl,
    files: { "in.wsdl": '<e:Edmx xmlns:e="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"/>' },
    place:
      "in.wsdl:1:1: error WSDL001 (wsdl.not-wsdl): Expected a WSDL 1.1 document, but found an OData metadata document.",
    help: "OData is not supported",
    verdict: "Details: npx bothends explain WSDL001",
  },
  {
    mistake: "a device as WSDL",
    parameters: "generate --wsdl /dev/null --out made",
    // The path is relative to the folder of the project, which may be in /dev/shm.
    place: /^error: Cannot read (?:\S*dev|\.\.\/\.\.)\/null: it is not a regular file\.$/m,
    help: "First save the document to a file",
    verdict: "Try npx bothends generate --help.",
  },
  {
    mistake: "an empty file",
    parameters: fromWsdl,
    files: { "in.wsdl": "" },
    place: "in.wsdl:1:1: error SRC004 ",
    help: "save the document again",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an empty index",
    parameters: fromIndex,
    files: { "in.json": "" },
    place: "in.json:1:1: error IDX002 ",
    help: "Save the document again",
    verdict: "Details: npx bothends explain IDX002",
  },
  {
    mistake: "a zip archive",
    parameters: fromWsdl,
    files: { "in.wsdl": "PK\u0003\u0004...." },
    place: "in.wsdl:1:1: error SRC004 ",
    help: "Unpack the archive",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a RAML document as WSDL",
    parameters: "generate --wsdl in.txt --out made",
    files: { "in.txt": "#%RAML 1.0\ntitle: Quotes\n" },
    place: "in.txt:1:1: error SRC004 ",
    help: "RAML is not supported",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a RAML document as index",
    parameters: "generate --index in.txt --out made",
    files: { "in.txt": "#%RAML 1.0\ntitle: Quotes\n" },
    place: "in.txt:1:1: error SRC004 ",
    help: "RAML is not supported",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a GraphQL schema as WSDL",
    parameters: "generate --wsdl in.txt --out made",
    files: { "in.txt": '"""Quotes."""\ntype Query { quote: Int }\n' },
    place: "in.txt:1:1: error SRC004 ",
    help: "@graphql-codegen/cli",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a GraphQL schema as index",
    parameters: "generate --index in.txt --out made",
    files: { "in.txt": '"""Quotes."""\ntype Query { quote: Int }\n' },
    place: "in.txt:1:1: error SRC004 ",
    help: "@graphql-codegen/cli",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a Protocol Buffers file as WSDL",
    parameters: "generate --wsdl in.txt --out made",
    files: { "in.txt": 'syntax = "proto3";\n' },
    place: "in.txt:1:1: error SRC004 ",
    help: "ts-proto",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a Protocol Buffers file as index",
    parameters: "generate --index in.txt --out made",
    files: { "in.txt": 'syntax = "proto3";\n' },
    place: "in.txt:1:1: error SRC004 ",
    help: "ts-proto",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an AsyncAPI document as WSDL",
    parameters: "generate --wsdl in.txt --out made",
    files: { "in.txt": "asyncapi: 3.0.0\n" },
    place: "in.txt:1:1: error SRC004 ",
    help: "AsyncAPI is not supported",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "an AsyncAPI document as index",
    parameters: "generate --index in.txt --out made",
    files: { "in.txt": "asyncapi: 3.0.0\n" },
    place: "in.txt:1:1: error SRC004 ",
    help: "AsyncAPI is not supported",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "text as index",
    parameters: "generate --index in.txt --out made",
    files: { "in.txt": "Not found\n" },
    place: "in.txt:1:1: error SRC004 ",
    help: "index route returns",
    verdict: "Details: npx bothends explain SRC004",
  },
  {
    mistake: "a Postman collection as index",
    parameters: "generate --index in.json --out made",
    files: { "in.json": '{"info":{"_postman_id":"1"},"item":[]}' },
    place: "in.json:1:1: error IDX010 ",
    help: "bothends fetch <address>",
    verdict: "Details: npx bothends explain IDX010",
  },
  {
    mistake: "a GraphQL introspection as index",
    parameters: "generate --index in.json --out made",
    files: { "in.json": '{"data":{"__schema":{}}}' },
    place: "in.json:1:1: error IDX010 ",
    help: "@graphql-codegen/cli",
    verdict: "Details: npx bothends explain IDX010",
  },
  {
    mistake: "a JSON Schema as index",
    parameters: "generate --index in.json --out made",
    files: { "in.json": '{"$schema":"https://json-schema.org/draft/2020-12/schema"}' },
    place: "in.json:1:1: error IDX010 ",
    help: "responses",
    verdict: "Details: npx bothends explain IDX010",
  },
  {
    mistake: "a reference to a type that no schema declares",
    parameters: fromWsdl,
    files: { "in.wsdl": wsdl().replace('name="Name" type="string"', 'name="Name" type="tns:Nme"') },
    place: "in.wsdl:",
    help: "With --lenient, the type is read as anyType.",
    verdict: "Try --lenient. Details: npx bothends explain XSD023",
  },
  {
    mistake: "a WSDL 2.0",
    parameters: fromWsdl,
    files: { "in.wsdl": '<description xmlns="http://www.w3.org/ns/wsdl"/>' },
    place: "in.wsdl:1:1: error WSDL001 ",
    help: "WSDL 2.0 is not supported",
    verdict: "Details: npx bothends explain WSDL001",
  },
  {
    mistake: "a schema without a WSDL",
    parameters: fromWsdl,
    files: { "in.wsdl": '<schema xmlns="http://www.w3.org/2001/XMLSchema"/>' },
    place: "in.wsdl:1:1: error WSDL001 ",
    help: "Name the WSDL that imports the schema",
    verdict: "Details: npx bothends explain WSDL001",
  },
  {
    mistake: "a SOAP answer as WSDL",
    parameters: fromWsdl,
    files: { "in.wsdl": '<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"/>' },
    place: "in.wsdl:1:1: error WSDL001 ",
    help: "followed by ?wsdl",
    verdict: "Details: npx bothends explain WSDL001",
  },
  {
    mistake: "a WordPress error as index",
    parameters: fromIndex,
    files: { "in.json": '{"code":"rest_forbidden","message":"No.","data":{"status":401}}' },
    place: "in.json:1:1: error IDX010 ",
    help: "--user <name>",
    verdict: "Details: npx bothends explain IDX010",
  },
  {
    mistake: '"wsdls" in the configuration',
    parameters: "generate",
    files: { "bothends.json": withText('"wsdl"', '"wsdls"'), "schemas/hello.wsdl": wsdl() },
    place: /^bothends\.json:\d+:\d+: error CFG003 /,
    help: 'Did you mean "wsdl"?',
    verdict: "Details: npx bothends explain CFG003",
  },
  {
    mistake: "a trailing comma",
    parameters: "generate",
    files: { "bothends.json": withText('"schemas/hello.wsdl"', '"schemas/hello.wsdl",') },
    place: /^bothends\.json:\d+:\d+: error CFG001 .* comma after the last item of a list\.$/m,
    help: "Remove the comma.",
    verdict: "Details: npx bothends explain CFG001",
  },
  ...[
    { mistake: "a missing comma", text: '{"a": 1 "b": 2}', help: "Write a comma between two members or items." },
    { mistake: "a missing brace", text: '{"a": {"b": 2}', help: "Add the missing }." },
    { mistake: "a missing bracket", text: '{"a": [1}', help: "Add the missing ]." },
    { mistake: "a missing quotation mark", text: '{"a: 1}', help: "Add the closing quotation mark on the same line." },
    { mistake: "a name without quotation marks", text: "{a: 1}", help: "Write names and strings in double quotes" },
    { mistake: "a missing value", text: '{"a": }', help: "Write a value here" },
    { mistake: "two values", text: "{}{}", help: "Remove the text after the last bracket" },
    { mistake: "a backslash in a path", text: '{"a": "\\schemas"}', help: "for a backslash" },
  ].map(({ mistake, text, help }) => ({
    mistake,
    parameters: "generate",
    files: { "bothends.json": text },
    place: /^bothends\.json:1:\d+: error CFG001 /,
    help,
    verdict: "Details: npx bothends explain CFG001",
  })),
  {
    mistake: "a comment in an index",
    parameters: fromIndex,
    files: { "in.json": '{"namespaces": [], // none\n "routes": {}}' },
    place: /^in\.json:1:20: error IDX002 /,
    help: "Remove the comment.",
    verdict: "Details: npx bothends explain IDX002",
  },
  {
    mistake: "a text in place of a list",
    parameters: "generate",
    files: { "bothends.json": JSON.stringify({ ...JSON.parse(config), interfaces: { hello: { wsdl: "a.wsdl" } } }) },
    place: /^bothends\.json:\d+:\d+: error CFG005 /,
    help: '["a.wsdl"]',
    verdict: "Details: npx bothends explain CFG005",
  },
  {
    mistake: "an address in the configuration",
    parameters: "generate",
    files: { "bothends.json": withText("schemas/hello.wsdl", "https://x.example/a.asmx?wsdl") },
    place: /^bothends\.json:\d+:\d+: error CFG006 /,
    help: "bothends fetch 'https://x.example/a.asmx?wsdl' --into schemas",
    verdict: "Details: npx bothends explain CFG006",
  },
  {
    mistake: "a misspelled file in the configuration",
    parameters: "generate",
    files: { "bothends.json": withText("schemas/hello.wsdl", "schemas/helo.wsdl"), "schemas/hello.wsdl": wsdl() },
    place: /^bothends\.json:\d+:\d+: error SRC001 /,
    help: "A location is relative to the document that contains it.",
    verdict: "Details: npx bothends explain SRC001",
  },
  {
    mistake: "the address of a WSDL",
    parameters: "generate --wsdl https://x.example/a.asmx?wsdl --out made",
    place: "error: --wsdl needs a file",
    help: "never uses the network",
    verdict: "Try npx bothends fetch 'https://x.example/a.asmx?wsdl'.",
  },
  {
    mistake: "the address of an index",
    parameters: "generate --index https://x.example/wp-json/",
    place: "error: --index needs a file",
    help: "never uses the network",
    verdict: "Try npx bothends fetch https://x.example/wp-json/.",
  },
  {
    mistake: "an address without an option",
    parameters: "generate https://x.example/a.asmx?wsdl",
    place: "error: generate accepts only options",
    help: "--wsdl",
    verdict: "Try npx bothends fetch 'https://x.example/a.asmx?wsdl'.",
  },
  {
    mistake: "a file without an option",
    parameters: "generate in.wsdl",
    place: "error: generate accepts only options",
    help: "--wsdl",
    verdict: "Try npx bothends generate --wsdl in.wsdl --out generated.",
  },
  {
    mistake: "a folder as a file",
    parameters: "generate --wsdl schemas --out made",
    files: { "schemas/hello.wsdl": wsdl() },
    place: "error: schemas is a folder",
    help: "schemas/hello.wsdl",
    verdict: "Try --wsdl schemas/hello.wsdl.",
  },
  {
    mistake: "a misspelled file",
    parameters: "generate --wsdl schemas/helo.wsdl --out made",
    files: { "schemas/hello.wsdl": wsdl() },
    place: "error: Cannot read schemas/helo.wsdl",
    help: "Did you mean schemas/hello.wsdl?",
    verdict: "Try --wsdl schemas/hello.wsdl.",
  },
  {
    mistake: "no configuration",
    parameters: "generate",
    place: "error: There is no file bothends.json",
    help: "bothends init",
    verdict: "Try npx bothends init.",
  },
  {
    mistake: "no --out",
    parameters: "generate --wsdl in.wsdl",
    files: { "in.wsdl": wsdl() },
    place: "error: --wsdl and --index need --out",
    help: "",
    verdict: "Try --out generated.",
  },
  {
    mistake: "a misspelled command",
    parameters: "genrate",
    place: "error: unknown command 'genrate'.",
    help: "Did you mean generate?",
    verdict: "Try npx bothends --help.",
  },
  {
    mistake: "a misspelled option",
    parameters: "generate --lenent",
    place: "error: unknown option '--lenent'.",
    help: "Did you mean --lenient?",
    verdict: "Try npx bothends generate --help.",
  },
  {
    mistake: "an option without a command",
    parameters: "--wsdl in.wsdl --out made",
    place: "error: unknown option '--wsdl'.",
    help: "",
    verdict: "Try npx bothends generate --wsdl in.wsdl --out made.",
  },
  {
    mistake: "a misspelled limit",
    parameters: "generate --limit fileByte=1",
    files: { "bothends.json": config, "schemas/hello.wsdl": wsdl() },
    place: "error: --limit needs name=value",
    help: "Did you mean fileBytes?",
    verdict: "Try npx bothends generate --help.",
  },
];

test.each(cases)("$mistake is reported with its position, a fix and a verdict", async (mistake) => {
  const project = new ProjectFolder(mistake.files ?? {});
  const before = project.snapshot();
  const { code, out, err } = await project.run(...mistake.parameters.split(" "));
  expect([code > 0, out]).toEqual([true, ""]);
  expect(project.snapshot()).toEqual(before);
  expect(err).toMatch(typeof mistake.place === "string" ? new RegExp(`^${escaped(mistake.place)}`) : mistake.place);
  expect(err).toContain(mistake.help);
  const last = err.trimEnd().split("\n").at(-1) ?? "";
  expect(last).toMatch(/^\d+ errors?(?:, .*)?; nothing written\./);
  expect(last).toMatch(/ (?:Try|Details:) \S+/);
  expect(last.endsWith(mistake.verdict), last).toBe(true);
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

test("an output folder that is replaced by a link during the run ends the command with exit code 2", async () => {
  const project = new ProjectFolder();
  expect(await project.run("generate")).toMatchObject({ code: 0 });
  const at = (path: string) => join(project.path, path);
  const [output, moved, outside] = [at("packages/client/src/hello"), at("moved"), at("outside")];
  project.write("outside/index.ts", "mine");
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  const { rename } = nodeFileSystem;
  let swapped = false;
  const spy = vi.spyOn(nodeFileSystem, "rename").mockImplementation((from, to) => {
    rename(from, to);
    if (!swapped && to.startsWith(output)) {
      swapped = true;
      renameSync(output, moved);
      symlinkSync(outside, output);
    }
  });
  onTestFinished(() => spy.mockRestore());
  const { code, out, err } = await project.run("generate");
  expect(swapped).toBe(true);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(
    "error: packages/client/src/hello was replaced or removed while packages/client/src/hello/options.ts was changed. " +
      "If the folder is a link now, check the file below the link's target: it may have been changed. Then put the folder back and run again. ",
  );
  expect(err).toMatch(/ The next run finishes or undoes the changes\.\n1 error; some files may have been written\.\n$/);
  expect(readdirSync(outside)).toEqual(["index.ts"]);
  expect(project.read("outside/index.ts")).toBe("mine");

  spy.mockRestore();
  rmSync(output);
  renameSync(moved, output);
  expect(await project.run("generate")).toMatchObject({ code: 0, err: "" });
  expect(await project.run("check")).toMatchObject({ code: 0 });
});
