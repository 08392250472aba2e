import type { Protocol } from "../descriptor.js";
import type { ServedOperation } from "../server/soap/served-operations.js";
import type { ServerAnswer } from "../server/types.js";
import { operationPage } from "./operation-page.js";
import { type Content, html, pageAnswer } from "./page.js";
import {
  type DescribedService,
  type Documentation,
  noDocumentation,
  protocolNames,
  protocols,
  readDocumentation,
} from "./published-wsdl.js";
import { filterScript } from "./scripts.js";

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

const manyOperations = 8;

/** The page of a service: what it is, its documents, and its operations. */
export function serviceListPage(service: DescribedService, documentation: Documentation): Promise<ServerAnswer> {
  const { name, operations, names, addressOf } = service;
  const bound = protocols.filter((one) => operations.some(({ descriptor }) => descriptor.bindings[one] !== undefined));
  const [first] = bound;
  return pageAnswer({
    title: `${name} Web Service`,
    content: html`<h1>${name}</h1>
${documentation.service !== undefined && html`<p class="lead">${documentation.service}</p>`}
<dl class="facts">
<dt>Address</dt><dd><code>${first === undefined ? "" : addressOf(first)}</code></dd>
<dt>Protocols</dt><dd>${bound.map((one) => protocolNames[one]).join(", ")}</dd>
<dt>Documents</dt><dd>${documents(service.wsdl !== undefined)}</dd>
</dl>
<h2 id="operations">Operations</h2>
${operations.length > manyOperations && filter()}
<ul class="list" data-filtered>
${operations.map(({ descriptor }) => operationItem(names.of(descriptor).name, documentation))}</ul>`,
    script: filterScript,
  });
}

function documents(hasWsdl: boolean): Content {
  const wsdl = hasWsdl && html`<a href="?WSDL">WSDL</a>, <a href="?singleWsdl">WSDL in one file</a>, `;
  return html`${wsdl}<a href="?disco">DISCO</a>`;
}

function operationItem(name: string, { operations }: Documentation): Content {
  const text = operations.get(name);
  return html`<li><a href="?op=${encodeURIComponent(name)}">${name}</a>${
    text !== undefined && html`<p class="note">${text}</p>`
  }</li>
`;
}

/** The field that `filterScript` works with. */
export function filter(): Content {
  return html`<div class="field"><label for="filter">Filter by words</label>
<div><input type="search" id="filter" data-filter spellcheck="false"> <p class="note" id="found" role="status"></p></div></div>`;
}
