import { encodingNamespaces } from "../../codec/element-attributes.js";
import type { DeclaredTypes } from "../../codec/encode-table.js";
import type { SoapEncoding } from "../../codec/kinds/soap-encoding.js";
import type { AnyBodyDescriptor, ImportedFeature } from "../../descriptor.js";
import type { SoapVersion } from "./envelope.js";

// This module is separate from `envelope.ts`, because clients need it only for SOAP-encoded messages.

/** Options for writing the elements of a message in SOAP encoding. */
export interface Encoding {
  readonly declaredTypes: DeclaredTypes;
  /**
   * The attribute `encodingStyle`. It is written on each encoded element, because SOAP 1.2 Part 1 §5.1.1 does not allow
   * it on Envelope, Header and Body.
   */
  readonly declarations: string;
}

/** Returns the options for writing an encoded message. Returns undefined for a literal body. */
export function findEncoding(body: AnyBodyDescriptor | undefined, version: SoapVersion): Encoding | undefined {
  const encoding = findSoapEncoding(body);
  return (
    encoding && {
      declaredTypes: encoding.declaredTypes[version],
      declarations: ` soap:encodingStyle="${encodingNamespaces[version]}"`,
    }
  );
}

/** Returns the SOAP encoding of a body; undefined if its use is literal. */
export function findSoapEncoding(body: AnyBodyDescriptor | undefined): SoapEncoding | undefined {
  const encoding = body !== undefined && "encoded" in body ? body.encoded : undefined;
  return encoding !== undefined && isSoapEncoding(encoding) ? encoding : undefined;
}

function isSoapEncoding(codec: ImportedFeature<"soapEncoding">): codec is SoapEncoding {
  return "declaredTypes" in codec;
}
