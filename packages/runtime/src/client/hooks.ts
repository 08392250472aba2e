import { type RecordedMessage, type RecordOptions, Redactor, writeMessage } from "../observe/redact.js";
import { functionType, namesType, notNegativeType, type OptionTypes, required, stringType } from "../option-types.js";
import { nonceHeader } from "../rest/json-limits.js";
import { checkHelperOptions } from "./check-options.js";
import type { TransportAnswer } from "./transport.js";

/** A request as hooks see it, before it is sent. */
export interface ClientRequest {
  /** The name of the operation or endpoint in the schema. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined if the request has none. A string is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
}

/** An answer as hooks see it, before it is decoded. */
export interface ClientAnswer extends TransportAnswer {}

/** The result of a hook: a request or answer that replaces the original, or nothing. */
export type HookResult<T> = T | undefined | void | Promise<T | undefined> | Promise<void>;

/**
 * Functions that run before and after each request. If a hook throws, the call rejects with its error. The hooks of the
 * client enclose the hooks of the call: the client's `before` runs first, and its `after` runs last.
 */
export interface Hooks {
  readonly before?: ((request: ClientRequest, reportProblem?: ReportProblem) => HookResult<ClientRequest>) | undefined;
  /**
   * Runs after the first answer and before any `after`. Can return an additional request to send, for example with a
   * fresh token or nonce.
   */
  readonly again?: ((answer: ClientAnswer, request: ClientRequest) => HookResult<ClientRequest>) | undefined;
  /** True if the hooks add WS-Addressing headers: the client then adds none. */
  readonly addresses?: true | undefined;
  readonly after?:
    | ((answer: ClientAnswer, request: ClientRequest, reportProblem?: ReportProblem) => HookResult<ClientAnswer>)
    | undefined;
}

/** Passes a problem to the client's `onError`, without failing the call. Clients pass this function to hooks. */
export type ReportProblem = (message: string, error: unknown) => void;

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** The attribute `Domain` in lower case; "" if there is none. */
  readonly domain: string;
  readonly path: string;
  readonly secure: boolean;
  /** The time at which the cookie expires, in milliseconds since 1970; infinite for a session cookie. */
  readonly expires: number;
}

/** The maximum number of hosts, and of cookies per host. If there are more, the oldest are removed first. */
const maxEntries = 256;

/** The maximum length of the name and the value of a cookie together (RFC 6265bis §5.6). */
const maxCookieLength = 4_096;

/**
 * Hooks that store the cookies of answers and send them back, for services that keep sessions in cookies. Cookies are
 * sent only to the host that set them, on any port and whatever their `Domain`. A cookie is not stored if its `Domain`
 * is another one, if it is `Secure` but the connection is not, if its name requires other attributes (`__Host-`,
 * `__Secure-`), or if it came over HTTP and would replace or hide a `Secure` cookie. `Path`, `Expires` and `Max-Age`
 * are respected (RFC 6265bis §5).
 */
export function cookies(): Hooks {
  const cookieJars = new Map<string, Map<string, Cookie>>();
  return {
    before(request) {
      const url = new URL(request.url);
      const header = formatCookieHeader(cookieJars.get(url.hostname), url);
      if (header === "") {
        return undefined;
      }
      const name = Object.keys(request.headers).find((key) => key.toLowerCase() === "cookie") ?? "";
      const { [name]: existingCookies, ...otherHeaders } = request.headers;
      return {
        ...request,
        headers: { ...otherHeaders, Cookie: existingCookies === undefined ? header : `${existingCookies}; ${header}` },
      };
    },
    after(answer, request) {
      const header = answer.headers.get("set-cookie");
      if (header === undefined) {
        return;
      }
      const url = new URL(request.url);
      const jar = cookieJars.get(url.hostname) ?? new Map<string, Cookie>();
      cookieJars.delete(url.hostname);
      cookieJars.set(url.hostname, jar);
      for (const line of splitSetCookieLines(header)) {
        const cookie = readCookie(line, url);
        if (cookie !== undefined && (url.protocol === "https:" || !affectsSecureCookie(jar, cookie))) {
          storeCookie(jar, cookie);
        }
      }
      removeOldestEntry(cookieJars);
    },
  };
}

function formatCookieHeader(jar: ReadonlyMap<string, Cookie> | undefined, url: URL): string {
  const now = Date.now();
  return [...(jar?.values() ?? [])]
    .filter((cookie) => cookie.expires > now && (!cookie.secure || url.protocol === "https:"))
    .filter((cookie) => isBelow(url.pathname, cookie.path))
    .sort((left, right) => right.path.length - left.path.length)
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}

/** Whether a path equals the path of a cookie, or is below it (RFC 6265 §5.1.4). */
function isBelow(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) {
    return false;
  }
  return path.length === cookiePath.length || cookiePath.endsWith("/") || path[cookiePath.length] === "/";
}

/**
 * Whether a cookie would replace a `Secure` cookie, or would be sent before one with the same name (RFC 6265bis §5.7).
 */
function affectsSecureCookie(jar: ReadonlyMap<string, Cookie>, { name, path }: Cookie): boolean {
  const now = Date.now();
  return [...jar.values()].some(
    (stored) => stored.secure && stored.expires > now && stored.name === name && isBelow(path, stored.path),
  );
}

function storeCookie(jar: Map<string, Cookie>, cookie: Cookie): void {
  const key = [cookie.name, cookie.domain, cookie.path].join(" ");
  jar.delete(key);
  if (cookie.expires > Date.now()) {
    jar.set(key, cookie);
  }
  // A server without TLS must not be able to remove `Secure` cookies, so these are removed last.
  removeOldestEntry(jar, ({ secure }) => secure);
}

/** Removes the oldest entry if a map has too many. Removes an entry that `isLast` accepts only if there is no other. */
function removeOldestEntry<T>(map: Map<string, T>, isLast = (_: T) => false): void {
  if (map.size > maxEntries) {
    const entries = [...map];
    const [key = ""] = entries.find(([, value]) => !isLast(value)) ?? entries[0] ?? [];
    map.delete(key);
  }
}

/**
 * Splits `Set-Cookie` lines that were joined with commas. A comma separates two lines only if it is outside a quoted
 * value and is followed by a name and "=", unlike a comma in a date. An unclosed quotation mark is a literal.
 */
function splitSetCookieLines(header: string): readonly string[] {
  return header.match(/(?:="[^"]*"(?=[ \t]*(?:[;,]|$))|[^,]|,(?![ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=))+/g) ?? [];
}

/**
 * Reads one `Set-Cookie` line (RFC 6265 §5.2). Returns undefined for a cookie that cannot be sent in a header, or that
 * must not be stored.
 */
function readCookie(line: string, url: URL): Cookie | undefined {
  const [nameAndValue = "", ...attributes] = line.split(";").map((part) => part.trim());
  const equalsIndex = nameAndValue.indexOf("=");
  if (equalsIndex < 1 || nameAndValue.length > maxCookieLength + 1 || !/^[\x21-\x7e][\x20-\x7e]*$/.test(nameAndValue)) {
    return undefined;
  }
  const attributeValues = new Map(attributes.map((attribute) => splitAttribute(attribute)));
  const domain = attributeValues.get("domain")?.replace(/^\./, "").toLowerCase() ?? "";
  if (!mayStore({ name: nameAndValue.toLowerCase(), domain }, attributeValues, url)) {
    return undefined;
  }
  const path = attributeValues.get("path");
  const maxAge = attributeValues.get("max-age");
  const expiryDate = Date.parse(attributeValues.get("expires") ?? "");
  return {
    name: nameAndValue.slice(0, equalsIndex).trim(),
    value: nameAndValue.slice(equalsIndex + 1).trim(),
    domain,
    path: path?.startsWith("/") === true ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf("/"))),
    secure: attributeValues.has("secure"),
    expires:
      maxAge !== undefined && /^-?\d+$/.test(maxAge)
        ? Date.now() + Number(maxAge) * 1000
        : Number.isNaN(expiryDate)
          ? Number.POSITIVE_INFINITY
          : expiryDate,
  };
}

/** Whether a cookie may be stored over this connection (RFC 6265bis §5.7). `name` is in lower case. */
function mayStore(
  { name, domain }: Pick<Cookie, "name" | "domain">,
  attributes: ReadonlyMap<string, string>,
  { protocol, hostname }: URL,
): boolean {
  const isSecure = attributes.has("secure");
  const isHostOnly = domain === "" && attributes.get("path") === "/";
  return (
    (domain === "" || domain === hostname || isParentDomain(domain, hostname)) &&
    (!isSecure || protocol === "https:") &&
    (isSecure || !/^__(?:host|secure)-/.test(name)) &&
    (isHostOnly || !name.startsWith("__host-"))
  );
}

/**
 * Whether a host belongs to a domain. A domain with one label, such as `com`, contains hosts of many owners, and an IP
 * address has no domain (RFC 6265 §5.1.3).
 */
function isParentDomain(domain: string, hostname: string): boolean {
  return domain.includes(".") && hostname.endsWith(`.${domain}`) && !/^[\d.]+$/.test(hostname);
}

function splitAttribute(attribute: string): readonly [string, string] {
  const equals = attribute.indexOf("=");
  if (equals < 0) {
    return [attribute.toLowerCase(), ""];
  }
  return [attribute.slice(0, equals).trim().toLowerCase(), attribute.slice(equals + 1).trim()];
}

/** Options of `restNonce`: where the nonces of a WordPress session come from. */
export interface NonceOptions {
  /** The nonce that the page already contains. Default: the result of `refresh`. */
  readonly nonce?: string | undefined;
  /** Returns a new nonce, for example the text of `admin-ajax.php?action=rest-nonce`. */
  readonly refresh: () => string | Promise<string>;
}

/**
 * Hooks that send the nonce that WordPress requires with its login cookies, and replace it with the nonce of each
 * answer. When the site reports an expired nonce, the call is repeated once with a new nonce.
 */
export function restNonce(options: NonceOptions): Hooks {
  checkHelperOptions("restNonce", options, { nonce: stringType, refresh: required(functionType) });
  const { nonce, refresh } = options;
  let currentNonce = nonce;
  return {
    async before(request) {
      currentNonce ??= await refresh();
      return withNonce(request, currentNonce);
    },
    async again(answer, request) {
      if (answer.status !== 403 || findErrorCode(answer) !== "rest_cookie_invalid_nonce") {
        return undefined;
      }
      currentNonce = await refresh();
      return withNonce(request, currentNonce);
    },
    after(answer) {
      currentNonce = answer.headers.get(nonceHeader.toLowerCase()) ?? currentNonce;
    },
  };
}

function withNonce(request: ClientRequest, nonce: string): ClientRequest {
  return { ...request, headers: { ...request.headers, [nonceHeader]: nonce } };
}

/** Returns the error code in the JSON body of an answer. Bodies over 64 KB are not parsed. */
function findErrorCode({ body }: ClientAnswer): unknown {
  if (body.length > 65_536) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null && "code" in value ? value.code : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The minimum time in milliseconds between two reports that messages could not be recorded. Unlike servers, clients do
 * not use `RepeatedReports` for this, because its module would also load the decoder and the code for server incidents.
 */
const recordingReportInterval = 60_000;

const recordTypes: OptionTypes<RecordOptions> = {
  write: required(functionType),
  secrets: namesType,
  maxBytes: notNegativeType,
};

/**
 * Hooks that report the bytes of each request and answer, without secrets: `hooks: [cookies(), recordMessages({ write
 * })]`. Put them last in the list, so that they see the changes of the other hooks. Answers are decompressed. If
 * `write` fails, the call continues, and the client's `onError` receives the exception.
 */
export function recordMessages(options: RecordOptions): Hooks {
  checkHelperOptions("recordMessages", options, recordTypes);
  const redactor = new Redactor(options);
  const ids = new WeakMap<ClientRequest, string>();
  let count = 0;
  let lastReport = Number.NEGATIVE_INFINITY;
  const createFailureReport = (reportProblem: ReportProblem | undefined) => (error: unknown) => {
    const now = performance.now();
    if (now - lastReport >= recordingReportInterval) {
      lastReport = now;
      const problem = 'The function in the option "write" of recordMessages failed, so the message is not recorded.';
      reportProblem?.(`${problem} This is reported once a minute.`, error);
    }
  };
  const recordRequest = (request: ClientRequest, reportProblem: ReportProblem | undefined): void => {
    count += 1;
    const id = String(count);
    ids.set(request, id);
    const { method, url, headers } = request;
    const body = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
    const bytes = body ?? new Uint8Array();
    const message: RecordedMessage = {
      direction: "request",
      side: "client",
      time: Date.now(),
      id,
      method,
      address: redactor.redactAddress(url),
      headers: redactor.redactHeaders(Object.entries(headers)),
      body: redactor.redactBody(bytes, undefined),
      bytes: bytes.length,
    };
    writeMessage(options, message, createFailureReport(reportProblem));
  };
  return {
    before: recordRequest,
    after({ status, headers, body }, request, reportProblem) {
      // If another hook returned this request, `before` has not recorded it.
      if (!ids.has(request)) {
        recordRequest(request, reportProblem);
      }
      const message: RecordedMessage = {
        direction: "answer",
        side: "client",
        time: Date.now(),
        id: ids.get(request) ?? "",
        status,
        headers: redactor.redactHeaders(headers),
        body: redactor.redactBody(body, undefined),
        bytes: body.length,
      };
      writeMessage(options, message, createFailureReport(reportProblem));
    },
  };
}
