import { clark } from "@bothends/xml/clark-names";
import { findAttribute, type XmlElement } from "@bothends/xml/tree";
import {
  type Component,
  createRestrictedType,
  encodingNamespaces,
  findDocumentationText,
  findNameIn,
  getTextOfName,
  isBuiltIn,
  isDocumentation,
  isTrue,
  listChildren,
  maxDepth,
  type QName,
  resolveName,
  type Schema,
  type SimpleType,
  SimpleTypes,
} from "./wsdl-elements.js";

const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";

/** A type in the schemas of a published WSDL, described for samples and forms. */
export type PublishedType = SimpleType | AnyType | ArrayType | ComplexType;

/** `xs:anyType`, or a type that the document does not define. */
export interface AnyType {
  readonly kind: "any";
}

/** An array of SOAP encoding (SOAP 1.1 §5.4.2). */
export interface ArrayType {
  readonly kind: "array";
  readonly name: QName | undefined;
  readonly item: PublishedElement;
}

/** A complex type of the published schema. */
export interface ComplexType {
  readonly kind: "complex";
  readonly name: QName | undefined;
  readonly isMixed: boolean;
  /** The type of the text, if the complex type has simple content. */
  readonly text: SimpleType | undefined;
  readonly attributes: readonly PublishedAttribute[];
  /** Returns the content of the type. Computed on demand, because types may contain themselves. */
  readContent(): readonly PublishedParticle[];
  /**
   * For an abstract type, returns a derived type that is not abstract and can be used instead. Returns undefined if the
   * type is not abstract or has no such derived type.
   */
  substitute(): ComplexType | undefined;
}

/** An attribute that a complex type declares. */
export interface PublishedAttribute {
  readonly name: QName;
  readonly type: SimpleType;
  /** The attribute's fixed or default value. */
  readonly value: string | undefined;
}

/** A part of the content of a complex type. */
export type PublishedParticle =
  | { readonly kind: "element"; readonly element: PublishedElement }
  | { readonly kind: "any" }
  | { readonly kind: "sequence" | "choice"; readonly particles: readonly PublishedParticle[] }
  | { readonly kind: "group"; readonly name: QName; readParticles(): readonly PublishedParticle[] };

/** An element that the published schema declares. */
export interface PublishedElement {
  readonly name: QName;
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
  readonly isNillable: boolean;
  readonly fixed: string | undefined;
  readonly default: string | undefined;
  readonly documentation: string | undefined;
  readType(): PublishedType;
}

const anyType: AnyType = { kind: "any" };
const plainElement = {
  isOptional: false,
  isRepeated: false,
  isNillable: false,
  fixed: undefined,
  default: undefined,
} as const;

/** The elements and types of the schemas in a published WSDL, by name. */
export class PublishedTypes {
  /** The declarations and definitions by kind and name: `element {urn:a}Order`. */
  readonly #components = new Map<string, Component>();
  readonly #simpleTypes = new SimpleTypes((name) => this.#findComponent("simpleType", name));
  readonly #complexTypes = new Map<XmlElement, PublishedType>();
  /** The members of substitution groups, by the name of the head element. */
  readonly #groupMembers = new Map<string, Component[]>();
  /** The types derived from each complex type, by the name of the base type. */
  readonly #derivedTypes = new Map<string, Component[]>();

  constructor(schemas: readonly XmlElement[]) {
    for (const root of schemas) {
      const schema: Schema = {
        namespace: findAttribute(root, "targetNamespace") ?? "",
        qualifiesElements: findAttribute(root, "elementFormDefault") === "qualified",
        qualifiesAttributes: findAttribute(root, "attributeFormDefault") === "qualified",
      };
      for (const node of listChildren(root)) {
        this.#addComponent({ node, schema });
      }
    }
  }

  #addComponent(component: Component): void {
    const { node, schema } = component;
    const localName = findAttribute(node, "name");
    if (localName === undefined) {
      return;
    }
    this.#components.set(`${node.localName} ${clark(schema.namespace, localName)}`, component);
    const head = findNameIn(node, "substitutionGroup");
    if (head !== undefined) {
      appendToList(this.#groupMembers, getTextOfName(head), component);
    }
    const base = node.localName === "complexType" ? findNameIn(findDerivation(node), "base") : undefined;
    if (base !== undefined) {
      appendToList(this.#derivedTypes, getTextOfName(base), component);
    }
  }

  /** Returns a global element as a particle that occurs once. An element without a declaration can have any content. */
  readElement(name: QName): PublishedElement {
    const component = this.#findComponent("element", name);
    return component === undefined
      ? { ...plainElement, name, documentation: undefined, readType: () => anyType }
      : this.#readElement(component, { name, occurs: undefined });
  }

  readType(name: QName): PublishedType {
    if (isBuiltIn(name)) {
      return name.local === "anyType" ? anyType : this.#simpleTypes.readReference(name, undefined, 0);
    }
    const complexComponent = this.#findComponent("complexType", name);
    return complexComponent === undefined
      ? (this.#simpleTypes.findType(name) ?? anyType)
      : this.#getComplexType(complexComponent, name);
  }

  #findComponent(kind: string, name: QName): Component | undefined {
    return this.#components.get(`${kind} ${getTextOfName(name)}`);
  }

  #readElement({ node, schema }: Component, { name, occurs = node }: ElementUse): PublishedElement {
    return {
      name,
      isOptional: findAttribute(occurs, "minOccurs") === "0",
      isRepeated: !["0", "1", undefined].includes(findAttribute(occurs, "maxOccurs")),
      isNillable: isTrue(findAttribute(node, "nillable")),
      fixed: findAttribute(node, "fixed"),
      default: findAttribute(node, "default"),
      documentation: findDocumentation(occurs) ?? findDocumentation(node),
      readType: () => this.#readElementType({ node, schema }, 0),
    };
  }

  #readElementType({ node, schema }: Component, depth: number): PublishedType {
    const name = findNameIn(node, "type");
    if (name !== undefined) {
      return this.readType(name);
    }
    const inlineType = listChildren(node).find(
      ({ localName }) => localName === "complexType" || localName === "simpleType",
    );
    if (inlineType !== undefined) {
      const component = { node: inlineType, schema };
      return inlineType.localName === "complexType"
        ? this.#getComplexType(component, undefined)
        : this.#simpleTypes.read(component, undefined, 0);
    }
    const head = findNameIn(node, "substitutionGroup");
    const declaration = head === undefined ? undefined : this.#findComponent("element", head);
    return declaration === undefined || depth > maxDepth ? anyType : this.#readElementType(declaration, depth + 1);
  }

  #getComplexType(component: Component, name: QName | undefined): PublishedType {
    const existingType = this.#complexTypes.get(component.node);
    if (existingType !== undefined) {
      return existingType;
    }
    const type = this.#readArrayType(component, name) ?? this.#readComplexType(component, name);
    this.#complexTypes.set(component.node, type);
    return type;
  }

  #readComplexType(component: Component, name: QName | undefined): ComplexType {
    const { node } = component;
    const isAbstract = isTrue(findAttribute(node, "abstract")) && name !== undefined;
    const complexContent = listChildren(node).find(({ localName }) => localName === "complexContent");
    return {
      kind: "complex",
      name,
      isMixed: isTrue(findAttribute(complexContent ?? node, "mixed") ?? findAttribute(node, "mixed")),
      text: this.#findTextType(component, 0),
      attributes: this.#readAttributes(component, 0),
      readContent: () => this.#readContent(component, 0),
      substitute: () => (isAbstract ? this.#findSubstitute(name, 0) : undefined),
    };
  }

  #findSubstitute(name: QName, depth: number): ComplexType | undefined {
    for (const component of depth > maxDepth ? [] : (this.#derivedTypes.get(getTextOfName(name)) ?? [])) {
      const derivedTypeName = getComponentName(component);
      if (isTrue(findAttribute(component.node, "abstract"))) {
        const substitute = this.#findSubstitute(derivedTypeName, depth + 1);
        if (substitute !== undefined) {
          return substitute;
        }
        continue;
      }
      const type = this.#getComplexType(component, derivedTypeName);
      if (type.kind === "complex") {
        return type;
      }
    }
    return undefined;
  }

  /**
   * Returns the extension or restriction in a complex type, and its base type if that is complex too. Returns undefined
   * if the type is not derived.
   */
  #readDerivation({
    node,
  }: Component): { readonly derivation: XmlElement; readonly base: Component | undefined } | undefined {
    const derivation = findDerivation(node);
    const name = findNameIn(derivation, "base");
    return derivation && { derivation, base: name && this.#findComponent("complexType", name) };
  }

  #readContent(component: Component, depth: number): readonly PublishedParticle[] {
    const derivedContent = this.#readDerivation(component);
    const declaredParticles = this.#readParticlesIn(
      derivedContent?.derivation ?? component.node,
      component.schema,
      depth,
    );
    if (derivedContent?.base === undefined || derivedContent.derivation.localName !== "extension" || depth > maxDepth) {
      return declaredParticles;
    }
    return [...this.#readContent(derivedContent.base, depth + 1), ...declaredParticles];
  }

  #readParticlesIn(parent: XmlElement, schema: Schema, depth: number): readonly PublishedParticle[] {
    return listChildren(parent).flatMap((node) => this.#readParticles({ node, schema }, depth));
  }

  #readParticles({ node, schema }: Component, depth: number): readonly PublishedParticle[] {
    if (findAttribute(node, "maxOccurs") === "0" || depth > maxDepth) {
      return [];
    }
    switch (node.localName) {
      case "element":
        return [this.#readElementParticle({ node, schema })];
      case "any":
        return [{ kind: "any" }];
      case "group":
        return this.#readGroupParticle(node, depth);
      case "choice":
        return [{ kind: "choice", particles: this.#readParticlesIn(node, schema, depth + 1) }];
      case "sequence":
      case "all": {
        const particles = this.#readParticlesIn(node, schema, depth + 1);
        const isPlain = findAttribute(node, "minOccurs") !== "0" && (findAttribute(node, "maxOccurs") ?? "1") === "1";
        return isPlain ? particles : [{ kind: "sequence", particles }];
      }
      default:
        return [];
    }
  }

  #readElementParticle({ node, schema }: Component): PublishedParticle {
    const reference = findNameIn(node, "ref");
    if (reference === undefined) {
      const isQualified =
        (findAttribute(node, "form") ?? (schema.qualifiesElements ? "qualified" : "")) === "qualified";
      const name = { namespace: isQualified ? schema.namespace : "", local: findAttribute(node, "name") ?? "" };
      return { kind: "element", element: this.#readElement({ node, schema }, { name }) };
    }
    const head = this.#findComponent("element", reference);
    const element =
      head === undefined ? this.readElement(reference) : this.#readElement(head, { name: reference, occurs: node });
    const members = this.#groupMembers.get(getTextOfName(reference)) ?? [];
    if (members.length === 0) {
      return { kind: "element", element };
    }
    const substitutes = members.map(
      (member): PublishedParticle => ({
        kind: "element",
        element: this.#readElement(member, { name: getComponentName(member), occurs: node }),
      }),
    );
    const isAbstract = head !== undefined && isTrue(findAttribute(head.node, "abstract"));
    return { kind: "choice", particles: isAbstract ? substitutes : [{ kind: "element", element }, ...substitutes] };
  }

  #readGroupParticle(node: XmlElement, depth: number): readonly PublishedParticle[] {
    const name = findNameIn(node, "ref");
    const group = name && this.#findComponent("group", name);
    return name === undefined || group === undefined
      ? []
      : [{ kind: "group", name, readParticles: () => this.#readParticlesIn(group.node, group.schema, depth + 1) }];
  }

  /** Returns the type of the text in simple content, by following the base types; undefined for other content. */
  #findTextType(component: Component, depth: number): SimpleType | undefined {
    const { node, schema } = component;
    if (!listChildren(node).some(({ localName }) => localName === "simpleContent") || depth > maxDepth) {
      return undefined;
    }
    const derivedContent = this.#readDerivation(component);
    const base =
      derivedContent?.base === undefined
        ? this.#simpleTypes.readReference(findNameIn(derivedContent?.derivation, "base"), { node, schema }, depth)
        : this.#findTextType(derivedContent.base, depth + 1);
    return base === undefined || derivedContent?.derivation.localName !== "restriction"
      ? base
      : createRestrictedType(base, derivedContent.derivation, undefined);
  }

  #readAttributes(component: Component, depth: number): readonly PublishedAttribute[] {
    const derivedContent = this.#readDerivation(component);
    const declaredAttributes = this.#readAttributesIn(
      { node: derivedContent?.derivation ?? component.node, schema: component.schema },
      new Set(),
    );
    if (derivedContent?.base === undefined || depth > maxDepth) {
      return declaredAttributes;
    }
    const names = new Set(declaredAttributes.map(({ name }) => getTextOfName(name)));
    const inheritedAttributes = this.#readAttributes(derivedContent.base, depth + 1).filter(
      ({ name }) => !names.has(getTextOfName(name)),
    );
    return [...inheritedAttributes, ...declaredAttributes];
  }

  /**
   * Reads the attributes in a type or group. A type has each attribute once (XSD 1.0 Part 1 §3.4.6), so the attributes
   * of a group to which several groups refer are read once: otherwise, the time could double with each level of groups.
   */
  #readAttributesIn({ node: parent, schema }: Component, readGroups: Set<XmlElement>): readonly PublishedAttribute[] {
    return listChildren(parent).flatMap((node): readonly PublishedAttribute[] => {
      const reference = findNameIn(node, "ref");
      if (node.localName === "attributeGroup") {
        const group = reference && this.#findComponent("attributeGroup", reference);
        if (group === undefined || readGroups.has(group.node) || readGroups.size > maxAttributeGroups) {
          return [];
        }
        readGroups.add(group.node);
        return this.#readAttributesIn(group, readGroups);
      }
      if (node.localName !== "attribute" || findAttribute(node, "use") === "prohibited") {
        return [];
      }
      const declaration = reference && this.#findComponent("attribute", reference);
      return [this.#readAttribute({ node, schema }, reference, declaration ?? { node, schema })];
    });
  }

  #readAttribute(
    { node, schema }: Component,
    reference: QName | undefined,
    declaration: Component,
  ): PublishedAttribute {
    const form = findAttribute(node, "form") ?? (schema.qualifiesAttributes ? "qualified" : "unqualified");
    const namespace = form === "qualified" ? schema.namespace : "";
    const inlineType = listChildren(declaration.node).find(({ localName }) => localName === "simpleType");
    const findFixedValue = (source: XmlElement) => findAttribute(source, "fixed") ?? findAttribute(source, "default");
    return {
      name: reference ?? { namespace, local: findAttribute(node, "name") ?? "" },
      type: this.#simpleTypes.readReference(
        findNameIn(declaration.node, "type"),
        inlineType && { node: inlineType, schema: declaration.schema },
        0,
      ),
      value: findFixedValue(node) ?? findFixedValue(declaration.node),
    };
  }

  /**
   * Reads a SOAP array type, which is a restriction of `soapenc:Array`. The attribute `wsdl:arrayType` (WSDL 1.1 §2.2)
   * or an element declares the type of the array's items.
   */
  #readArrayType({ node, schema }: Component, name: QName | undefined): ArrayType | undefined {
    const derivation = findDerivation(node);
    const base = findNameIn(derivation, "base");
    if (derivation === undefined || base?.local !== "Array" || !encodingNamespaces.includes(base.namespace)) {
      return undefined;
    }
    const [itemElement] = this.#readParticlesIn(derivation, schema, 0).filter(({ kind }) => kind === "element");
    const itemName = itemElement?.kind === "element" ? itemElement.element.name : { namespace: "", local: "item" };
    const arrayType = listChildren(derivation).flatMap(
      (child) => child.attributes.find((use) => use.namespace === wsdlNamespace && use.localName === "arrayType") ?? [],
    )[0];
    const text = arrayType?.value.replace(/(?:\[[^\]]*\])+$/, "");
    const itemType = text === undefined ? undefined : resolveName(derivation, text);
    const declaredType = itemElement?.kind === "element" ? itemElement.element.readType : () => anyType;
    const type = itemType === undefined ? declaredType : () => this.readType(itemType);
    return {
      kind: "array",
      name,
      item: { ...plainElement, isNillable: true, name: itemName, documentation: undefined, readType: type },
    };
  }
}

/**
 * The maximum number of attribute groups that are read for a type. They can be nested, so a higher number could exceed
 * the size of the stack.
 */
const maxAttributeGroups = 500;

interface ElementUse {
  readonly name: QName;
  /** The XML element with the attributes `minOccurs` and `maxOccurs`. Default: the element's declaration. */
  readonly occurs?: XmlElement | undefined;
}

/** Returns the `extension` or `restriction` in a complex type. */
function findDerivation(complexType: XmlElement): XmlElement | undefined {
  return listChildren(complexType)
    .filter(({ localName }) => localName === "complexContent" || localName === "simpleContent")
    .flatMap(listChildren)
    .find(({ localName }) => localName === "extension" || localName === "restriction");
}

function getComponentName({ node, schema }: Component): QName {
  return { namespace: schema.namespace, local: findAttribute(node, "name") ?? "" };
}

/** Returns the text of the `documentation` in an element's annotation. */
function findDocumentation(element: XmlElement): string | undefined {
  const [annotation] = listChildren(element).filter(({ localName }) => localName === "annotation");
  const [documentation] = annotation === undefined ? [] : listChildren(annotation).filter(isDocumentation);
  return documentation && findDocumentationText(documentation);
}

function appendToList<T>(listsByKey: Map<string, T[]>, key: string, item: T): void {
  const list = listsByKey.get(key);
  if (list === undefined) {
    listsByKey.set(key, [item]);
  } else {
    list.push(item);
  }
}
