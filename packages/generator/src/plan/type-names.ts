import type {
  Body,
  Fault,
  Field,
  Operation,
  Particle,
  Service,
  SoapInterface,
  SoapInterfaceConfig,
  TypeDefinition,
  TypeId,
  TypeReference,
} from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import {
  type ConfiguredNames,
  listNamespaceWords,
  Scope,
  toCamelCase,
  toPascalCase,
  toSafeFileName,
} from "./typescript-names.js";

/**
 * The names of a TypeScript type and of its constants. An answer type with `exact` shares the constants of its exact
 * type.
 */
export interface TypeNames {
  /** The name of the TypeScript type: `Color`. */
  readonly name: string;
  /** The name of the array that contains an enumeration's values: `colorValues`; "" for other types. */
  readonly values: string;
  /** The name of the function that returns the descriptor: `colorDescriptor`. */
  readonly descriptor: string;
}

/** The inputs for naming types. */
export interface NamingInputs {
  readonly scope: Scope;
  readonly configured: ConfiguredNames;
  readonly diagnostics: Diagnostics;
  /** For each type, the first type in the schema that is equal to it. */
  readonly representatives: ReadonlyMap<TypeId, TypeId>;
  /** The preferred names of the types in fault details: `NotFoundDetail`. */
  readonly details: ReadonlyMap<TypeId, string>;
}

/**
 * Names every type, in the order of the schema. Anonymous types come last, so that they never take the name of a named
 * type.
 */
export function nameTypes(soap: SoapInterface, naming: NamingInputs): ReadonlyMap<TypeId, TypeNames> {
  const names = new Map<TypeId, string>();
  const typesByName = new Map<string, TypeDefinition>();
  const messages = listMessageSuffixes(soap);
  for (const type of sortForNaming(soap.types)) {
    const representative = naming.representatives.get(type.id);
    const knownNames =
      representative === type.id || representative === undefined ? undefined : names.get(representative);
    names.set(type.id, knownNames ?? nameType(type, { soap, naming, names, typesByName, messages }));
  }
  const typeNames = new Map<TypeId, TypeNames>();
  const valuesNames = new Map<string, string>();
  // A type with `exact` is named after all other types, when the names of the exact type are known.
  for (const type of soap.types) {
    const name = names.get(type.id) ?? toPascalCase("");
    const exactName = type.exact === undefined ? undefined : typeNames.get(type.exact);
    if (exactName !== undefined) {
      typeNames.set(type.id, { ...exactName, name });
      continue;
    }
    const values =
      valuesNames.get(name) ?? (type.kind === "enumeration" ? naming.scope.takeName(`${toCamelCase(name)}Values`) : "");
    valuesNames.set(name, values);
    typeNames.set(type.id, { name, values, descriptor: chooseDescriptorName(type, name, { soap, naming }) });
  }
  return typeNames;
}

function sortForNaming(types: readonly TypeDefinition[]): readonly TypeDefinition[] {
  const rank = (type: TypeDefinition): number => (type.kind === "polymorphic" ? 2 : type.name === undefined ? 1 : 0);
  return [0, 1, 2].flatMap((priority) => types.filter((type) => rank(type) === priority));
}

interface NamingContext {
  readonly soap: SoapInterface;
  readonly naming: NamingInputs;
  readonly names: ReadonlyMap<TypeId, string>;
  readonly typesByName: Map<string, TypeDefinition>;
  readonly messages: ReadonlyMap<TypeId, "Input" | "Output">;
}

/**
 * Returns the name suffix of each type that is the content of a message: `Input` for a request, `Output` for an answer.
 */
function listMessageSuffixes({ services }: SoapInterface): ReadonlyMap<TypeId, "Input" | "Output"> {
  const words = new Map<TypeId, "Input" | "Output">();
  for (const { input, output } of services.flatMap(({ operations }) => operations)) {
    for (const id of output === undefined ? [] : listTypesOfBody(output.body)) {
      words.set(id, "Output");
    }
    for (const id of listTypesOfBody(input.body)) {
      words.set(id, "Input");
    }
  }
  return words;
}

function nameType(type: TypeDefinition, { soap, naming, names, typesByName, messages }: NamingContext): string {
  const { scope, configured, diagnostics, details } = naming;
  const configuredName = configured.find(type.id, scope);
  if (configuredName !== undefined) {
    return scope.takeName(configuredName);
  }

  const preferredTypeName = choosePreferredName(type, names, details);
  const owner = typesByName.get(preferredTypeName);
  const isInOtherNamespace = owner !== undefined && getNamespace(owner.id) !== getNamespace(type.id);
  // A name that is reserved in TypeScript or in generated code gets the suffix `Type`. If two types have the same name,
  // the second gets a suffix: a word of its namespace if the namespaces differ, `Input` or `Output` if it is the
  // anonymous type of a message, otherwise a number.
  const message = type.name === undefined ? messages.get(type.id) : undefined;
  const words = isInOtherNamespace ? listWordsOfNamespace(type.id, soap) : [message ?? []].flat();
  const alternatives =
    owner === undefined ? [`${preferredTypeName}Type`] : words.map((word) => `${preferredTypeName}${word}`);
  const name = scope.takeName(preferredTypeName, ...alternatives);
  typesByName.set(preferredTypeName, owner ?? type);
  if (owner === undefined && name !== preferredTypeName) {
    diagnostics.info("NAM006", type.span, {
      message: `The type ${JSON.stringify(type.id)} is named ${name}, because ${preferredTypeName} is a name of TypeScript, of the runtime or of generated code.`,
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

function choosePreferredName(
  type: TypeDefinition,
  names: ReadonlyMap<TypeId, string>,
  details: NamingInputs["details"],
): string {
  const exactName = type.exact === undefined ? undefined : names.get(type.exact);
  if (exactName !== undefined) {
    return `${exactName}Answer`;
  }
  if (type.kind === "polymorphic") {
    const declaredName = names.get(type.declared) ?? toPascalCase(type.words.join(" "));
    return ["Any", declaredName, ...type.blocked.map((method) => toPascalCase(`no ${method}`))].join("");
  }
  return details.get(type.id) ?? toPascalCase(type.words.join(" "));
}

function chooseDescriptorName(
  type: TypeDefinition,
  name: string,
  { soap, naming }: Pick<NamingContext, "soap" | "naming">,
): string {
  const shortName = `${toCamelCase(name)}Descriptor`;
  if (naming.representatives.get(type.id) === type.id) {
    return naming.scope.takeName(shortName);
  }
  const [word = "", ...longer] = listWordsOfNamespace(type.id, soap);
  const names = longer.map((ending) => `${toCamelCase(name)}${ending}Descriptor`);
  return naming.scope.takeName(`${toCamelCase(name)}${word}Descriptor`, ...names);
}

function getNamespace(id: TypeId): string {
  return id.startsWith("{") ? id.slice(1, id.indexOf("}")) : "";
}

/** Returns words for the namespace of a type: the name in `bothends.json`, otherwise words of the URI. */
function listWordsOfNamespace(id: TypeId, soap: SoapInterface): readonly string[] {
  const slot = soap.slots.namespaces.find((candidate) => candidate.namespace === getNamespace(id))?.slot;
  return slot === undefined ? listNamespaceWords(getNamespace(id)) : [toPascalCase(slot)];
}

/**
 * Names the anonymous types in fault details: `NotFoundDetail`, because the fault's class has the name of the element.
 * The names of named types do not depend on faults.
 */
export function nameFaultDetails(
  soap: SoapInterface,
  faultNames: ReadonlyMap<Fault, string>,
): ReadonlyMap<TypeId, string> {
  const anonymousTypes = new Set(soap.types.flatMap((type) => (type.name === undefined ? [type.id] : [])));
  const details = new Map<TypeId, string>();
  for (const [{ type }, name] of faultNames) {
    if (type.kind === "named" && anonymousTypes.has(type.id) && !details.has(type.id)) {
      details.set(type.id, `${name}Detail`);
    }
  }
  return details;
}

/**
 * Names the class of each fault after the fault or, if the service has faults with the same name but different
 * elements, after its element. Faults with the same element and type share a class. Adding a service does not change
 * any names, because names do not depend on other services.
 */
export function nameFaults(services: readonly Service[]): ReadonlyMap<Fault, string> {
  const names = new Map<string, string>();
  const namesByFault = new Map<Fault, string>();
  for (const { operations } of services) {
    const faults = operations.flatMap((operation) => operation.faults);
    const elements = new Map<string, Set<string>>();
    for (const fault of faults) {
      const knownElements = elements.get(fault.name) ?? new Set();
      elements.set(fault.name, knownElements.add(getFaultKey(fault)));
    }
    for (const fault of faults) {
      const name =
        names.get(getFaultKey(fault)) ??
        toPascalCase(elements.get(fault.name)?.size === 1 ? fault.name : fault.element.local);
      names.set(getFaultKey(fault), name);
      namesByFault.set(fault, name);
    }
  }
  return namesByFault;
}

/**
 * Returns the key of a fault's class. Faults with the same element in the detail and the same type have the same key.
 */
export function getFaultKey(fault: Fault): string {
  // XML cannot contain U+0000, so this character can separate the parts of the key.
  return `${fault.element.namespace}\0${fault.element.local}\0${getReferenceKey(fault.type)}`;
}

function getReferenceKey(reference: TypeReference): string {
  return reference.kind === "builtin" ? reference.name : reference.id;
}

// Decides which types of an interface are declared, and in which files.

/**
 * Maps each type to the first type that is equal to it. A schema without a target namespace belongs to the namespace of
 * every schema that includes it (XSD 1.0 Part 1 §4.2.1), so one declaration may define several types. These have the
 * same position and structure, and refer to equal types.
 */
export function listRepresentatives(types: readonly TypeDefinition[]): ReadonlyMap<TypeId, TypeId> {
  let representatives = groupTypes(types, getCandidateKey);
  if (new Set(representatives.values()).size === representatives.size) {
    return representatives;
  }
  // Types refer to each other, so groups are divided until all types in a group refer to types in the same groups.
  for (;;) {
    const previousRepresentatives = representatives;
    representatives = groupTypes(
      types,
      (type) => `${previousRepresentatives.get(type.id)}\n${formatStructure(type, previousRepresentatives)}`,
    );
    if (new Set(representatives.values()).size === new Set(previousRepresentatives.values()).size) {
      return representatives;
    }
  }
}

function groupTypes(types: readonly TypeDefinition[], key: (type: TypeDefinition) => string): Map<TypeId, TypeId> {
  const firstIds = new Map<string, TypeId>();
  const representatives = new Map<TypeId, TypeId>();
  for (const type of types) {
    const group = key(type);
    const firstId = firstIds.get(group) ?? type.id;
    firstIds.set(group, firstId);
    representatives.set(type.id, firstId);
  }
  return representatives;
}

function getCandidateKey(type: TypeDefinition): string {
  const { source, start, end } = type.span;
  return JSON.stringify([type.kind, source.path, start, end, getLocalPath(type.id)]);
}

/** Returns the id of a type without its namespace: `Vehicle/(choice)`. */
function getLocalPath(id: TypeId): string {
  return id.startsWith("{") ? id.slice(id.indexOf("}") + 1) : id;
}

function formatStructure(type: TypeDefinition, representatives: ReadonlyMap<TypeId, TypeId>): string {
  const getId = (id: TypeId | undefined): unknown => (id === undefined ? null : (representatives.get(id) ?? id));
  const refer = (reference: TypeReference): unknown =>
    reference.kind === "builtin" ? [reference.name] : getId(reference.id);
  switch (type.kind) {
    case "record":
      return JSON.stringify([
        type.abstract,
        getId(type.base),
        type.fields.map((field) => describeField(field, getId, refer)),
        type.content.map(describeParticle),
        type.removed,
      ]);
    case "polymorphic":
      return JSON.stringify([getId(type.declared), type.alternatives.map(({ tag, type: id }) => [tag, getId(id)])]);
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

/** Describes a particle without the positions of its groups. */
function describeParticle(particle: Particle): unknown {
  return particle.kind === "field"
    ? particle.key
    : [particle.kind, particle.optional, particle.particles.map(describeParticle)];
}

function describeField(
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

/**
 * Chooses the file for the descriptor of each type: the file of the only service that uses the type, or the shared
 * file.
 */
export function assignDescriptors(
  types: readonly TypeDefinition[],
  services: readonly Service[],
): ReadonlyMap<TypeId, Service | "shared"> {
  const definitions = new Map(types.map((type) => [type.id, type]));
  const assignments = new Map<TypeId, Service | "shared">();
  for (const service of services) {
    const pendingIds = service.operations.flatMap(listReferencesOfOperation);
    // Each type is visited at most twice, for its first service and when it becomes shared, so this takes linear time.
    for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
      const assignment = assignments.get(id);
      if (assignment === service || assignment === "shared") {
        continue;
      }
      assignments.set(id, assignment === undefined ? service : "shared");
      const definition = definitions.get(id);
      if (definition !== undefined) {
        pendingIds.push(...listPresentIds(definition.exact), ...listReferences(definition));
      }
    }
  }
  for (const type of types) {
    if (!assignments.has(type.id)) {
      assignments.set(type.id, "shared");
    }
  }
  return assignments;
}

const sharedTypesFile = "types.ts";

/**
 * Chooses the file that declares each type. `typeFiles` in bothends.json sets one file for all types, or one for each
 * namespace.
 */
export function assignDeclarations(
  soap: SoapInterface,
  {
    config,
    representatives,
  }: { config: SoapInterfaceConfig | undefined; representatives: ReadonlyMap<TypeId, TypeId> },
): (id: TypeId) => string {
  if (config?.typeFiles !== "namespace") {
    return () => sharedTypesFile;
  }
  const scope = new Scope();
  const files = new Map<string, string>();
  for (const { id } of soap.types) {
    const namespace = getNamespace(representatives.get(id) ?? id);
    if (files.has(namespace)) {
      continue;
    }
    const slot = soap.slots.namespaces.find((candidate) => candidate.namespace === namespace)?.slot;
    const word = slot ?? listNamespaceWords(namespace).at(-1);
    files.set(namespace, word === undefined ? sharedTypesFile : `${scope.takeName(toSafeFileName(word))}.types.ts`);
  }
  return (id) => files.get(getNamespace(representatives.get(id) ?? id)) ?? sharedTypesFile;
}

/** Returns the types to which a definition refers, in order. A type that is used several times occurs several times. */
export function listReferences(definition: TypeDefinition): readonly TypeId[] {
  switch (definition.kind) {
    case "record":
      return [
        ...(definition.base === undefined ? [] : [definition.base]),
        ...definition.fields.flatMap(listTypesOfField),
      ];
    case "polymorphic":
      return [definition.declared, ...definition.alternatives.map(({ type }) => type)];
    case "enumeration":
    case "restriction":
      return listReferencedIds(definition.base);
    case "list":
    case "array":
      return listReferencedIds(definition.item);
    case "union":
      return definition.members.flatMap(listReferencedIds);
  }
}

/** Returns the types to which the messages of an operation refer. */
export function listReferencesOfOperation(operation: Operation): readonly TypeId[] {
  const { input, output, faults, http } = operation;
  return [
    ...listTypesOfBody(input.body),
    ...listPresentIds(input.headers),
    ...(output === undefined
      ? []
      : [...listTypesOfBody(output.body), ...listPresentIds(output.headers), ...listPresentIds(output.headerFaults)]),
    ...faults.flatMap((fault) => listReferencedIds(fault.type)),
    ...(http?.body === undefined ? [] : listReferencedIds(http.body.type)),
    ...(http?.parameters.flatMap((parameter) => listReferencedIds(parameter.type)) ?? []),
    ...(http !== undefined && "type" in http.answer ? listReferencedIds(http.answer.type) : []),
  ];
}

function listTypesOfField(field: Field): readonly TypeId[] {
  if ("type" in field) {
    return listReferencedIds(field.type);
  }
  return "item" in field ? [field.item] : [];
}

function listTypesOfBody(body: Body): readonly TypeId[] {
  return body.kind === "element" ? listReferencedIds(body.type) : [body.record];
}

function listReferencedIds(reference: TypeReference): readonly TypeId[] {
  return reference.kind === "named" ? [reference.id] : [];
}

function listPresentIds(id: TypeId | undefined): readonly TypeId[] {
  return id === undefined ? [] : [id];
}
