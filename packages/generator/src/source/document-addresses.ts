/** Schemes that a request must not use: scripts, data and local files. */
const localSchemes: ReadonlySet<string> = new Set([
  "about",
  "blob",
  "classpath",
  "data",
  "file",
  "filesystem",
  "jar",
  "javascript",
  "res",
  "resource",
  "vbscript",
  "view-source",
]);

/** Returns the scheme of an address in lower case; undefined if there is none, as in `/path` and `host:8080`. */
export function findScheme(address: string): string | undefined {
  // The characters that URL parsers ignore are removed: tabs, line breaks and leading control characters.
  const text = address.replaceAll(/[\t\n\r]|^[\0- ]+/g, "");
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(text)?.[1]?.toLowerCase();
  // A scheme of a single letter is a Windows drive, so the result is `file`.
  return scheme?.length === 1 ? "file" : scheme;
}

/** Whether a scheme belongs to scripts, data or local files. */
export function isLocalScheme(scheme: string | undefined): scheme is string {
  return scheme !== undefined && localSchemes.has(scheme);
}

/**
 * Whether HTTP requests may use an address with this scheme. An address without a scheme is allowed: it is relative or
 * a placeholder, and may become an HTTP address.
 */
export function isHttpScheme(scheme: string | undefined): boolean {
  return scheme === undefined || scheme === "http" || scheme === "https";
}

/**
 * Matches the credentials of an address in plain text (RFC 3986 §3.2.1): between `//` and `@`. Quotes and tags end the
 * address.
 */
const credentialsInText = /(?<![\\/])([\\/]{2,})[^\s\\/?#"<>]*@/g;

/**
 * Matches the credentials of an address in XML or JSON. They may contain character references, escapes and spaces,
 * because a URL parser receives the decoded text.
 */
const credentialsInSource = createSourceCredentialsPattern();

function createSourceCredentialsPattern(): RegExp {
  const slash = String.raw`(?:/|\\(?!u[0-9a-f]{4})|&#0*47;|&#x0*2f;|\\u002f)`;
  const reference = `&#(?!0*47;|x0*2f;)x?[0-9a-f]+;`;
  const jsonEscape = String.raw`\\u(?!002f)[0-9a-f]{4}|\\"`;
  const character = String.raw`(?:[^\n\r\\/?#"<>]|${reference}|${jsonEscape})`;
  const atSignPattern = String.raw`(?:@|&#0*64;|&#x0*40;|\\u0040)`;
  const afterSlashes = `(?<=(?<!${slash})${slash}{2,})${character}+`;
  // A URL parser also finds credentials after the scheme if there are fewer slashes. They end before another scheme:
  // otherwise, text with many schemes would take quadratic time.
  const scheme = String.raw`\b(?:https?|ftp|wss?):`;
  const afterScheme = `(?<=${scheme}${slash}?)(?:(?!${scheme})${character})+`;
  return new RegExp(`(?!${slash})(?:${afterSlashes}|${afterScheme})(?=${atSignPattern})`, "gi");
}

/** Removes user names and passwords from the addresses in a string. */
export function withoutCredentials(text: string): string {
  if (!text.includes("@")) {
    return text;
  }
  const withoutPlainCredentials = text.replace(credentialsInText, "$1");
  // The URL standard accepts addresses that RFC 3986 does not allow, such as `http:user:password@host`. A URL parser
  // finds the credentials in these.
  if (!URL.canParse(withoutPlainCredentials)) {
    return withoutPlainCredentials;
  }
  const url = new URL(withoutPlainCredentials);
  if (url.username === "" && url.password === "") {
    return withoutPlainCredentials;
  }
  url.username = "";
  url.password = "";
  return url.href;
}

/**
 * The text that replaces credentials in output. Its length is fixed, so that it does not reveal the length of a
 * password.
 */
export const credentialsMask = "***";

/** Replaces the credentials in a message with a mask. */
export function hideCredentials(text: string): string {
  return text.replace(credentialsInSource, credentialsMask);
}

/** Finds the credentials in an excerpt of a source. Offsets are relative to the excerpt. */
export function listCredentialsIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(credentialsInSource)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}

/**
 * The result of resolving a `schemaLocation` or `location`: a path relative to the root, or the reason why there is
 * none.
 */
type ResolvedLocation =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "remote"; readonly suggestion: string }
  /**
   * `root`: the nearest folder that contains both the current root and the target, relative to the current root. Absent
   * if the location is not a relative path.
   */
  | { readonly kind: "outside"; readonly message: string; readonly suggestion: string; readonly root?: string };

/** Resolves a location relative to the document that contains it. Nothing is downloaded. */
export function resolveLocation(location: string, importingPath: string): ResolvedLocation {
  const trimmedLocation = location.trim();
  const suggestion = suggestFileName(trimmedLocation);
  const createOutsideLocation = (message: string) => ({ kind: "outside", message, suggestion }) as const;
  if (trimmedLocation === "") {
    return createOutsideLocation("The location is empty");
  }
  if (trimmedLocation.includes("\0")) {
    return createOutsideLocation("The location contains a NUL character");
  }
  if (/^[\\/]{2}/.test(trimmedLocation)) {
    return { kind: "remote", suggestion };
  }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(trimmedLocation)?.[1]?.toLowerCase();
  if (scheme !== undefined) {
    if (scheme === "file" || scheme.length === 1) {
      return createOutsideLocation("An absolute location is not allowed");
    }
    return { kind: "remote", suggestion };
  }
  if (/^[\\/]/.test(trimmedLocation)) {
    return createOutsideLocation("An absolute location is not allowed");
  }
  if (/%(?:2e|2f|5c|00)/i.test(trimmedLocation)) {
    return createOutsideLocation("A location must not contain escaped dots or slashes");
  }
  const decodedLocation = decodePercent(trimmedLocation).replaceAll("\\", "/");
  if (/(?:^|\/)\.{0,2}$/.test(decodedLocation)) {
    return createOutsideLocation("The location does not name a file");
  }
  const path = joinFolders(getFolder(importingPath), decodedLocation);
  const leadingParents = /^(?:\.\.\/)+/.exec(path)?.[0];
  return leadingParents === undefined
    ? { kind: "path", path }
    : { ...createOutsideLocation("The location leads outside the root"), root: leadingParents.slice(0, -1) };
}

/** Joins a folder and a path relative to it, and resolves `.` and `..`. Joins `a` and `..` to `.`. */
export function joinFolders(folder: string, path: string): string {
  const isAbsolute = /^[\\/]/.test(folder);
  const steps: string[] = [];
  for (const segment of `${folder}/${path}`.split("/")) {
    if (segment === "" || segment === ".") {
      continue;
    }
    if (segment === ".." && steps.length > 0 && steps.at(-1) !== "..") {
      steps.pop();
    } else if (segment !== ".." || !isAbsolute) {
      steps.push(segment);
    }
  }
  return `${isAbsolute ? "/" : ""}${steps.join("/")}` || ".";
}

function getFolder(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

/** Decodes the escapes of a URI reference as UTF-8. A location with an invalid escape is returned unchanged. */
function decodePercent(location: string): string {
  try {
    const decodedLocation = decodeURIComponent(location);
    return decodedLocation.includes("\0") ? location : decodedLocation;
  } catch {
    return location;
  }
}

/** Suggests a file name for a copy of a document. The copy will be beside the document that imports it. */
function suggestFileName(location: string): string {
  const end = location.search(/[?#]/);
  const path = end < 0 ? location : location.slice(0, end);
  const lastSegment = path.split(/[\\/:]/).findLast((segment) => segment !== "" && segment !== "." && segment !== "..");
  const safeName = (lastSegment ?? "").replaceAll(/%[0-9A-Fa-f]{2}|[^\w.-]/g, "_");
  return safeName === "" ? "imported.xsd" : safeName;
}

/** Quotes a word for a shell if necessary. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
