import { resolve } from "node:path";
import { type ImportingDocument, readImportLocations, sourceLimits } from "@bothends/generator";
import { isFile } from "@bothends/generator/disk";
import { type Host, UsageError } from "../host.js";
import { readOwnVersion } from "../packed-files.js";
import { completeAddress, quoteShellWord } from "../paths.js";
import { type FetchOptions, formatFetchCommand, readLimits } from "../project.js";
import { formatCount } from "../report/outcome.js";
import { startProgress } from "../report/present.js";
import type { FetchContext, FetchedFiles } from "./fetch-context.js";
import { fetchIndex, isSite } from "./fetch-index.js";
import { FileNames } from "./file-names.js";
import { hideSecrets } from "./hide-secrets.js";
import { makeResumable } from "./interrupted-fetch.js";
import {
  addressHelp,
  adviseLogin,
  createRefusedHostsError,
  FetchError,
  type Fetched,
  formatAddress,
  formatInvalidAddress,
  LimitedNetwork,
  type Network,
  NetworkError,
  type RefusedDocument,
  removeLogin,
  StatusError,
} from "./network.js";

const xmlTypes = "text/xml, application/xml, application/wsdl+xml, */*;q=0.1";

/** A received document, and the requested address. After a redirect, the document has a different address. */
interface Received {
  readonly requestedAddress: URL;
  readonly fetched: Fetched;
  readonly document: ImportingDocument;
}

const defaultSeconds = 60;

/** Fetches a document with its imports, or an index, without writing files. */
export async function fetchFiles(
  text: string,
  options: FetchOptions,
  host: Host,
): Promise<FetchedFiles & { readonly reusedDocumentCount: number }> {
  const requestedAddress = readAddress(text, options, host);
  const limits = { ...sourceLimits, ...readLimits(options.limit ?? []) };
  const headers = await createHeaders(requestedAddress, options, host);
  const address = removeLogin(requestedAddress);
  const progress = startProgress(host);
  const network = new LimitedNetwork({
    address,
    headers,
    allowedHosts: options.allowHost ?? [],
    timeout: readSeconds(options.timeout) * 1000,
    fileBytes: limits.fileBytes,
    inputBytes: limits.inputBytes,
    userAgent: `bothends/${readOwnVersion()}`,
    interruptSignal: host.interrupted,
    onWait: (name, seconds) => progress.show(`${name} is busy: waiting ${formatCount(seconds, "second")}`, true),
  });
  const resumableNetwork = makeResumable(network, {
    folder: host.workingFolder,
    key: JSON.stringify([address.href, headers]),
  });
  if (options.fresh === true) {
    resumableNetwork.complete();
  }
  try {
    progress.show(`Fetching ${formatAddress(address)}`);
    const { document: mainDocument, notes } = await fetchMainDocument(resumableNetwork, address);
    const fetchOptions = { network: resumableNetwork, progress, inputFiles: limits.inputFiles, address, headers };
    const files = isSite(mainDocument)
      ? await fetchIndex(mainDocument, fetchOptions)
      : await fetchWsdl(mainDocument, fetchOptions);
    resumableNetwork.complete();
    return { ...files, notes: [...notes, ...files.notes], reusedDocumentCount: resumableNetwork.reusedDocumentCount() };
  } catch (error) {
    if (!(error instanceof NetworkError)) {
      resumableNetwork.complete();
      throw error;
    }
    throw withReuseHelp(error, resumableNetwork.reusedDocumentCount());
  } finally {
    progress.end();
  }
}

/**
 * Fetches the document at an address. If there is none, or only a page, the address may be that of the service itself:
 * then its WSDL is usually at the same address followed by `?wsdl`.
 */
async function fetchMainDocument(
  network: Network,
  address: URL,
): Promise<{ readonly document: Fetched; readonly notes: readonly string[] }> {
  const answer = await network
    .get(address, `${xmlTypes}, application/json`)
    .catch((error: unknown) => (error instanceof StatusError ? error : Promise.reject(error)));
  if (!(answer instanceof StatusError) && (isSite(answer) || readRoot(answer) !== "other")) {
    return { document: answer, notes: [] };
  }
  const wsdl = await findWsdlOfService(network, address);
  if (wsdl !== undefined) {
    const note = `${formatAddress(address)} is not a WSDL, so ${formatAddress(wsdl.address)} was fetched.`;
    return { document: wsdl, notes: [note] };
  }
  if (answer instanceof StatusError) {
    throw answer;
  }
  return { document: answer, notes: [] };
}

/** Fetches the WSDL of a service from the service's address followed by `?wsdl`; undefined if there is none. */
async function findWsdlOfService(network: Network, address: URL): Promise<Fetched | undefined> {
  if (address.search !== "" || /\.(?:wsdl|xsd|xml|json)$/i.test(address.pathname)) {
    return undefined;
  }
  const wsdlAddress = new URL(address);
  wsdlAddress.search = "?wsdl";
  const fetched = await network.get(wsdlAddress, xmlTypes).catch((error: unknown) => {
    if (error instanceof NetworkError) {
      return undefined;
    }
    throw error;
  });
  return fetched !== undefined && readRoot(fetched) === "wsdl" ? fetched : undefined;
}

function readRoot({ bytes }: Fetched): ImportingDocument["root"] {
  const document = readImportLocations(bytes);
  return document.kind === "document" ? document.root : "other";
}

/** Formats the note about documents that were reused from an interrupted fetch; empty if there are none. */
export function formatReuseNote(count: number, suggestion: string): string {
  return count === 0 ? "" : `${formatReuse(count)} ${suggestion}\n`;
}

/** Adds a sentence to the help of an error, because the provider may have corrected a reused document. */
function withReuseHelp(error: NetworkError, count: number): FetchError {
  const { message, help, suggestion } = error;
  return count === 0
    ? error
    : new FetchError(message, {
        help: [help, formatReuse(count), "To fetch all documents again, add --fresh."].filter(Boolean).join(" "),
        suggestion,
      });
}

function formatReuse(count: number): string {
  return `Reused ${formatCount(count, "document")} from an interrupted fetch.`;
}

/** Fetches a WSDL or a schema with all its imports, and replaces the locations of the imports with file names. */
async function fetchWsdl(mainDocument: Fetched, context: FetchContext): Promise<FetchedFiles> {
  const { network, progress, inputFiles } = context;
  const names = new FileNames();
  const files = new Map<string, string>();
  const receivedDocuments = new Map<string, Received>();
  const pendingDocuments: Received[] = [];
  const receive = (requestedAddress: URL, fetched: Fetched): Received => {
    const result = { requestedAddress, fetched, document: readDocument(fetched, context) };
    receivedDocuments.set(requestedAddress.href, result);
    pendingDocuments.push(result);
    return result;
  };
  const chooseFileName = ({ requestedAddress, document }: Received): string =>
    names.chooseName(requestedAddress, chooseExtension(document));

  const refusedDocuments = new Map<string, RefusedDocument>();
  const mainFile = chooseFileName(receive(mainDocument.address, mainDocument));
  for (
    let pendingDocument = pendingDocuments.shift();
    pendingDocument !== undefined;
    pendingDocument = pendingDocuments.shift()
  ) {
    const locations = new Map<string, string>();
    for (const { location, isBuiltin } of pendingDocument.document.imports) {
      const address = resolveLocation(location, pendingDocument.fetched);
      if (!network.isAllowed(address)) {
        // Schemas that are built into the generator need not be fetched.
        if (!isBuiltin && !refusedDocuments.has(address.href)) {
          refusedDocuments.set(address.href, { address, importer: pendingDocument.fetched.address });
        }
        continue;
      }
      let target = receivedDocuments.get(address.href);
      if (target === undefined) {
        checkCount(receivedDocuments.size, inputFiles);
        progress.show(`Fetching ${formatAddress(address)}`);
        target = receive(address, await network.get(address, xmlTypes, pendingDocument.fetched.address));
      }
      locations.set(location, chooseFileName(target));
    }
    files.set(chooseFileName(pendingDocument), withLocations(pendingDocument.document, locations));
  }
  if (refusedDocuments.size > 0) {
    throw createRefusedHostsError([...refusedDocuments.values()]);
  }
  return { files, mainFile, notes: [] };
}

function checkCount(count: number, inputFiles: number): void {
  if (count >= inputFiles) {
    throw new FetchError(`More than ${inputFiles} documents are imported.`, {
      help: "Increase the limit with --limit inputFiles=<number>.",
      suggestion: `--limit inputFiles=${Math.max(1, inputFiles) * 2}`,
    });
  }
}

function readDocument({ bytes, address }: Fetched, context: FetchContext): ImportingDocument {
  const document = readImportLocations(bytes);
  if (document.kind === "problem") {
    const message = `${formatAddress(address)} is not a WSDL or a schema. ${withFullStop(document.message)}`;
    if (document.receivedKind === "login page") {
      const { help, ...suggestion } = adviseLogin(address, context);
      throw new FetchError(message, {
        help: `A login page or a proxy answered instead of the service. ${help} Or save the document in a browser after you have logged in.`,
        ...suggestion,
      });
    }
    throw new FetchError(message, {
      help: document.receivedKind === undefined ? (document.help ?? addressHelp) : addressHelp,
    });
  }
  if (document.root === "other") {
    throw new FetchError(`${formatAddress(address)} is not a WSDL or a schema, but ${document.description}.`, {
      help: document.help ?? "The address of a WSDL is usually the service's address followed by ?wsdl.",
    });
  }
  return document;
}

function chooseExtension({ root }: ImportingDocument): string {
  return root === "schema" ? "xsd" : "wsdl";
}

function resolveLocation(location: string, { address }: Fetched): URL {
  if (!URL.canParse(location, address.href)) {
    throw new FetchError(
      `${formatAddress(address)} imports "${formatInvalidAddress(location)}", which is not a valid address.`,
      {
        help: "Ask the provider of the document to correct it.",
      },
    );
  }
  const target = removeLogin(new URL(location, address));
  target.hash = "";
  if (!/^https?:$/.test(target.protocol)) {
    throw new FetchError(`The documents refer to ${formatAddress(target)}, which is not an http or https address.`, {
      help: "Save the documents yourself, with a relative location in place of this one. Then generate from the files.",
    });
  }
  return target;
}

/** Replaces the locations of a document's imports with file names. */
function withLocations({ text, imports }: ImportingDocument, names: ReadonlyMap<string, string>): string {
  let result = "";
  let position = 0;
  for (const { location, start, end } of imports) {
    const name = names.get(location);
    if (name !== undefined) {
      result += text.slice(position, start) + name;
      position = end;
    }
  }
  return (result + text.slice(position)).replace(
    /^(<\?xml[^>]*?\sencoding\s*=\s*)(["'])[^"']*\2/,
    (_, before: string, quote: string) => `${before}${quote}utf-8${quote}`,
  );
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function readAddress(text: string, options: FetchOptions, host: Host): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw new UsageError(`"${hideSecrets(text).slice(0, 500)}" is not an http or https address.`, {
      help: "To read a file, use npx bothends generate with --wsdl or --index.",
      suggestion: suggestCommand(text, options, host),
    });
  }
  return address;
}

function suggestCommand(text: string, options: FetchOptions, host: Host): string | undefined {
  if (isFile(resolve(host.workingFolder, text))) {
    const option = /\.json$/i.test(text) ? "--index" : "--wsdl";
    return `bothends generate ${option} ${quoteShellWord(text)} --out generated`;
  }
  const address = completeAddress(text);
  return address === undefined ? undefined : formatFetchCommand(address, options);
}

function readSeconds(text: string | undefined): number {
  const seconds = text === undefined ? defaultSeconds : Number(text);
  if (!(seconds > 0 && seconds <= 3600)) {
    throw new UsageError("--timeout needs a number of seconds, at most 3600.", { suggestion: "--timeout 60" });
  }
  return seconds;
}

/** Creates the headers for the host of an address: the headers given with `--header`, and the login. */
async function createHeaders(address: URL, options: FetchOptions, host: Host): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const text of options.header ?? []) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*([\x20-\x7e\xa0-\xff]*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError("--header needs a name and a value.", { suggestion: "--header 'Authorization: Bearer …'" });
    }
    headers[name.toLowerCase()] = value;
  }
  const user = options.user ?? decodeLogin(address.username);
  const password = decodeLogin(address.password);
  if (user !== "") {
    const secret = password !== "" ? password : await readPassword(user, host);
    headers["authorization"] = `Basic ${Buffer.from(`${user}:${secret}`, "utf8").toString("base64")}`;
  }
  return headers;
}

/** Decodes the user name or the password in an address. */
function decodeLogin(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError("The login in the address has an invalid escape.", {
      help: "Write % as %25, or use --user.",
    });
  }
}

async function readPassword(user: string, host: Host): Promise<string> {
  const password =
    host.environment["BOTHENDS_PASSWORD"] ?? (await host.ask?.(`Password of ${user}: `, { secret: true }));
  if (password === undefined) {
    throw new UsageError("--user needs a password.", {
      help: "Set the variable BOTHENDS_PASSWORD, or run the command at a terminal, where it prompts for the password.",
    });
  }
  return password;
}
