import type { Tolerance } from "../../model/config.js";
import type { Body, Operation, SoapInterface } from "../../model/soap.js";
import type { Field, TypeDefinition, TypeId, TypeReference } from "../../model/xsd-types.js";

type MapId = (id: TypeId) => TypeId;
type Definitions = ReadonlyMap<TypeId, TypeDefinition>;

/**
 * Adds the values that clients tolerate to the answer types: unknown values of enumerations, and null. If inputs also
 * use a type, that type does not change, and answers use a second type, whose name ends with `Answer`.
 */
export function widenAnswers(soap: SoapInterface): SoapInterface {
  if (soap.tolerate.length === 0) {
    return soap;
  }
  const toleratedKinds = new Set(soap.tolerate);
  const definitions: Definitions = new Map(soap.types.map((type) => [type.id, type]));
  const operations = soap.services.flatMap((service) => service.operations);
  const answerIds = listReferencedTypes(operations, mapAnswer, definitions);
  const inputIds = listReferencedTypes(operations, mapInput, definitions);
  const widenedIds = findWideTypes([...answerIds], { toleratedKinds, definitions });
  if (widenedIds.size === 0) {
    return soap;
  }
  const answerId: MapId = (id) => (widenedIds.has(id) && inputIds.has(id) ? `${id}^answer` : id);
  const widen = (type: TypeDefinition) => mapType(widenType(type, { toleratedKinds, definitions }), answerId);
  const types = soap.types.map((type) => (widenedIds.has(type.id) && !inputIds.has(type.id) ? widen(type) : type));
  const separateTypes = soap.types.filter((type) => widenedIds.has(type.id) && inputIds.has(type.id));
  const answerTypes = separateTypes.map((type) => ({
    ...widen(type),
    id: answerId(type.id),
    exact: type.id,
    words: [...type.words, "Answer"],
  }));
  const services = soap.services.map((service) => ({
    ...service,
    operations: service.operations.map((operation) => mapAnswer(operation, answerId)),
  }));
  return { ...soap, services, types: [...types, ...answerTypes] };
}

/**
 * Returns the types to which messages refer, directly or indirectly. `mapMessage` is `mapInput` for requests and
 * `mapAnswer` for answers.
 */
function listReferencedTypes(
  operations: readonly Operation[],
  mapMessage: (operation: Operation, mapId: MapId) => unknown,
  definitions: Definitions,
): ReadonlySet<TypeId> {
  const referencedIds = new Set<TypeId>();
  const add: MapId = (id) => {
    referencedIds.add(id);
    return id;
  };
  for (const operation of operations) {
    mapMessage(operation, add);
  }
  // The loop also visits ids that are added during the iteration, because a set is iterated in insertion order.
  for (const id of referencedIds) {
    const type = definitions.get(id);
    if (type !== undefined) {
      mapType(type, add);
    }
  }
  return referencedIds;
}

interface Widening {
  readonly toleratedKinds: ReadonlySet<Tolerance>;
  readonly definitions: Definitions;
}

/** Returns the types that are widened, and the types that refer to a widened type, directly or indirectly. */
function findWideTypes(ids: readonly TypeId[], widening: Widening): ReadonlySet<TypeId> {
  const userIdsById = new Map<TypeId, TypeId[]>();
  const wideIds = new Set<TypeId>();
  for (const id of ids) {
    const type = widening.definitions.get(id);
    if (type === undefined) {
      continue;
    }
    mapType(type, (usedId) => {
      const userIds = userIdsById.get(usedId);
      if (userIds === undefined) {
        userIdsById.set(usedId, [id]);
      } else {
        userIds.push(id);
      }
      return usedId;
    });
    if (isWidened(type, widening)) {
      wideIds.add(id);
    }
  }
  for (const id of wideIds) {
    for (const userId of userIdsById.get(id) ?? []) {
      wideIds.add(userId);
    }
  }
  return wideIds;
}

function isWidened(type: TypeDefinition, widening: Widening): boolean {
  return (
    (type.kind === "enumeration" && widening.toleratedKinds.has("enumeration")) ||
    (type.kind === "record" && type.fields.some((field) => mayBeNull(field, widening)))
  );
}

function widenType(type: TypeDefinition, widening: Widening): TypeDefinition {
  switch (type.kind) {
    case "enumeration":
      return widening.toleratedKinds.has("enumeration") ? { ...type, open: true } : type;
    case "record":
      return {
        ...type,
        fields: type.fields.map((field) => (mayBeNull(field, widening) ? { ...field, tolerateNull: true } : field)),
      };
    default:
      return type;
  }
}

/**
 * Whether a member may be null because clients accept nil or empty text. If an optional element is nil, the member is
 * absent, not null.
 */
function mayBeNull(field: Field, { toleratedKinds, definitions }: Widening): boolean {
  if (field.kind !== "element" && field.kind !== "attribute" && field.kind !== "text") {
    return false;
  }
  const readsEmptyAsNull = toleratedKinds.has("empty") && refusesEmpty(field.type, definitions);
  const readsNilAsNull = field.kind === "element" && (field.min > 0 || field.max !== 1);
  return readsEmptyAsNull || (readsNilAsNull && toleratedKinds.has("nil"));
}

/** The built-in types that allow empty text. */
const emptyTexts: ReadonlySet<string> = new Set([
  "anySimpleType",
  "anyType",
  "anyURI",
  "base64Binary",
  "hexBinary",
  "normalizedString",
  "string",
  "token",
]);

/** Whether a simple type may refuse empty text. A type with facets is assumed to refuse it. */
function refusesEmpty(reference: TypeReference, definitions: Definitions): boolean {
  if (reference.kind === "builtin") {
    return !emptyTexts.has(reference.name);
  }
  const definition = definitions.get(reference.id);
  switch (definition?.kind) {
    case "restriction":
      return definition.facets.length > 0 || refusesEmpty(definition.base, definitions);
    case "enumeration":
    case "union":
      return true;
    default:
      return false;
  }
}

function mapInput(operation: Operation, mapId: MapId): Operation {
  const { input, http } = operation;
  const headers = input.headers === undefined ? undefined : mapId(input.headers);
  return {
    ...operation,
    input: { ...input, body: mapBody(input.body, mapId), headers },
    http: http && {
      ...http,
      body: http.body && { ...http.body, type: mapReference(http.body.type, mapId) },
      parameters: http.parameters.map((parameter) => ({ ...parameter, type: mapReference(parameter.type, mapId) })),
    },
  };
}

function mapAnswer(operation: Operation, mapId: MapId): Operation {
  const { output, faults, http } = operation;
  return {
    ...operation,
    output: output && {
      ...output,
      body: mapBody(output.body, mapId),
      headers: output.headers === undefined ? undefined : mapId(output.headers),
      headerFaults: output.headerFaults === undefined ? undefined : mapId(output.headerFaults),
    },
    faults: faults.map((fault) => ({ ...fault, type: mapReference(fault.type, mapId) })),
    http:
      http !== undefined && "type" in http.answer
        ? { ...http, answer: { ...http.answer, type: mapReference(http.answer.type, mapId) } }
        : http,
  };
}

function mapBody(body: Body, mapId: MapId): Body {
  return body.kind === "element"
    ? { ...body, type: mapReference(body.type, mapId) }
    : { ...body, record: mapId(body.record) };
}

function mapReference(reference: TypeReference, mapId: MapId): TypeReference {
  return reference.kind === "named" ? { ...reference, id: mapId(reference.id) } : reference;
}

/** Replaces the id of each reference in a type with the id that `mapId` returns for it. */
function mapType(type: TypeDefinition, mapId: MapId): TypeDefinition {
  switch (type.kind) {
    case "record": {
      const base = type.base === undefined ? undefined : mapId(type.base);
      return { ...type, base, fields: type.fields.map((field) => mapField(field, mapId)) };
    }
    case "polymorphic": {
      const alternatives = type.alternatives.map(({ tag, type: id }) => ({ tag, type: mapId(id) }));
      return { ...type, declared: mapId(type.declared), alternatives };
    }
    case "enumeration":
    case "restriction":
      return { ...type, base: mapReference(type.base, mapId) };
    case "list":
    case "array":
      return { ...type, item: mapReference(type.item, mapId) };
    case "union":
      return { ...type, members: type.members.map((member) => mapReference(member, mapId)) };
  }
}

function mapField(field: Field, mapId: MapId): Field {
  switch (field.kind) {
    case "element":
    case "attribute":
    case "text":
      return { ...field, type: mapReference(field.type, mapId) };
    case "group":
    case "mixed":
      return { ...field, item: mapId(field.item) };
    default:
      return field;
  }
}
