import type { CatalogueEntry } from "./entry.js";

/** Codes NAMnnn: stable once released. */
export const planCatalogue = {
  NAM001: {
    kind: "name.type-clash",
    cause: "Two types of the schema would have the same TypeScript name, so the later one gets a suffix.",
    fix: "Choose a name for one of them under `names` in bothends.json.",
  },
  NAM002: {
    kind: "name.operation-clash",
    cause: "Two operations of a service would have the same method name, so the later one gets a number.",
    fix: "Choose a name for one of them under `names` in bothends.json.",
  },
  NAM003: {
    kind: "name.override-invalid",
    cause: "A name in bothends.json is not an identifier, is reserved, or is taken by something else.",
    fix: "Choose another name.",
  },
  NAM004: {
    kind: "name.override-unused",
    cause: "A name in bothends.json stands for a wire name that the schema does not have.",
    fix: "Correct the wire name, or remove the entry.",
  },
  NAM005: {
    kind: "name.type-map",
    cause: "`typeMap` in bothends.json asks for a TypeScript type that this built-in type cannot have.",
    fix: "Use one of the types that the message lists.",
  },
} as const satisfies Record<`NAM${string}`, CatalogueEntry>;

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
