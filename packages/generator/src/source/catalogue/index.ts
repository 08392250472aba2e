import { answerCatalogue } from "./answer.js";
import { configCatalogue } from "./config.js";
import { discoveryCatalogue } from "./discovery.js";
import { limitCatalogue } from "./limit.js";
import { planCatalogue } from "./plan.js";
import { publishCatalogue } from "./publish.js";
import { sourceCatalogue } from "./source.js";
import { wsdlCatalogue } from "./wsdl.js";
import { xmlCatalogue } from "./xml.js";
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
