import { wireName } from "../codec/names.js";
import { type ContentMember, recordTable } from "../codec/table.js";
import { resolveType } from "../codec/types.js";
import type { Protocol } from "../descriptor.js";
import type { SoapVersion } from "../protocol/soap/envelope.js";
import type { ServerAnswer } from "../server/types.js";
import { callResult, choice, labelled } from "./forms.js";
import { type Content, type Html, html, pageAnswer } from "./page.js";
import { type Documentation, protocolNames, protocols } from "./published-wsdl.js";
import { enumerationValues, layout, placeholderOf, SampleWriter, sampleBlock, sampleText } from "./sample-element.js";
import {
  bodyNodes,
  envelopeStart,
  headerBlocks,
  type SampledOperation,
  sampleOf,
  soapHeaders,
  wireNamesOf,
} from "./sample-message.js";
import { operationScript } from "./scripts.js";

/** What the page of one operation is made from. */
interface DescribedOperation extends SampledOperation {
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

/** One thing a person fills in to call an operation. */
interface OperationField {
  readonly name: string;
  /** Its type, in few words. */
  readonly kind: string;
  readonly control: "text" | "lines" | "choice" | "xml";
  readonly choices: readonly string[];
  /** What the field holds at first. */
  readonly value: string;
  readonly documentation: string | undefined;
  /** How it goes into a SOAP message: around text; without tags it is XML itself. */
  readonly soap?:
    | { readonly place: "header" | "body"; readonly start: string; readonly end: string; readonly optional: boolean }
    | undefined;
  /** The parameter of HTTP GET and POST. */
  readonly parameter?: string | undefined;
}

/** The fields of an operation, and the tags that stand around those of the body. */
interface OperationFields {
  readonly fields: readonly OperationField[];
  readonly wrapper: readonly [start: string, end: string];
}

type ElementMember = Extract<ContentMember, { kind: "element" }>;

/** What to ask for: each parameter by itself where the body is a list of elements, else the body as XML. */
export function operationFields(
  sampled: SampledOperation,
  documentation: ReadonlyMap<string, string> = new Map(),
): OperationFields {
  const { operation, names } = sampled;
  const { body, headers } = operation.descriptor.input;
  const wireNames = wireNamesOf(names);
  const soapHeaders = headers === undefined ? [] : headerBlocks({ headers, names }).map(headerField);
  if (!isSoap(sampled)) return { fields: parameterFields(sampled, []), wrapper: ["", ""] };

  const version = versionOf(sampled);
  const type = resolveType("parts" in body ? body.parts : body.type);
  const table = type.kind === "record" ? recordTable(type, wireNames) : undefined;
  const members = table?.content.filter((step) => step.kind === "element") ?? [];
  const isPlain =
    table !== undefined &&
    members.length === table.content.length &&
    table.text === undefined &&
    table.mixed === undefined &&
    table.attributes.length === 0;
  if (!isPlain) {
    const message = messageField(sampleText(layout(bodyNodes({ body, names }, version))));
    return { fields: [...soapHeaders, ...parameterFields(sampled, []), message], wrapper: ["", ""] };
  }
  const { start, end, scope } = wrapperOf(sampled, version);
  const writer = new SampleWriter(wireNames, "element" in body && body.encoded !== undefined ? version : undefined);
  const fields = members.map((member) => {
    const field = memberField(member, writer, scope);
    const parameter = parameterNames(sampled).get(member.key);
    return { ...field, parameter, documentation: documentation.get(`${table.name}/${member.local}`) };
  });
  const known = new Set(members.map(({ key }) => key));
  return { fields: [...soapHeaders, ...fields, ...parameterFields(sampled, [...known])], wrapper: [start, end] };
}

function isSoap({ operation: { descriptor } }: SampledOperation): boolean {
  return descriptor.bindings.soap11 !== undefined || descriptor.bindings.soap12 !== undefined;
}

/** The version whose way of writing the fields follow, where versions differ. */
function versionOf({ operation: { descriptor } }: SampledOperation): SoapVersion {
  return descriptor.bindings.soap11 === undefined ? "soap12" : "soap11";
}

function wrapperOf({ operation, names }: SampledOperation, version: SoapVersion) {
  const { body } = operation.descriptor.input;
  if ("parts" in body) return { start: "", end: "", scope: "" };
  const [node] = bodyNodes({ body, names }, version);
  if (node === undefined || "comment" in node) return { start: "", end: "", scope: "" };
  const namespace = wireNamesOf(names).element(wireName(body.element)).namespace;
  return { start: `${sampleText(node.start)}>`, end: `</${node.name}>`, scope: namespace };
}

function memberField(member: ElementMember, writer: SampleWriter, scope: string): OperationField {
  const element = writer.member(member, scope);
  const optional = member.min === 0;
  const type = resolveType(member.type);
  const common = { name: member.local, documentation: undefined };
  const many = member.max > 1 ? ", one per line" : "";
  const facts = `${optional ? ", optional" : ""}`;
  if (type.kind !== "simple") {
    const value = optional ? "" : sampleText(layout([element])).trimEnd();
    return {
      ...common,
      kind: `XML${facts}`,
      control: "xml",
      choices: [],
      value,
      soap: { place: "body", start: "", end: "", optional },
    };
  }
  const choices = enumerationValues(member.type) ?? (placeholderOf(member.type) === "boolean" ? ["true", "false"] : []);
  const word = choices.length === 0 ? placeholderOf(member.type) : "one of a list";
  return {
    ...common,
    kind: word + many + facts,
    control: member.max > 1 ? "lines" : choices.length === 0 ? "text" : "choice",
    choices,
    value: member.fixed ?? "",
    soap: { place: "body", start: `${sampleText(element.start)}>`, end: `</${element.name}>`, optional },
  };
}

function headerField(node: ReturnType<typeof headerBlocks>[number]): OperationField {
  const name = "name" in node ? node.name : "";
  return {
    name,
    kind: "XML, SOAP header, optional",
    control: "xml",
    choices: [],
    value: "",
    documentation: `For example:\n${sampleText(layout([node])).trimEnd()}`,
    soap: { place: "header", start: "", end: "", optional: true },
  };
}

function messageField(value: string): OperationField {
  const soap = { place: "body", start: "", end: "", optional: false } as const;
  return {
    name: "Body",
    kind: "XML",
    control: "xml",
    choices: [],
    value: value.trimEnd(),
    documentation: undefined,
    soap,
  };
}

function parameterNames({ operation: { descriptor } }: SampledOperation): ReadonlyMap<string, string> {
  const entries = Object.entries(descriptor.http?.parameters ?? {});
  return new Map(entries.map(([key, parameter]) => [key, parameter.name ?? key]));
}

/** Parameters of HTTP GET and POST that no element of the message stands for. */
function parameterFields(sampled: SampledOperation, known: readonly string[]): readonly OperationField[] {
  const parameters = Object.entries(sampled.operation.descriptor.http?.parameters ?? {});
  return parameters
    .filter(([key]) => !known.includes(key))
    .map(([key, { name = key, list }]) => ({
      name,
      kind: list === true ? "string, one per line" : "string",
      control: list === true ? "lines" : "text",
      choices: [],
      value: "",
      documentation: undefined,
      parameter: name,
    }));
}
