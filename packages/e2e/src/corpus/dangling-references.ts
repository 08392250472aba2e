// Checks whether every reference in a WSDL and its imported documents resolves, with an independent parser.
import { builtinDatatypes } from "@bothends/datatypes/definitions";
import { wellKnownNamespaces } from "@bothends/generator";
import type { OutsideElement } from "./outside-xml.js";

const wsdl = "http://schemas.xmlsoap.org/wsdl/";
const xmlns = "http://www.w3.org/2000/xmlns/";
const isSchemaNamespace = (namespace: string) =>
  /^http:\/\/www\.w3\.org\/(?:1999|2000\/10|2001)\/XMLSchema$/.test(namespace);
const isSoap = (namespace: string) => /^http:\/\/schemas\.xmlsoap\.org\/wsdl\/soap(?:12)?\/$/.test(namespace);
/** The namespaces of schemas that the generator contains. References to their components are not checked. */
const knownNamespaces = new Set([...wellKnownNamespaces, "http://www.w3.org/XML/1998/namespace"]);

const builtinNames: ReadonlySet<string> = new Set([
  ...builtinDatatypes.map(({ name }) => name),
  "anyType",
  "anySimpleType",
]);

type Kind =
  | "message"
  | "portType"
  | "operation"
  | "binding"
  | "type"
  | "element"
  | "attribute"
  | "group"
  | "attributeGroup";

/** The kinds of components that a document can define, by the local name of the element. */
const definedKinds: ReadonlyMap<string, Kind> = new Map([
  ...(["message", "portType", "binding", "element", "attribute", "group", "attributeGroup"] as const).map(
    (kind) => [kind, kind] as const,
  ),
  ["complexType", "type"],
  ["simpleType", "type"],
]);

interface Scope {
  readonly prefixes: ReadonlyMap<string, string>;
  readonly targetNamespace: string;
}

interface Reference {
  readonly kind: Kind;
  readonly text: string;
  readonly scope: Scope;
}

/** Lists the unresolved references, each once: `type t:Code`. */
export function findDanglingReferences(roots: readonly OutsideElement[]): readonly string[] {
  const definedNames = new Set<string>();
  const references: Reference[] = [];
  for (const root of roots) {
    visit(root, { prefixes: new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]), targetNamespace: "" });
  }
  return [...new Set(references.filter(isDangling).map(({ kind, text }) => `${kind} ${text}`))];

  function visit(element: OutsideElement, outerScope: Scope): void {
    const innerScope = getScope(element, outerScope);
    references.push(...listReferences(element).map(([kind, text]) => ({ kind, text, scope: innerScope })));
    const isIncludable = roots.includes(element) && element.localName === "schema" && innerScope.targetNamespace === "";
    const isContainer = element.localName === "definitions" || ["schema", "redefine"].includes(element.localName);
    for (const child of element.children) {
      const kind = isContainer && child.namespace === element.namespace ? definedKinds.get(child.localName) : undefined;
      if (kind !== undefined) {
        const name = findAttribute(child, "name")?.trim();
        definedNames.add(`${kind} {${innerScope.targetNamespace}}${name}`).add(`${kind} ${name}`);
        for (const operation of kind === "portType" ? listOperations(child) : []) {
          definedNames.add(`operation {${innerScope.targetNamespace}}${name}/${operation}`);
        }
        if (isIncludable) {
          definedNames.add(`${kind} *${name}`);
        }
      }
      visit(child, innerScope);
    }
  }

  function isDangling({ kind, text, scope: { prefixes, targetNamespace } }: Reference): boolean {
    const [prefix, local] = text.includes(":") ? text.split(":", 2) : ["", text];
    const namespace = prefixes.get(prefix ?? "");
    if (namespace === undefined && prefix !== "") {
      return true;
    }
    if (namespace !== undefined && isSchemaNamespace(namespace)) {
      return kind === "type" ? !builtinNames.has(local ?? "") : kind === "element" && local !== "schema";
    }
    if (namespace !== undefined && knownNamespaces.has(namespace)) {
      return false;
    }
    // A name without a prefix may refer to the target namespace. A document without a namespace may be included in any
    // document, whose names may then refer to its components.
    const names = [
      `{${namespace ?? ""}}${local}`,
      ...(prefix === "" ? [`{${targetNamespace}}${local}`] : []),
      ...(targetNamespace === "" && prefix === "" ? [local] : []),
      `*${local}`,
    ];
    return !names.some((name) => definedNames.has(`${kind} ${name}`));
  }
}

function getScope(element: OutsideElement, outerScope: Scope): Scope {
  const declarations = element.attributes.filter(({ namespace }) => namespace === xmlns);
  const prefixes =
    declarations.length === 0
      ? outerScope.prefixes
      : new Map([
          ...outerScope.prefixes,
          ...declarations.map(({ localName, value }) => [localName === "xmlns" ? "" : localName, value] as const),
        ]);
  const isDocument = element.localName === "definitions" || element.localName === "schema";
  return {
    prefixes,
    targetNamespace: isDocument ? (findAttribute(element, "targetNamespace") ?? "").trim() : outerScope.targetNamespace,
  };
}

/** Lists the references in the attributes of an element, each with the kind of component. */
function listReferences(element: OutsideElement): readonly (readonly [Kind, string])[] {
  const { namespace, localName } = element;
  const findReferences = (name: string, referredKind: Kind) =>
    (findAttribute(element, name) ?? "")
      .split(/\s+/)
      .filter((text) => text !== "")
      .map((text): readonly [Kind, string] => [referredKind, text]);
  if (namespace === wsdl) {
    switch (localName) {
      case "part":
        return [...findReferences("element", "element"), ...findReferences("type", "type")];
      case "binding":
        return findReferences("type", "portType").flatMap((reference) => [
          reference,
          ...listOperations(element).map((operation): readonly [Kind, string] => [
            "operation",
            `${reference[1]}/${operation}`,
          ]),
        ]);
      case "port":
        return findReferences("binding", "binding");
      case "input":
      case "output":
      case "fault":
        return findReferences("message", "message");
      default:
        return [];
    }
  }
  if (isSoap(namespace)) {
    return localName === "header" || localName === "headerfault" ? findReferences("message", "message") : [];
  }
  if (!isSchemaNamespace(namespace)) {
    return [];
  }
  const kind = definedKinds.get(localName);
  return [
    ...findReferences("type", "type"),
    ...findReferences("base", "type"),
    ...findReferences("itemType", "type"),
    ...findReferences("memberTypes", "type"),
    ...findReferences("substitutionGroup", "element"),
    ...(kind === undefined ? [] : findReferences("ref", kind)),
  ];
}

/** Returns the names of the operations of a port type or a binding. */
function listOperations({ children }: OutsideElement): readonly string[] {
  const operations = children.filter(({ namespace, localName }) => namespace === wsdl && localName === "operation");
  return operations.map((operation) => (findAttribute(operation, "name") ?? "").trim());
}

function findAttribute(element: OutsideElement, localName: string): string | undefined {
  return element.attributes.find((attribute) => attribute.localName === localName && attribute.namespace === "")?.value;
}
