import { type PartName, toPartName } from "../../source/part-names.js";
import { isOnOneLine, type Span, withParts } from "../../source/span.js";
import type { XsdElement } from "./xsd-element.js";

/** The children whose attributes and facets belong to the declaration that contains them. */
const partsOfDeclarations: ReadonlySet<string> = new Set([
  "simpleType",
  "restriction",
  "extension",
  "list",
  "union",
  "simpleContent",
  "complexContent",
]);

/** Facets that a type may have several times. */
const repeatedFacets: ReadonlySet<string> = new Set(["enumeration", "pattern"]);

/**
 * Returns the position of a declaration, with the positions of its parts that are on other lines: its attributes, and
 * those of the derivation of its anonymous simple type or its content, by name; facets by name, and enumeration values
 * and patterns by name and value.
 */
export function getDeclarationSpan(declaration: XsdElement): Span {
  const { span, element } = declaration;
  return isOnOneLine(span.source, element.start, element.end) ? span : withParts(span, listParts(declaration));
}

function* listParts(declaration: XsdElement): Generator<readonly [name: PartName, part: Span]> {
  for (const attribute of declaration.element.attributes) {
    yield [toPartName(attribute.localName), declaration.getValueSpan(attribute)];
  }
  for (const child of declaration.children) {
    const { localName } = child;
    if (partsOfDeclarations.has(localName)) {
      const isMember = declaration.localName === "union";
      yield* isMember
        ? ([[`member ${child.findChild("restriction")?.findValue("base")?.text ?? ""}`, child.span]] as const)
        : [];
      yield* listParts(child);
    } else {
      const value = child.findValue("value");
      if (value !== undefined) {
        const { span } = child;
        const part = isOnOneLine(span.source, span.start, value.span.start) ? span : value.span;
        yield [toPartName(repeatedFacets.has(localName) ? `${localName} ${value.text}` : localName), part];
      }
    }
  }
}
