import { type EncodingVersion, encodingNamespace } from "../codec/soap-encoding.js";
import type { AnyBodyDescriptor } from "../descriptor.js";
import type { SoapVersion } from "./version.js";

/** How an element is written that stands in an encoded body, or in the header or a fault's detail beside one. */
export interface Encoding {
  readonly encoded: EncodingVersion;
  /** Each element says so itself: SOAP 1.2 part 1 §5.1.1 keeps the attribute off Envelope, Header and Body. */
  readonly declarations: string;
}

/** The encoding of a message whose body's use is `encoded`; nothing where it is literal. */
export function encodingOf(body: AnyBodyDescriptor | undefined, version: SoapVersion): Encoding | undefined {
  return isEncoded(body) ? encodings[version] : undefined;
}

/** Whether the use of a body is `encoded`. */
export function isEncoded(body: AnyBodyDescriptor | undefined): boolean {
  return body !== undefined && "encoded" in body && body.encoded === true;
}

const encodings: Readonly<Record<SoapVersion, Encoding>> = {
  soap11: { encoded: "soap11", declarations: ` soap:encodingStyle="${encodingNamespace.soap11}"` },
  soap12: { encoded: "soap12", declarations: ` soap:encodingStyle="${encodingNamespace.soap12}"` },
};
