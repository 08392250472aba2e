import type { CatalogueEntry } from "./entry.js";

/** Codes WSDLnnn: stable once released. */
export const wsdlCatalogue = {
  WSDL001: {
    kind: "wsdl.not-wsdl",
    cause: "The document's root is not wsdl:definitions of WSDL 1.1.",
    fix: "Name a WSDL 1.1 document. WSDL 2.0 is not supported.",
  },
  WSDL002: {
    kind: "wsdl.missing-attribute",
    cause: "An element lacks an attribute that WSDL 1.1 requires.",
    fix: "Add the attribute.",
  },
  WSDL003: {
    kind: "wsdl.undeclared-prefix",
    cause: "A reference has a prefix that no xmlns declaration in scope binds.",
    fix: "Declare the prefix, or use one that is declared.",
  },
  WSDL004: {
    kind: "wsdl.unexpected-element",
    cause: "An element stands where WSDL 1.1 has no place for it, so it says nothing.",
    fix: "Remove the element, or move it to where it belongs.",
  },
  WSDL005: {
    kind: "wsdl.bad-value",
    cause: "An attribute has a value that its definition does not allow.",
    fix: "Use one of the values that the message names.",
  },
  WSDL006: {
    kind: "unsupported.extension",
    cause: 'An extension element has wsdl:required="true", and is not supported: clients could not call the service.',
    fix: "Remove the extension, or its wsdl:required, if clients can do without it.",
  },
  WSDL007: {
    kind: "wsdl.ignored-extension",
    cause: "An extension element that clients may ignore is ignored.",
    fix: "Nothing needs to be done.",
  },
  WSDL008: {
    kind: "wsdl.policy-not-applied",
    cause: "The document says that its policies are required. What they ask for is not generated.",
    fix: "Add what the policies ask for to the calls, such as a security header.",
  },
  WSDL010: {
    kind: "wsdl.duplicate-name",
    cause: "Two definitions of one kind have one name.",
    fix: "Rename one of them.",
  },
  WSDL011: {
    kind: "wsdl.unknown-message",
    cause: "A reference names a message that no document defines.",
    fix: "Define the message, or import the document that does.",
  },
  WSDL012: {
    kind: "wsdl.unknown-element",
    cause: "A part refers to an element that no schema declares.",
    fix: "Declare the element, or import the schema that does.",
  },
  WSDL013: {
    kind: "wsdl.unknown-type",
    cause: "A part refers to a type that no schema defines.",
    fix: "Define the type, or import the schema that does.",
  },
  WSDL014: {
    kind: "wsdl.unknown-port-type",
    cause: "A binding refers to a port type that no document defines.",
    fix: "Define the port type, or import the document that does.",
  },
  WSDL015: {
    kind: "wsdl.unknown-binding",
    cause: "A port refers to a binding that no document defines.",
    fix: "Define the binding, or import the document that does.",
  },
  WSDL016: {
    kind: "wsdl.unknown-operation",
    cause: "An operation is named that is not there.",
    fix: "Use the name of an operation.",
  },
  WSDL017: {
    kind: "wsdl.unknown-part",
    cause: "A part is named that the message does not have.",
    fix: "Use the name of a part of the message.",
  },
  WSDL018: {
    kind: "wsdl.part-type",
    cause: "A part needs either an element or a type, and has neither or both.",
    fix: "Give the part one of the two attributes.",
  },
  WSDL019: {
    kind: "wsdl.nothing-bound",
    cause: "No operation is bound to SOAP or HTTP, so there is nothing to generate.",
    fix: "Add a binding, or name a WSDL that has one.",
  },
} as const satisfies Record<`WSDL${string}`, CatalogueEntry>;
