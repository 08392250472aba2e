import type { FacetName } from "@bothends/datatypes/definitions";
import type { ValueKind } from "./xsd-element.js";

/**
 * The attributes and children that an XSD element may have in one context, as in the schema for schemas (XSD 1.0 Part 1
 * appendix A). The context matters because a local element, for example, may have different attributes than a global
 * one. The content is a sequence of steps.
 */
export interface Production {
  readonly attributes: ReadonlyMap<string, { readonly kind: ValueKind }>;
  /** The names of the attributes that an element must have. */
  readonly required: readonly string[];
  readonly content: readonly Step[];
}

/** A step in the content of an element: the children that are allowed there, each with its production. */
export interface Step {
  readonly children: Readonly<Record<string, ProductionName>>;
  readonly min: 0 | 1;
  readonly max: 1 | "unbounded";
  /** The names of children that must not occur together with any other child, except an annotation. */
  readonly exclusiveChildren: readonly string[];
  /**
   * Children that some schemas write without the element in which they belong, such as an `extension` without its
   * `complexContent`.
   */
  readonly implied?: Readonly<Record<string, ImpliedChild>>;
}

/** A child that is written without its parent. */
export interface ImpliedChild {
  /** The name of the omitted element. */
  readonly parentName: string;
  readonly help: string;
  readonly name: ProductionName;
}

const derivations = ["extension", "restriction"] as const;
const id = { id: "ID" } as const;
const occurrence = { minOccurs: "nonNegativeInteger", maxOccurs: "maxOccurs" } as const;
const form = { oneOf: ["qualified", "unqualified"] } as const;
const processContents = { oneOf: ["strict", "lax", "skip"] } as const;

const optionalAnnotation = optional({ annotation: "annotation" });
const declarations = {
  simpleType: "namedSimpleType",
  complexType: "namedComplexType",
  group: "namedGroup",
  attributeGroup: "namedAttributeGroup",
} as const;
const attributeSteps = [
  any({ attribute: "localAttribute", attributeGroup: "attributeGroupReference" }),
  optional({ anyAttribute: "anyAttribute" }),
];
const modelGroups = { all: "all", choice: "choice", sequence: "sequence" } as const;
const typeParticle = optional({ group: "groupReference", ...modelGroups });
const groupContent = any({
  element: "localElement",
  group: "groupReference",
  choice: "choice",
  sequence: "sequence",
  any: "any",
});
const facets = any({
  length: "countFacet",
  minLength: "countFacet",
  maxLength: "countFacet",
  fractionDigits: "countFacet",
  totalDigits: "positiveFacet",
  pattern: "repeatedFacet",
  enumeration: "repeatedFacet",
  whiteSpace: "whiteSpaceFacet",
  minInclusive: "facet",
  minExclusive: "facet",
  maxInclusive: "facet",
  maxExclusive: "facet",
} satisfies Readonly<Record<FacetName, ProductionName>>);
const elementAttributes = {
  ...id,
  type: "QName",
  default: "string",
  fixed: "string",
  nillable: "boolean",
  block: { setOf: [...derivations, "substitution"] },
} as const;
const complexTypeContent = [
  optionalAnnotation,
  {
    ...optional({
      simpleContent: "simpleContent",
      complexContent: "complexContent",
      group: "groupReference",
      ...modelGroups,
    }),
    exclusiveChildren: ["simpleContent", "complexContent", ...derivations],
    implied: getImpliedIn(
      "complexContent",
      "Put the element into <complexContent>, or into <simpleContent> if its base is a simple type.",
      { extension: "complexDerivation", restriction: "complexDerivation" },
    ),
  },
  ...attributeSteps,
];
const elementContent = [
  optionalAnnotation,
  {
    ...optional({ simpleType: "localSimpleType", complexType: "localComplexType" }),
    implied: getImpliedIn("complexType", "Put the element into <complexType>.", modelGroups),
  },
  any({ unique: "identityConstraint", key: "identityConstraint", keyref: "keyref" }),
];
const simpleTypeContent = [
  optionalAnnotation,
  required({ restriction: "simpleRestriction", list: "list", union: "union" }),
];

/** The attributes and children of each element of a schema document (XSD 1.0 Part 1, Appendix A). */
export const productions = {
  schema: production(
    {
      ...id,
      targetNamespace: "anyURI",
      version: "string",
      attributeFormDefault: form,
      elementFormDefault: form,
      blockDefault: { setOf: [...derivations, "substitution"] },
      finalDefault: { setOf: [...derivations, "list", "union"] },
    },
    [
      any({ include: "include", import: "import", redefine: "redefine", annotation: "annotation" }),
      any({
        ...declarations,
        element: "globalElement",
        attribute: "globalAttribute",
        notation: "notation",
        annotation: "annotation",
      }),
    ],
  ),
  include: production({ ...id, "schemaLocation!": "anyURI" }, [optionalAnnotation]),
  import: production({ ...id, namespace: "anyURI", schemaLocation: "anyURI" }, [optionalAnnotation]),
  redefine: production({ ...id, "schemaLocation!": "anyURI" }, [any({ annotation: "annotation", ...declarations })]),
  annotation: production(id, [any({ appinfo: "appinfo", documentation: "documentation" })]),
  appinfo: production({ source: "anyURI" }, []),
  documentation: production({ source: "anyURI" }, []),
  globalElement: production(
    {
      ...elementAttributes,
      "name!": "NCName",
      abstract: "boolean",
      substitutionGroup: "QName",
      final: { setOf: derivations },
    },
    elementContent,
  ),
  localElement: production({ ...elementAttributes, ...occurrence, name: "NCName", ref: "QName", form }, elementContent),
  globalAttribute: production({ ...id, "name!": "NCName", type: "QName", default: "string", fixed: "string" }, [
    optionalAnnotation,
    optional({ simpleType: "localSimpleType" }),
  ]),
  localAttribute: production(
    {
      ...id,
      name: "NCName",
      ref: "QName",
      type: "QName",
      form,
      default: "string",
      fixed: "string",
      use: { oneOf: ["optional", "required", "prohibited"] },
    },
    [optionalAnnotation, optional({ simpleType: "localSimpleType" })],
  ),
  namedComplexType: production(
    {
      ...id,
      "name!": "NCName",
      mixed: "boolean",
      abstract: "boolean",
      final: { setOf: derivations },
      block: { setOf: derivations },
    },
    complexTypeContent,
  ),
  localComplexType: production({ ...id, mixed: "boolean" }, complexTypeContent),
  complexContent: production({ ...id, mixed: "boolean" }, [
    optionalAnnotation,
    required({ restriction: "complexDerivation", extension: "complexDerivation" }),
  ]),
  complexDerivation: production({ ...id, "base!": "QName" }, [optionalAnnotation, typeParticle, ...attributeSteps]),
  simpleContent: production(id, [
    optionalAnnotation,
    required({ restriction: "simpleContentRestriction", extension: "simpleContentExtension" }),
  ]),
  simpleContentRestriction: production({ ...id, "base!": "QName" }, [
    optionalAnnotation,
    optional({ simpleType: "localSimpleType" }),
    facets,
    ...attributeSteps,
  ]),
  simpleContentExtension: production({ ...id, "base!": "QName" }, [optionalAnnotation, ...attributeSteps]),
  namedSimpleType: production(
    { ...id, "name!": "NCName", final: { setOf: ["restriction", "list", "union"] } },
    simpleTypeContent,
  ),
  localSimpleType: production(id, simpleTypeContent),
  simpleRestriction: production({ ...id, base: "QName" }, [
    optionalAnnotation,
    optional({ simpleType: "localSimpleType" }),
    facets,
  ]),
  list: production({ ...id, itemType: "QName" }, [optionalAnnotation, optional({ simpleType: "localSimpleType" })]),
  union: production({ ...id, memberTypes: "QNames" }, [optionalAnnotation, any({ simpleType: "localSimpleType" })]),
  facet: production({ ...id, "value!": "string", fixed: "boolean" }, [optionalAnnotation]),
  countFacet: production({ ...id, "value!": "nonNegativeInteger", fixed: "boolean" }, [optionalAnnotation]),
  positiveFacet: production({ ...id, "value!": "positiveInteger", fixed: "boolean" }, [optionalAnnotation]),
  repeatedFacet: production({ ...id, "value!": "string" }, [optionalAnnotation]),
  whiteSpaceFacet: production({ ...id, "value!": { oneOf: ["preserve", "replace", "collapse"] }, fixed: "boolean" }, [
    optionalAnnotation,
  ]),
  namedGroup: production({ ...id, "name!": "NCName" }, [
    optionalAnnotation,
    required({ all: "groupAll", choice: "groupChoice", sequence: "groupChoice" }),
  ]),
  groupReference: production({ ...id, ...occurrence, "ref!": "QName" }, [optionalAnnotation]),
  groupAll: production(id, [optionalAnnotation, any({ element: "allElement" })]),
  groupChoice: production(id, [optionalAnnotation, groupContent]),
  all: production({ ...id, minOccurs: { oneOf: ["0", "1"] }, maxOccurs: { oneOf: ["1"] } }, [
    optionalAnnotation,
    any({ element: "allElement" }),
  ]),
  allElement: production(
    {
      ...elementAttributes,
      minOccurs: { oneOf: ["0", "1"] },
      maxOccurs: { oneOf: ["0", "1"] },
      name: "NCName",
      ref: "QName",
      form,
    },
    elementContent,
  ),
  choice: production({ ...id, ...occurrence }, [optionalAnnotation, groupContent]),
  sequence: production({ ...id, ...occurrence }, [optionalAnnotation, groupContent]),
  any: production({ ...id, ...occurrence, namespace: "namespaceList", processContents: processContents }, [
    optionalAnnotation,
  ]),
  anyAttribute: production({ ...id, namespace: "namespaceList", processContents: processContents }, [
    optionalAnnotation,
  ]),
  namedAttributeGroup: production({ ...id, "name!": "NCName" }, [optionalAnnotation, ...attributeSteps]),
  attributeGroupReference: production({ ...id, "ref!": "QName" }, [optionalAnnotation]),
  identityConstraint: production({ ...id, "name!": "NCName" }, [
    optionalAnnotation,
    required({ selector: "selector" }),
    { ...any({ field: "field" }), min: 1 },
  ]),
  keyref: production({ ...id, "name!": "NCName", "refer!": "QName" }, [
    optionalAnnotation,
    required({ selector: "selector" }),
    { ...any({ field: "field" }), min: 1 },
  ]),
  selector: production({ ...id, "xpath!": "selector" }, [optionalAnnotation]),
  field: production({ ...id, "xpath!": "field" }, [optionalAnnotation]),
  notation: production({ ...id, "name!": "NCName", public: "string", system: "anyURI" }, [optionalAnnotation]),
} as const satisfies Readonly<Record<string, Production>>;

/** The name of a production. Elements with the same name but different contents have several productions. */
export type ProductionName =
  | "schema"
  | "include"
  | "import"
  | "redefine"
  | "annotation"
  | "appinfo"
  | "documentation"
  | "globalElement"
  | "localElement"
  | "globalAttribute"
  | "localAttribute"
  | "namedComplexType"
  | "localComplexType"
  | "complexContent"
  | "complexDerivation"
  | "simpleContent"
  | "simpleContentRestriction"
  | "simpleContentExtension"
  | "namedSimpleType"
  | "localSimpleType"
  | "simpleRestriction"
  | "list"
  | "union"
  | "facet"
  | "countFacet"
  | "positiveFacet"
  | "repeatedFacet"
  | "whiteSpaceFacet"
  | "namedGroup"
  | "groupReference"
  | "groupAll"
  | "groupChoice"
  | "all"
  | "allElement"
  | "choice"
  | "sequence"
  | "any"
  | "anyAttribute"
  | "namedAttributeGroup"
  | "attributeGroupReference"
  | "identityConstraint"
  | "keyref"
  | "selector"
  | "field"
  | "notation";

/** Creates a production. In `attributes`, the names of required attributes end with `!`. */
function production(attributes: Readonly<Record<string, ValueKind>>, content: readonly Step[]): Production {
  const names = Object.keys(attributes);
  return {
    attributes: new Map(Object.entries(attributes).map(([name, kind]) => [name.replace("!", ""), { kind }])),
    required: names.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1)),
    content,
  };
}

function getImpliedIn(parentName: string, help: string, children: Step["children"]): NonNullable<Step["implied"]> {
  return Object.fromEntries(Object.entries(children).map(([child, name]) => [child, { parentName, help, name }]));
}

function required(children: Step["children"]): Step {
  return { children, min: 1, max: 1, exclusiveChildren: [] };
}
function optional(children: Step["children"]): Step {
  return { children, min: 0, max: 1, exclusiveChildren: [] };
}
function any(children: Step["children"]): Step {
  return { children, min: 0, max: "unbounded", exclusiveChildren: [] };
}
