import { collapse } from "./attribute-values.js";
import type {
  ArrayType,
  AttributeDeclaration,
  AttributeGroupDefinition,
  AttributeGroupReference,
  AttributeList,
  AttributeUse,
  ValueConstraint,
} from "./documents.js";
import { wsdlNamespace, xsiNamespace } from "./namespaces.js";
import { readSimpleTypeUse } from "./read-simple-type.js";
import { readWildcard } from "./read-wildcard.js";
import type { XsdElement } from "./xsd-element.js";

/** XSD 1.0 Part 1 §3.2.2, at the top of a schema. */
export function readAttributeDeclaration(element: XsdElement): AttributeDeclaration {
  return readDeclaration(element, true);
}

/** XSD 1.0 Part 1 §3.6.2. */
export function readAttributeGroup(element: XsdElement): AttributeGroupDefinition {
  return { ...element.declared, kind: "attributeGroup", name: element.name(), list: readAttributeList(element) };
}

/** The attributes, references to groups of them, and the wildcard inside a type or a group. */
export function readAttributeList(element: XsdElement): AttributeList {
  const attributes: (AttributeUse | AttributeGroupReference)[] = [];
  for (const child of element.children) {
    if (child.localName === "attribute") {
      const use = readAttributeUse(child);
      if (use !== undefined) attributes.push(use);
    } else if (child.localName === "attributeGroup") {
      const ref = child.reference("ref");
      if (ref !== undefined) attributes.push({ ...child.declared, kind: "attributeGroupReference", ref });
    }
  }
  const wildcard = element.child("anyAttribute");
  return { attributes, wildcard: wildcard && readWildcard(wildcard) };
}

/** `default` or `fixed`, which exclude each other (§3.2.3, §3.3.3). */
export function readValueConstraint(element: XsdElement): ValueConstraint | undefined {
  const fixed = element.rawWord("fixed");
  const value = element.rawWord("default");
  element.refuseBeside(fixed, "default");
  if (fixed !== undefined) return { kind: "fixed", value: fixed, element: element.element };
  return value && { kind: "default", value, element: element.element };
}

function readDeclaration(element: XsdElement, global: boolean): AttributeDeclaration {
  const name = element.name();
  const form = element.word("form")?.text;
  const qualified = global || (form === undefined ? element.context.attributesQualified : form === "qualified");
  if (name.text === "xmlns") {
    element.error("XSD011", name.span, { message: 'An attribute cannot be named "xmlns".' });
  }
  if (qualified && element.context.targetNamespace === xsiNamespace) {
    element.error("XSD011", name.span, { message: `Attributes cannot be declared in ${xsiNamespace}.` });
  }
  return {
    ...element.declared,
    kind: "attribute",
    name,
    qualified,
    type: readSimpleTypeUse(element, "type"),
    valueConstraint: readValueConstraint(element),
  };
}

function readAttributeUse(element: XsdElement): AttributeUse | undefined {
  const use = readUse(element);
  const valueConstraint = readValueConstraint(element);
  if (valueConstraint?.kind === "default" && use !== "optional") {
    element.error("XSD009", valueConstraint.value.span, {
      message: `A default needs use="optional", not "${use}".`,
      help: "Make the attribute optional, or remove the default.",
    });
  }
  const common = { ...element.declared, kind: "attributeUse", use, arrayType: readArrayType(element) } as const;
  const ref = element.word("ref");
  if (ref === undefined) {
    if (!element.has("name")) reportNameless(element);
    return { ...common, declaration: readDeclaration(element, false), valueConstraint: undefined };
  }
  element.ignoreBeside(ref, "name", "type", "form");
  const child = element.child("simpleType");
  if (child !== undefined) {
    element.error("XSD009", child.span, { message: '<attribute> has a <simpleType> beside "ref".' });
  }
  const declaration = element.reference("ref");
  return declaration && { ...common, declaration, valueConstraint };
}

function readUse(element: XsdElement): "optional" | "required" | "prohibited" {
  const use = element.word("use")?.text;
  return use === "required" || use === "prohibited" ? use : "optional";
}

function reportNameless(element: XsdElement): void {
  element.error("XSD003", element.span, { message: `<${element.localName}> has neither "name" nor "ref".` });
}

/** `wsdl:arrayType="ns:Item[,]"` (WSDL 1.1 §2.2). */
function readArrayType(element: XsdElement): ArrayType | undefined {
  const attribute = element.attribute("arrayType", wsdlNamespace);
  if (attribute === undefined) return undefined;
  const text = collapse(attribute.value);
  const bracket = text.indexOf("[");
  const span = element.valueSpan(attribute);
  const name = element.resolve({ text: bracket < 0 ? text : text.slice(0, bracket), span });
  return name && { ...name, dimensions: bracket < 0 ? "" : text.slice(bracket) };
}
