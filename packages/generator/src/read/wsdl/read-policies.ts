import type { XmlElement } from "@bothends/xml";
import { compareText, getNameSpan, type SpannedText } from "../../source/span.js";
import type { WsdlElement } from "./wsdl-element.js";

const policyNamespaces: ReadonlySet<string> = new Set([
  "http://schemas.xmlsoap.org/ws/2002/12/policy",
  "http://schemas.xmlsoap.org/ws/2004/09/policy",
  "http://www.w3.org/2006/07/ws-policy",
  "http://www.w3.org/ns/ws-policy",
]);

/**
 * The maximum number of elements to read in the policies of one element. Without a limit, policies that refer to each
 * other could expand to a huge number of elements.
 */
const maxAssertions = 1_000;

/**
 * Reads the assertions in the policies of an element and its descendants (Web Services Policy 1.5, Attachment §4). An
 * assertion is a path of names with their attributes: `TransportBinding/TransportToken/HttpsToken`. Alternatives
 * (Framework §4.3.3) become one string, in sorted order: `one of (UsernameToken | X509Token)`. An optional assertion
 * becomes `one of (X509Token | nothing)`.
 */
export function readPolicies(parent: WsdlElement): readonly SpannedText[] {
  const assertions = new Map<string, XmlElement>();
  const pendingElements = [parent.element];
  for (let element = pendingElements.pop(); element !== undefined; element = pendingElements.pop()) {
    for (const policy of [...listPoliciesIn(element), ...listReferencedPolicies(element, parent.root)]) {
      for (const assertion of listAssertionsIn(policy, {
        root: parent.root,
        enclosingElements: new Set(),
        budget: { items: maxAssertions },
      })) {
        if (!assertions.has(assertion.text)) {
          assertions.set(assertion.text, assertion.element);
        }
      }
    }
    pendingElements.push(...listElementsIn(element).filter((element) => !policyNamespaces.has(element.namespace)));
  }
  return [...assertions].map(([text, element]) => ({ text, span: getNameSpan(parent.source, element) }));
}

/** An assertion, and its innermost element. */
interface Assertion {
  readonly text: string;
  readonly element: XmlElement;
}

interface PolicyContext {
  readonly root: XmlElement;
  /** The elements that enclose the current one. A reference to a policy among them is not followed again. */
  readonly enclosingElements: ReadonlySet<XmlElement>;
  readonly budget: { items: number };
}

/** Reads the assertions in `wsp:Policy`, `wsp:All` or another assertion. All of them apply together. */
function listAssertionsIn(element: XmlElement, context: PolicyContext): readonly Assertion[] {
  const { enclosingElements, budget: remainingBudget } = context;
  if (enclosingElements.has(element) || remainingBudget.items <= 0) {
    return [];
  }
  remainingBudget.items -= 1;
  const innerContext = { ...context, enclosingElements: new Set(enclosingElements).add(element) };
  const assertions = listElementsIn(element).flatMap((child) => listAssertions(child, innerContext));
  const assertionsByText = new Map(assertions.map((assertion) => [assertion.text, assertion]));
  return [...assertionsByText.values()].sort((left, right) => compareText(left.text, right.text));
}

function listAssertions(element: XmlElement, context: PolicyContext): readonly Assertion[] {
  if (!policyNamespaces.has(element.namespace)) {
    return listAssertionPaths(element, context);
  }
  switch (element.localName) {
    case "PolicyReference":
      return findPolicies([findInAnyNamespace(element, "URI") ?? ""], context.root).flatMap((policy) =>
        listAssertionsIn(policy, context),
      );
    case "ExactlyOne":
    case "OneOrMore":
      return listAlternatives(
        element,
        listElementsIn(element).map((child) => listAssertions(child, context)),
      );
    default:
      return listAssertionsIn(element, context);
  }
}

/** Formats alternatives as one string; returns the assertions unchanged if there is only one alternative. */
function listAlternatives(element: XmlElement, choices: readonly (readonly Assertion[])[]): readonly Assertion[] {
  const choiceTexts = new Set(
    choices.map((choice) => (choice.length === 0 ? "nothing" : choice.map(({ text }) => text).join(", "))),
  );
  return choiceTexts.size > 1
    ? [{ text: `one of (${[...choiceTexts].sort().join(" | ")})`, element }]
    : (choices[0] ?? []);
}

function listAssertionPaths(element: XmlElement, context: PolicyContext): readonly Assertion[] {
  const text = formatAssertion(element);
  const innerAssertions = listAssertionsIn(element, context);
  const paths =
    innerAssertions.length === 0
      ? [{ text, element }]
      : innerAssertions.map((inner) => ({ text: `${text}/${inner.text}`, element: inner.element }));
  const isOptional = element.attributes.some(
    ({ localName, namespace, value }) =>
      localName === "Optional" && policyNamespaces.has(namespace) && /^\s*(?:true|1)\s*$/.test(value),
  );
  return isOptional ? listAlternatives(element, [paths, []]) : paths;
}

function formatAssertion(element: XmlElement): string {
  const attributes = element.attributes
    .filter(({ namespace }) => namespace !== "http://www.w3.org/2000/xmlns/")
    .filter(({ localName, namespace }) => !(localName === "Optional" && policyNamespaces.has(namespace)))
    .map(({ localName, value }) => `${localName}=${value.trim()}`)
    .sort();
  return attributes.length === 0 ? element.localName : `${element.localName} [${attributes.join(", ")}]`;
}

function listPoliciesIn(element: XmlElement): readonly XmlElement[] {
  return listElementsIn(element).filter(
    ({ localName, namespace }) => localName === "Policy" && policyNamespaces.has(namespace),
  );
}

/**
 * Returns the policies that an element refers to with `PolicyReference` or the attribute `PolicyURIs`, if they are in
 * the same document.
 */
function listReferencedPolicies(element: XmlElement, root: XmlElement): readonly XmlElement[] {
  const references = listElementsIn(element)
    .filter(({ localName, namespace }) => localName === "PolicyReference" && policyNamespaces.has(namespace))
    .map((element) => findInAnyNamespace(element, "URI") ?? "");
  const attributeReferences = element.attributes
    .filter(({ localName, namespace }) => localName === "PolicyURIs" && policyNamespaces.has(namespace))
    .flatMap(({ value }) => value.split(/\s+/));
  const names = [...references, ...attributeReferences];
  return names.length === 0 ? [] : findPolicies(names, root);
}

function findPolicies(references: readonly string[], root: XmlElement): readonly XmlElement[] {
  return listPoliciesIn(root).filter((policy) => {
    const names = ["Id", "id"].flatMap((name) => findInAnyNamespace(policy, name) ?? []).map((id) => `#${id}`);
    return [...names, findInAnyNamespace(policy, "Name") ?? ""].some(
      (name) => name !== "" && references.includes(name),
    );
  });
}

/** Returns the value of the attribute with this local name in any namespace, such as `wsu:Id` or `xml:id`. */
function findInAnyNamespace(element: XmlElement, name: string): string | undefined {
  return element.attributes.find(({ localName }) => localName === name)?.value.trim();
}

function listElementsIn(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child.kind === "element");
}
