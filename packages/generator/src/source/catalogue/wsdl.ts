import type { CatalogueEntry } from "./entry.js";

/** Codes WSDLnnn: stable once released. */
export const wsdlCatalogue = {} as const satisfies Record<`WSDL${string}`, CatalogueEntry>;
