import {
  configCatalogue,
  limitCatalogue,
  planCatalogue,
  publishCatalogue,
  sourceCatalogue,
  xmlCatalogue,
} from "./project.js";
import { answerCatalogue, indexCatalogue } from "./rest.js";
import { wsdlCatalogue } from "./wsdl.js";
import { xsdCatalogue } from "./xsd.js";

/** All diagnostic codes with their causes and fixes, merged from one catalogue file per kind of source. */
export const catalogue = {
  ...sourceCatalogue,
  ...xmlCatalogue,
  ...xsdCatalogue,
  ...wsdlCatalogue,
  ...indexCatalogue,
  ...answerCatalogue,
  ...configCatalogue,
  ...planCatalogue,
  ...publishCatalogue,
  ...limitCatalogue,
} as const;

export type Code = keyof typeof catalogue;
export type { CatalogueEntry } from "./project.js";
