import type { FileRead, ReadFile } from "@bothends/generator";
import { decodeXml, escapeAttribute, readTree, type XmlElement } from "@bothends/xml";
import { joined } from "./wsdl-source.js";

/** The path of the WSDL that is made around schemas. */
export const madePath = "made-around-schemas.wsdl";

/**
 * Schemas alone describe no service. One is made around them, with an operation for each global element (document style)
 * and for each global complex type (rpc style), so that everything is generated from what they declare.
 */
export function withSchemaWsdl(paths: readonly string[], read: ReadFile): ReadFile {
  const bytes = new TextEncoder().encode(wsdlAround(paths, read));
  return (path): FileRead => (path === madePath ? { kind: "file", bytes } : read(path));
}

interface Global {
  readonly namespace: string;
  readonly local: string;
  readonly attribute: "element" | "type";
}

function wsdlAround(paths: readonly string[], read: ReadFile): string {
  const documents = paths.map((path) => ({ path, root: rootOf(path, read) }));
  const globals = reachedGlobals(documents, read);
  const imports = documents.map(({ path, root }) => {
    const namespace = root && attribute(root, "targetNamespace");
    const location = escapeAttribute(path.split("/").map(encodeURIComponent).join("/"));
    return `<x:import${namespace ? ` namespace="${escapeAttribute(namespace)}"` : ""} schemaLocation="${location}"/>`;
  });
  const parts = globals.map(({ namespace, local, attribute: kind }, index) => {
    const name = namespace === "" ? local : `n:${local}`;
    const bound = namespace === "" ? "" : ` xmlns:n="${escapeAttribute(namespace)}"`;
    return `<message name="M${index}"><part name="part"${bound} ${kind}="${escapeAttribute(name)}"/></message>`;
  });
  const operations = globals.map(
    (_, index) => `<operation name="Op${index}"><input message="t:M${index}"/></operation>`,
  );
  const bound = globals.map(
    ({ attribute: kind }, index) =>
      `<operation name="Op${index}"><s:operation style="${kind === "element" ? "document" : "rpc"}"/><input><s:body use="literal"/></input></operation>`,
  );
  return `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:bothends:made" targetNamespace="urn:bothends:made" name="Made">
<w:types><x:schema targetNamespace="urn:bothends:made">${imports.join("\n")}</x:schema></w:types>
${wsdlTags(parts.join("\n"))}
<w:portType name="P">${wsdlTags(operations.join("\n"))}</w:portType>
<w:binding name="B" type="t:P"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>${wsdlTags(bound.join("\n"))}</w:binding>
</w:definitions>`;
}

/** Names without a prefix are of no namespace here, so that WSDL's own have one. */
function wsdlTags(text: string): string {
  return text.replaceAll(/<(\/?)(message|part|operation|input)\b/g, "<$1w:$2");
}

interface SchemaDocument {
  readonly path: string;
  readonly root: XmlElement | undefined;
}

/** What documents declare, and those that they include, redefine or import; in a document without a namespace, the includer's counts. */
function reachedGlobals(documents: readonly SchemaDocument[], read: ReadFile): readonly Global[] {
  const globals = new Map<string, Global>();
  const reached = new Set<string>();
  const visit = ({ path, root }: SchemaDocument, includer: string): void => {
    const namespace = (root && attribute(root, "targetNamespace")) || includer;
    const key = `${path} ${namespace}`;
    if (root === undefined || reached.has(key)) return;
    reached.add(key);
    for (const global of globalsOf(root, namespace)) globals.set(JSON.stringify(global), global);
    for (const child of root.children) {
      const location = child.kind === "element" ? attribute(child, "schemaLocation") : undefined;
      if (child.kind !== "element" || location === undefined) continue;
      const target = joined(path, location);
      visit({ path: target, root: rootOf(target, read) }, child.localName === "import" ? "" : namespace);
    }
  };
  for (const document of documents) visit(document, "");
  return [...globals.values()];
}

function globalsOf(root: XmlElement, namespace: string): readonly Global[] {
  return root.children.flatMap((child): readonly Global[] => {
    if (child.kind !== "element" || attribute(child, "abstract")?.trim() === "true") return [];
    const local = attribute(child, "name")?.trim();
    if (local === undefined || local === "" || child.namespace !== root.namespace) return [];
    if (child.localName === "element") return [{ namespace, local, attribute: "element" }];
    return child.localName === "complexType" ? [{ namespace, local, attribute: "type" }] : [];
  });
}

function rootOf(path: string, read: ReadFile): XmlElement | undefined {
  const file = read(path);
  if (file.kind === "problem") return undefined;
  try {
    return readTree(decodeXml(file.bytes));
  } catch {
    return undefined;
  }
}

function attribute(element: XmlElement, localName: string): string | undefined {
  return element.attributes.find((one) => one.localName === localName && one.namespace === "")?.value;
}
