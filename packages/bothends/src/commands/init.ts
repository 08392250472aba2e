import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { isInterfaceName } from "@bothends/generator";
import { inOutputRoot, outputOn, outputRoot, readExisting, writeBeside } from "@bothends/generator/disk";
import { firstCall } from "../first-call.js";
import { generateProject } from "../generation.js";
import { type Host, UsageError } from "../host.js";
import type { InitOptions } from "../options.js";
import { inputPath, shellWord, slashed } from "../paths.js";
import type { Outcome } from "../report/outcome.js";
import { fetchFiles } from "./fetch.js";
import { writeGeneration } from "./generate.js";

const configName = "bothends.json";
const defaultFolder = "generated";

/** The sources of a new project, by paths relative to the working folder. */
interface Source {
  readonly kind: "wsdl" | "index";
  readonly paths: readonly string[];
  /** Where the documents came from. */
  readonly address: string | undefined;
}

/** `bothends init`: a configuration, scripts, the first packages, and the lines that call them. */
export async function runInit(texts: readonly string[], options: InitOptions, host: Host): Promise<Outcome> {
  const start = host.now();
  if (existsSync(join(host.workingFolder, configName))) {
    throw new UsageError(`${configName} exists.`, {
      help: 'Add an interface to it: "interfaces": { "quotes": { "wsdl": ["schemas/quotes.wsdl"] } }.',
      advice: "bothends generate",
    });
  }
  const source = await sourceOf(texts, options, host);
  const name = nameOf(source, options);
  const folder = folderOf(options, host);
  const files = projectFiles({ name, folder, source, host });

  // The sources are tried before anything is written.
  const generateOptions = { vendorRuntime: true, ...reportOptions(options) };
  const [first = ""] = source.paths;
  const flags = source.kind === "wsdl" ? { wsdl: source.paths } : { index: first };
  const trial = generateProject({ ...generateOptions, ...flags, out: folder, name, root: "." }, host);
  if (trial.kind === "refused") {
    return trial.outcome;
  }
  for (const file of files) {
    writeProjectFile(host.workingFolder, file);
  }
  const result = generateProject(generateOptions, host);
  if (result.kind === "refused") {
    return result.outcome;
  }
  const outcome = writeGeneration(result.generation, { options: generateOptions, host, start });
  const written = files.map(({ path, isNew }) => `  ${isNew ? "added  " : "changed"}  ${path}\n`).join("");
  const lines = firstCall(result.generation.plan, source.address);
  return { ...outcome, body: `${written}${outcome.body ?? ""}${nextSteps(folder, lines)}` };
}

function reportOptions({ format, verbose }: InitOptions) {
  return { ...(format === undefined ? {} : { format }), ...(verbose === undefined ? {} : { verbose }) };
}

/** Files of the user, or documents that are fetched and saved first. */
async function sourceOf(texts: readonly string[], options: InitOptions, host: Host): Promise<Source> {
  const given = [...texts, ...(options.wsdl ?? []), ...(options.index === undefined ? [] : [options.index])];
  const named = given.length > 0 ? given : [await askForSource(host)];
  const address = named.find((text) => /^https?:\/\//i.test(text));
  if (address !== undefined && named.length > 1) {
    throw new UsageError("init takes one address, or files.", {
      help: "Fetch each address first, then name the files.",
    });
  }
  const paths = address === undefined ? named : [await savedFile(address, options, host)];
  const absolute = paths.map((path) => inputPath(path, options.index === path ? "--index" : "--wsdl", host));
  const kinds = new Set(absolute.map((path) => kindOf(path)));
  const [kind = "wsdl"] = kinds;
  if (kinds.size > 1 || (kind === "index" && absolute.length > 1)) {
    throw new UsageError("init takes WSDLs, or one index.", {
      help: "Begin with one of them, and add the other to bothends.json as a second interface.",
    });
  }
  const relativePaths = absolute.map((path) => slashed(relative(host.workingFolder, path)));
  const outside = relativePaths.find((path) => path.startsWith("../"));
  if (outside !== undefined) {
    throw new UsageError(`${outside} is outside this folder.`, {
      help: "Copy the documents into the project, or run bothends init in a folder that contains them.",
    });
  }
  return { kind, paths: relativePaths, address: kind === "index" ? siteOf(address) : undefined };
}

async function askForSource(host: Host): Promise<string> {
  const answer = (await host.ask?.("A WSDL, a REST index, or the address of one: "))?.trim();
  if (answer === undefined || answer === "") {
    throw new UsageError("init needs a WSDL, an index, or the address of one.", {
      advice: "bothends init https://service.example/quotes.asmx?wsdl",
    });
  }
  return answer;
}

/** Fetches an address and saves the documents. Returns the path of the main one. */
async function savedFile(address: string, options: InitOptions, host: Host): Promise<string> {
  const folder = "schemas";
  const { files, main } = await fetchFiles(address, options, host);
  const output = outputOn(outputRoot({ path: host.workingFolder, workingFolder: host.workingFolder }), [folder]);
  const existing = readExisting(output, folder);
  const different = [...files].find(([path, text]) => existing.has(path) && existing.get(path) !== text);
  if (different !== undefined) {
    throw new UsageError(`${folder}/${different[0]} exists, and differs from the document at the address.`, {
      advice: `bothends fetch ${shellWord(address)}`,
    });
  }
  inOutputRoot(output.root, () => writeBeside(output, files, { folder, existing }));
  return `${folder}/${main}`;
}

function kindOf(path: string): "wsdl" | "index" {
  const start = readFileSync(path, "latin1").slice(0, 1000);
  return /^(?:\u00ef\u00bb\u00bf)?\s*[{[]/.test(start) || /\.json$/i.test(path) ? "index" : "wsdl";
}

function siteOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : new URL(address).origin;
}

function nameOf({ paths: [first = ""], kind }: Source, { name }: InitOptions): string {
  const word = basename(first)
    .replace(/\.[^.]*$/, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replace(/^[-0-9]+|-$/g, "")
    .slice(0, 60);
  const guess = kind === "index" && /^index$/i.test(word) ? "site" : word.charAt(0).toLowerCase() + word.slice(1);
  const chosen = name ?? (isInterfaceName(guess) ? guess : "service");
  if (!isInterfaceName(chosen)) {
    throw new UsageError(`--name "${chosen.slice(0, 100)}" is not a valid name.`, {
      help: "A name begins with a lower-case letter and has letters, digits and hyphens, at most 64.",
    });
  }
  return chosen;
}

function folderOf({ out = defaultFolder }: InitOptions, host: Host): string {
  const path = slashed(relative(host.workingFolder, resolve(host.workingFolder, out)));
  if (path === "" || path.startsWith("..")) {
    throw new UsageError("--out must be a folder inside this one.", { advice: `--out ${defaultFolder}` });
  }
  return path;
}

function projectFiles({
  name,
  folder,
  source,
  host,
}: {
  readonly name: string;
  readonly folder: string;
  readonly source: Source;
  readonly host: Host;
}): readonly ProjectFile[] {
  const [first = ""] = source.paths;
  const config = {
    path: configName,
    text: configText({ name, folder, source: source.kind === "wsdl" ? { wsdl: source.paths } : { index: first } }),
    isNew: true,
  };
  const others = [packageFile(host.workingFolder, `${name.toLowerCase()}-project`), ignoreFile(host.workingFolder)];
  return [config, ...others.filter((file) => file !== undefined)];
}

function nextSteps(folder: string, lines: readonly string[]): string {
  if (lines.length === 0) {
    return "";
  }
  const code = lines.map((line) => (line === "" ? "\n" : `    ${line}\n`)).join("");
  return `
Install and build the client:

    npm install --save-dev typescript @types/node
    npm install ./${folder}/client
    npx tsc -b ${folder}/client

Call it:

${code}
`;
}

/** The scripts that a project gets. */
const projectScripts: Readonly<Record<string, string>> = {
  generate: "bothends generate --vendor-runtime",
  "generate:check": "bothends check --vendor-runtime",
};

/** What a repository should not contain. */
const ignored = ["node_modules/", "dist/", ".bothends-journal*", ".bothends-lock", "*.orig"];

/** The configuration of a new project, as text. */
function configText({
  name,
  folder,
  source,
}: {
  readonly name: string;
  readonly folder: string;
  readonly source: { readonly wsdl: readonly string[] } | { readonly index: string };
}): string {
  const part = (kind: string) => ({ path: `${folder}/${kind}`, name: `${name.toLowerCase()}-${kind}` });
  const config = {
    $schema: "./node_modules/bothends/bothends.schema.json",
    packages: { contract: part("contract"), client: part("client"), server: part("server") },
    interfaces: { [name]: source },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** A file to write, with its whole text. */
interface ProjectFile {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
}

/** `package.json` with the scripts. Scripts with these names are kept. */
function packageFile(folder: string, name: string): ProjectFile | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) {
    const manifest = { name, version: "0.0.0", private: true, type: "module", scripts: projectScripts };
    return { path: "package.json", text: `${JSON.stringify(manifest, null, 2)}\n`, isNew: true };
  }
  const before = readFileSync(path, "utf8");
  const manifest = parsedManifest(before);
  const scripts = { ...projectScripts, ...objectIn(manifest, "scripts") };
  const [indent = "  "] = /(?<=^\{\r?\n)[ \t]+/.exec(before) ?? [];
  const after = `${JSON.stringify({ ...manifest, scripts }, null, indent)}\n`;
  return hasAll(objectIn(manifest, "scripts")) ? undefined : { path: "package.json", text: after, isNew: false };
}

function hasAll(scripts: object): boolean {
  return Object.keys(projectScripts).every((name) => name in scripts);
}

function parsedManifest(text: string): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null) {
      return value;
    }
  } catch {
    // Reported below.
  }
  throw new UsageError("package.json is not a JSON object.", { help: "Correct it, and run bothends init again." });
}

function objectIn(manifest: object, name: string): object {
  const value: unknown = Object.entries(manifest).find(([key]) => key === name)?.[1];
  return typeof value === "object" && value !== null ? value : {};
}

/** `.gitignore` with the missing lines; undefined if it has them all. */
function ignoreFile(folder: string): ProjectFile | undefined {
  const path = join(folder, ".gitignore");
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = new Set(before.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "").replace(/\/$/, "")));
  const missing = ignored.filter((line) => !lines.has(line.replace(/\/$/, "")));
  if (missing.length === 0) {
    return undefined;
  }
  const start = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  return { path: ".gitignore", text: `${start}${missing.join("\n")}\n`, isNew: before === "" };
}

/** Replaces a file as a whole. */
function writeProjectFile(folder: string, { path, text }: ProjectFile): void {
  const file = join(folder, path);
  writeFileSync(`${file}.bothends-new`, text);
  renameSync(`${file}.bothends-new`, file);
}
