import type { CatalogueEntry } from "./entry.js";

/** Codes SRCnnn, files and the locations that name them: stable once released. */
export const sourceCatalogue = {
  SRC001: {
    kind: "source.missing",
    cause: "No file is where the configuration or a location points.",
    fix: "Put the file there, or correct the location. It is resolved against the document that names it.",
  },
  SRC002: {
    kind: "source.irregular",
    cause: "The path is a folder, a device or a pipe.",
    fix: "Name a regular file.",
  },
  SRC003: {
    kind: "source.unreadable",
    cause: "The file could not be read.",
    fix: "Check its permissions.",
  },
  SRC004: {
    kind: "source.unexpected",
    cause: "The file holds something else than what refers to it says.",
    fix: "Supply the document itself; an error page or an archive may have been saved in its place.",
  },
  SRC005: {
    kind: "source.encoding",
    cause: "The bytes of a text file are not UTF-8.",
    fix: "Save the file as UTF-8.",
  },
  SRC006: {
    kind: "import.remote",
    cause: "A location is on the network. Nothing is ever fetched.",
    fix: "Put a copy of the document beside the one that imports it, and make the location relative.",
  },
  SRC007: {
    kind: "import.outside",
    cause: "A location is absolute, leaves the root, or hides dots or slashes.",
    fix: "Use a relative location inside the root, or name a root that holds all documents with --root.",
  },
  SRC008: {
    kind: "limit.fileBytes",
    cause: "A file is larger than files may be.",
    fix: "Split the document, or raise the limit with --limit fileBytes=<number>.",
  },
  SRC009: {
    kind: "limit.inputBytes",
    cause: "All documents together are larger than they may be.",
    fix: "Generate from fewer documents, or raise the limit with --limit inputBytes=<number>.",
  },
  SRC010: {
    kind: "limit.inputFiles",
    cause: "More documents are reached than may be.",
    fix: "Generate from fewer documents, or raise the limit with --limit inputFiles=<number>.",
  },
  SRC011: {
    kind: "limit.imports",
    cause: "A chain of imports is longer than it may be.",
    fix: "Import documents more directly, or raise the limit with --limit imports=<number>.",
  },
  SRC012: {
    kind: "source.credentials",
    cause: "An address contains a user name or a password, which would be published with the generated code.",
    fix: "Remove it from the source, and set the option `authorization` of clients.",
  },
} as const satisfies Record<`SRC${string}`, CatalogueEntry>;

/** Codes XMLnnn: stable once released. */
export const xmlCatalogue = {
  XML001: {
    kind: "xml.not-well-formed",
    cause: "The document breaks a rule of XML 1.0 or of Namespaces in XML 1.0.",
    fix: "Correct the document at the place shown. Nothing behind it has been read.",
  },
  XML002: {
    kind: "xml.dtd",
    cause:
      "The document has a document type declaration. It could define entities, so it is refused, whatever it says.",
    fix: "Remove the <!DOCTYPE …> declaration, and write out the entities it defines.",
  },
  XML003: {
    kind: "xml.encoding",
    cause: "The bytes do not fit the encoding that the document declares, or the encoding is not known.",
    fix: "Save the document as UTF-8, and declare that.",
  },
  XML010: {
    kind: "limit.depth",
    cause: "Elements are nested deeper than they may be.",
    fix: "Flatten the document, or raise the limit with --limit depth=<number>.",
  },
  XML011: {
    kind: "limit.attributes",
    cause: "An element has more attributes than it may have.",
    fix: "Remove attributes, or raise the limit with --limit attributes=<number>.",
  },
  XML012: {
    kind: "limit.namespaces",
    cause: "An element declares more namespaces than it may.",
    fix: "Declare fewer namespaces on one element, or raise the limit with --limit namespaces=<number>.",
  },
  XML013: {
    kind: "limit.attributeChars",
    cause: "An attribute's value is longer than it may be.",
    fix: "Shorten the value, or raise the limit with --limit attributeChars=<number>.",
  },
  XML014: {
    kind: "limit.children",
    cause: "An element has more children than it may have.",
    fix: "Split the document, or raise the limit with --limit children=<number>.",
  },
  XML015: {
    kind: "limit.nodes",
    cause: "The document has more elements, attributes and texts than it may have.",
    fix: "Split the document, or raise the limit with --limit nodes=<number>.",
  },
  XML016: {
    kind: "limit.textChars",
    cause: "A text is longer than it may be.",
    fix: "Shorten the text, or raise the limit with --limit textChars=<number>.",
  },
  XML017: {
    kind: "limit.name",
    cause: "A name is longer than it may be.",
    fix: "Shorten the name, or raise the limit with --limit name=<number>.",
  },
  XML018: {
    kind: "limit.comments",
    cause: "The document has more comments and processing instructions than it may have.",
    fix: "Remove comments, or raise the limit with --limit comments=<number>.",
  },
  XML019: {
    kind: "xml.dtd-replaced",
    cause:
      "A schema document has a document type declaration, so that it is refused; a schema for its namespace is brought along, and is used instead.",
    fix: "Nothing has to be done, unless the document says something else than the schema of its namespace.",
  },
} as const satisfies Record<`XML${string}`, CatalogueEntry>;

/** Codes LIMnnn, limits that several kinds of sources share, and those of what is written: stable once released. */
export const limitCatalogue = {
  LIM001: {
    kind: "limit.patternChars",
    cause: "A pattern or a route is longer than it may be.",
    fix: "Shorten it, or raise the limit with --limit patternChars=<number>.",
  },
  LIM002: {
    kind: "limit.patternStates",
    cause: "A pattern's automaton has more states than it may have: counted parts are written out.",
    fix: "Lower the counts, or raise the limit with --limit patternStates=<number>.",
  },
  LIM003: {
    kind: "limit.pathChars",
    cause: "The path of a generated file is longer than it may be.",
    fix: "Use shorter folders or names, or raise the limit with --limit pathChars=<number>.",
  },
  LIM004: {
    kind: "limit.pathSegment",
    cause: "A folder or file that is generated has a longer name than it may have.",
    fix: "Use a shorter name, or raise the limit with --limit pathSegment=<number>.",
  },
  LIM005: {
    kind: "limit.outputFiles",
    cause: "More files come of the sources than may be written.",
    fix: "Generate from fewer documents, or raise the limit with --limit outputFiles=<number>.",
  },
  LIM006: {
    kind: "limit.outputBytes",
    cause: "The files that come of the sources are larger together than may be written.",
    fix: "Generate from fewer documents, or raise the limit with --limit outputBytes=<number>.",
  },
  LIM007: {
    kind: "limit.jsonKeys",
    cause: "The objects of a JSON document have more members than they may have.",
    fix: "Generate from fewer routes, or raise the limit with --limit jsonKeys=<number>.",
  },
  LIM008: {
    kind: "limit.jsonItems",
    cause: "The lists of a JSON document have more items than they may have.",
    fix: "Generate from fewer routes, or raise the limit with --limit jsonItems=<number>.",
  },
} as const satisfies Record<`LIM${string}`, CatalogueEntry>;
