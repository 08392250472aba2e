import type { CatalogueEntry } from "./general.js";

/** The diagnostics about WSDLs. Their codes, `WSDLnnn`, are stable once released. */
export const wsdlCatalogue = {
  WSDL001: {
    kind: "wsdl.not-wsdl",
    cause: "The root of the document is not the element wsdl:definitions of WSDL 1.1.",
    fix: "Use a WSDL 1.1 document. WSDL 2.0 is not supported.",
  },
  WSDL002: {
    kind: "wsdl.missing-attribute",
    cause: "An element lacks an attribute that WSDL 1.1 requires.",
    fix: "Add the missing attribute.",
  },
  WSDL003: {
    kind: "wsdl.undeclared-prefix",
    cause: "A reference has a prefix that is not declared in its scope.",
    fix: "Declare the prefix, or use a prefix that is declared.",
  },
  WSDL004: {
    kind: "wsdl.unexpected-element",
    cause: "WSDL 1.1 does not allow the element at this position. The element is ignored.",
    fix: "Move the element to a position where it is allowed, or remove it.",
  },
  WSDL005: {
    kind: "wsdl.bad-value",
    cause: "An attribute has a value that WSDL does not allow.",
    fix: "Use one of the values that the message lists.",
  },
  WSDL006: {
    kind: "unsupported.extension",
    cause: 'An unsupported extension element is marked wsdl:required="true", so clients cannot ignore it.',
    fix: "If clients can work without the extension, remove the element or its attribute wsdl:required.",
  },
  WSDL007: {
    kind: "wsdl.ignored-extension",
    cause: "An extension element is ignored, because it is not supported and is not marked as required.",
    fix: "No action is needed.",
  },
  WSDL008: {
    kind: "wsdl.policy-not-applied",
    cause: "The document requires clients to follow a policy. No code is generated for policies.",
    fix: "Send what the policy requires. For example, add a security header with a hook.",
  },
  WSDL009: {
    kind: "wsdl.nameless-fault",
    cause: "A fault of an operation has no name.",
    fix: "Add a name to the fault.",
  },
  WSDL010: {
    kind: "wsdl.duplicate-name",
    cause: "Two definitions of the same kind have the same name.",
    fix: "Rename one of the two definitions.",
  },
  WSDL011: {
    kind: "wsdl.unknown-message",
    cause: "A reference names a message that no document defines.",
    fix: "Define the message, or import the document that defines it.",
  },
  WSDL012: {
    kind: "wsdl.unknown-element",
    cause: "A message part refers to an element that no schema declares.",
    fix: "Declare the element, or import the schema that declares it.",
  },
  WSDL013: {
    kind: "wsdl.unknown-type",
    cause: "A message part refers to a type that no schema defines.",
    fix: "Define the type, or import the schema that defines it.",
  },
  WSDL014: {
    kind: "wsdl.unknown-port-type",
    cause: "A binding refers to a port type that no document defines.",
    fix: "Define the port type, or import the document that defines it.",
  },
  WSDL015: {
    kind: "wsdl.unknown-binding",
    cause: "A port refers to a binding that no document defines.",
    fix: "Define the binding, or import the document that defines it.",
  },
  WSDL016: {
    kind: "wsdl.unknown-operation",
    cause: "A reference names an operation that does not exist.",
    fix: "Use the name of an existing operation.",
  },
  WSDL017: {
    kind: "wsdl.unknown-part",
    cause: "A reference names a part that the message does not have.",
    fix: "Use the name of a part of the message.",
  },
  WSDL018: {
    kind: "wsdl.part-type",
    cause: "A message part must have either an element or a type, but has neither or both.",
    fix: "Keep or add exactly one of the attributes `element` and `type`.",
  },
  WSDL019: {
    kind: "wsdl.nothing-bound",
    cause: "No operation is bound to SOAP or HTTP, so there is nothing to generate.",
    fix: "Add a SOAP or HTTP binding, or use a WSDL that has one. If the service no longer exists, remove its interface from bothends.json.",
  },
  WSDL020: {
    kind: "wsdl.second-address",
    cause: "Two ports of a service have equivalent bindings to the same protocol. Clients use the first port.",
    fix: "No action is needed. To call the second port, set the option `port` of the client to its name.",
  },
  WSDL021: {
    kind: "unsupported.binding",
    cause: "A binding uses an unsupported protocol. Its ports are left out.",
    fix: "Use SOAP 1.1 or 1.2, HTTP GET or HTTP POST.",
  },
  WSDL022: {
    kind: "unsupported.transmission",
    cause:
      "In a notification or solicit-response operation, the server sends the first message. No binding is defined for such operations. Often, the cause is that the input and the output are in the wrong order.",
    fix: "Put the input before the output, or leave the operation out with `operations` in bothends.json.",
  },
  WSDL023: {
    kind: "wsdl.unknown-argument",
    cause: "`ambient` in bothends.json names an argument that no operation has.",
    fix: "Name a member of the input of an operation.",
  },
  WSDL024: {
    kind: "wsdl.unknown-namespace",
    cause: "`wireNames` in bothends.json names a namespace that no document has as its target namespace.",
    fix: "Name the target namespace of a WSDL or of a schema.",
  },
  WSDL025: {
    kind: "wsdl.silent-operation",
    cause: "An operation of a port type has neither input nor output (WSDL 1.1 §2.4).",
    fix: "Add an input, and also an output unless the operation is one-way.",
  },
  WSDL026: {
    kind: "limit.operations",
    cause: "The WSDLs have too many operations, or the index has too many endpoints.",
    fix: "Select fewer operations with `operations` in bothends.json, or increase the limit with --limit operations=<number>.",
  },
  WSDL027: {
    kind: "wsdl.unprefixed",
    cause:
      "A reference has no prefix, and the default namespace is absent or is the namespace of WSDL. The target namespace is used.",
    fix: "Write a prefix that is bound to the target namespace.",
  },
  WSDL028: {
    kind: "wsdl.unnamed-binding",
    cause: "No port uses the binding. A service without an address is generated for it.",
    fix: "No action is needed to generate. When you create the client, pass an address.",
  },
  WSDL029: {
    kind: "wsdl.other-transport",
    cause:
      "A binding sends SOAP over a transport other than HTTP, such as JMS or TCP. Its messages are generated, but the transport is not built in.",
    fix: "Pass the client a `transport` that you have written, or the address of a service that accepts SOAP over HTTP.",
  },
  WSDL030: {
    kind: "types.nothing-concrete",
    cause: "A type is abstract and no type derives from it, so it has no values.",
    fix: "Define a type that extends the abstract type, or import a schema that defines one.",
  },
  WSDL031: {
    kind: "unsupported.array-dimensions",
    cause: "A SOAP array has more than one dimension, or too many arrays are nested in each other.",
    fix: "Use an array of arrays, up to 32 in each other.",
  },
  WSDL032: {
    kind: "types.duplicate-value",
    cause: "An enumeration contains the same value twice.",
    fix: "Remove one of the two values.",
  },
  WSDL033: {
    kind: "limit.sameNameElements",
    cause: "A type contains too many elements with the same name.",
    fix: "Use maxOccurs instead of repeating the element, or increase the limit with --limit sameNameElements=<number>.",
  },
  WSDL034: {
    kind: "types.member-clash",
    cause:
      "Two members of a type have the same local name: an attribute and an element, names of two namespaces, or an element that occurs twice in a sequence. A number is added to the key of the later member.",
    fix: "No action is needed. The name in messages does not change.",
  },
  WSDL035: {
    kind: "types.nothing-substitutes",
    cause: "An element is abstract and no element can substitute for it, so it can never occur.",
    fix: "Declare an element whose substitutionGroup is the abstract element, or import a schema that declares one.",
  },
  WSDL040: {
    kind: "wsdl.bad-action",
    cause: "A soapAction contains a line break, which would start another HTTP header.",
    fix: "Write the soapAction on one line.",
  },
  WSDL041: {
    kind: "wsdl.document-type-part",
    cause:
      "A part of a document-style message has a type instead of an element, so the name of its element is not defined.",
    fix: "Give the part an element instead of a type.",
  },
  WSDL042: {
    kind: "wsdl.header-fault",
    cause: "A header fault is declared for a one-way operation, which has no response.",
    fix: "No action is needed.",
  },
  WSDL043: {
    kind: "unsupported.mime-multipart",
    cause: "An attachment (mime:multipartRelated) does not name its part.",
    fix: "Add the name of the part, or leave the operation out with `operations` in bothends.json.",
  },
  WSDL044: {
    kind: "wsdl.fault-parts",
    cause: "The message of a fault does not have exactly one part (WSDL 1.1 §3.6).",
    fix: "Give the message of the fault exactly one part.",
  },
  WSDL045: {
    kind: "unsupported.http-body",
    cause: "An operation of an HTTP binding has a request body that is neither a form nor an XML document.",
    fix: "Use the operation's SOAP binding, or leave the operation out with `operations` in bothends.json.",
  },
  WSDL046: {
    kind: "unsupported.http-parameter",
    cause: "A parameter of an HTTP binding is neither a simple value nor an element whose children are simple values.",
    fix: "Give the part a simple type, or an element whose children have simple types.",
  },
  WSDL047: {
    kind: "unsupported.http-answer",
    cause: "The binding does not define the format of an HTTP operation's response: XML, text or bytes.",
    fix: "Bind the output with mime:content, or with mime:mimeXml to a part that has an element.",
  },
  WSDL048: {
    kind: "wsdl.ports-apart",
    cause:
      "Two ports of a service have an operation of the same name with different arguments or responses, so one method cannot call both. For the later port, the operation gets a different name.",
    fix: "If both ports offer the same operation, declare the same arguments and response for both.",
  },
  WSDL049: {
    kind: "wsdl.port-address",
    cause:
      "The address of a port is a script, a data URL or a local file, or the binding uses HTTP and the address does not.",
    fix: "Write the http or https address of the service, or leave `location` empty.",
  },
  WSDL050: {
    kind: "wsdl.sent-name",
    cause:
      "The name of an operation, or of a part with a type, is not a valid XML name, so no message can have an element of that name.",
    fix: "Choose a name of letters, digits, `-`, `_` and `.` that begins with a letter or `_`.",
  },
  WSDL051: {
    kind: "wsdl.internal-name",
    cause:
      "The name of a message, part, port type, binding, service or port is not a valid XML name (an NCName). Messages do not contain these names, so the name is used unchanged.",
    fix: "Choose a name of letters, digits, `-`, `_` and `.` that begins with a letter or `_`.",
  },
  WSDL052: {
    kind: "wsdl.misplaced-attribute",
    cause: "A SOAP attribute is on an element where WSDL 1.1 does not allow it. The attribute is ignored.",
    fix: "Move the attribute to an element where WSDL 1.1 allows it, or remove it.",
  },
  WSDL053: {
    kind: "wsdl.same-requests",
    cause:
      "The requests of two operations of a service have the same first element and the same soapAction (Basic Profile 1.1 R2710). A server refuses them, because it cannot choose the operation.",
    fix: "Give each operation its own soapAction or element, or leave out one of the operations with `operations` in bothends.json.",
  },
} as const satisfies Record<`WSDL${string}`, CatalogueEntry>;
