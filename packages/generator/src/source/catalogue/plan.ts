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
