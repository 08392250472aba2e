import { writeAnyElement } from "../../codec/kinds/any-element.js";
import type { AnyElement } from "../../descriptor.js";
import { EncodeError } from "../../errors.js";

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
