import {
  configCatalogue,
  limitCatalogue,
  planCatalogue,
  publishCatalogue,
  sourceCatalogue,
  xmlCatalogue,
} from "./general.js";
import { answerCatalogue, indexCatalogue } from "./rest.js";
import { wsdlCatalogue } from "./wsdl.js";
import { xsdCatalogue } from "./xsd.js";

/** All diagnostic codes with their causes and fixes. `general.ts` has the codes that any interface can have. */
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

/** The code of a diagnostic. */
export type Code = keyof typeof catalogue;
export type { CatalogueEntry } from "./general.js";
