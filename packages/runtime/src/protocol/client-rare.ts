import { writeAnyElement } from "../codec/kinds/any-element.js";
import type { AnyElement } from "../descriptor.js";
import { EncodeError } from "../errors.js";

// What the clients of all protocols load for messages that `QuickDecoder` does not read, and for what few programs send. One
// module, because a bundler that splits code makes a chunk for each set of modules that several such modules share.
export { HttpAnswerReader } from "./http/client-answer.js";
export { SoapAnswerReader } from "./soap/client-answer.js";

/** Writes header blocks that no schema declares. */
export function writeBlocks(blocks: readonly AnyElement[]): readonly string[] {
  try {
    return blocks.map(writeAnyElement);
  } catch (cause) {
    throw new EncodeError(
      "A block of the option extraSoapHeaders cannot be written as XML: a name or a text is not valid XML.",
      { path: "/Envelope/Header", cause },
    );
  }
}
