import type { XmlReader } from "@bothends/xml";
import { SchemaMismatch } from "./schema-mismatch.js";

/** The version of SOAP encoding: SOAP 1.1 §5 or SOAP 1.2 part 2 §3. */
export type EncodingVersion = "soap11" | "soap12";

/** The `encodingStyle` of encoded values. */
export const encodingNamespace: Readonly<Record<EncodingVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/encoding/",
  soap12: "http://www.w3.org/2003/05/soap-encoding",
};

const namespaces: ReadonlySet<string> = new Set(Object.values(encodingNamespace));
const envelopes: ReadonlySet<string> = new Set([
  "http://schemas.xmlsoap.org/soap/envelope/",
  "http://www.w3.org/2003/05/soap-envelope",
]);

/** Whether an attribute, such as a type, size or id, belongs to the encoding instead of the value. */
export function isEncodingAttribute({ namespace, localName }: Named): boolean {
  return namespace === "" ? localName === "id" : namespaces.has(namespace) || envelopes.has(namespace);
}

interface Named {
  readonly namespace: string;
  readonly localName: string;
}

/** Whether an attribute refers to another element for the value (SOAP 1.1 §5.4.1, 1.2 part 2 §3.1.5.3). */
export function isReference(attribute: Named): boolean {
  return attribute.localName === (attribute.namespace === "" ? "href" : "ref") && isOfEncoding(attribute);
}

export function isOfEncoding({ namespace }: Named): boolean {
  return namespace === "" || namespace === encodingNamespace.soap12;
}

/** Refuses a reference in a header, where references are not followed. */
export function refuseReference({ attributes }: XmlReader): void {
  const reference = attributes.find(isReference);
  if (reference !== undefined) {
    throw new SchemaMismatch(
      `The value must not be a reference (${reference.localName}): references are supported only inside the body.`,
    );
  }
}

/**
 * Refuses a reference in a literal message. PHP writes one if an object occurs again. The element has no content, so it could
 * be read as an empty value.
 */
export function refuseLiteralReference(attribute: Named & { readonly value: string }): void {
  const { localName, value } = attribute;
  if (!isReference(attribute) || !value.startsWith("#")) {
    return;
  }
  throw new SchemaMismatch(
    `The value must not be a reference (${localName}="${value.slice(0, 64)}") in a literal message.`,
  );
}

/** Refuses arrays that a plain list cannot represent: partial and multidimensional ones (SOAP 1.1 §5.4.2). */
export function refusePartialArray({ attributes }: XmlReader): void {
  for (const { namespace, localName, value } of attributes) {
    if (!namespaces.has(namespace)) {
      continue;
    }
    if (localName === "offset" && value.trim() !== "[0]") {
      throw new SchemaMismatch("Partial arrays (offset) are not supported.");
    }
    const size = localName === "arrayType" ? value.slice(value.lastIndexOf("[")) : undefined;
    const many = size?.includes(",") === true || (localName === "arraySize" && /\S\s+\S/.test(value));
    if (many) {
      throw new SchemaMismatch("Arrays of more than one dimension are not supported.");
    }
  }
}

/** Refuses an item of a sparse array (SOAP 1.1 §5.4.2.2). */
export function refuseSparseItem({ attributes }: XmlReader): void {
  for (const { namespace, localName } of attributes) {
    if (localName === "position" && namespaces.has(namespace)) {
      throw new SchemaMismatch("Sparse arrays (position) are not supported.");
    }
  }
}
