import { Encoder } from "../../codec/encoder.js";
import { instanceNamespace, schemaNamespace } from "../../codec/resolved-types.js";
import type { HttpBody } from "../../descriptor.js";
import type { OperationCoding } from "../client.js";

const xmlDeclarations = ` xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"`;

/** Writes the input of an HTTP POST call as an XML document (WSDL 1.1 §5, `mime:content` of type text/xml). */
export function writeDocument(
  { element, type, nillable }: HttpBody,
  input: object,
  { codecs }: OperationCoding,
): string {
  const root = codecs.get(Encoder).encode(element, type, input, { nillable, declarations: xmlDeclarations });
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}`;
}
