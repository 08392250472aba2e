import type { FetchedFiles, FetchFacts } from "./fetch-wsdl.js";
import { FetchError, type Fetched, shownAddress } from "./network.js";

/** Fetches the index of a WordPress site with the schemas of its objects. */
export async function fetchIndex(first: Fetched, { network, progress }: FetchFacts): Promise<FetchedFiles> {
  const address = indexAddress(first);
  // https://developer.wordpress.org/rest-api/extending-the-rest-api/schema/: schemas are listed in the context `help`.
  address.searchParams.set("context", "help");
  progress.show(`Fetching ${shownAddress(address)}`);
  const { bytes } = await network.get(address, "application/json");
  const text = new TextDecoder("utf-8").decode(bytes).replace(/^\ufeff/, "");
  const index = parsed(text, address);
  if (!hasRoutes(index)) {
    const { code } = index;
    throw new FetchError(
      `${shownAddress(address)} has no routes${typeof code === "string" ? `: it answered ${code}` : ""}.`,
      { help: "Name the index of the site: https://site.example/wp-json/. A closed site needs --user <name>." },
    );
  }
  return { files: new Map([["index.json", indentJson(text)]]), main: "index.json" };
}

/** Whether a document is an index, or a page of a site that names its index. */
export function isSite({ contentType, bytes, link }: Fetched): boolean {
  return /\bjson\b/i.test(contentType) || indexLink(link, bytes) !== undefined;
}

function indexAddress({ contentType, bytes, link, address }: Fetched): URL {
  const found = /\bjson\b/i.test(contentType) ? undefined : indexLink(link, bytes);
  return new URL(found ?? address.href, address);
}

const headBytes = 256 * 1024;

/** The address of the index that a page names (https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/). */
function indexLink(link: string, bytes: Uint8Array): string | undefined {
  const [, header] = /<([^<>]{1,2000})>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(link) ?? [];
  if (header !== undefined) {
    return header;
  }
  const page = new TextDecoder("utf-8").decode(bytes.subarray(0, headBytes));
  const tag = /<link\b[^<>]{0,500}rel=["']https:\/\/api\.w\.org\/["'][^<>]{0,2000}>/.exec(page)?.[0];
  return tag === undefined ? undefined : /\bhref=["']([^"']{1,2000})["']/.exec(tag)?.[1]?.replaceAll("&amp;", "&");
}

function parsed(text: string, address: URL): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      return value;
    }
  } catch {
    // Reported below.
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

/** Writes each member and each item of JSON on a line. Its tokens are unchanged: numbers of any size, members that occur twice. */
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
