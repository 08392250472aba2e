import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, resolve } from "node:path";
import { hyphenate } from "@bothends/generator";
import {
  createOutput,
  findOutputRoot,
  finishInterrupted,
  readExisting,
  runInOutputRoot,
  withDiskErrors,
  writeBeside,
} from "@bothends/generator/disk";
import { fetchFiles, formatReuseNote } from "../fetch/fetch-sources.js";
import { generateProject } from "../generation.js";
import { CommandError, type Host, UsageError } from "../host.js";
import { findSharedRuntime } from "../packed-files.js";
import { formatPath, quoteShellWord, resolveInputPath, withSlashes } from "../paths.js";
import {
  configName,
  findParts,
  formatFetchCommand,
  type InitOptions,
  readLimits,
  refuseInvalidName,
} from "../project.js";
import {
  type ChangedFiles,
  findSuggestedRoot,
  formatFileCounts,
  joinFiles,
  type Outcome,
  runAfterWriting,
} from "../report/outcome.js";
import { replaceFile } from "../run-record.js";
import { writeGeneration } from "./generate.js";
import {
  createExistingConfigError,
  deriveName,
  listInputs,
  refuseAddressWithoutScheme,
  savedFolder,
} from "./init-inputs.js";

const defaultFolder = "generated";

/** The source documents of a new project. Their paths are relative to the working folder. */
interface Source {
  readonly kind: "wsdl" | "index";
  readonly paths: readonly string[];
  /** The address from which the documents were fetched; undefined for local files. */
  readonly address: string | undefined;
  /**
   * The paths of the fetched documents that were written. Documents that already existed with the same content are
   * omitted.
   */
  readonly savedPaths: readonly string[];
  /** A line about documents that were reused from an interrupted fetch; empty if there are none. */
  readonly reuseNote: string;
  /** Warnings about the fetched documents. */
  readonly notes: readonly string[];
}

/** The folders of a new project, as paths relative to the working folder. */
interface ProjectFolders {
  /** The folder that contains the generated packages. */
  readonly packages: string;
  /** The folder of the runtime; undefined if it comes from a registry. */
  readonly runtime: string | undefined;
}

/** `bothends init`: writes a configuration, scripts and the first packages, and prints the code for a first call. */
export async function runInit(texts: readonly string[], options: InitOptions, host: Host): Promise<Outcome> {
  const start = host.now();
  if (existsSync(join(host.workingFolder, configName))) {
    throw createExistingConfigError(texts, options, host);
  }
  // Reports mistakes in options before anything is fetched.
  if (options.name !== undefined) {
    refuseInvalidName(options.name);
  }
  const packages = choosePackagesFolder(options, host);
  const folders = { packages, runtime: findRuntimePath(packages, options, host) };
  const source = await getSource(texts, options, host);
  const context = { folders, host, start };
  if (source.savedPaths.length === 0) {
    return initProject(source, options, context);
  }
  const documents = source.savedPaths.join(", ");
  const result = `only ${documents} ${source.savedPaths.length === 1 ? "is" : "are"} written`;
  const failure = "The documents are saved, but the project is not set up";
  const files = { ...noFiles, added: source.savedPaths };
  const outcome = runAfterWriting({ failure, result, files }, () => initProject(source, options, context));
  return outcome.exit === 0 ? outcome : { ...outcome, result, files };
}

const noFiles: ChangedFiles = { added: [], changed: [], removed: [], unchanged: 0 };

/** Writes the packages and the files of the project. */
function initProject(
  source: Source,
  options: InitOptions,
  { folders, host, start }: { readonly folders: ProjectFolders; readonly host: Host; readonly start: number },
): Outcome {
  const name = chooseName(source, options);
  const config = `${JSON.stringify(createProjectConfig({ name, folders, source, options }), null, 2)}\n`;
  const files = listProjectFiles(config, { name, runtime: folders.runtime, host });
  const result = generateProject({ newConfig: config }, host);
  if (result.kind === "refused") {
    return omitRoot(result.outcome, source, host);
  }
  // Writes the packages first: if that fails, no configuration is written either.
  const writeOptions = { options: selectReportOptions(options), host, start, address: source.address };
  const outcome = writeGeneration(result.generation, writeOptions);
  if (outcome.exit !== 0) {
    return outcome;
  }
  const { body = "", files: packageFiles = noFiles } = outcome;
  let writtenFiles = packageFiles;
  // Writes the configuration last: as long as the configuration does not exist, `init` can be repeated.
  for (const file of files.toReversed()) {
    const partialOutcome = { body, result: formatFileCounts(writtenFiles), files: writtenFiles };
    runAfterWriting({ failure: `The packages are written, but ${file.path} is not`, ...partialOutcome }, () =>
      writeProjectFile(host.workingFolder, file),
    );
    writtenFiles = joinFiles({ ...noFiles, [file.isNew ? "added" : "changed"]: [file.path] }, writtenFiles);
  }
  const savedLines = source.savedPaths.map((path) => `  saved    ${path}\n`).join("");
  const fileLines = files.map(({ path, isNew }) => `  ${isNew ? "added  " : "changed"}  ${path}\n`).join("");
  return {
    ...outcome,
    body: `${source.reuseNote}${savedLines}${fileLines}${body}`,
    notes: [...source.notes, ...(outcome.notes ?? [])],
    files: joinFiles({ ...noFiles, added: source.savedPaths }, writtenFiles),
  };
}

function selectReportOptions({ format, verbose }: InitOptions) {
  return { ...(format === undefined ? {} : { format }), ...(verbose === undefined ? {} : { verbose }) };
}

/**
 * Finds the sources: either the files that the user names, or the documents at an address, which this function fetches
 * and saves.
 */
async function getSource(texts: readonly string[], options: InitOptions, host: Host): Promise<Source> {
  const inputs = listInputs(texts, options);
  const inputsOrAnswer = inputs.length > 0 ? inputs : [await askForSource(host)];
  const address = inputsOrAnswer.find((text) => /^https?:\/\//i.test(text));
  if (address !== undefined && inputsOrAnswer.length > 1) {
    throw new UsageError("init accepts either one address, or one or more files.", {
      help: "Fetch each address with npx bothends fetch, then run init with the files.",
    });
  }
  refuseAddressWithoutScheme(inputsOrAnswer, options, host);
  const savedDocuments = address === undefined ? undefined : await saveDocuments(address, options, host);
  const paths = savedDocuments === undefined ? inputsOrAnswer : [savedDocuments.main];
  const absolutePaths = paths.map((path, index) =>
    resolveInputPath(path, chooseInputOption(path, options), host, (words) =>
      ["bothends init", ...new Set(paths.map(quoteShellWord).with(index, words))].join(" "),
    ),
  );
  const relativePaths = absolutePaths.map((path) => withSlashes(relative(host.workingFolder, path)));
  const repeatedPath = relativePaths.find((path, index) => relativePaths.indexOf(path) < index);
  if (repeatedPath !== undefined) {
    throw new UsageError(`${repeatedPath} is named twice.`, {
      help: "Name each file once.",
      suggestion: `bothends init ${[...new Set(relativePaths)].map(quoteShellWord).join(" ")}`,
    });
  }
  const kinds = new Set(absolutePaths.map((path) => getKind(path)));
  const [kind = "wsdl"] = kinds;
  if (kinds.size > 1 || (kind === "index" && absolutePaths.length > 1)) {
    throw new UsageError("init accepts either one or more WSDLs, or one index.", {
      help: "Run init with one of them, and then add the other to bothends.json as a second interface.",
    });
  }
  const outsidePath = relativePaths.find((path) => path.startsWith("../"));
  if (outsidePath !== undefined) {
    throw new UsageError(`${outsidePath} is outside the working directory.`, {
      help: "Copy the documents into the project, or run npx bothends init in a folder that contains them.",
    });
  }
  return {
    kind,
    paths: relativePaths,
    address: kind === "index" ? findSite(address) : undefined,
    savedPaths: savedDocuments?.savedPaths ?? [],
    reuseNote: savedDocuments?.reuseNote ?? "",
    notes: savedDocuments?.notes ?? [],
  };
}

function chooseInputOption(path: string, { wsdl = [], index }: InitOptions) {
  return path === index ? "--index" : wsdl.includes(path) ? "--wsdl" : "init";
}

async function askForSource(host: Host): Promise<string> {
  const answer = (await host.ask?.("A WSDL, a REST index, or the address of one: "))?.trim();
  if (answer === undefined || answer === "") {
    const documents = readdirSync(host.workingFolder)
      .filter((name) => /\.wsdl$/i.test(name))
      .sort();
    throw new UsageError("init needs a WSDL, an index, or the address of one.", {
      help: documents.length === 0 ? undefined : `The folder contains ${documents.slice(0, 5).join(", ")}.`,
      suggestion: `bothends init ${quoteShellWord(documents[0] ?? "https://service.example/quotes.asmx?wsdl")}`,
    });
  }
  return answer;
}

/**
 * Fetches an address, and saves the documents. Returns the path of the main document, and the paths of all saved
 * documents.
 */
async function saveDocuments(
  address: string,
  options: InitOptions,
  host: Host,
): Promise<Pick<Source, "savedPaths" | "reuseNote" | "notes"> & { readonly main: string }> {
  const folder = savedFolder;
  const { files, mainFile, notes, reusedDocumentCount } = await fetchFiles(address, options, host);
  const output = {
    ...createOutput(findOutputRoot({ path: host.workingFolder, workingFolder: host.workingFolder }), [folder]),
    // If an earlier run of `init` was interrupted while it wrote these folders, this run finishes or undoes the earlier
    // run's changes.
    otherFolders: ["contract", "client", "server", "runtime"].map((part) =>
      posix.join(choosePackagesFolder(options, host), part),
    ),
  };
  finishInterrupted(output);
  const existingFiles = readExisting(output, folder);
  const differingFile = [...files].find(([path, text]) => existingFiles.has(path) && existingFiles.get(path) !== text);
  if (differingFile !== undefined) {
    throw new UsageError(`${folder}/${differingFile[0]} exists, and differs from the document at the address.`, {
      suggestion: formatFetchCommand(address, options),
    });
  }
  const changes = runInOutputRoot(output.root, () => writeBeside(output, files, { folder, existingFiles }));
  const mainPath = `${folder}/${mainFile}`;
  const isMain = (path: string) => path === mainPath;
  const changedPaths = changes.map(({ path }) => path);
  return {
    main: mainPath,
    savedPaths: [...changedPaths.filter(isMain), ...changedPaths.filter((path) => !isMain(path))],
    reuseNote: formatReuseNote(reusedDocumentCount, "To fetch all documents again, use npx bothends fetch."),
    notes,
  };
}

function getKind(path: string): "wsdl" | "index" {
  const start = readFileSync(path, "latin1").slice(0, 1000);
  return /^(?:\u00ef\u00bb\u00bf)?\s*[{[]/.test(start) || /\.json$/i.test(path) ? "index" : "wsdl";
}

/**
 * Returns the address of a site from the address of its index: `https://site.example/blog` for
 * `https://site.example/blog/wp-json/`. Undefined for the address of a file, such as `https://files.example/site.json`.
 */
function findSite(address: string | undefined): string | undefined {
  if (address === undefined) {
    return undefined;
  }
  const { origin, pathname } = new URL(address);
  if (/\.json$/i.test(pathname)) {
    return undefined;
  }
  return `${origin}${pathname.replace(/\/wp-json(?:\/.*)?$/, "").replace(/\/+$/, "")}`;
}

function chooseName({ paths: [first = ""], kind }: Source, { name }: InitOptions): string {
  const interfaceName = name ?? deriveName(first, kind);
  refuseInvalidName(interfaceName);
  return interfaceName;
}

function choosePackagesFolder({ out = defaultFolder }: InitOptions, host: Host): string {
  return getFolderInside(out, { option: "--out", fallback: defaultFolder }, host);
}

/**
 * Returns the path of a folder relative to the working folder. Throws if the folder is not inside the working folder.
 */
function getFolderInside(
  text: string,
  { option, fallback }: { readonly option: string; readonly fallback: string },
  { workingFolder }: Host,
): string {
  const path = withSlashes(relative(workingFolder, resolve(workingFolder, text)));
  if (path === "" || path.startsWith("..")) {
    throw new UsageError(`${option} must be a folder inside the working directory.`, {
      suggestion: `${option} ${fallback}`,
    });
  }
  return path;
}

/**
 * Replaces a suggestion of `--root`, which `init` does not support. A configuration must be in a folder that contains
 * its sources, so the outcome suggests running `init` there.
 */
function omitRoot(outcome: Outcome, { paths }: Source, { workingFolder }: Host): Outcome {
  const { root: inputRoot, diagnostics = [] } = outcome;
  const rootAbove = inputRoot === undefined ? undefined : findSuggestedRoot(diagnostics, inputRoot);
  if (rootAbove === undefined) {
    return outcome;
  }
  const root = formatPath(workingFolder, rootAbove);
  const files = paths.map((path) => quoteShellWord(formatPath(rootAbove, resolve(workingFolder, path))));
  return {
    ...outcome,
    diagnostics: diagnostics.map((diagnostic) =>
      diagnostic.remedy?.kind === "root"
        ? { ...diagnostic, help: `Run init in ${root}, which contains all documents.` }
        : diagnostic,
    ),
    suggestion: `cd ${quoteShellWord(root)} && npx bothends init ${files.join(" ")}`,
  };
}

interface ConfigInputs {
  readonly name: string;
  readonly folders: ProjectFolders;
  readonly source: Source;
  readonly options: InitOptions;
}

/**
 * Creates the configuration that generates the same packages as the options, so that later commands need no options.
 */
function createProjectConfig({ name, folders: { packages, runtime }, source, options }: ConfigInputs): object {
  const limits = readLimits(options.limit ?? []);
  const parts = findParts(options) ?? ["client", "server"];
  const [first = ""] = source.paths;
  const documents = source.kind === "wsdl" ? { wsdl: source.paths } : { index: first };
  return {
    $schema: "./node_modules/bothends/bothends.schema.json",
    packages: Object.fromEntries(
      ["contract", ...parts].map((part) => [part, { path: `${packages}/${part}`, name: `${hyphenate(name)}-${part}` }]),
    ),
    ...(runtime === undefined ? {} : { runtime: { path: runtime } }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    interfaces: { [name]: { ...documents, ...(options.lenient === true ? { lenient: true } : {}) } },
  };
}

function listProjectFiles(
  config: string,
  { name, runtime, host }: { readonly name: string; readonly runtime: string | undefined; readonly host: Host },
): readonly ProjectFile[] {
  const file = { path: configName, text: config, isNew: true };
  const changedFiles = [
    preparePackageFile(host.workingFolder, `${hyphenate(name)}-project`),
    findIgnoreFile(host.workingFolder, runtime),
  ];
  return [file, ...changedFiles.filter((file) => file !== undefined)];
}

/** Returns the folder of the runtime; undefined if it comes from a registry. */
function findRuntimePath(
  folder: string,
  { vendorRuntime, vendorRuntimeIn }: InitOptions,
  host: Host,
): string | undefined {
  if (vendorRuntimeIn !== undefined) {
    return getFolderInside(vendorRuntimeIn, { option: "--vendor-runtime-in", fallback: `${folder}/runtime` }, host);
  }
  if (vendorRuntime === false) {
    return undefined;
  }
  const { workingFolder } = host;
  const sharedFolder = findSharedRuntime(workingFolder, join(workingFolder, folder, "runtime"));
  return sharedFolder === undefined ? `${folder}/runtime` : withSlashes(relative(workingFolder, sharedFolder));
}

/** The scripts added to a project. */
const projectScripts: Readonly<Record<string, string>> = {
  generate: "bothends generate",
  "generate:check": "bothends check",
};

/** The lines to add to `.gitignore`. */
const ignoredPaths = ["node_modules/", "dist/", ".bothends-journal*", ".bothends-lock", "*.orig"];

/** A file to write, with its complete text. */
interface ProjectFile {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
}

/**
 * Returns `package.json` with the project's scripts, or a new `package.json` if the folder has none. Existing scripts
 * with the same names do not change. Returns undefined if no script is missing.
 */
function preparePackageFile(folder: string, name: string): ProjectFile | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) {
    const manifest = { name, version: "0.0.0", private: true, type: "module", scripts: projectScripts };
    return { path: "package.json", text: `${JSON.stringify(manifest, null, 2)}\n`, isNew: true };
  }
  const oldText = withDiskErrors("read package.json", () => readFileSync(path, "utf8"));
  const manifest = parseManifest(oldText);
  const oldScripts = getObjectIn(manifest, "scripts");
  const scripts = { ...oldScripts, ...projectScripts, ...oldScripts };
  const [indent = "  "] = /(?<=^\{\r?\n)[ \t]+/.exec(oldText) ?? [];
  const lineEnd = oldText.includes("\r\n") ? "\r\n" : "\n";
  const newText = `${JSON.stringify({ ...manifest, scripts }, null, indent)}\n`.replaceAll("\n", lineEnd);
  return hasProjectScripts(oldScripts) ? undefined : { path: "package.json", text: newText, isNew: false };
}

function hasProjectScripts(scripts: object): boolean {
  return Object.keys(projectScripts).every((name) => name in scripts);
}

function parseManifest(text: string): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value;
    }
  } catch {
    // Malformed JSON is reported by the error below, like JSON that is not an object.
  }
  throw new CommandError("package.json is not a JSON object.", {
    help: "Correct the file, and run npx bothends init again.",
  });
}

function getObjectIn(manifest: object, name: string): object {
  const value: unknown = Object.entries(manifest).find(([key]) => key === name)?.[1];
  return typeof value === "object" && value !== null ? value : {};
}

/** Returns `.gitignore` with the missing lines added; undefined if no line is missing. */
function findIgnoreFile(folder: string, runtime: string | undefined): ProjectFile | undefined {
  const path = join(folder, ".gitignore");
  const oldText = existsSync(path) ? withDiskErrors("read .gitignore", () => readFileSync(path, "utf8")) : "";
  const lines = new Set(oldText.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "").replace(/\/$/, "")));
  // The vendored runtime consists of built files, which users must commit, so its `dist` is not ignored.
  const entries = runtime === undefined ? ignoredPaths : [...ignoredPaths, `!/${runtime}/dist/`];
  const missingLines = entries.filter((line) => !lines.has(line.replace(/\/$/, "")));
  if (missingLines.length === 0) {
    return undefined;
  }
  const start = oldText === "" || oldText.endsWith("\n") ? oldText : `${oldText}\n`;
  return { path: ".gitignore", text: `${start}${missingLines.join("\n")}\n`, isNew: oldText === "" };
}

/** Writes the file, replacing any existing content. */
function writeProjectFile(folder: string, { path, text }: ProjectFile): void {
  withDiskErrors(`write ${path}`, () => replaceFile(join(folder, path), text));
}
