import type { IdentityPath } from "../../model/xsd-types.js";
import type { SpannedText } from "../../source/span.js";
import { wsdlNamespace, xsiNamespace } from "../../source/xml-names.js";
import { getDeclarationSpan } from "./declaration-spans.js";
import type {
  ArrayType,
  AttributeDeclaration,
  AttributeGroupDefinition,
  AttributeGroupReference,
  AttributeList,
  AttributeUse,
  ComplexContent,
  ComplexTypeDefinition,
  DerivationMethod,
  ElementDeclaration,
  ElementReference,
  GroupReference,
  IdentityConstraint,
  ModelGroup,
  ModelGroupDefinition,
  Particle,
  Reference,
  SimpleContent,
  Term,
  TypeDefinition,
  ValueConstraint,
  Wildcard,
} from "./documents.js";
import { readFacets, readSimpleType, readSimpleTypeUse } from "./read-simple-types.js";
import { collapse, listItems, type XsdElement } from "./xsd-element.js";

// Reads groups, elements, complex types, wildcards, and attributes.

/** Reads a model group definition, a global `<group>` (XSD 1.0 Part 1 §3.7.2). */
export function readGroup(element: XsdElement): ModelGroupDefinition {
  const child = element.findChild("all", "choice", "sequence");
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "group",
    name: element.readName(),
    modelGroup: child && readModelGroup(child),
  };
}

/**
 * Reads a particle (XSD 1.0 Part 1 §3.9.2). Returns undefined if maxOccurs is 0, because the particle then does not
 * exist.
 */
function readParticle(element: XsdElement): Particle | undefined {
  const min = readCount(element.findValue("minOccurs")?.text) ?? 1;
  const maxText = element.findValue("maxOccurs")?.text;
  const max = maxText === "unbounded" ? maxText : (readCount(maxText) ?? 1);
  if (max !== "unbounded" && min > max) {
    element.reportError(
      "XSD010",
      element.findValue("minOccurs")?.span ?? element.findValue("maxOccurs")?.span ?? element.span,
      {
        message: `The value of minOccurs (${min}) is greater than that of maxOccurs (${max}).`,
        help: maxText === undefined ? "The default of maxOccurs is 1." : undefined,
      },
    );
  }
  const term = readTerm(element);
  if (term === undefined || max === 0) {
    return undefined;
  }
  return {
    // A local element has the position of its declaration.
    span: term.kind === "element" ? element.span : getDeclarationSpan(element),
    documentation: element.documentation,
    kind: "particle",
    min,
    max: normalizeMax(max),
    term,
  };
}

function readTerm(element: XsdElement): Term | undefined {
  switch (element.localName) {
    case "element":
      return readElementTerm(element);
    case "group":
      return readGroupReference(element);
    case "any":
      return readWildcard(element);
    case "all":
    case "choice":
    case "sequence":
      return readModelGroup(element);
    default:
      return undefined;
  }
}

function readModelGroup(element: XsdElement): ModelGroup {
  const { localName } = element;
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "modelGroup",
    compositor: localName === "all" || localName === "choice" ? localName : "sequence",
    particles: element.children.map(readParticle).filter((particle) => particle !== undefined),
  };
}

function readGroupReference(element: XsdElement): GroupReference | undefined {
  const ref = element.findReference("ref");
  return ref && { kind: "groupReference", ref };
}

function readElementTerm(element: XsdElement): ElementDeclaration | ElementReference | undefined {
  const ref = element.findValue("ref");
  if (ref === undefined) {
    if (!element.has("name")) {
      element.reportError("XSD003", element.span, { message: '<element> has neither "name" nor "ref".' });
    }
    return readLocalElement(element);
  }
  // §3.3.3: a reference may have only minOccurs and maxOccurs.
  element.ignoreTogether(ref, "name", "type", "nillable", "default", "fixed", "form", "block");
  for (const child of element.children) {
    element.reportError("XSD009", child.span, {
      message: `<element> has both "ref" and a child <${child.localName}>.`,
    });
  }
  const reference = element.findReference("ref");
  return reference && { kind: "elementReference", ref: reference };
}

function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^(?:\+?[0-9]+|-0+)$/.test(text)
    ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    : undefined;
}

/** Returns `max` unchanged, or "unbounded" for a number so large that no document can contain that many elements. */
function normalizeMax(max: number | "unbounded"): number | "unbounded" {
  return max === Number.MAX_SAFE_INTEGER ? "unbounded" : max;
}

const derivationMethods = ["extension", "restriction"] as const;

/** Reads a global element declaration (XSD 1.0 Part 1 §3.3.2). */
export function readGlobalElement(element: XsdElement): ElementDeclaration {
  return readDeclaration(element, true);
}

/** Reads a local element declaration (XSD 1.0 Part 1 §3.3.2). */
function readLocalElement(element: XsdElement): ElementDeclaration {
  const form = element.findValue("form")?.text;
  return readDeclaration(element, form === undefined ? element.context.elementsQualified : form === "qualified");
}

function readDeclaration(element: XsdElement, isQualified: boolean): ElementDeclaration {
  const { blockDefault, finalDefault } = element.context;
  return {
    span: getDeclarationSpan(element),
    documentation: element.documentation,
    kind: "element",
    name: element.readName(),
    isQualified,
    type: readTypeUse(element),
    nillable: element.readBoolean("nillable"),
    abstract: element.readBoolean("abstract"),
    valueConstraint: readValueConstraint(element),
    substitutionGroup: element.findReference("substitutionGroup"),
    block: element.readDerivations("block", blockDefault, [...derivationMethods, "substitution"]),
    final: element.readDerivations("final", finalDefault, derivationMethods),
    identityConstraints: readIdentityConstraints(element),
  };
}

function readTypeUse(element: XsdElement): Reference | TypeDefinition | undefined {
  const child = element.findChild("simpleType", "complexType", "sequence", "choice", "all");
  const typeAttribute = element.findValue("type");
  if (child === undefined) {
    return element.findReference("type");
  }
  if (typeAttribute !== undefined) {
    element.reportError("XSD009", child.span, {
      message: `<element> has both type="${typeAttribute.text}" and a child <${child.localName}>.`,
      help: "Remove the attribute or the child.",
    });
  }
  switch (child.localName) {
    case "simpleType":
      return readSimpleType(child, false);
    case "complexType":
      return readComplexType(child, false);
    default:
      // This model group should be inside a complexType. `checkGrammar` has already reported it.
      return { ...readComplexType(element, false), abstract: false };
  }
}

function readIdentityConstraints(element: XsdElement): readonly IdentityConstraint[] {
  const constraints: IdentityConstraint[] = [];
  for (const child of element.children) {
    const kind = child.localName;
    if (kind !== "key" && kind !== "keyref" && kind !== "unique") {
      continue;
    }
    const fields = child.children.filter((candidate) => candidate.localName === "field");
    constraints.push({
      span: child.span,
      documentation: child.documentation,
      kind,
      name: child.readName(),
      selector: readPaths(child.findChild("selector")),
      fields: fields.map(readPaths),
      refer: child.findReference("refer"),
    });
  }
  return constraints;
}

/** Reads the paths of a selector or field. Reports undeclared prefixes (§3.11.6). */
function readPaths(element: XsdElement | undefined): readonly IdentityPath[] {
  const xpath = element?.findValue("xpath");
  if (element === undefined || xpath === undefined) {
    return [];
  }
  return xpath.text.split("|").map((path) => {
    const startsAnywhere = /^\s*\.\s*\/\//.test(path);
    const steps = path.replace(/^\s*\.\s*\/\//, "").split("/");
    const lastStep = steps.at(-1) ?? "";
    const attribute = /^\s*(?:@|attribute\s*::)(.*)$/s.exec(lastStep)?.[1];
    const elements = attribute === undefined ? steps : steps.slice(0, -1);
    const nameTests = elements.map((step) => step.replace(/^\s*child\s*::/, "").trim()).filter((step) => step !== ".");
    return {
      anywhere: startsAnywhere,
      steps: nameTests.map((nameTest) => readNameTest(nameTest, xpath, element)),
      attribute: attribute === undefined ? undefined : readNameTest(attribute.trim(), xpath, element),
    };
  });
}

/**
 * Replaces the prefix in a name test (`*`, `prefix:*` or a name) with its namespace. A name without a prefix has no
 * namespace (XPath 1.0 §2.3).
 */
function readNameTest(nameTest: string, word: SpannedText, element: XsdElement): string {
  const [prefix = "", local] = nameTest.split(":", 2);
  if (local === undefined) {
    return nameTest;
  }
  const namespace = element.element.resolve(prefix.trim());
  if (namespace === undefined) {
    element.reportError("XSD008", word.span, {
      message: `The prefix "${prefix.trim()}" of "${word.text}" is not declared.`,
      help: `Declare xmlns:${prefix.trim()}, or use a prefix that is declared.`,
    });
  }
  return `{${namespace ?? ""}}${local.trim()}`;
}

/** Reads a complex type (XSD 1.0 Part 1 §3.4.2). */
export function readComplexType(element: XsdElement, isNamed: boolean): ComplexTypeDefinition {
  const { blockDefault, finalDefault } = element.context;
  const child = element.findChild("simpleContent", "complexContent");
  // If complexContent is missing, which `checkGrammar` has reported, the derivation is a child of the type itself.
  const derivation = (child ?? element).findChild(...derivationMethods);
  return {
    span: getDeclarationSpan(element),
    documentation: element.documentation,
    kind: "complexType",
    name: isNamed ? element.readName() : undefined,
    abstract: element.readBoolean("abstract"),
    block: element.readDerivations("block", blockDefault, derivationMethods),
    final: element.readDerivations("final", finalDefault, derivationMethods),
    content: readContent(element, child, derivation),
    list: readAttributeList(derivation ?? child ?? element),
  };
}

function readContent(
  element: XsdElement,
  child: XsdElement | undefined,
  derivation: XsdElement | undefined,
): ComplexContent | SimpleContent {
  const method: DerivationMethod = derivation?.localName === "extension" ? "extension" : "restriction";
  if (child?.localName === "simpleContent") {
    const restrictedType = method === "restriction" ? derivation?.findChild("simpleType") : undefined;
    return {
      kind: "simpleContent",
      derivation: method,
      base: derivation?.findReference("base"),
      restricted: restrictedType && readSimpleType(restrictedType, false),
      facets: method === "restriction" && derivation !== undefined ? readFacets(derivation) : [],
      span: (derivation ?? child).span,
    };
  }
  const groupElement = (derivation ?? element).findChild("group", "all", "choice", "sequence");
  return {
    kind: "complexContent",
    derivation: method,
    base: derivation?.findReference("base"),
    // §3.4.2: `mixed` on complexContent overrides `mixed` on complexType.
    mixed: child?.has("mixed") ? child.readBoolean("mixed") : element.readBoolean("mixed"),
    particle: groupElement && readParticle(groupElement),
  };
}

/** Reads the wildcard `<any>` or `<anyAttribute>` (XSD 1.0 Part 1 §3.10.2). */
function readWildcard(element: XsdElement): Wildcard {
  const text = element.findValue("namespace")?.text ?? "##any";
  const processContents = element.findValue("processContents")?.text;
  return {
    span: getDeclarationSpan(element),
    documentation: element.documentation,
    kind: "wildcard",
    namespaces: text === "##any" || text === "##other" ? text : listItems(text),
    processContents: processContents === "lax" || processContents === "skip" ? processContents : "strict",
  };
}

/** Reads a global attribute declaration (XSD 1.0 Part 1 §3.2.2). */
export function readAttributeDeclaration(element: XsdElement): AttributeDeclaration {
  return readAttribute(element, true);
}

/** Reads an attribute group definition (XSD 1.0 Part 1 §3.6.2). */
export function readAttributeGroup(element: XsdElement): AttributeGroupDefinition {
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "attributeGroup",
    name: element.readName(),
    list: readAttributeList(element),
  };
}

/** Reads the attribute list of a type or a group: attributes, references to attribute groups, and the wildcard. */
function readAttributeList(element: XsdElement): AttributeList {
  const attributes: (AttributeUse | AttributeGroupReference)[] = [];
  for (const child of element.children) {
    if (child.localName === "attribute") {
      const use = readAttributeUse(child);
      if (use !== undefined) {
        attributes.push(use);
      }
    } else if (child.localName === "attributeGroup") {
      const ref = child.findReference("ref");
      if (ref !== undefined) {
        attributes.push({ span: child.span, documentation: child.documentation, kind: "attributeGroupReference", ref });
      }
    }
  }
  const wildcard = element.findChild("anyAttribute");
  return { attributes, wildcard: wildcard && readWildcard(wildcard) };
}

/** Reads `default` or `fixed`. Having both is an error (§3.2.3, §3.3.3). */
function readValueConstraint(element: XsdElement): ValueConstraint | undefined {
  const fixedValue = element.findRawValue("fixed");
  const defaultValue = element.findRawValue("default");
  element.refuseTogether(fixedValue, "default");
  if (fixedValue !== undefined) {
    return { kind: "fixed", value: fixedValue, element: element.element };
  }
  return defaultValue && { kind: "default", value: defaultValue, element: element.element };
}

function readAttribute(element: XsdElement, isGlobal: boolean): AttributeDeclaration {
  const name = element.readName();
  const form = element.findValue("form")?.text;
  const isQualified = isGlobal || (form === undefined ? element.context.attributesQualified : form === "qualified");
  if (name.text === "xmlns") {
    element.reportError("XSD011", name.span, { message: 'An attribute cannot be named "xmlns".' });
  }
  if (isQualified && element.context.targetNamespace === xsiNamespace) {
    element.reportError("XSD011", name.span, { message: `Attributes cannot be declared in ${xsiNamespace}.` });
  }
  return {
    span: getDeclarationSpan(element),
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
    element.reportError("XSD009", valueConstraint.value.span, {
      message: `An attribute with a default must have use="optional", not "${use}".`,
      help: "Make the attribute optional, or remove the default.",
    });
  }
  const commonProperties = {
    span: getDeclarationSpan(element),
    documentation: element.documentation,
    kind: "attributeUse",
    use,
    arrayType: readArrayType(element),
  } as const;
  const ref = element.findValue("ref");
  if (ref === undefined) {
    if (!element.has("name")) {
      reportNameless(element);
    }
    return { ...commonProperties, declaration: readAttribute(element, false), valueConstraint: undefined };
  }
  element.ignoreTogether(ref, "name", "type", "form");
  const child = element.findChild("simpleType");
  if (child !== undefined) {
    element.reportError("XSD009", child.span, { message: '<attribute> has both "ref" and a child <simpleType>.' });
  }
  const declaration = element.findReference("ref");
  return declaration && { ...commonProperties, declaration, valueConstraint };
}

function readUse(element: XsdElement): "optional" | "required" | "prohibited" {
  const use = element.findValue("use")?.text;
  return use === "required" || use === "prohibited" ? use : "optional";
}

function reportNameless(element: XsdElement): void {
  element.reportError("XSD003", element.span, { message: `<${element.localName}> has neither "name" nor "ref".` });
}

/** Reads `wsdl:arrayType`, such as `ns:Item[,]` (WSDL 1.1 §2.2). */
function readArrayType(element: XsdElement): ArrayType | undefined {
  const attribute = element.findAttribute("arrayType", wsdlNamespace) ?? element.findAttribute("arrayType");
  if (attribute === undefined) {
    return undefined;
  }
  const text = collapse(attribute.value);
  const bracket = text.indexOf("[");
  const span = element.getValueSpan(attribute);
  const name = element.resolve({ text: bracket < 0 ? text : text.slice(0, bracket), span });
  return name && { ...name, dimensions: bracket < 0 ? "" : text.slice(bracket) };
}
