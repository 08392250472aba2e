import { nearestName, type XmlElement, type XmlTreeAttribute } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import { isXsdNamespace } from "../../source/namespaces.js";
import { nameSpan, type SourceText, type Span } from "../../source/span.js";
import { collapse, valueProblem } from "./attribute-values.js";
import { type Production, type ProductionName, productions, type Step } from "./grammar.js";
import { misnomers } from "./xsd-element.js";

interface Check {
  readonly source: SourceText;
  readonly diagnostics: Diagnostics;
  /** The ids found so far; an id must be unique in its document. */
  readonly ids: Set<string>;
}

const attributeNames: ReadonlySet<string> = new Set(
  Object.values(productions).flatMap((production) => [...production.attributes.keys()]),
);

/** Reports every element, attribute, value and text that the schema for schemas (XSD 1.0 Part 1 appendix A) does not allow. */
export function checkGrammar(schema: XmlElement, source: SourceText, diagnostics: Diagnostics): void {
  const check: Check = { source, diagnostics, ids: new Set() };
  const open: { element: XmlElement; name: ProductionName }[] = [{ element: schema, name: "schema" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const production: Production = productions[next.name];
    checkAttributes(next.element, production, check);
    if (next.name === "appinfo" || next.name === "documentation") {
      continue;
    }
    checkText(next.element, check);
    open.push(...checkChildren(next.element, production, check).reverse());
  }
}

function checkAttributes(element: XmlElement, production: Production, check: Check): void {
  for (const attribute of element.attributes) {
    if (attribute.namespace !== "") {
      if (isXsdNamespace(attribute.namespace)) {
        reportUnknownAttribute(element, attribute, { production, check });
      }
      continue;
    }
    const rule = production.attributes.get(attribute.localName);
    if (rule === undefined) {
      reportUnknownAttribute(element, attribute, { production, check });
      continue;
    }
    const text = collapse(attribute.value);
    const expected = valueProblem(rule.kind, text);
    if (expected !== undefined) {
      check.diagnostics.error("XSD004", valueSpan(attribute, check), {
        message: `${attribute.localName}="${shorten(text)}" on <${tag(element)}> is not ${expected}.`,
      });
    } else if (rule.kind === "ID") {
      checkId(text, attribute, check);
    }
  }
  for (const [name, rule] of production.attributes) {
    if (rule.required && !has(element, name) && !has(element, misnomers.get(name))) {
      check.diagnostics.unresolved("XSD003", nameSpan(check.source, element), {
        message: `<${tag(element)}> has no attribute "${name}".`,
        fallback: "The element is read without it.",
      });
    }
  }
}

function has(element: XmlElement, name: string | undefined): boolean {
  return element.attributes.some(({ localName, namespace }) => localName === name && namespace === "");
}

function reportUnknownAttribute(
  element: XmlElement,
  attribute: XmlTreeAttribute,
  { production, check }: { readonly production: Production; readonly check: Check },
): void {
  const span = { source: check.source, start: attribute.offset, end: attribute.valueEnd + 1 };
  const message = `The attribute "${attribute.localName}" is not allowed on this <${tag(element)}>.`;
  const intended = [...misnomers].find(([, misnomer]) => misnomer === attribute.localName)?.[0];
  if (intended !== undefined && production.attributes.has(intended) && !has(element, intended)) {
    check.diagnostics.violation("XSD002", span, { message, help: `It is read as "${intended}". Rename it.` });
    return;
  }
  // An attribute that XSD allows elsewhere, such as minOccurs on a global element, can be ignored. Any other name is probably a misspelling.
  if (attributeNames.has(attribute.localName)) {
    check.diagnostics.violation("XSD002", span, { message, help: "The attribute is ignored. Remove it." });
    return;
  }
  const suggestion = nearestName(attribute.localName, production.attributes.keys());
  check.diagnostics.unresolved("XSD002", span, {
    message,
    help: suggestion && `Did you mean ${suggestion}?`,
    fallback: "The attribute is ignored.",
  });
}

function checkId(id: string, attribute: XmlTreeAttribute, check: Check): void {
  if (check.ids.has(id)) {
    check.diagnostics.violation("XSD007", valueSpan(attribute, check), { message: `The id "${id}" is already used.` });
  }
  check.ids.add(id);
}

function checkText(element: XmlElement, check: Check): void {
  for (const child of element.children) {
    if (child.kind !== "text" || /^[ \t\r\n]*$/.test(child.text)) {
      continue;
    }
    const raw = check.source.text.slice(child.start, child.end);
    const start = child.start + raw.length - raw.trimStart().length;
    check.diagnostics.violation(
      "XSD006",
      { source: check.source, start, end: start + raw.trim().length },
      {
        message: `<${tag(element)}> contains text.`,
        help: "Move the text into <annotation><documentation>, or remove it.",
      },
    );
  }
}

/** Compares the children with the steps of the production. Returns each allowed child with its production. */
function checkChildren(
  element: XmlElement,
  production: Production,
  check: Check,
): { element: XmlElement; name: ProductionName }[] {
  const known: { element: XmlElement; name: ProductionName }[] = [];
  let position = 0;
  let count = 0;
  let exclusiveChild: string | undefined;
  for (const child of element.children) {
    if (child.kind !== "element") {
      continue;
    }
    const match = isXsdNamespace(child.namespace)
      ? findStep(child.localName, production, { at: position, count })
      : undefined;
    if (match === undefined || exclusiveChild !== undefined) {
      reportUnexpected(child, element, { production, check });
      continue;
    }
    reportSkipped(element, production, { from: count > 0 ? position + 1 : position, to: match.index, check });
    count = match.index === position ? count + 1 : 1;
    position = match.index;
    if (match.step.exclusive.includes(child.localName)) {
      exclusiveChild = child.localName;
    }
    known.push({ element: child, name: match.name });
  }
  if (exclusiveChild === undefined) {
    reportSkipped(element, production, {
      from: count > 0 ? position + 1 : position,
      to: production.content.length,
      check,
    });
  }
  return known;
}

function findStep(
  localName: string,
  production: Production,
  { at, count }: { readonly at: number; readonly count: number },
): { readonly step: Step; readonly index: number; readonly name: ProductionName } | undefined {
  for (let index = at; index < production.content.length; index += 1) {
    const step = production.content[index];
    if (step === undefined) {
      return undefined;
    }
    if (index === at && count > 0 && step.max === 1) {
      continue;
    }
    if (Object.hasOwn(step.children, localName)) {
      const name = step.children[localName];
      if (name !== undefined) {
        return { step, index, name };
      }
    }
  }
  return undefined;
}

function reportSkipped(
  element: XmlElement,
  production: Production,
  { from, to, check }: { readonly from: number; readonly to: number; readonly check: Check },
): void {
  for (const step of production.content.slice(from, to)) {
    if (step.min === 0) {
      continue;
    }
    check.diagnostics.unresolved("XSD005", nameSpan(check.source, element), {
      message: `<${tag(element)}> lacks ${oneOf(Object.keys(step.children))}.`,
      fallback: "The element is read without it.",
    });
  }
}

function reportUnexpected(
  child: XmlElement,
  parent: XmlElement,
  { production, check }: { readonly production: Production; readonly check: Check },
): void {
  const names = production.content.flatMap((step) => Object.keys(step.children));
  const suggestion = isXsdNamespace(child.namespace) ? nearestName(child.localName, names) : undefined;
  const misplaced = isXsdNamespace(child.namespace) && names.includes(child.localName);
  check.diagnostics.unresolved("XSD001", nameSpan(check.source, child), {
    message: misplaced
      ? `<${tag(child)}> is not allowed at this position in <${tag(parent)}>.`
      : `<${tag(child)}> is not allowed in <${tag(parent)}>.`,
    help: misplaced
      ? `The order of the children of <${parent.localName}> is: ${production.content.map(stepText).join(", ")}.`
      : suggestion && `Did you mean ${suggestion}?`,
    fallback: "The element is ignored.",
  });
}

function stepText(step: Step): string {
  return Object.keys(step.children).join(" | ");
}

function oneOf(names: readonly string[]): string {
  const tags = names.map((name) => `<${name}>`);
  return tags.length === 1 ? (tags[0] ?? "") : `one of ${tags.join(", ")}`;
}

function tag(element: XmlElement): string {
  return element.prefix === "" ? element.localName : `${element.prefix}:${element.localName}`;
}

function valueSpan(attribute: XmlTreeAttribute, check: Check): Span {
  return { source: check.source, start: attribute.valueStart, end: attribute.valueEnd };
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
