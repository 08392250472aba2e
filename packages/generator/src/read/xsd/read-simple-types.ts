import { type FacetName, facets as facetsByName } from "@bothends/datatypes/definitions";
import { getDeclarationSpan } from "./declaration-spans.js";
import type { Facet, Reference, SimpleDerivation, SimpleTypeDefinition } from "./documents.js";
import type { XsdElement } from "./xsd-element.js";

const derivationMethods = ["restriction", "list", "union"] as const;
const facetNames: ReadonlySet<string> = new Set(Object.keys(facetsByName));

/** Reads a simple type (XSD 1.0 Part 1 §3.14.2). */
export function readSimpleType(element: XsdElement, isNamed: boolean): SimpleTypeDefinition {
  return {
    // The declaration that contains an anonymous type has its parts.
    span: isNamed ? getDeclarationSpan(element) : element.span,
    documentation: element.documentation,
    kind: "simpleType",
    name: isNamed ? element.readName() : undefined,
    final: element.readDerivations("final", element.context.finalDefault, derivationMethods),
    derivation: readDerivation(element),
  };
}

/** Reads the facets of a restriction, in their order. */
export function readFacets(element: XsdElement): readonly Facet[] {
  const facets: Facet[] = [];
  for (const child of element.children) {
    const name = child.localName;
    const value = child.findRawValue("value");
    if (!isFacetName(name) || value === undefined) {
      continue;
    }
    facets.push({
      span: child.span,
      documentation: child.documentation,
      kind: "facet",
      name,
      value,
      fixed: child.readBoolean("fixed"),
      element: child.element,
    });
  }
  return facets;
}

function readDerivation(element: XsdElement): SimpleDerivation {
  const child = element.findChild(...derivationMethods);
  switch (child?.localName) {
    case "list": {
      const item = readSimpleTypeUse(child, "itemType");
      if (item === undefined && !child.has("itemType")) {
        reportMissingType(child, "itemType");
      }
      return { kind: "list", item };
    }
    case "union": {
      const anonymousMembers = child.children
        .filter((member) => member.localName === "simpleType")
        .map((member) => readSimpleType(member, false));
      const namedMembers = child.listReferences("memberTypes");
      const hasNoMember = anonymousMembers.length === 0;
      if (hasNoMember && (child.findValue("memberTypes")?.text ?? "") === "") {
        reportMissingType(child, "memberTypes");
      }
      return { kind: "union", members: [...namedMembers, ...anonymousMembers] };
    }
    case "restriction": {
      const base = readSimpleTypeUse(child, "base");
      if (base === undefined && !child.has("base")) {
        reportMissingType(child, "base");
      }
      return { kind: "restriction", base, facets: readFacets(child) };
    }
    default:
      return { kind: "restriction", base: undefined, facets: [] };
  }
}

/** Reads a type from an attribute or a child. Having both is an error (§3.14.3). */
export function readSimpleTypeUse(
  element: XsdElement,
  attribute: string,
): Reference | SimpleTypeDefinition | undefined {
  const child = element.findChild("simpleType");
  const typeAttribute = element.findValue(attribute);
  if (child !== undefined && typeAttribute !== undefined) {
    element.reportError("XSD009", child.span, {
      message: `<${element.localName}> has both ${attribute}="${typeAttribute.text}" and a child <simpleType>.`,
      help: "Remove the attribute or the child.",
    });
  }
  return child === undefined ? element.findReference(attribute) : readSimpleType(child, false);
}

function reportMissingType(element: XsdElement, attribute: string): void {
  element.reportError("XSD003", element.span, {
    message: `<${element.localName}> has neither the attribute "${attribute}" nor a <simpleType>.`,
  });
}

function isFacetName(name: string): name is FacetName {
  return facetNames.has(name);
}
