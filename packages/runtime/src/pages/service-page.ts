import { filterField } from "./forms.js";
import { operationPage } from "./operation-page.js";
import { type Content, html, type PageAnswer, pageAnswer } from "./page.js";
import {
  type Addresses,
  type PageProtocol,
  type PublishedOperation,
  type PublishedService,
  protocolNames,
  protocols,
  readPublishedWsdl,
} from "./published-wsdl.js";
import { filterScript } from "./scripts.js";

/** A request for a page of a service, and what the service publishes. */
export interface ServicePageRequest {
  readonly query: string;
  readonly name: string;
  /** The addresses that the client may use. */
  readonly addresses: Addresses;
  readonly wsdl: PublishedText | undefined;
}

/** The text of a WSDL, which is read once for each `owner`; the addresses in it are not used. */
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

/** Answers a GET of the service's address for people: `?op=Name` is the page of an operation, other queries the service's. */
export function servicePage({ query, name, addresses, wsdl }: ServicePageRequest): Promise<PageAnswer> {
  const service = wsdl && serviceOf(wsdl);
  const requested = requestedOperation(query);
  if (requested === undefined) {
    return listPage({ name, addresses, service });
  }
  const operation = service?.operations.find((candidate) => candidate.name === requested);
  return service === undefined || operation === undefined
    ? unknownPage(requested, name)
    : operationPage({ service: name, operation, addresses });
}

function requestedOperation(query: string): string | undefined {
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.toLowerCase() === "op") {
      return value;
    }
  }
  return undefined;
}

const manyOperations = 8;

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
    content: html`<h1>${name}</h1>
${documentation !== undefined && html`<p class="lead">${documentation}</p>`}
<dl class="facts">
<dt>Address</dt><dd><code>${first === undefined ? "" : addresses[first]}</code></dd>
<dt>Protocols</dt><dd>${bound.map((protocol) => protocolNames[protocol]).join(", ")}</dd>
<dt>Documents</dt><dd>${documents(service !== undefined)}</dd>
</dl>
<h2 id="operations">Operations</h2>
${operations.length > manyOperations && filterField()}
${
  service === undefined
    ? noWsdl
    : html`<ul class="list" data-filtered>
${operations.map(operationItem)}</ul>`
}`,
    script: filterScript,
  });
}

const noWsdl = html`<p>This service publishes no WSDL, so its operations are not listed here.</p>`;

function documents(hasWsdl: boolean): Content {
  const wsdl = hasWsdl && html`<a href="?WSDL">WSDL</a>, <a href="?singleWsdl">WSDL in one file</a>, `;
  return html`${wsdl}<a href="?disco">DISCO</a>`;
}

function operationItem({ name, documentation }: PublishedOperation): Content {
  return html`<li><a href="?op=${encodeURIComponent(name)}">${name}</a>${
    documentation !== undefined && html`<p class="note">${documentation}</p>`
  }</li>
`;
}

function unknownPage(operation: string, service: string): Promise<PageAnswer> {
  return pageAnswer({
    title: `Method not found - ${service}`,
    trail: [html`<a href="?">All operations of ${service}</a>`],
    content: html`<h1>Method not found</h1>
<p>${service} has no operation <q>${operation.slice(0, 200)}</q>.</p>`,
    script: "",
  });
}
