import type { CatalogueEntry } from "./entry.js";

/** Codes XSDnnn: stable once released. */
export const xsdCatalogue = {} as const satisfies Record<`XSD${string}`, CatalogueEntry>;
