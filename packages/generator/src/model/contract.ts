import type { RestInterface } from "./rest.js";
import type { SoapInterface } from "./soap.js";

/** What the sources say, in words that fit SOAP and REST alike. Plain data in source order; no TypeScript names. */
export interface Contract {
  readonly interfaces: readonly Interface[];
}

export type Interface = SoapInterface | RestInterface;
