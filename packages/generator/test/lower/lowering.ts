import { resolveWsdl } from "../../src/components/wsdl/resolve-wsdl.js";
import { lowerWsdl } from "../../src/lower/wsdl/interface.js";
import type { SoapInterfaceConfig } from "../../src/model/config.js";
import type { Service, SoapInterface } from "../../src/model/soap.js";
import type { Field, Particle, TypeDefinition, TypeReference } from "../../src/model/xsd-types.js";
import type { Diagnostics } from "../../src/source/diagnostics.js";
import { configSpan, type Files, problems, read, reported, schema, wsdl } from "../read/wsdl/reading.js";

export interface Lowered {
  readonly contract: SoapInterface;
  readonly diagnostics: Diagnostics;
}

export const plainConfig: SoapInterfaceConfig = {
  kind: "soap",
  name: "test",
  span: configSpan,
  wsdl: [],
  ambient: [],
  wireNames: { namespaces: [], operations: [] },
  soap12Action: false,
  conventions: "standard",
  tolerate: [],
  lenient: false,
  typeFiles: "one",
  typeMap: new Map(),
  operations: undefined,
  names: new Map(),
};

/** Reads, resolves and lowers WSDLs. The interface is undefined when nothing is bound. */
export function run(files: Files | string, config: Partial<SoapInterfaceConfig> = {}, paths?: readonly string[]) {
  const strictness = config.lenient === true ? "lenient" : "default";
  const { documents, diagnostics } = read(typeof files === "string" ? { "a.wsdl": files } : files, paths, strictness);
  const components = resolveWsdl(documents, diagnostics);
  return { contract: lowerWsdl(components, { ...plainConfig, ...config }, diagnostics), diagnostics };
}

/** Lowers WSDLs that must not have errors. */
export function lower(files: Files | string, config: Partial<SoapInterfaceConfig> = {}): Lowered {
  const { contract, diagnostics } = run(files, config);
  const errors = problems(diagnostics);
  if (errors.length > 0 || contract === undefined) {
    throw new Error(errors.join("\n"));
  }
  return { contract, diagnostics };
}

/** A WSDL with an operation `Op` whose input is the element `Op` of the schema. */
export function around(content: string, attributes?: string): string {
  return wsdl(`${schema(content, attributes)}
    <wsdl:message name="In"><wsdl:part name="parameters" element="t:Op"/></wsdl:message>
    <wsdl:portType name="P"><wsdl:operation name="Op"><wsdl:input message="t:In"/></wsdl:operation></wsdl:portType>
    <wsdl:binding name="B" type="t:P"><soap:binding/><wsdl:operation name="Op"><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation></wsdl:binding>`);
}

/** The types that the element `Op` of a schema refers to, without namespaces, one line each. */
export function types(content: string, attributes?: string): readonly string[] {
  return lower(around(content, attributes)).contract.types.map(typeText);
}

/** The type of an element `Op` whose `complexType` has this content. */
export function record(content: string, attributes?: string): string {
  const [text] = types(`<xs:element name="Op"><xs:complexType>${content}</xs:complexType></xs:element>`, attributes);
  return text ?? "";
}

/** Warnings and notes about a schema. */
export function remarks(content: string): readonly string[] {
  return reported(lower(around(content)).diagnostics);
}

export function typeText(type: TypeDefinition): string {
  return `${short(type.id)} ${definitionText(type)}`;
}

function definitionText(type: TypeDefinition): string {
  switch (type.kind) {
    case "record": {
      const abstract = type.abstract ? "abstract " : "";
      const base = type.base === undefined ? "" : `: ${short(type.base)} `;
      const removed = type.removed.length === 0 ? "" : ` without ${type.removed.join(", ")}`;
      return `${abstract}${base}{${type.fields.map(fieldText).join("; ")}} (${type.content.map(particleText).join(", ")})${removed}`;
    }
    case "polymorphic":
      return `any ${short(type.declared)}: ${type.alternatives.map((alternative) => `${short(alternative.tag)}=${short(alternative.type)}`).join(" | ")}`;
    case "enumeration":
      return `${referenceText(type.base)} in ${type.values.map((value) => JSON.stringify(value.text)).join(" ")}${facets(type)}`;
    case "restriction":
      return `${referenceText(type.base)}${facets(type)}`;
    case "array":
      return `array of ${referenceText(type.item)} ${type.itemName.local}`;
    case "list":
      return `list of ${referenceText(type.item)}`;
    case "union":
      return `union of ${type.members.map(referenceText).join(", ")}`;
  }
}

function facets({ facets }: Extract<TypeDefinition, { facets: unknown }>): string {
  return facets.map(({ facet, value }) => ` ${facet}=${Array.isArray(value) ? value.join("|") : value}`).join("");
}

function fieldText(field: Field): string {
  const inherited = field.inherited ? "^" : "";
  switch (field.kind) {
    case "element": {
      const wire =
        field.wireName.local === field.key ? "" : `<${short(`{${field.wireName.namespace}}${field.wireName.local}`)}>`;
      const form = field.wireName.namespace === "" ? "~" : "";
      const value =
        field.default === undefined && field.fixed === undefined ? "" : `=${field.default ?? `!${field.fixed}`}`;
      return `${inherited}${form}${field.key}${wire}: ${referenceText(field.type)}${occurs(field)}${field.nillable ? " nil" : ""}${value}`;
    }
    case "attribute":
      return `${inherited}@${field.key}: ${referenceText(field.type)}${field.required ? "" : "?"}`;
    case "text":
      return `${inherited}#${field.key}: ${referenceText(field.type)}`;
    case "group":
      return `${inherited}${field.key}: (${short(field.item)})${occurs(field)}`;
    case "mixed":
      return `${inherited}${field.key}: mixed(${short(field.item)})`;
    case "any":
      return `${inherited}${field.key}: any${occurs(field)}`;
    case "anyAttribute":
      return `${inherited}${field.key}: any attributes`;
  }
}

function occurs({ min, max }: { readonly min: number; readonly max: number | "unbounded" }): string {
  if (max === 1) {
    return min === 0 ? "?" : "";
  }
  return `[${min}..${max === "unbounded" ? "" : max}]`;
}

export function particleText(particle: Particle): string {
  if (particle.kind === "field") {
    return particle.key;
  }
  const separator = { sequence: ", ", choice: " | ", all: " & " }[particle.kind];
  return `(${particle.particles.map(particleText).join(separator)})${particle.optional ? "?" : ""}`;
}

export function referenceText(type: TypeReference): string {
  return type.kind === "builtin" ? type.name : short(type.id);
}

export function short(id: string): string {
  return id.replaceAll("{urn:t}", "").replaceAll("{}", "");
}

/** `Op(input) -> output` of each operation, with its bindings. */
export function operationTexts({ operations }: Service): readonly string[] {
  return operations.map((operation) => {
    const name = operation.overload === 1 ? operation.name : `${operation.name}#${operation.overload}`;
    const { output } = operation;
    const result = output === undefined ? "" : ` -> ${resultText(output)}`;
    const faults = operation.faults.map((fault) => ` throws ${fault.name}:${referenceText(fault.type)}`).join("");
    return `${name}(${bodyText(operation.input)})${result}${faults} [${Object.keys(operation.bindings).join(" ")}]`;
  });
}

function resultText(output: NonNullable<Service["operations"][number]["output"]>): string {
  const result =
    output.result.kind === "member" ? `.${output.result.key}` : output.result.kind === "empty" ? " empty" : "";
  return bodyText(output) + result;
}

function bodyText({ body, headers }: Service["operations"][number]["input"]): string {
  const text = body.kind === "parts" ? `parts ${short(body.record)}` : elementText(body);
  return headers === undefined ? text : `${text} + ${short(headers)}`;
}

function elementText(body: Extract<Service["operations"][number]["input"]["body"], { kind: "element" }>): string {
  const style = `${body.rpc ? "rpc " : ""}${body.encoded ? "encoded " : ""}`;
  return `${style}<${short(`{${body.element.namespace}}${body.element.local}`)}> ${referenceText(body.type)}${body.nillable ? " nil" : ""}`;
}
