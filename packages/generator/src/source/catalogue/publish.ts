import type { CatalogueEntry } from "./entry.js";

/** Codes PUBnnn: stable once released. */
export const publishCatalogue = {
  PUB001: {
    kind: "publish.redefine",
    cause:
      "A redefinition cannot be written out in one document: what it redefines is elsewhere, or was included before.",
    fix: "Nothing needs to be done; the server has no WSDL to serve. Write the redefined types out to have one.",
  },
  PUB002: {
    kind: "publish.namespace",
    cause: "WSDLs that import each other cannot stand in one document: two of their definitions have one name.",
    fix: "Nothing needs to be done; the server has no WSDL to serve. Rename one of the two to have one.",
  },
  PUB003: {
    kind: "publish.size",
    cause:
      "A WSDL with all that it imports is too large for one document: a file comes into it once for each namespace.",
    fix: "Nothing needs to be done; the server has no WSDL to serve. Raise the limits with --limit to have one.",
  },
} as const satisfies Record<`PUB${string}`, CatalogueEntry>;
