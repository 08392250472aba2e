import type { CatalogueEntry } from "./entry.js";

/** Codes NAMnnn: stable once released. */
export const planCatalogue = {} as const satisfies Record<`NAM${string}`, CatalogueEntry>;
