import { findProblem, normalizeWhiteSpace, type SimpleType, splitItems } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { getTextContent, isNCName, type XmlElement, type XmlTreeAttribute } from "@bothends/xml";
import type { Code } from "../../source/catalogue/index.js";
import { type Diagnostics, formatQuotedList } from "../../source/diagnostics.js";
import { shortenDescription } from "../../source/source-limits.js";
import { getNameSpan, type SourceText, type Span, type SpannedText } from "../../source/span.js";
import { isXsdNamespace, type QName, xsdNamespace } from "../../source/xml-names.js";
import type { Reference } from "./documents.js";

/** The settings of a schema document that apply to its elements. */
export interface DocumentContext {
  readonly source: SourceText;
  readonly diagnostics: Diagnostics;
  readonly descriptionChars: number;
  readonly targetNamespace: string | undefined;
  readonly elementsQualified: boolean;
  readonly attributesQualified: boolean;
  readonly blockDefault: string;
  readonly finalDefault: string;
  /** The namespaces of the references that have been read so far. */
  readonly referencedNamespaces: Set<string>;
  readonly corrections: Corrections;
}

/** The corrections of misspelled names and values. The misspellings have been reported. */
export interface Corrections {
  readonly elements: ReadonlyMap<XmlElement, string>;
  readonly attributes: ReadonlyMap<XmlTreeAttribute, Correction>;
}

/** The correct name and value of an attribute. If `value` is undefined, the attribute is ignored. */
export interface Correction {
  readonly name: string;
  readonly value: string | undefined;
}

const noDerivations: ReadonlySet<never> = new Set();

/** An XSD element. Invalid attributes and children, which `checkGrammar` has reported, are treated as absent. */
export class XsdElement {
  readonly element: XmlElement;
  readonly context: DocumentContext;
  #children: readonly XsdElement[] | undefined;

  constructor(element: XmlElement, context: DocumentContext) {
    this.element = element;
    this.context = context;
  }

  get localName(): string {
    return this.context.corrections.elements.get(this.element) ?? this.element.localName;
  }

  get span(): Span {
    return getNameSpan(this.context.source, this.element);
  }

  get documentation(): string | undefined {
    return shortenDescription(findDocumentation(this.element), this.context.descriptionChars);
  }

  /** The children in the XSD namespace, without annotations. */
  get children(): readonly XsdElement[] {
    this.#children ??= this.#readChildren();
    return this.#children;
  }

  findChild(...names: readonly string[]): XsdElement | undefined {
    return this.children.find((child) => names.includes(child.localName));
  }

  findAttribute(localName: string, namespace = ""): XmlTreeAttribute | undefined {
    return namespace === ""
      ? findCorrectedAttribute(this.element, localName, this.context.corrections)
      : this.element.attributes.find(
          (attribute) => attribute.localName === localName && attribute.namespace === namespace,
        );
  }

  /** Whether the element has an attribute, even if its value is invalid and therefore ignored. */
  has(localName: string): boolean {
    return findAttribute(this.element, localName, this.context.corrections) !== undefined;
  }

  /** Returns the value of an attribute, with collapsed white space. */
  findValue(localName: string): SpannedText | undefined {
    const attribute = this.findAttribute(localName);
    return attribute && { text: collapse(attribute.value), span: this.getValueSpan(attribute) };
  }

  /** Returns the value of an attribute with its original white space, which matters for a default. */
  findRawValue(localName: string): SpannedText | undefined {
    const attribute = this.findAttribute(localName);
    return attribute && { text: attribute.value, span: this.getValueSpan(attribute) };
  }

  /** Returns the value of the attribute `name`; "" if it is absent or invalid. */
  readName(): SpannedText {
    const attributeValue = this.findValue("name");
    return attributeValue !== undefined && findValueProblem("NCName", attributeValue.text) === undefined
      ? attributeValue
      : { text: "", span: this.span };
  }

  readBoolean(localName: string): boolean {
    const text = this.findValue(localName)?.text;
    return text === "true" || text === "1";
  }

  /**
   * Reads `block` or `final`: returns the `methods` that the attribute lists. If the attribute is absent, the
   * document's default applies.
   */
  readDerivations<const Method extends string>(
    localName: string,
    documentDefault: string,
    methods: readonly Method[],
  ): ReadonlySet<Method> {
    const text = this.findValue(localName)?.text ?? documentDefault;
    if (text === "") {
      return noDerivations;
    }
    const items = listItems(text);
    return new Set(text === "#all" ? methods : methods.filter((method) => items.includes(method)));
  }

  findReference(localName: string): Reference | undefined {
    const attributeValue = this.findValue(localName);
    return attributeValue && this.resolve(attributeValue);
  }

  listReferences(localName: string): readonly Reference[] {
    const attribute = this.findAttribute(localName);
    if (attribute === undefined) {
      return [];
    }
    const words = listItems(attribute.value).map((text) => ({ text, span: this.getValueSpan(attribute) }));
    return words.map((attributeValue) => this.resolve(attributeValue)).filter((reference) => reference !== undefined);
  }

  /** Resolves the prefix of a QName (Part 1 §3.15.3), and reports an undeclared prefix. */
  resolve(attributeValue: SpannedText): Reference | undefined {
    if (findValueProblem("QName", attributeValue.text) !== undefined) {
      return undefined;
    }
    const name = resolveQName(attributeValue.text, this.element);
    if (name === undefined) {
      const prefix = attributeValue.text.slice(0, attributeValue.text.indexOf(":"));
      this.context.diagnostics.unresolved("XSD008", attributeValue.span, {
        message: `The prefix "${prefix}" of "${attributeValue.text}" is not declared.`,
        help: `Declare xmlns:${prefix}, or use a prefix that is declared.`,
        fallback: "The name is ignored.",
      });
      return undefined;
    }
    this.context.referencedNamespaces.add(name.namespace);
    return { text: attributeValue.text, span: attributeValue.span, name };
  }

  reportError(code: Code, span: Span, text: { readonly message: string; readonly help?: string | undefined }): void {
    this.context.diagnostics.error(code, span, text);
  }

  /**
   * Reports each attribute in `names` that the element has, because it must not be combined with the attribute whose
   * value is given.
   */
  refuseTogether(attributeValue: SpannedText | undefined, ...names: readonly string[]): void {
    for (const { span, message } of this.#findCombinedAttributes(attributeValue, names)) {
      this.reportError("XSD009", span, { message, help: "Remove one of the two attributes." });
    }
  }

  /**
   * Reports conflicting attributes like `refuseTogether`. In lenient mode, the report is only a warning, and the
   * conflicting attribute is ignored.
   */
  ignoreTogether(attributeValue: SpannedText | undefined, ...names: readonly string[]): void {
    for (const { span, message } of this.#findCombinedAttributes(attributeValue, names)) {
      this.context.diagnostics.unresolved("XSD009", span, {
        message,
        help: "Remove one of the two attributes.",
        fallback: "The attribute is ignored.",
      });
    }
  }

  #findCombinedAttributes(
    attributeValue: SpannedText | undefined,
    names: readonly string[],
  ): readonly { readonly span: Span; readonly message: string }[] {
    if (attributeValue === undefined) {
      return [];
    }
    return names.flatMap((name) => {
      const attribute = this.findAttribute(name);
      if (attribute === undefined) {
        return [];
      }
      const message = `<${this.localName}> has both ${this.#getAttributeAt(attributeValue)} and "${name}".`;
      return [{ span: this.getValueSpan(attribute), message }];
    });
  }

  getValueSpan(attribute: XmlTreeAttribute): Span {
    return { source: this.context.source, start: attribute.valueStart, end: attribute.valueEnd };
  }

  #readChildren(): readonly XsdElement[] {
    const children: XsdElement[] = [];
    for (const child of this.element.children) {
      if (child.kind !== "element" || !isXsdNamespace(child.namespace) || child.localName === "annotation") {
        continue;
      }
      children.push(new XsdElement(child, this.context));
    }
    return children;
  }

  #getAttributeAt(attributeValue: SpannedText): string {
    const attribute = this.element.attributes.find((candidate) => candidate.valueStart === attributeValue.span.start);
    return attribute === undefined ? "another attribute" : `"${attribute.localName}"`;
  }
}

/** Returns an attribute without a namespace, with its correction applied; undefined if it is absent or ignored. */
export function findCorrectedAttribute(
  element: XmlElement,
  localName: string,
  corrections: Corrections,
): XmlTreeAttribute | undefined {
  const attribute = findAttribute(element, localName, corrections);
  const correction = attribute && corrections.attributes.get(attribute);
  if (attribute === undefined || correction === undefined) {
    return attribute;
  }
  return correction.value === undefined ? undefined : { ...attribute, value: correction.value };
}

function findAttribute(
  { attributes }: XmlElement,
  localName: string,
  corrections: Corrections,
): XmlTreeAttribute | undefined {
  for (const attribute of attributes) {
    if (attribute.namespace === "" && getCorrectedName(attribute, corrections) === localName) {
      return attribute;
    }
  }
  return undefined;
}

/** Returns the correct name of an attribute. Skips the lookup if there are no corrections, as in most documents. */
function getCorrectedName(attribute: XmlTreeAttribute, { attributes }: Corrections): string {
  const correction = attributes.size === 0 ? undefined : attributes.get(attribute);
  return correction?.name ?? attribute.localName;
}

/**
 * Expands a QName in the scope of an element; undefined if the prefix is not declared. The namespaces of XSD's drafts
 * become the namespace of XSD 1.0.
 */
export function resolveQName(text: string, element: XmlElement): QName | undefined {
  const colon = text.indexOf(":");
  const namespace = element.resolve(colon < 0 ? "" : text.slice(0, colon));
  if (namespace === undefined) {
    return undefined;
  }
  return { namespace: isXsdNamespace(namespace) ? xsdNamespace : namespace, local: text.slice(colon + 1) };
}

/** The value types of the attributes of XSD elements (schema for schemas, XSD 1.0 Part 1 appendix A). */
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

/** Collapses the white space in a string (XSD 1.0 Part 2 §4.3.6). */
export function collapse(text: string): string {
  return normalizeWhiteSpace(text, "collapse");
}

/** Splits a list at white space into its items. */
export function listItems(text: string): readonly string[] {
  return splitItems(text);
}

/**
 * Checks the value of an attribute. The white space of the value must already be collapsed. Returns undefined if the
 * value is valid; otherwise a description of valid values, such as `true or false`.
 */
export function findValueProblem(kind: ValueKind, text: string): string | undefined {
  if (typeof kind === "object") {
    if ("oneOf" in kind) {
      return kind.oneOf.includes(text) ? undefined : `one of ${formatQuotedList(kind.oneOf)}`;
    }
    const items = listItems(text);
    const isAllowed = text === "#all" || items.every((item) => kind.setOf.includes(item));
    return isAllowed ? undefined : `"#all" or a list of ${formatQuotedList(kind.setOf)}`;
  }
  return checks[kind](text);
}

const checks: Readonly<Record<Extract<ValueKind, string>, (text: string) => string | undefined>> = {
  string: () => undefined,
  anyURI: (text) => (isValidFor(xs.anyURI, text) ? undefined : "a URI reference"),
  boolean: (text) => (isValidFor(xs.boolean, text) ? undefined : "true or false"),
  ID: (text) => (isNCName(text) ? undefined : "a name without a colon"),
  NCName: (text) => (isNCName(text) ? undefined : "a name without a colon"),
  QName: (text) => (isQName(text) ? undefined : "a qualified name"),
  QNames: (text) => (listItems(text).every(isQName) ? undefined : "a list of qualified names"),
  nonNegativeInteger: (text) => (isValidFor(xs.nonNegativeInteger, text) ? undefined : "a whole number, 0 or more"),
  positiveInteger: (text) => (isValidFor(xs.positiveInteger, text) ? undefined : "a whole number, 1 or more"),
  maxOccurs: (text) =>
    text === "unbounded" || isValidFor(xs.nonNegativeInteger, text)
      ? undefined
      : 'a non-negative integer or "unbounded"',
  namespaceList: (text) =>
    isNamespaceList(text)
      ? undefined
      : '"##any", "##other", or a list of namespaces, which may contain "##targetNamespace" and "##local"',
  selector: (text) => (isSelector(text) ? undefined : "a path to elements in the subset of XPath that XSD allows"),
  field: (text) =>
    isField(text) ? undefined : "a path to an element or attribute in the subset of XPath that XSD allows",
};

function isQName(text: string): boolean {
  const colon = text.indexOf(":");
  return colon < 0 ? isNCName(text) : isNCName(text.slice(0, colon)) && isNCName(text.slice(colon + 1));
}

function isValidFor(type: SimpleType<unknown>, text: string): boolean {
  return findProblem(type, text) === undefined;
}

function isNamespaceList(text: string): boolean {
  if (text === "##any" || text === "##other") {
    return true;
  }
  return listItems(text).every(
    (item) =>
      item === "##targetNamespace" || item === "##local" || (!item.startsWith("##") && isValidFor(xs.anyURI, item)),
  );
}

/** Whether a string is a Selector: paths separated by `|`, whose steps are `.` or names (XSD 1.0 Part 1 §3.11.6). */
function isSelector(text: string): boolean {
  return text.split("|").every((path) => splitSteps(path).every(isStep));
}

/** Whether a string is a Field: a Selector whose last step may also be an attribute (XSD 1.0 Part 1 §3.11.6). */
function isField(text: string): boolean {
  return text.split("|").every((path) => {
    const pathSteps = splitSteps(path);
    const lastStep = pathSteps.at(-1) ?? "";
    const attribute = /^(?:@|attribute\s*::)\s*(.*)$/s.exec(lastStep)?.[1];
    return pathSteps.slice(0, -1).every(isStep) && (attribute === undefined ? isStep(lastStep) : isNameTest(attribute));
  });
}

function splitSteps(path: string): readonly string[] {
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

/** Returns the text of all annotations of an XSD element, without indentation; undefined if there is none. */
export function findDocumentation(element: XmlElement): string | undefined {
  const texts: string[] = [];
  for (const annotation of listXsdChildren(element, "annotation")) {
    for (const documentation of listXsdChildren(annotation, "documentation")) {
      const text = formatDocumentation(documentation);
      if (text !== "") {
        texts.push(text);
      }
    }
  }
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function listXsdChildren(element: XmlElement, localName: string): readonly XmlElement[] {
  const children: XmlElement[] = [];
  for (const child of element.children) {
    if (child.kind === "element" && child.localName === localName && isXsdNamespace(child.namespace)) {
      children.push(child);
    }
  }
  return children;
}

/** Returns the text of a documentation element, without markup and indentation. */
export function formatDocumentation(element: XmlElement): string {
  return unindent(getTextContent(element));
}

function unindent(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim();
}
