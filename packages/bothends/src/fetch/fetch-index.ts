import { describeNonIndex, describeNonJson } from "@bothends/generator";
import type { FetchContext, FetchedFiles } from "./fetch-context.js";
import { FetchError, type Fetched, formatAddress, formatInvalidAddress } from "./network.js";

/** The file name of a fetched index. */
export const indexFile = "index.json";

/** Fetches the index of a WordPress site, including the schemas of the site's resources. */
export async function fetchIndex(page: Fetched, context: FetchContext): Promise<FetchedFiles> {
  const { network, progress } = context;
  const loginAddress = context.headers["authorization"]?.startsWith("Basic ") === true ? context.address : undefined;
  const address = findIndexAddress(page);
  // https://developer.wordpress.org/rest-api/extending-the-rest-api/schema/: only the context `help` has schemas.
  address.searchParams.set("context", "help");
  progress.show(`Fetching ${formatAddress(address)}`);
  const { bytes, cacheControl } = await network.get(address, "application/json");
  const text = new TextDecoder("utf-8").decode(bytes).replace(/^\ufeff/, "");
  refuseUnexpected(describeNonJson(bytes), address);
  const index = parseIndex(text, address);
  if (!isObject(index["routes"])) {
    const { code } = index;
    refuseUnexpected(code === undefined ? describeNonIndex(text) : undefined, address);
    throw new FetchError(
      `${formatAddress(address)} has no routes${typeof code === "string" ? `: it answered ${code}` : ""}.`,
      {
        help: "Enter the address of the site's index: https://site.example/wp-json/. A site that is not public needs --user <name>.",
      },
    );
  }
  // WordPress sends `no-cache` with every answer to a logged-in user. Without it, the login was ignored.
  const isIgnored = loginAddress !== undefined && !/\bno-cache\b/i.test(cacheControl);
  const note = () =>
    loginAddress !== undefined && loginAddress.origin !== address.origin
      ? describeUnsentLogin(loginAddress, findIndexAddress(page))
      : describeIgnoredLogin(index, address);
  const notes = isIgnored ? [note()] : [];
  return { files: new Map([[indexFile, indentJson(text)]]), mainFile: indexFile, notes };
}

function describeUnsentLogin(loginAddress: URL, index: URL): string {
  return `The login was not sent to ${index.origin}, because it belongs to ${loginAddress.origin}. The index may lack routes and arguments that are not public. To log in there, fetch the index from ${formatAddress(index)}.`;
}

/**
 * Formats the note about an index that shows no sign of a login. WordPress answers even a wrong password with the
 * public index. Sites without application passwords ignore such passwords, and their index does not list this kind of
 * login (https://developer.wordpress.org/reference/functions/wp_is_application_passwords_supported/).
 */
function describeIgnoredLogin({ authentication }: Readonly<Record<string, unknown>>, { protocol }: URL): string {
  const consequence = "The index may lack routes and arguments that are not public.";
  if (isObject(authentication) && authentication["application-passwords"] !== undefined) {
    return `WordPress probably did not accept the login. ${consequence} Check the user name, and use an application password, not the password of the account.`;
  }
  const suggestion =
    protocol === "http:"
      ? "By default, WordPress accepts them only over https: fetch the index from the https address of the site."
      : "Enable them on the site, or ask its administrator to do so.";
  return `WordPress probably ignored the login, because the index does not list application passwords. ${consequence} ${suggestion}`;
}

/** Whether a document is an index, or a page of a site that links to its index. */
export function isSite({ contentType, bytes, link }: Fetched): boolean {
  return /\bjson\b/i.test(contentType) || findIndexLink(link, bytes) !== undefined;
}

function findIndexAddress({ contentType, bytes, link, address }: Fetched): URL {
  const linkedAddress = /\bjson\b/i.test(contentType) ? undefined : findIndexLink(link, bytes);
  const text = linkedAddress ?? address.href;
  if (!URL.canParse(text, address.href) || !/^https?:$/.test(new URL(text, address).protocol)) {
    throw new FetchError(
      `${formatAddress(address)} links to an index at "${formatInvalidAddress(text)}", which is not an http or https address.`,
      { help: indexHelp },
    );
  }
  return new URL(text, address);
}

const indexHelp = "Enter the index's address: https://site.example/wp-json/, or https://site.example/?rest_route=/.";

const maxHeadBytes = 256 * 1024;

/**
 * Returns the address of the index to which a page links
 * (https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/).
 */
function findIndexLink(link: string, bytes: Uint8Array): string | undefined {
  const [, header] = /<([^<>]{1,2000})>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(link) ?? [];
  if (header !== undefined) {
    return header;
  }
  const page = new TextDecoder("utf-8").decode(bytes.subarray(0, maxHeadBytes));
  const tag = /<link\b[^<>]{0,500}rel=["']https:\/\/api\.w\.org\/["'][^<>]{0,2000}>/.exec(page)?.[0];
  return tag === undefined ? undefined : /\bhref=["']([^"']{1,2000})["']/.exec(tag)?.[1]?.replaceAll("&amp;", "&");
}

/** Refuses a document that was recognized as something else than an index. */
function refuseUnexpected(file: ReturnType<typeof describeNonIndex>, address: URL): void {
  if (file !== undefined) {
    throw new FetchError(`${formatAddress(address)} is not an index, but ${file.description}.`, {
      help: file.receivedKind === undefined ? file.help : indexHelp,
    });
  }
}

function parseIndex(text: string, address: URL): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FetchError(`${formatAddress(address)} is not JSON. ${describeBeginning(text)}`, {
      help: hasIndexAfterText(text)
        ? "The site prints this text before its index. Correct its cause, such as a PHP notice that the option display_errors shows."
        : indexHelp,
    });
  }
  if (isObject(value)) {
    return value;
  }
  throw new FetchError(`${formatAddress(address)} is JSON, but not an object.`, { help: indexHelp });
}

/** The number of characters of an unexpected answer that an error shows. */
const maxShownChars = 100;

function describeBeginning(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  const end = line.length > maxShownChars ? "…" : "";
  return line === "" ? "The answer is empty." : `The answer begins with: ${line.slice(0, maxShownChars)}${end}`;
}

/** Whether an answer contains an index after some other text. */
function hasIndexAfterText(text: string): boolean {
  return /\{\s*"name"\s*:/.test(text) && text.includes('"routes"');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Writes each member and item of JSON on a separate line. Tokens do not change, not even large numbers. This takes
 * linear time: the indentation is limited, because a site could nest lists 100,000 levels deep.
 */
export function indentJson(text: string): string {
  let result = "";
  let depth = 0;
  let isAfterStart = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/gs)) {
    const isEnd = token === "}" || token === "]";
    depth -= isEnd ? 1 : 0;
    if (isAfterStart !== isEnd) {
      result += findLineStart(depth);
    }
    isAfterStart = token === "{" || token === "[";
    depth += isAfterStart ? 1 : 0;
    result += token === ":" ? ": " : token;
    if (token === ",") {
      result += findLineStart(depth);
    }
  }
  return `${result}\n`;
}

const maxIndentation = 64;

function findLineStart(depth: number): string {
  return `\n${"  ".repeat(Math.max(0, Math.min(depth, maxIndentation)))}`;
}
