import type { CatalogueEntry } from "./entry.js";

/** Codes SRCnnn, for files and locations: stable once released. */
export const sourceCatalogue = {
  SRC001: {
    kind: "source.missing",
    cause: "The configuration or another document names a file that does not exist.",
    fix: "Create the file, or correct the location. A location is relative to the document that contains it.",
  },
  SRC002: {
    kind: "source.irregular",
    cause: "The path leads to a folder, a device or a pipe.",
    fix: "Name a regular file.",
  },
  SRC003: {
    kind: "source.unreadable",
    cause: "The file cannot be read.",
    fix: "Check the permissions of the file.",
  },
  SRC004: {
    kind: "source.unexpected",
    cause: "The file is not of the expected kind.",
    fix: "Save the document itself; the file may be an error page or an archive.",
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
    fix: "Use a relative location inside the root. To use files elsewhere, set a wider root with --root.",
  },
  SRC008: {
    kind: "limit.fileBytes",
    cause: "A file is too large.",
    fix: "Split the document, or raise the limit with --limit fileBytes=<number>.",
  },
  SRC009: {
    kind: "limit.inputBytes",
    cause: "The documents are too large in total.",
    fix: "Generate from fewer documents, or raise the limit with --limit inputBytes=<number>.",
  },
  SRC010: {
    kind: "limit.inputFiles",
    cause: "There are too many documents, imported ones included.",
    fix: "Generate from fewer documents, or raise the limit with --limit inputFiles=<number>.",
  },
  SRC011: {
    kind: "limit.imports",
    cause: "A chain of imports is too long.",
    fix: "Import the documents more directly, or raise the limit with --limit imports=<number>.",
  },
  SRC012: {
    kind: "source.credentials",
    cause: "An address contains a user name or a password, which would be published with the generated code.",
    fix: "Remove the user name and the password from the source, and set the client option `authorization`.",
  },
} as const satisfies Record<`SRC${string}`, CatalogueEntry>;

/** Codes XMLnnn: stable once released. */
export const xmlCatalogue = {
  XML001: {
    kind: "xml.not-well-formed",
    cause: "The document is not well-formed by XML 1.0 or by Namespaces in XML 1.0.",
    fix: "Correct the document at the position shown. The text after that position was not read.",
  },
  XML002: {
    kind: "xml.dtd",
    cause:
      "The document has a document type declaration. Such documents are always refused, because the declaration can define entities.",
    fix: "Remove the <!DOCTYPE …> declaration, and replace each reference to an entity that it defines by the entity's text.",
  },
  XML003: {
    kind: "xml.encoding",
    cause: "The bytes do not match the encoding that the document declares, or the encoding is unknown.",
    fix: "Save the document as UTF-8, and declare that encoding.",
  },
  XML010: {
    kind: "limit.depth",
    cause: "Elements are nested too deeply.",
    fix: "Flatten the document, or raise the limit with --limit depth=<number>.",
  },
  XML011: {
    kind: "limit.attributes",
    cause: "An element has too many attributes.",
    fix: "Remove attributes, or raise the limit with --limit attributes=<number>.",
  },
  XML012: {
    kind: "limit.namespaces",
    cause: "An element declares too many namespaces.",
    fix: "Declare fewer namespaces on the element, or raise the limit with --limit namespaces=<number>.",
  },
  XML013: {
    kind: "limit.attributeChars",
    cause: "The value of an attribute is too long.",
    fix: "Shorten the value, or raise the limit with --limit attributeChars=<number>.",
  },
  XML014: {
    kind: "limit.children",
    cause: "An element has too many children.",
    fix: "Split the document, or raise the limit with --limit children=<number>.",
  },
  XML015: {
    kind: "limit.nodes",
    cause: "The document has too many nodes: elements, attributes and texts.",
    fix: "Split the document, or raise the limit with --limit nodes=<number>.",
  },
  XML016: {
    kind: "limit.textChars",
    cause: "A text is too long.",
    fix: "Shorten the text, or raise the limit with --limit textChars=<number>.",
  },
  XML017: {
    kind: "limit.nameChars",
    cause: "A name is too long.",
    fix: "Shorten the name, or raise the limit with --limit nameChars=<number>.",
  },
  XML018: {
    kind: "limit.comments",
    cause: "The document has too many comments and processing instructions.",
    fix: "Remove comments, or raise the limit with --limit comments=<number>.",
  },
  XML019: {
    kind: "xml.dtd-replaced",
    cause:
      "A schema document has a document type declaration and is not read. The built-in schema for its namespace is used instead.",
    fix: "No action is needed, unless the document differs from the standard schema of its namespace.",
  },
} as const satisfies Record<`XML${string}`, CatalogueEntry>;

/** Codes LIMnnn, for limits of several kinds of sources and of generated files: stable once released. */
export const limitCatalogue = {
  LIM001: {
    kind: "limit.patternChars",
    cause: "A pattern or a route is too long.",
    fix: "Shorten it, or raise the limit with --limit patternChars=<number>.",
  },
  LIM002: {
    kind: "limit.patternStates",
    cause: "A pattern needs too many states to match; repeated parts count once for each repetition.",
    fix: "Use smaller repetition counts, or raise the limit with --limit patternStates=<number>.",
  },
  LIM003: {
    kind: "limit.pathChars",
    cause: "The path of a generated file is too long.",
    fix: "Use shorter names of folders or interfaces, or raise the limit with --limit pathChars=<number>.",
  },
  LIM004: {
    kind: "limit.pathSegment",
    cause: "The name of a generated folder or file is too long.",
    fix: "Use a shorter name, or raise the limit with --limit pathSegment=<number>.",
  },
  LIM005: {
    kind: "limit.outputFiles",
    cause: "Too many files would be generated.",
    fix: "Generate from fewer documents, or raise the limit with --limit outputFiles=<number>.",
  },
  LIM006: {
    kind: "limit.outputBytes",
    cause: "The generated files would be too large in total.",
    fix: "Generate from fewer documents, or raise the limit with --limit outputBytes=<number>.",
  },
  LIM007: {
    kind: "limit.jsonKeys",
    cause: "The objects of a JSON document have too many members in total.",
    fix: "Generate from fewer routes, or raise the limit with --limit jsonKeys=<number>.",
  },
  LIM008: {
    kind: "limit.jsonItems",
    cause: "The lists of a JSON document have too many items in total.",
    fix: "Generate from fewer routes, or raise the limit with --limit jsonItems=<number>.",
  },
} as const satisfies Record<`LIM${string}`, CatalogueEntry>;
