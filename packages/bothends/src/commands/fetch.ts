import { posix, relative, resolve } from "node:path";
import { diffContracts, type Side, shortChange } from "@bothends/diff";
import { configFromFlags, Diagnostics, readContract, sourceLimits } from "@bothends/generator";
import { inOutputRoot, isFile, outputOn, outputRoot, readExisting, writeBeside } from "@bothends/generator/disk";
import { type FetchedFiles, fetchIndex, fetchWsdl, isSite, xmlTypes } from "../fetch/fetch-sources.js";
import { createNetwork, NetworkError, resumable, shownAddress } from "../fetch/network.js";
import { type Host, hasColor, UsageError } from "../host.js";
import { ownVersion } from "../packed-files.js";
import { shellWord, withSlashes } from "../paths.js";
import { type FetchOptions, readLimits } from "../project.js";
import { unifiedDiff } from "../report/changes.js";
import { countText, type Outcome } from "../report/outcome.js";
import { startProgress } from "../report/present.js";

/** Text files by their paths in a folder. */
type Files = ReadonlyMap<string, string>;

const defaultSeconds = 60;

/** `bothends fetch <address>`: saves a WSDL with all its imports, or the index of a WordPress site. */
export async function runFetch(text: string, options: FetchOptions, host: Host): Promise<Outcome> {
  const folder = folderOf(options, host);
  const fetchResult = await fetchFiles(text, options, host);
  const output = outputOn(outputRoot({ path: host.workingFolder, workingFolder: host.workingFolder }), [folder]);
  const existingFiles = readExisting(output, folder);
  const changes = changedFiles(fetchResult.files, existingFiles);
  const reuseNote =
    fetchResult.reusedDocumentCount === 0
      ? ""
      : `Reused ${countText(fetchResult.reusedDocumentCount, "document")} of an interrupted fetch.\n`;
  const main = `${folder}/${fetchResult.main}`;
  if (changes.size === 0) {
    return { exit: 0, result: `${countText(fetchResult.files.size, "document")} unchanged in ${folder}` };
  }
  const schemaChanges = contractChanges({
    main: fetchResult.main,
    before: existingFiles,
    after: new Map([...existingFiles, ...fetchResult.files]),
  });
  const body =
    reuseNote +
    contractText(schemaChanges) +
    changesText(changes, {
      listsNames: schemaChanges !== undefined,
      existingFiles,
      folder,
      color: hasColor(host, host.out),
    });
  if (!(await isConfirmed(`Write ${countText(changes.size, "file")} to ${folder}?`, { options, host, body }))) {
    return {
      exit: 1,
      body: host.ask === undefined ? body : "",
      result: "nothing written",
      advice: host.ask === undefined ? "the same command with --yes" : undefined,
    };
  }
  inOutputRoot(output.root, () => writeBeside(output, changes, { folder, existing: existingFiles }));
  const option = main.endsWith(".json") ? "--index" : "--wsdl";
  return {
    exit: 0,
    body: host.ask === undefined || options.yes === true ? body : "",
    result: `${countText(changes.size, "file")} written to ${folder}`,
    advice: `bothends init ${option} ${shellWord(main)}`,
    files: {
      added: [...changes.keys()].filter((path) => !existingFiles.has(path)).map((path) => `${folder}/${path}`),
      changed: [...changes.keys()].filter((path) => existingFiles.has(path)).map((path) => `${folder}/${path}`),
      removed: [],
      unchanged: fetchResult.files.size - changes.size,
    },
  };
}

/** Fetches a document with its imports, or an index, without writing files. */
export async function fetchFiles(
  text: string,
  options: FetchOptions,
  host: Host,
): Promise<FetchedFiles & { readonly reusedDocumentCount: number }> {
  const address = addressOf(text, host);
  const limits = { ...sourceLimits, ...readLimits(options.limit ?? []) };
  const headers = await headersOf(address, options, host);
  const progress = startProgress(host);
  const network = createNetwork({
    address,
    headers,
    allowedHosts: options.allowHost ?? [],
    timeout: secondsOf(options.timeout) * 1000,
    fileBytes: limits.fileBytes,
    inputBytes: limits.inputBytes,
    userAgent: `bothends/${ownVersion()}`,
    interruptSignal: host.interrupted,
    onWait: (name, seconds) => progress.show(`${name} is busy: waiting ${countText(seconds, "second")}`, true),
  });
  const resumableNetwork = resumable(network, {
    folder: host.workingFolder,
    key: JSON.stringify([address.href, headers]),
  });
  try {
    progress.show(`Fetching ${shownAddress(address)}`);
    const mainDocument = await resumableNetwork.get(address, `${xmlTypes}, application/json`);
    const fetchOptions = { network: resumableNetwork, progress, inputFiles: limits.inputFiles };
    const files = isSite(mainDocument)
      ? await fetchIndex(mainDocument, fetchOptions)
      : await fetchWsdl(mainDocument, fetchOptions);
    resumableNetwork.complete();
    return { ...files, reusedDocumentCount: resumableNetwork.reusedDocumentCount() };
  } catch (error) {
    if (!(error instanceof NetworkError)) {
      resumableNetwork.complete();
    }
    throw error;
  } finally {
    progress.end();
  }
}

function addressOf(text: string, host: Host): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw new UsageError(`"${text.slice(0, 500)}" is not an http or https address.`, {
      help: "To read a file, use bothends generate with --wsdl or --index.",
      advice: fetchAdvice(text, host),
    });
  }
  return address;
}

function fetchAdvice(text: string, host: Host): string | undefined {
  if (isFile(resolve(host.workingFolder, text))) {
    const option = /\.json$/i.test(text) ? "--index" : "--wsdl";
    return `bothends generate ${option} ${shellWord(text)} --out generated`;
  }
  if (/^(?:localhost|127\.0\.0\.1)(?:[:/?].*)?$/.test(text)) {
    return `bothends fetch ${shellWord(`http://${text}`)}`;
  }
  return /^[\w-]+(?:\.[\w-]+)+(?:[:/?].*)?$/.test(text) ? `bothends fetch ${shellWord(`https://${text}`)}` : undefined;
}

function folderOf({ into = "schemas" }: FetchOptions, host: Host): string {
  const path = withSlashes(relative(host.workingFolder, resolve(host.workingFolder, into)));
  if (path === "" || path.startsWith("../") || path === ".." || posix.isAbsolute(path)) {
    throw new UsageError("--into must be a folder inside the working directory.", { advice: "--into schemas" });
  }
  return path;
}

function secondsOf(text: string | undefined): number {
  const seconds = text === undefined ? defaultSeconds : Number(text);
  if (!(seconds > 0 && seconds <= 3600)) {
    throw new UsageError("--timeout needs a number of seconds, at most 3600.", { advice: "--timeout 60" });
  }
  return seconds;
}

/** Reads the headers for the host of an address: its login, and those of `--header`. Removes the login from the address. */
async function headersOf(address: URL, options: FetchOptions, host: Host): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const text of options.header ?? []) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*([\x20-\x7e\xa0-\xff]*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError("--header needs a name and a value.", { advice: "--header 'Authorization: Bearer …'" });
    }
    headers[name.toLowerCase()] = value;
  }
  const user = options.user ?? decodeURIComponent(address.username);
  const password = decodeURIComponent(address.password);
  address.username = "";
  address.password = "";
  if (user !== "") {
    const secret = password !== "" ? password : await passwordOf(user, host);
    headers["authorization"] = `Basic ${Buffer.from(`${user}:${secret}`, "utf8").toString("base64")}`;
  }
  return headers;
}

async function passwordOf(user: string, host: Host): Promise<string> {
  const password =
    host.environment["BOTHENDS_PASSWORD"] ?? (await host.ask?.(`Password of ${user}: `, { secret: true }));
  if (password === undefined) {
    throw new UsageError("--user needs a password.", {
      help: "Set the variable BOTHENDS_PASSWORD, or run the command at a terminal, where it prompts for the password.",
    });
  }
  return password;
}

function changedFiles(files: Files, existingFiles: Files): Files {
  return new Map([...files].filter(([path, text]) => existingFiles.get(path) !== text));
}

interface ChangesOptions {
  readonly existingFiles: Files;
  readonly folder: string;
  readonly color: boolean;
  /** Lists only the names of changed files, because the contract changes are shown. */
  readonly listsNames: boolean;
}

const maxLines = 60;

/** Lists the contract changes of a fetch. */
function contractText(changes: readonly string[] | undefined): string {
  if (changes === undefined) {
    return "";
  }
  if (changes.length === 0) {
    return "Nothing changes for callers or servers.\n";
  }
  const lines = changes.slice(0, maxLines).map((line) => `  ${line}\n`);
  const hiddenCount = changes.length - lines.length;
  return `Changes since the saved files:\n${lines.join("")}${hiddenCount > 0 ? `  … and ${countText(hiddenCount, "more change")}\n` : ""}`;
}

/** Shows how a fetch changes files. New files are only listed. */
function changesText(changes: Files, { existingFiles, folder, color, listsNames }: ChangesOptions): string {
  const bytes = new TextEncoder();
  return [...changes]
    .map(([path, text]) => {
      const oldText = existingFiles.get(path);
      if (oldText === undefined) {
        return `  added    ${folder}/${path}\n`;
      }
      if (listsNames) {
        return `  changed  ${folder}/${path}\n`;
      }
      const change = { path: `${folder}/${path}`, before: bytes.encode(oldText), after: bytes.encode(text) };
      const lines = unifiedDiff(change, color).split("\n");
      const hiddenCount = lines.length - maxLines;
      return hiddenCount > 0
        ? `${lines.slice(0, maxLines).join("\n")}\n… and ${countText(hiddenCount, "more line")}\n`
        : lines.join("\n");
    })
    .join("");
}

async function isConfirmed(
  question: string,
  { options, host, body }: { readonly options: FetchOptions; readonly host: Host; readonly body: string },
): Promise<boolean> {
  if (options.yes === true) {
    return true;
  }
  if (host.ask === undefined) {
    return false;
  }
  host.out.write(body);
  return /^y(?:es)?$/i.test((await host.ask(`${question} [y/N] `)).trim());
}

/** The files of a document and its imports, before and after a fetch. */
interface FetchedDocument {
  /** The name of the main document. */
  readonly main: string;
  readonly before: Files;
  readonly after: Files;
}

/**
 * The contract changes between two states of a document, one line each; undefined if one of them is missing, unreadable, or a
 * schema without a WSDL.
 */
function contractChanges({ main, before, after }: FetchedDocument): readonly string[] | undefined {
  if (!before.has(main) || !/\.(?:wsdl|json)$/.test(main)) {
    return undefined;
  }
  const [old, current] = [sideOf("the saved files", main, before), sideOf("the address", main, after)];
  return old === undefined || current === undefined ? undefined : diffContracts(old, current).changes.map(shortChange);
}

function sideOf(name: string, main: string, files: Files): Side | undefined {
  const diagnostics = new Diagnostics();
  const isIndex = main.endsWith(".json");
  const flags = { wsdl: isIndex ? [] : [main], index: isIndex ? main : undefined, name: "fetched", lenient: true };
  const config = configFromFlags(flags, diagnostics, { runtime: "*" });
  if (config === undefined) {
    return undefined;
  }
  const encoder = new TextEncoder();
  const {
    contract,
    plan,
    diagnostics: contractDiagnostics,
  } = readContract({
    config,
    limits: sourceLimits,
    readFile: (path) => {
      const text = files.get(path);
      return text === undefined
        ? { kind: "problem", problem: "missing", message: "there is no such file" }
        : { kind: "file", bytes: encoder.encode(text) };
    },
  });
  return contractDiagnostics.some(({ severity }) => severity === "error") ? undefined : { name, contract, plan };
}
