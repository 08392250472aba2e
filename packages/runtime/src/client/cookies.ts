import type { Hooks } from "./hooks.js";

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Cookies of more hosts or names are forgotten, the oldest first. */
const most = 256;

/**
 * Hooks that keep the cookies of a service's answers and send them back, as old services want for a session. Each host and
 * port has its own, whatever `Domain` says; `Path`, `Secure`, `Expires` and `Max-Age` are heeded (RFC 6265 §5).
 */
export function cookies(): Hooks {
  const jars = new Map<string, Map<string, Cookie>>();
  return {
    before(request) {
      const url = new URL(request.url);
      const header = cookieHeader(jars.get(url.host), url);
      if (header === "") return undefined;
      const own = Object.entries(request.headers).find(([name]) => name.toLowerCase() === "cookie");
      const { [own?.[0] ?? ""]: given, ...others } = request.headers;
      return { ...request, headers: { ...others, Cookie: given === undefined ? header : `${given}; ${header}` } };
    },
    after(answer, request) {
      const header = answer.headers.get("set-cookie");
      if (header === undefined) return;
      const url = new URL(request.url);
      const jar = jars.get(url.host) ?? new Map<string, Cookie>();
      jars.delete(url.host);
      jars.set(url.host, jar);
      for (const line of setCookieLines(header)) keep(jar, readCookie(line, url));
      forget(jars);
    },
  };
}

function cookieHeader(jar: ReadonlyMap<string, Cookie> | undefined, url: URL): string {
  const now = Date.now();
  return [...(jar?.values() ?? [])]
    .filter((cookie) => cookie.expires > now && (!cookie.secure || url.protocol === "https:"))
    .filter((cookie) => isBelow(url.pathname, cookie.path))
    .sort((one, other) => other.path.length - one.path.length)
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}

/** RFC 6265 §5.1.4. */
function isBelow(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return path.length === cookiePath.length || cookiePath.endsWith("/") || path[cookiePath.length] === "/";
}

function keep(jar: Map<string, Cookie>, cookie: Cookie | undefined): void {
  if (cookie === undefined) return;
  const key = `${cookie.name} ${cookie.path}`;
  jar.delete(key);
  if (cookie.expires > Date.now()) jar.set(key, cookie);
  forget(jar);
}

function forget(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/**
 * Splits `Set-Cookie` lines that were joined with commas. A comma inside a quoted value, as well as one that no name and
 * "=" follow (`Expires` has such a comma), belongs to its line. An unclosed quote is a literal.
 */
function setCookieLines(header: string): readonly string[] {
  return header.match(/(?:="[^"]*"(?=[ \t]*(?:[;,]|$))|[^,]|,(?![ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=))+/g) ?? [];
}

/** RFC 6265 §5.2; undefined for what no header can send back. */
function readCookie(line: string, url: URL): Cookie | undefined {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const mark = pair.indexOf("=");
  if (mark < 1 || !/^[\x21-\x7e][\x20-\x7e]*$/.test(pair)) return undefined;
  const found = new Map(attributes.map((attribute) => splitAttribute(attribute)));
  const path = found.get("path");
  const age = found.get("max-age");
  const date = Date.parse(found.get("expires") ?? "");
  return {
    name: pair.slice(0, mark).trim(),
    value: pair.slice(mark + 1).trim(),
    path: path?.startsWith("/") === true ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf("/"))),
    secure: found.has("secure"),
    expires:
      age !== undefined && /^-?\d+$/.test(age)
        ? Date.now() + Number(age) * 1000
        : Number.isNaN(date)
          ? Number.POSITIVE_INFINITY
          : date,
  };
}

function splitAttribute(attribute: string): readonly [string, string] {
  const mark = attribute.indexOf("=");
  if (mark < 0) return [attribute.toLowerCase(), ""];
  return [attribute.slice(0, mark).trim().toLowerCase(), attribute.slice(mark + 1).trim()];
}
