import type { ElementDeclaration, IdentityConstraint, Reference, TypeDefinition } from "./documents.js";
import { readValueConstraint } from "./read-attributes.js";
import { readComplexType } from "./read-complex-type.js";
import { readSimpleType } from "./read-simple-type.js";
import type { XsdElement } from "./xsd-element.js";

const methods = ["extension", "restriction"] as const;

/** XSD 1.0 Part 1 §3.3.2, at the top of a schema. */
export function readGlobalElement(element: XsdElement): ElementDeclaration {
  return readDeclaration(element, true);
}

/** XSD 1.0 Part 1 §3.3.2, inside a model group. */
export function readLocalElement(element: XsdElement): ElementDeclaration {
  const form = element.word("form")?.text;
  return readDeclaration(element, form === undefined ? element.context.elementsQualified : form === "qualified");
}

function readDeclaration(element: XsdElement, qualified: boolean): ElementDeclaration {
  const { blockDefault, finalDefault } = element.context;
  return {
    ...element.declared,
    kind: "element",
    name: element.name(),
    qualified,
    type: readTypeUse(element),
    nillable: element.boolean("nillable"),
    abstract: element.boolean("abstract"),
    valueConstraint: readValueConstraint(element),
    substitutionGroup: element.reference("substitutionGroup"),
    block: element.derivations("block", blockDefault, [...methods, "substitution"]),
    final: element.derivations("final", finalDefault, methods),
    identityConstraints: readIdentityConstraints(element),
  };
}

function readTypeUse(element: XsdElement): Reference | TypeDefinition | undefined {
  const child = element.child("simpleType", "complexType");
  const word = element.word("type");
  if (child === undefined) return element.reference("type");
  if (word !== undefined) {
    element.error("XSD009", child.span, {
      message: `<element> has both type="${word.text}" and a <${child.localName}> of its own.`,
      help: "Remove one of the two.",
    });
  }
  return child.localName === "simpleType" ? readSimpleType(child, false) : readComplexType(child, false);
}

function readIdentityConstraints(element: XsdElement): readonly IdentityConstraint[] {
  const constraints: IdentityConstraint[] = [];
  for (const child of element.children) {
    const kind = child.localName;
    if (kind !== "key" && kind !== "keyref" && kind !== "unique") continue;
    const fields = child.children.filter((one) => one.localName === "field");
    constraints.push({
      ...child.declared,
      kind,
      name: child.name(),
      selector: readPath(child.child("selector")),
      fields: fields.map(readPath),
      refer: child.reference("refer"),
    });
  }
  return constraints;
}

/** The path of a selector or field; its prefixes must be declared where it stands (§3.11.6). */
function readPath(element: XsdElement | undefined): string {
  const word = element?.word("xpath");
  if (element === undefined || word === undefined) return "";
  for (const [, prefix = ""] of word.text.matchAll(/([\p{L}_][\p{L}\p{N}\p{M}._-]*)\s*:(?!:)/gu)) {
    if (element.element.resolve(prefix) !== undefined) continue;
    element.error("XSD008", word.span, {
      message: `The prefix "${prefix}" of "${word.text}" is not declared here.`,
      help: `Declare xmlns:${prefix}, or use a prefix that is declared.`,
    });
  }
  return word.text;
}
