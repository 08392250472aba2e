import { configCatalogue, planCatalogue, publishCatalogue } from "./config-and-output.js";
import { answerCatalogue, discoveryCatalogue } from "./discovery.js";
import { limitCatalogue, sourceCatalogue, xmlCatalogue } from "./sources.js";
import { wsdlCatalogue } from "./wsdl.js";
import { xsdCatalogue } from "./xsd.js";

/** All diagnostic codes with cause and fix, from one file per kind of source. */
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
