import { escapeText } from "@bothends/xml";
import type { ServicePage } from "./service.js";

/** The page for people at a service's address: what it is, where its WSDL is, what it can do. */
export function servicePage({ service, wsdlUrl, operations }: ServicePage): string {
  const name = escapeText(service);
  const items = operations.map((operation) => `<li>${escapeText(operation)}</li>\n`).join("");
  return `<!DOCTYPE html>\n<title>${name}</title>\n<h1>${name}</h1>\n<p><a href="?WSDL">${escapeText(wsdlUrl)}</a></p>\n<ul>\n${items}</ul>\n`;
}
