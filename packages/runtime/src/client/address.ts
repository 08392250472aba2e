import { ConfigError } from "../errors.js";

/** A username and a password, or a username and a WordPress application password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Returns the credentials or the header value for a request, for example a cached access token. `refused` is true if
 * the server answered 401 to the previous value: the request is then sent once more with the new value. If many calls
 * of a client are refused at the same time, the function is called once with `refused`, and all of them use the result.
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
  /** The value of the header `Authorization` for the user information in the address; undefined if there is none. */
  readonly authorization: string | undefined;
}

/**
 * Parses an http or https address. A custom transport may support other schemes. Undefined if the text is not an
 * address with a supported scheme, or if its user information is not percent-encoded UTF-8.
 */
export function parseAddress(text: string | undefined, schemes: Schemes = "http"): Address | undefined {
  const url = parseUrl(text, schemes);
  if (url === undefined) {
    return undefined;
  }
  const { protocol, host, pathname: path, search: query } = url;
  try {
    const origin = host === "" ? protocol : `${protocol}//${host}`;
    return createAddress({ origin, path, query, authorization: readAuthorization(url) });
  } catch {
    return undefined;
  }
}

/** The schemes of addresses that are accepted: http and https, or any. */
export type Schemes = "http" | "any";

/** Parses an address. Returns undefined if the text is not an address with a supported scheme. */
export function parseUrl(text: string | undefined, schemes: Schemes): URL | undefined {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  return schemes === "any" || /^https?:$/.test(url?.protocol ?? "") ? url : undefined;
}

/**
 * Returns the `Authorization` value for the user information in an address; undefined if there is none. Throws if the
 * user information is not percent-encoded UTF-8.
 */
function readAuthorization({ username, password }: URL): string | undefined {
  return username === "" && password === ""
    ? undefined
    : formatBasicAuthorization(decodeURIComponent(username), decodeURIComponent(password));
}

/** Creates an address from its parts. */
export function createAddress(parts: Omit<Address, "url">): Address {
  return { ...parts, url: parts.origin + parts.path + parts.query };
}

/** Removes the slash at the end of a path, so that another path can follow. */
export function omitSlash(path: string): string {
  return path.replace(/\/+$/, "");
}

/**
 * Returns the `url` of an `Address` for error messages: without query and fragment, which may be secret. It has no user
 * information, because `origin` has none.
 */
export function redactAddress(url: string): string {
  return url.replace(/[?#].*/s, "");
}
