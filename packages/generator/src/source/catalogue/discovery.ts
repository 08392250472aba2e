import type { CatalogueEntry } from "./entry.js";

/** Codes IDXnnn: stable once released. */
export const discoveryCatalogue = {} as const satisfies Record<`IDX${string}`, CatalogueEntry>;
