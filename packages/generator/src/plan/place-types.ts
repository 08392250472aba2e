import type {
  Body,
  Field,
  Operation,
  Service,
  SoapInterface,
  SoapInterfaceConfig,
  TypeDefinition,
  TypeId,
  TypeReference,
} from "../model/index.js";
import { fileWord, namespaceWords, Scope } from "./names.js";

// Which declarations of an interface are printed, and in which files.

/**
 * Finds types that are one declaration in several namespaces: a schema without a target namespace, included by schemas
 * that have one (XSD 1.0 Part 1 §4.2.1), is declared once and belongs to each of them. Such types have the same position
 * and structure, and refer to types that are equal in turn. Returns the first of the equal types for each type.
 */
export function representedTypes(types: readonly TypeDefinition[]): ReadonlyMap<TypeId, TypeId> {
  let representatives = groupTypes(types, candidateKey);
  if (new Set(representatives.values()).size === representatives.size) {
    return representatives;
  }
  // Each round splits groups whose members refer to types that the last round separated.
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
      return JSON.stringify([refer(type.base), type.values.map((value) => value.text)]);
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
  ];
}

/** The service whose descriptor file contains a type: the only one that uses it, or "shared". An unused type is shared. */
export function placeTypes(
  types: readonly TypeDefinition[],
  services: readonly Service[],
): ReadonlyMap<TypeId, Service | "shared"> {
  const definitions = new Map(types.map((type) => [type.id, type]));
  const places = new Map<TypeId, Service | "shared">();
  for (const service of services) {
    const open = service.operations.flatMap(referencesOfOperation);
    // A type is entered at most twice, for its first service and when it becomes shared: linear in the references.
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const known = places.get(id);
      if (known === service || known === "shared") {
        continue;
      }
      places.set(id, known === undefined ? service : "shared");
      const definition = definitions.get(id);
      if (definition !== undefined) {
        open.push(...referencesOf(definition));
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

/** The file that declares each type: one for all types, or one for each namespace, as `typeFiles` says. */
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

function namespaceOf(id: TypeId): string {
  return id.startsWith("{") ? id.slice(1, id.indexOf("}")) : "";
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
