import { readTree, schemaLimits, type XmlElement } from "@bothends/xml";
import {
  soap11EncodingNamespace,
  soap12EncodingNamespace,
  xmlNamespace,
  xsdNamespace,
} from "../../../source/xml-names.js";
import type { SchemaElement } from "../documents.js";
import {
  addressing2004Namespace,
  addressingNamespace,
  baseFaultsNamespace,
  notificationNamespace,
  resourcesNamespace,
  secextNamespace,
  topicsNamespace,
  utilityNamespace,
  writeAddressing2004Schema,
  writeAddressingSchema,
  writeBaseFaultsSchema,
  writeNotificationSchema,
  writeResourcesSchema,
  writeSecextSchema,
  writeTopicsSchema,
  writeUtilitySchema,
} from "./web-services.js";
import {
  apacheTypesNamespace,
  binarySchemas,
  soap11EnvelopeNamespace,
  soap12EnvelopeNamespace,
  writeApacheTypesSchema,
  writeSchema,
  writeSchemaSchema,
  writeSoap11EncodingSchema,
  writeSoap11EnvelopeSchema,
  writeSoap12EncodingSchema,
  writeSoap12EnvelopeSchema,
  writeXlinkSchema,
  writeXmlSchema,
  xlinkNamespace,
} from "./xml-and-soap.js";
import {
  encryptionNamespace,
  keyManagementNamespace,
  signatureNamespace,
  writeEncryptionSchema,
  writeKeyManagementSchema,
  writeSignatureSchema,
} from "./xml-security.js";

const wsdl = "http://schemas.xmlsoap.org/wsdl/";

/** The schemas that every WSDL tool has built in, keyed by namespace. */
const commonSchemas: ReadonlyMap<string, () => string> = new Map([
  [xmlNamespace, writeXmlSchema],
  [xsdNamespace, writeSchemaSchema],
  [soap11EncodingNamespace, writeSoap11EncodingSchema],
  [soap12EncodingNamespace, writeSoap12EncodingSchema],
  [soap11EnvelopeNamespace, writeSoap11EnvelopeSchema],
  [soap12EnvelopeNamespace, writeSoap12EnvelopeSchema],
  [wsdl, () => writeSchema(wsdl, '<xs:attribute name="arrayType" type="xs:string"/>')],
  ...["soap/", "soap12/", "http/", "mime/"].map((extension): [string, () => string] => [
    wsdl + extension,
    () => writeSchema(wsdl + extension, ""),
  ]),
]);

/**
 * The built-in schemas, keyed by namespace. Documents often refer to these namespaces without including their schemas.
 */
const builtinSchemas: ReadonlyMap<string, () => string> = new Map([
  ...commonSchemas,
  [xlinkNamespace, writeXlinkSchema],
  [addressingNamespace, writeAddressingSchema],
  [addressing2004Namespace, writeAddressing2004Schema],
  [secextNamespace, writeSecextSchema],
  [utilityNamespace, writeUtilitySchema],
  [baseFaultsNamespace, writeBaseFaultsSchema],
  [resourcesNamespace, writeResourcesSchema],
  [topicsNamespace, writeTopicsSchema],
  [notificationNamespace, writeNotificationSchema],
  [signatureNamespace, writeSignatureSchema],
  [encryptionNamespace, writeEncryptionSchema],
  [keyManagementNamespace, writeKeyManagementSchema],
  [apacheTypesNamespace, writeApacheTypesSchema],
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
