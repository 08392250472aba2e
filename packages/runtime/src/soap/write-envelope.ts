import { escapeAttribute } from "@bothends/xml";
import { envelopeNamespace, instanceNamespace, type SoapVersion, schemaNamespace, xmlDeclaration } from "./version.js";

/** The XML of a message: each piece is a complete element that assumes `soap`, `xsi` and `xsd` are bound. */
export interface EnvelopePieces {
  /** What stands in `soap:Body`. */
  readonly body: string;
  /** What stands in `soap:Header`; without blocks there is no Header. */
  readonly headers?: readonly string[] | undefined;
  /** `soap:encodingStyle` of the envelope (SOAP 1.1 §4.1.1), for encoded bodies. */
  readonly encodingStyle?: string | undefined;
}

/** Writes a SOAP message on one line, with the prefixes every peer has seen before. */
export function writeEnvelope(version: SoapVersion, { body, headers = [], encodingStyle }: EnvelopePieces): string {
  const style = encodingStyle === undefined ? "" : ` soap:encodingStyle="${escapeAttribute(encodingStyle)}"`;
  const header = headers.length === 0 ? "" : `<soap:Header>${headers.join("")}</soap:Header>`;
  return `${start[version]}${style}>${header}<soap:Body>${body}</soap:Body></soap:Envelope>`;
}

const start: Readonly<Record<SoapVersion, string>> = {
  soap11: startOf("soap11"),
  soap12: startOf("soap12"),
};

function startOf(version: SoapVersion): string {
  return `${xmlDeclaration}<soap:Envelope xmlns:soap="${envelopeNamespace[version]}" xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"`;
}
