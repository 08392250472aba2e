import type {
  Endpoint,
  Fault,
  Field,
  Interface,
  NamedDeclaration,
  Operation,
  Plan,
  RestInterface,
  Service,
  SoapInterface,
  Span,
  TypeDefinition,
  TypeReference,
} from "@bothends/generator";
import type { DifferenceWithOperations } from "./difference.js";
import { formatElement } from "./soap-side.js";

export type InterfacePlan = Plan["interfaces"][number];

/** Both versions of an interface with their names in generated code, and the differences found so far. */
export interface NamedVersions {
  readonly before: { readonly interface: Interface; readonly plan: InterfacePlan };
  readonly after: { readonly interface: Interface; readonly plan: InterfacePlan };
  readonly differences: readonly DifferenceWithOperations[];
  readonly matchedPairs: readonly (readonly [before: Operation | Endpoint, after: Operation | Endpoint])[];
}

/** The position of an old declaration, and that of its new version or of the new declaration that would contain it. */
export interface Place {
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
}

/** Where the old version of an interface uses its types. */
export interface Uses {
  /**
   * Returns the places of the declarations that refer to a type or a built-in type: members, types, operations and
   * faults. Includes the uses of types that have no name in the new version.
   */
  listPlaces(type: string): readonly Place[];
  listPlacesOfOperation(operation: Operation): readonly Place[];
  listPlacesOfService(service: Service): readonly Place[];
  listPlacesOfFault(fault: Fault): readonly Place[];
  /** Returns the endpoints whose answers contain a type. */
  listEndpoints(answer: string): readonly Endpoint[];
}

export function listUses(versions: NamedVersions): Uses {
  const { before, after } = versions;
  if (before.interface.kind === "soap") {
    return listUsesInSoap(before.interface, {
      types: after.interface.kind === "soap" ? after.interface.types : [],
      services: after.interface.kind === "soap" ? after.interface.services : [],
      operations: new Map(versions.matchedPairs),
    });
  }
  const endpoints = listEndpointsOfAnswers(before.interface);
  return {
    listPlaces: () => [],
    listPlacesOfOperation: () => [],
    listPlacesOfService: () => [],
    listPlacesOfFault: () => [],
    listEndpoints: (answer) => endpoints.get(answer) ?? [],
  };
}

interface UsesOfType {
  readonly places: Place[];
  readonly types: TypeDefinition[];
}

/** The declarations of the new version. */
interface NewDeclarations extends Pick<SoapInterface, "types" | "services"> {
  /** The new version of each operation, keyed by its old version. */
  readonly operations: ReadonlyMap<Operation | Endpoint, Operation | Endpoint>;
}

function listUsesInSoap({ services, types }: SoapInterface, after: NewDeclarations): Uses {
  const uses = new Map<string, UsesOfType>();
  const newTypes = new Map(after.types.map((type) => [type.id, type]));
  const getUses = (type: string) => {
    const found = uses.get(type) ?? { places: [], types: [] };
    uses.set(type, found);
    return found;
  };
  const getKey = (reference: TypeReference) => (reference.kind === "builtin" ? reference.name : reference.id);
  for (const type of types) {
    for (const { reference, place } of listReferences(type, newTypes.get(type.id))) {
      const found = getUses(reference);
      found.places.push(place);
      found.types.push(type);
    }
  }
  const operationPlaces = new Map<Operation, readonly Place[]>();
  const faultPlaces = new Map<Fault, readonly Place[]>();
  for (const service of services) {
    const servicePlace = { oldSpan: service.span, newSpan: findNewService(service, after)?.span };
    for (const operation of service.operations) {
      const { input, output, faults } = operation;
      const newOperation = after.operations.get(operation);
      const places = [{ oldSpan: operation.span, newSpan: newOperation?.span }, servicePlace];
      operationPlaces.set(operation, places);
      for (const { body, headers } of [input, ...(output === undefined ? [] : [output])]) {
        getUses(body.kind === "parts" ? body.record : getKey(body.type)).places.push(...places);
        getUses(headers ?? "").places.push(...places);
      }
      getUses(output?.headerFaults ?? "").places.push(...places);
      for (const fault of faults) {
        const placesOfFault = [createFaultPlace(fault, newOperation), ...places];
        faultPlaces.set(fault, [...(faultPlaces.get(fault) ?? []), ...placesOfFault]);
        getUses(getKey(fault.type)).places.push(...placesOfFault);
      }
    }
  }
  return {
    listPlaces: (type) => {
      const visited = new Set([type]);
      // A set may grow during iteration: the loop also visits each added type.
      for (const visitedType of visited) {
        for (const { id, name } of uses.get(visitedType)?.types ?? []) {
          if (name === undefined || !newTypes.has(id)) {
            visited.add(id);
          }
        }
      }
      return [...visited].flatMap((visitedType) => uses.get(visitedType)?.places ?? []);
    },
    listPlacesOfOperation: (operation) => operationPlaces.get(operation) ?? [],
    listPlacesOfFault: (fault) => faultPlaces.get(fault) ?? [],
    listPlacesOfService: (service) => [{ oldSpan: service.span, newSpan: findNewService(service, after)?.span }],
    listEndpoints: () => [],
  };
}

/** Returns the new service with the name of an old one, or the service that its operations have moved to. */
function findNewService({ name, operations }: Service, after: NewDeclarations): Service | undefined {
  const newOperations = operations.map((operation) => after.operations.get(operation));
  return (
    after.services.find((service) => service.name === name) ??
    after.services.find((service) => service.operations.some((operation) => newOperations.includes(operation)))
  );
}

function createFaultPlace({ span, name, element }: Fault, newOperation: Operation | Endpoint | undefined): Place {
  const faults = newOperation !== undefined && "faults" in newOperation ? newOperation.faults : [];
  const newFault =
    faults.find((fault) => formatElement(fault) === formatElement({ element })) ??
    faults.find((fault) => fault.name === name);
  return { oldSpan: span, newSpan: newFault?.span };
}

interface Reference {
  readonly reference: string;
  /** The place of the type or of its member that contains the reference. */
  readonly place: Place;
}

function listReferences(type: TypeDefinition, newType: TypeDefinition | undefined): readonly Reference[] {
  const getKey = (reference: TypeReference) => (reference.kind === "builtin" ? reference.name : reference.id);
  const place = { oldSpan: type.span, newSpan: newType?.span };
  switch (type.kind) {
    case "record": {
      const newFields = newType?.kind === "record" ? newType.fields : [];
      const createFieldPlace = ({ key, span }: Field) => ({
        oldSpan: span,
        newSpan: newFields.find((field) => field.key === key)?.span ?? newType?.span,
      });
      return [
        ...type.fields.flatMap((field) =>
          "type" in field
            ? [{ reference: getKey(field.type), place: createFieldPlace(field) }]
            : "item" in field
              ? [{ reference: field.item, place: createFieldPlace(field) }]
              : [],
        ),
        ...(type.base === undefined ? [] : [{ reference: type.base, place }]),
      ];
    }
    case "polymorphic":
      return [type.declared, ...type.alternatives.map((each) => each.type)].map((reference) => ({ reference, place }));
    case "array":
    case "list":
      return [{ reference: getKey(type.item), place }];
    case "union":
      return type.members.map((member) => ({ reference: getKey(member), place }));
    case "restriction":
    case "enumeration":
      return [{ reference: getKey(type.base), place }];
  }
}

/** Returns the endpoints whose answers contain each type, by the id of the type. */
export function listEndpointsOfAnswers({
  endpoints,
  answers,
}: RestInterface): ReadonlyMap<string, readonly Endpoint[]> {
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
