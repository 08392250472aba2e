import { type ImportingDocument, readImportLocations } from "@bothends/generator";
import type { Progress } from "../report/present.js";
import { FetchError, type Fetched, type Network, shownAddress } from "./network.js";

/** Fetched documents by file name. `main` is the name of the requested document. */
export interface FetchedFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly main: string;
}

/** The network, the progress line and the limits of one fetch. */
export interface FetchContext {
  readonly network: Network;
  readonly progress: Progress;
  /** The maximum number of documents. */
  readonly inputFiles: number;
}

export const xmlTypes = "text/xml, application/xml, application/wsdl+xml, */*;q=0.1";

/** A received document, and the address that was requested, which differs from the document's after a redirect. */
interface Received {
  readonly requestedAddress: URL;
  readonly fetched: Fetched;
  readonly document: ImportingDocument;
}

/** Fetches a WSDL or a schema with all its imports. Locations are replaced by file names. */
export async function fetchWsdl(
  mainDocument: Fetched,
  { network, progress, inputFiles }: FetchContext,
): Promise<FetchedFiles> {
  const names = new FileNames();
  const files = new Map<string, string>();
  const receivedDocuments = new Map<string, Received>();
  const pendingDocuments: Received[] = [];
  const receive = (requestedAddress: URL, fetched: Fetched): Received => {
    const each = { requestedAddress, fetched, document: readDocument(fetched) };
    receivedDocuments.set(requestedAddress.href, each);
    pendingDocuments.push(each);
    return each;
  };
  const nameOf = ({ requestedAddress, document }: Received): string =>
    names.nameOf(requestedAddress, extensionOf(document));

  const main = nameOf(receive(mainDocument.address, mainDocument));
  for (let current = pendingDocuments.shift(); current !== undefined; current = pendingDocuments.shift()) {
    const locations = new Map<string, string>();
    for (const { location, builtIn } of current.document.imports) {
      const address = resolveLocation(location, current.fetched);
      // The generator has this schema built in, so the other host need not be contacted.
      if (builtIn && !network.isAllowed(address)) {
        continue;
      }
      let target = receivedDocuments.get(address.href);
      if (target === undefined) {
        checkCount(receivedDocuments.size, inputFiles);
        progress.show(`Fetching ${shownAddress(address)}`);
        target = receive(address, await network.get(address, xmlTypes));
      }
      locations.set(location, nameOf(target));
    }
    files.set(nameOf(current), withLocations(current.document, locations));
  }
  return { files, main };
}

function checkCount(count: number, inputFiles: number): void {
  if (count >= inputFiles) {
    throw new FetchError(`More than ${inputFiles} documents are imported.`, {
      help: "Raise the limit with --limit inputFiles=<number>.",
      advice: `--limit inputFiles=${Math.max(1, inputFiles) * 2}`,
    });
  }
}

function readDocument({ bytes, address }: Fetched): ImportingDocument {
  const document = readImportLocations(bytes);
  if (document.kind === "problem") {
    throw new FetchError(`${shownAddress(address)} is not a WSDL or a schema. ${withFullStop(document.message)}`, {
      help: document.help ?? "Check the address. A WSDL usually has the service's address with ?wsdl at its end.",
    });
  }
  if (document.root === "other") {
    throw new FetchError(
      `${shownAddress(address)} is not a WSDL or a schema: its root element is <${document.rootName}>.`,
      {
        help: "A WSDL usually has the service's address with ?wsdl at its end.",
      },
    );
  }
  return document;
}

function extensionOf({ root }: ImportingDocument): string {
  return root === "schema" ? "xsd" : "wsdl";
}

function resolveLocation(location: string, { address }: Fetched): URL {
  if (!URL.canParse(location, address.href)) {
    throw new FetchError(`${shownAddress(address)} imports "${location.slice(0, 200)}", which is not an address.`, {
      help: "Ask the provider of the document to correct it.",
    });
  }
  const target = new URL(location, address);
  target.hash = "";
  return target;
}

/** The text in UTF-8, with locations replaced by file names. */
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

/** File names for fetched documents: one per address, unique even if case is ignored. */
class FileNames {
  readonly #usedNames = new Set<string>();
  readonly #namesByAddress = new Map<string, string>();

  /** The name of a document: `reg.asmx?wsdl` becomes `reg.wsdl`, `Quotes.svc?xsd=xsd0` becomes `Quotes.xsd0.xsd`. */
  nameOf(address: URL, extension: string): string {
    const knownName = this.#namesByAddress.get(address.href);
    if (knownName !== undefined) {
      return knownName;
    }
    const name = this.#uniqueName(stemOf(address, extension), extension);
    this.#namesByAddress.set(address.href, name);
    return name;
  }

  #uniqueName(stem: string, extension: string): string {
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? "" : `-${number}`}.${extension}`;
      if (!this.#usedNames.has(name.toLowerCase())) {
        this.#usedNames.add(name.toLowerCase());
        return name;
      }
    }
  }
}

const maxCharacters = 80;

function stemOf({ pathname, search, hostname }: URL, extension: string): string {
  const file = decodeComponent(
    pathname
      .split("/")
      .filter((step) => step !== "")
      .at(-1) ?? hostname,
  );
  const base = file.replace(/\.(?:asmx|svc|php|wsdl|xsd|xml|jsp|aspx|json)$/i, "");
  const query = decodeComponent(search.slice(1)).replace(/^(?:single)?(?:wsdl|xsd)\b=?/i, "");
  const words = [base, query].map((text) => text.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, ""));
  const stem = words
    .filter((word) => word !== "")
    .join(".")
    .slice(0, maxCharacters);
  // Windows does not allow these file names.
  return stem === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(stem) ? `document-${extension}` : stem;
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Fetches the index of a WordPress site with the schemas of its objects. */
export async function fetchIndex(page: Fetched, { network, progress }: FetchContext): Promise<FetchedFiles> {
  const address = indexAddress(page);
  // https://developer.wordpress.org/rest-api/extending-the-rest-api/schema/: schemas are listed in the context `help`.
  address.searchParams.set("context", "help");
  progress.show(`Fetching ${shownAddress(address)}`);
  const { bytes } = await network.get(address, "application/json");
  const text = new TextDecoder("utf-8").decode(bytes).replace(/^\ufeff/, "");
  const index = parseIndex(text, address);
  if (!hasRoutes(index)) {
    const { code } = index;
    throw new FetchError(
      `${shownAddress(address)} has no routes${typeof code === "string" ? `: it answered ${code}` : ""}.`,
      {
        help: "Name the index of the site: https://site.example/wp-json/. A site that is not public needs --user <name>.",
      },
    );
  }
  return { files: new Map([["index.json", indentJson(text)]]), main: "index.json" };
}

/** Whether a document is an index, or a page of a site that links to its index. */
export function isSite({ contentType, bytes, link }: Fetched): boolean {
  return /\bjson\b/i.test(contentType) || indexLink(link, bytes) !== undefined;
}

function indexAddress({ contentType, bytes, link, address }: Fetched): URL {
  const linkedAddress = /\bjson\b/i.test(contentType) ? undefined : indexLink(link, bytes);
  return new URL(linkedAddress ?? address.href, address);
}

const maxHeadBytes = 256 * 1024;

/** The address of the index that a page links to (https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/). */
function indexLink(link: string, bytes: Uint8Array): string | undefined {
  const [, header] = /<([^<>]{1,2000})>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(link) ?? [];
  if (header !== undefined) {
    return header;
  }
  const page = new TextDecoder("utf-8").decode(bytes.subarray(0, maxHeadBytes));
  const tag = /<link\b[^<>]{0,500}rel=["']https:\/\/api\.w\.org\/["'][^<>]{0,2000}>/.exec(page)?.[0];
  return tag === undefined ? undefined : /\bhref=["']([^"']{1,2000})["']/.exec(tag)?.[1]?.replaceAll("&amp;", "&");
}

function parseIndex(text: string, address: URL): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      return value;
    }
  } catch {
    // The problem is reported below.
  }
  throw new FetchError(`${shownAddress(address)} is not JSON.`, {
    help: "Name the index of the site: https://site.example/wp-json/, or https://site.example/?rest_route=/.",
  });
}

function hasRoutes(index: Readonly<Record<string, unknown>>): boolean {
  return isObject(index["routes"]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Writes each member and each item of JSON on its own line. Tokens stay unchanged, including numbers of any size and duplicate
 * members.
 */
export function indentJson(text: string): string {
  let result = "";
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/gs)) {
    if (token === "}" || token === "]") {
      depth -= 1;
      result = /[[{]\s*$/.test(result.slice(-200)) ? result.trimEnd() : `${result}${lineStart(depth)}`;
      result += token;
    } else if (token === "{" || token === "[") {
      depth += 1;
      result += `${token}${lineStart(depth)}`;
    } else if (token === ",") {
      result += `,${lineStart(depth)}`;
    } else {
      result += token === ":" ? ": " : token;
    }
  }
  return `${result}\n`;
}

function lineStart(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}
