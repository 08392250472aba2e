import type { Protocol } from "../../descriptor.js";

/** The protocols in the order in which pages show them. */
export const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;

/** What people call them. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  soap11: "SOAP 1.1",
  soap12: "SOAP 1.2",
  httpGet: "HTTP GET",
  httpPost: "HTTP POST",
};
