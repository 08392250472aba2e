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
