import { createHash } from "node:crypto";
import type {
  Body,
  Endpoint,
  JsonType,
  Operation,
  RestInterface,
  SoapInterface,
  TypeDefinition,
  TypeId,
} from "../model/index.js";

/** A short hash of an operation as its handler sees it. It changes when a type of its messages changes. */
export function operationSignature(soap: SoapInterface, operation: Operation): string {
  const types = new Map(soap.types.map((type) => [type.id, type]));
  const bodies = [operation.input.body, operation.output?.body].filter((body) => body !== undefined);
  const reached = new Map<TypeId, TypeDefinition>();
  const open = [
    ...bodies.flatMap(typesOfBody),
    ...[operation.input.headers, operation.output?.headers, operation.output?.headerFaults].filter(
      (id) => id !== undefined,
    ),
    ...operation.faults.flatMap((fault) => (fault.type.kind === "named" ? [fault.type.id] : [])),
  ];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const type = types.get(id);
    if (type === undefined || reached.has(id)) {
      continue;
    }
    reached.set(id, type);
    open.push(...namedIn(type));
  }
  return digest([
    operation.name,
    operation.input,
    operation.output,
    operation.faults,
    [...reached].sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

/** A short hash of an endpoint's methods, route, arguments and, if it is declared, answer. */
export function endpointSignature(endpoint: Endpoint, rest: RestInterface): string {
  const { route, methods, args, answer } = endpoint;
  if (answer === undefined) {
    return digest([route, methods, args]);
  }
  const types = new Map(rest.answers.map(({ id, type }) => [id, type]));
  const reached = new Map<string, JsonType>();
  const open = [...answersIn(answer)];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const type = types.get(id);
    if (type === undefined || reached.has(id)) {
      continue;
    }
    reached.set(id, type);
    open.push(...answersIn(type));
  }
  return digest([route, methods, args, answer, [...reached].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The ids of the named types in a type of answers. */
function answersIn(type: JsonType): readonly string[] {
  switch (type.kind) {
    case "named":
      return [type.id];
    case "array":
      return answersIn(type.items);
    case "union":
      return type.members.flatMap(answersIn);
    case "object":
      return [...type.properties.map((each) => each.type), type.additional ?? { kind: "any" as const }].flatMap(
        answersIn,
      );
    default:
      return [];
  }
}

function typesOfBody(body: Body): TypeId[] {
  if (body.kind === "parts") {
    return [body.record];
  }
  return body.type.kind === "named" ? [body.type.id] : [];
}

/** The ids of the types that a definition refers to. */
function namedIn(type: TypeDefinition): TypeId[] {
  switch (type.kind) {
    case "record":
      return type.fields.flatMap((field) => {
        if (field.kind === "group" || field.kind === "mixed") {
          return [field.item];
        }
        return "type" in field && field.type.kind === "named" ? [field.type.id] : [];
      });
    case "polymorphic":
      return type.alternatives.map((alternative) => alternative.type);
    case "enumeration":
    case "restriction":
      return type.base.kind === "named" ? [type.base.id] : [];
    case "list":
    case "array":
      return type.item.kind === "named" ? [type.item.id] : [];
    case "union":
      return type.members.flatMap((member) => (member.kind === "named" ? [member.id] : []));
  }
}

/** The hash of a value without positions and documentation. */
function digest(value: unknown): string {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === "span" || key === "documentation" ? undefined : member,
  );
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
