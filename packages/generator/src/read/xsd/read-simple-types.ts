import { wsdlNamespace, xsiNamespace } from "../../source/names.js";
import type {
  ArrayType,
  AttributeDeclaration,
  AttributeGroupDefinition,
  AttributeGroupReference,
  AttributeList,
  AttributeUse,
  Facet,
  FacetName,
  Reference,
  SimpleDerivation,
  SimpleTypeDefinition,
  ValueConstraint,
  Wildcard,
} from "./documents.js";
import { collapse, listItems, type XsdElement } from "./xsd-element.js";

/** Reads the wildcard `<any>` or `<anyAttribute>` (XSD 1.0 Part 1 §3.10.2). */
export function readWildcard(element: XsdElement): Wildcard {
  const text = element.value("namespace")?.text ?? "##any";
  const processContents = element.value("processContents")?.text;
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "wildcard",
    namespaces: text === "##any" || text === "##other" ? text : listItems(text),
    processContents: processContents === "lax" || processContents === "skip" ? processContents : "strict",
  };
}

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

/** Reads a simple type (XSD 1.0 Part 1 §3.14.2). */
export function readSimpleType(element: XsdElement, isNamed: boolean): SimpleTypeDefinition {
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "simpleType",
    name: isNamed ? element.name() : undefined,
    final: element.derivations("final", element.context.finalDefault, derivationMethods),
    derivation: readDerivation(element),
  };
}

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
      if (item === undefined && !child.has("itemType")) {
        reportMissingType(child, "itemType");
      }
      return { kind: "list", item };
    }
    case "union": {
      const anonymousMembers = child.children
        .filter((member) => member.localName === "simpleType")
        .map((member) => readSimpleType(member, false));
      const namedMembers = child.references("memberTypes");
      const hasNoMember = anonymousMembers.length === 0;
      if (hasNoMember && (child.value("memberTypes")?.text ?? "") === "") {
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
function readSimpleTypeUse(element: XsdElement, attribute: string): Reference | SimpleTypeDefinition | undefined {
  const child = element.child("simpleType");
  const typeAttribute = element.value(attribute);
  if (child !== undefined && typeAttribute !== undefined) {
    element.error("XSD009", child.span, {
      message: `<${element.localName}> has both ${attribute}="${typeAttribute.text}" and a child <simpleType>.`,
      help: "Remove the attribute or the child.",
    });
  }
  return child === undefined ? element.reference(attribute) : readSimpleType(child, false);
}

function reportMissingType(element: XsdElement, attribute: string): void {
  element.error("XSD003", element.span, {
    message: `<${element.localName}> has neither the attribute "${attribute}" nor a <simpleType>.`,
  });
}

function isFacetName(name: string): name is FacetName {
  return facetNames.has(name);
}

/** Reads a global attribute declaration (XSD 1.0 Part 1 §3.2.2). */
export function readAttributeDeclaration(element: XsdElement): AttributeDeclaration {
  return readDeclaration(element, true);
}

/** Reads an attribute group definition (XSD 1.0 Part 1 §3.6.2). */
export function readAttributeGroup(element: XsdElement): AttributeGroupDefinition {
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "attributeGroup",
    name: element.name(),
    list: readAttributeList(element),
  };
}

/** Reads the attributes, the references to attribute groups and the wildcard of a type or a group. */
export function readAttributeList(element: XsdElement): AttributeList {
  const attributes: (AttributeUse | AttributeGroupReference)[] = [];
  for (const child of element.children) {
    if (child.localName === "attribute") {
      const use = readAttributeUse(child);
      if (use !== undefined) {
        attributes.push(use);
      }
    } else if (child.localName === "attributeGroup") {
      const ref = child.reference("ref");
      if (ref !== undefined) {
        attributes.push({ span: child.span, documentation: child.documentation, kind: "attributeGroupReference", ref });
      }
    }
  }
  const wildcard = element.child("anyAttribute");
  return { attributes, wildcard: wildcard && readWildcard(wildcard) };
}

/** Reads `default` or `fixed`. Having both is an error (§3.2.3, §3.3.3). */
export function readValueConstraint(element: XsdElement): ValueConstraint | undefined {
  const fixed = element.findRawValue("fixed");
  const value = element.findRawValue("default");
  element.refuseTogether(fixed, "default");
  if (fixed !== undefined) {
    return { kind: "fixed", value: fixed, element: element.element };
  }
  return value && { kind: "default", value, element: element.element };
}

function readDeclaration(element: XsdElement, isGlobal: boolean): AttributeDeclaration {
  const name = element.name();
  const form = element.value("form")?.text;
  const isQualified = isGlobal || (form === undefined ? element.context.attributesQualified : form === "qualified");
  if (name.text === "xmlns") {
    element.error("XSD011", name.span, { message: 'An attribute cannot be named "xmlns".' });
  }
  if (isQualified && element.context.targetNamespace === xsiNamespace) {
    element.error("XSD011", name.span, { message: `Attributes cannot be declared in ${xsiNamespace}.` });
  }
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "attribute",
    name,
    isQualified,
    type: readSimpleTypeUse(element, "type"),
    valueConstraint: readValueConstraint(element),
  };
}

function readAttributeUse(element: XsdElement): AttributeUse | undefined {
  const use = readUse(element);
  const valueConstraint = readValueConstraint(element);
  if (valueConstraint?.kind === "default" && use !== "optional") {
    element.error("XSD009", valueConstraint.value.span, {
      message: `An attribute with a default must have use="optional", not "${use}".`,
      help: "Make the attribute optional, or remove the default.",
    });
  }
  const commonProperties = {
    span: element.span,
    documentation: element.documentation,
    kind: "attributeUse",
    use,
    arrayType: readArrayType(element),
  } as const;
  const ref = element.value("ref");
  if (ref === undefined) {
    if (!element.has("name")) {
      reportNameless(element);
    }
    return { ...commonProperties, declaration: readDeclaration(element, false), valueConstraint: undefined };
  }
  element.ignoreTogether(ref, "name", "type", "form");
  const child = element.child("simpleType");
  if (child !== undefined) {
    element.error("XSD009", child.span, { message: '<attribute> has both "ref" and a child <simpleType>.' });
  }
  const declaration = element.reference("ref");
  return declaration && { ...commonProperties, declaration, valueConstraint };
}

function readUse(element: XsdElement): "optional" | "required" | "prohibited" {
  const use = element.value("use")?.text;
  return use === "required" || use === "prohibited" ? use : "optional";
}

function reportNameless(element: XsdElement): void {
  element.error("XSD003", element.span, { message: `<${element.localName}> has neither "name" nor "ref".` });
}

/** Reads `wsdl:arrayType`, such as `ns:Item[,]` (WSDL 1.1 §2.2). */
function readArrayType(element: XsdElement): ArrayType | undefined {
  const attribute = element.attribute("arrayType", wsdlNamespace) ?? element.attribute("arrayType");
  if (attribute === undefined) {
    return undefined;
  }
  const text = collapse(attribute.value);
  const bracket = text.indexOf("[");
  const span = element.valueSpan(attribute);
  const name = element.resolve({ text: bracket < 0 ? text : text.slice(0, bracket), span });
  return name && { ...name, dimensions: bracket < 0 ? "" : text.slice(bracket) };
}
