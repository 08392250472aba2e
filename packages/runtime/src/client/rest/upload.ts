import { ConfigError } from "../../errors.js";
import type { Upload } from "../options.js";

/**
 * What a request says of the file that is its body (RFC 6266 §4). The name is in UTF-8, which servers expect of it
 * although HTTP leaves open what bytes above ASCII mean (RFC 9110 §5.5); `checkHeaders` refuses line breaks and controls.
 */
export function uploadHeaders({ content, type, name }: Upload): Readonly<Record<string, string>> {
  if (!(content instanceof Uint8Array)) throw new ConfigError("The content of an upload is a Uint8Array.");
  if (typeof type !== "string" || !/^[^\s/;]+\/[^\s/;]+/.test(type)) {
    throw new ConfigError("The type of an upload is a media type, such as image/png.");
  }
  if (typeof name !== "string" || name === "" || /[/\\"]/.test(name)) {
    throw new ConfigError("The name of an upload is a file name, without folder or quotation marks.");
  }
  const bytes = Array.from(new TextEncoder().encode(name), (byte) => String.fromCharCode(byte));
  return { "Content-Type": type, "Content-Disposition": `attachment; filename="${bytes.join("")}"` };
}
