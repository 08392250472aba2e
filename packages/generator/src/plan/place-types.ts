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
import { Scope } from "./scope.js";
import { fileWord, namespaceWords } from "./words.js";

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
