import { searchScript } from "./browser/scripts.js";
import { parameterList } from "./operation-fields.js";
import { operationPage } from "./operation-page.js";
import { type Html, html, notFoundPage, type PageAnswer, pageAnswer, searchField, suggestions } from "./page.js";
import {
  type Addresses,
  type PageProtocol,
  type PublishedOperation,
  type PublishedService,
  protocolNames,
  protocols,
  readPublishedWsdl,
} from "./wsdl/published-wsdl.js";

/** A request for a page of a service, and the documents that the service publishes. */
export interface ServicePageRequest {
  readonly query: string;
  readonly name: string;
  /** The addresses that the client may use. */
  readonly addresses: Addresses;
  readonly wsdl: PublishedText | undefined;
}

/** The text of a WSDL, parsed once per `owner`. The addresses in it are not used. */
interface PublishedText {
  readonly owner: object;
  text(): string;
}

const services = new WeakMap<object, PublishedService | undefined>();

function serviceOf({ owner, text }: PublishedText): PublishedService | undefined {
  if (!services.has(owner)) {
    services.set(owner, readPublishedWsdl(text()));
  }
  return services.get(owner);
}

/**
 * Answers a GET of the service's address with a page: `?op=Name` is the page of an operation; any other query is the service's
 * page.
 */
export function servicePage({ query, name, addresses, wsdl }: ServicePageRequest): Promise<PageAnswer> {
  const service = wsdl && serviceOf(wsdl);
  const listed = { name, addresses, service };
  const requested = requestedOperation(query);
  if (requested === undefined) {
    return listPage(listed);
  }
  const { operations = [] } = service ?? {};
  const operation = operations.find((candidate) => candidate.name === requested);
  return operation === undefined
    ? unknownPage(requested, listed)
    : operationPage({ service: name, operation, operations, addresses, documents: documentLinks(service) });
}

function requestedOperation(query: string): string | undefined {
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.toLowerCase() === "op") {
      return value;
    }
  }
  return undefined;
}

interface ListedService {
  readonly name: string;
  readonly addresses: Addresses;
  readonly service: PublishedService | undefined;
}

/** The page of a service: its documentation, address, protocols, documents and operations. */
function listPage({ name, addresses, service }: ListedService): Promise<PageAnswer> {
  const { documentation, operations = [] } = service ?? {};
  const isBound = (protocol: PageProtocol) =>
    service === undefined ? addresses[protocol] !== undefined : operations.some((operation) => operation[protocol]);
  const bound = protocols.filter(isBound);
  const [first] = bound;
  return pageAnswer({
    title: `${name} Web Service`,
    home: { name, href: "?" },
    links: documentLinks(service),
    content: html`<h1>${name}</h1>
${documentation !== undefined && html`<p class="lead">${documentation}</p>`}
<dl class="facts">
<dt>Address</dt><dd><code>${first === undefined ? "" : addresses[first]}</code></dd>
<dt>Protocols</dt><dd>${bound.map((protocol) => protocolNames[protocol]).join(", ")}</dd>
</dl>
${service === undefined ? noWsdl : operationRows(operations)}`,
    script: searchScript,
  });
}

const noWsdl = html`<p>This service publishes no WSDL, so its operations are not listed here.</p>`;

function documentLinks(service: PublishedService | undefined): Html {
  const wsdl = service !== undefined && html`<a href="?WSDL">WSDL</a> <a href="?singleWsdl">Single WSDL</a> `;
  return html`${wsdl}<a href="?disco">DISCO</a>`;
}

function operationRows(operations: readonly PublishedOperation[]): Html {
  return html`${searchField("operations", operations.length)}
<ul class="rows" data-items>
${operations.map(operationRow)}</ul>`;
}

const maxListed = 12;

function operationRow(operation: PublishedOperation): Html {
  const { name, documentation } = operation;
  const all = parameterList(operation);
  const parameters = all
    .slice(0, maxListed)
    .map(
      ({ name: parameter, kind, isRequired }, index) =>
        html`${index > 0 && ", "}<b>${parameter}</b>${isRequired && html`<i title="required">*</i>`} ${kind}`,
    );
  const more = all.length > maxListed && `, and ${all.length - maxListed} more`;
  return html`<li id="op-${encodeURIComponent(name)}">${operationLink(name)} <span class="params">(${parameters}${more})</span>${
    documentation !== undefined && html`<p class="note">${documentation}</p>`
  }</li>
`;
}

function unknownPage(operation: string, { name, service }: ListedService): Promise<PageAnswer> {
  const known = (service?.operations ?? []).map((each) => each.name);
  return notFoundPage({
    title: "Operation not found",
    home: { name, href: "?" },
    links: documentLinks(service),
    text: html`${name} has no operation <q>${operation.slice(0, 200)}</q>.`,
    similar: suggestions(operation, known).map((similar) => operationLink(similar)),
    all: html`<a href="?">All operations of ${name}</a>`,
  });
}

function operationLink(name: string): Html {
  return html`<a href="?op=${encodeURIComponent(name)}">${name}</a>`;
}
