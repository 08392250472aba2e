import type { Bindings, Operation, Port } from "../model/soap.js";
import { correspondence, type Difference } from "./correspond.js";
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
  const contradictions: Contradiction[] = [];
  for (const [index, group] of groups.entries()) {
    const merged = merge(group, port, lowering);
    if (merged?.kind === "merged") return { index, group: merged.group };
    if (merged?.kind === "contradiction") contradictions.push(merged);
  }
  const [first] = contradictions;
  if (first !== undefined) reportApart(first, port, lowering);
  return undefined;
}

/** An operation that two ports have, and have differently. */
interface Contradiction {
  readonly kind: "contradiction";
  readonly other: LoweredPort | undefined;
  readonly operation: LoweredOperation;
  readonly difference: Difference;
}

function reportApart(
  { other, operation, difference }: Contradiction,
  { port }: LoweredPort,
  { types }: Lowering,
): void {
  const beside = other === undefined ? "" : `, unlike at port "${other.port.name}"`;
  types.warnOnce("WSDL048", operation.span, {
    message: `Operation "${operation.name}" ${difference.text} at port "${port.name}"${beside}, so that the port becomes a service of its own.`,
    help: difference.help,
  });
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

/** The group with one port more, where at least one operation is shared and none contradicts; undefined where none is shared. */
function merge(
  group: PortGroup,
  port: LoweredPort,
  lowering: Lowering,
): { readonly kind: "merged"; readonly group: PortGroup } | Contradiction | undefined {
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
    if (merged.kind === "apart") {
      const { difference } = merged;
      return { kind: "contradiction", other: group.ports[0], operation, difference };
    }
    operations[index] = {
      ...merged.operation,
      bindings: { ...before.bindings, [port.port.protocol]: operation.binding },
    };
    shared += 1;
  }
  return shared === 0 ? undefined : { kind: "merged", group: { ports: [...group.ports, port], operations } };
}

function sameName({ soap, http }: MergedOperation, operation: LoweredOperation): boolean {
  const one = soap ?? http;
  return one?.name === operation.name && one.overload === operation.overload;
}

function mergeOperation(
  { soap, http, bindings }: MergedOperation,
  operation: LoweredOperation,
  lowering: Lowering,
): { readonly kind: "same"; readonly operation: MergedOperation } | { kind: "apart"; readonly difference: Difference } {
  if (operation.kind === "soap") {
    if (soap === undefined || !sameMessages(soap, operation)) return { kind: "apart", difference: otherMessages };
    return { kind: "same", operation: { soap, http, bindings } };
  }
  const found =
    soap === undefined ? { kind: "same" as const, message: operation.http } : correspondence(soap, operation, lowering);
  if (found.kind === "apart") return found;
  const { message } = found;
  if (http !== undefined && !sameFacts(http.http, message)) return { kind: "apart", difference: otherMessages };
  return { kind: "same", operation: { soap, http: { ...operation, http: message }, bindings } };
}

const otherMessages: Difference = {
  text: "has other messages",
  help: "Give it the same messages at both, where one service is meant.",
};

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
