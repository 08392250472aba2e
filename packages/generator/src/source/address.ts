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
  return new RegExp(String.raw`(?!${slash})(?<=(?<!${slash})${slash}{2,})${character}+(?=${at})`, "gi");
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
