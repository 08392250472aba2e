import { readTree, schemaLimits, type XmlElement } from "@bothends/xml";
import { soap11EncodingNamespace, soap12EncodingNamespace, xmlNamespace, xsdNamespace } from "../../../source/names.js";
import type { SchemaElement } from "../documents.js";
import {
  addressing2004Namespace,
  addressing2004Schema,
  addressingNamespace,
  addressingSchema,
  baseFaultsNamespace,
  baseFaultsSchema,
  notificationNamespace,
  notificationSchema,
  resourcesNamespace,
  resourcesSchema,
  secextNamespace,
  secextSchema,
  topicsNamespace,
  topicsSchema,
  utilityNamespace,
  utilitySchema,
} from "./web-services.js";
import {
  apacheTypesNamespace,
  apacheTypesSchema,
  binarySchemas,
  schemaSchema,
  schemaText,
  soap11EncodingSchema,
  soap11EnvelopeNamespace,
  soap11EnvelopeSchema,
  soap12EncodingSchema,
  soap12EnvelopeNamespace,
  soap12EnvelopeSchema,
  xlinkNamespace,
  xlinkSchema,
  xmlSchema,
} from "./xml-and-soap.js";
import {
  encryptionNamespace,
  encryptionSchema,
  keyManagementNamespace,
  keyManagementSchema,
  signatureNamespace,
  signatureSchema,
} from "./xml-security.js";

const wsdl = "http://schemas.xmlsoap.org/wsdl/";

/** The schemas that every WSDL tool has built in, keyed by namespace. */
const commonSchemas: ReadonlyMap<string, () => string> = new Map([
  [xmlNamespace, xmlSchema],
  [xsdNamespace, schemaSchema],
  [soap11EncodingNamespace, soap11EncodingSchema],
  [soap12EncodingNamespace, soap12EncodingSchema],
  [soap11EnvelopeNamespace, soap11EnvelopeSchema],
  [soap12EnvelopeNamespace, soap12EnvelopeSchema],
  [wsdl, () => schemaText(wsdl, '<xs:attribute name="arrayType" type="xs:string"/>')],
  ...["soap/", "soap12/", "http/", "mime/"].map((extension): [string, () => string] => [
    wsdl + extension,
    () => schemaText(wsdl + extension, ""),
  ]),
]);

/**
 * The built-in schemas, keyed by namespace. Documents often refer to these namespaces without including their schemas.
 */
const builtinSchemas: ReadonlyMap<string, () => string> = new Map([
  ...commonSchemas,
  [xlinkNamespace, xlinkSchema],
  [addressingNamespace, addressingSchema],
  [addressing2004Namespace, addressing2004Schema],
  [secextNamespace, secextSchema],
  [utilityNamespace, utilitySchema],
  [baseFaultsNamespace, baseFaultsSchema],
  [resourcesNamespace, resourcesSchema],
  [topicsNamespace, topicsSchema],
  [notificationNamespace, notificationSchema],
  [signatureNamespace, signatureSchema],
  [encryptionNamespace, encryptionSchema],
  [keyManagementNamespace, keyManagementSchema],
  [apacheTypesNamespace, apacheTypesSchema],
  ...binarySchemas,
]);

/** The namespaces that have a built-in schema. */
export const wellKnownNamespaces: readonly string[] = [...builtinSchemas.keys()];

/** Whether a namespace has a built-in schema. */
export function isWellKnown(namespace: string): boolean {
  return builtinSchemas.has(namespace);
}

/** Reads the built-in schema of a namespace. */
export function readWellKnownSchema(namespace: string): SchemaElement | undefined {
  const text = builtinSchemas.get(namespace)?.();
  if (text === undefined) {
    return undefined;
  }
  return { element: readTree(text, schemaLimits), source: { path: `<${namespace}>`, text }, inline: false };
}

/** Returns the built-in schema that a published WSDL must contain; undefined if every tool has it built in. */
export function findSchemaToPublish(namespace: string): XmlElement | undefined {
  return commonSchemas.has(namespace) ? undefined : readWellKnownSchema(namespace)?.element;
}
