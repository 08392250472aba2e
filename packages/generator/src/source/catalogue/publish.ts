import type { CatalogueEntry } from "./entry.js";

/** Codes PUBnnn: stable once released. */
export const publishCatalogue = {
  PUB001: {
    kind: "publish.redefine",
    cause: "A WSDL redefines a schema: what is redefined cannot stand in one document with its redefinition.",
    fix: "Nothing needs to be done; the server has no WSDL to serve. Write the redefined types out to have one.",
  },
  PUB002: {
    kind: "publish.namespace",
    cause: "A WSDL imports one of another namespace: a document has one namespace, so they cannot stand in one.",
    fix: "Nothing needs to be done; the server has no WSDL to serve. Move the definitions into one namespace to have one.",
  },
} as const satisfies Record<`PUB${string}`, CatalogueEntry>;
