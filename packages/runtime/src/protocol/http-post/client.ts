import { Encoder } from "../../codec/encoder.js";
import { instanceNamespace, schemaNamespace } from "../../codec/names.js";
import type { HttpBody } from "../../descriptor.js";
import type { OperationCoding, ProtocolBinding } from "../client.js";
import { HttpOperation } from "../http/client.js";

/** HTTP POST for clients, with parameters in a form, or the input as an XML document. */
export const httpPost: ProtocolBinding = {
  name: "httpPost",
  choose(operation, coding) {
    const binding = operation.bindings.httpPost;
    return binding && new HttpOperation(operation, { verb: "POST", binding, coding, writeDocument });
  },
};

const declarations = ` xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"`;

/** Writes an input as an XML document (WSDL 1.1 §5, `mime:content` of type text/xml). */
function writeDocument({ element, type, nillable }: HttpBody, input: object, { codecs }: OperationCoding): string {
  const root = codecs.get(Encoder).element(element, type, input, { nillable, declarations });
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}`;
}
