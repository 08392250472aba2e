import type { Protocol } from "../../descriptor.js";
import type { ServerAnswer } from "../types.js";
import type { ServicePaths } from "./address.js";
import { caching, pageAnswer } from "./answers.js";
import { filledDocument, type Publication } from "./documents.js";
import type { SoapServerOptions } from "./service.js";
import type { ServiceTable } from "./table.js";
import { texts } from "./texts.js";

/** What the page for people is made from. */
export interface PageSources {
  readonly publication: Publication;
  readonly table: ServiceTable;
  readonly paths: ServicePaths;
  readonly page: SoapServerOptions["page"];
}

/**
 * Answers a GET of the service's address that asks for no document: with the user's own page, or with ours, which is
 * loaded when it is first asked for. Without a page nothing is served there, as with a protocol that is turned off.
 */
export async function servicePage(
  query: string,
  { publication, table, paths, page }: PageSources,
): Promise<ServerAnswer> {
  if (page === false) return pageAnswer(500, texts.unrecognized);
  const { service, names, wsdl, addressOf } = publication;
  if (page !== undefined) {
    const operations = table.all.map(({ descriptor }) => names.of(descriptor).name);
    const body = page({ service: service.name, wsdlUrl: `${addressOf(undefined)}?WSDL`, operations });
    return { status: 200, headers: [["Content-Type", "text/html; charset=utf-8"], caching("operation")], body };
  }
  const { soapPageAnswer } = await import("../../pages/service-page.js");
  return soapPageAnswer(query, {
    name: service.name,
    operations: table.all,
    names,
    wsdl: wsdl === undefined ? undefined : () => filledDocument(wsdl, publication),
    addressOf,
    pathOf: (protocol: Protocol) => paths[protocol] ?? "",
  });
}
