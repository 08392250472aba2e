import type { ServerAnswer } from "../types.js";
import { filterScript } from "./call-script.js";
import type { DescribedService } from "./described-service.js";
import type { Documentation } from "./documentation.js";
import { type Content, html } from "./html.js";
import { pageAnswer } from "./page.js";
import { protocolNames, protocols } from "./protocols.js";

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
