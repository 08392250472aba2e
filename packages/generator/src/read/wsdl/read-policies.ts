import type { XmlElement } from "@bothends/xml";
import type { WsdlElement } from "./wsdl-element.js";

const policyNamespaces: ReadonlySet<string> = new Set([
  "http://schemas.xmlsoap.org/ws/2002/12/policy",
  "http://schemas.xmlsoap.org/ws/2004/09/policy",
  "http://www.w3.org/2006/07/ws-policy",
  "http://www.w3.org/ns/ws-policy",
]);

/**
 * Reads the assertions of the policies that are attached to an element or to elements in it (Web Services Policy 1.5, Attachment §4),
 * each by its name with its attributes: `UsernameToken [IncludeToken=…]`, `TransportBinding`. Alternatives are not distinguished.
 */
export function readPolicies(parent: WsdlElement): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<XmlElement>();
  const pending = [parent.element];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    for (const policy of [...policiesIn(element), ...referencedPolicies(element, parent.root)]) {
      addAssertions(policy, { found, seen, root: parent.root });
    }
    pending.push(...elementsIn(element).filter((each) => !policyNamespaces.has(each.namespace)));
  }
  return [...found].sort();
}

interface Collection {
  readonly found: Set<string>;
  readonly seen: Set<XmlElement>;
  readonly root: XmlElement;
}

function addAssertions(policy: XmlElement, { found, seen, root }: Collection): void {
  const pending = [policy];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    if (seen.has(element)) {
      continue;
    }
    seen.add(element);
    if (!policyNamespaces.has(element.namespace)) {
      found.add(assertionText(element));
    } else if (element.localName === "PolicyReference") {
      pending.push(...policiesNamed([attributeOf(element, "URI") ?? ""], root));
    }
    pending.push(...elementsIn(element));
  }
}

function assertionText(element: XmlElement): string {
  const attributes = element.attributes
    .filter(({ namespace }) => namespace !== "http://www.w3.org/2000/xmlns/")
    .map(({ localName, value }) => `${localName}=${value.trim()}`)
    .sort();
  return attributes.length === 0 ? element.localName : `${element.localName} [${attributes.join(", ")}]`;
}

function policiesIn(element: XmlElement): readonly XmlElement[] {
  return elementsIn(element).filter(
    ({ localName, namespace }) => localName === "Policy" && policyNamespaces.has(namespace),
  );
}

/** The policies of the document that an element refers to, by elements or by the attribute `PolicyURIs`. */
function referencedPolicies(element: XmlElement, root: XmlElement): readonly XmlElement[] {
  const references = elementsIn(element)
    .filter(({ localName, namespace }) => localName === "PolicyReference" && policyNamespaces.has(namespace))
    .map((each) => attributeOf(each, "URI") ?? "");
  const listed = element.attributes
    .filter(({ localName, namespace }) => localName === "PolicyURIs" && policyNamespaces.has(namespace))
    .flatMap(({ value }) => value.split(/\s+/));
  const names = [...references, ...listed];
  return names.length === 0 ? [] : policiesNamed(names, root);
}

function policiesNamed(references: readonly string[], root: XmlElement): readonly XmlElement[] {
  return policiesIn(root).filter((policy) => {
    const names = ["Id", "id"].flatMap((name) => attributeOf(policy, name) ?? []).map((id) => `#${id}`);
    return [...names, attributeOf(policy, "Name") ?? ""].some((name) => name !== "" && references.includes(name));
  });
}

/** The value of an attribute, whatever its namespace: `wsu:Id`, `xml:id`. */
function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.attributes.find(({ localName }) => localName === name)?.value.trim();
}

function elementsIn(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child.kind === "element");
}
