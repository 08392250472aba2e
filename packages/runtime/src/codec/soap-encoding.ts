import type { XmlReader } from "@bothends/xml";
import { Misfit } from "./misfit.js";

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

/** SOAP 1.1 §5.4.1, 1.2 part 2 §3.1.5.3: a value that stands elsewhere. Nothing is followed, not even inside the message. */
export function refuseReference({ attributes }: XmlReader): void {
  for (const { namespace, localName } of attributes) {
    const refers = namespace === "" ? localName === "href" : localName === "ref" && namespaces.has(namespace);
    if (refers) {
      throw new Misfit(`The value is a reference (${localName}) to another element; references are not followed.`);
    }
  }
}

/** What an array says of its items that a plain list cannot hold (SOAP 1.1 §5.4.2). */
export function refusePartialArray({ attributes }: XmlReader): void {
  for (const { namespace, localName, value } of attributes) {
    if (!namespaces.has(namespace)) continue;
    if (localName === "offset" && value.trim() !== "[0]") throw new Misfit("Partial arrays (offset) are not read.");
    const size = localName === "arrayType" ? value.slice(value.lastIndexOf("[")) : undefined;
    const many = size?.includes(",") === true || (localName === "arraySize" && /\S\s+\S/.test(value));
    if (many) throw new Misfit("Arrays of more than one dimension are not read.");
  }
}

/** SOAP 1.1 §5.4.2.2. */
export function refuseSparseItem({ attributes }: XmlReader): void {
  for (const { namespace, localName } of attributes) {
    if (localName === "position" && namespaces.has(namespace))
      throw new Misfit("Sparse arrays (position) are not read.");
  }
}
