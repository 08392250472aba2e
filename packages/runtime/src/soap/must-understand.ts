import type { AnyAttribute } from "../descriptor.js";
import { envelopeNamespace, type SoapVersion } from "./version.js";

/** SOAP 1.1 §4.2.3, 1.2 part 1 §5.2.3: a receiver that does not know the block must not go on. */
export function mustUnderstand(version: SoapVersion): AnyAttribute {
  return { name: `{${envelopeNamespace[version]}}mustUnderstand`, value: version === "soap11" ? "1" : "true" };
}
