import type { Bindings, Operation, Port } from "../model/soap.js";
import { correspondence } from "./correspond.js";
import { lowerHttpAlone } from "./http-alone.js";
import type { HttpSide, LoweredOperation, LoweredPort, Lowering, SoapSide } from "./lowered.js";
import { sameFacts } from "./same-facts.js";

/** Ports whose operations are the same, and those operations with the facts of every binding. */
export interface PortGroup {
  readonly ports: readonly LoweredPort[];
  readonly operations: readonly MergedOperation[];
}

/** An operation as its bindings have it: one SOAP side, whose versions say the same, and one HTTP side. */
export interface MergedOperation {
  readonly soap: SoapSide | undefined;
  readonly http: HttpSide | undefined;
  readonly bindings: Bindings;
}

/** Brings ports together that bind the same operations; SOAP ports first, as HTTP takes its types from them. */
export function mergePorts(ports: readonly LoweredPort[], lowering: Lowering): readonly PortGroup[] {
  const groups: PortGroup[] = [];
  for (const port of [...ports.filter(isSoapOverHttp), ...ports.filter(isCarriedOtherwise), ...ports.filter(isHttp)]) {
    if (isKept(port, groups, lowering)) continue;
    const merged = firstMerged(groups, port, lowering);
    if (merged === undefined) groups.push(newGroup(port));
    else groups[merged.index] = merged.group;
  }
  return groups.map((group) => ({ ...group, ports: ports.filter((port) => group.ports.includes(port)) }));
}

function isHttp({ port }: LoweredPort): boolean {
  return port.protocol === "httpGet" || port.protocol === "httpPost";
}

function isCarriedOtherwise({ transport }: LoweredPort): boolean {
  return transport !== undefined;
}

function isSoapOverHttp(port: LoweredPort): boolean {
  return !isHttp(port) && !isCarriedOtherwise(port);
}

/** A second port of one protocol that says the same adds an address alone; the first is kept. */
function isKept(port: LoweredPort, groups: readonly PortGroup[], { diagnostics }: Lowering): boolean {
  for (const other of groups.flatMap((group) => group.ports)) {
    if (other.port.protocol !== port.port.protocol || !sameFacts(other.operations, port.operations)) continue;
    diagnostics.info("WSDL020", port.port.span, {
      message: `Port "${port.port.name}" says the same as port "${other.port.name}"; the address of the first is used.`,
    });
    return true;
  }
  return false;
}

function firstMerged(groups: readonly PortGroup[], port: LoweredPort, lowering: Lowering) {
  for (const [index, group] of groups.entries()) {
    const merged = merge(group, port, lowering);
    if (merged !== undefined) return { index, group: merged };
  }
  return undefined;
}

function newGroup(port: LoweredPort): PortGroup {
  return { ports: [port], operations: port.operations.map((operation) => alone(operation, port.port)) };
}

function alone(operation: LoweredOperation, port: Port): MergedOperation {
  return {
    soap: operation.kind === "soap" ? operation : undefined,
    http: operation.kind === "http" ? operation : undefined,
    bindings: { [port.protocol]: operation.binding },
  };
}

/** The group with one port more, where at least one operation is shared and none contradicts. */
function merge(group: PortGroup, port: LoweredPort, lowering: Lowering): PortGroup | undefined {
  if (group.ports.some((other) => other.port.protocol === port.port.protocol)) return undefined;
  const operations = [...group.operations];
  let shared = 0;
  for (const operation of port.operations) {
    const index = operations.findIndex((other) => sameName(other, operation));
    const before = operations[index];
    if (before === undefined) {
      operations.push(alone(operation, port.port));
      continue;
    }
    const merged = mergeOperation(before, operation, lowering);
    if (merged === undefined) return undefined;
    operations[index] = { ...merged, bindings: { ...before.bindings, [port.port.protocol]: operation.binding } };
    shared += 1;
  }
  return shared === 0 ? undefined : { ports: [...group.ports, port], operations };
}

function sameName({ soap, http }: MergedOperation, operation: LoweredOperation): boolean {
  const one = soap ?? http;
  return one?.name === operation.name && one.overload === operation.overload;
}

function mergeOperation(
  { soap, http, bindings }: MergedOperation,
  operation: LoweredOperation,
  lowering: Lowering,
): MergedOperation | undefined {
  if (operation.kind === "soap") {
    if (soap === undefined || !sameMessages(soap, operation)) return undefined;
    return { soap, http, bindings };
  }
  const message = soap === undefined ? operation.http : correspondence(soap, operation, lowering);
  if (message === undefined || (http !== undefined && !sameFacts(http.http, message))) return undefined;
  return { soap, http: { ...operation, http: message }, bindings };
}

function sameMessages(a: SoapSide, b: SoapSide): boolean {
  return sameFacts([a.input, a.output, a.faults], [b.input, b.output, b.faults]);
}

/** The operation of the model. */
export function operationOf(
  { soap, http, bindings }: MergedOperation,
  namespace: string,
  lowering: Lowering,
): Operation {
  if (soap !== undefined) {
    const { name, overload, span, documentation, input, output, faults } = soap;
    return { name, overload, span, documentation, input, output, faults, http: http?.http, bindings };
  }
  if (http === undefined) throw new Error("an operation that nothing binds");
  const { name, overload, span, documentation } = http;
  const messages = lowerHttpAlone(http, namespace, lowering);
  return { name, overload, span, documentation, ...messages, faults: [], http: http.http, bindings };
}
