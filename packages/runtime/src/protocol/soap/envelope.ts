import { instanceNamespace, schemaNamespace } from "../../codec/resolved-types.js";
import type { AnyAttribute, OutputDescriptor } from "../../descriptor.js";

/** A version of SOAP. The versions have different namespaces and media types. */
export type SoapVersion = "soap11" | "soap12";

/** The namespace of the envelope in each version (SOAP 1.1 §3, SOAP 1.2 Part 1 §5). */
export const envelopeNamespace: Readonly<Record<SoapVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/envelope/",
  soap12: "http://www.w3.org/2003/05/soap-envelope",
};

/** The media type of messages in each version. */
export const soapMediaType: Readonly<Record<SoapVersion, string>> = {
  soap11: "text/xml",
  soap12: "application/soap+xml",
};

/** The XML declaration at the beginning of every message that is written. */
export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';

/** Returns the SOAP version with this envelope namespace; undefined for other namespaces. */
export function findVersion(namespace: string): SoapVersion | undefined {
  if (namespace === envelopeNamespace.soap11) {
    return "soap11";
  }
  return namespace === envelopeNamespace.soap12 ? "soap12" : undefined;
}

/**
 * Returns the attribute `mustUnderstand`, which makes a receiver refuse a header block that it does not understand
 * (SOAP 1.1 §4.2.3, SOAP 1.2 Part 1 §5.2.3).
 */
export function createMustUnderstand(version: SoapVersion): AnyAttribute {
  return { name: `{${envelopeNamespace[version]}}mustUnderstand`, value: version === "soap11" ? "1" : "true" };
}

/**
 * Whether a header block with this `actor` or `role` is for this server, which is both the next and the ultimate
 * receiver (SOAP 1.1 §4.2.2, SOAP 1.2 Part 1 §2.2).
 */
export function isForReceiver(actor: string | undefined, version: SoapVersion): boolean {
  return actor === undefined || actor.trim() === "" || receivers[version].includes(actor.trim());
}

const receivers: Readonly<Record<SoapVersion, readonly string[]>> = {
  soap11: ["http://schemas.xmlsoap.org/soap/actor/next"],
  soap12: [
    "http://www.w3.org/2003/05/soap-envelope/role/next",
    "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
  ],
};

/**
 * Prefixes that are accepted in a message even if they are not declared, because some servers write `xsi:nil` without
 * declaring `xsi`.
 */
export const impliedPrefixes: ReadonlyMap<string, string> = new Map([["xsi", instanceNamespace]]);

/** The contents of a message as XML. They can use the prefixes `soap`, `xsi` and `xsd`. */
export interface EnvelopePieces {
  /** The content of `soap:Body`. */
  readonly body: string;
  /** The header blocks. If there are none, the message has no `soap:Header`. */
  readonly headers?: readonly string[] | undefined;
}

/** Writes a SOAP message on one line. The envelope declares the prefixes `soap`, `xsi` and `xsd`. */
export function writeEnvelope(version: SoapVersion, { body, headers = [] }: EnvelopePieces): string {
  const header = headers.length === 0 ? "" : `<soap:Header>${headers.join("")}</soap:Header>`;
  return `${envelopeStart[version]}>${header}<soap:Body>${body}</soap:Body></soap:Envelope>`;
}

const envelopeStart: Readonly<Record<SoapVersion, string>> = {
  soap11: writeEnvelopeStart("soap11"),
  soap12: writeEnvelopeStart("soap12"),
};

function writeEnvelopeStart(version: SoapVersion): string {
  return `${xmlDeclaration}<soap:Envelope xmlns:soap="${envelopeNamespace[version]}" xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"`;
}

/**
 * Returns the result of an operation from its body: undefined, the complete body, or one member. An absent member
 * becomes an empty array or null.
 */
export function getOperationResult({ result, repeated, empty }: OutputDescriptor<unknown>, value: unknown): unknown {
  if (empty === true) {
    return undefined;
  }
  if (result === undefined || typeof value !== "object") {
    return value;
  }
  const member: unknown = value !== null && Object.hasOwn(value, result) ? Reflect.get(value, result) : null;
  return member ?? (repeated ? [] : null);
}
