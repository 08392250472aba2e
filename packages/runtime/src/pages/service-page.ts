import { type Protocol, protocols } from "../descriptor.js";
import { operationScript, searchScript } from "./browser/scripts.js";
import { createOperationFields, listParameters, type OperationField } from "./operation-fields.js";
import {
  type Content,
  type Html,
  html,
  listSuggestions,
  type PageAnswer,
  renderAuthorizationForm,
  renderExampleBlock,
  renderLabeledControl,
  renderNotFoundPage,
  renderPage,
  renderPanelAttributes,
  renderRequestBlock,
  renderResultsBlock,
  renderSearchField,
  renderSelect,
  renderSendRow,
  renderTabList,
  type Tab,
} from "./page.js";
import {
  type Addresses,
  type PublishedOperation,
  type PublishedService,
  protocolNames,
  readPublishedWsdl,
} from "./wsdl/published-wsdl.js";
import {
  type Sample,
  writeEnvelopeStart,
  writeHttpSample,
  writeSoapHeaders,
  writeSoapSample,
} from "./wsdl/sample-message.js";

/** A request for a page of a service, with the service's addresses and published WSDL. */
export interface ServicePageRequest {
  readonly query: string;
  readonly name: string;
  /** The addresses at which clients can call the service, by protocol. */
  readonly addresses: Addresses;
  readonly wsdl: PublishedText | undefined;
}

/** The text of a published WSDL. The text is parsed only once per `owner`, and the addresses in it are ignored. */
interface PublishedText {
  readonly owner: object;
  getText(): string;
}

const servicesByOwner = new WeakMap<object, PublishedService | undefined>();

function findService({ owner, getText }: PublishedText): PublishedService | undefined {
  if (!servicesByOwner.has(owner)) {
    servicesByOwner.set(owner, readPublishedWsdl(getText()));
  }
  return servicesByOwner.get(owner);
}

/**
 * Answers a GET request for the service's address. For the query `op=Name`, the answer is the page of that operation;
 * for any other query, it is the page of the service.
 */
export function renderServicePage({ query, name, addresses, wsdl }: ServicePageRequest): Promise<PageAnswer> {
  const service = wsdl && findService(wsdl);
  const listedService = { name, addresses, service };
  const requestedName = findRequestedOperation(query);
  if (requestedName === undefined) {
    return listPage(listedService);
  }
  const { operations = [] } = service ?? {};
  const operation = operations.find((candidate) => candidate.name === requestedName);
  return operation === undefined
    ? renderUnknownPage(requestedName, listedService)
    : renderOperationPage({ service: name, operation, operations, addresses, documents: renderDocumentLinks(service) });
}

function findRequestedOperation(query: string): string | undefined {
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

/** Returns the page of a service: its documentation, address, protocols, documents and operations. */
function listPage({ name, addresses, service }: ListedService): Promise<PageAnswer> {
  const { documentation, operations = [] } = service ?? {};
  const isBound = (protocol: Protocol) =>
    service === undefined ? addresses[protocol] !== undefined : operations.some((operation) => operation[protocol]);
  const boundProtocols = protocols.filter(isBound);
  const [firstProtocol] = boundProtocols;
  return renderPage({
    title: `${name} Web Service`,
    home: { name, href: "?" },
    links: renderDocumentLinks(service),
    content: html`<h1>${name}</h1>
${documentation !== undefined && html`<p class="lead">${documentation}</p>`}
<dl class="properties">
<dt>Address</dt><dd><code>${firstProtocol === undefined ? "" : addresses[firstProtocol]}</code></dd>
<dt>Protocols</dt><dd>${boundProtocols.map((protocol) => protocolNames[protocol]).join(", ")}</dd>
</dl>
${service === undefined ? noWsdl : renderOperationRows(operations)}`,
    script: searchScript,
  });
}

const noWsdl = html`<p>This service publishes no WSDL, so its operations are not listed here.</p>`;

function renderDocumentLinks(service: PublishedService | undefined): Html {
  const wsdl = service !== undefined && html`<a href="?WSDL">WSDL</a> <a href="?singleWsdl">Single WSDL</a> `;
  return html`${wsdl}<a href="?disco">DISCO</a>`;
}

function renderOperationRows(operations: readonly PublishedOperation[]): Html {
  return html`${renderSearchField("operations", operations.length)}
<ul class="rows" data-items>
${operations.map(renderOperationRow)}</ul>`;
}

/** The maximum number of parameters to show for an operation. */
const maxListedParameters = 12;

function renderOperationRow(operation: PublishedOperation): Html {
  const { name, documentation } = operation;
  const allParameters = listParameters(operation);
  const parameters = allParameters
    .slice(0, maxListedParameters)
    .map(
      ({ name: parameter, kind, isRequired }, index) =>
        html`${index > 0 && ", "}<b>${parameter}</b>${isRequired && html`<i title="required">*</i>`} ${kind}`,
    );
  const omittedParametersText =
    allParameters.length > maxListedParameters && `, and ${allParameters.length - maxListedParameters} more`;
  return html`<li id="op-${encodeURIComponent(name)}">${renderOperationLink(name)} <span class="params">(${parameters}${omittedParametersText})</span>${
    documentation !== undefined && html`<p class="note">${documentation}</p>`
  }</li>
`;
}

function renderUnknownPage(operation: string, { name, service }: ListedService): Promise<PageAnswer> {
  const knownNames = (service?.operations ?? []).map((operation) => operation.name);
  return renderNotFoundPage({
    title: "Operation not found",
    home: { name, href: "?" },
    links: renderDocumentLinks(service),
    text: html`${name} has no operation <q>${operation.slice(0, 200)}</q>.`,
    similarLinks: listSuggestions(operation, knownNames).map((similarOperation) =>
      renderOperationLink(similarOperation),
    ),
    allLink: html`<a href="?">All operations of ${name}</a>`,
  });
}

function renderOperationLink(name: string): Html {
  return html`<a href="?op=${encodeURIComponent(name)}">${name}</a>`;
}

/** An operation, and the parts of its service that its page shows. */
interface DescribedOperation {
  readonly service: string;
  readonly operation: PublishedOperation;
  /** All operations of the service. */
  readonly operations: readonly PublishedOperation[];
  readonly addresses: Addresses;
  /** Links to the documents of the service. */
  readonly documents: Content;
}

/**
 * Returns the page of one operation: its documentation, a form that calls it, and sample messages for each of its
 * protocols.
 */
function renderOperationPage(described: DescribedOperation): Promise<PageAnswer> {
  const { operation, service, documents } = described;
  const boundProtocols = protocols.filter((protocol) => operation[protocol] !== undefined);
  const { fields, wrapper } = createOperationFields(operation);
  const tabs = boundProtocols.map((protocol): Tab => {
    return { name: protocol, panel: `${protocol}-panel`, label: protocolNames[protocol] };
  });
  return renderPage({
    title: `${operation.name} - ${service}`,
    home: { name: service, href: "?" },
    links: documents,
    aside: { list: renderOperationList(described), link: "All operations" },
    content: html`<h1>${operation.name}</h1>
${operation.documentation !== undefined && html`<p class="lead">${operation.documentation}</p>`}
${renderAuthorizationForm()}
${renderTabList("Protocol", tabs)}
<div class="console">
${renderCallForm(described, fields)}
<div class="right">
${boundProtocols.map((protocol, position) => renderSamplePanel(tabs[position], { protocol, position, fields, described }))}
</div>
</div>`,
    script: operationScript,
    settings: {
      protocols: Object.fromEntries(
        boundProtocols.map((protocol) => [protocol, findProtocolSettings(protocol, described)]),
      ),
      wrapper,
      fields: fields.map(({ soap, parameter, control }) => ({ soap, parameter, control })),
    },
  });
}

function renderOperationList({ operation: currentOperation, operations }: DescribedOperation): Html {
  const listItem = ({ name }: PublishedOperation) =>
    html`<li><a href="?op=${encodeURIComponent(name)}"${name === currentOperation.name && html` aria-current="page"`}>${name}</a></li>
`;
  return html`<nav class="aside" aria-label="Operations">
${renderSearchField("operations", operations.length)}
<div class="scroll"><ul data-items>
${operations.map(listItem)}</ul></div>
</nav>`;
}

/** Returns the settings that the page's script needs to call an operation over one protocol. */
function findProtocolSettings(protocol: Protocol, { operation, addresses }: DescribedOperation) {
  const url = getReference(protocol, addresses);
  if (protocol === "soap11" || protocol === "soap12") {
    const soap = operation[protocol];
    return (
      soap && {
        url,
        headers: Object.fromEntries(writeSoapHeaders(protocol, soap)),
        start: writeEnvelopeStart(protocol, soap.input),
      }
    );
  }
  const { location = "", replacesLocation = false } = operation[protocol] ?? {};
  return { url: joinAddress(url, location), method: httpMethods[protocol], replace: replacesLocation };
}

const httpMethods = { httpGet: "GET", httpPost: "POST" } as const;

/**
 * Returns the path for calls over a protocol. If all ports have the same path, the result is relative, so that the page
 * works behind a proxy that changes the path.
 */
function getReference(protocol: Protocol, addresses: Addresses): string {
  const paths = new Set(Object.values(addresses).map(getPath));
  const path = getPath(addresses[protocol] ?? "");
  return paths.size > 1 ? path : `./${path.slice(path.lastIndexOf("/") + 1)}`;
}

function getPath(address: string): string {
  return address.replace(/^[^:/?#]*:\/\/[^/]*/, "").replace(/[?#].*$/s, "");
}

function joinAddress(reference: string, location: string): string {
  return reference.endsWith("/") && location.startsWith("/") ? reference + location.slice(1) : reference + location;
}

function renderCallForm(described: DescribedOperation, fields: readonly OperationField[]): Html {
  const hint =
    fields.some(({ isRequired }) => !isRequired) &&
    html`<p class="note script">Empty optional fields are left out.</p>`;
  return html`<form class="call" id="call"${renderFormAttributes(described)} autocomplete="off">
${fields.length === 0 ? html`<p class="note">This operation has no parameters.</p>` : fields.map(renderFieldRow)}
${hint}
${renderSendRow()}
<p class="note unscripted">Without scripts this form calls over HTTP GET, if the operation supports it.</p>
</form>`;
}

/** Returns the attributes for a form that calls the operation over HTTP GET when the browser runs no scripts. */
function renderFormAttributes({ operation: { httpGet }, addresses }: DescribedOperation): Content {
  return (
    httpGet !== undefined &&
    !httpGet.replacesLocation &&
    html` method="get" action="${joinAddress(getReference("httpGet", addresses), httpGet.location)}"`
  );
}

function renderFieldRow(field: OperationField, index: number): Html {
  const id = `field-${index}`;
  const { name, kind, isRequired } = field;
  return renderLabeledControl(
    { id, name, kind, isRequired, note: formatNote(field) },
    renderControl(field, id),
    html`id="row-${index}"`,
  );
}

function formatNote({ documentation, facets }: OperationField): string | undefined {
  const parts = [documentation, facets === "" ? undefined : `${facets.charAt(0).toUpperCase()}${facets.slice(1)}.`];
  return parts.filter((part) => part !== undefined).join("\n") || undefined;
}

function renderControl(field: OperationField, id: string): Html {
  const { control: kind, choices, value, parameter, soap } = field;
  const descriptionAttribute = formatNote(field) !== undefined && html` aria-describedby="${id}-note"`;
  const attributes = html`${parameter !== undefined && html` name="${parameter}"`}${descriptionAttribute}`;
  switch (kind) {
    case "choice":
      return renderSelect(id, choices, {
        blankLabel: soap?.optional === false ? undefined : "(left out)",
        selected: value,
        attributes,
      });
    case "text":
      return html`<input type="text" id="${id}"${attributes} value="${value}" spellcheck="false" autocapitalize="off">`;
    default:
      return html`<textarea id="${id}"${attributes} spellcheck="false" rows="${Math.min(16, value.split("\n").length + 1)}">
${value}</textarea>`;
  }
}

interface PanelContent {
  readonly protocol: Protocol;
  readonly position: number;
  readonly fields: readonly OperationField[];
  readonly described: DescribedOperation;
}

function renderSamplePanel(tab: Tab | undefined, { protocol, position, fields, described }: PanelContent): Content {
  const { operation, addresses } = described;
  const sample = findSample(protocol, operation, { address: addresses[protocol] ?? "", fields });
  return (
    tab !== undefined &&
    sample !== undefined &&
    html`<section ${renderPanelAttributes(tab, position)}>
<h2 class="unscripted">${protocolNames[protocol]}</h2>
${renderRequestBlock(sample.request)}
${renderResultsBlock()}
${renderExampleBlock(sample.response)}
</section>
`
  );
}

/**
 * Returns the sample request and answer for one protocol, with the examples of the fields; undefined if the operation
 * is not available over that protocol.
 */
export function findSample(
  protocol: Protocol,
  operation: PublishedOperation,
  { address, fields }: { readonly address: string; readonly fields: readonly OperationField[] },
): Sample | undefined {
  if (protocol === "soap11" || protocol === "soap12") {
    const soap = operation[protocol];
    return soap && writeSoapSample(protocol, soap, address);
  }
  const http = operation[protocol];
  const examples = new Map(
    fields.flatMap(({ parameter, value }) => (parameter === undefined ? [] : [[parameter, value]])),
  );
  return http && writeHttpSample(httpMethods[protocol], http, { address, examples });
}
