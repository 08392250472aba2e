import type { Hooks } from "./hooks.js";

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** The most hosts, and the most cookies of one host. The oldest are removed first. */
const maxEntries = 256;

/**
 * Hooks that store the cookies of answers and send them back, for services that keep sessions in cookies. Each host and port
 * has its own cookies: `Domain` is ignored. `Path`, `Secure`, `Expires` and `Max-Age` are respected (RFC 6265 §5).
 */
export function cookies(): Hooks {
  const jars = new Map<string, Map<string, Cookie>>();
  return {
    before(request) {
      const url = new URL(request.url);
      const header = cookieHeader(jars.get(url.host), url);
      if (header === "") {
        return undefined;
      }
      const name = Object.keys(request.headers).find((key) => key.toLowerCase() === "cookie") ?? "";
      const { [name]: existing, ...others } = request.headers;
      return { ...request, headers: { ...others, Cookie: existing === undefined ? header : `${existing}; ${header}` } };
    },
    after(answer, request) {
      const header = answer.headers.get("set-cookie");
      if (header === undefined) {
        return;
      }
      const url = new URL(request.url);
      const jar = jars.get(url.host) ?? new Map<string, Cookie>();
      jars.delete(url.host);
      jars.set(url.host, jar);
      for (const line of setCookieLines(header)) {
        storeCookie(jar, readCookie(line, url));
      }
      removeOldest(jars);
    },
  };
}

function cookieHeader(jar: ReadonlyMap<string, Cookie> | undefined, url: URL): string {
  const now = Date.now();
  return [...(jar?.values() ?? [])]
    .filter((cookie) => cookie.expires > now && (!cookie.secure || url.protocol === "https:"))
    .filter((cookie) => isBelow(url.pathname, cookie.path))
    .sort((left, right) => right.path.length - left.path.length)
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}

/** RFC 6265 §5.1.4. */
function isBelow(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) {
    return false;
  }
  return path.length === cookiePath.length || cookiePath.endsWith("/") || path[cookiePath.length] === "/";
}

function storeCookie(jar: Map<string, Cookie>, cookie: Cookie | undefined): void {
  if (cookie === undefined) {
    return;
  }
  const key = `${cookie.name} ${cookie.path}`;
  jar.delete(key);
  if (cookie.expires > Date.now()) {
    jar.set(key, cookie);
  }
  removeOldest(jar);
}

function removeOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > maxEntries && oldest !== undefined) {
    map.delete(oldest);
  }
}

/**
 * Splits `Set-Cookie` lines that were joined with commas. A comma separates two lines only if a name and "=" follow it (the
 * comma in `Expires` does not) and it is not inside a quoted value. An unclosed quote is a literal.
 */
function setCookieLines(header: string): readonly string[] {
  return header.match(/(?:="[^"]*"(?=[ \t]*(?:[;,]|$))|[^,]|,(?![ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=))+/g) ?? [];
}

/** RFC 6265 §5.2; undefined for a cookie that cannot be sent in a header. */
function readCookie(line: string, url: URL): Cookie | undefined {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const equals = pair.indexOf("=");
  if (equals < 1 || !/^[\x21-\x7e][\x20-\x7e]*$/.test(pair)) {
    return undefined;
  }
  const values = new Map(attributes.map((attribute) => splitAttribute(attribute)));
  const path = values.get("path");
  const age = values.get("max-age");
  const date = Date.parse(values.get("expires") ?? "");
  return {
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    path: path?.startsWith("/") === true ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf("/"))),
    secure: values.has("secure"),
    expires:
      age !== undefined && /^-?\d+$/.test(age)
        ? Date.now() + Number(age) * 1000
        : Number.isNaN(date)
          ? Number.POSITIVE_INFINITY
          : date,
  };
}

function splitAttribute(attribute: string): readonly [string, string] {
  const equals = attribute.indexOf("=");
  if (equals < 0) {
    return [attribute.toLowerCase(), ""];
  }
  return [attribute.slice(0, equals).trim().toLowerCase(), attribute.slice(equals + 1).trim()];
}
