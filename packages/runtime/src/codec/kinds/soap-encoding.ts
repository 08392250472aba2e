import type { PrefixLookup, XmlLimits } from "@bothends/xml";
import type { RuntimePart } from "../../descriptor.js";
import type { ReferenceLimits } from "../../reference-limits.js";
import type { EncodingRules } from "../decode-element.js";
import { isReference } from "../element-attributes.js";
import type { DeclaredTypes } from "../encode-table.js";
import {
  encodingNamespaces,
  type NamesOnWire,
  schemaNamespace,
  typeOnWire,
  type WireName,
  wireName,
} from "../names.js";
import { SchemaMismatch } from "../schema-mismatch.js";
import { BodyReferences } from "./body-references.js";

/** SOAP encoding (SOAP 1.1 §5, 1.2 part 2 §3), as messages are read and written with it. */
export interface SoapEncoding extends RuntimePart<"soapEncoding"> {
  readonly declaredTypes: Readonly<Record<DeclaredTypes["version"], DeclaredTypes>>;
  /** The rules for the body of a message, in which references are followed. */
  bodyRules(text: string, options: BodyOptions): EncodingRules;
  /** The rules for a header block, in which references are refused. */
  readonly headerRules: EncodingRules;
}

export interface BodyOptions {
  readonly limits: XmlLimits & Partial<ReferenceLimits>;
  /** Prefixes that are bound outside the message. */
  readonly prefixes?: PrefixLookup | undefined;
}

const encodingAttributes: ReadonlySet<string> = new Set([
  ...Object.values(encodingNamespaces),
  "http://schemas.xmlsoap.org/soap/envelope/",
  "http://www.w3.org/2003/05/soap-envelope",
]);

/** Whether an attribute, such as a type, size or id, belongs to the encoding instead of the value. */
const isEncodingAttribute: EncodingRules["isEncodingAttribute"] = ({ namespace, localName }) =>
  namespace === "" ? localName === "id" : encodingAttributes.has(namespace);

/** Reads and writes bodies in SOAP encoding: `xs.soapEncoding`. */
export const soapEncoding: SoapEncoding = {
  kind: "soapEncoding",
  declaredTypes: { soap11: { version: "soap11", nameOf }, soap12: { version: "soap12", nameOf } },
  bodyRules(text, options) {
    const references = new BodyReferences(text, options);
    return {
      isEncodingAttribute,
      follow: (context, type, declaration) => references.follow(context, type, declaration),
    };
  },
  headerRules: {
    isEncodingAttribute,
    follow({ reader: { attributes } }) {
      const reference = attributes.find(isReference);
      if (reference === undefined) {
        return undefined;
      }
      throw new SchemaMismatch(
        `The value must not be a reference (${reference.localName}): references are supported only inside the body.`,
      );
    },
  },
};

/** The name of a type for `xsi:type`; undefined for an anonymous type. */
function nameOf(name: string, names: NamesOnWire): WireName | undefined {
  if (!name.startsWith("{")) {
    return name.startsWith("xs:") ? { namespace: schemaNamespace, local: name.slice(3) } : undefined;
  }
  const typeName = wireName(typeOnWire(name, names));
  return /[/(*;@]/.test(typeName.local) ? undefined : typeName;
}
