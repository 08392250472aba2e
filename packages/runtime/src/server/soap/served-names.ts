import type { AnyOperationDescriptor, ServiceFacts } from "../../descriptor.js";
import { applyWireNames, type OperationNames, type WireNameOptions, wireNames } from "../../wire-names.js";

/** The names of one service as they are on the wire. */
export interface ServedNames {
  /** For codecs. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly elements: ReadonlyMap<string, string>;
  of(operation: AnyOperationDescriptor): OperationNames;
  namespace(namespace: string): string;
  /** What fills the slots of a published document. */
  operationSlot(name: string): string;
  namespaceSlot(slot: string): string;
}

/** Maps the schema's names to the ones that the user of a server gives. */
export function servedNames(
  operations: readonly AnyOperationDescriptor[],
  facts: ServiceFacts = {},
  options: WireNameOptions = {},
): ServedNames {
  const names = wireNames(facts, options);
  const namesOf = new Map(operations.map((operation) => [operation, applyWireNames(operation, names)]));
  const namespaceOf = (namespace: string) => names.namespaces.get(namespace) ?? namespace;
  const slots = new Map(Object.entries(facts.slots?.namespaces ?? {}));
  return {
    namespaces: names.namespaces,
    elements: new Map([...namesOf.values()].flatMap(({ elements }) => [...elements])),
    of: (operation) => namesOf.get(operation) ?? applyWireNames(operation, names),
    namespace: namespaceOf,
    operationSlot: (name) => names.operations.get(name) ?? name,
    namespaceSlot: (slot) => namespaceOf(slots.get(slot) ?? ""),
  };
}
