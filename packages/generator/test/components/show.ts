import type {
  AttributeUse,
  ComplexTypeDefinition,
  ElementDeclaration,
  Particle,
  SchemaComponents,
  SimpleTypeDefinition,
  TypeDefinition,
  WildcardNamespaces,
} from "../../src/components/xsd/schema-components.js";

/** A named complex type of `urn:a` as text: `(a, b?)`, `(a | b)*`, attributes with a leading `@`. */
export function typeText(schema: SchemaComponents, name: string): string {
  const type = schema.types.get(`{urn:a}${name}`);
  if (type === undefined) {
    return "none";
  }
  return type.kind === "complexType" ? complexText(type) : simpleText(type);
}

export function complexText({ content, attributeUses, attributeWildcard }: ComplexTypeDefinition): string {
  const wildcard = attributeWildcard === undefined ? "" : ` @*${namespacesText(attributeWildcard.namespaces)}`;
  const attributes = attributeUses.map((use) => ` ${attributeText(use)}`).join("");
  switch (content.kind) {
    case "empty":
      return `empty${attributes}${wildcard}`;
    case "simple":
      return `${nameOf(content.type)}${attributes}${wildcard}`;
    default:
      return `${content.kind === "mixed" ? "mixed " : ""}${particleText(content.particle)}${attributes}${wildcard}`;
  }
}

export function particleText({ term, min, max }: Particle): string {
  const occurs = occursText(min, max);
  if (term.kind === "element") {
    return `${term.name.local}${occurs}`;
  }
  if (term.kind === "wildcard") {
    return `any${namespacesText(term.namespaces)}${occurs}`;
  }
  const separator = { sequence: ", ", choice: " | ", all: " & " }[term.compositor];
  return `(${term.particles.map(particleText).join(separator)})${occurs}`;
}

export function simpleText(type: SimpleTypeDefinition): string {
  const facets = type.facets.map((facet) => `${facet.facet}=${facet.value}`).join(" ");
  const members = type.memberTypes.map(nameOf).join(" | ");
  const content =
    type.variety === "list"
      ? `list of ${type.itemType && nameOf(type.itemType)}`
      : type.variety === "union"
        ? members
        : type.primitive;
  return `${content}${facets === "" ? "" : ` ${facets}`}`;
}

export function nameOf(type: TypeDefinition): string {
  if (type.name !== undefined) {
    return type.name.local;
  }
  return `${type.context?.name.local}/${type.context?.steps.join("/")}`;
}

export function elementOf(schema: SchemaComponents, name: string): ElementDeclaration {
  const element = schema.elements.get(`{urn:a}${name}`);
  if (element === undefined) {
    throw new Error(`no element ${name}`);
  }
  return element;
}

export function namespacesText(namespaces: WildcardNamespaces): string {
  if (namespaces === "any") {
    return "";
  }
  return "not" in namespaces
    ? `{not ${namespaces.not || "absent"}}`
    : `{${namespaces.map((namespace) => namespace || "absent").join(" ")}}`;
}

function attributeText({ declaration, required }: AttributeUse): string {
  return `@${declaration.name.local}${required ? "" : "?"}`;
}

function occursText(min: number, max: number | "unbounded"): string {
  if (min === 1 && max === 1) {
    return "";
  }
  if (max === "unbounded") {
    return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  }
  return min === 0 && max === 1 ? "?" : `{${min},${max}}`;
}
