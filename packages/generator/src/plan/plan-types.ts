import type {
  Body,
  Fault,
  Field,
  Operation,
  Service,
  SoapInterface,
  SoapInterfaceConfig,
  TypeDefinition,
  TypeId,
  TypeReference,
} from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { type ConfiguredNames, camel, fileWord, namespaceWords, pascal, Scope } from "./names.js";

/** The names of a type, of the constant with its values, and of its descriptor. A type with `exact` shares both constants with it. */
export interface TypeNames {
  readonly name: string;
  readonly values: string;
  readonly descriptor: string;
}

/** The inputs for naming types. */
export interface Naming {
  readonly scope: Scope;
  readonly configured: ConfiguredNames;
  readonly diagnostics: Diagnostics;
  /** For each type, the first of the types that are equal to it. */
  readonly representatives: ReadonlyMap<TypeId, TypeId>;
  /** The names of fault details. */
  readonly details: ReadonlyMap<TypeId, string>;
}

/**
 * Names every type. Named types come before anonymous ones, so that an anonymous type never takes a schema's name; otherwise,
 * earlier types come first.
 */
export function nameTypes(soap: SoapInterface, naming: Naming): ReadonlyMap<TypeId, TypeNames> {
  const names = new Map<TypeId, string>();
  const owners = new Map<string, TypeDefinition>();
  const messages = wordsOfMessages(soap);
  for (const type of inNamingOrder(soap.types)) {
    const representative = naming.representatives.get(type.id);
    const known = representative === type.id || representative === undefined ? undefined : names.get(representative);
    names.set(type.id, known ?? nameType(type, { soap, naming, names, owners, messages }));
  }
  const result = new Map<TypeId, TypeNames>();
  const valuesOf = new Map<string, string>();
  // The types with `exact` follow all others.
  for (const type of soap.types) {
    const name = names.get(type.id) ?? pascal("");
    const exact = type.exact === undefined ? undefined : result.get(type.exact);
    if (exact !== undefined) {
      result.set(type.id, { ...exact, name });
      continue;
    }
    const values = valuesOf.get(name) ?? (type.kind === "enumeration" ? naming.scope.take(`${camel(name)}Values`) : "");
    valuesOf.set(name, values);
    result.set(type.id, { name, values, descriptor: descriptorName(type, name, { soap, naming }) });
  }
  return result;
}

function inNamingOrder(types: readonly TypeDefinition[]): readonly TypeDefinition[] {
  const rank = (type: TypeDefinition): number => (type.kind === "polymorphic" ? 2 : type.name === undefined ? 1 : 0);
  return [0, 1, 2].flatMap((priority) => types.filter((type) => rank(type) === priority));
}

interface NamingContext {
  readonly soap: SoapInterface;
  readonly naming: Naming;
  readonly names: ReadonlyMap<TypeId, string>;
  readonly owners: Map<string, TypeDefinition>;
  readonly messages: ReadonlyMap<TypeId, "Input" | "Output">;
}

/** For each type of the body of a message, a word for the message. */
function wordsOfMessages({ services }: SoapInterface): ReadonlyMap<TypeId, "Input" | "Output"> {
  const words = new Map<TypeId, "Input" | "Output">();
  for (const { input, output } of services.flatMap(({ operations }) => operations)) {
    for (const id of output === undefined ? [] : typesOfBody(output.body)) {
      words.set(id, "Output");
    }
    for (const id of typesOfBody(input.body)) {
      words.set(id, "Input");
    }
  }
  return words;
}

function nameType(type: TypeDefinition, { soap, naming, names, owners, messages }: NamingContext): string {
  const { scope, configured, diagnostics, details } = naming;
  const chosen = configured.find(type.id, scope);
  if (chosen !== undefined) {
    return scope.take(chosen);
  }

  const wish = preferredName(type, names, details);
  const owner = owners.get(wish);
  const elsewhere = owner !== undefined && namespaceOf(owner.id) !== namespaceOf(type.id);
  // A name used by the language or by generated code gets the suffix `Type`. Types with the same name in two namespaces get a
  // word of the namespace, anonymous types of messages get `Input` or `Output`, others a number.
  const message = type.name === undefined ? messages.get(type.id) : undefined;
  const words = elsewhere ? wordsOfNamespace(type.id, soap) : [message ?? []].flat();
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
  const exact = type.exact === undefined ? undefined : names.get(type.exact);
  if (exact !== undefined) {
    return `${exact}Answer`;
  }
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

/** Words for the namespace of a type: the configured ones in `bothends.json`, which are more descriptive, or those of the URI. */
function wordsOfNamespace(id: TypeId, soap: SoapInterface): readonly string[] {
  const slot = soap.slots.namespaces.find((candidate) => candidate.namespace === namespaceOf(id))?.slot;
  return slot === undefined ? namespaceWords(namespaceOf(id)) : [pascal(slot)];
}

/**
 * The names of anonymous fault detail types: `NotFoundDetail`, because the fault's class has the name of the element. Named types
 * always keep their name: another use must not rename them.
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
 * The class of each fault: one per element and type, named after the fault, or after its element if several faults of the service
 * share a name. Other services are ignored, so that adding a service renames no class.
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

/** The identity of a fault: the element in the detail, and its type. */
export function faultKey(fault: Fault): string {
  // XML cannot contain U+0000.
  return `${fault.element.namespace}\0${fault.element.local}\0${referenceKey(fault.type)}`;
}

function referenceKey(reference: TypeReference): string {
  return reference.kind === "builtin" ? reference.name : reference.id;
}

// Determines which declarations of an interface are printed, and in which files.

/**
 * Finds types that are one declaration in several namespaces: a schema without a target namespace that is included by schemas
 * with one (XSD 1.0 Part 1 §4.2.1) is declared once and belongs to each of them. Such types have the same position and structure,
 * and refer to types that are also equal. Returns the first of the equal types for each type.
 */
export function representedTypes(types: readonly TypeDefinition[]): ReadonlyMap<TypeId, TypeId> {
  let representatives = groupTypes(types, candidateKey);
  if (new Set(representatives.values()).size === representatives.size) {
    return representatives;
  }
  // Each round splits groups whose members refer to types that the previous round separated.
  for (;;) {
    const previous = representatives;
    representatives = groupTypes(types, (type) => `${previous.get(type.id)}\n${structure(type, previous)}`);
    if (new Set(representatives.values()).size === new Set(previous.values()).size) {
      return representatives;
    }
  }
}

function groupTypes(types: readonly TypeDefinition[], key: (type: TypeDefinition) => string): Map<TypeId, TypeId> {
  const firsts = new Map<string, TypeId>();
  const representatives = new Map<TypeId, TypeId>();
  for (const type of types) {
    const group = key(type);
    const first = firsts.get(group) ?? type.id;
    firsts.set(group, first);
    representatives.set(type.id, first);
  }
  return representatives;
}

function candidateKey(type: TypeDefinition): string {
  const { source, start, end } = type.span;
  return JSON.stringify([type.kind, source.path, start, end, localPath(type.id)]);
}

/** The id without its namespace. */
function localPath(id: TypeId): string {
  return id.startsWith("{") ? id.slice(id.indexOf("}") + 1) : id;
}

function structure(type: TypeDefinition, representatives: ReadonlyMap<TypeId, TypeId>): string {
  const idOf = (id: TypeId | undefined): unknown => (id === undefined ? null : (representatives.get(id) ?? id));
  const refer = (reference: TypeReference): unknown =>
    reference.kind === "builtin" ? [reference.name] : idOf(reference.id);
  switch (type.kind) {
    case "record":
      return JSON.stringify([
        type.abstract,
        idOf(type.base),
        type.fields.map((field) => fieldStructure(field, idOf, refer)),
        type.content,
        type.removed,
      ]);
    case "polymorphic":
      return JSON.stringify([idOf(type.declared), type.alternatives.map(({ tag, type: id }) => [tag, idOf(id)])]);
    case "enumeration":
      return JSON.stringify([refer(type.base), type.values.map((value) => value.text), type.open === true]);
    case "restriction":
      return JSON.stringify([refer(type.base), type.facets]);
    case "array":
      return JSON.stringify([type.itemName.local, refer(type.item)]);
    case "list":
      return JSON.stringify(refer(type.item));
    case "union":
      return JSON.stringify(type.members.map(refer));
  }
}

function fieldStructure(
  field: Field,
  idOf: (id: TypeId) => unknown,
  refer: (reference: TypeReference) => unknown,
): unknown {
  const { kind, key, inherited } = field;
  return [
    kind,
    key,
    inherited,
    "type" in field ? refer(field.type) : null,
    "item" in field ? idOf(field.item) : null,
    "min" in field ? [field.min, field.max] : null,
    "nillable" in field ? field.nillable : null,
    "required" in field ? field.required : null,
    "tolerateNull" in field && field.tolerateNull === true,
  ];
}

/** The service whose descriptor file contains a type: the only service that uses it, or "shared". An unused type is shared. */
export function placeTypes(
  types: readonly TypeDefinition[],
  services: readonly Service[],
): ReadonlyMap<TypeId, Service | "shared"> {
  const definitions = new Map(types.map((type) => [type.id, type]));
  const places = new Map<TypeId, Service | "shared">();
  for (const service of services) {
    const open = service.operations.flatMap(referencesOfOperation);
    // A type is visited at most twice, for its first service and when it becomes shared, so the time is linear in the references.
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const known = places.get(id);
      if (known === service || known === "shared") {
        continue;
      }
      places.set(id, known === undefined ? service : "shared");
      const definition = definitions.get(id);
      if (definition !== undefined) {
        open.push(...present(definition.exact), ...referencesOf(definition));
      }
    }
  }
  for (const type of types) {
    if (!places.has(type.id)) {
      places.set(type.id, "shared");
    }
  }
  return places;
}

const oneFile = "types.ts";

/** The file that declares each type: one for all types, or one per namespace, depending on `typeFiles`. */
export function placeDeclarations(
  soap: SoapInterface,
  {
    config,
    representatives,
  }: { config: SoapInterfaceConfig | undefined; representatives: ReadonlyMap<TypeId, TypeId> },
): (id: TypeId) => string {
  if (config?.typeFiles !== "namespace") {
    return () => oneFile;
  }
  const scope = new Scope();
  const files = new Map<string, string>();
  for (const { id } of soap.types) {
    const namespace = namespaceOf(representatives.get(id) ?? id);
    if (files.has(namespace)) {
      continue;
    }
    const slot = soap.slots.namespaces.find((candidate) => candidate.namespace === namespace)?.slot;
    const word = slot ?? namespaceWords(namespace).at(-1);
    files.set(namespace, word === undefined ? oneFile : `${scope.take(fileWord(word))}.types.ts`);
  }
  return (id) => files.get(namespaceOf(representatives.get(id) ?? id)) ?? oneFile;
}

/** The types that a definition refers to, in order and with repetitions. */
export function referencesOf(definition: TypeDefinition): readonly TypeId[] {
  switch (definition.kind) {
    case "record":
      return [...(definition.base === undefined ? [] : [definition.base]), ...definition.fields.flatMap(typesOfField)];
    case "polymorphic":
      return [definition.declared, ...definition.alternatives.map(({ type }) => type)];
    case "enumeration":
    case "restriction":
      return named(definition.base);
    case "list":
    case "array":
      return named(definition.item);
    case "union":
      return definition.members.flatMap(named);
  }
}

/** The types that an operation refers to. */
export function referencesOfOperation(operation: Operation): readonly TypeId[] {
  const { input, output, faults, http } = operation;
  return [
    ...typesOfBody(input.body),
    ...present(input.headers),
    ...(output === undefined
      ? []
      : [...typesOfBody(output.body), ...present(output.headers), ...present(output.headerFaults)]),
    ...faults.flatMap((fault) => named(fault.type)),
    ...(http?.body === undefined ? [] : named(http.body.type)),
    ...(http?.parameters.flatMap((parameter) => named(parameter.type)) ?? []),
    ...(http !== undefined && "type" in http.answer ? named(http.answer.type) : []),
  ];
}

function typesOfField(field: Field): readonly TypeId[] {
  if ("type" in field) {
    return named(field.type);
  }
  return "item" in field ? [field.item] : [];
}

function typesOfBody(body: Body): readonly TypeId[] {
  return body.kind === "element" ? named(body.type) : [body.record];
}

function named(reference: TypeReference): readonly TypeId[] {
  return reference.kind === "named" ? [reference.id] : [];
}

function present(id: TypeId | undefined): readonly TypeId[] {
  return id === undefined ? [] : [id];
}
