import { configCatalogue } from "./config.js";
import { answerCatalogue, discoveryCatalogue } from "./discovery.js";
import { planCatalogue, publishCatalogue } from "./output.js";
import { limitCatalogue, sourceCatalogue, xmlCatalogue } from "./sources.js";
import { wsdlCatalogue } from "./wsdl.js";
import { xsdCatalogue } from "./xsd.js";

/** Every diagnostic code with its cause and its fix. One file per area, so that a code is found beside its neighbours. */
export const catalogue = {
  ...sourceCatalogue,
  ...xmlCatalogue,
  ...xsdCatalogue,
  ...wsdlCatalogue,
  ...discoveryCatalogue,
  ...answerCatalogue,
  ...configCatalogue,
  ...planCatalogue,
  ...publishCatalogue,
  ...limitCatalogue,
} as const;

export type Code = keyof typeof catalogue;
export type { CatalogueEntry } from "./entry.js";
