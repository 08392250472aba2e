import { Encoder } from "../../codec/encoder.js";
import { instanceNamespace, schemaNamespace } from "../../codec/names.js";
import type { HttpBody } from "../../descriptor.js";
import { httpProtocol } from "./http-protocol.js";
import type { OperationCoding, ProtocolBinding } from "./protocol.js";

const declarations = ` xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"`;

/** Parameters in the form of a POST, or the input as an XML document. */
export const httpPost: ProtocolBinding = /* @__PURE__ */ httpProtocol("POST", writeDocument);

/** WSDL 1.1 §5, `mime:content` of type text/xml. */
function writeDocument({ element, type, nillable }: HttpBody, input: object, { codecs }: OperationCoding): string {
  const root = codecs.of(Encoder).element(element, type, input, { nillable, declarations });
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}`;
}
