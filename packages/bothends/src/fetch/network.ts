import { setTimeout as delay } from "node:timers/promises";
import { CommandError, UsageError } from "../host.js";
import { quoteShellWord } from "../paths.js";
import { hideSecrets } from "./hide-secrets.js";

/**
 * Options for one fetch. Documents may come only from the allowed hosts, and only the host of `address` receives
 * credentials.
 */
export interface NetworkOptions {
  /** The address given by the user. Its host is allowed. */
  readonly address: URL;
  /** Additional hosts, from `--allow-host`: `schemas.example`, `schemas.example:8443`, `[::1]:8080`. */
  readonly allowedHosts: readonly string[];
  /** Headers for the host of the address, such as `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The timeout for one document, in milliseconds. */
  readonly timeout: number;
  /** The maximum size of one document, in bytes. */
  readonly fileBytes: number;
  /** The maximum size of all documents together, in bytes. */
  readonly inputBytes: number;
  readonly userAgent: string;
  readonly interruptSignal?: AbortSignal | undefined;
  /** Called before the fetch waits for a busy host. */
  readonly onWait?: ((host: string, seconds: number) => void) | undefined;
}

/** A document from the network. */
export interface Fetched {
  /** The address of the document, after redirects. */
  readonly address: URL;
  readonly contentType: string;
  /** The `Link` header, in which a WordPress site refers to its index. */
  readonly link: string;
  /** The header `Cache-Control`; empty if there is none. */
  readonly cacheControl: string;
  readonly bytes: Uint8Array;
}

/** Reads documents from allowed hosts, within limits. */
export interface Network {
  isAllowed(address: URL): boolean;
  /** Reads a document. `importer` is the address of the document that imports it, for messages. */
  get(address: URL, accept: string, importer?: URL): Promise<Fetched>;
}

const maxRedirects = 5;
/** The maximum number of retries of one GET request. */
const maxRetries = 2;
const maxRetrySeconds = 30;
/**
 * The delay in seconds before the first retry, if the host does not specify one. The second retry waits twice as long.
 */
const firstRetrySeconds = 1;

/** The network of one fetch. Enforces the allowed hosts and the limits in the options. */
export class LimitedNetwork implements Network {
  readonly #options: NetworkOptions;
  readonly #hosts: ReadonlySet<string>;
  #receivedBytes = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.#hosts = new Set([options.address.host, ...options.allowedHosts.map(readHost)]);
  }

  isAllowed(address: URL): boolean {
    return (
      (/^https?:$/.test(address.protocol) && this.#hosts.has(address.host)) ||
      // The user may have written the default port, which `URL` omits from addresses.
      (address.protocol === "https:" && this.#hosts.has(`${address.host}:443`))
    );
  }

  get(address: URL, accept: string, importer?: URL): Promise<Fetched> {
    return this.#follow(address, { accept, importer, redirects: 0 });
  }

  /** Reads a document, and follows redirects. `redirects` is the number of redirects that led to the address. */
  async #follow(
    address: URL,
    { accept, importer, redirects }: { accept: string; importer: URL | undefined; redirects: number },
  ): Promise<Fetched> {
    if (!this.isAllowed(address)) {
      throw createRefusedHostsError([{ address, importer: undefined }]);
    }
    const options = this.#options;
    const response = await withRetries(() => this.#request(address, accept), address, options);
    const target = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (target !== null) {
      await response.body?.cancel();
      const hasHeaders = address.origin === options.address.origin && Object.keys(options.headers).length > 0;
      const next = findRedirectTarget({ address, location: target, redirects, hasHeaders, importer });
      return this.#follow(next, { accept, importer, redirects: redirects + 1 });
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw createStatusError(address, response, { ...options, importer });
    }
    const bytes = await readBody(response, address, { ...options, receivedBytes: this.#receivedBytes });
    this.#receivedBytes += bytes.length;
    return {
      address,
      contentType: response.headers.get("content-type") ?? "",
      link: response.headers.get("link") ?? "",
      cacheControl: response.headers.get("cache-control") ?? "",
      bytes,
    };
  }

  async #request(address: URL, accept: string): Promise<Response> {
    const { timeout, interruptSignal, userAgent, headers, address: firstAddress } = this.#options;
    const signals = [AbortSignal.timeout(timeout), ...(interruptSignal ? [interruptSignal] : [])];
    try {
      return await fetch(address, {
        redirect: "manual",
        signal: AbortSignal.any(signals),
        headers: {
          accept,
          "accept-encoding": "identity",
          "user-agent": userAgent,
          ...(address.origin === firstAddress.origin ? headers : {}),
        },
      });
    } catch (error) {
      throw createConnectionError(address, error, this.#options);
    }
  }
}

/**
 * Reads a value of `--allow-host`, and converts it to the notation of hosts in addresses: lower case, and the shortest
 * notation of an IPv6 address.
 */
function readHost(text: string): string {
  const address = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  const isHost = /^(?:[\p{L}\p{N}._-]+|\[[\da-fA-F:.]+\])(?::\d+)?$/u.test(text);
  if (address !== undefined && isHost) {
    return address.host;
  }
  const [, suggested] = /^(?:https?:\/\/)?([\w.-]+(?::\d+)?)(?:[/?#].*)?$/.exec(text) ?? [];
  throw new UsageError(`--allow-host ${text.slice(0, 200)} is not a host.`, {
    help: "Write the name of one host, with its port if it has one: --allow-host schemas.example:8443.",
    suggestion: suggested === undefined ? undefined : `--allow-host ${suggested}`,
  });
}

/** Repeats a request that a busy host refused, after the delay in the host's answer (RFC 9110 §10.2.3). */
async function withRetries(
  request: () => Promise<Response>,
  { host }: URL,
  { interruptSignal, onWait }: NetworkOptions,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await request();
    const isBusy = response.status === 429 || response.status === 503;
    const seconds = isBusy ? (readRequestedDelay(response) ?? firstRetrySeconds * 2 ** attempt) : 0;
    if (!isBusy || attempt >= maxRetries || seconds > maxRetrySeconds) {
      return response;
    }
    await response.body?.cancel();
    onWait?.(host, Math.ceil(seconds));
    // An interruption ends the wait, and the next request then fails.
    await delay(seconds * 1000, undefined, { signal: interruptSignal }).catch(() => undefined);
  }
}

/**
 * Returns the delay in seconds from the header `Retry-After`, which contains a number of seconds or a date; undefined
 * if the header is absent or invalid.
 */
function readRequestedDelay({ headers }: Response): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

interface Redirect {
  readonly address: URL;
  readonly location: string;
  /** The number of redirects before this one. */
  readonly redirects: number;
  /** Whether the request had a login or a header from the command line. */
  readonly hasHeaders: boolean;
  /** The document that imports the address; undefined for the address of the command. */
  readonly importer: URL | undefined;
}

/** Redirects must stay on the host and must not leave HTTPS, so that credentials cannot reach other hosts. */
function findRedirectTarget({ address, location, redirects, hasHeaders, importer }: Redirect): URL {
  if (redirects >= maxRedirects || !URL.canParse(location, address.href)) {
    throw new NetworkError(
      `${formatAddress(address)} redirects ${redirects >= maxRedirects ? "too often" : "to an invalid address"}.`,
      {
        help: "Fetch the address to which the redirects lead.",
      },
    );
  }
  const target = removeLogin(new URL(location, address));
  const reason = describeRedirectRefusal(address, target, hasHeaders);
  if (reason !== undefined) {
    throw new NetworkError(`${formatAddress(address)} redirects to ${formatAddress(target)}. ${reason}`, {
      help: describeWayToTarget(target, importer),
    });
  }
  return target;
}

/** Describes how to fetch a document although a redirect to it is refused. */
function describeWayToTarget(target: URL, importer: URL | undefined): string {
  if (!/^https?:$/.test(target.protocol)) {
    return "Ask the provider of the address to correct it.";
  }
  const text = formatAddress(target);
  const word = quoteShellWord(text);
  if (importer !== undefined) {
    return `If you trust that address, download it and ${formatAddress(importer)}, and change the import to the name of the downloaded file. Or ask the provider to import this address: ${word}`;
  }
  const secret =
    text === removeLogin(target).href ? "" : ", and with the secret of the header Location in place of ***";
  return `If you trust that address, repeat the command with it${secret}: ${word}`;
}

/** Returns the reason why a redirect is refused; undefined if it is allowed. */
function describeRedirectRefusal(address: URL, target: URL, hasHeaders: boolean): string | undefined {
  if (target.host !== address.host || (address.protocol === "https:" && target.protocol !== "https:")) {
    return "Redirects to another host, to another port, or from https to http are not followed.";
  }
  // Headers are sent only to the origin that the user named, so a request with headers must not be redirected to
  // another origin.
  return hasHeaders && target.origin !== address.origin
    ? "With a login or a header, redirects from http to https are not followed."
    : undefined;
}

async function readBody(
  response: Response,
  address: URL,
  options: NetworkOptions & {
    /** The total size in bytes of the documents received before this one. */
    readonly receivedBytes: number;
  },
): Promise<Uint8Array> {
  const { fileBytes, inputBytes, receivedBytes } = options;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > fileBytes) {
        throw createLimitError(`more than ${fileBytes} bytes`, { address, name: "fileBytes", value: fileBytes });
      }
      if (receivedBytes + length > inputBytes) {
        const excess = `more than ${inputBytes} bytes in all documents`;
        throw createLimitError(excess, { address, name: "inputBytes", value: inputBytes });
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof NetworkError ? error : createConnectionError(address, error, options);
  }
  return Buffer.concat(chunks);
}

/** Thrown if a received document is not what was requested; the exit code is then 2. */
export class FetchError extends CommandError {}

/** Thrown for a network failure or a refused request. The next run reuses the documents that were received before. */
export class NetworkError extends FetchError {}

/** Thrown for a status that does not ask for a login or a pause, such as 404, 405 and 500. */
export class StatusError extends NetworkError {}

function createLimitError(
  excess: string,
  {
    address,
    name,
    value,
  }: { readonly address: URL; readonly name: "fileBytes" | "inputBytes"; readonly value: number },
): NetworkError {
  return new NetworkError(`${formatAddress(address)} exceeds the limit ${name}: ${excess}.`, {
    help: `Increase the limit with --limit ${name}=<number>.`,
    suggestion: `--limit ${name}=${Math.max(1, value) * 2}`,
  });
}

/** A document on a host that is not allowed, and the document that imports it, if any. */
export interface RefusedDocument {
  readonly address: URL;
  readonly importer: URL | undefined;
}

/**
 * Creates the error for documents on refused hosts. The error lists all of these documents, so that the user can decide
 * about all hosts at once. It is not a `NetworkError`, so that the next fetch reads the importing documents again,
 * which the provider may have corrected.
 */
export function createRefusedHostsError(documents: readonly RefusedDocument[]): FetchError {
  const hosts = [...new Set(documents.map(({ address }) => address.host))];
  const descriptions = documents.map(({ address, importer }) => `${formatAddress(address)}${formatImporter(importer)}`);
  const message =
    descriptions.length === 1
      ? `${descriptions[0]}${documents[0]?.importer === undefined ? "" : ","} is on another host, which is not allowed.`
      : `${descriptions.length} documents are on hosts that are not allowed:\n${descriptions.map((description) => `  ${description}`).join("\n")}`;
  return new FetchError(message, {
    help: `Only the host of the address is allowed. If you trust the other ${hosts.length === 1 ? "host" : "hosts"}, repeat the command with the ${hosts.length === 1 ? "option" : "options"} below. Otherwise, save the documents yourself, and make the location in each import relative.`,
    suggestion: hosts.map((host) => `--allow-host ${host}`).join(" "),
  });
}

function formatImporter(importer: URL | undefined): string {
  return importer === undefined ? "" : `, which ${formatAddress(importer)} imports`;
}

function createStatusError(
  address: URL,
  response: Response,
  options: NetworkOptions & { readonly importer: URL | undefined },
): FetchError {
  const { status, headers } = response;
  const { importer } = options;
  const subject = `${formatAddress(address)}${formatImporter(importer)}${importer === undefined ? "" : ","}`;
  const message = `${subject} answered with status ${status}.`;
  const schemes = headers.get("www-authenticate") ?? "";
  if (status === 401 && /\b(?:NTLM|Negotiate)\b/i.test(schemes) && !/\bBasic\b/i.test(schemes)) {
    return new NetworkError(message, {
      help: "The server requires an NTLM or Negotiate login, which fetch does not support. Open the address in a browser, and save the document and what it imports.",
    });
  }
  if (status === 401 || status === 403) {
    return new NetworkError(message, adviseLogin(address, options));
  }
  if (status === 429 || status === 503) {
    const seconds = readRequestedDelay(response);
    return new NetworkError(`${message.slice(0, -1)}: the host is busy.`, {
      help:
        seconds === undefined || seconds <= maxRetrySeconds
          ? "Try again later. The received documents are kept for the next run."
          : `The host asks for a pause of ${Math.ceil(seconds)} seconds. Try again after that; the received documents are kept.`,
    });
  }
  const isMissing = status === 404 || status === 410;
  if (isMissing && importer !== undefined) {
    // Not a `NetworkError`: the next run must receive the importing document again, which the provider may correct.
    return new FetchError(message, {
      help: "If the provider cannot correct the location, save the documents yourself, and make the location in the import relative.",
    });
  }
  return new StatusError(message, {
    help: isMissing ? addressHelp : "Open the address in a browser, or try again later.",
  });
}

/** The help text for an address that returns an unexpected document, or does not answer. */
export const addressHelp =
  "Check the address. The address of a WSDL is usually the service's address followed by ?wsdl; an index is at /wp-json/.";

/** Returns the help text for a document that requires a login. The text depends on whether a login was sent. */
export function adviseLogin(
  address: URL,
  { address: mainAddress, headers }: Pick<NetworkOptions, "address" | "headers">,
): { readonly help: string; readonly suggestion?: string } {
  if (headers["authorization"] === undefined && headers["cookie"] === undefined) {
    return {
      help: "The document requires a login: --user <name> prompts for the password, or reads it from BOTHENDS_PASSWORD; --header sends another header, such as a token.",
      suggestion: "--user <name>",
    };
  }
  return {
    help:
      address.origin === mainAddress.origin
        ? "The server refused the login. Check the name and the password; a WordPress site requires an application password, which users create in their profile."
        : `The login is sent only to ${mainAddress.origin}. Save this document yourself, and change the import that refers to it to a relative location.`,
  };
}

function createConnectionError(address: URL, error: unknown, { timeout, interruptSignal }: NetworkOptions): Error {
  if (interruptSignal?.aborted === true) {
    return new NetworkError("The fetch was interrupted.", {
      help: "The received documents are kept for the next run.",
    });
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const host = address.host;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new NetworkError(`${host} did not answer within ${timeout / 1000} s.`, {
      help: "Try again, or allow more time with --timeout <seconds>.",
    });
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new NetworkError(`The host ${address.hostname} does not exist, or there is no connection to the network.`, {
      help: "Check the address and the network. `bothends fetch` does not use proxies.",
    });
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return new NetworkError(`The certificate of ${host} is not trusted (${code}).`, {
      help: "If your own certificate authority issued the certificate, set the environment variable NODE_EXTRA_CA_CERTS to the path of the authority's certificate.",
    });
  }
  if (["UND_ERR_SOCKET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "ECONNRESET"].includes(code)) {
    return new NetworkError(
      `Cannot read ${formatAddress(address)}: the server closed the connection before the document was complete.`,
      {
        help: "Try again. The received documents are kept for the next run.",
      },
    );
  }
  const { reason, help } = describeConnectionProblem(
    code,
    cause instanceof Error ? cause.message : String(cause),
    address,
  );
  return new NetworkError(`Cannot read ${formatAddress(address)}: ${reason}.`, { help });
}

function describeConnectionProblem(code: string, message: string, { host, port }: URL) {
  if (code === "ECONNREFUSED") {
    return { reason: code, help: `No server listens at ${host}. Check the port.` };
  }
  if (message === "bad port") {
    const help = `Port ${port} belongs to another protocol, so fetch does not call it. Save the document with another program, such as curl.`;
    return { reason: message, help };
  }
  if (/HEADERS?_OVERFLOW/.test(code)) {
    return { reason: "the headers of the answer are too large", help: "Check the address." };
  }
  if (code.startsWith("HPE_")) {
    return {
      reason: "the answer is not valid HTTP",
      help: `Check the port: another kind of server may use it (${code}).`,
    };
  }
  if (/^ERR_SSL|^EPROTO/.test(code)) {
    const help = `If the server has no TLS, write http:// in place of https:// (${code}).`;
    return { reason: "the server does not answer with TLS", help };
  }
  // If a response has status 407, the function `fetch` fails with an error without a cause, so `code` and `message` are
  // empty.
  return code === "" && message === ""
    ? {
        reason: "the answer was refused",
        help: "A proxy may require a login (status 407). `bothends fetch` does not use proxies.",
      }
    : { reason: code === "" ? message : code, help: "Try again." };
}

/** Returns an address without user name and password. */
export function removeLogin(address: URL): URL {
  const copy = new URL(address);
  copy.username = "";
  copy.password = "";
  return copy;
}

/**
 * Returns an address as text for messages, without user name and password, and with `***` in place of other secrets. Of
 * an address that does not name a host, such as `mailto:user@host`, only the scheme is shown.
 */
export function formatAddress(address: URL): string {
  const { href, protocol } = removeLogin(address);
  return href.startsWith(`${protocol}/`) ? hideSecrets(href) : `${protocol}…`;
}

/**
 * Returns text that should be an address, for messages. Leaves out everything before an "@", which may be a user name
 * and a password.
 */
export function formatInvalidAddress(text: string): string {
  return hideSecrets(text.slice(text.lastIndexOf("@") + 1)).slice(0, 200);
}
