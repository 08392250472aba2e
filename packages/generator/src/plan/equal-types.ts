import type { Field, TypeDefinition, TypeId, TypeReference } from "../model/index.js";

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
