import { ConfigError } from "../errors.js";

/** A user and a password, or WordPress's application password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** `Authorization` for what a user gives: the whole value, `Bearer …`, or credentials for Basic authentication. */
export function authorizationHeader(given: string | Credentials): string {
  if (typeof given === "string") return given;
  const { username, password } = given ?? {};
  if (typeof username !== "string" || typeof password !== "string" || username.includes(":")) {
    throw new ConfigError("The option authorization has a username, without a colon, and a password.");
  }
  return basicAuthorization(username, password);
}

/** RFC 7617 §2.1: user and password as UTF-8. */
function basicAuthorization(username: string, password: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)))}`;
}

/** An address to send to, and the credentials that stood in it. */
export interface Address {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The path, without a slash at its end. */
  readonly path: string;
  /** The query with its `?`; empty where there is none. */
  readonly query: string;
  /** `Authorization` for the user information of the address. */
  readonly authorization: string | undefined;
}

/** Reads an address that the user or a schema gives. A transport of the user's own may know others than http and https. */
export function readAddress(text: string, what: string, known: "http" | "any" = "http"): Address {
  const url = urlOf(text);
  if (url === undefined || !(known === "any" || isHttp(url))) {
    throw new ConfigError(`The ${what} is not an http or https address.`);
  }
  return {
    origin: originOf(url),
    path: url.pathname.replace(/\/+$/, ""),
    query: url.search,
    authorization: authorizationOf(url, what),
  };
}

/** Whether a text is an http or https address. */
export function isHttpAddress(text: string): boolean {
  const url = urlOf(text);
  return url !== undefined && isHttp(url);
}

function urlOf(text: string): URL | undefined {
  return typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** What stands before the path; of other schemes than the web's, URL tells no origin. */
function originOf({ origin, protocol, host }: URL): string {
  if (origin !== "null") return origin;
  return host === "" ? protocol : `${protocol}//${host}`;
}

function authorizationOf({ username, password }: URL, what: string): string | undefined {
  if (username === "" && password === "") return undefined;
  try {
    return basicAuthorization(decodeURIComponent(username), decodeURIComponent(password));
  } catch {
    throw new ConfigError(`The user information of the ${what} is not percent-encoded UTF-8.`);
  }
}

/** An address as errors show it: without user information, query and fragment, any of which may be secret. */
export function shownAddress(url: string): string {
  const end = url.search(/[?#]/);
  return (end < 0 ? url : url.slice(0, end)).replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1");
}
