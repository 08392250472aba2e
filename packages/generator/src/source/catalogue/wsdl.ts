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
  WSDL009: {
    kind: "wsdl.nameless-fault",
    cause: "A fault of an operation has no name.",
    fix: "Name the fault.",
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
  WSDL020: {
    kind: "wsdl.second-address",
    cause: "Two ports of a service have one protocol, and their bindings say the same.",
    fix: "Nothing needs to be done. A client may be given any address.",
  },
  WSDL021: {
    kind: "unsupported.binding",
    cause: "A binding is to a protocol that is not supported, so its ports are left out.",
    fix: "Use SOAP 1.1 or 1.2, HTTP GET or HTTP POST.",
  },
  WSDL022: {
    kind: "unsupported.transmission",
    cause:
      "In notification and solicit-response operations the server begins, and no binding says how it would. Most have input and output in the wrong order.",
    fix: "Remove the operation, or leave it out with `operations` in bothends.json.",
  },
  WSDL023: {
    kind: "wsdl.unknown-argument",
    cause: "`ambient` in bothends.json names an argument that no operation takes.",
    fix: "Use the name of a member of an operation's input.",
  },
  WSDL024: {
    kind: "wsdl.unknown-namespace",
    cause: "`wireNames` in bothends.json names a namespace that no document has.",
    fix: "Use the target namespace of a WSDL or of a schema.",
  },
  WSDL025: {
    kind: "wsdl.silent-operation",
    cause: "An operation of a port type has neither input nor output (WSDL 1.1 §2.4).",
    fix: "Give the operation an input, and an output unless it is one-way.",
  },
  WSDL026: {
    kind: "limit.operations",
    cause: "The WSDLs have more operations than they may have, or the index more endpoints.",
    fix: "Choose operations with `operations` in bothends.json.",
  },
  WSDL027: {
    kind: "wsdl.unprefixed",
    cause:
      "A reference has no prefix where no default namespace is declared, or WSDL's own, in which nothing is defined; it is read as in a target namespace.",
    fix: "Write a prefix that stands for the target namespace.",
  },
  WSDL028: {
    kind: "wsdl.unnamed-binding",
    cause: "No port of a service names a binding; it becomes a service of its own, without an address.",
    fix: "Nothing needs to be done. A client may be given any address.",
  },
  WSDL029: {
    kind: "wsdl.other-transport",
    cause:
      "A binding sends SOAP over JMS, TCP or something else than HTTP. The messages are the same and are generated; nothing here carries them so.",
    fix: "Give clients a `transport` of your own, or the address of a service that takes SOAP over HTTP.",
  },
  WSDL030: {
    kind: "types.nothing-concrete",
    cause: "A type is abstract, and no type derives from it, so that no value of it can be sent.",
    fix: "Define a type that extends it, or import the schema that does.",
  },
  WSDL031: {
    kind: "unsupported.array-dimensions",
    cause: "A SOAP array has more than one dimension.",
    fix: "Use an array of arrays.",
  },
  WSDL032: {
    kind: "types.duplicate-value",
    cause: "An enumeration has one value twice.",
    fix: "Remove one of them.",
  },
  WSDL033: {
    kind: "limit.places",
    cause: "An element stands in one type more often than a program can tell its members apart.",
    fix: "Use maxOccurs instead of repeating the element, or raise the limit with --limit places=<number>.",
  },
  WSDL034: {
    kind: "types.member-clash",
    cause:
      "Two members of a type have one local name: an attribute and an element, one name in two namespaces, or an element that stands twice in a sequence. The later one gets a number.",
    fix: "Nothing needs to be done. The name on the wire stays.",
  },
  WSDL035: {
    kind: "types.nothing-substitutes",
    cause: "An element is abstract, and no element may stand in for it, so that it can never be there.",
    fix: "Declare an element with it as substitutionGroup, or import the schema that does.",
  },
  WSDL040: {
    kind: "wsdl.bad-action",
    cause: "A soapAction has a line break, which would begin another header.",
    fix: "Write the soapAction on one line.",
  },
  WSDL041: {
    kind: "wsdl.document-type-part",
    cause:
      "A part of a document style message has a type instead of an element, so that WSDL does not say what its element is.",
    fix: "Give the part an element.",
  },
  WSDL042: {
    kind: "wsdl.header-fault",
    cause: "A header fault is declared for a one-way operation, which has no answer to carry it.",
    fix: "Nothing needs to be done.",
  },
  WSDL043: {
    kind: "unsupported.mime-multipart",
    cause: "An attachment (mime:multipartRelated) names no part.",
    fix: "Name the part, or leave the operation out with `operations` in bothends.json.",
  },
  WSDL044: {
    kind: "wsdl.fault-parts",
    cause: "The message of a fault does not have exactly one part (WSDL 1.1 §3.6).",
    fix: "Give the fault's message one part.",
  },
  WSDL045: {
    kind: "unsupported.http-body",
    cause: "An operation of an HTTP binding takes a body that is neither a form nor one XML element.",
    fix: "Use its SOAP binding, or leave the operation out with `operations` in bothends.json.",
  },
  WSDL046: {
    kind: "unsupported.http-parameter",
    cause: "A parameter of an HTTP binding is neither text nor an element of texts.",
    fix: "Give the part a simple type, or an element whose children have simple types.",
  },
  WSDL047: {
    kind: "unsupported.http-answer",
    cause: "The binding does not say how the answer of an HTTP operation travels: as XML, text or bytes.",
    fix: "Bind the output with mime:mimeXml to a part that has an element, or with mime:content.",
  },
  WSDL048: {
    kind: "wsdl.ports-apart",
    cause:
      "Two ports of a service have an operation of one name, and not with the same arguments and answer, so that one method cannot call both.",
    fix: "Give the operation the same arguments and answer at both ports, where one service is meant.",
  },
  WSDL049: {
    kind: "wsdl.port-address",
    cause:
      "The address of a port names a script, data or a local file, or is not an HTTP address although the binding is to HTTP.",
    fix: "Write the http or https address of the service, or leave `location` empty.",
  },
} as const satisfies Record<`WSDL${string}`, CatalogueEntry>;
