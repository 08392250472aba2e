import type { Fault, Service, SoapInterface, TypeDefinition, TypeId, TypeReference } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { type ConfiguredNames, camel, namespaceWords, pascal, type Scope } from "./names.js";

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
  /** The names of the details of faults. */
  readonly details: ReadonlyMap<TypeId, string>;
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
  const { scope, configured, diagnostics, details } = naming;
  const chosen = configured.find(type.id, scope);
  if (chosen !== undefined) {
    return scope.take(chosen);
  }

  const wish = preferredName(type, names, details);
  const owner = owners.get(wish);
  const elsewhere = owner !== undefined && namespaceOf(owner.id) !== namespaceOf(type.id);
  // A name that the language or our own code uses gets the suffix `Type`. Types of one name in two namespaces get a word
  // of the namespace, others a number.
  const words = elsewhere ? wordsOfNamespace(type.id, soap) : [];
  const seconds = owner === undefined ? [`${wish}Type`] : words.map((word) => `${wish}${word}`);
  const name = scope.take(wish, ...seconds);
  owners.set(wish, owner ?? type);
  if (owner === undefined && name !== wish) {
    diagnostics.info("NAM006", type.span, {
      message: `The type ${JSON.stringify(type.id)} is named ${name}, because ${wish} is a name of TypeScript, of the runtime or of generated code.`,
      help: `To choose another name, add ${JSON.stringify(type.id)} to \`names\` in bothends.json.`,
    });
  } else if (owner !== undefined) {
    diagnostics.warning("NAM001", type.span, {
      message: `The type ${JSON.stringify(type.id)} is named ${name}, because ${JSON.stringify(owner.id)} has the name ${names.get(owner.id)}.`,
      help: `To choose another name, add ${JSON.stringify(type.id)} to \`names\` in bothends.json.`,
    });
  }
  return name;
}

function preferredName(type: TypeDefinition, names: ReadonlyMap<TypeId, string>, details: Naming["details"]): string {
  if (type.kind === "polymorphic") {
    const declared = names.get(type.declared) ?? pascal(type.words.join(" "));
    return ["Any", declared, ...type.blocked.map((method) => pascal(`no ${method}`))].join("");
  }
  return details.get(type.id) ?? pascal(type.words.join(" "));
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
  const [word = "", ...longer] = wordsOfNamespace(type.id, soap);
  const names = longer.map((each) => `${camel(name)}${each}Descriptor`);
  return naming.scope.take(`${camel(name)}${word}Descriptor`, ...names);
}

function namespaceOf(id: TypeId): string {
  return id.startsWith("{") ? id.slice(1, id.indexOf("}")) : "";
}

/** Words for the namespace of a type: the one in `bothends.json`, which describes it better than its URI, or those of the URI. */
function wordsOfNamespace(id: TypeId, soap: SoapInterface): readonly string[] {
  const slot = soap.slots.namespaces.find((candidate) => candidate.namespace === namespaceOf(id))?.slot;
  return slot === undefined ? namespaceWords(namespaceOf(id)) : [pascal(slot)];
}

/**
 * The names of anonymous types that are the detail of a fault: `NotFoundDetail`, because the fault's class has the name of the
 * element. Types with a name in the schema keep it, however they are used: another use must not rename them.
 */
export function namesOfDetails(
  soap: SoapInterface,
  faultNames: ReadonlyMap<Fault, string>,
): ReadonlyMap<TypeId, string> {
  const anonymous = new Set(soap.types.flatMap((type) => (type.name === undefined ? [type.id] : [])));
  const details = new Map<TypeId, string>();
  for (const [{ type }, name] of faultNames) {
    if (type.kind === "named" && anonymous.has(type.id) && !details.has(type.id)) {
      details.set(type.id, `${name}Detail`);
    }
  }
  return details;
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
  // No XML contains U+0000.
  return `${fault.element.namespace}\0${fault.element.local}\0${referenceKey(fault.type)}`;
}

function referenceKey(reference: TypeReference): string {
  return reference.kind === "builtin" ? reference.name : reference.id;
}
