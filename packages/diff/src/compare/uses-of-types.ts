import type {
  Endpoint,
  Interface,
  NamedDeclaration,
  Operation,
  Plan,
  RestInterface,
  SoapInterface,
  Span,
  TypeDefinition,
  TypeReference,
} from "@bothends/generator";
import type { DifferenceWithOperations } from "./difference.js";

export type InterfacePlan = Plan["interfaces"][number];

/** Both versions of an interface with their names in generated code, and the differences found so far. */
export interface NamedVersions {
  readonly before: { readonly interface: Interface; readonly plan: InterfacePlan };
  readonly after: { readonly interface: Interface; readonly plan: InterfacePlan };
  readonly differences: readonly DifferenceWithOperations[];
  readonly matchedPairs: readonly (readonly [before: Operation | Endpoint, after: Operation | Endpoint])[];
}

/** Where the old version of an interface uses its types. */
export interface Uses {
  /**
   * Returns the positions of the declarations that refer to a type or a built-in type: members, types, operations and
   * faults. Includes the uses of types that have no name in the new version.
   */
  listSpans(type: string): readonly Span[];
  listSpansOfOperation(operation: Operation): readonly Span[];
  /** Returns the endpoints whose answers contain a type. */
  listEndpoints(answer: string): readonly Endpoint[];
}

export function listUses({ before, after }: NamedVersions): Uses {
  if (before.interface.kind === "soap") {
    return listUsesInSoap(before.interface, after.interface.kind === "soap" ? after.interface.types : []);
  }
  const endpoints = listEndpointsOfAnswers(before.interface);
  return {
    listSpans: () => [],
    listSpansOfOperation: () => [],
    listEndpoints: (answer) => endpoints.get(answer) ?? [],
  };
}

interface UsesOfType {
  readonly spans: Span[];
  readonly types: TypeDefinition[];
}

function listUsesInSoap({ services, types }: SoapInterface, newTypes: readonly TypeDefinition[]): Uses {
  const uses = new Map<string, UsesOfType>();
  const getUses = (type: string) => {
    const found = uses.get(type) ?? { spans: [], types: [] };
    uses.set(type, found);
    return found;
  };
  const getKey = (reference: TypeReference) => (reference.kind === "builtin" ? reference.name : reference.id);
  for (const type of types) {
    for (const { reference, span } of listReferences(type)) {
      const found = getUses(reference);
      found.spans.push(span);
      found.types.push(type);
    }
  }
  const operationSpans = new Map<Operation, readonly Span[]>();
  for (const service of services) {
    for (const operation of service.operations) {
      const { input, output, faults } = operation;
      const spans = [operation.span, service.span];
      operationSpans.set(operation, spans);
      for (const { body, headers } of [input, ...(output === undefined ? [] : [output])]) {
        getUses(body.kind === "parts" ? body.record : getKey(body.type)).spans.push(...spans);
        getUses(headers ?? "").spans.push(...spans);
      }
      for (const fault of faults) {
        getUses(getKey(fault.type)).spans.push(fault.span, ...spans);
      }
    }
  }
  const newIds = new Set(newTypes.map(({ id }) => id));
  return {
    listSpans: (type) => {
      const visited = new Set([type]);
      // A set may grow during iteration: the loop also visits each added type.
      for (const visitedType of visited) {
        for (const { id, name } of uses.get(visitedType)?.types ?? []) {
          if (name === undefined || !newIds.has(id)) {
            visited.add(id);
          }
        }
      }
      return [...visited].flatMap((visitedType) => uses.get(visitedType)?.spans ?? []);
    },
    listSpansOfOperation: (operation) => operationSpans.get(operation) ?? [],
    listEndpoints: () => [],
  };
}

function listReferences(type: TypeDefinition): readonly { readonly reference: string; readonly span: Span }[] {
  const getKey = (reference: TypeReference) => (reference.kind === "builtin" ? reference.name : reference.id);
  const { span } = type;
  switch (type.kind) {
    case "record":
      return [
        ...type.fields.flatMap((field) =>
          "type" in field
            ? [{ reference: getKey(field.type), span: field.span }]
            : "item" in field
              ? [{ reference: field.item, span: field.span }]
              : [],
        ),
        ...(type.base === undefined ? [] : [{ reference: type.base, span }]),
      ];
    case "polymorphic":
      return [type.declared, ...type.alternatives.map((each) => each.type)].map((reference) => ({ reference, span }));
    case "array":
    case "list":
      return [{ reference: getKey(type.item), span }];
    case "union":
      return type.members.map((member) => ({ reference: getKey(member), span }));
    case "restriction":
    case "enumeration":
      return [{ reference: getKey(type.base), span }];
  }
}

function listEndpointsOfAnswers({ endpoints, answers }: RestInterface): ReadonlyMap<string, readonly Endpoint[]> {
  const listIds = (type: unknown) => {
    const text = JSON.stringify(type, (key, value) => (key === "span" ? undefined : value)) ?? "";
    return answers.filter(({ id }) => text.includes(JSON.stringify(id))).map(({ id }) => id);
  };
  const idsByAnswer = new Map(answers.map(({ id, type }) => [id, listIds(type)]));
  const found = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints.filter(({ answer }) => answer !== undefined)) {
    const ids = new Set(listIds(endpoint.answer));
    // A set may grow during iteration: the loop also visits each added id.
    for (const id of ids) {
      for (const nestedId of idsByAnswer.get(id) ?? []) {
        ids.add(nestedId);
      }
      found.set(id, [...(found.get(id) ?? []), endpoint]);
    }
  }
  return found;
}

/** Returns the new name of a type: the name of the type that a member with the old type has in the new version. */
export function findRenamedType(
  declaration: NamedDeclaration | undefined,
  { before, after }: NamedVersions,
): { readonly name: string; readonly span: Span | undefined } | undefined {
  if (declaration?.kind === "answer" && after.plan.kind === "rest" && after.interface.kind === "rest") {
    const name = after.plan.answers.typeNames.get(declaration.id);
    const span = after.interface.answers.find(({ id }) => id === declaration.id)?.span;
    return name === undefined ? undefined : { name, span };
  }
  if (declaration?.kind !== "type" || before.interface.kind !== "soap" || after.interface.kind !== "soap") {
    return undefined;
  }
  const newTypes = new Map(after.interface.types.map((type) => [type.id, type]));
  for (const type of before.interface.types) {
    const newType = newTypes.get(type.id);
    for (const field of type.kind === "record" && newType?.kind === "record" ? type.fields : []) {
      const isUse = "type" in field && field.type.kind === "named" && field.type.id === declaration.type.id;
      const newField = newType?.kind === "record" ? newType.fields.find(({ key }) => key === field.key) : undefined;
      if (isUse && newField !== undefined && "type" in newField && newField.type.kind === "named") {
        const names = after.plan.kind === "soap" ? after.plan.types.get(newField.type.id) : undefined;
        if (names?.isInline === false) {
          return { name: names.name, span: newTypes.get(newField.type.id)?.span };
        }
      }
    }
  }
  return undefined;
}
