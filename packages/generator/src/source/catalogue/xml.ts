import type { CatalogueEntry } from "./entry.js";

/** Codes XMLnnn: stable once released. */
export const xmlCatalogue = {} as const satisfies Record<`XML${string}`, CatalogueEntry>;
