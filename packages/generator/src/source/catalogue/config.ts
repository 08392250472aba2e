import type { CatalogueEntry } from "./entry.js";

/** Codes CFGnnn: stable once released. */
export const configCatalogue = {} as const satisfies Record<`CFG${string}`, CatalogueEntry>;
