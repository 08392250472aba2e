import type { Fault, Service, SoapInterface, TypeDefinition, TypeId, TypeReference } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { ConfiguredNames } from "./configured-names.js";
import { referencesOf, referencesOfOperation } from "./place-types.js";
import type { Scope } from "./scope.js";
import { camel, namespaceWord, pascal } from "./words.js";

/** The names of a type, of the constant with its values, and of its descriptor. */
export interface TypeNames {
  readonly name: string;
  readonly values: string;
  readonly descriptor: string;
}

/** What the naming of types depends on. */
export interface Naming {
  readonly scope: Scope;
  readonly configured: ConfiguredNames;
  readonly diagnostics: Diagnostics;
  /** For each type, the first of the types that are equal to it. */
  readonly representatives: ReadonlyMap<TypeId, TypeId>;
  /** Names that a type's use suggests: an operation's input, a fault's detail. */
  readonly usedAs: ReadonlyMap<TypeId, string>;
}

/**
 * Names every type. Types with a name in the schema come before anonymous ones, so that an anonymous type never takes a
 * name of the schema; apart from that, earlier types come first.
 */
export function nameTypes(soap: SoapInterface, naming: Naming): ReadonlyMap<TypeId, TypeNames> {
  const names = new Map<TypeId, string>();
  const owners = new Map<string, TypeDefinition>();
  for (const type of inNamingOrder(soap.types)) {
    const representative = naming.representatives.get(type.id);
    const known = representative === type.id || representative === undefined ? undefined : names.get(representative);
    names.set(type.id, known ?? nameType(type, { soap, naming, names, owners }));
  }
  const result = new Map<TypeId, TypeNames>();
  const valuesOf = new Map<string, string>();
  for (const type of soap.types) {
    const name = names.get(type.id) ?? pascal("");
    const values = valuesOf.get(name) ?? (type.kind === "enumeration" ? naming.scope.take(`${camel(name)}Values`) : "");
    valuesOf.set(name, values);
    result.set(type.id, { name, values, descriptor: descriptorName(type, name, { soap, naming }) });
  }
  return result;
}

function inNamingOrder(types: readonly TypeDefinition[]): readonly TypeDefinition[] {
  const rank = (type: TypeDefinition): number => (type.kind === "polymorphic" ? 2 : type.name === undefined ? 1 : 0);
  return [0, 1, 2].flatMap((wanted) => types.filter((type) => rank(type) === wanted));
}

interface NamingContext {
  readonly soap: SoapInterface;
  readonly naming: Naming;
  readonly names: ReadonlyMap<TypeId, string>;
  readonly owners: Map<string, TypeDefinition>;
}

function nameType(type: TypeDefinition, { soap, naming, names, owners }: NamingContext): string {
  const { scope, configured, diagnostics, usedAs } = naming;
  const chosen = configured.find(type.id, scope);
  if (chosen !== undefined) {
    return scope.take(chosen);
  }

  const wish = preferredName(type, names, usedAs);
  const word = slotWord(type.id, soap) ?? namespaceWord(namespaceOf(type.id));
  const owner = owners.get(wish);
  const elsewhere = owner !== undefined && namespaceOf(owner.id) !== namespaceOf(type.id);
  // A name that the language or our own code uses gets the suffix `Type`. Types of one name in two namespaces get the word
  // of the namespace, others a number.
  const second = owner === undefined ? `${wish}Type` : elsewhere && word !== undefined ? `${wish}${word}` : wish;
  const name = second === wish ? scope.take(wish) : scope.take(wish, second);
  owners.set(wish, owner ?? type);
  if (owner !== undefined) {
    diagnostics.warning("NAM001", type.span, {
      message: `The type ${JSON.stringify(type.id)} is named ${name}, because ${JSON.stringify(owner.id)} has the name ${names.get(owner.id)}.`,
      help: `To choose another name, add ${JSON.stringify(type.id)} to \`names\` in bothends.json.`,
    });
  }
  return name;
}

function preferredName(type: TypeDefinition, names: ReadonlyMap<TypeId, string>, usedAs: Naming["usedAs"]): string {
  if (type.kind === "polymorphic") {
    const declared = names.get(type.declared) ?? pascal(type.words.join(" "));
    return ["Any", declared, ...type.blocked.map((method) => pascal(`no ${method}`))].join("");
  }
  return usedAs.get(type.id) ?? pascal(type.words.join(" "));
}

function descriptorName(
  type: TypeDefinition,
  name: string,
  { soap, naming }: Pick<NamingContext, "soap" | "naming">,
): string {
  const plain = `${camel(name)}Descriptor`;
  if (naming.representatives.get(type.id) === type.id) {
    return naming.scope.take(plain);
  }
  const word = slotWord(type.id, soap) ?? namespaceWord(namespaceOf(type.id)) ?? "";
  return naming.scope.take(`${camel(name)}${word}Descriptor`);
}

function namespaceOf(id: TypeId): string {
  return id.startsWith("{") ? id.slice(1, id.indexOf("}")) : "";
}

/** The word for a namespace in `bothends.json`, which describes it better than its URI. */
function slotWord(id: TypeId, soap: SoapInterface): string | undefined {
  const slot = soap.slots.namespaces.find((candidate) => candidate.namespace === namespaceOf(id))?.slot;
  return slot === undefined ? undefined : pascal(slot);
}

/**
 * Names that types get from their only use: the input of an operation is named after its element (`CheckUSA`), the detail
 * of a fault after the fault (`NotFoundDetail`). A type with another use keeps its own name.
 */
export function namesByUse(soap: SoapInterface, faultNames: ReadonlyMap<Fault, string>): ReadonlyMap<TypeId, string> {
  const uses = countUses(soap);
  const named = new Map(soap.types.map((type) => [type.id, type]));
  const usedAs = new Map<TypeId, string>();
  const nameByUse = (id: TypeId, times: number, name: string): void => {
    if (uses.get(id) === times && named.get(id)?.kind === "record") {
      usedAs.set(id, name);
    }
  };
  const faults = new Map<TypeId, Fault[]>();
  for (const operation of soap.services.flatMap((service) => service.operations)) {
    const { body } = operation.input;
    if (body.kind === "element" && body.type.kind === "named") {
      nameByUse(body.type.id, 1, pascal(body.element.local));
    }
    for (const fault of operation.faults) {
      if (fault.type.kind !== "named") {
        continue;
      }
      faults.set(fault.type.id, [...(faults.get(fault.type.id) ?? []), fault]);
    }
  }
  for (const [id, list] of faults) {
    const names = new Set(list.map((fault) => faultNames.get(fault)));
    const [name] = names;
    if (names.size === 1 && name !== undefined) {
      nameByUse(id, list.length, `${name}Detail`);
    }
  }
  return usedAs;
}

function countUses(soap: SoapInterface): ReadonlyMap<TypeId, number> {
  const uses = new Map<TypeId, number>();
  const count = (id: TypeId): void => {
    uses.set(id, (uses.get(id) ?? 0) + 1);
  };
  for (const type of soap.types) {
    referencesOf(type).forEach(count);
  }
  for (const service of soap.services) {
    for (const operation of service.operations) {
      referencesOfOperation(operation).forEach(count);
    }
  }
  return uses;
}

/**
 * The class of each fault: one per element and type, named after the fault, or after its element where faults of the
 * service share a name. Other services do not count, so that a service that is added renames no class.
 */
export function nameFaults(services: readonly Service[]): ReadonlyMap<Fault, string> {
  const names = new Map<string, string>();
  const result = new Map<Fault, string>();
  for (const { operations } of services) {
    const faults = operations.flatMap((operation) => operation.faults);
    const elements = new Map<string, Set<string>>();
    for (const fault of faults) {
      const known = elements.get(fault.name) ?? new Set();
      elements.set(fault.name, known.add(faultKey(fault)));
    }
    for (const fault of faults) {
      const name =
        names.get(faultKey(fault)) ?? pascal(elements.get(fault.name)?.size === 1 ? fault.name : fault.element.local);
      names.set(faultKey(fault), name);
      result.set(fault, name);
    }
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
