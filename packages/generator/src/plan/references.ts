import type { Body, Field, Operation, TypeDefinition, TypeId, TypeReference } from "../model/index.js";

/** The types that a definition speaks of, in order; with repetitions. */
export function referencesOf(definition: TypeDefinition): readonly TypeId[] {
  switch (definition.kind) {
    case "record":
      return [...(definition.base === undefined ? [] : [definition.base]), ...definition.fields.flatMap(ofField)];
    case "polymorphic":
      return [definition.declared, ...definition.alternatives.map((arm) => arm.type)];
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

/** The types that an operation speaks of. */
export function referencesOfOperation(operation: Operation): readonly TypeId[] {
  const { input, output, faults, http } = operation;
  return [
    ...ofBody(input.body),
    ...present(input.headers),
    ...(output === undefined
      ? []
      : [...ofBody(output.body), ...present(output.headers), ...present(output.headerFaults)]),
    ...faults.flatMap((fault) => named(fault.type)),
    ...(http?.body === undefined ? [] : named(http.body.type)),
    ...(http?.parameters.flatMap((parameter) => named(parameter.type)) ?? []),
    ...(http !== undefined && "type" in http.answer ? named(http.answer.type) : []),
  ];
}

function ofField(field: Field): readonly TypeId[] {
  if ("type" in field) return named(field.type);
  return "item" in field ? [field.item] : [];
}

function ofBody(body: Body): readonly TypeId[] {
  return body.kind === "element" ? named(body.type) : [body.record];
}

function named(reference: TypeReference): readonly TypeId[] {
  return reference.kind === "named" ? [reference.id] : [];
}

function present(id: TypeId | undefined): readonly TypeId[] {
  return id === undefined ? [] : [id];
}
