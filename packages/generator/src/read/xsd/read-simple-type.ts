import type { Facet, FacetName, Reference, SimpleDerivation, SimpleTypeDefinition } from "./documents.js";
import type { XsdElement } from "./xsd-element.js";

const derivationMethods = ["restriction", "list", "union"] as const;
const facetNames: ReadonlySet<string> = new Set<FacetName>([
  "length",
  "minLength",
  "maxLength",
  "pattern",
  "enumeration",
  "whiteSpace",
  "maxInclusive",
  "maxExclusive",
  "minInclusive",
  "minExclusive",
  "totalDigits",
  "fractionDigits",
]);

/** XSD 1.0 Part 1 §3.14.2. */
export function readSimpleType(element: XsdElement, named: boolean): SimpleTypeDefinition {
  return {
    ...element.declared,
    kind: "simpleType",
    name: named ? element.name() : undefined,
    final: element.derivations("final", element.context.finalDefault, derivationMethods),
    derivation: readDerivation(element),
  };
}

/** A type given as an attribute or as a child; not both (§3.14.3). */
export function readSimpleTypeUse(
  element: XsdElement,
  attribute: string,
): Reference | SimpleTypeDefinition | undefined {
  const child = element.child("simpleType");
  const word = element.word(attribute);
  if (child !== undefined && word !== undefined) {
    element.error("XSD009", child.span, {
      message: `<${element.localName}> has both ${attribute}="${word.text}" and a <simpleType> of its own.`,
      help: "Remove one of the two.",
    });
  }
  return child === undefined ? element.reference(attribute) : readSimpleType(child, false);
}

export function readFacets(element: XsdElement): readonly Facet[] {
  const facets: Facet[] = [];
  for (const child of element.children) {
    const name = child.localName;
    const value = child.rawWord("value");
    if (!isFacetName(name) || value === undefined) continue;
    facets.push({
      ...child.declared,
      kind: "facet",
      name,
      value,
      fixed: child.boolean("fixed"),
      element: child.element,
    });
  }
  return facets;
}

function readDerivation(element: XsdElement): SimpleDerivation {
  const child = element.child(...derivationMethods);
  switch (child?.localName) {
    case "list": {
      const item = readSimpleTypeUse(child, "itemType");
      if (item === undefined && !child.has("itemType")) reportNothing(child, "itemType");
      return { kind: "list", item };
    }
    case "union": {
      const anonymous = child.children
        .filter((one) => one.localName === "simpleType")
        .map((one) => readSimpleType(one, false));
      const named = child.references("memberTypes");
      const nothing = anonymous.length === 0;
      if (nothing && (child.word("memberTypes")?.text ?? "") === "") reportNothing(child, "memberTypes");
      return { kind: "union", members: [...named, ...anonymous] };
    }
    case "restriction": {
      const base = readSimpleTypeUse(child, "base");
      if (base === undefined && !child.has("base")) reportNothing(child, "base");
      return { kind: "restriction", base, facets: readFacets(child) };
    }
    default:
      return { kind: "restriction", base: undefined, facets: [] };
  }
}

function reportNothing(element: XsdElement, attribute: string): void {
  element.error("XSD003", element.span, {
    message: `<${element.localName}> has neither the attribute "${attribute}" nor a <simpleType>.`,
  });
}

function isFacetName(name: string): name is FacetName {
  return facetNames.has(name);
}
