import type { Bindings, HttpMessage, Port } from "../../model/soap.js";
import type { ElementField, TypeReference } from "../../model/xsd-types.js";
import { capitalize } from "../../text.js";
import { isSameReference } from "../xsd/record-members.js";
import type { LoweredHttpOperation } from "./http-operation.js";
import { areEqualOnWire, type BindingContext } from "./message-parts.js";
import type { PortOperation, PortOperations } from "./ports.js";
import type { LoweredSoapOperation } from "./soap-operation.js";

/** A service made of ports with the same operations. */
export interface MergedPorts {
  readonly ports: readonly PortOperations[];
  /** Ports with the protocol and the messages of a port in `ports`, but with a different address. */
  readonly repeatedPorts: readonly PortOperations[];
  readonly operations: readonly MergedOperation[];
  /**
   * Explains why the first port was not merged into an earlier service; undefined if no earlier service has operations
   * with the same names.
   */
  readonly separation: Separation | undefined;
}

/** A port that was not merged, because all its operations differ from operations of the same name at another port. */
interface Separation {
  readonly port: Port;
  readonly conflict: Conflict;
}

/**
 * An operation with its bindings at all ports. All its SOAP bindings have the same messages, and so do all its HTTP
 * bindings.
 */
export interface MergedOperation {
  readonly soap: LoweredSoapOperation | undefined;
  readonly http: LoweredHttpOperation | undefined;
  readonly bindings: Bindings;
  /**
   * The suffix of the operation's unique name if another operation has the same name but different messages: `HttpGet`;
   * otherwise "".
   */
  readonly suffix: string;
}

/**
 * Merges ports that bind the same operations. SOAP ports come first, because HTTP parameters get their types from SOAP
 * messages.
 */
export function mergePorts(ports: readonly PortOperations[], context: BindingContext): readonly MergedPorts[] {
  const soapPorts = ports.filter((port) => !isHttp(port));
  const orderedPorts = [
    ...soapPorts.filter(({ transport }) => transport === undefined),
    ...soapPorts.filter(({ transport }) => transport !== undefined),
    ...ports.filter(isHttp),
  ];
  const services: MergedPorts[] = [];
  for (const port of orderedPorts) {
    const repeatedIndex = services.findIndex((service) => repeatsPort(port, service));
    const service = services[repeatedIndex];
    if (service !== undefined) {
      services[repeatedIndex] = { ...service, repeatedPorts: [...service.repeatedPorts, port] };
      reportRepeated(port, context);
      continue;
    }
    const mergeResult = mergeIntoFirst(services, port, context);
    services[mergeResult.index] = mergeResult.service;
  }
  return services.map((service) => ({ ...service, ports: ports.filter((port) => service.ports.includes(port)) }));
}

function isHttp({ port }: PortOperations): boolean {
  return port.protocol === "httpGet" || port.protocol === "httpPost";
}

/** Whether a port only adds an address to a service, because another port has the same protocol and messages. */
function repeatsPort({ port, operations }: PortOperations, service: MergedPorts): boolean {
  return service.ports.some(
    (other) => other.port.protocol === port.protocol && areEqualOnWire(other.operations, operations),
  );
}

function reportRepeated({ port }: PortOperations, { diagnostics }: BindingContext): void {
  diagnostics.info("WSDL020", port.span, {
    message: `The port "${port.name}" repeats an earlier port at a different address. Clients use it with the option \`port: "${port.name}"\`.`,
  });
}

/**
 * Merges a port into the first service that has at least one of the port's operations, and reports the operations that
 * differ. Without such a service, the port becomes a new service.
 */
function mergeIntoFirst(services: readonly MergedPorts[], port: PortOperations, context: BindingContext) {
  const allConflicts: Conflict[] = [];
  for (const [index, service] of services.entries()) {
    const { mergedService, conflicts } = mergePort(service, port, context);
    if (mergedService !== undefined) {
      for (const conflict of conflicts) {
        reportConflict(conflict, port, context);
      }
      return { index, service: mergedService };
    }
    allConflicts.push(...conflicts);
  }
  const [conflict] = allConflicts;
  return { index: services.length, service: createUnmergedPort(port, conflict && { port: port.port, conflict }) };
}

/** An operation that has different messages at two ports. */
interface Conflict {
  readonly otherPort: PortOperations | undefined;
  readonly operation: PortOperation;
  readonly difference: Difference;
}

/** How an operation at a later port differs from the same operation at an earlier port: `has no parameter "Year"`. */
interface Difference {
  readonly text: string;
  readonly help: string;
}

function reportConflict(conflict: Conflict, { port }: PortOperations, { references }: BindingContext): void {
  const { operation, difference } = conflict;
  const { name } = operation;
  references.reports.warning("WSDL048", operation.span, {
    message: `${describeDifference(conflict, port)} At this port, it becomes the separate operation "${name}${capitalize(port.protocol)}"; the operation "${name}" does not change.`,
    help: difference.help,
  });
}

/** Reports that a port becomes a separate service, and the name of this service. */
export function reportSeparateService(
  { port, conflict }: Separation,
  serviceName: string,
  { references }: BindingContext,
): void {
  const { otherPort, operation, difference } = conflict;
  const unchangedNote =
    otherPort === undefined ? "" : `; the service of the port "${otherPort.port.name}" does not change`;
  references.reports.warning("WSDL048", operation.span, {
    message: `${describeDifference(conflict, port)} The port becomes the separate service "${serviceName}"${unchangedNote}.`,
    help: difference.help,
  });
}

function describeDifference({ otherPort, operation, difference }: Conflict, port: Port): string {
  const { name } = operation;
  return otherPort === undefined
    ? `At the port "${port.name}", the operation "${name}" ${difference.text}.`
    : `The operation "${name}" differs between the ports "${otherPort.port.name}" and "${port.name}": at "${port.name}", it ${difference.text}.`;
}

function createUnmergedPort(port: PortOperations, separation: Separation | undefined): MergedPorts {
  return {
    separation,
    ports: [port],
    repeatedPorts: [],
    operations: port.operations.map((operation) => createUnmergedOperation(operation, port.port, "")),
  };
}

function createUnmergedOperation(operation: PortOperation, port: Port, suffix: string): MergedOperation {
  return {
    soap: operation.kind === "soap" ? operation : undefined,
    http: operation.kind === "http" ? operation : undefined,
    bindings: { [port.protocol]: operation.binding },
    suffix,
  };
}

interface PortMerge {
  /**
   * The service with the port merged into it; undefined if the port and the service have no operation with the same
   * messages.
   */
  readonly mergedService: MergedPorts | undefined;
  /** The operations of the port that differ from the service's operations of the same name. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges a port into a service. An operation whose messages differ at the port becomes a separate operation of the
 * service.
 */
function mergePort(service: MergedPorts, port: PortOperations, context: BindingContext): PortMerge {
  if (service.ports.some((other) => other.port.protocol === port.port.protocol)) {
    return { mergedService: undefined, conflicts: [] };
  }
  const operations = [...service.operations];
  const conflicts: Conflict[] = [];
  let sharedCount = 0;
  for (const operation of port.operations) {
    const candidates = [...operations.entries()].filter(([, other]) => haveSameName(other, operation));
    const merges = candidates.map(([index, existingOperation]) => ({
      index,
      operationMerge: mergeOperation(existingOperation, operation, context),
    }));
    const identicalMerge = merges.find(({ operationMerge }) => operationMerge.kind === "same");
    const [firstMerge] = merges;
    if (identicalMerge?.operationMerge.kind === "same") {
      const { operation: mergedOperation } = identicalMerge.operationMerge;
      operations[identicalMerge.index] = {
        ...mergedOperation,
        bindings: { ...mergedOperation.bindings, [port.port.protocol]: operation.binding },
      };
      sharedCount += 1;
    } else if (firstMerge?.operationMerge.kind === "differs") {
      operations.push(createUnmergedOperation(operation, port.port, capitalize(port.port.protocol)));
      conflicts.push({ otherPort: service.ports[0], operation, difference: firstMerge.operationMerge.difference });
    } else {
      operations.push(createUnmergedOperation(operation, port.port, ""));
    }
  }
  const ports = [...service.ports, port];
  return { mergedService: sharedCount === 0 ? undefined : { ...service, ports, operations }, conflicts };
}

function haveSameName({ soap, http }: MergedOperation, operation: PortOperation): boolean {
  const existingOperation = soap ?? http;
  return existingOperation?.name === operation.name && existingOperation.overload === operation.overload;
}

interface DifferentOperation {
  readonly kind: "differs";
  readonly difference: Difference;
}

type OperationMerge = { readonly kind: "same"; readonly operation: MergedOperation } | DifferentOperation;

function mergeOperation(
  { soap, http, bindings, suffix }: MergedOperation,
  operation: PortOperation,
  context: BindingContext,
): OperationMerge {
  if (operation.kind === "soap") {
    return soap !== undefined && haveSameMessages(soap, operation)
      ? { kind: "same", operation: { soap, http, bindings, suffix } }
      : otherMessages;
  }
  const match: HttpMatch =
    soap === undefined ? { kind: "same", message: operation.http } : matchHttp(soap, operation, context);
  if (match.kind === "differs") {
    return match;
  }
  const { message } = match;
  if (http !== undefined && !areEqualOnWire(http.http, message)) {
    return otherMessages;
  }
  return { kind: "same", operation: { soap, http: { ...operation, http: message }, bindings, suffix } };
}

const otherMessages = createDifferentOperation(
  "has different messages",
  "To get one service, give the operation the same messages for both ports.",
);

function createDifferentOperation(text: string, help: string): DifferentOperation {
  return { kind: "differs", difference: { text, help } };
}

function haveSameMessages(a: LoweredSoapOperation, b: LoweredSoapOperation): boolean {
  return areEqualOnWire([a.input, a.output, a.faults], [b.input, b.output, b.faults]);
}

type HttpMatch = { readonly kind: "same"; readonly message: HttpMessage } | DifferentOperation;

/**
 * Matches an HTTP operation with a SOAP operation: the HTTP parameters must be the members of the SOAP input, and the
 * HTTP answer must have the type of the SOAP result. Returns the HTTP message with keys and types of the SOAP input.
 */
function matchHttp(soap: LoweredSoapOperation, { http }: LoweredHttpOperation, context: BindingContext): HttpMatch {
  if (http.body !== undefined) {
    return createDifferentOperation("expects an XML document", "Declare the members of the message as parameters.");
  }
  const members = listInputMembers(soap);
  if (members === undefined) {
    return createDifferentOperation(
      "expects parameters",
      "To get one service, bind the operation to SOAP in the wrapped document style.",
    );
  }
  const parameters: HttpMessage["parameters"][number][] = [];
  for (const member of members) {
    const { local } = member.wireName;
    const parameter = http.parameters.find(({ name }) => name === local);
    if (parameter === undefined) {
      return createDifferentOperation(
        `has no parameter "${local}"`,
        `Add a part "${local}" to the message of the HTTP operation.`,
      );
    }
    const httpParameter = findTypedParameter(parameter, member, context);
    if (httpParameter === undefined) {
      return createDifferentOperation(
        `has a parameter "${local}" of another type`,
        `Give "${local}" the same type for both ports.`,
      );
    }
    parameters.push(httpParameter);
  }
  const unknownParameter = http.parameters.find(({ name }) => !members.some(({ wireName }) => wireName.local === name));
  if (unknownParameter !== undefined) {
    return createDifferentOperation(
      `has an additional parameter "${unknownParameter.name}"`,
      `Remove the part "${unknownParameter.name}" from the message of the HTTP operation.`,
    );
  }
  if (parameters.length < http.parameters.length) {
    return createDifferentOperation("declares a parameter twice", "Remove one of the two parts.");
  }
  if (!hasSameAnswer(soap, http.answer)) {
    return createDifferentOperation(
      "has an answer of a different type",
      "Give the answer the same type for both ports.",
    );
  }
  return { kind: "same", message: { body: undefined, parameters, answer: http.answer } };
}

function listInputMembers({ inputRecord }: LoweredSoapOperation): readonly ElementField[] | undefined {
  const fields = inputRecord?.fields ?? [];
  const elements = fields.filter((field) => field.kind === "element");
  return inputRecord === undefined || elements.length < fields.length ? undefined : elements;
}

/**
 * Gives an HTTP parameter the type of its SOAP element. The WSDL may declare the parameter as a string, because all
 * values over HTTP are text.
 */
function findTypedParameter(
  parameter: HttpMessage["parameters"][number],
  member: ElementField,
  { references }: BindingContext,
): HttpMessage["parameters"][number] | undefined {
  const isList = member.max !== 1;
  if (isList !== parameter.list || !references.isSimple(member.type)) {
    return undefined;
  }
  if (!isString(parameter.type) && !isSameReference(parameter.type, member.type)) {
    return undefined;
  }
  return { ...parameter, key: member.key, type: member.type };
}

function isString(type: TypeReference): boolean {
  return type.kind === "builtin" && type.name === "string";
}

function hasSameAnswer({ resultType }: LoweredSoapOperation, answer: HttpMessage["answer"]): boolean {
  switch (answer.kind) {
    case "none":
      return resultType === undefined;
    case "xml":
    case "text":
      return resultType !== undefined && isSameReference(resultType, answer.type);
    case "bytes":
      return resultType?.kind === "builtin" && resultType.name === "base64Binary";
  }
}
