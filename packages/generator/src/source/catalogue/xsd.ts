import type { CatalogueEntry } from "./entry.js";

/** Codes XSDnnn: stable once released. */
export const xsdCatalogue = {
  XSD001: {
    kind: "xsd.misplaced-element",
    cause: "An element stands where XSD has no place for it.",
    fix: "Correct its name or its place, or remove it; notes belong into <annotation>.",
  },
  XSD002: {
    kind: "xsd.misplaced-attribute",
    cause: "An element of XSD has an attribute that it does not know here.",
    fix: "Correct its name, or remove it. Attributes of other namespaces are ignored.",
  },
  XSD003: {
    kind: "xsd.missing-attribute",
    cause: "An element of XSD lacks an attribute that it needs.",
    fix: "Add the attribute.",
  },
  XSD004: {
    kind: "xsd.invalid-value",
    cause: "The value of an attribute does not have the form that XSD asks for.",
    fix: "Correct the value.",
  },
  XSD005: {
    kind: "xsd.missing-element",
    cause: "An element of XSD lacks a child that it needs.",
    fix: "Add the child.",
  },
  XSD006: {
    kind: "xsd.text",
    cause: "Text stands between elements of XSD.",
    fix: "Put it into <annotation><documentation>, or remove it.",
  },
  XSD007: {
    kind: "xsd.duplicate-id",
    cause: "Two elements of a schema document have one id.",
    fix: "Give one of them another id, or none.",
  },
  XSD008: {
    kind: "xsd.undeclared-prefix",
    cause: "A qualified name has a prefix that no namespace declaration binds there.",
    fix: "Declare the prefix, or use one that is declared.",
  },
  XSD009: {
    kind: "xsd.conflict",
    cause: "Two attributes, or an attribute and a child, exclude each other.",
    fix: "Remove one of the two.",
  },
  XSD010: {
    kind: "xsd.occurs",
    cause: "minOccurs is more than maxOccurs.",
    fix: "Lower the one or raise the other.",
  },
  XSD011: {
    kind: "xsd.reserved-attribute",
    cause: "XSD reserves the name or the namespace of an attribute.",
    fix: "Use another name.",
  },
  XSD012: {
    kind: "xsd.own-import",
    cause: "A schema imports its own target namespace.",
    fix: "Include the document, or name another namespace.",
  },
  XSD020: {
    kind: "xsd.include-namespace",
    cause: "A document includes or redefines one with another target namespace.",
    fix: "Import it, or make the target namespaces equal.",
  },
  XSD021: {
    kind: "xsd.import-namespace",
    cause: "A document has another target namespace than its import says.",
    fix: "Correct the namespace of the import, or its location.",
  },
  XSD022: {
    kind: "xsd.duplicate",
    cause: "Two components of one kind have one name.",
    fix: "Remove one of the two, or rename it.",
  },
  XSD023: {
    kind: "xsd.unknown-type",
    cause: "A name refers to a type that no schema defines.",
    fix: "Correct the name, or import the schema that defines it.",
  },
  XSD024: {
    kind: "xsd.unknown-element",
    cause: "A name refers to an element that no schema declares.",
    fix: "Correct the name, or import the schema that declares it.",
  },
  XSD025: {
    kind: "xsd.unknown-attribute",
    cause: "A name refers to an attribute that no schema declares.",
    fix: "Correct the name, or import the schema that declares it.",
  },
  XSD026: {
    kind: "xsd.unknown-group",
    cause: "A name refers to a group that no schema defines.",
    fix: "Correct the name, or import the schema that defines it.",
  },
  XSD027: {
    kind: "xsd.unknown-attribute-group",
    cause: "A name refers to an attribute group that no schema defines.",
    fix: "Correct the name, or import the schema that defines it.",
  },
  XSD028: {
    kind: "xsd.unknown-key",
    cause: "A keyref refers to a key that no schema declares.",
    fix: "Correct the name, or declare the key.",
  },
  XSD029: {
    kind: "xsd.unknown-notation",
    cause: "A name refers to a notation that no schema declares.",
    fix: "Correct the name, or declare the notation.",
  },
  XSD030: {
    kind: "xsd.not-imported",
    cause: "A document refers to a namespace that it does not import.",
    fix: "Add an <import> for the namespace.",
  },
  XSD031: {
    kind: "xsd.redefine",
    cause: "A redefinition does not derive from what it redefines, or there is nothing to redefine.",
    fix: "Extend or restrict the component of the same name in the redefined document.",
  },
  XSD032: {
    kind: "xsd.circular",
    cause: "A definition depends on itself.",
    fix: "Break the cycle. Elements may contain themselves; types cannot derive from themselves, nor groups hold themselves.",
  },
  XSD033: {
    kind: "limit.inheritance",
    cause: "A chain of derived types is longer than it may be.",
    fix: "Flatten the types, or raise the limit with --limit inheritance=<number>.",
  },
  XSD034: {
    kind: "limit.types",
    cause: "The schemas define more types than they may.",
    fix: "Generate from fewer schemas, or raise the limit with --limit types=<number>.",
  },
  XSD035: {
    kind: "limit.enumValues",
    cause: "A type has more enumeration values than it may have.",
    fix: "Use a pattern, or raise the limit with --limit enumValues=<number>.",
  },
  XSD036: {
    kind: "xsd.unprefixed",
    cause: "A name has no prefix where no default namespace is declared, so that it is in no namespace.",
    fix: "Write a prefix, or declare the default namespace.",
  },
  XSD037: {
    kind: "limit.particles",
    cause: "The content of a type has more particles than it may have, references to groups written out.",
    fix: "Use fewer references to groups, or raise the limit with --limit particles=<number>.",
  },
  XSD038: {
    kind: "limit.members",
    cause: "A union has more member types than it may have, unions in unions written out.",
    fix: "Use fewer member types, or raise the limit with --limit members=<number>.",
  },
  XSD040: {
    kind: "xsd.base",
    cause: "A type derives from one that it cannot derive from in this way.",
    fix: "Choose another base, or another way of deriving.",
  },
  XSD041: {
    kind: "xsd.final",
    cause: "A type or element is final, and something derives from it.",
    fix: "Remove the derivation, or the final.",
  },
  XSD042: {
    kind: "xsd.facet",
    cause: "A facet does not fit its type, its base or another facet.",
    fix: "Correct the facet, or remove it.",
  },
  XSD043: {
    kind: "xsd.facet-value",
    cause: "The value of a facet does not belong to the base type.",
    fix: "Correct the value.",
  },
  XSD044: {
    kind: "xsd.pattern",
    cause: "A pattern is not a regular expression of XSD.",
    fix: "Correct the pattern. XSD has no anchors, no look-around and no back-references.",
  },
  XSD045: {
    kind: "xsd.value",
    cause: "A default or fixed value does not belong to its type.",
    fix: "Correct the value, or remove it.",
  },
  XSD046: {
    kind: "xsd.duplicate-attribute",
    cause: "A type has two attributes of one name.",
    fix: "Remove one of the two.",
  },
  XSD047: {
    kind: "xsd.all",
    cause: "An <all> group stands inside another group, or repeats.",
    fix: "Use <sequence> or <choice>, or make the <all> the whole content of the type.",
  },
  XSD048: {
    kind: "xsd.substitution",
    cause: "The type of a member of a substitution group does not derive from the head's.",
    fix: "Derive it, or remove the member from the group.",
  },
  XSD049: {
    kind: "xsd.inconsistent-elements",
    cause: "One content has two elements of one name with two types.",
    fix: "Give both the same named type, or rename one.",
  },
  XSD050: {
    kind: "xsd.ambiguous",
    cause: "One element of a message could belong to two particles of the content (Unique Particle Attribution).",
    fix: "Make the particles tell apart, or merge them. Messages are read by the first that fits.",
  },
  XSD051: {
    kind: "xsd.restriction",
    cause: "A restriction allows what its base does not.",
    fix: "Allow less than the base, or extend it.",
  },
  XSD052: {
    kind: "xsd.identity-constraint",
    cause: "An identity constraint has a name that is taken, or does not fit the key that it refers to.",
    fix: "Rename it, or make the fields equal in number.",
  },
  XSD053: {
    kind: "xsd.not-enforced",
    cause: "Generated code does not check identity constraints.",
    fix: "Nothing needs to be done; check uniqueness in your own code where it matters.",
  },
  XSD054: {
    kind: "xsd.several-ids",
    cause: "A type has more than one attribute of type ID.",
    fix: "Make one of them another type.",
  },
  XSD055: {
    kind: "xsd.wildcard",
    cause: "Two attribute wildcards cannot be combined into one.",
    fix: "Name the namespaces of one of them.",
  },
  XSD056: {
    kind: "xsd.wide-choice",
    cause:
      "A choice has more alternatives than TypeScript can tell apart in good time; the codec holds values to it all the same.",
    fix: "Nothing needs to be done; fill the members of one alternative.",
  },
} as const satisfies Record<`XSD${string}`, CatalogueEntry>;
