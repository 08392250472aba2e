import type { FileRead, ReadFile } from "@bothends/generator";
import { decodeXml, escapeAttribute, readTree, type XmlElement } from "@bothends/xml";
import { resolveLocation } from "./wsdl-source.js";

const xsd = "http://www.w3.org/2001/XMLSchema";

/** The schemas of a source as files for a third-party validator. `driver.xsd` imports all of them. */
export interface OutsideSchema {
  /** The text of each file, by name. The locations of all other files begin with `corpusMark`. */
  readonly files: ReadonlyMap<string, string>;
  /** The namespaces that the schemas declare. Schemas of XSD drafts are left out. */
  readonly namespaces: ReadonlySet<string>;
}

/** The placeholder for the folder of the corpus in locations. */
export const corpusMark = "bothends-corpus:";

/**
 * Makes a file of each schema inside a WSDL, with the prefixes that enclosing elements declare and with resolved
 * locations.
 */
export function prepareWsdlSchemas(paths: readonly string[], read: ReadFile): OutsideSchema {
  const schemas = paths.flatMap((path) => findInlineSchemas(path, read));
  const byNamespace = new Map<string, string[]>();
  schemas.forEach(({ namespace }, index) => {
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), `inline-${index}.xsd`]);
  });
  const files = new Map<string, string>();
  const fileOfNamespace = new Map<string, string>();
  for (const [namespace, names] of byNamespace) {
    const [only = "", ...otherNames] = names;
    const name = otherNames.length === 0 ? only : `all-of-${fileOfNamespace.size}.xsd`;
    fileOfNamespace.set(namespace, name);
    if (otherNames.length > 0) {
      files.set(
        name,
        createSchema(
          namespace,
          names.map((name) => `<x:include schemaLocation="${name}"/>`),
        ),
      );
    }
  }
  for (const [namespace, file] of listImportedSchemas(paths, read)) {
    if (!fileOfNamespace.has(namespace)) {
      fileOfNamespace.set(namespace, file);
    }
  }
  schemas.forEach((schema, index) => {
    files.set(`inline-${index}.xsd`, getSchemaText(schema, fileOfNamespace));
  });
  return {
    files: new Map([...files, ["driver.xsd", writeDriverSchema(fileOfNamespace)]]),
    namespaces: new Set(fileOfNamespace.keys()),
  };
}

/** Prepares stand-alone schema documents for a third-party validator. */
export function prepareFileSchemas(paths: readonly string[], read: ReadFile): OutsideSchema {
  const entry = listImportedSchemas(paths, read);
  return {
    files: new Map([["driver.xsd", writeDriverSchema(entry)]]),
    namespaces: new Set(entry.map(([namespace]) => namespace)),
  };
}

/** Lists the schemas among the files that `driver.xsd` must import, by namespace. */
function listImportedSchemas(
  paths: readonly string[],
  read: ReadFile,
): readonly (readonly [namespace: string, file: string])[] {
  return paths.flatMap((path) => {
    const root = findRoot(path, read)?.root;
    if (root?.namespace !== xsd) {
      return [];
    }
    return [[getAttribute(root, "targetNamespace") ?? "", `${corpusMark}${path}`] as const];
  });
}

function writeDriverSchema(entries: Iterable<readonly [namespace: string, file: string]>): string {
  const imports = [...entries].map(
    ([namespace, file]) =>
      `<x:import${namespace === "" ? "" : ` namespace="${escapeAttribute(namespace)}"`} schemaLocation="${escapeAttribute(file)}"/>`,
  );
  return createSchema("urn:bothends:driver", imports);
}

function createSchema(namespace: string, children: readonly string[]): string {
  const target = namespace === "" ? "" : ` targetNamespace="${escapeAttribute(namespace)}"`;
  return `<x:schema xmlns:x="${xsd}"${target}>${children.join("")}</x:schema>\n`;
}

interface InlineSchema {
  readonly path: string;
  readonly text: string;
  readonly element: XmlElement;
  readonly namespace: string;
  readonly ancestors: readonly XmlElement[];
}

function findInlineSchemas(path: string, read: ReadFile): readonly InlineSchema[] {
  const document = findRoot(path, read);
  if (document === undefined) {
    return [];
  }
  const { root, text } = document;
  return listElements(root).flatMap((types) =>
    types.localName !== "types" || types.namespace !== root.namespace
      ? []
      : listElements(types)
          .filter(({ localName, namespace }) => localName === "schema" && namespace === xsd)
          .map((element) => ({
            path,
            text,
            element,
            namespace: getAttribute(element, "targetNamespace") ?? "",
            ancestors: [root, types],
          })),
  );
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function getSchemaText(
  { path, text, element, ancestors }: InlineSchema,
  fileOfNamespace: ReadonlyMap<string, string>,
): string {
  const outerPrefixes = new Map(ancestors.flatMap(({ declarations }) => [...declarations]));
  const missingPrefixes = [...outerPrefixes].filter(([prefix]) => !element.declarations.has(prefix));
  const prefixAttributes = missingPrefixes.map(
    ([prefix, uri]) => ` xmlns${prefix === "" ? "" : `:${prefix}`}="${escapeAttribute(uri)}"`,
  );
  const edits: Edit[] = [{ start: element.nameEnd, end: element.nameEnd, text: prefixAttributes.join("") }];
  for (const child of listElements(element)) {
    if (!["import", "include", "redefine"].includes(child.localName)) {
      continue;
    }
    edits.push(...listLocationEdits(child, path, fileOfNamespace));
  }
  let result = "";
  let position = element.start;
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position, element.end);
}

function listLocationEdits(
  link: XmlElement,
  path: string,
  fileOfNamespace: ReadonlyMap<string, string>,
): readonly Edit[] {
  const inlineFile =
    link.localName === "import" ? fileOfNamespace.get(getAttribute(link, "namespace") ?? "") : undefined;
  const location = link.attributes.find(({ localName }) => localName === "schemaLocation");
  if (location === undefined) {
    const text = inlineFile === undefined ? "" : ` schemaLocation="${inlineFile}"`;
    return [{ start: link.nameEnd, end: link.nameEnd, text }];
  }
  const target = inlineFile ?? `${corpusMark}${resolveLocation(path, location.value.trim())}`;
  return [{ start: location.valueStart, end: location.valueEnd, text: escapeAttribute(target) }];
}

function findRoot(path: string, read: ReadFile): { readonly root: XmlElement; readonly text: string } | undefined {
  const file = read(path);
  if (file.kind === "problem") {
    return undefined;
  }
  try {
    const text = decodeXml(file.bytes);
    return { root: readTree(text), text };
  } catch {
    return undefined;
  }
}

function listElements(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter((child) => child.kind === "element");
}

function getAttribute(element: XmlElement, localName: string): string | undefined {
  return element.attributes.find((attribute) => attribute.localName === localName && attribute.namespace === "")?.value;
}

/** The path of the WSDL created for schemas. */
export const createdWsdlPath = "made-around-schemas.wsdl";

/**
 * Adds a WSDL to stand-alone schemas, so that code is generated for all their declarations. Its service has an
 * operation for each global element (document style) and for each global complex type (rpc style).
 */
export function withSchemaWsdl(paths: readonly string[], read: ReadFile): ReadFile {
  const bytes = new TextEncoder().encode(createWsdlOfSchemas(paths, read));
  return (path): FileRead => (path === createdWsdlPath ? { kind: "file", bytes } : read(path));
}

interface GlobalDeclaration {
  readonly namespace: string;
  readonly local: string;
  readonly attribute: "element" | "type";
}

function createWsdlOfSchemas(paths: readonly string[], read: ReadFile): string {
  const documents = paths.map((path) => ({ path, root: findRoot(path, read)?.root }));
  const globals = findReachedGlobals(documents, read);
  const imports = documents.map(({ path, root }) => {
    const namespace = root && getAttribute(root, "targetNamespace");
    const location = escapeAttribute(path.split("/").map(encodeURIComponent).join("/"));
    return `<x:import${namespace ? ` namespace="${escapeAttribute(namespace)}"` : ""} schemaLocation="${location}"/>`;
  });
  const parts = globals.map(({ namespace, local, attribute: kind }, index) => {
    const name = namespace === "" ? local : `n:${local}`;
    const prefixAttribute = namespace === "" ? "" : ` xmlns:n="${escapeAttribute(namespace)}"`;
    return `<message name="M${index}"><part name="part"${prefixAttribute} ${kind}="${escapeAttribute(name)}"/></message>`;
  });
  const operations = globals.map(
    (_, index) => `<operation name="Op${index}"><input message="t:M${index}"/></operation>`,
  );
  const boundOperations = globals.map(
    ({ attribute: kind }, index) =>
      `<operation name="Op${index}"><s:operation style="${kind === "element" ? "document" : "rpc"}"/><input><s:body use="literal"/></input></operation>`,
  );
  return `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:bothends:made" targetNamespace="urn:bothends:made" name="Made">
<w:types><x:schema targetNamespace="urn:bothends:made">${imports.join("\n")}</x:schema></w:types>
${writeWsdlTags(parts.join("\n"))}
<w:portType name="P">${writeWsdlTags(operations.join("\n"))}</w:portType>
<w:binding name="B" type="t:P"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>${writeWsdlTags(boundOperations.join("\n"))}</w:binding>
</w:definitions>`;
}

/** Adds a prefix to the names of WSDL elements, because the document has no default namespace. */
function writeWsdlTags(text: string): string {
  return text.replaceAll(/<(\/?)(message|part|operation|input)\b/g, "<$1w:$2");
}

interface SchemaDocument {
  readonly path: string;
  readonly root: XmlElement | undefined;
}

/**
 * Collects the global declarations of documents and of the documents to which they refer. A document without a
 * namespace gets that of the document that includes it.
 */
function findReachedGlobals(documents: readonly SchemaDocument[], read: ReadFile): readonly GlobalDeclaration[] {
  const globals = new Map<string, GlobalDeclaration>();
  const visitedPaths = new Set<string>();
  const visit = ({ path, root }: SchemaDocument, includer: string): void => {
    const namespace = (root && getAttribute(root, "targetNamespace")) || includer;
    const key = `${path} ${namespace}`;
    if (root === undefined || visitedPaths.has(key)) {
      return;
    }
    visitedPaths.add(key);
    for (const globalName of listGlobals(root, namespace)) {
      globals.set(JSON.stringify(globalName), globalName);
    }
    for (const child of root.children) {
      const location = child.kind === "element" ? getAttribute(child, "schemaLocation") : undefined;
      if (child.kind !== "element" || location === undefined) {
        continue;
      }
      const target = resolveLocation(path, location);
      visit({ path: target, root: findRoot(target, read)?.root }, child.localName === "import" ? "" : namespace);
    }
  };
  for (const document of documents) {
    visit(document, "");
  }
  return [...globals.values()];
}

function listGlobals(root: XmlElement, namespace: string): readonly GlobalDeclaration[] {
  return root.children.flatMap((child): readonly GlobalDeclaration[] => {
    if (child.kind !== "element" || getAttribute(child, "abstract")?.trim() === "true") {
      return [];
    }
    const local = getAttribute(child, "name")?.trim();
    if (local === undefined || local === "" || child.namespace !== root.namespace) {
      return [];
    }
    if (child.localName === "element") {
      return [{ namespace, local, attribute: "element" }];
    }
    return child.localName === "complexType" ? [{ namespace, local, attribute: "type" }] : [];
  });
}
