import type { Protocol } from "../../descriptor.js";
import type { ServedOperation } from "../soap/table.js";
import type { ServerAnswer } from "../types.js";
import type { DescribedService } from "./described-service.js";
import { type Documentation, noDocumentation, readDocumentation } from "./documentation.js";
import { html } from "./html.js";
import { operationPage } from "./operation-page.js";
import { pageAnswer } from "./page.js";
import { protocols } from "./protocols.js";
import { serviceListPage } from "./service-list-page.js";

const known = new WeakMap<readonly ServedOperation[], Documentation>();

/** Answers a GET of the service's address for people: `?op=Name` is an operation's page, anything else the service's. */
export function soapPageAnswer(query: string, service: DescribedService): Promise<ServerAnswer> {
  const documentation = documentationOf(service);
  const wanted = operationIn(query);
  if (wanted === undefined) return serviceListPage(service, documentation);
  const operation = service.operations.find(({ descriptor }) => service.names.of(descriptor).name === wanted);
  if (operation === undefined) return unknownPage(wanted, service.name);
  const { names, addressOf } = service;
  const referenceOf = (protocol: Protocol) => referenceTo(protocol, service);
  return operationPage({ service: service.name, operation, names, documentation, addressOf, referenceOf });
}

/** The WSDL is read once: its documentation does not depend on where the service is. */
function documentationOf({ operations, wsdl, name }: DescribedService): Documentation {
  const found = known.get(operations) ?? (wsdl === undefined ? noDocumentation : readDocumentation(wsdl(), name));
  known.set(operations, found);
  return found;
}

function operationIn(query: string): string | undefined {
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.toLowerCase() === "op") return value;
  }
  return undefined;
}

/** Relative, so that it holds behind a proxy that adds to the path, except where ports are at several paths. */
function referenceTo(protocol: Protocol, { pathOf, operations }: DescribedService): string {
  const bound = new Set(operations.flatMap(({ descriptor }) => Object.keys(descriptor.bindings)));
  const path = pathOf(protocol);
  const paths = new Set([...protocolsIn(bound)].map(pathOf));
  return paths.size > 1 ? path : `./${path.slice(path.lastIndexOf("/") + 1)}`;
}

function protocolsIn(bound: ReadonlySet<string>): readonly Protocol[] {
  return protocols.filter((protocol) => bound.has(protocol));
}

function unknownPage(operation: string, service: string): Promise<ServerAnswer> {
  return pageAnswer({
    title: `Method not found - ${service}`,
    trail: [html`<a href="?">All operations of ${service}</a>`],
    content: html`<h1>Method not found</h1>
<p>${service} has no operation <q>${operation.slice(0, 200)}</q>.</p>`,
    script: "",
  });
}
