import type { ReadFile } from "@bothends/generator";
import { decodeXml, escapeAttribute, readTree, type XmlElement } from "@bothends/xml";
import { joined } from "./wsdl-source.js";

const xsd = "http://www.w3.org/2001/XMLSchema";

/** The schemas of a source as files for a validator outside: `driver.xsd` imports them all. */
export interface OutsideSchema {
  /** By name; `locations` of other files are relative to the corpus, and marked so. */
  readonly files: ReadonlyMap<string, string>;
  /** The namespaces that it describes; drafts of XSD are not for validators. */
  readonly namespaces: ReadonlySet<string>;
}

/** What stands for the folder of the corpus in locations. */
export const corpusMark = "bothends-corpus:";

/** The schemas inside WSDLs, each as a file of its own: prefixes declared around it come along, and its locations lead where they led. */
export function wsdlSchemas(paths: readonly string[], read: ReadFile): OutsideSchema {
  const inline = paths.flatMap((path) => inlineSchemas(path, read));
  const byNamespace = new Map<string, string[]>();
  inline.forEach(({ namespace }, index) => {
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), `inline-${index}.xsd`]);
  });
  const files = new Map<string, string>();
  const entry = new Map<string, string>();
  for (const [namespace, names] of byNamespace) {
    const [only = "", ...others] = names;
    const name = others.length === 0 ? only : `all-of-${entry.size}.xsd`;
    entry.set(namespace, name);
    if (others.length > 0)
      files.set(
        name,
        schemaOf(
          namespace,
          names.map((one) => `<x:include schemaLocation="${one}"/>`),
        ),
      );
  }
  for (const [namespace, file] of importedSchemas(paths, read)) {
    if (!entry.has(namespace)) entry.set(namespace, file);
  }
  inline.forEach((schema, index) => {
    files.set(`inline-${index}.xsd`, schemaText(schema, entry));
  });
  return { files: new Map([...files, ["driver.xsd", driver(entry)]]), namespaces: new Set(entry.keys()) };
}

/** Schema documents of their own. */
export function fileSchemas(paths: readonly string[], read: ReadFile): OutsideSchema {
  const entry = importedSchemas(paths, read);
  return {
    files: new Map([["driver.xsd", driver(entry)]]),
    namespaces: new Set(entry.map(([namespace]) => namespace)),
  };
}

/** The files among some that are schemas, by namespace. */
function importedSchemas(
  paths: readonly string[],
  read: ReadFile,
): readonly (readonly [namespace: string, file: string])[] {
  return paths.flatMap((path) => {
    const root = rootOf(path, read)?.root;
    if (root?.namespace !== xsd) return [];
    return [[attribute(root, "targetNamespace") ?? "", `${corpusMark}${path}`] as const];
  });
}

function driver(entries: Iterable<readonly [namespace: string, file: string]>): string {
  const imports = [...entries].map(
    ([namespace, file]) =>
      `<x:import${namespace === "" ? "" : ` namespace="${escapeAttribute(namespace)}"`} schemaLocation="${escapeAttribute(file)}"/>`,
  );
  return schemaOf("urn:bothends:driver", imports);
}

function schemaOf(namespace: string, children: readonly string[]): string {
  const target = namespace === "" ? "" : ` targetNamespace="${escapeAttribute(namespace)}"`;
  return `<x:schema xmlns:x="${xsd}"${target}>${children.join("")}</x:schema>\n`;
}

interface InlineSchema {
  readonly path: string;
  readonly text: string;
  readonly element: XmlElement;
  readonly namespace: string;
  readonly around: readonly XmlElement[];
}

function inlineSchemas(path: string, read: ReadFile): readonly InlineSchema[] {
  const document = rootOf(path, read);
  if (document === undefined) return [];
  const { root, text } = document;
  return elements(root).flatMap((types) =>
    types.localName !== "types" || types.namespace !== root.namespace
      ? []
      : elements(types)
          .filter(({ localName, namespace }) => localName === "schema" && namespace === xsd)
          .map((element) => ({
            path,
            text,
            element,
            namespace: attribute(element, "targetNamespace") ?? "",
            around: [root, types],
          })),
  );
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function schemaText({ path, text, element, around }: InlineSchema, entry: ReadonlyMap<string, string>): string {
  const declared = new Map(around.flatMap(({ declarations }) => [...declarations]));
  const missing = [...declared].filter(([prefix]) => !element.declarations.has(prefix));
  const prefixes = missing.map(
    ([prefix, uri]) => ` xmlns${prefix === "" ? "" : `:${prefix}`}="${escapeAttribute(uri)}"`,
  );
  const edits: Edit[] = [{ start: element.nameEnd, end: element.nameEnd, text: prefixes.join("") }];
  for (const child of elements(element)) {
    if (!["import", "include", "redefine"].includes(child.localName)) continue;
    edits.push(...locationEdits(child, path, entry));
  }
  let result = "";
  let at = element.start;
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at, element.end);
}

function locationEdits(link: XmlElement, path: string, entry: ReadonlyMap<string, string>): readonly Edit[] {
  const inline = link.localName === "import" ? entry.get(attribute(link, "namespace") ?? "") : undefined;
  const location = link.attributes.find(({ localName }) => localName === "schemaLocation");
  if (location === undefined) {
    const text = inline === undefined ? "" : ` schemaLocation="${inline}"`;
    return [{ start: link.nameEnd, end: link.nameEnd, text }];
  }
  const target = inline ?? `${corpusMark}${joined(path, location.value.trim())}`;
  return [{ start: location.valueStart, end: location.valueEnd, text: escapeAttribute(target) }];
}

function rootOf(path: string, read: ReadFile): { readonly root: XmlElement; readonly text: string } | undefined {
  const file = read(path);
  if (file.kind === "problem") return undefined;
  try {
    const text = decodeXml(file.bytes);
    return { root: readTree(text), text };
  } catch {
    return undefined;
  }
}

function elements(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter((child) => child.kind === "element");
}

function attribute(element: XmlElement, localName: string): string | undefined {
  return element.attributes.find((one) => one.localName === localName && one.namespace === "")?.value;
}
