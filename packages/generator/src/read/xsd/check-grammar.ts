import { findNearestName, type XmlElement, type XmlTreeAttribute } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import { describeLimitRemedy, type SourceLimits } from "../../source/source-limits.js";
import { getNameSpan, type SourceText, type Span } from "../../source/span.js";
import { isXsdNamespace } from "../../source/xml-names.js";
import { type ImpliedChild, type Production, type ProductionName, productions, type Step } from "./grammar.js";
import { type Correction, type Corrections, collapse, findValueProblem, type ValueKind } from "./xsd-element.js";

interface CheckedDocument {
  readonly source: SourceText;
  readonly diagnostics: Diagnostics;
  readonly limits: Pick<SourceLimits, "nameChars">;
}

interface CheckContext extends CheckedDocument {
  /** The ids found so far. Every id must be unique in its document. */
  readonly ids: Set<string>;
  readonly elements: Map<XmlElement, string>;
  readonly attributes: Map<XmlTreeAttribute, Correction>;
}

const attributeNames: ReadonlySet<string> = new Set(
  Object.values(productions).flatMap((production) => [...production.attributes.keys()]),
);

/**
 * Attribute names that documents often use by mistake, with the correct names, such as WSDL's `location` instead of
 * `schemaLocation`.
 */
const mistakenNames: ReadonlyMap<string, string> = new Map([["location", "schemaLocation"]]);

/** The result of checking a schema. */
interface CheckedGrammar extends Corrections {
  /**
   * The children of the schema that have no problems and no ids. Later runs check them again only if they have changed.
   */
  readonly flawlessChildren: ReadonlySet<XmlElement>;
}

/**
 * Reports every element, attribute, value and text that the schema for schemas (XSD 1.0 Part 1 appendix A) does not
 * allow. Returns the corrections of misspelled names and values.
 */
export function checkGrammar(
  schema: XmlElement,
  document: CheckedDocument,
  isKnown: (child: XmlElement) => boolean = () => false,
): CheckedGrammar {
  const context: CheckContext = { ...document, ids: new Set(), elements: new Map(), attributes: new Map() };
  const flawlessChildren = new Set<XmlElement>();
  for (const child of checkElement({ element: schema, name: "schema" }, context)) {
    const earlierCount = context.diagnostics.all.length + context.ids.size;
    if (!isKnown(child.element)) {
      checkTree(child, context);
    }
    if (context.diagnostics.all.length + context.ids.size === earlierCount) {
      flawlessChildren.add(child.element);
    }
  }
  return { elements: context.elements, attributes: context.attributes, flawlessChildren };
}

function checkTree(root: Child, context: CheckContext): void {
  const pendingElements = [root];
  for (let element = pendingElements.pop(); element !== undefined; element = pendingElements.pop()) {
    for (const child of checkElement(element, context).reverse()) {
      pendingElements.push(child);
    }
  }
}

/** Checks an element, but not the content of its children. Returns the children that are accepted. */
function checkElement({ element, name }: Child, context: CheckContext): Child[] {
  const production: Production = productions[name];
  checkAttributes(element, production, context);
  if (name === "appinfo" || name === "documentation") {
    return [];
  }
  checkText(element, context);
  return checkChildren(element, production, context);
}

function checkAttributes(element: XmlElement, production: Production, context: CheckContext): void {
  for (const attribute of element.attributes) {
    if (attribute.namespace !== "") {
      if (isXsdNamespace(attribute.namespace)) {
        reportUnknownAttribute(element, attribute, { production, context });
      }
      continue;
    }
    const rule = production.attributes.get(attribute.localName);
    if (rule === undefined) {
      reportUnknownAttribute(element, attribute, { production, context });
    } else {
      checkValue(attribute, rule.kind, { element, context });
    }
  }
  for (const name of production.required) {
    if (!hasAttribute(element, name, context)) {
      context.diagnostics.unresolved("XSD003", getNameSpan(context.source, element), {
        message: `<${formatTag(element)}> has no attribute "${name}".`,
        fallback: `The element is read without "${name}".`,
      });
    }
  }
}

function checkValue(
  attribute: XmlTreeAttribute,
  kind: ValueKind,
  { element, context }: { readonly element: XmlElement; readonly context: CheckContext },
): void {
  const { localName: name } = attribute;
  const text = collapse(attribute.value);
  const expectedValue = findValueProblem(kind, text);
  if (expectedValue === undefined) {
    if (kind === "ID") {
      checkId(text, attribute, context);
    } else if (kind === "NCName") {
      checkLength(text, attribute, context);
    }
    return;
  }
  const span = getValueSpan(attribute, context);
  const message = `The value "${shortenText(text)}" of "${name}" on <${formatTag(element)}> is not ${expectedValue}.`;
  const value = findKeywordIgnoringCase(kind, text);
  if (value !== undefined) {
    context.attributes.set(attribute, { name, value });
    context.diagnostics.violation("XSD004", span, { message, help: `The value is read as "${value}". Correct it.` });
  } else if (kind === "NCName") {
    context.diagnostics.error("XSD004", span, { message });
  } else {
    context.attributes.set(attribute, { name, value: undefined });
    context.diagnostics.unresolved("XSD004", span, { message, fallback: "The attribute is ignored." });
  }
}

/** Returns the keyword that differs from a value only in letter case; undefined if there is none. */
function findKeywordIgnoringCase(kind: ValueKind, text: string): string | undefined {
  const keywords =
    typeof kind === "object" && "oneOf" in kind
      ? kind.oneOf
      : kind === "boolean"
        ? ["true", "false"]
        : kind === "maxOccurs"
          ? ["unbounded"]
          : [];
  return keywords.find((keyword) => areEqualExceptCase(keyword, text));
}

function areEqualExceptCase(first: string, second: string): boolean {
  return first.length === second.length && first.toLowerCase() === second.toLowerCase();
}

function hasAttribute(element: XmlElement, name: string, { attributes }: CheckContext): boolean {
  return element.attributes.some(
    (attribute) => attribute.namespace === "" && (attributes.get(attribute)?.name ?? attribute.localName) === name,
  );
}

function reportUnknownAttribute(
  element: XmlElement,
  attribute: XmlTreeAttribute,
  { production, context }: { readonly production: Production; readonly context: CheckContext },
): void {
  const { localName } = attribute;
  const span = { source: context.source, start: attribute.offset, end: attribute.valueEnd + 1 };
  const message = `The attribute "${localName}" is not allowed on this <${formatTag(element)}>.`;
  const names = [...production.attributes.keys()];
  const intendedName = names.find(
    (name) => mistakenNames.get(localName) === name || areEqualExceptCase(name, localName),
  );
  if (intendedName !== undefined && attribute.namespace === "" && !hasAttribute(element, intendedName, context)) {
    context.attributes.set(attribute, { name: intendedName, value: attribute.value });
    context.diagnostics.violation("XSD002", span, {
      message,
      help: `The attribute is read as "${intendedName}". Rename it.`,
    });
    return;
  }
  // An attribute that XSD defines for other elements, such as minOccurs on a global element, has no effect but is not
  // misspelled, so no similar name is suggested.
  const suggestion = attributeNames.has(localName) ? undefined : findNearestName(localName, names);
  if (suggestion === undefined) {
    context.diagnostics.violation("XSD002", span, { message, help: "The attribute is ignored. Remove it." });
    return;
  }
  context.diagnostics.unresolved("XSD002", span, {
    message,
    help: `Did you mean ${suggestion}?`,
    fallback: "The attribute is ignored.",
  });
}

function checkId(id: string, attribute: XmlTreeAttribute, context: CheckContext): void {
  if (context.ids.has(id)) {
    context.diagnostics.violation("XSD007", getValueSpan(attribute, context), {
      message: `Another element of the document has the id "${id}".`,
    });
  }
  context.ids.add(id);
}

function checkLength(name: string, attribute: XmlTreeAttribute, context: CheckContext): void {
  const { limits } = context;
  if (name.length > limits.nameChars) {
    context.diagnostics.error("XML017", getValueSpan(attribute, context), {
      message: `The name is too long: it has ${name.length} characters.`,
      ...describeLimitRemedy("nameChars", limits),
    });
  }
}

function checkText(element: XmlElement, context: CheckContext): void {
  for (const child of element.children) {
    if (child.kind !== "text" || /^[ \t\r\n]*$/.test(child.text)) {
      continue;
    }
    const rawText = context.source.text.slice(child.start, child.end);
    const start = child.start + rawText.length - rawText.trimStart().length;
    context.diagnostics.violation(
      "XSD006",
      { source: context.source, start, end: start + rawText.trim().length },
      {
        message: `<${formatTag(element)}> contains text.`,
        help: "Move the text into <annotation><documentation>, or remove it.",
      },
    );
  }
}

type Child = { readonly element: XmlElement; readonly name: ProductionName };

/**
 * Compares the children of an element with the steps of its production. Returns the accepted children, each with its
 * production.
 */
function checkChildren(element: XmlElement, production: Production, context: CheckContext): Child[] {
  const acceptedChildren: Child[] = [];
  if (element.children.length === 0 && !production.content.some(isRequired)) {
    return acceptedChildren;
  }
  const countsByStep = production.content.map(() => 0);
  let position = 0;
  let exclusiveChild: string | undefined;
  for (const child of element.children) {
    if (child.kind !== "element") {
      continue;
    }
    const localName = isXsdNamespace(child.namespace) ? findXsdName(production, child.localName) : undefined;
    const match =
      localName === undefined || exclusiveChild !== undefined
        ? undefined
        : findStep(localName, production, { position, counts: countsByStep });
    if (localName === undefined || match === undefined) {
      reportUnexpected(child, element, { production, context });
      continue;
    }
    if (match.index < position) {
      reportChild(child, element, {
        context,
        problem: "is not allowed at this position",
        treatment: "as if it were at the right position",
        help: formatOrder(element, production),
      });
    }
    if (localName !== child.localName) {
      context.elements.set(child, localName);
      reportChild(child, element, { context, treatment: `as <${localName}>`, help: `Write ${localName}.` });
    }
    if (match.impliedChild !== undefined) {
      const { parentName, help } = match.impliedChild;
      reportChild(child, element, { context, treatment: `as if it were in <${parentName}>`, help });
    }
    countsByStep[match.index] = (countsByStep[match.index] ?? 0) + 1;
    position = Math.max(position, match.index);
    if (match.step.exclusiveChildren.includes(localName)) {
      exclusiveChild = localName;
    }
    acceptedChildren.push({ element: child, name: match.name });
  }
  if (exclusiveChild === undefined) {
    reportMissing(element, { steps: production.content.filter((_, index) => countsByStep[index] === 0), context });
  }
  return acceptedChildren;
}

/**
 * Returns the XSD name of a child: the name that matches exactly, otherwise a name that differs only in letter case;
 * undefined if there is none.
 */
function findXsdName({ content }: Production, localName: string): string | undefined {
  if (
    content.some(
      ({ children, implied = {} }) => Object.hasOwn(children, localName) || Object.hasOwn(implied, localName),
    )
  ) {
    return localName;
  }
  const names = content.flatMap(({ children }) => Object.keys(children));
  return names.find((name) => areEqualExceptCase(name, localName));
}

interface Match {
  readonly step: Step;
  readonly index: number;
  readonly name: ProductionName;
  /** The element in which the child belongs, if the schema omits that element. */
  readonly impliedChild: ImpliedChild | undefined;
}

/**
 * Finds the next step that accepts a child. If there is none, finds an earlier step that accepts the child and either
 * is repeatable or has no child yet.
 */
function findStep(
  localName: string,
  { content }: Production,
  { position, counts }: { readonly position: number; readonly counts: readonly number[] },
): Match | undefined {
  for (let distance = 0; distance < content.length; distance += 1) {
    const index = (position + distance) % content.length;
    const step = content[index];
    if (step === undefined || (step.max !== "unbounded" && counts[index] !== 0)) {
      continue;
    }
    const name = Object.hasOwn(step.children, localName) ? step.children[localName] : undefined;
    const { implied = {} } = step;
    const impliedChild = Object.hasOwn(implied, localName) ? implied[localName] : undefined;
    if (name !== undefined) {
      return { step, index, name, impliedChild: undefined };
    }
    if (impliedChild !== undefined) {
      return { step, index, name: impliedChild.name, impliedChild };
    }
  }
  return undefined;
}

function isRequired({ min }: Step): boolean {
  return min > 0;
}

function reportMissing(
  element: XmlElement,
  { steps, context }: { readonly steps: readonly Step[]; readonly context: CheckContext },
): void {
  for (const step of steps.filter(isRequired)) {
    context.diagnostics.unresolved("XSD005", getNameSpan(context.source, element), {
      message: `<${formatTag(element)}> lacks ${describeChild(Object.keys(step.children))}.`,
      fallback: "The element is read without the child.",
    });
  }
}

interface ChildReport {
  readonly context: CheckContext;
  /** The predicate of the sentence in the message. Default: `is not allowed`. */
  readonly problem?: string;
  /** A phrase for the message that says how the child is read, such as `as if it were at the right position`. */
  readonly treatment: string;
  readonly help: string;
}

/** Reports a child that the grammar does not allow, but that is still read. */
function reportChild(
  child: XmlElement,
  parent: XmlElement,
  { context, problem = "is not allowed", treatment, help }: ChildReport,
): void {
  context.diagnostics.violation("XSD001", getNameSpan(context.source, child), {
    message: `<${formatTag(child)}> ${problem} in <${formatTag(parent)}>. It is read ${treatment}.`,
    help,
  });
}

interface Parent {
  readonly production: Production;
  readonly context: CheckContext;
}

function reportUnexpected(child: XmlElement, parent: XmlElement, { production, context }: Parent): void {
  const names = production.content.flatMap((step) => Object.keys(step.children));
  const span = getNameSpan(context.source, child);
  const message = `<${formatTag(child)}> is not allowed in <${formatTag(parent)}>.`;
  if (!isXsdNamespace(child.namespace) && !names.includes(child.localName)) {
    context.diagnostics.violation("XSD001", span, {
      message: `${message} It is ignored.`,
      help: "Move the element into <annotation><appinfo>, or remove it.",
    });
    return;
  }
  const suggestion = isXsdNamespace(child.namespace) ? findNearestName(child.localName, names) : undefined;
  if (isXsdNamespace(parent.namespace) && parent.localName === "annotation") {
    const help = suggestion === undefined ? "Remove the element." : `Did you mean ${suggestion}?`;
    context.diagnostics.violation("XSD001", span, { message: `${message} It is ignored.`, help });
    return;
  }
  const isMisplaced = isXsdNamespace(child.namespace) && names.includes(child.localName);
  context.diagnostics.unresolved("XSD001", span, {
    message: isMisplaced ? `<${formatTag(child)}> is not allowed at this position in <${formatTag(parent)}>.` : message,
    help: isMisplaced ? formatOrder(parent, production) : suggestion && `Did you mean ${suggestion}?`,
    fallback: "The element is ignored.",
  });
}

function formatOrder(parent: XmlElement, { content }: Production): string {
  return `The order of the children of <${parent.localName}> is: ${content.map(formatStep).join(", ")}.`;
}

function formatStep(step: Step): string {
  return Object.keys(step.children).join(" | ");
}

function describeChild(names: readonly string[]): string {
  const tags = names.map((name) => `<${name}>`);
  return tags.length === 1 ? `the child ${tags[0]}` : `one of the children ${tags.join(", ")}`;
}

function formatTag(element: XmlElement): string {
  return element.prefix === "" ? element.localName : `${element.prefix}:${element.localName}`;
}

function getValueSpan(attribute: XmlTreeAttribute, context: CheckContext): Span {
  return { source: context.source, start: attribute.valueStart, end: attribute.valueEnd };
}

function shortenText(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
