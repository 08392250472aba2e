import { readTree, schemaLimits, type XmlElement } from "@bothends/xml";
import { xmlNamespace, xsdNamespace } from "../../../source/namespaces.js";
import type { SchemaElement } from "../documents.js";
import { schemaText } from "./schema-text.js";
import {
  soap11Encoding,
  soap11EncodingSchema,
  soap11Envelope,
  soap11EnvelopeSchema,
  soap12Encoding,
  soap12EncodingSchema,
  soap12Envelope,
  soap12EnvelopeSchema,
} from "./soap.js";
import { addressing, addressing2004, addressing2004Schema, addressingSchema } from "./ws-addressing.js";
import { secext, secextSchema, utility, utilitySchema } from "./ws-security.js";
import { binarySchemas, schemaSchema, xlink, xlinkSchema, xmlSchema } from "./xml-attributes.js";

import { encryption, encryptionSchema, signature, signatureSchema } from "./xml-security.js";

const wsdl = "http://schemas.xmlsoap.org/wsdl/";

/** What every reader of WSDLs has itself. */
const common: ReadonlyMap<string, () => string> = new Map([
  [xmlNamespace, xmlSchema],
  [xsdNamespace, schemaSchema],
  [soap11Encoding, soap11EncodingSchema],
  [soap12Encoding, soap12EncodingSchema],
  [soap11Envelope, soap11EnvelopeSchema],
  [soap12Envelope, soap12EnvelopeSchema],
  [wsdl, () => schemaText(wsdl, '<xs:attribute name="arrayType" type="xs:string"/>')],
  ...["soap/", "soap12/", "http/", "mime/"].map((extension): [string, () => string] => [
    wsdl + extension,
    () => schemaText(wsdl + extension, ""),
  ]),
]);

/** Schemas that everybody refers to and nobody supplies, as texts: resolved by namespace, never fetched. */
const texts: ReadonlyMap<string, () => string> = new Map([
  ...common,
  [xlink, xlinkSchema],
  [addressing, addressingSchema],
  [addressing2004, addressing2004Schema],
  [secext, secextSchema],
  [utility, utilitySchema],
  [signature, signatureSchema],
  [encryption, encryptionSchema],
  ...binarySchemas,
]);

/** Namespaces whose schemas are brought along. */
export const wellKnownNamespaces: readonly string[] = [...texts.keys()];

/** Whether a namespace's schema is brought along. */
export function isWellKnown(namespace: string): boolean {
  return texts.has(namespace);
}

/** The schema brought along for a namespace. */
export function readWellKnownSchema(namespace: string): SchemaElement | undefined {
  const text = texts.get(namespace)?.();
  if (text === undefined) return undefined;
  return { element: readTree(text, schemaLimits), source: { path: `<${namespace}>`, text }, inline: false };
}

/** The schema that has to be brought along for whoever reads a WSDL that we write; undefined where they have it. */
export function schemaToPublish(namespace: string): XmlElement | undefined {
  return common.has(namespace) ? undefined : readWellKnownSchema(namespace)?.element;
}
