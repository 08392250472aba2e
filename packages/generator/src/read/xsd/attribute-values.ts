import { normalizeWhiteSpace, problemOf, type SimpleType, splitItems } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { isNCName } from "@bothends/xml";

/** The types of attributes of XSD elements (schema for schemas, XSD 1.0 Part 1 appendix A). */
export type ValueKind =
  | "anyURI"
  | "boolean"
  | "ID"
  | "NCName"
  | "QName"
  | "QNames"
  | "nonNegativeInteger"
  | "positiveInteger"
  | "maxOccurs"
  | "namespaceList"
  | "selector"
  | "field"
  | "string"
  | { readonly oneOf: readonly string[] }
  | { readonly setOf: readonly string[] };

/** Collapses white space (Part 2 §4.3.6). */
export function collapse(text: string): string {
  return normalizeWhiteSpace(text, "collapse");
}

/** Splits a whitespace-separated list. */
export function listOf(text: string): readonly string[] {
  return splitItems(text);
}

/** Describes the expected value if a text is not valid; undefined if it is. White space in `text` must be collapsed. */
export function valueProblem(kind: ValueKind, text: string): string | undefined {
  if (typeof kind === "object") {
    if ("oneOf" in kind) {
      return kind.oneOf.includes(text) ? undefined : `one of ${quoted(kind.oneOf)}`;
    }
    const items = listOf(text);
    const allowed = text === "#all" || items.every((item) => kind.setOf.includes(item));
    return allowed ? undefined : `"#all" or a list of ${quoted(kind.setOf)}`;
  }
  return checks[kind](text);
}

const checks: Readonly<Record<Extract<ValueKind, string>, (text: string) => string | undefined>> = {
  string: () => undefined,
  anyURI: (text) => (isOf(xs.anyURI, text) ? undefined : "a URI reference"),
  boolean: (text) => (isOf(xs.boolean, text) ? undefined : "true or false"),
  ID: (text) => (isNCName(text) ? undefined : "a name without a colon"),
  NCName: (text) => (isNCName(text) ? undefined : "a name without a colon"),
  QName: (text) => (isQName(text) ? undefined : "a qualified name"),
  QNames: (text) => (listOf(text).every(isQName) ? undefined : "a list of qualified names"),
  nonNegativeInteger: (text) => (isOf(xs.nonNegativeInteger, text) ? undefined : "a whole number, 0 or more"),
  positiveInteger: (text) => (isOf(xs.positiveInteger, text) ? undefined : "a whole number, 1 or more"),
  maxOccurs: (text) =>
    text === "unbounded" || isOf(xs.nonNegativeInteger, text) ? undefined : 'a whole number, 0 or more, or "unbounded"',
  namespaceList: (text) =>
    isNamespaceList(text)
      ? undefined
      : '"##any", "##other", or a list of namespaces, "##targetNamespace" and "##local"',
  selector: (text) => (isSelector(text) ? undefined : "a path to elements in the subset of XPath that XSD allows"),
  field: (text) =>
    isField(text) ? undefined : "a path to an element or attribute in the subset of XPath that XSD allows",
};

function isQName(text: string): boolean {
  const colon = text.indexOf(":");
  return colon < 0 ? isNCName(text) : isNCName(text.slice(0, colon)) && isNCName(text.slice(colon + 1));
}

function isOf(type: SimpleType<unknown>, text: string): boolean {
  return problemOf(type, text) === undefined;
}

function isNamespaceList(text: string): boolean {
  if (text === "##any" || text === "##other") {
    return true;
  }
  return listOf(text).every(
    (item) => item === "##targetNamespace" || item === "##local" || (!item.startsWith("##") && isOf(xs.anyURI, item)),
  );
}

/** Part 1 §3.11.6: `Selector ::= Path ('|' Path)*`, `Path ::= ('.//')? Step ('/' Step)*`, `Step ::= '.' | NameTest`. */
function isSelector(text: string): boolean {
  return text.split("|").every((path) => steps(path).every(isStep));
}

/** Part 1 §3.11.6: the last step of a field may be an attribute. */
function isField(text: string): boolean {
  return text.split("|").every((path) => {
    const all = steps(path);
    const last = all.at(-1) ?? "";
    const attribute = /^(?:@|attribute\s*::)\s*(.*)$/s.exec(last)?.[1];
    return all.slice(0, -1).every(isStep) && (attribute === undefined ? isStep(last) : isNameTest(attribute));
  });
}

function steps(path: string): readonly string[] {
  return path
    .replace(/^\s*\.\s*\/\//, "")
    .split("/")
    .map((step) => step.trim());
}

function isStep(step: string): boolean {
  return step === "." || isNameTest(step.replace(/^child\s*::\s*/, ""));
}

function isNameTest(test: string): boolean {
  return test === "*" || isQName(test) || (test.endsWith(":*") && isNCName(test.slice(0, -2)));
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}
