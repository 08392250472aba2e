import type { Arg, Endpoint, JsonType, JsonValue, PathPiece, RestInterface } from "../model/index.js";
import { type ObjectValue, object, omitEmpty, omitFalse, record, type Value } from "./value.js";

/** Describes a REST interface as a `RestInterfaceDescriptor`. */
export function describeRestInterface(rest: RestInterface): Value {
  const { path, values, language } = rest.base;
  return object({
    descriptorFormat: 2,
    name: rest.name,
    base: path,
    baseValues:
      values.length === 0 ? undefined : record(values.map(({ variable, values: list }) => [variable, list] as const)),
    language: language && object({ variable: language.variable, argument: language.argument }),
    segments: omitEmpty(rest.segments),
    by: rest.segments.length === 0 ? undefined : { kind: "rest", name: "segmentNames" },
  });
}

/** Describes an endpoint as an `EndpointDescriptor`. `answerTypes` are the named answer types, by id. */
export function describeEndpoint(endpoint: Endpoint, answerTypes: ReadonlyMap<string, JsonType>): Value {
  return object({
    kind: "endpoint",
    interface: { kind: "interface" },
    name: endpoint.operation.join("."),
    route: endpoint.route,
    path: describePath(endpoint.path),
    methods: endpoint.methods,
    args: record(sortArgs(endpoint).map((arg) => [arg.name, describeArg(arg)] as const)),
    answerRequired: omitFalse(endpoint.answer !== undefined && !allowsNull(endpoint.answer, answerTypes)),
  });
}

/** Whether null is a value of a type. Types may refer to each other in circles. */
function allowsNull(type: JsonType, answerTypes: ReadonlyMap<string, JsonType>): boolean {
  // Iterating over a set includes the types that are added meanwhile.
  const alternatives = new Set([type]);
  for (const alternative of alternatives) {
    const { kind } = alternative;
    if (kind === "any" || kind === "null" || (kind === "enumeration" && alternative.values.includes(null))) {
      return true;
    }
    if (kind === "union") {
      alternative.members.forEach((memberType) => void alternatives.add(memberType));
    } else if (kind === "named") {
      alternatives.add(answerTypes.get(alternative.id) ?? { kind: "any" });
    }
  }
  return false;
}

/**
 * Describes a path as a list of `PathPiece`. A filler, which is an example of what a part of the pattern matches,
 * becomes literal text.
 */
function describePath(path: readonly PathPiece[]): readonly Value[] {
  const pieces: Value[] = [];
  for (const piece of path) {
    const lastPiece = pieces.at(-1);
    const text = typeof piece === "string" ? piece : "filler" in piece ? piece.filler : undefined;
    if (text !== undefined) {
      if (typeof lastPiece === "string") {
        pieces.pop();
      }
      pieces.push(typeof lastPiece === "string" ? lastPiece + text : text);
    } else if (typeof piece === "object" && "optional" in piece) {
      pieces.push(object({ optional: describePath(piece.optional) }));
    } else if (typeof piece === "object" && "variable" in piece) {
      pieces.push(object({ variable: piece.variable, ...findSlashPattern(piece.pattern) }));
    }
  }
  return pieces;
}

/**
 * Returns the pattern of a variable if it can match a slash. With the pattern, clients decide whether to encode slashes
 * in a value.
 */
function findSlashPattern(pattern: string): Readonly<Record<string, Value>> {
  return slashFreePattern.test(pattern) ? {} : { pattern, by: { kind: "rest", name: "pathPattern" } };
}

/**
 * Matches patterns that cannot match a slash, because they consist only of word characters, hyphens, classes without a
 * slash, groups and quantifiers.
 */
const slashFreePattern = /^(?:[\w|()?*+{},-]|\\[dw.-]|\[(?:[\w.%-]|\\[dw.-])+\])+$/;

/** Returns the arguments of an endpoint. Path variables are first, because every call needs them. */
export function sortArgs(endpoint: Endpoint): readonly Arg[] {
  return [...endpoint.args.filter((arg) => arg.inPath), ...endpoint.args.filter((arg) => !arg.inPath)];
}

function describeArg(arg: Arg): Value {
  const { members } = describeJsonType(arg.type);
  return record(arg.required ? [["required", true], ...members] : members);
}

type JsonDescription = ReturnType<typeof object>;

function describeJsonType(type: JsonType): JsonDescription {
  switch (type.kind) {
    case "any":
      return object({});
    case "enumeration":
      return object({ type: describeNames(type.values.map(getTypeName)), enum: type.values });
    case "array":
      return object({ type: "array", items: type.items.kind === "any" ? undefined : describeJsonType(type.items) });
    case "object":
      return object({ type: "object", properties: describeProperties(type.properties) });
    case "union":
      return describeUnion(type.members);
    case "named":
      throw new Error("An argument refers to a named type, but only answers have named types.");
    default:
      return object({ type: type.kind });
  }
}

function describeProperties(properties: Extract<JsonType, { kind: "object" }>["properties"]): Value | undefined {
  if (properties.length === 0) {
    return undefined;
  }
  return record(
    properties.map((property) => {
      const { members } = describeJsonType(property.type);
      return [property.name, record(property.required ? [["required", true], ...members] : members)] as const;
    }),
  );
}

/**
 * Describes a union by the names of its members' types. Items, properties and enumerations are described only if
 * exactly one member has them; otherwise, the description of one member would refuse values of the others.
 */
function describeUnion(members: readonly JsonType[]): JsonDescription {
  if (members.some((memberType) => memberType.kind === "any" || memberType.kind === "union")) {
    return object({});
  }
  const memberTypes = members.map(describeJsonType);
  const names = memberTypes.flatMap((value) => listNames(value));
  const describeOnlyMember = (kind: JsonType["kind"]): JsonDescription | undefined => {
    const matchingTypes = memberTypes.filter((_, index) => members[index]?.kind === kind);
    return matchingTypes.length === 1 ? matchingTypes[0] : undefined;
  };
  const isEnumerated = members.every((memberType) => memberType.kind === "enumeration" || memberType.kind === "null");
  const enumeration = isEnumerated ? describeOnlyMember("enumeration") : undefined;
  return object({
    type: describeNames(names),
    enum: enumeration && withNull(findDescribedMember(enumeration, "enum"), members),
    items: findDescribedMember(describeOnlyMember("array"), "items"),
    properties: findDescribedMember(describeOnlyMember("object"), "properties"),
  });
}

function withNull(values: Value | undefined, members: readonly JsonType[]): Value | undefined {
  if (!Array.isArray(values) || !members.some(({ kind }) => kind === "null") || values.includes(null)) {
    return values;
  }
  return [...values, null];
}

function findDescribedMember(value: JsonDescription | undefined, key: string): Value | undefined {
  return value?.members.find(([name]) => name === key)?.[1];
}

function listNames(value: JsonDescription): readonly string[] {
  const type = findDescribedMember(value, "type");
  if (typeof type === "string") {
    return [type];
  }
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
}

function describeNames(names: readonly string[]): Value | undefined {
  const uniqueNames = [...new Set(names)];
  return uniqueNames.length === 1 ? uniqueNames[0] : omitEmpty(uniqueNames);
}

function getTypeName(value: string | number | boolean | null): string {
  if (value === null) {
    return "null";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return typeof value;
}

/** Converts a JSON value to a descriptor value. */
export function describeJson(value: JsonValue): Value {
  if (Array.isArray(value)) {
    return value.map(describeJson);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return record(Object.entries(value).map(([name, memberOf]) => [name, describeJson(memberOf)] as const));
}

/** The part of a REST interface that describes its answers. */
interface TypedAnswers extends Pick<RestInterface, "answers"> {
  readonly endpoints: readonly Pick<Endpoint, "operation" | "answer">[];
}

/** The content of `AnswerSchemas`: the schemas of named types by id, and the schema of each endpoint's answer. */
export interface AnswerValues {
  readonly types: ReadonlyMap<string, Value>;
  readonly endpoints: Value;
}

/** Describes the types of answers, for programs that validate answers. */
export function describeAnswers(rest: TypedAnswers): AnswerValues {
  return {
    types: new Map(rest.answers.map(({ id, type }) => [id, describeSchema(type)])),
    endpoints: record(
      rest.endpoints.flatMap(({ operation, answer }) =>
        answer === undefined ? [] : [[operation.join("."), describeSchema(answer)] as const],
      ),
    ),
  };
}

function describeSchema(type: JsonType): ObjectValue {
  switch (type.kind) {
    case "any":
      return object({});
    case "named":
      return object({ named: { kind: "answer", id: type.id } });
    case "enumeration":
      return object({ enum: type.values });
    case "array":
      return object({ type: "array", items: type.items.kind === "any" ? undefined : describeSchema(type.items) });
    case "object":
      return object({
        type: "object",
        properties: type.properties.length === 0 ? undefined : describeAnswerProperties(type.properties),
        additional: type.additional && type.additional.kind !== "any" ? describeSchema(type.additional) : undefined,
      });
    case "union":
      return describeAnswerUnion(type.members);
    default:
      return object({ type: type.kind });
  }
}

function describeAnswerProperties(properties: Extract<JsonType, { kind: "object" }>["properties"]): Value {
  return record(
    properties.map(({ name, required, type }) => {
      const { members } = object({ required: omitFalse(required) });
      return [name, record([...members, ...describeSchema(type).members])] as const;
    }),
  );
}

/** Describes a union. A union of only scalar types becomes a list of their names. */
function describeAnswerUnion(members: readonly JsonType[]): ObjectValue {
  const scalarNames = members.flatMap((memberType) => (isScalar(memberType) ? [memberType.kind] : []));
  return scalarNames.length === members.length
    ? object({ type: scalarNames })
    : object({ anyOf: members.map(describeSchema) });
}

function isScalar({ kind }: JsonType): boolean {
  return kind === "string" || kind === "integer" || kind === "number" || kind === "boolean" || kind === "null";
}
