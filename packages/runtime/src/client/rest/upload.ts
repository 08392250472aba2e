import type { Upload } from "../options.js";

// Loaded for calls with the option `upload`. It imports only types, so that a code-splitting bundler need not create a third
// chunk for shared modules.

/**
 * The headers of a request whose body is a file (RFC 6266 §4). The name is in UTF-8, as servers expect, although HTTP does
 * not define bytes above ASCII (RFC 9110 §5.5); `checkHeaders` refuses line breaks and control characters.
 */
export function uploadHeaders(
  { content, type, name }: Upload,
  refuse: (message: string) => never,
): Readonly<Record<string, string>> {
  if (!(content instanceof Uint8Array)) {
    refuse("The content of the option upload must be a Uint8Array.");
  }
  if (typeof type !== "string" || !/^[^\s/;]+\/[^\s/;]+/.test(type)) {
    refuse("The type of the option upload must be a media type, such as image/png.");
  }
  if (typeof name !== "string" || name === "" || /[/\\"]/.test(name)) {
    refuse("The name of the option upload must be a file name without slashes, backslashes and quotation marks.");
  }
  const bytes = Array.from(new TextEncoder().encode(name), (byte) => String.fromCharCode(byte));
  return { "Content-Type": type, "Content-Disposition": `attachment; filename="${bytes.join("")}"` };
}
