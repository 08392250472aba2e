import { xmlNamespace, xsdNamespace } from "../../../source/namespaces.js";

/** A schema document around declarations; `tns` stands for its namespace, and for each import there is a prefix. */
export function schemaText(
  targetNamespace: string,
  declarations: string,
  imports: Readonly<Record<string, string>> = {},
): string {
  // Namespaces in XML 1.0 §3: no prefix but `xml` stands for its namespace.
  const targetPrefix = targetNamespace === xmlNamespace ? "" : ` xmlns:tns="${targetNamespace}"`;
  const others = Object.entries(imports);
  const prefixes = others.map(([prefix, namespace]) => ` xmlns:${prefix}="${namespace}"`);
  const links = others.map(([, namespace]) => `<xs:import namespace="${namespace}"/>\n`);
  return (
    `<xs:schema xmlns:xs="${xsdNamespace}"${targetPrefix}${prefixes.join("")} targetNamespace="${targetNamespace}"` +
    ` elementFormDefault="qualified">\n${links.join("")}${declarations}\n</xs:schema>\n`
  );
}

/** Any number of elements, checked where they are known. */
export function anyElements(namespace: "##any" | "##other"): string {
  return `<xs:any namespace="${namespace}" minOccurs="0" maxOccurs="unbounded" processContents="lax"/>`;
}

/** Attributes of other namespaces. */
export const otherAttributes = '<xs:anyAttribute namespace="##other" processContents="lax"/>';
