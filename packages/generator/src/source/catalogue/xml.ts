import type { CatalogueEntry } from "./entry.js";

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
