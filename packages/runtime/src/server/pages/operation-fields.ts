import { wireName } from "../../codec/names.js";
import { type ContentMember, recordTable } from "../../codec/table.js";
import { resolveType } from "../../codec/types.js";
import type { SoapVersion } from "../../protocol/soap/envelope.js";
import { enumerationValues, placeholderOf } from "./placeholder.js";
import { SampleWriter } from "./sample-element.js";
import { layout, sampleText } from "./sample-layout.js";
import { bodyNodes, headerBlocks, type SampledOperation, wireNamesOf } from "./sample-message.js";

/** One thing a person fills in to call an operation. */
export interface OperationField {
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
export interface OperationFields {
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
