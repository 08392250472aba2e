import type { Field, TypeDefinition, TypeId, TypeReference } from "../model/index.js";

/**
 * Finds types that are one declaration in several namespaces: a schema without a target namespace, included by schemas
 * that have one (XSD 1.0 Part 1 §4.2.1), is declared once and belongs to each of them. Such twins have one span, one
 * structure, and twins wherever they refer to types. Answers the first of its twins for each type, itself if it has none.
 */
export function findTwins(types: readonly TypeDefinition[]): ReadonlyMap<TypeId, TypeId> {
  let leaders = leadersBy(types, candidateKey);
  if (new Set(leaders.values()).size === leaders.size) return leaders;
  // Each round splits groups whose members refer to types that the last round told apart.
  for (;;) {
    const previous = leaders;
    leaders = leadersBy(types, (type) => `${previous.get(type.id)}\n${structure(type, previous)}`);
    if (new Set(leaders.values()).size === new Set(previous.values()).size) return leaders;
  }
}

function leadersBy(types: readonly TypeDefinition[], key: (type: TypeDefinition) => string): Map<TypeId, TypeId> {
  const firsts = new Map<string, TypeId>();
  const leaders = new Map<TypeId, TypeId>();
  for (const type of types) {
    const own = key(type);
    const first = firsts.get(own) ?? type.id;
    firsts.set(own, first);
    leaders.set(type.id, first);
  }
  return leaders;
}

function candidateKey(type: TypeDefinition): string {
  const { source, start, end } = type.span;
  return JSON.stringify([type.kind, source.path, start, end, localPath(type.id)]);
}

/** The id without its namespace. */
function localPath(id: TypeId): string {
  return id.startsWith("{") ? id.slice(id.indexOf("}") + 1) : id;
}

function structure(type: TypeDefinition, leaders: ReadonlyMap<TypeId, TypeId>): string {
  const of = (id: TypeId | undefined): unknown => (id === undefined ? null : (leaders.get(id) ?? id));
  const refer = (reference: TypeReference): unknown =>
    reference.kind === "builtin" ? [reference.name] : of(reference.id);
  switch (type.kind) {
    case "record":
      return JSON.stringify([
        type.abstract,
        of(type.base),
        type.fields.map((each) => shape(each, of, refer)),
        type.content,
        type.removed,
      ]);
    case "polymorphic":
      return JSON.stringify([of(type.declared), type.alternatives.map((arm) => [arm.tag, of(arm.type)])]);
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

function shape(field: Field, of: (id: TypeId) => unknown, refer: (reference: TypeReference) => unknown): unknown {
  const { kind, key, inherited } = field;
  return [
    kind,
    key,
    inherited,
    "type" in field ? refer(field.type) : null,
    "item" in field ? of(field.item) : null,
    "min" in field ? [field.min, field.max] : null,
    "nillable" in field ? field.nillable : null,
    "required" in field ? field.required : null,
  ];
}
