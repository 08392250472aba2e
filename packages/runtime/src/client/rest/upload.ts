import { ConfigError } from "../../errors.js";
import type { Upload } from "../options.js";

/** The headers and the body of a request that sends a file. */
export interface UploadRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Reads a file, and writes the headers for it (RFC 6266 §4). The name is in UTF-8, as servers expect, although HTTP does
 * not define bytes above ASCII (RFC 9110 §5.5); `checkHeaders` refuses line breaks and control characters.
 */
export async function readUpload({ content, type, name }: Upload): Promise<UploadRequest> {
  if (!(content instanceof Uint8Array) && typeof Object(content).arrayBuffer !== "function") {
    throw new ConfigError('The member "content" of the option "upload" must be a Uint8Array, a Blob or a File.');
  }
  if (typeof type !== "string" || !/^[^\s/;]+\/[^\s/;]+/.test(type)) {
    throw new ConfigError('The member "type" of the option "upload" must be a media type, such as image/png.');
  }
  if (typeof name !== "string" || name === "" || /[/\\"]/.test(name)) {
    throw new ConfigError(
      'The member "name" of the option "upload" must be a file name without slashes, backslashes and quotation marks.',
    );
  }
  const bytes = Array.from(new TextEncoder().encode(name), (byte) => String.fromCharCode(byte));
  return {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${bytes.join("")}"` },
    body: content instanceof Uint8Array ? content : await bytesOf(content),
  };
}

/**
 * Reads a blob. In Node, `arrayBuffer` takes twice the size of a large file in memory; reading its stream takes the size only once.
 */
async function bytesOf(blob: Exclude<Upload["content"], Uint8Array>): Promise<Uint8Array> {
  if (typeof Blob === "undefined" || !(blob instanceof Blob)) {
    return new Uint8Array(await blob.arrayBuffer());
  }
  const bytes = new Uint8Array(blob.size);
  const reader = blob.stream().getReader();
  let offset = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return bytes;
    }
    bytes.set(value, offset);
    offset += value.length;
  }
}
