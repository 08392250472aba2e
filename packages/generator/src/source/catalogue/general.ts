// Diagnostics about every kind of interface: files, XML, limits, bothends.json, TypeScript names, published documents.

/** The general description of a diagnostic code. The message of a diagnostic describes the specific problem. */
export interface CatalogueEntry {
  /** A stable, readable identifier: `xml.dtd`, `wsdl.unknown-element`, `unsupported.mtom`. */
  readonly kind: string;
  readonly cause: string;
  readonly fix: string;
}

/** The diagnostics about files and locations. Their codes, `SRCnnn`, are stable once released. */
export const sourceCatalogue = {
  SRC001: {
    kind: "source.missing",
    cause: "The configuration or another document names a file that does not exist.",
    fix: "Create the file, or correct the location. A location is relative to the document that contains it.",
  },
  SRC002: {
    kind: "source.irregular",
    cause: "A path leads to a folder, a device or a pipe.",
    fix: "Name a regular file.",
  },
  SRC003: {
    kind: "source.unreadable",
    cause: "The file cannot be read.",
    fix: "Check the permissions of the file and of its folders.",
  },
  SRC004: {
    kind: "source.unexpected",
    cause: "The file does not contain the document that is expected.",
    fix: "Save the expected document. The file may be an error page or an archive that contains the document.",
  },
  SRC005: {
    kind: "source.encoding",
    cause: "A text file is not encoded in UTF-8.",
    fix: "Save the file as UTF-8.",
  },
  SRC006: {
    kind: "import.remote",
    cause: "A location is on the network. Documents are never downloaded.",
    fix: "Save a copy of the document next to the one that imports it, and use a relative location.",
  },
  SRC007: {
    kind: "import.outside",
    cause: "A location is absolute, leads outside the root, or has escaped dots or slashes.",
    fix: "Use a relative location inside the root folder of the sources. To use files elsewhere, set a wider root with --root.",
  },
  SRC008: {
    kind: "limit.fileBytes",
    cause: "A file is too large.",
    fix: "Split the file, or increase the limit with --limit fileBytes=<number>.",
  },
  SRC009: {
    kind: "limit.inputBytes",
    cause: "The documents are too large in total.",
    fix: "Generate from fewer documents, or increase the limit with --limit inputBytes=<number>.",
  },
  SRC010: {
    kind: "limit.inputFiles",
    cause: "There are too many documents, including imported documents.",
    fix: "Generate from fewer documents, or increase the limit with --limit inputFiles=<number>.",
  },
  SRC011: {
    kind: "limit.imports",
    cause: "A chain of imports is too long.",
    fix: "Import the documents more directly, or increase the limit with --limit imports=<number>.",
  },
  SRC012: {
    kind: "source.credentials",
    cause: "An address contains a user name or a password, which would be published with the generated code.",
    fix: "Remove the user name and the password from the source, and set the client option `authorization`.",
  },
} as const satisfies Record<`SRC${string}`, CatalogueEntry>;

/** The diagnostics about XML. Their codes, `XMLnnn`, are stable once released. */
export const xmlCatalogue = {
  XML001: {
    kind: "xml.not-well-formed",
    cause: "The document is not well-formed according to XML 1.0 or Namespaces in XML 1.0.",
    fix: "Correct the document at the position shown. The text after that position was not read.",
  },
  XML002: {
    kind: "xml.dtd",
    cause:
      "The document has a document type declaration. Such documents are always refused, because the declaration can define entities.",
    fix: "Remove the <!DOCTYPE …> declaration, and replace each reference to an entity that it defines with the entity's text.",
  },
  XML003: {
    kind: "xml.encoding",
    cause: "The bytes do not match the encoding that the document declares, or the encoding is unknown.",
    fix: "Save the document as UTF-8, and declare that encoding.",
  },
  XML010: {
    kind: "limit.depth",
    cause: "Elements are nested too deeply.",
    fix: "Flatten the document, or increase the limit with --limit depth=<number>.",
  },
  XML011: {
    kind: "limit.attributes",
    cause: "An element has too many attributes.",
    fix: "Remove attributes, or increase the limit with --limit attributes=<number>.",
  },
  XML012: {
    kind: "limit.namespaces",
    cause: "An element declares too many namespaces.",
    fix: "Declare fewer namespaces on the element, or increase the limit with --limit namespaces=<number>.",
  },
  XML013: {
    kind: "limit.attributeChars",
    cause: "The value of an attribute is too long.",
    fix: "Shorten the value, or increase the limit with --limit attributeChars=<number>.",
  },
  XML014: {
    kind: "limit.children",
    cause: "An element has too many children.",
    fix: "Split the document, or increase the limit with --limit children=<number>.",
  },
  XML015: {
    kind: "limit.nodes",
    cause: "The document has too many nodes (elements, attributes and text nodes).",
    fix: "Split the document, or increase the limit with --limit nodes=<number>.",
  },
  XML016: {
    kind: "limit.textChars",
    cause: "The text of an element is too long.",
    fix: "Shorten the text, or increase the limit with --limit textChars=<number>.",
  },
  XML017: {
    kind: "limit.nameChars",
    cause: "A name is too long.",
    fix: "Shorten the name, or increase the limit with --limit nameChars=<number>.",
  },
  XML018: {
    kind: "limit.comments",
    cause: "The document has too many comments and processing instructions.",
    fix: "Remove comments, or increase the limit with --limit comments=<number>.",
  },
  XML019: {
    kind: "xml.dtd-replaced",
    cause:
      "A schema document has a document type declaration and is not read. The built-in schema for its namespace is used instead.",
    fix: "No action is needed, unless the document differs from the standard schema of its namespace.",
  },
  XML020: {
    kind: "limit.namespaceChars",
    cause: "The name of a namespace is too long.",
    fix: "Shorten the name of the namespace, or increase the limit with --limit namespaceChars=<number>.",
  },
} as const satisfies Record<`XML${string}`, CatalogueEntry>;

/**
 * The diagnostics about limits on generated files, and about limits that apply to several kinds of sources. Their
 * codes, `LIMnnn`, are stable once released.
 */
export const limitCatalogue = {
  LIM001: {
    kind: "limit.patternChars",
    cause: "A pattern or a route is too long.",
    fix: "Shorten the pattern or route, or increase the limit with --limit patternChars=<number>.",
  },
  LIM002: {
    kind: "limit.patternStates",
    cause: "A pattern needs too many states to match. A repeated part counts once for each repetition.",
    fix: "Use smaller repetition counts, or increase the limit with --limit patternStates=<number>.",
  },
  LIM003: {
    kind: "limit.pathChars",
    cause: "The path of a generated file is too long.",
    fix: "Use shorter names for folders or interfaces, or increase the limit with --limit pathChars=<number>.",
  },
  LIM004: {
    kind: "limit.pathSegment",
    cause: "The name of a generated folder or file is too long.",
    fix: "Use a shorter name, or increase the limit with --limit pathSegment=<number>.",
  },
  LIM005: {
    kind: "limit.outputFiles",
    cause: "Too many files would be generated.",
    fix: "Generate from fewer documents, or increase the limit with --limit outputFiles=<number>.",
  },
  LIM006: {
    kind: "limit.outputBytes",
    cause: "The generated files would be too large in total.",
    fix: "Generate from fewer documents, or increase the limit with --limit outputBytes=<number>.",
  },
  LIM007: {
    kind: "limit.jsonKeys",
    cause: "The objects of a JSON document have too many members in total.",
    fix: "Generate from fewer routes, or increase the limit with --limit jsonKeys=<number>.",
  },
  LIM008: {
    kind: "limit.jsonItems",
    cause: "The lists of a JSON document have too many items in total.",
    fix: "Generate from fewer routes, or increase the limit with --limit jsonItems=<number>.",
  },
} as const satisfies Record<`LIM${string}`, CatalogueEntry>;

/** The diagnostics about bothends.json. Their codes, `CFGnnn`, are stable once released. */
export const configCatalogue = {
  CFG001: {
    kind: "config.syntax",
    cause: "The configuration is not valid JSON. Comments are allowed, but trailing commas are not.",
    fix: "Correct the configuration at the position shown.",
  },
  CFG002: {
    kind: "config.duplicate-key",
    cause: "An object has two members with the same name.",
    fix: "Remove one of the two members.",
  },
  CFG003: {
    kind: "config.unknown-key",
    cause: "A member of the configuration has an unknown name.",
    fix: "Correct the name, or remove the member. An editor that uses the JSON Schema of bothends.json suggests the allowed names.",
  },
  CFG004: {
    kind: "config.missing-key",
    cause: "A required member of the configuration is missing.",
    fix: "Add the member that the message names.",
  },
  CFG005: {
    kind: "config.type",
    cause: "A member of the configuration has a value of the wrong type.",
    fix: "Write a value of the type that the message names.",
  },
  CFG006: {
    kind: "config.path",
    cause: "A path is not a relative path inside the root, or is not portable to every file system.",
    fix: "Write a path relative to bothends.json, with / between its segments. To use files elsewhere, set a wider root with --root.",
  },
  CFG007: {
    kind: "config.package-name",
    cause: "The name of a generated package is not a valid npm package name.",
    fix: "Use lower-case letters, digits, hyphens, dots and underscores, with at most one scope: @scope/name.",
  },
  CFG008: {
    kind: "config.interface-name",
    cause: "An interface has an invalid name. The name becomes a folder and an import path.",
    fix: "Begin with a lower-case letter, followed by letters, digits and hyphens; at most 64 characters.",
  },
  CFG009: {
    kind: "config.collision",
    cause: "Two generated packages, or two interfaces, have the same name or overlapping folders.",
    fix: "Give each package and each interface a different name and a different folder.",
  },
  CFG010: {
    kind: "config.nothing",
    cause: "The configuration has no interface to generate.",
    fix: "Add at least one interface, with its WSDLs or its index.",
  },
  CFG011: {
    kind: "config.interface-kind",
    cause: 'An interface must be either SOAP ("wsdl") or REST ("index").',
    fix: 'Write exactly one of "wsdl" and "index".',
  },
  CFG012: {
    kind: "config.base",
    cause: "The REST base path and the values of its variables do not match.",
    fix: 'Write the base path as "/{variable}/path", and list the values of every variable.',
  },
  CFG013: {
    kind: "config.repeated",
    cause: "A list contains the same entry twice.",
    fix: "Remove one of the two entries.",
  },
  CFG014: {
    kind: "limit.configChars",
    cause: "The configuration is too large or too deeply nested.",
    fix: "Remove settings that no interface uses.",
  },
  CFG015: {
    kind: "config.option-name",
    cause: "An ambient argument, or a variable of a base path, has the name of a client option.",
    fix: "Pass the argument with each call, or rename the variable.",
  },
  CFG016: {
    kind: "config.module",
    cause: "A module in `typeMap`, or the name of one of its exports, cannot be imported.",
    fix: 'Name a package or a file such as "./decimals.js", and the names of its exports. Expressions are not accepted.',
  },
} as const satisfies Record<`CFG${string}`, CatalogueEntry>;

/** The diagnostics about TypeScript names. Their codes, `NAMnnn`, are stable once released. */
export const planCatalogue = {
  NAM001: {
    kind: "name.type-clash",
    cause: "Two types would have the same TypeScript name. A suffix is added to the name of the later type.",
    fix: "To choose a name for one of them, add it to `names` in bothends.json.",
  },
  NAM002: {
    kind: "name.operation-clash",
    cause:
      "Two operations of a service would have the same method name. A number is added to the name of the later operation.",
    fix: "To choose a name for one of them, add it to `names` in bothends.json.",
  },
  NAM003: {
    kind: "name.override-invalid",
    cause: "A name in bothends.json is not an identifier, is reserved, or is already used.",
    fix: "Choose another name for the type or operation.",
  },
  NAM004: {
    kind: "name.override-unused",
    cause: "An entry of `names` in bothends.json refers to a name that the schema does not contain.",
    fix: "Write the name exactly as in the schema, or remove the entry.",
  },
  NAM005: {
    kind: "name.type-map",
    cause:
      "`typeMap` in bothends.json maps a type to a TypeScript type that cannot represent it, names a type that the schema does not have, or maps two names of the same declaration differently.",
    fix: "Use one of the types that the message lists.",
  },
  NAM006: {
    kind: "name.reserved",
    cause:
      "The name of a type or an operation has another meaning in TypeScript or in generated code, so a suffix is added to it.",
    fix: "No action is needed. To choose another name, add it to `names` in bothends.json.",
  },
} as const satisfies Record<`NAM${string}`, CatalogueEntry>;

/** The diagnostics about published documents. Their codes, `PUBnnn`, are stable once released. */
export const publishCatalogue = {
  PUB001: {
    kind: "publish.redefine",
    cause:
      "A redefinition cannot be merged into one document: the redefined document is missing or is also included elsewhere. The server does not publish a WSDL.",
    fix: "No action is needed to generate. To publish a WSDL, replace the redefinition with ordinary types that contain its changes.",
  },
  PUB002: {
    kind: "publish.namespace",
    cause:
      "WSDLs that import each other cannot be merged into one document, because two definitions have the same name. The server does not publish a WSDL.",
    fix: "No action is needed to generate. To publish a WSDL, rename one of the two definitions.",
  },
  PUB003: {
    kind: "publish.size",
    cause:
      "A WSDL and all its imports are too large for one document. An included file is repeated in it for each namespace of the documents that include the file. The server does not publish a WSDL.",
    fix: "No action is needed to generate. To publish a WSDL, increase the limits with --limit.",
  },
} as const satisfies Record<`PUB${string}`, CatalogueEntry>;
