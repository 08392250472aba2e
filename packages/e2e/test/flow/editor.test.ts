import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../house/sources.js";
import { Editor } from "./language-server.js";

const sample = `
import { ContentClient, CoreV2Client } from "@bothends/client/content";
import type { ContentHandlers } from "@bothends/server/content";

declare const handlers: ContentHandlers;
const client = new ContentClient({ siteUrl: "https://site.example" });
export const blocks: unknown = await client.core.blocks.list();
export const forms: unknown = await client.forms.contactForms.get({ id: 1 });
export const group: unknown = client.core.blocks;
export const handler: unknown = handlers.core.blocks.list;
const [edited] = await client.core.blocks.list({ context: "edit" });
const [part] = await client.core.blocks.list({}, { fields: ["id", "slug"] });
const [nested] = await client.core.blocks.list({ context: "edit" }, { fields: ["id", "title.raw"] });
export const blockInEdit: unknown = edited;
export const partOfBlock: unknown = part;
export const titleOfBlock: unknown = nested;
new CoreV2Client({ siteUrl: "https://site.example" });
`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bothends-editor-")));
const uri = String(pathToFileURL(join(folder, "sample.ts")));
let editor: Editor;

beforeAll(async () => {
  const compilerOptions = {
    ...{
      module: "nodenext",
      target: "es2023",
      lib: ["es2023", "dom"],
      types: [],
      customConditions: ["@bothends/source"],
    },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["sample.ts"] }));
  writeFileSync(join(folder, "sample.ts"), sample);
  mkdirSync(join(folder, "node_modules/@bothends"), { recursive: true });
  for (const name of ["client", "contract", "server", "runtime"]) {
    symlinkSync(join(root, "packages", name), join(folder, "node_modules/@bothends", name), "dir");
  }
  editor = new Editor(folder);
  await editor.open("sample.ts", sample);
});
afterAll(() => {
  editor.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the position of the last word of a part of the sample, for requests to the language server. */
function at(piece: string): object {
  const start = sample.indexOf(piece) + piece.search(/\w+$/);
  const lines = sample.slice(0, start).split("\n");
  return { textDocument: { uri }, position: { line: lines.length - 1, character: lines.at(-1)?.length } };
}

async function hover(piece: string): Promise<string> {
  const result = await editor.request("textDocument/hover", at(piece));
  return String(Object(result).contents.value);
}

async function definitions(piece: string): Promise<readonly string[]> {
  const result = await editor.request("textDocument/definition", at(piece));
  return [result].flat().map((each) => {
    const { uri: file, range } = Object(each);
    return `${file.slice(file.lastIndexOf("/") + 1)} ${range.start.line > 0}`;
  });
}

test("hovering a call shows its signature and the endpoint's description", async () => {
  const list = await hover("client.core.blocks.list");
  // The argument `context` of a call determines the type of a block.
  expect(list).toContain(
    '(input?: (Accepted<CoreBlocksList> & Argument<"context", "view">) | undefined, options?: RestCallOptions | undefined)',
  );
  expect(list).toMatch(/=> Promise<readonly Block\[\]>\n/);
  expect(list).toContain("Lists the items of blocks.");
  expect(list).toContain("GET /core/v2/blocks");
  const get = await hover("client.forms.contactForms.get");
  expect(get).toContain(
    "(input: Accepted<FormsContactFormsGet>, options?: RestCallOptions | undefined) => Promise<JsonValue>",
  );
});

test("hovering an object names its type in the context of the call", async () => {
  expect(await hover("blockInEdit: unknown = edited")).toContain("edited: BlockForEdit | undefined");
  expect(await hover("partOfBlock: unknown = part")).toContain('part: Pick<Block, "id" | "slug"> | undefined');
  expect((await hover("titleOfBlock: unknown = nested")).replace(/\s+/g, " ")).toContain(
    "nested: { readonly id: number; readonly title: { readonly raw: string; }; } | undefined",
  );
});

test("an error names the type of an object in a context", () => {
  const wrong = `
import { ContentClient } from "@bothends/client/content";
const client = new ContentClient({ siteUrl: "https://site.example" });
const block = await client.core.blocks.get({ id: 1 });
export const password = block.password;
`;
  writeFileSync(join(folder, "wrong.ts"), wrong);
  expect(complaints("wrong.ts")).toEqual([expect.stringContaining("'password' does not exist on type 'Block'")]);
});

test("hovering a group names the interface that declares it", async () => {
  expect(await hover("group: unknown = client.core")).toContain("ContentEndpoints.core: CoreV2Endpoints");
  expect(await hover("group: unknown = client.core.blocks")).toContain("CoreV2Endpoints.blocks: CoreBlocksEndpoints");
});

test("the definition of a call or a handler is the member of the contract with its comment", async () => {
  const member = ["core-v2.endpoints.ts true"];
  expect(await definitions("client.core.blocks.list")).toEqual(member);
  expect(await definitions("handlers.core.blocks.list")).toEqual(member);
});

test("hovering a handler shows its signature", async () => {
  expect(await hover("handlers.core.blocks.list")).toContain(
    "(input: CoreBlocksList, context: RestContext<unknown>) => Answer<RestResult<readonly InAnyContext<BlockContexts>[]>>",
  );
});

test("hovering a class shows its documentation", async () => {
  expect(await hover("new CoreV2Client")).toContain("Calls the endpoints below /core/v2.");
});

test("an incomplete handler is reported with the interface of its group", () => {
  const incomplete = `
import type { ContentHandlers, CoreV2Handlers } from "@bothends/server/content";
declare const forms: Omit<ContentHandlers["forms"]["contactForms"], "delete">;
export const whole: ContentHandlers["forms"] = { contactForms: forms };
export const core: CoreV2Handlers = {};
`;
  writeFileSync(join(folder, "incomplete.ts"), incomplete);
  expect(complaints("incomplete.ts")).toEqual([
    expect.stringMatching(
      /Property 'delete' is missing .* required in type 'RestHandlers<FormsContactFormsEndpoints, unknown>'/,
    ),
    expect.stringMatching(
      /missing the following properties from type 'CoreV2Handlers<unknown>': media, blocks, project/,
    ),
  ]);
});

/** Returns the errors of a file, each with all its lines. */
function complaints(file: string): readonly string[] {
  const options =
    "--noEmit --strict --module nodenext --target es2023 --skipLibCheck --customConditions @bothends/source";
  try {
    const compiler = join(root, "node_modules/.bin/tsc");
    execFileSync(compiler, ["--ignoreConfig", ...options.split(" "), "--types", "", file], { cwd: folder });
    return [];
  } catch (error) {
    const errors = String(Object(error).stdout).split(/\n(?=\S)/);
    return errors.filter((text) => text.startsWith(file));
  }
}
