import { type FileRead, wellKnownNamespaces } from "@bothends/generator";
import { decodeXml, readTree, type XmlElement } from "@bothends/xml";

const wsdl = "http://schemas.xmlsoap.org/wsdl/";
const xsd = /^http:\/\/www\.w3\.org\/(?:1999|2000\/10|2001)\/XMLSchema$/;
const protocols: ReadonlyMap<string, "soap11" | "soap12" | "http"> = new Map([
  ["http://schemas.xmlsoap.org/wsdl/soap/", "soap11"],
  ["http://schemas.xmlsoap.org/wsdl/soap12/", "soap12"],
  ["http://schemas.xmlsoap.org/wsdl/http/", "http"],
]);
/** Namespaces of schemas that everybody has: a generator brings them along. */
const wellKnown = new Set([...wellKnownNamespaces, "http://www.w3.org/2001/XMLSchema"]);

/** A binding as the document has it: its protocol, and how often each operation's name stands in it. */
export interface SourceBinding {
  readonly name: string;
  readonly protocol: "soap11" | "soap12" | "httpGet" | "httpPost";
  readonly operations: ReadonlyMap<string, number>;
}

/** A WSDL and everything that it imports, read without the generator: what a generator must not drop. */
export interface WsdlSource {
  /** Why it is no WSDL 1.1 with all of its files; undefined: it is one. */
  readonly lacks: string | undefined;
  readonly bindings: readonly SourceBinding[];
  /** Every file that was reached. */
  readonly files: readonly string[];
}

/** Reads the bindings of a WSDL and of those that it imports. */
export function readWsdlSource(path: string, read: (path: string) => FileRead): WsdlSource {
  const reached = new Set([path]);
  const bindings: SourceBinding[] = [];
  let lacks: string | undefined;
  for (const file of reached) {
    const root = rootOf(file, read);
    if (typeof root === "string") {
      lacks ??= root;
      continue;
    }
    if (file === path && !(root.namespace === wsdl && root.localName === "definitions"))
      lacks ??= `${file} is no WSDL 1.1`;
    for (const link of links(root)) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(link.location)) {
        if (!wellKnown.has(link.namespace)) lacks ??= `${file} imports the remote ${link.location}`;
      } else {
        reached.add(joined(file, link.location));
      }
    }
    if (root.namespace === wsdl) bindings.push(...elements(root).filter(named("binding")).flatMap(bindingOf));
  }
  if (lacks === undefined && bindings.every(({ operations }) => operations.size === 0)) lacks = `${path} binds nothing`;
  return { lacks, bindings, files: [...reached] };
}

function rootOf(path: string, read: (path: string) => FileRead): XmlElement | string {
  const file = read(path);
  if (file.kind === "problem") return `${path} is not there`;
  try {
    return readTree(decodeXml(file.bytes));
  } catch (error) {
    return `${path} is not well-formed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function links(root: XmlElement): readonly { readonly location: string; readonly namespace: string }[] {
  const inSchema = ["import", "include", "redefine"];
  const found: { location: string; namespace: string }[] = [];
  const visit = (element: XmlElement): void => {
    for (const child of elements(element)) {
      const own = element.namespace === wsdl && child.namespace === wsdl && child.localName === "import";
      const schemas = xsd.test(child.namespace) && inSchema.includes(child.localName);
      const location = attribute(child, own ? "location" : "schemaLocation");
      if ((own || schemas) && location !== undefined) {
        found.push({ location: location.trim().replaceAll("\\", "/"), namespace: attribute(child, "namespace") ?? "" });
      }
      if (child.namespace === wsdl || (xsd.test(child.namespace) && child.localName === "schema")) visit(child);
    }
  };
  visit(root);
  return found;
}

function bindingOf(binding: XmlElement): readonly SourceBinding[] {
  const extension = elements(binding).find((child) => child.localName === "binding" && protocols.has(child.namespace));
  const family = extension && protocols.get(extension.namespace);
  if (extension === undefined || family === undefined) return [];
  const verb = attribute(extension, "verb")?.trim().toUpperCase();
  if (family === "http" && verb !== "GET" && verb !== "POST") return [];
  const operations = new Map<string, number>();
  for (const operation of elements(binding).filter(named("operation"))) {
    const name = attribute(operation, "name") ?? "";
    operations.set(name, (operations.get(name) ?? 0) + 1);
  }
  const protocol = family !== "http" ? family : verb === "GET" ? "httpGet" : "httpPost";
  return [{ name: attribute(binding, "name") ?? "", protocol, operations }];
}

function elements(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter((child) => child.kind === "element");
}

function named(localName: string): (element: XmlElement) => boolean {
  return (element) => element.namespace === wsdl && element.localName === localName;
}

function attribute(element: XmlElement, localName: string): string | undefined {
  return element.attributes.find((one) => one.localName === localName && one.namespace === "")?.value;
}

/** A location beside a file: `../c.xsd` beside `a/b.wsdl` is `c.xsd`. */
export function joined(from: string, location: string): string {
  const steps = from.split("/").slice(0, -1);
  for (const step of decodedPercent(location).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}

function decodedPercent(location: string): string {
  try {
    return decodeURIComponent(location);
  } catch {
    return location;
  }
}
