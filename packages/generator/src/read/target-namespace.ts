import type { XmlTreeAttribute } from "@bothends/xml";
import type { Diagnostics } from "../source/diagnostics.js";
import { describeLimitRemedy, type SourceLimits } from "../source/source-limits.js";
import type { SourceText } from "../source/span.js";
import { collapse } from "./xsd/xsd-element.js";

interface CheckedDocument {
  readonly source: SourceText;
  readonly diagnostics: Diagnostics;
  readonly limits: Pick<SourceLimits, "namespaceChars">;
}

/**
 * Returns the value of the attribute `targetNamespace` of a schema or a WSDL; "" if it is absent. Reports a value that
 * exceeds the limit, and returns "" for it, because each name of the document would contain the whole value.
 */
export function readTargetNamespace(
  attribute: XmlTreeAttribute | undefined,
  { source, diagnostics, limits }: CheckedDocument,
): string {
  const namespace = attribute === undefined ? "" : collapse(attribute.value);
  if (attribute === undefined || namespace.length <= limits.namespaceChars) {
    return namespace;
  }
  const span = { source, start: attribute.valueStart, end: attribute.valueEnd };
  diagnostics.error("XML020", span, {
    message: `The target namespace is too long: it has ${namespace.length} characters.`,
    ...describeLimitRemedy("namespaceChars", limits),
  });
  return "";
}
