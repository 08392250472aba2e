import type { ComplexTypeDefinition, TypeDefinition as SchemaType } from "../components/xsd-model.js";
import type { BuiltinName } from "../model/schema-types.js";
import type { QName } from "../source/qname.js";

const soapEncodingNamespaces: ReadonlySet<string> = new Set([
  "http://schemas.xmlsoap.org/soap/encoding/",
  "http://www.w3.org/2003/05/soap-encoding",
]);

export function isSoapEncoding(name: QName | undefined): boolean {
  return name !== undefined && soapEncodingNamespaces.has(name.namespace);
}

/**
 * SOAP 1.1 §5.2: `soapenc:string` and its like are the built-in types with `id` and `href`, which belong to the encoding
 * and not to the value.
 */
export function encodedBuiltin(type: SchemaType): BuiltinName | undefined {
  if (!isSoapEncoding(type.name)) return undefined;
  let base: SchemaType = type;
  while (base.builtin === undefined) {
    if (base.kind === "simpleType") base = base.baseType;
    else if (base.content.kind === "simple") base = base.content.type;
    else return undefined;
  }
  return base.builtin;
}

/** `soapenc:Array`, or a restriction of it. */
export function isSoapArray(type: ComplexTypeDefinition): boolean {
  for (let one: SchemaType = type; one.kind === "complexType" && one.builtin === undefined; one = one.baseType) {
    if (isSoapEncoding(one.name) && one.name?.local === "Array") return true;
  }
  return false;
}
