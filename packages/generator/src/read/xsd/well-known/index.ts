import { readTree, schemaLimits, type XmlElement } from "@bothends/xml";
import { xmlNamespace, xsdNamespace } from "../../../source/names.js";
import type { SchemaElement } from "../documents.js";
import {
  addressing,
  addressing2004,
  addressing2004Schema,
  addressingSchema,
  baseFaults,
  baseFaultsSchema,
  notificationNamespace,
  notificationSchema,
  resources,
  resourcesSchema,
  secext,
  secextSchema,
  topics,
  topicsSchema,
  utility,
  utilitySchema,
} from "./web-services.js";
import {
  apacheTypes,
  apacheTypesSchema,
  binarySchemas,
  schemaSchema,
  schemaText,
  soap11Encoding,
  soap11EncodingSchema,
  soap11Envelope,
  soap11EnvelopeSchema,
  soap12Encoding,
  soap12EncodingSchema,
  soap12Envelope,
  soap12EnvelopeSchema,
  xlink,
  xlinkSchema,
  xmlSchema,
} from "./xml-and-soap.js";
import {
  encryption,
  encryptionSchema,
  keyManagement,
  keyManagementSchema,
  signature,
  signatureSchema,
} from "./xml-security.js";

const wsdl = "http://schemas.xmlsoap.org/wsdl/";

/** The schemas that every WSDL tool has built in, by namespace. */
const commonSchemas: ReadonlyMap<string, () => string> = new Map([
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

/** The built-in schemas, by namespace. Documents often refer to these namespaces without a copy of the schema. */
const builtInSchemas: ReadonlyMap<string, () => string> = new Map([
  ...commonSchemas,
  [xlink, xlinkSchema],
  [addressing, addressingSchema],
  [addressing2004, addressing2004Schema],
  [secext, secextSchema],
  [utility, utilitySchema],
  [baseFaults, baseFaultsSchema],
  [resources, resourcesSchema],
  [topics, topicsSchema],
  [notificationNamespace, notificationSchema],
  [signature, signatureSchema],
  [encryption, encryptionSchema],
  [keyManagement, keyManagementSchema],
  [apacheTypes, apacheTypesSchema],
  ...binarySchemas,
]);

/** The namespaces that have a built-in schema. */
export const wellKnownNamespaces: readonly string[] = [...builtInSchemas.keys()];

/** Whether a namespace has a built-in schema. */
export function isWellKnown(namespace: string): boolean {
  return builtInSchemas.has(namespace);
}

/** Reads the built-in schema of a namespace. */
export function readWellKnownSchema(namespace: string): SchemaElement | undefined {
  const text = builtInSchemas.get(namespace)?.();
  if (text === undefined) {
    return undefined;
  }
  return { element: readTree(text, schemaLimits), source: { path: `<${namespace}>`, text }, inline: false };
}

/** Returns the built-in schema that a published WSDL must contain; undefined if every tool has it built in. */
export function schemaToPublish(namespace: string): XmlElement | undefined {
  return commonSchemas.has(namespace) ? undefined : readWellKnownSchema(namespace)?.element;
}
