import { basename, join, posix, relative, resolve } from "node:path";
import { type Change, diffContracts, formatShortChanges, type Side } from "@bothends/diff";
import {
  Diagnostics,
  readConfig,
  readConfigFromFlags,
  readContract,
  readImportLocations,
  sourceLimits,
} from "@bothends/generator";
import {
  createOutput,
  findOutputRoot,
  finishInterrupted,
  readExisting,
  readText,
  runInOutputRoot,
  writeBeside,
} from "@bothends/generator/disk";
import type { FetchedFiles } from "../fetch/fetch-context.js";
import { fetchFiles, formatReuseNote } from "../fetch/fetch-sources.js";
import { type Host, hasColor, UsageError } from "../host.js";
import { quoteShellWord, withSlashes } from "../paths.js";
import { configName, type FetchOptions, findMemberOfIndex, listProjectFolders } from "../project.js";
import { createUnifiedDiff, formatContractLines } from "../report/changes.js";
import { formatCount, type Outcome } from "../report/outcome.js";

/** The contents of files, keyed by their paths within a folder. */
type Files = ReadonlyMap<string, string>;

/** `bothends fetch <address>`: saves a WSDL with all its imports, or the index of a WordPress site. */
export async function runFetch(text: string, options: FetchOptions, host: Host): Promise<Outcome> {
  const folder = resolveFolder(options, host);
  const fetchResult = await fetchFiles(text, options, host);
  const output = {
    ...createOutput(findOutputRoot({ path: host.workingFolder, workingFolder: host.workingFolder }), [folder]),
    otherFolders: listProjectFolders(host),
  };
  finishInterrupted(output);
  const existingFiles = readExisting(output, folder);
  const changes = listChangedFiles(fetchResult.files, existingFiles);
  const note = formatReuseNote(fetchResult.reusedDocumentCount, "To fetch all documents again, repeat the command.");
  const mainPath = `${folder}/${fetchResult.mainFile}`;
  const mainNotes = mainPath.endsWith(".xsd") ? [...fetchResult.notes, describeSchema(mainPath)] : fetchResult.notes;
  if (changes.size === 0) {
    const result = `${formatCount(fetchResult.files.size, "document")} unchanged in ${folder}`;
    return { exit: 0, body: note, result, notes: mainNotes };
  }
  const versions = { before: existingFiles, after: new Map([...existingFiles, ...changes]), folder, host };
  const report = createReport(changes, fetchResult, { versions, options });
  const [body, notes] = [note + report.body, [...mainNotes, ...report.notes]];
  if (
    !(await isConfirmed(`Write ${formatCount(changes.size, "file")} to ${folder}?`, { options, host, body, notes }))
  ) {
    return {
      exit: 1,
      notes: host.ask === undefined ? notes : [],
      body: host.ask === undefined ? body : "",
      result: "nothing written",
      suggestion: host.ask === undefined ? "the same command with --yes" : undefined,
    };
  }
  runInOutputRoot(output.root, () => writeBeside(output, changes, { folder, existingFiles }));
  const isShown = host.ask !== undefined && options.yes !== true;
  const listPaths = (isExisting: boolean) =>
    [...changes.keys()].filter((path) => existingFiles.has(path) === isExisting).map((path) => `${folder}/${path}`);
  return {
    exit: 0,
    body: isShown ? "" : body,
    notes: isShown ? [] : notes,
    result: `${formatCount(changes.size, "file")} written to ${folder}`,
    suggestion: findNextCommand(mainPath, host),
    files: {
      added: listPaths(false),
      changed: listPaths(true),
      removed: [],
      unchanged: fetchResult.files.size - changes.size,
    },
  };
}

/**
 * Describes the changes of a fetch: those of the contract, those of other WSDLs in the folder, and those of the files.
 */
function createReport(
  changes: Files,
  { files, mainFile }: FetchedFiles,
  { versions, options }: { readonly versions: FolderVersions; readonly options: FetchOptions },
): { readonly body: string; readonly notes: readonly string[] } {
  const { before: existingFiles, folder, host } = versions;
  // With `--yes`, changes are written at once, so repeating the command would not show them again. Therefore, all
  // changes are listed.
  const verbose = options.verbose === true || options.yes === true;
  const schemaChanges = listContractChanges(mainFile, versions);
  const importers = listImporterChanges(changes, files, versions);
  const body =
    formatContract(schemaChanges, verbose) +
    importers.map((importer) => formatImporter(importer, { folder, verbose })).join("") +
    formatChanges(changes, {
      listsNames: schemaChanges !== undefined || importers.length > 0,
      existingFiles,
      folder,
      color: hasColor(host, host.out),
      verbose,
    });
  return { body, notes: importers.map((importer) => describeImporter(importer, folder)) };
}

function resolveFolder({ into = "schemas" }: FetchOptions, host: Host): string {
  const path = withSlashes(relative(host.workingFolder, resolve(host.workingFolder, into)));
  if (path === "" || path.startsWith("../") || path === ".." || posix.isAbsolute(path)) {
    throw new UsageError("--into must be a folder inside the working directory.", { suggestion: "--into schemas" });
  }
  return path;
}

function describeSchema(document: string): string {
  return `${document} is a schema, from which nothing can be generated: it has no operations. Fetch a WSDL that imports it, or import it in a WSDL.`;
}

/**
 * Returns the command that uses a document: `generate` if the configuration contains the document's path, otherwise
 * `init`; undefined for a schema.
 */
function findNextCommand(document: string, { workingFolder }: Host): string | undefined {
  if (document.endsWith(".xsd")) {
    return undefined;
  }
  const option = document.endsWith(".json") ? "--index" : "--wsdl";
  try {
    if (readText(join(workingFolder, configName)).includes(document)) {
      return "bothends generate";
    }
  } catch {
    // If there is no valid configuration, there is no project yet, so the result is `init`.
  }
  return `bothends init ${option} ${quoteShellWord(document)}`;
}

function listChangedFiles(files: Files, existingFiles: Files): Files {
  return new Map([...files].filter(([path, text]) => existingFiles.get(path) !== text));
}

interface ChangesOptions {
  readonly existingFiles: Files;
  readonly folder: string;
  readonly color: boolean;
  /** Whether to show a long diff in full. */
  readonly verbose: boolean;
  /** Whether to list only the names of changed files; set if the contract changes are shown as well. */
  readonly listsNames: boolean;
}

const maxLines = 60;

/** Formats the contract changes that a fetch causes. */
function formatContract(changes: readonly Change[] | undefined, verbose: boolean): string {
  if (changes === undefined) {
    return "";
  }
  if (changes.length === 0) {
    return "The contract does not change for callers or servers.\n";
  }
  return formatContractLines("the saved files", formatShortChanges(changes, { verbose }), verbose);
}

function formatImporter(
  { path, contractChanges }: ChangedImporter,
  { folder, verbose }: { readonly folder: string; readonly verbose: boolean },
): string {
  const lines =
    contractChanges === undefined
      ? ["The document is no longer valid."]
      : formatShortChanges(contractChanges, { verbose });
  return formatContractLines(`the saved files, in ${folder}/${path}`, lines, verbose);
}

/**
 * Formats the changes that a fetch makes to files: a diff for an existing file, unless `listsNames` is set, and only
 * the path for a new file.
 */
function formatChanges(changes: Files, { existingFiles, folder, color, verbose, listsNames }: ChangesOptions): string {
  const encoder = new TextEncoder();
  return [...changes]
    .map(([path, text]) => {
      const oldText = existingFiles.get(path);
      if (oldText === undefined) {
        return `  added    ${folder}/${path}\n`;
      }
      if (listsNames) {
        return `  changed  ${folder}/${path}\n`;
      }
      const change = { path: `${folder}/${path}`, oldBytes: encoder.encode(oldText), newBytes: encoder.encode(text) };
      const lines = createUnifiedDiff(change, color).split("\n");
      const hiddenCount = verbose ? 0 : lines.length - maxLines;
      return hiddenCount > 0
        ? `${lines.slice(0, maxLines).join("\n")}\n… and ${formatCount(hiddenCount, "more line")} (--verbose shows all)\n`
        : lines.join("\n");
    })
    .join("");
}

async function isConfirmed(
  question: string,
  {
    options,
    host,
    body,
    notes,
  }: {
    readonly options: FetchOptions;
    readonly host: Host;
    readonly body: string;
    readonly notes: readonly string[];
  },
): Promise<boolean> {
  if (options.yes === true) {
    return true;
  }
  if (host.ask === undefined) {
    return false;
  }
  host.out.write(`${body}${notes.map((note) => `note: ${note}\n`).join("")}`);
  return /^y(?:es)?$/i.test((await host.ask(`${question} [y/N] `)).trim());
}

/** The files of a folder before and after a fetch. */
interface FolderVersions {
  readonly before: Files;
  readonly after: Files;
  readonly folder: string;
  readonly host: Host;
}

/**
 * Returns the contract changes between the old and the new version of a document. Returns undefined if a version is
 * missing or unreadable, or if the document is a schema without a WSDL.
 */
function listContractChanges(path: string, versions: FolderVersions): readonly Change[] | undefined {
  if (!versions.before.has(path) || !/\.(?:wsdl|json)$/.test(path)) {
    return undefined;
  }
  const [oldSide, currentSide] = [
    createSide("the saved files", path, versions),
    createSide("the address", path, versions),
  ];
  return oldSide === undefined || currentSide === undefined ? undefined : diffContracts(oldSide, currentSide).changes;
}

/** A WSDL in the folder that was not fetched itself, but imports files that the fetch changes. */
interface ChangedImporter {
  readonly path: string;
  readonly changedImports: readonly string[];
  /** The contract changes; undefined if the document is no longer valid. */
  readonly contractChanges: readonly Change[] | undefined;
}

/**
 * Finds the contract changes that a fetch causes in other WSDLs of the folder. Without this check, two services with
 * different files of the same name would silently overwrite each other's files.
 */
function listImporterChanges(
  changes: Files,
  fetchedFiles: Files,
  versions: FolderVersions,
): readonly ChangedImporter[] {
  const replacedPaths = [...changes.keys()].filter((path) => versions.before.has(path) && /\.(?:wsdl|xsd)$/.test(path));
  if (replacedPaths.length === 0) {
    return [];
  }
  const imports = new Map([...versions.before].map(([path, text]) => [path, listImportedPaths(path, text)]));
  const candidates = [...imports.keys()].filter((path) => path.endsWith(".wsdl") && !fetchedFiles.has(path));
  return candidates.flatMap((path) => {
    const reachedPaths = findReachedFiles(path, imports);
    const changedImports = replacedPaths.filter((replacedPath) => reachedPaths.has(replacedPath));
    const oldSide = changedImports.length === 0 ? undefined : createSide("the saved files", path, versions);
    if (oldSide === undefined) {
      return [];
    }
    const newSide = createSide("the address", path, versions);
    const contractChanges = newSide && diffContracts(oldSide, newSide).changes;
    return contractChanges?.length === 0 ? [] : [{ path, changedImports, contractChanges }];
  });
}

function listImportedPaths(path: string, text: string): readonly string[] {
  const document = /\.(?:wsdl|xsd)$/.test(path) ? readImportLocations(new TextEncoder().encode(text)) : undefined;
  return document?.kind === "document"
    ? document.imports.map(({ location }) => posix.join(posix.dirname(path), location))
    : [];
}

/** Returns the files that a file imports, directly or through other files. */
function findReachedFiles(start: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reachedPaths = new Set(imports.get(start));
  for (const path of reachedPaths) {
    for (const importedPath of imports.get(path) ?? []) {
      reachedPaths.add(importedPath);
    }
  }
  return reachedPaths;
}

function describeImporter({ path, changedImports }: ChangedImporter, folder: string): string {
  const [names, verb, noun] = [
    changedImports.map((changedImport) => `${folder}/${changedImport}`).join(", "),
    changedImports.length === 1 ? "changes" : "change",
    changedImports.length === 1 ? "file" : "files",
  ];
  return `${folder}/${path} also imports ${names}, which ${verb}. If it needs the current ${noun}, fetch into another folder with --into.`;
}

function createSide(
  name: "the saved files" | "the address",
  path: string,
  { before, after, folder, host }: FolderVersions,
): Side | undefined {
  const files = name === "the address" ? after : before;
  const isIndex = path.endsWith(".json");
  const flags = {
    wsdl: isIndex ? [] : [path],
    index: isIndex ? path : undefined,
    name: findConfiguredName(`${folder}/${path}`, host),
    siteName: isIndex ? findMemberOfIndex(join(host.workingFolder, folder, path), "name") : undefined,
    folderName: basename(host.workingFolder),
    lenient: true,
  };
  const config = readConfigFromFlags(flags, new Diagnostics(), { runtime: "*" });
  if (config === undefined) {
    return undefined;
  }
  const encoder = new TextEncoder();
  const { contract, plan, diagnostics } = readContract({
    config,
    limits: sourceLimits,
    readFile: (path) => {
      const text = files.get(path);
      return text === undefined
        ? { kind: "problem", problem: "missing", message: "there is no such file" }
        : { kind: "file", bytes: encoder.encode(text) };
    },
  });
  return diagnostics.some(({ severity }) => severity === "error") ? undefined : { name, contract, plan };
}

/**
 * Returns the name that the configuration gives to the interface of a document; undefined if the configuration does not
 * contain the document.
 */
function findConfiguredName(document: string, { workingFolder }: Host): string | undefined {
  try {
    const text = readText(join(workingFolder, configName));
    const config = readConfig({ path: configName, text }, new Diagnostics(), { runtime: "*" });
    return config?.interfaces.find((configured) =>
      (configured.kind === "rest" ? [configured.index] : configured.wsdl).some(({ path }) => path === document),
    )?.name;
  } catch {
    // If there is no valid configuration, there is no project yet, so the document has no configured name.
    return undefined;
  }
}
