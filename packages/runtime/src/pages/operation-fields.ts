import { describeFacets } from "./example-values.js";
import type { ComplexType, PublishedElement, PublishedParticle, PublishedType } from "./wsdl/published-types.js";
import type {
  PublishedHttpOperation,
  PublishedOperation,
  PublishedSoapOperation,
  SoapVersion,
} from "./wsdl/published-wsdl.js";
import {
  createBodyNodes,
  createExample,
  createHeaderNodes,
  type SampleNode,
  SampleWriter,
  writeSampleNodes,
} from "./wsdl/sample-message.js";
import { getTextOfName } from "./wsdl/wsdl-elements.js";

/** A field in the form for calling an operation. */
export interface OperationField {
  readonly name: string;
  /** A short description of the field's type: `int`, `string, one per line`. */
  readonly kind: string;
  readonly isRequired: boolean;
  readonly control: "text" | "lines" | "choice" | "xml";
  readonly choices: readonly string[];
  /** The initial value of the field, which is an example. */
  readonly value: string;
  readonly documentation: string | undefined;
  /** The restrictions on the value in words: `at most 10 characters`. Empty if there are none. */
  readonly facets: string;
  /**
   * The tags between which the script writes the value into a SOAP message. If both are empty, the value is XML and is
   * written unchanged.
   */
  readonly soap?:
    | { readonly place: "header" | "body"; readonly start: string; readonly end: string; readonly optional: boolean }
    | undefined;
  /** The name of the parameter in calls over HTTP GET and POST. */
  readonly parameter?: string | undefined;
}

/** The fields of an operation's form, and the wrapper tags that enclose the fields' elements in the body. */
interface OperationFields {
  readonly fields: readonly OperationField[];
  readonly wrapper: readonly [start: string, end: string];
}

/**
 * Returns the fields of an operation's form. If the body is a plain list of elements, each element is a field;
 * otherwise the whole body is one field that contains XML.
 */
export function createOperationFields(operation: PublishedOperation): OperationFields {
  const http = operation.httpGet ?? operation.httpPost;
  const version = operation.soap11 === undefined ? "soap12" : "soap11";
  const soap = operation[version];
  if (soap === undefined) {
    return { fields: createParameterFields(http, new Set()), wrapper: ["", ""] };
  }
  const headers = createHeaderNodes(soap.input).map(createHeaderField);
  const body = findElementList(soap, version);
  if (body === undefined) {
    const message = createMessageField(writeSampleNodes(createBodyNodes(version, soap.input)));
    return { fields: [...headers, ...createParameterFields(http, new Set()), message], wrapper: ["", ""] };
  }
  const writer = new SampleWriter({ encoding: soap.input.isEncoded ? version : undefined });
  const parameters = new Set(http?.parameters.map(({ name }) => name));
  const fields = body.elements.map((element) => {
    const { local } = element.name;
    const field = createElementField(element, writer, body.defaultNamespace);
    return parameters.has(local) ? { ...field, parameter: local } : field;
  });
  const names = new Set(body.elements.map(({ name }) => name.local));
  return { fields: [...headers, ...fields, ...createParameterFields(http, names)], wrapper: body.wrapper };
}

interface ElementList {
  readonly elements: readonly PublishedElement[];
  readonly wrapper: OperationFields["wrapper"];
  /** The default namespace that applies inside the wrapper. */
  readonly defaultNamespace: string;
}

/**
 * Returns the elements of a body that is a plain list of elements, possibly inside one wrapper element; undefined for
 * other bodies.
 */
function findElementList({ input }: PublishedSoapOperation, version: SoapVersion): ElementList | undefined {
  const elements = findElements(input.body);
  const [wrapper, ...otherElements] = elements ?? [];
  if (elements === undefined || wrapper === undefined || otherElements.length > 0) {
    return elements && { elements, wrapper: ["", ""], defaultNamespace: "" };
  }
  const type = wrapper.readType();
  const children = type.kind === "complex" && hasOnlyElements(type) ? findElements(type.readContent()) : undefined;
  const [node] = createBodyNodes(version, input);
  if (children === undefined || node === undefined || !("name" in node)) {
    return undefined;
  }
  return {
    elements: children,
    wrapper: [`${node.start}>`, `</${node.name}>`],
    defaultNamespace: wrapper.name.namespace,
  };
}

function hasOnlyElements(type: ComplexType): boolean {
  return type.text === undefined && !type.isMixed && type.attributes.length === 0 && type.substitute() === undefined;
}

function findElements(particles: readonly PublishedParticle[]): readonly PublishedElement[] | undefined {
  const elements = particles.flatMap((particle) => (particle.kind === "element" ? [particle.element] : []));
  return elements.length === particles.length ? elements : undefined;
}

function createElementField(element: PublishedElement, writer: SampleWriter, defaultNamespace: string): OperationField {
  const sample = writer.writeElement(element, defaultNamespace);
  const { isOptional: optional, isRepeated, documentation, name } = element;
  const type = element.readType();
  const commonFields = { name: name.local, documentation, isRequired: !optional };
  if (type.kind !== "simple") {
    const value = writeSampleNodes([sample]).trimEnd();
    const soap = { place: "body", start: "", end: "", optional } as const;
    const kind = type.kind === "complex" && type.name !== undefined ? `${type.name.local}, XML` : "XML";
    return { ...commonFields, kind, control: "xml", choices: [], value, facets: "", soap };
  }
  const { label, facets, values, builtInName } = type;
  const choices = values ?? (builtInName === "boolean" ? ["true", "false"] : []);
  return {
    ...commonFields,
    kind: (values === undefined ? label : "one of a list") + (isRepeated ? ", one per line" : ""),
    control: isRepeated ? "lines" : choices.length === 0 ? "text" : "choice",
    choices,
    value: createExample(element, type.example),
    facets: values === undefined ? describeFacets(facets) : isRepeated ? `one of ${values.join(", ")}` : "",
    soap: { place: "body", start: `${sample.start}>`, end: `</${sample.name}>`, optional },
  };
}

function createHeaderField(node: SampleNode): OperationField {
  return {
    name: "name" in node ? node.name : "",
    kind: "XML, SOAP header",
    isRequired: false,
    control: "xml",
    choices: [],
    value: writeSampleNodes([node]).trimEnd(),
    documentation: undefined,
    facets: "",
    soap: { place: "header", start: "", end: "", optional: true },
  };
}

function createMessageField(value: string): OperationField {
  return {
    name: "Body",
    kind: "XML",
    isRequired: true,
    control: "xml",
    choices: [],
    value: value.trimEnd(),
    documentation: undefined,
    facets: "",
    soap: { place: "body", start: "", end: "", optional: false },
  };
}

/** Returns fields for the HTTP GET and POST parameters that are not also elements of the SOAP message. */
function createParameterFields(
  http: PublishedHttpOperation | undefined,
  elements: ReadonlySet<string>,
): readonly OperationField[] {
  return (http?.parameters ?? [])
    .filter(({ name }) => !elements.has(name))
    .map(({ name, isList: isRepeated }) => ({
      name,
      kind: isRepeated ? "string, one per line" : "string",
      isRequired: true,
      control: isRepeated ? "lines" : "text",
      choices: [],
      value: "string",
      documentation: undefined,
      facets: "",
      parameter: name,
    }));
}

/** A parameter of an operation, as shown in the list of operations. */
interface ListedParameter {
  readonly name: string;
  /** The type of the parameter: `int`, `Colour[]`. */
  readonly kind: string;
  readonly isRequired: boolean;
}

/** Returns the parameters of an operation: the elements of its SOAP message, or its HTTP GET or POST parameters. */
export function listParameters(operation: PublishedOperation): readonly ListedParameter[] {
  const soap = operation.soap11 ?? operation.soap12;
  if (soap === undefined) {
    return createOperationFields(operation).fields;
  }
  const elements = listElements(soap.input.body);
  const [wrapper, ...otherElements] = elements;
  const type = wrapper?.element.readType();
  const isWrapper = otherElements.length === 0 && type?.kind === "complex" && type.text === undefined && !type.isMixed;
  return (isWrapper ? listElements(type.readContent()) : elements).map(({ element, isAlternative }) => ({
    name: element.name.local,
    kind: getTypeLabel(element.readType()) + (element.isRepeated ? "[]" : ""),
    isRequired: !element.isOptional && !isAlternative,
  }));
}

interface ListedElement {
  readonly element: PublishedElement;
  /** Whether the element belongs to a choice. If so, a message can contain another element of the choice instead. */
  readonly isAlternative: boolean;
}

/** The maximum number of particles to read. Groups that refer to other groups twice contain ever more of them. */
const maxParticles = 10_000;

/** Lists the elements in particles and in their groups. Leaves out a group inside itself. */
function listElements(particles: readonly PublishedParticle[]): readonly ListedElement[] {
  const elements: ListedElement[] = [];
  const openGroups = new Set<string>();
  let particleCount = 0;
  const addElements = (nestedParticles: readonly PublishedParticle[], isAlternative: boolean): void => {
    for (const particle of nestedParticles) {
      particleCount += 1;
      if (particleCount > maxParticles) {
        return;
      }
      if (particle.kind === "element") {
        elements.push({ element: particle.element, isAlternative });
      } else if (particle.kind === "group") {
        const name = getTextOfName(particle.name);
        if (!openGroups.has(name)) {
          openGroups.add(name);
          addElements(particle.readParticles(), isAlternative);
          openGroups.delete(name);
        }
      } else if (particle.kind !== "any") {
        addElements(particle.particles, true);
      }
    }
  };
  addElements(particles, false);
  return elements;
}

function getTypeLabel(type: PublishedType): string {
  switch (type.kind) {
    case "simple":
      return type.values === undefined ? type.label : (type.name?.local ?? type.label);
    case "any":
      return "any";
    case "array": {
      // An array with a name may contain itself, so inner arrays have their name as the label.
      const item = type.item.readType();
      return `${item.kind === "array" && item.name ? item.name.local : getTypeLabel(item)}[]`;
    }
    case "complex":
      return type.name?.local ?? "XML";
  }
}
