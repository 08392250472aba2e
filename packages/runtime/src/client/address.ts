import { ConfigError } from "../errors.js";

/** A username and a password, or a username and a WordPress application password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Returns the credentials or the header value for a request, for example a cached access token. `refused` is true if the server
 * answered 401 to the previous value: the request is then sent once more with the new value. If many calls of a client are refused
 * at the same time, the function is called once with `refused`, and all of them use the result.
 */
export type AuthorizationSource = (request: {
  readonly refused: boolean;
}) => string | Credentials | Promise<string | Credentials>;

/**
 * Returns the value of the header `Authorization`. `option` is either a complete value, such as `Bearer …`, or
 * credentials for Basic authentication.
 */
export function formatAuthorization(option: string | Credentials): string {
  if (typeof option === "string") {
    return option;
  }
  const { username, password } = option ?? {};
  if (typeof username !== "string" || typeof password !== "string" || username.includes(":")) {
    throw new ConfigError('The option "authorization" must have a password and a username without a colon.');
  }
  return formatBasicAuthorization(username, password);
}

/** Encodes user and password in UTF-8 for Basic authentication (RFC 7617 §2.1). */
function formatBasicAuthorization(username: string, password: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)))}`;
}

/** The address of a service, and the credentials that it contained. */
export interface Address {
  /** Scheme, host and port, for example `https://example.org:8443`. */
  readonly origin: string;
  /** The path, as it is written in the address. */
  readonly path: string;
  /** The query with its `?`, or "". */
  readonly query: string;
  /** The complete address: origin, path and query. */
  readonly url: string;
  /** The value of `Authorization` for the user information in the address. */
  readonly authorization: string | undefined;
}

/** Reads an address from an option or a schema. A custom transport may support schemes other than http and https. */
export function readAddress(text: string, subject: string, schemes: "http" | "any" = "http"): Address {
  const url = parseUrl(text);
  if (url === undefined || !(schemes === "any" || isHttp(url))) {
    throw new ConfigError(`The ${subject} must be an http or https address.`);
  }
  return createAddress({
    origin: readOrigin(url),
    path: url.pathname,
    query: url.search,
    authorization: readAuthorization(url, subject),
  });
}

/** Builds an address from its parts. */
export function createAddress(parts: Omit<Address, "url">): Address {
  return { ...parts, url: parts.origin + parts.path + parts.query };
}

/** Removes the slash at the end of a path, so that another path can follow. */
export function omitSlash(path: string): string {
  return path.replace(/\/+$/, "");
}

/** Whether a string is an http or https address. */
export function isHttpAddress(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && isHttp(url);
}

function parseUrl(text: string): URL | undefined {
  return typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** Returns scheme, host and port, even for schemes whose `URL.origin` is "null". */
function readOrigin({ origin, protocol, host }: URL): string {
  if (origin !== "null") {
    return origin;
  }
  return host === "" ? protocol : `${protocol}//${host}`;
}

function readAuthorization({ username, password }: URL, subject: string): string | undefined {
  if (username === "" && password === "") {
    return undefined;
  }
  try {
    return formatBasicAuthorization(decodeURIComponent(username), decodeURIComponent(password));
  } catch {
    throw new ConfigError(`The user information of the ${subject} must be percent-encoded UTF-8.`);
  }
}

/** Returns the address for error messages: without user information, query and fragment, which may be secret. */
export function redactAddress(url: string): string {
  return url.replace(/[?#].*/s, "").replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1");
}
