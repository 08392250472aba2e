import type { Protocol } from "../../descriptor.js";
import type { ServerAnswer } from "../types.js";
import { callResult, choice, labelled } from "./call-form.js";
import type { Documentation } from "./documentation.js";
import { type Content, type Html, html } from "./html.js";
import { type OperationField, type OperationFields, operationFields } from "./operation-fields.js";
import { operationScript } from "./operation-script.js";
import { pageAnswer } from "./page.js";
import { protocolNames, protocols } from "./protocols.js";
import { sampleBlock } from "./sample-layout.js";
import { envelopeStart, type SampledOperation, sampleOf, soapHeaders } from "./sample-message.js";

/** What the page of one operation is made from. */
export interface DescribedOperation extends SampledOperation {
  readonly service: string;
  readonly documentation: Documentation;
  /** Where a protocol is reached, from the page. */
  readonly referenceOf: (protocol: Protocol) => string;
}

/** The page of one operation: what it is, a form that calls it, and its messages in every protocol. */
export function operationPage(described: DescribedOperation): Promise<ServerAnswer> {
  const { operation, names, service, documentation } = described;
  const { name } = names.of(operation.descriptor);
  const bound = protocols.filter((protocol) => operation.descriptor.bindings[protocol] !== undefined);
  const fields = operationFields(described, documentation.members);
  return pageAnswer({
    title: `${name} - ${service}`,
    trail: [html`<a href="?">All operations of ${service}</a>`],
    content: html`<h1>${name}</h1>
${leadOf(documentation.operations.get(name))}
<p>Messages: ${bound.map((one, at) => html`${at > 0 && ", "}<a href="#${one}">${protocolNames[one]}</a>`)}</p>
<h2 id="try">Try it</h2>
${callForm(described, bound, fields)}
${bound.map((protocol) => sampleSection(protocol, described))}`,
    script: operationScript,
    facts: {
      protocols: Object.fromEntries(bound.map((one) => [one, protocolFacts(one, described)])),
      ...factsOf(fields),
    },
  });
}

function leadOf(text: string | undefined): Content {
  return text !== undefined && html`<p class="lead">${text}</p>`;
}

function factsOf({ fields, wrapper }: OperationFields) {
  return { wrapper, fields: fields.map(({ soap, parameter, control }) => ({ soap, parameter, control })) };
}

function protocolFacts(protocol: Protocol, { operation, referenceOf }: DescribedOperation) {
  const url = referenceOf(protocol);
  if (protocol === "soap11" || protocol === "soap12") {
    const start = envelopeStart(protocol, operation.descriptor.input.body);
    return { url, headers: Object.fromEntries(soapHeaders(protocol, operation)), start };
  }
  const { text = "", replace } = operation.locations[protocol] ?? {};
  return { url: locationAt(url, text), method: protocol === "httpGet" ? "GET" : "POST", replace };
}

function locationAt(reference: string, location: string): string {
  return reference.endsWith("/") && location.startsWith("/") ? reference + location.slice(1) : reference + location;
}

function callForm(described: DescribedOperation, bound: readonly Protocol[], { fields }: OperationFields): Html {
  const options = bound.map((protocol) => html`<option value="${protocol}">${protocolNames[protocol]}</option>`);
  return html`<form class="call" id="call"${nativeCall(described)} autocomplete="off">
<div class="field">
<label for="protocol">Protocol</label>
<div><select id="protocol">${options}</select></div>
</div>
${fields.map(fieldRow)}
${callResult({ headersOpen: false })}
<noscript><p class="note">Without scripts this form calls over HTTP GET, where the operation has it.</p></noscript>
</form>`;
}

/** Where no script runs, the browser itself can still call over HTTP GET. */
function nativeCall({ operation, referenceOf }: DescribedOperation): Content {
  const get = operation.locations.httpGet;
  if (get === undefined || get.replace) return undefined;
  return html` method="get" action="${locationAt(referenceOf("httpGet"), get.text)}"`;
}

function fieldRow(field: OperationField, index: number): Html {
  const id = `field-${index}`;
  const { name, kind, documentation } = field;
  return labelled({ id, name, kind, note: documentation }, control(field, id), html`id="row-${index}"`);
}

function control({ control: kind, choices, value, parameter, documentation, soap }: OperationField, id: string): Html {
  const native = html`${parameter !== undefined && html` name="${parameter}"`}${documentation !== undefined && html` aria-describedby="${id}-note"`}`;
  switch (kind) {
    case "choice":
      return choice(id, choices, { blank: soap?.optional === false ? undefined : "(left out)", attributes: native });
    case "text":
      return html`<input type="text" id="${id}"${native} value="${value}" spellcheck="false" autocapitalize="off">`;
    default:
      return html`<textarea id="${id}"${native} spellcheck="false" rows="${Math.min(16, value.split("\n").length + 1)}">
${value}</textarea>`;
  }
}

function sampleSection(protocol: Protocol, described: DescribedOperation): Content {
  const sample = sampleOf(protocol, described);
  return (
    sample !== undefined &&
    html`<section aria-labelledby="${protocol}">
<h2 id="${protocol}">${protocolNames[protocol]}</h2>
<div class="pair">
<div><h3>Request</h3>${sampleBlock(sample.request)}</div>
<div><h3>Answer</h3>${sampleBlock(sample.response)}</div>
</div>
</section>
`
  );
}
