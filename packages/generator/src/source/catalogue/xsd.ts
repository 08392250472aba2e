import type { CatalogueEntry } from "./general.js";

/** The diagnostics about XML Schemas. Their codes, `XSDnnn`, are stable once released. */
export const xsdCatalogue = {
  XSD001: {
    kind: "xsd.misplaced-element",
    cause: "XSD does not allow the element at this position.",
    fix: "Correct the name of the element, move the element, or remove it. Notes belong in <annotation>.",
  },
  XSD002: {
    kind: "xsd.misplaced-attribute",
    cause: "XSD does not allow the attribute on this element.",
    fix: "Correct the name of the attribute, or remove the attribute. Attributes of other namespaces are ignored.",
  },
  XSD003: {
    kind: "xsd.missing-attribute",
    cause: "An XSD element lacks a required attribute.",
    fix: "Add the missing attribute.",
  },
  XSD004: {
    kind: "xsd.invalid-value",
    cause: "The value of an attribute does not have the form that XSD requires.",
    fix: "Write a value of the required form.",
  },
  XSD005: {
    kind: "xsd.missing-element",
    cause: "An XSD element lacks a required child.",
    fix: "Add the child element that the message names.",
  },
  XSD006: {
    kind: "xsd.text",
    cause: "A schema document contains text between XSD elements.",
    fix: "Move the text into <annotation><documentation>, or remove it.",
  },
  XSD007: {
    kind: "xsd.duplicate-id",
    cause: "Two elements of a schema document have the same id.",
    fix: "Change or remove one of the two ids.",
  },
  XSD008: {
    kind: "xsd.undeclared-prefix",
    cause: "A qualified name has a prefix that is not declared in its scope.",
    fix: "Declare the prefix, or use a prefix that is declared.",
  },
  XSD009: {
    kind: "xsd.conflict",
    cause: "An XSD element has two attributes, or an attribute and a child, that must not be used together.",
    fix: "Remove the attribute, or the attribute or child that conflicts with it.",
  },
  XSD010: {
    kind: "xsd.occurs",
    cause: "minOccurs is greater than maxOccurs.",
    fix: "Decrease minOccurs, or increase maxOccurs.",
  },
  XSD011: {
    kind: "xsd.reserved-attribute",
    cause: "XSD reserves the name or the namespace of the attribute.",
    fix: "Use another name for the attribute.",
  },
  XSD012: {
    kind: "xsd.own-import",
    cause: "A schema imports its own target namespace.",
    fix: "Use <include> instead of <import>, or correct the namespace.",
  },
  XSD020: {
    kind: "xsd.include-namespace",
    cause: "A document includes or redefines a document with another target namespace.",
    fix: "Use <import> instead, or give both documents the same target namespace.",
  },
  XSD021: {
    kind: "xsd.import-namespace",
    cause: "The target namespace of a document is not the namespace that its import declares.",
    fix: "Correct the namespace or the location of the import.",
  },
  XSD022: {
    kind: "xsd.duplicate",
    cause: "Two components of the same kind have the same name.",
    fix: "Remove or rename one of the two components.",
  },
  XSD023: {
    kind: "xsd.unknown-type",
    cause: "A reference names a type that no schema defines.",
    fix: "Correct the name, or import the schema that defines it.",
  },
  XSD024: {
    kind: "xsd.unknown-element",
    cause: "A reference names an element that no schema declares.",
    fix: "Correct the name, or import the schema that declares it.",
  },
  XSD025: {
    kind: "xsd.unknown-attribute",
    cause: "A reference names an attribute that no schema declares.",
    fix: "Correct the name, or import the schema that declares it.",
  },
  XSD026: {
    kind: "xsd.unknown-group",
    cause: "A reference names a group that no schema defines.",
    fix: "Correct the name, or import the schema that defines it.",
  },
  XSD027: {
    kind: "xsd.unknown-attribute-group",
    cause: "A reference names an attribute group that no schema defines.",
    fix: "Correct the name, or import the schema that defines it.",
  },
  XSD028: {
    kind: "xsd.unknown-key",
    cause: "A keyref refers to a key that no schema declares.",
    fix: "Correct the name, or declare the key.",
  },
  XSD029: {
    kind: "xsd.unknown-notation",
    cause: "A reference names a notation that no schema declares.",
    fix: "Correct the name, or declare the notation.",
  },
  XSD030: {
    kind: "xsd.not-imported",
    cause: "A document refers to a namespace that it does not import.",
    fix: "Add an <import> for the namespace.",
  },
  XSD031: {
    kind: "xsd.redefine",
    cause: "A redefinition does not derive from the component that it redefines, or that component does not exist.",
    fix: "Extend or restrict the component of the same name in the redefined document.",
  },
  XSD032: {
    kind: "xsd.circular",
    cause: "A definition depends on itself.",
    fix: "Break the cycle. An element may contain an element of the same name, but a type cannot derive from itself, and a group cannot contain itself.",
  },
  XSD033: {
    kind: "limit.inheritance",
    cause: "A chain of derived types, substituted elements or nested groups is too long.",
    fix: "Shorten the chain, or increase the limit with --limit inheritance=<number>.",
  },
  XSD034: {
    kind: "limit.types",
    cause: "The schemas define too many types.",
    fix: "Generate from fewer schemas, or increase the limit with --limit types=<number>.",
  },
  XSD035: {
    kind: "limit.enumValues",
    cause: "An enumeration has too many values.",
    fix: "Use a pattern, or increase the limit with --limit enumValues=<number>.",
  },
  XSD036: {
    kind: "xsd.unprefixed",
    cause:
      "A reference has no prefix, and the document declares no default namespace. According to the specification, the reference means a component without a namespace. No such component exists, so the component with that name in the schema's target namespace is used.",
    fix: "Declare the default namespace with xmlns, or write the name with a prefix that is bound to the namespace.",
  },
  XSD037: {
    kind: "limit.particles",
    cause:
      "The contents of the types have too many particles, counted after references to groups are replaced with the groups.",
    fix: "Use fewer references to groups, or increase the limit with --limit particles=<number>.",
  },
  XSD038: {
    kind: "limit.unionMembers",
    cause: "A union has too many member types, counted after nested unions are replaced with their members.",
    fix: "Use fewer member types, or increase the limit with --limit unionMembers=<number>.",
  },
  XSD040: {
    kind: "xsd.base",
    cause: "A type cannot be derived from its base in this way.",
    fix: "Choose another base, or another kind of derivation.",
  },
  XSD041: {
    kind: "xsd.final",
    cause: "A type or an element is final, but another type derives from it, or another element substitutes for it.",
    fix: "Remove the derivation, or remove the attribute `final`.",
  },
  XSD042: {
    kind: "xsd.facet",
    cause: "A facet conflicts with its type, with its base type or with another facet.",
    fix: "Correct the facet, or remove it.",
  },
  XSD043: {
    kind: "xsd.facet-value",
    cause: "The value of a facet is not valid for the base type.",
    fix: "Write a value that the base type allows.",
  },
  XSD044: {
    kind: "xsd.pattern",
    cause: "A pattern is not a valid XSD regular expression.",
    fix: "Correct the pattern. XSD has no anchors, no look-around and no back-references.",
  },
  XSD045: {
    kind: "xsd.value",
    cause: "A default or fixed value is not valid for its type.",
    fix: "Write a value that the type allows, or remove the default or fixed value.",
  },
  XSD046: {
    kind: "xsd.duplicate-attribute",
    cause: "A type has two attributes with the same name.",
    fix: "Remove one of the two attributes.",
  },
  XSD047: {
    kind: "xsd.all",
    cause: "An <all> group is inside another group, or is repeated.",
    fix: "Use <sequence> or <choice>, or make <all> the only content of the type.",
  },
  XSD048: {
    kind: "xsd.substitution",
    cause: "The type of a member of a substitution group does not derive from the type of the group's head.",
    fix: "Derive the type from the head's type, or remove the element from the group.",
  },
  XSD049: {
    kind: "xsd.inconsistent-elements",
    cause: "The content of a type has two elements with the same name and different types.",
    fix: "Give both elements the same named type, or rename one of them.",
  },
  XSD050: {
    kind: "xsd.ambiguous",
    cause: "An element of a message can match two particles of the content (Unique Particle Attribution).",
    fix: "Change the particles so that only one can match, or merge them. Until then, the first particle that matches is used.",
  },
  XSD051: {
    kind: "xsd.restriction",
    cause: "A restriction allows content that its base type does not allow.",
    fix: "Restrict the content further, or use an extension.",
  },
  XSD052: {
    kind: "xsd.identity-constraint",
    cause: "An identity constraint has a name that is already used, or it does not match the key that it refers to.",
    fix: "Rename the constraint, or give it as many fields as the key.",
  },
  XSD053: {
    kind: "xsd.not-enforced",
    cause: "By default, clients and servers do not check identity constraints.",
    fix: "No action is needed. To check identity constraints, set the option `validate: { identity: true }`.",
  },
  XSD054: {
    kind: "xsd.several-ids",
    cause: "A type has more than one attribute of type ID.",
    fix: "Keep the type ID for one of the attributes, and change the type of the others.",
  },
  XSD055: {
    kind: "xsd.wildcard",
    cause: "Two attribute wildcards cannot be combined into one.",
    fix: "In one of the wildcards, list the namespaces instead of using ##any or ##other.",
  },
  XSD056: {
    kind: "xsd.wide-choice",
    cause:
      "A choice has more than 256 alternatives, or the choices of a type have too many combinations, for a precise TypeScript type. Values are still checked when they are sent or read.",
    fix: "No action is needed to generate. When you create a value, set the members of only one alternative of each choice.",
  },
} as const satisfies Record<`XSD${string}`, CatalogueEntry>;
