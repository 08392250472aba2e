import type { Fault, Operation, SoapInterface, TypeId, TypeReference } from "../model/index.js";
import { referencesOf, referencesOfOperation } from "./references.js";
import { pascal } from "./words.js";

/**
 * Names that types get from their only use: the input of an operation is called as its element (`CheckUSA`), the detail
 * of a fault as the fault (`NotFoundDetail`). A type with another use keeps its own name.
 */
export function rolesOf(soap: SoapInterface, faultNames: ReadonlyMap<Fault, string>): ReadonlyMap<TypeId, string> {
  const uses = countUses(soap);
  const named = new Map(soap.types.map((type) => [type.id, type]));
  const roles = new Map<TypeId, string>();
  const play = (id: TypeId, times: number, name: string): void => {
    if (uses.get(id) === times && named.get(id)?.kind === "record") roles.set(id, name);
  };
  const faults = new Map<TypeId, Fault[]>();
  for (const operation of soap.services.flatMap((service) => service.operations)) {
    const { body } = operation.input;
    if (body.kind === "element" && body.type.kind === "named") play(body.type.id, 1, pascal(body.element.local));
    for (const fault of operation.faults) {
      if (fault.type.kind !== "named") continue;
      faults.set(fault.type.id, [...(faults.get(fault.type.id) ?? []), fault]);
    }
  }
  for (const [id, list] of faults) {
    const names = new Set(list.map((fault) => faultNames.get(fault)));
    const [name] = names;
    if (names.size === 1 && name !== undefined) play(id, list.length, `${name}Detail`);
  }
  return roles;
}

function countUses(soap: SoapInterface): ReadonlyMap<TypeId, number> {
  const uses = new Map<TypeId, number>();
  const count = (id: TypeId): void => {
    uses.set(id, (uses.get(id) ?? 0) + 1);
  };
  for (const type of soap.types) referencesOf(type).forEach(count);
  for (const service of soap.services) {
    for (const operation of service.operations) referencesOfOperation(operation).forEach(count);
  }
  return uses;
}

/** The class of each fault: one per element and type, named after the fault, or after its element where faults share a name. */
export function nameFaults(operations: readonly Operation[]): ReadonlyMap<Fault, string> {
  const faults = operations.flatMap((operation) => operation.faults);
  const elements = new Map<string, Set<string>>();
  for (const fault of faults) {
    const known = elements.get(fault.name) ?? new Set();
    elements.set(fault.name, known.add(faultKey(fault)));
  }
  const names = new Map<string, string>();
  const result = new Map<Fault, string>();
  for (const fault of faults) {
    const own =
      names.get(faultKey(fault)) ?? pascal(elements.get(fault.name)?.size === 1 ? fault.name : fault.element.local);
    names.set(faultKey(fault), own);
    result.set(fault, own);
  }
  return result;
}

/** What makes two faults the same: the element in the detail, and its type. */
export function faultKey(fault: Fault): string {
  return JSON.stringify([fault.element.namespace, fault.element.local, referenceKey(fault.type)]);
}

function referenceKey(reference: TypeReference): string {
  return reference.kind === "builtin" ? reference.name : reference.id;
}
