import {
  type Contract,
  type Endpoint,
  type FileRead,
  type Operation,
  type SoapInterface,
  wellKnownNamespaces,
} from "@bothends/generator";
import { findDanglingReferences } from "./dangling-references.js";
import type { JobProblem } from "./job.js";
import { type OutsideElement, parseOutside } from "./outside-xml.js";

const wsdl = "http://schemas.xmlsoap.org/wsdl/";
const xsd = /^http:\/\/www\.w3\.org\/(?:1999|2000\/10|2001)\/XMLSchema$/;
const protocols: ReadonlyMap<string, "soap11" | "soap12" | "http"> = new Map([
  ["http://schemas.xmlsoap.org/wsdl/soap/", "soap11"],
  ["http://schemas.xmlsoap.org/wsdl/soap12/", "soap12"],
  ["http://schemas.xmlsoap.org/wsdl/http/", "http"],
]);
/** The namespaces of well-known schemas, which the generator contains. */
const knownNamespaces = new Set([...wellKnownNamespaces, "http://www.w3.org/2001/XMLSchema"]);

/** A binding: its protocol, and the number of operations with each name. */
export interface SourceBinding {
  readonly name: string;
  readonly protocol: "soap11" | "soap12" | "httpGet" | "httpPost";
  readonly operations: ReadonlyMap<string, number>;
}

/** The parts of a WSDL and its imports that the generator must not drop, read without the generator. */
export interface WsdlSource {
  /** The reason why the source is not a complete WSDL 1.1; undefined if it is complete. */
  readonly incompleteReason: string | undefined;
  readonly bindings: readonly SourceBinding[];
  /** The unresolved references: `type t:Code`. */
  readonly danglingReferences: readonly string[];
  /** The paths of all files that were read. */
  readonly files: readonly string[];
}

/** Reads the bindings of a WSDL and of those that it imports. */
export function readWsdlSource(path: string, read: (path: string) => FileRead): WsdlSource {
  const visitedPaths = new Set([path]);
  const bindings: SourceBinding[] = [];
  const roots: OutsideElement[] = [];
  let incompleteReason: string | undefined;
  for (const file of visitedPaths) {
    const root = getRoot(file, read);
    if (typeof root === "string") {
      incompleteReason ??= root;
      continue;
    }
    roots.push(root);
    if (file === path && !(root.namespace === wsdl && root.localName === "definitions")) {
      incompleteReason ??= `${file} is not a WSDL 1.1 document`;
    }
    for (const link of listLinks(root)) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(link.location)) {
        if (!knownNamespaces.has(link.namespace)) {
          incompleteReason ??= `${file} imports ${link.location} from the network`;
        }
      } else {
        visitedPaths.add(resolveLocation(file, link.location));
      }
    }
    if (root.namespace === wsdl) {
      bindings.push(...listElements(root).filter(hasName("binding")).flatMap(listBindings));
    }
  }
  if (incompleteReason === undefined && bindings.every(({ operations }) => operations.size === 0)) {
    incompleteReason = `${path} has no binding with operations`;
  }
  return { incompleteReason, bindings, danglingReferences: findDanglingReferences(roots), files: [...visitedPaths] };
}

function getRoot(path: string, read: (path: string) => FileRead): OutsideElement | string {
  const file = read(path);
  if (file.kind === "problem") {
    return `${path} does not exist`;
  }
  try {
    return parseOutside(file.bytes);
  } catch (error) {
    return `${path} is not well-formed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function listLinks(root: OutsideElement): readonly { readonly location: string; readonly namespace: string }[] {
  const schemaLinkNames = ["import", "include", "redefine"];
  const foundLinks: { location: string; namespace: string }[] = [];
  const visit = (element: OutsideElement): void => {
    for (const child of listElements(element)) {
      const isImport = element.namespace === wsdl && child.namespace === wsdl && child.localName === "import";
      const isSchemaLink = xsd.test(child.namespace) && schemaLinkNames.includes(child.localName);
      const location = getAttribute(child, isImport ? "location" : "schemaLocation");
      if ((isImport || isSchemaLink) && location !== undefined) {
        foundLinks.push({
          location: location.trim().replaceAll("\\", "/"),
          namespace: getAttribute(child, "namespace") ?? "",
        });
      }
      if (child.namespace === wsdl || (xsd.test(child.namespace) && child.localName === "schema")) {
        visit(child);
      }
    }
  };
  visit(root);
  return foundLinks;
}

function listBindings(binding: OutsideElement): readonly SourceBinding[] {
  const extension = listElements(binding).find(
    (child) => child.localName === "binding" && protocols.has(child.namespace),
  );
  const protocolFamily = extension && protocols.get(extension.namespace);
  if (extension === undefined || protocolFamily === undefined) {
    return [];
  }
  const verb = getAttribute(extension, "verb")?.trim().toUpperCase();
  if (protocolFamily === "http" && verb !== "GET" && verb !== "POST") {
    return [];
  }
  const operations = new Map<string, number>();
  for (const operation of listElements(binding).filter(hasName("operation"))) {
    const name = getAttribute(operation, "name") ?? "";
    operations.set(name, (operations.get(name) ?? 0) + 1);
  }
  const protocol = protocolFamily !== "http" ? protocolFamily : verb === "GET" ? "httpGet" : "httpPost";
  return [{ name: getAttribute(binding, "name") ?? "", protocol, operations }];
}

function listElements(parent: OutsideElement): readonly OutsideElement[] {
  return parent.children;
}

function hasName(localName: string): (element: OutsideElement) => boolean {
  return (element) => element.namespace === wsdl && element.localName === localName;
}

function getAttribute(element: OutsideElement, localName: string): string | undefined {
  return element.attributes.find((attribute) => attribute.localName === localName && attribute.namespace === "")?.value;
}

/** Resolves a location in a file: `../c.xsd` in `a/b.wsdl` is `c.xsd`. */
export function resolveLocation(path: string, location: string): string {
  const segments = path.split("/").slice(0, -1);
  for (const segment of decodePercent(location).split("/")) {
    if (segment === "..") {
      segments.pop();
    } else if (segment !== "" && segment !== ".") {
      segments.push(segment);
    }
  }
  return segments.join("/");
}

function decodePercent(location: string): string {
  try {
    return decodeURIComponent(location);
  } catch {
    return location;
  }
}

/** Lists the operations in a source's bindings that are missing in the contract. */
export function listDroppedOperations(bindings: readonly SourceBinding[], contract: Contract): readonly JobProblem[] {
  const soap = contract.interfaces.filter((lowered): lowered is SoapInterface => lowered.kind === "soap");
  const operations = soap.flatMap(({ services }) => services.map((service) => service.operations));
  return bindings.flatMap((binding) => {
    const missingOperations = [...binding.operations].filter(
      ([name, count]) => computeHighestCount(name, binding, operations) < count,
    );
    return missingOperations.map(([name]) => ({
      kind: "dropped.operation",
      text: `Operation "${name}" of binding "${binding.name}" (${binding.protocol}) was dropped.`,
    }));
  });
}

/** Returns the maximum number of operations with a name that one service has in the protocol of a binding. */
function computeHighestCount(
  name: string,
  { protocol }: SourceBinding,
  services: readonly (readonly Operation[])[],
): number {
  const counts = services.map(
    (operations) =>
      operations.filter((operation) => operation.name === name && operation.bindings[protocol] !== undefined).length,
  );
  return Math.max(0, ...counts);
}

/** Lists the endpoints in an index that are missing in the contract. */
export function listDroppedEndpoints(index: unknown, contract: Contract): readonly JobProblem[] {
  const endpoints = contract.interfaces.flatMap((lowered) => (lowered.kind === "rest" ? lowered.endpoints : []));
  const contractEndpoints = new Set(
    endpoints.flatMap(({ route, methods }) => methods.map((method) => `${method} ${route}`)),
  );
  const dropped = listEndpoints(index).filter((endpoint) => !contractEndpoints.has(endpoint));
  return [
    ...dropped.map((endpoint) => ({ kind: "dropped.endpoint", text: `Endpoint ${endpoint} was dropped.` })),
    ...listSharedNames(endpoints),
  ];
}

function listEndpoints(index: unknown): readonly string[] {
  const routes = getMember(index, "routes") ?? index;
  if (typeof routes !== "object" || routes === null) {
    return [];
  }
  return Object.entries(routes).flatMap(([route, value]: [string, unknown]) => {
    const endpoints = getMember(value, "endpoints");
    const methods = Array.isArray(endpoints) ? endpoints.flatMap((described) => getMember(described, "methods")) : [];
    return methods.filter((method) => typeof method === "string").map((method) => `${method} ${route}`);
  });
}

function listSharedNames(endpoints: readonly Endpoint[]): readonly JobProblem[] {
  const names = endpoints.map(({ operation }) => operation.join("."));
  return names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => ({ kind: "shared.name", text: `Two endpoints are called ${name}.` }));
}

function getMember(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
