/** Schemes of scripts, of data, and of files on the machine that reads them. */
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

/** The scheme of an address in lower case; undefined where it has none, such as `/path` and `host:8080`. */
export function schemeOf(address: string): string | undefined {
  // URL parsers ignore tabs and line breaks, and control characters in front.
  const text = address.replaceAll(/[\t\n\r]|^[\0- ]+/g, "");
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(text)?.[1]?.toLowerCase();
  // A drive letter of Windows.
  return scheme?.length === 1 ? "file" : scheme;
}

/** Whether nothing can be sent to addresses with the scheme. */
export function isLocalScheme(scheme: string | undefined): scheme is string {
  return scheme !== undefined && localSchemes.has(scheme);
}

/** Whether an address is one of HTTP, or may become one: a relative address, or a text in place of one. */
export function isHttpScheme(scheme: string | undefined): boolean {
  return scheme === undefined || scheme === "http" || scheme === "https";
}

/** RFC 3986 §3.2.1: user information stands between `//` and `@`. Quotes and tags end an address inside a text. */
const inText = /(?<![\\/])([\\/]{2,})[^\s\\/?#"<>]*@/g;

/** As `inText`, in a line of XML or JSON: with character references and escapes, and with spaces, which a URL parser accepts. */
const asWritten = asWrittenPattern();

function asWrittenPattern(): RegExp {
  const slash = String.raw`(?:/|\\(?!u[0-9a-f]{4})|&#0*47;|&#x0*2f;|\\u002f)`;
  const reference = String.raw`&#(?!0*47;|x0*2f;)x?[0-9a-f]+;`;
  const jsonEscape = String.raw`\\u(?!002f)[0-9a-f]{4}|\\"`;
  const character = String.raw`(?:[^\n\r\\/?#"<>]|${reference}|${jsonEscape})`;
  const at = String.raw`(?:@|&#0*64;|&#x0*40;|\\u0040)`;
  return new RegExp(`(?!${slash})(?<=(?<!${slash})${slash}{2,})${character}+(?=${at})`, "gi");
}

/** A text whose addresses have neither user name nor password. */
export function withoutCredentials(text: string): string {
  if (!text.includes("@")) return text;
  const without = text.replace(inText, "$1");
  // The URL standard finds credentials in more spellings than RFC 3986 has, such as `http:user:password@host`.
  if (!URL.canParse(without)) return without;
  const url = new URL(without);
  if (url.username === "" && url.password === "") return without;
  url.username = "";
  url.password = "";
  return url.href;
}

/** A line of a source, or a message, with asterisks in place of credentials. Its length stays the same. */
export function hideCredentials(text: string): string {
  return text.replace(asWritten, (credentials) => "*".repeat(credentials.length));
}

/** Where a piece of a source has credentials, by offsets in the piece. */
export function credentialsIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(asWritten)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}
