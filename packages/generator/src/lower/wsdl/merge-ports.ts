import type { ElementField, TypeReference } from "../../model/schema-types.js";
import type { Bindings, HttpMessage, Operation, Port } from "../../model/soap.js";
import { sameReference } from "../xsd/record-members.js";
import { type HttpOperation, lowerHttpMessages } from "./http-operation.js";
import { type BindingContext, equalOnWire } from "./message-parts.js";
import type { PortOperation, PortOperations } from "./ports.js";
import type { SoapOperation } from "./soap-operation.js";

/** Ports that have the same operations, which become one service. */
export interface MergedPorts {
  readonly ports: readonly PortOperations[];
  readonly operations: readonly MergedOperation[];
}

/** An operation with all its bindings. Its SOAP bindings have the same messages, and so do its HTTP bindings. */
interface MergedOperation {
  readonly soap: SoapOperation | undefined;
  readonly http: HttpOperation | undefined;
  readonly bindings: Bindings;
}

/** Merges ports that bind the same operations. SOAP ports are merged first, because HTTP parameters take their types from SOAP. */
export function mergePorts(ports: readonly PortOperations[], context: BindingContext): readonly MergedPorts[] {
  const soapPorts = ports.filter((port) => !isHttp(port));
  const ordered = [
    ...soapPorts.filter(({ transport }) => transport === undefined),
    ...soapPorts.filter(({ transport }) => transport !== undefined),
    ...ports.filter(isHttp),
  ];
  const services: MergedPorts[] = [];
  for (const port of ordered) {
    if (isDuplicate(port, services, context)) {
      continue;
    }
    const merged = mergeIntoFirst(services, port, context);
    if (merged === undefined) {
      services.push(unmergedPort(port));
    } else {
      services[merged.index] = merged.service;
    }
  }
  return services.map((service) => ({ ...service, ports: ports.filter((port) => service.ports.includes(port)) }));
}

function isHttp({ port }: PortOperations): boolean {
  return port.protocol === "httpGet" || port.protocol === "httpPost";
}

/** Whether an earlier port has the same protocol and messages, so that this port only adds an address. Reports it. */
function isDuplicate(port: PortOperations, services: readonly MergedPorts[], { diagnostics }: BindingContext): boolean {
  const earlier = services
    .flatMap((service) => service.ports)
    .find((other) => other.port.protocol === port.port.protocol && equalOnWire(other.operations, port.operations));
  if (earlier === undefined) {
    return false;
  }
  diagnostics.info("WSDL020", port.port.span, {
    message: `Port "${port.port.name}" repeats port "${earlier.port.name}"; only the address of "${earlier.port.name}" is used.`,
  });
  return true;
}

/** Merges a port into the first service that it fits. Reports the first conflict when it fits none. */
function mergeIntoFirst(services: readonly MergedPorts[], port: PortOperations, context: BindingContext) {
  const conflicts: Conflict[] = [];
  for (const [index, service] of services.entries()) {
    const merged = merge(service, port, context);
    if (merged?.kind === "merged") {
      return { index, service: merged.service };
    }
    if (merged?.kind === "conflict") {
      conflicts.push(merged);
    }
  }
  const [first] = conflicts;
  if (first !== undefined) {
    reportConflict(first, port, context);
  }
  return undefined;
}

/** An operation that differs at two ports. */
interface Conflict {
  readonly kind: "conflict";
  readonly other: PortOperations | undefined;
  readonly operation: PortOperation;
  readonly difference: Difference;
}

/** How an operation at a later port differs from the same operation at an earlier one: `has no parameter "Year"`. */
interface Difference {
  readonly text: string;
  readonly help: string;
}

function reportConflict(
  { other, operation, difference }: Conflict,
  { port }: PortOperations,
  { references }: BindingContext,
): void {
  const otherPort = other === undefined ? "" : `, unlike at port "${other.port.name}"`;
  references.once.warning("WSDL048", operation.span, {
    message: `Operation "${operation.name}" ${difference.text} at port "${port.name}"${otherPort}, so the port becomes a separate service.`,
    help: difference.help,
  });
}

function unmergedPort(port: PortOperations): MergedPorts {
  return { ports: [port], operations: port.operations.map((operation) => unmergedOperation(operation, port.port)) };
}

function unmergedOperation(operation: PortOperation, port: Port): MergedOperation {
  return {
    soap: operation.kind === "soap" ? operation : undefined,
    http: operation.kind === "http" ? operation : undefined,
    bindings: { [port.protocol]: operation.binding },
  };
}

type Merge = { readonly kind: "merged"; readonly service: MergedPorts } | Conflict;

/** The service with one more port, when they share an operation and none differs; undefined when they share none. */
function merge(service: MergedPorts, port: PortOperations, context: BindingContext): Merge | undefined {
  if (service.ports.some((other) => other.port.protocol === port.port.protocol)) {
    return undefined;
  }
  const operations = [...service.operations];
  let shared = 0;
  for (const operation of port.operations) {
    const index = operations.findIndex((other) => sameName(other, operation));
    const existing = operations[index];
    if (existing === undefined) {
      operations.push(unmergedOperation(operation, port.port));
      continue;
    }
    const merged = mergeOperation(existing, operation, context);
    if (merged.kind === "differs") {
      return { kind: "conflict", other: service.ports[0], operation, difference: merged.difference };
    }
    const bindings = { ...existing.bindings, [port.port.protocol]: operation.binding };
    operations[index] = { ...merged.operation, bindings };
    shared += 1;
  }
  return shared === 0 ? undefined : { kind: "merged", service: { ports: [...service.ports, port], operations } };
}

function sameName({ soap, http }: MergedOperation, operation: PortOperation): boolean {
  const existing = soap ?? http;
  return existing?.name === operation.name && existing.overload === operation.overload;
}

interface Differs {
  readonly kind: "differs";
  readonly difference: Difference;
}

type OperationMerge = { readonly kind: "same"; readonly operation: MergedOperation } | Differs;

function mergeOperation(
  { soap, http, bindings }: MergedOperation,
  operation: PortOperation,
  context: BindingContext,
): OperationMerge {
  if (operation.kind === "soap") {
    return soap !== undefined && sameMessages(soap, operation)
      ? { kind: "same", operation: { soap, http, bindings } }
      : otherMessages;
  }
  const match: HttpMatch =
    soap === undefined ? { kind: "same", message: operation.http } : matchHttp(soap, operation, context);
  if (match.kind === "differs") {
    return match;
  }
  const { message } = match;
  if (http !== undefined && !equalOnWire(http.http, message)) {
    return otherMessages;
  }
  return { kind: "same", operation: { soap, http: { ...operation, http: message }, bindings } };
}

function differs(text: string, help: string): Differs {
  return { kind: "differs", difference: { text, help } };
}

const otherMessages = differs("has different messages", "To get one service, give it the same messages at both ports.");

function sameMessages(a: SoapOperation, b: SoapOperation): boolean {
  return equalOnWire([a.input, a.output, a.faults], [b.input, b.output, b.faults]);
}

type HttpMatch = { readonly kind: "same"; readonly message: HttpMessage } | Differs;

/**
 * Matches an HTTP operation with a SOAP operation: its parameters must be the members of the SOAP input, and its answer must have
 * the type of the SOAP result. Returns the HTTP message with the keys and types of the SOAP input.
 */
function matchHttp(soap: SoapOperation, { http }: HttpOperation, context: BindingContext): HttpMatch {
  if (http.body !== undefined) {
    return differs("expects an XML document", "Declare the members of the message as parameters.");
  }
  const members = inputMembers(soap);
  if (members === undefined) {
    return differs("expects parameters", "To get one service, bind it to SOAP in the wrapped document style.");
  }
  const parameters: HttpMessage["parameters"][number][] = [];
  for (const member of members) {
    const { local } = member.wireName;
    const parameter = http.parameters.find(({ name }) => name === local);
    if (parameter === undefined) {
      return differs(`has no parameter "${local}"`, `Add a part "${local}" to its message.`);
    }
    const typed = typedParameter(parameter, member, context);
    if (typed === undefined) {
      return differs(`has a parameter "${local}" of another type`, `Give "${local}" the same type at both ports.`);
    }
    parameters.push(typed);
  }
  const extra = http.parameters.find(({ name }) => !members.some(({ wireName }) => wireName.local === name));
  if (extra !== undefined) {
    return differs(`has an additional parameter "${extra.name}"`, `Remove the part "${extra.name}" from its message.`);
  }
  if (parameters.length < http.parameters.length) {
    return differs("has a parameter twice", "Remove one of the parts.");
  }
  if (!sameAnswer(soap, http.answer)) {
    return differs("has an answer of another type", "Give the answer the same type at both ports.");
  }
  return { kind: "same", message: { body: undefined, parameters, answer: http.answer } };
}

function inputMembers({ inputRecord }: SoapOperation): readonly ElementField[] | undefined {
  const fields = inputRecord?.fields ?? [];
  const elements = fields.filter((field) => field.kind === "element");
  return inputRecord === undefined || elements.length < fields.length ? undefined : elements;
}

/** The parameter with the type of the SOAP element. Over HTTP all values are text, so a string part can have any simple type. */
function typedParameter(
  parameter: HttpMessage["parameters"][number],
  member: ElementField,
  { references }: BindingContext,
): HttpMessage["parameters"][number] | undefined {
  const isList = member.max !== 1;
  if (isList !== parameter.list || !references.isSimple(member.type)) {
    return undefined;
  }
  if (!isString(parameter.type) && !sameReference(parameter.type, member.type)) {
    return undefined;
  }
  return { ...parameter, key: member.key, type: member.type };
}

function isString(type: TypeReference): boolean {
  return type.kind === "builtin" && type.name === "string";
}

function sameAnswer({ resultType }: SoapOperation, answer: HttpMessage["answer"]): boolean {
  switch (answer.kind) {
    case "none":
      return resultType === undefined;
    case "xml":
    case "text":
      return resultType !== undefined && sameReference(resultType, answer.type);
    case "bytes":
      return resultType?.kind === "builtin" && resultType.name === "base64Binary";
  }
}

/** The operation of the Contract. */
export function operationOf(
  { soap, http, bindings }: MergedOperation,
  namespace: string,
  context: BindingContext,
): Operation {
  if (soap !== undefined) {
    const { name, overload, span, documentation, input, output, faults } = soap;
    return { name, overload, span, documentation, input, output, faults, http: http?.http, bindings };
  }
  if (http === undefined) {
    throw new Error("an operation without a binding");
  }
  const { name, overload, span, documentation } = http;
  const messages = lowerHttpMessages(http, namespace, context);
  return { name, overload, span, documentation, ...messages, faults: [], http: http.http, bindings };
}
