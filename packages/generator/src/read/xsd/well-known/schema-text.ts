import { xmlNamespace, xsdNamespace } from "../../../source/names.js";

/** Returns a schema document with the given declarations. The prefix `tns` is bound to its namespace; `imports` maps prefixes to namespaces. */
export function schemaText(
  targetNamespace: string,
  declarations: string,
  imports: Readonly<Record<string, string>> = {},
): string {
  // Namespaces in XML 1.0 §3: only the prefix `xml` may be bound to its namespace.
  const targetPrefix = targetNamespace === xmlNamespace ? "" : ` xmlns:tns="${targetNamespace}"`;
  const others = Object.entries(imports);
  const prefixes = others.map(([prefix, namespace]) => ` xmlns:${prefix}="${namespace}"`);
  const links = others.map(([, namespace]) => `<xs:import namespace="${namespace}"/>\n`);
  return (
    `<xs:schema xmlns:xs="${xsdNamespace}"${targetPrefix}${prefixes.join("")} targetNamespace="${targetNamespace}"` +
    ` elementFormDefault="qualified">\n${links.join("")}${declarations}\n</xs:schema>\n`
  );
}

/** A wildcard for any number of elements, with lax validation. */
export function anyElements(namespace: "##any" | "##other"): string {
  return `<xs:any namespace="${namespace}" minOccurs="0" maxOccurs="unbounded" processContents="lax"/>`;
}

/** A wildcard for attributes of other namespaces, with lax validation. */
export const otherAttributes = '<xs:anyAttribute namespace="##other" processContents="lax"/>';
