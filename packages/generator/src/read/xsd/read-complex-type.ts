import type { ComplexContent, ComplexTypeDefinition, DerivationMethod, SimpleContent } from "./documents.js";
import { readAttributeList } from "./read-attributes.js";
import { readParticle } from "./read-particle.js";
import { readFacets, readSimpleType } from "./read-simple-type.js";
import type { XsdElement } from "./xsd-element.js";

const methods = ["extension", "restriction"] as const;

/** XSD 1.0 Part 1 §3.4.2. */
export function readComplexType(element: XsdElement, named: boolean): ComplexTypeDefinition {
  const { blockDefault, finalDefault } = element.context;
  const child = element.child("simpleContent", "complexContent");
  const derivation = child?.child(...methods);
  return {
    ...element.declared,
    kind: "complexType",
    name: named ? element.name() : undefined,
    abstract: element.boolean("abstract"),
    block: element.derivations("block", blockDefault, methods),
    final: element.derivations("final", finalDefault, methods),
    content: readContent(element, child, derivation),
    list: readAttributeList(child === undefined ? element : (derivation ?? child)),
  };
}

function readContent(
  element: XsdElement,
  child: XsdElement | undefined,
  derivation: XsdElement | undefined,
): ComplexContent | SimpleContent {
  const method: DerivationMethod = derivation?.localName === "extension" ? "extension" : "restriction";
  if (child?.localName === "simpleContent") {
    const restricted = method === "restriction" ? derivation?.child("simpleType") : undefined;
    return {
      kind: "simpleContent",
      derivation: method,
      base: derivation?.reference("base"),
      restricted: restricted && readSimpleType(restricted, false),
      facets: method === "restriction" && derivation !== undefined ? readFacets(derivation) : [],
      span: (derivation ?? child).span,
    };
  }
  const model = (derivation ?? element).child("group", "all", "choice", "sequence");
  return {
    kind: "complexContent",
    derivation: method,
    base: derivation?.reference("base"),
    // §3.4.2: on complexContent it overrides the one on complexType.
    mixed: child?.has("mixed") ? child.boolean("mixed") : element.boolean("mixed"),
    particle: model && readParticle(model),
  };
}
