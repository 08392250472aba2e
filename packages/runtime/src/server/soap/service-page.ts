import type { Protocol } from "../../descriptor.js";
import type { ServerAnswer } from "../types.js";
import type { ServicePaths } from "./address.js";
import { refusedAnswer } from "./answers.js";
import { filledDocument, type Publication } from "./documents.js";
import type { SoapServerOptions } from "./service.js";
import type { ServedOperation } from "./table.js";

/** What the page for people is made from. */
export interface PageSources {
  readonly publication: Publication;
  readonly operations: readonly ServedOperation[];
  readonly paths: ServicePaths;
  readonly page: SoapServerOptions["page"];
}

/**
 * Answers a GET of the service's address that asks for no document: with the user's own page, or with ours, which is
 * loaded when it is first asked for. Without a page nothing is served there, as with a protocol that is turned off.
 */
export async function servicePage(
  query: string,
  { publication, operations: served, paths, page }: PageSources,
): Promise<ServerAnswer> {
  const { service, names, wsdl, addressOf, conventions } = publication;
  if (page === false) return refusedAnswer(conventions, "noPage", { method: "GET" });
  if (page !== undefined) {
    const operations = served.map(({ descriptor }) => names.of(descriptor).name);
    const body = page({ service: service.name, wsdlUrl: `${addressOf(undefined)}?WSDL`, operations });
    return {
      status: 200,
      headers: [["Content-Type", "text/html; charset=utf-8"], conventions.cacheControl("operation")],
      body,
    };
  }
  const { soapPageAnswer } = await import("../../pages/service-page.js");
  return soapPageAnswer(query, {
    name: service.name,
    operations: served,
    names,
    wsdl: wsdl === undefined ? undefined : () => filledDocument(wsdl, publication),
    addressOf,
    pathOf: (protocol: Protocol) => paths[protocol] ?? "",
  });
}
