import { callResult, choice, labelled } from "./forms.js";
import { type Content, type Html, html, type PageAnswer, pageAnswer } from "./page.js";
import type { ComplexType, Particle, PublishedElement } from "./published-types.js";
import {
  type Addresses,
  type HttpOperation,
  type PageProtocol,
  type PublishedOperation,
  protocolNames,
  protocols,
  type SoapOperation,
  type SoapVersion,
} from "./published-wsdl.js";
import { layout, placeholderOf, type SampleNode, SampleWriter, sampleBlock, sampleText } from "./sample-element.js";
import {
  bodyNodes,
  envelopeStart,
  headerNodes,
  httpSample,
  type Sample,
  soapHeaders,
  soapSample,
} from "./sample-message.js";
import { operationScript } from "./scripts.js";

/** An operation and its service. */
interface DescribedOperation {
  readonly service: string;
  readonly operation: PublishedOperation;
  readonly addresses: Addresses;
}

/** The page of one operation: its documentation, a form that calls it, and its messages in every protocol. */
export function operationPage(described: DescribedOperation): Promise<PageAnswer> {
  const { operation, service } = described;
  const bound = protocols.filter((protocol) => operation[protocol] !== undefined);
  const fields = operationFields(operation);
  return pageAnswer({
    title: `${operation.name} - ${service}`,
    trail: [html`<a href="?">All operations of ${service}</a>`],
    content: html`<h1>${operation.name}</h1>
${operation.documentation !== undefined && html`<p class="lead">${operation.documentation}</p>`}
<p>Messages: ${bound.map((protocol, index) => html`${index > 0 && ", "}<a href="#${protocol}">${protocolNames[protocol]}</a>`)}</p>
<h2 id="try">Try it</h2>
${callForm(described, bound, fields)}
${bound.map((protocol) => sampleSection(protocol, described))}`,
    script: operationScript,
    facts: {
      protocols: Object.fromEntries(bound.map((protocol) => [protocol, protocolFacts(protocol, described)])),
      wrapper: fields.wrapper,
      fields: fields.fields.map(({ soap, parameter, control }) => ({ soap, parameter, control })),
    },
  });
}

/** What the script needs for a call over one protocol. */
function protocolFacts(protocol: PageProtocol, { operation, addresses }: DescribedOperation) {
  const url = referenceTo(protocol, addresses);
  if (protocol === "soap11" || protocol === "soap12") {
    const soap = operation[protocol];
    return (
      soap && {
        url,
        headers: Object.fromEntries(soapHeaders(protocol, soap)),
        start: envelopeStart(protocol, soap.input),
      }
    );
  }
  const { location = "", replacesLocation = false } = operation[protocol] ?? {};
  return { url: join(url, location), method: httpMethods[protocol], replace: replacesLocation };
}

const httpMethods = { httpGet: "GET", httpPost: "POST" } as const;

/** Relative to the page, so that it works behind a proxy that changes the path, unless ports have different paths. */
function referenceTo(protocol: PageProtocol, addresses: Addresses): string {
  const paths = new Set(Object.values(addresses).map(pathOf));
  const path = pathOf(addresses[protocol] ?? "");
  return paths.size > 1 ? path : `./${path.slice(path.lastIndexOf("/") + 1)}`;
}

function pathOf(address: string): string {
  return address.replace(/^[^:/?#]*:\/\/[^/]*/, "").replace(/[?#].*$/s, "");
}

function join(reference: string, location: string): string {
  return reference.endsWith("/") && location.startsWith("/") ? reference + location.slice(1) : reference + location;
}

function callForm(described: DescribedOperation, bound: readonly PageProtocol[], { fields }: OperationFields): Html {
  const options = bound.map((protocol) => html`<option value="${protocol}">${protocolNames[protocol]}</option>`);
  return html`<form class="call" id="call"${nativeCall(described)} autocomplete="off">
<div class="field">
<label for="protocol">Protocol</label>
<div><select id="protocol">${options}</select></div>
</div>
${fields.map(fieldRow)}
${callResult({ headersOpen: false })}
<noscript><p class="note">Without scripts this form calls over HTTP GET, if the operation supports it.</p></noscript>
</form>`;
}

/** Without scripts, the browser can still call over HTTP GET. */
function nativeCall({ operation: { httpGet }, addresses }: DescribedOperation): Content {
  return (
    httpGet !== undefined &&
    !httpGet.replacesLocation &&
    html` method="get" action="${join(referenceTo("httpGet", addresses), httpGet.location)}"`
  );
}

function fieldRow(field: OperationField, index: number): Html {
  const id = `field-${index}`;
  const { name, kind, documentation } = field;
  return labelled({ id, name, kind, note: documentation }, control(field, id), html`id="row-${index}"`);
}

function control({ control: kind, choices, value, parameter, documentation, soap }: OperationField, id: string): Html {
  const attributes = html`${parameter !== undefined && html` name="${parameter}"`}${documentation !== undefined && html` aria-describedby="${id}-note"`}`;
  switch (kind) {
    case "choice":
      return choice(id, choices, { blank: soap?.optional === false ? undefined : "(left out)", attributes });
    case "text":
      return html`<input type="text" id="${id}"${attributes} value="${value}" spellcheck="false" autocapitalize="off">`;
    default:
      return html`<textarea id="${id}"${attributes} spellcheck="false" rows="${Math.min(16, value.split("\n").length + 1)}">
${value}</textarea>`;
  }
}

function sampleSection(protocol: PageProtocol, { operation, addresses }: DescribedOperation): Content {
  const sample = sampleOf(protocol, operation, addresses[protocol] ?? "");
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

/** The sample of one protocol; undefined if the operation does not have it. */
export function sampleOf(protocol: PageProtocol, operation: PublishedOperation, address: string): Sample | undefined {
  if (protocol === "soap11" || protocol === "soap12") {
    const soap = operation[protocol];
    return soap && soapSample(protocol, soap, address);
  }
  const http = operation[protocol];
  return http && httpSample(httpMethods[protocol], http, address);
}

/** A field of the form that calls an operation. */
interface OperationField {
  readonly name: string;
  /** Its type and occurrence, in few words. */
  readonly kind: string;
  readonly control: "text" | "lines" | "choice" | "xml";
  readonly choices: readonly string[];
  /** The initial value. */
  readonly value: string;
  readonly documentation: string | undefined;
  /** How it is written into a SOAP message: between tags; without tags the value is XML. */
  readonly soap?:
    | { readonly place: "header" | "body"; readonly start: string; readonly end: string; readonly optional: boolean }
    | undefined;
  /** The parameter of HTTP GET and POST. */
  readonly parameter?: string | undefined;
}

/** The fields of an operation, and the tags around those of the body. */
interface OperationFields {
  readonly fields: readonly OperationField[];
  readonly wrapper: readonly [start: string, end: string];
}

/** The fields of an operation: one for each child element if the body is a plain list of elements, else the body as XML. */
export function operationFields(operation: PublishedOperation): OperationFields {
  const http = operation.httpGet ?? operation.httpPost;
  const version = operation.soap11 === undefined ? "soap12" : "soap11";
  const soap = operation[version];
  if (soap === undefined) {
    return { fields: parameterFields(http, new Set()), wrapper: ["", ""] };
  }
  const headers = headerNodes(soap.input).map(headerField);
  const body = plainBody(soap, version);
  if (body === undefined) {
    const message = messageField(sampleText(layout(bodyNodes(version, soap.input))));
    return { fields: [...headers, ...parameterFields(http, new Set()), message], wrapper: ["", ""] };
  }
  const writer = new SampleWriter(soap.input.isEncoded ? version : undefined);
  const parameters = new Set(http?.parameters.map(({ name }) => name));
  const fields = body.elements.map((element) => {
    const { local } = element.name;
    const field = elementField(element, writer, body.scope);
    return parameters.has(local) ? { ...field, parameter: local } : field;
  });
  const names = new Set(body.elements.map(({ name }) => name.local));
  return { fields: [...headers, ...fields, ...parameterFields(http, names)], wrapper: body.wrapper };
}

interface PlainBody {
  readonly elements: readonly PublishedElement[];
  readonly wrapper: OperationFields["wrapper"];
  /** The default namespace inside the wrapper. */
  readonly scope: string;
}

/** The elements of a body, if it is a list of elements or one element that contains only such a list. */
function plainBody({ input }: SoapOperation, version: SoapVersion): PlainBody | undefined {
  const elements = elementsOf(input.body);
  const [only, another] = elements ?? [];
  if (elements === undefined || only === undefined || another !== undefined) {
    return elements && { elements, wrapper: ["", ""], scope: "" };
  }
  const type = only.type();
  const children = type.kind === "complex" && isList(type) ? elementsOf(type.content()) : undefined;
  const [node] = bodyNodes(version, input);
  if (children === undefined || node === undefined || "comment" in node) {
    return undefined;
  }
  const wrapper = [`${sampleText(node.start)}>`, `</${node.name}>`] as const;
  return { elements: children, wrapper, scope: only.name.namespace };
}

function isList(type: ComplexType): boolean {
  return type.text === undefined && !type.isMixed && type.attributes.length === 0 && type.substitute() === undefined;
}

function elementsOf(particles: readonly Particle[]): readonly PublishedElement[] | undefined {
  const elements = particles.flatMap((particle) => (particle.kind === "element" ? [particle.element] : []));
  return elements.length === particles.length ? elements : undefined;
}

function elementField(element: PublishedElement, writer: SampleWriter, scope: string): OperationField {
  const sample = writer.element(element, scope);
  const { isOptional: optional, isRepeated, documentation, name } = element;
  const type = element.type();
  const common = { name: name.local, documentation };
  const suffix = `${isRepeated ? ", one per line" : ""}${optional ? ", optional" : ""}`;
  if (type.kind !== "simple") {
    const value = optional ? "" : sampleText(layout([sample])).trimEnd();
    const soap = { place: "body", start: "", end: "", optional } as const;
    return { ...common, kind: `XML${optional ? ", optional" : ""}`, control: "xml", choices: [], value, soap };
  }
  const placeholder = placeholderOf(type);
  const choices = type.values ?? (placeholder === "boolean" ? ["true", "false"] : []);
  return {
    ...common,
    kind: (choices.length === 0 ? placeholder : "one of a list") + suffix,
    control: isRepeated ? "lines" : choices.length === 0 ? "text" : "choice",
    choices,
    value: element.fixed ?? "",
    soap: { place: "body", start: `${sampleText(sample.start)}>`, end: `</${sample.name}>`, optional },
  };
}

function headerField(node: SampleNode): OperationField {
  return {
    name: "name" in node ? node.name : "",
    kind: "XML, SOAP header, optional",
    control: "xml",
    choices: [],
    value: "",
    documentation: `For example:\n${sampleText(layout([node])).trimEnd()}`,
    soap: { place: "header", start: "", end: "", optional: true },
  };
}

function messageField(value: string): OperationField {
  return {
    name: "Body",
    kind: "XML",
    control: "xml",
    choices: [],
    value: value.trimEnd(),
    documentation: undefined,
    soap: { place: "body", start: "", end: "", optional: false },
  };
}

/** Fields for the parameters of HTTP GET and POST that are not elements of the message. */
function parameterFields(http: HttpOperation | undefined, elements: ReadonlySet<string>): readonly OperationField[] {
  return (http?.parameters ?? [])
    .filter(({ name }) => !elements.has(name))
    .map(({ name, isList: isRepeated }) => ({
      name,
      kind: isRepeated ? "string, one per line" : "string",
      control: isRepeated ? "lines" : "text",
      choices: [],
      value: "",
      documentation: undefined,
      parameter: name,
    }));
}
