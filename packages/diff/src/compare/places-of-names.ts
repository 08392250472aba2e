import type {
  Endpoint,
  ExportedName,
  Interface,
  JsonProperty,
  JsonType,
  NamedDeclaration,
  RestInterface,
  Span,
} from "@bothends/generator";
import type { NamedVersions, Place, Uses } from "./uses-of-types.js";

type Enumeration = Extract<NamedDeclaration, { readonly kind: "enumeration" }>["enumeration"];

interface Context {
  readonly versions: NamedVersions;
  readonly uses: Uses;
}

/**
 * Returns the position of the declaration after which a name was chosen, and the position of its new version. If it has
 * no new version, returns the position of the nearest declaration that has one: of a use, or of what contains it.
 */
export function findPlaceOfName(declaration: ExportedName["declaration"], context: Context): Place {
  const { before, after } = context.versions;
  const places = [
    ...(declaration === undefined ? [] : listPlaces(declaration, context)),
    { oldSpan: getSpan(before.interface), newSpan: getSpan(after.interface) },
  ];
  const findFirst = (side: keyof Place) => places.map((place) => place[side]).find((span) => span !== undefined);
  return { oldSpan: findFirst("oldSpan"), newSpan: findFirst("newSpan") };
}

function getSpan(version: Interface): Span | undefined {
  return version.kind === "rest" ? version.span : version.services[0]?.span;
}

/** Returns the places of a declaration, of its uses and of what contains them, the nearest first. */
function listPlaces(declaration: NamedDeclaration, context: Context): readonly Place[] {
  const { versions, uses } = context;
  const newInterface = versions.after.interface;
  switch (declaration.kind) {
    case "type": {
      const { id, span } = declaration.type;
      const newTypes = newInterface.kind === "soap" ? newInterface.types : [];
      return [{ oldSpan: span, newSpan: newTypes.find((type) => type.id === id)?.span }, ...uses.listPlaces(id)];
    }
    case "builtin":
      return uses.listPlaces(declaration.builtin);
    case "fault":
      return uses.listPlacesOfFault(declaration.fault);
    case "service":
      return uses.listPlacesOfService(declaration.service);
    case "operation":
      return uses.listPlacesOfOperation(declaration.operation);
    case "endpoints":
      return listPlacesOfEndpoints(declaration.endpoints, versions);
    case "answer":
      return [
        ...listPlacesOfAnswer(declaration.id, versions),
        ...listPlacesOfEndpoints(uses.listEndpoints(declaration.id), versions),
      ];
    case "enumeration":
      return listPlacesOfEnumeration(declaration.enumeration, context);
  }
}

/** Returns the places of endpoints. An endpoint without a new version has the place of another one of its route. */
function listPlacesOfEndpoints(
  endpoints: readonly Endpoint[],
  { matchedPairs, after }: NamedVersions,
): readonly Place[] {
  const newEndpoints = new Map(matchedPairs);
  const routes = after.interface.kind === "rest" ? after.interface.endpoints : [];
  return [
    ...endpoints.map((endpoint) => ({ oldSpan: endpoint.span, newSpan: newEndpoints.get(endpoint)?.span })),
    ...endpoints.map(({ span, route }) => ({
      oldSpan: span,
      newSpan: routes.find((endpoint) => endpoint.route === route)?.span,
    })),
  ];
}

function listPlacesOfAnswer(id: string, versions: NamedVersions): readonly Place[] {
  return [{ oldSpan: findAnswer(versions.before.interface, id)?.span, newSpan: findNewAnswer(id, versions)?.span }];
}

/** Returns the new version of an answer's type: the type with the same id, or the one with which its name changed. */
function findNewAnswer(id: string, { before, after, differences }: NamedVersions) {
  const newAnswer = findAnswer(after.interface, id);
  const oldSpan = findAnswer(before.interface, id)?.span;
  if (newAnswer !== undefined || after.interface.kind !== "rest") {
    return newAnswer;
  }
  const renaming = differences.find(
    (difference) => difference.rule === "type-renamed" && difference.oldSpan === oldSpan,
  );
  return after.interface.answers.find(({ span }) => span === renaming?.newSpan);
}

function findAnswer(version: Interface, id: string): RestInterface["answers"][number] | undefined {
  return version.kind === "rest" ? version.answers.find((answer) => answer.id === id) : undefined;
}

/** Returns the places of the arguments and members that have an enumeration. */
function listPlacesOfEnumeration(enumeration: Enumeration, { versions, uses }: Context): readonly Place[] {
  const { before, matchedPairs } = versions;
  if (before.interface.kind !== "rest") {
    return [];
  }
  const newEndpoints = new Map(matchedPairs);
  const inArguments = before.interface.endpoints.flatMap((endpoint) => {
    const newEndpoint = newEndpoints.get(endpoint);
    const newArguments = newEndpoint !== undefined && "args" in newEndpoint ? newEndpoint.args : [];
    return endpoint.args.flatMap(({ name, span, type }) => {
      const newArgument = newArguments.find((argument) => argument.name === name);
      const place = { oldSpan: span, newSpan: newArgument?.span ?? newEndpoint?.span };
      return listOccurrences(enumeration, { name, type, newType: newArgument?.type, place });
    });
  });
  const inAnswers = before.interface.answers.flatMap(({ id, type, span }) => {
    const newAnswer = findNewAnswer(id, versions);
    const place = { oldSpan: span, newSpan: newAnswer?.span };
    const occurrences = listOccurrences(enumeration, { name: "", type, newType: newAnswer?.type, place });
    return occurrences.length === 0 ? [] : [...occurrences, ...listPlacesOfEndpoints(uses.listEndpoints(id), versions)];
  });
  return [...inArguments, ...inAnswers];
}

interface Member {
  readonly name: string;
  readonly type: JsonType;
  readonly newType: JsonType | undefined;
  readonly place: Place;
}

function listOccurrences(enumeration: Enumeration, member: Member): readonly Place[] {
  const { name, type, newType, place } = member;
  switch (type.kind) {
    case "enumeration":
      return name === enumeration.member && JSON.stringify(type.values) === JSON.stringify(enumeration.values)
        ? [place]
        : [];
    case "array":
      return listOccurrences(enumeration, { ...member, type: type.items });
    case "union":
      return type.members.flatMap((each) => listOccurrences(enumeration, { ...member, type: each }));
    case "object":
      return type.properties.flatMap((property) => {
        const newProperty = newType === undefined ? undefined : findProperty(newType, property.name);
        return listOccurrences(enumeration, {
          name: property.name,
          type: property.type,
          newType: newProperty?.type,
          place: {
            oldSpan: property.annotations?.span ?? place.oldSpan,
            newSpan: newProperty?.annotations?.span ?? place.newSpan,
          },
        });
      });
    default:
      return [];
  }
}

/** Returns the property of an object, or of objects in an array or a union. */
function findProperty(type: JsonType, name: string): JsonProperty | undefined {
  switch (type.kind) {
    case "array":
      return findProperty(type.items, name);
    case "union":
      return type.members.map((member) => findProperty(member, name)).find((property) => property !== undefined);
    case "object":
      return type.properties.find((property) => property.name === name);
    default:
      return undefined;
  }
}
