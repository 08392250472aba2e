import type { CatalogueEntry } from "./entry.js";

/** Codes NAMnnn: stable once released. */
export const planCatalogue = {
  NAM001: {
    kind: "name.type-clash",
    cause: "Two types would have the same TypeScript name. The later one gets a suffix.",
    fix: "To choose a name for one of them, add it to `names` in bothends.json.",
  },
  NAM002: {
    kind: "name.operation-clash",
    cause: "Two operations of a service would have the same method name. The later one gets a number.",
    fix: "To choose a name for one of them, add it to `names` in bothends.json.",
  },
  NAM003: {
    kind: "name.override-invalid",
    cause: "A name in bothends.json is not an identifier, is reserved, or is already used.",
    fix: "Choose another name.",
  },
  NAM004: {
    kind: "name.override-unused",
    cause: "An entry of `names` in bothends.json refers to a name that the schema does not contain.",
    fix: "Correct the name as it is in the schema, or remove the entry.",
  },
  NAM005: {
    kind: "name.type-map",
    cause:
      "`typeMap` in bothends.json maps a type to a TypeScript type that cannot represent it, or names a type that the schema does not have.",
    fix: "Use one of the types that the message lists.",
  },
  NAM006: {
    kind: "name.reserved",
    cause:
      "The name of a type or an operation has another meaning in TypeScript or in generated code, so it gets a suffix.",
    fix: "No action is needed. To choose another name, add it to `names` in bothends.json.",
  },
} as const satisfies Record<`NAM${string}`, CatalogueEntry>;

/** Codes PUBnnn: stable once released. */
export const publishCatalogue = {
  PUB001: {
    kind: "publish.redefine",
    cause:
      "A redefinition cannot be merged into one document: the redefined document is missing or is also included elsewhere. The server serves no WSDL.",
    fix: "No action is needed to generate. To serve a WSDL, replace the redefinition by the redefined types themselves.",
  },
  PUB002: {
    kind: "publish.namespace",
    cause:
      "WSDLs that import each other cannot be merged into one document, because two definitions have the same name. The server serves no WSDL.",
    fix: "No action is needed to generate. To serve a WSDL, rename one of the two definitions.",
  },
  PUB003: {
    kind: "publish.size",
    cause:
      "A WSDL with all its imports is too large for one document; a file is repeated for each namespace it is included in. The server serves no WSDL.",
    fix: "No action is needed to generate. To serve a WSDL, raise the limits with --limit.",
  },
} as const satisfies Record<`PUB${string}`, CatalogueEntry>;
