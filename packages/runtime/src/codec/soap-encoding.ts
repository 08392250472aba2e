import type { XmlReader } from "@bothends/xml";
import { SchemaMismatch } from "./schema-mismatch.js";

/** Whose encoding values are written in: SOAP 1.1 §5, or SOAP 1.2 part 2 §3. */
export type EncodingVersion = "soap11" | "soap12";

/** What `encodingStyle` says of encoded values. */
export const encodingNamespace: Readonly<Record<EncodingVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/encoding/",
  soap12: "http://www.w3.org/2003/05/soap-encoding",
};

const namespaces: ReadonlySet<string> = new Set(Object.values(encodingNamespace));
const envelopes: ReadonlySet<string> = new Set([
  "http://schemas.xmlsoap.org/soap/envelope/",
  "http://www.w3.org/2003/05/soap-envelope",
]);

/** Whether an attribute belongs to the encoding and not to the value: a type, a size, an identity. */
export function isEncodingAttribute({ namespace, localName }: Named): boolean {
  return namespace === "" ? localName === "id" : namespaces.has(namespace) || envelopes.has(namespace);
}

interface Named {
  readonly namespace: string;
  readonly localName: string;
}

/** Whether an attribute says that the value of its element is elsewhere (SOAP 1.1 §5.4.1, 1.2 part 2 §3.1.5.3). */
export function isReference(attribute: Named): boolean {
  return attribute.localName === (attribute.namespace === "" ? "href" : "ref") && isOfEncoding(attribute);
}

export function isOfEncoding({ namespace }: Named): boolean {
  return namespace === "" || namespace === encodingNamespace.soap12;
}

/** Refuses a reference where none is followed: in a header. */
export function refuseReference({ attributes }: XmlReader): void {
  const reference = attributes.find(isReference);
  if (reference !== undefined) {
    throw new SchemaMismatch(
      `The value is a reference (${reference.localName}); only those inside a body are followed.`,
    );
  }
}

/**
 * Refuses a reference in a literal message, which PHP writes where an object occurs again: the element has no value, and
 * one without children would be read as empty.
 */
export function refuseLiteralReference(attribute: Named & { readonly value: string }): void {
  const { localName, value } = attribute;
  if (!isReference(attribute) || !value.startsWith("#")) return;
  throw new SchemaMismatch(
    `The value is a reference (${localName}="${value.slice(0, 64)}") to another element; a literal message has none.`,
  );
}

/** What an array says of its items that a plain list cannot hold (SOAP 1.1 §5.4.2). */
export function refusePartialArray({ attributes }: XmlReader): void {
  for (const { namespace, localName, value } of attributes) {
    if (!namespaces.has(namespace)) continue;
    if (localName === "offset" && value.trim() !== "[0]")
      throw new SchemaMismatch("Partial arrays (offset) are not read.");
    const size = localName === "arrayType" ? value.slice(value.lastIndexOf("[")) : undefined;
    const many = size?.includes(",") === true || (localName === "arraySize" && /\S\s+\S/.test(value));
    if (many) throw new SchemaMismatch("Arrays of more than one dimension are not read.");
  }
}

/** SOAP 1.1 §5.4.2.2. */
export function refuseSparseItem({ attributes }: XmlReader): void {
  for (const { namespace, localName } of attributes) {
    if (localName === "position" && namespaces.has(namespace))
      throw new SchemaMismatch("Sparse arrays (position) are not read.");
  }
}
