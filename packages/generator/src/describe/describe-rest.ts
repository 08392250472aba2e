import type { Arg, Endpoint, JsonType, JsonValue, PathPiece, RestInterface } from "../model/index.js";
import { filled, flag, type ObjectValue, object, record, type Value } from "./value.js";

/** `RestInterfaceDescriptor`. */
export function describeRestInterface(rest: RestInterface): Value {
  const { path, values, language } = rest.base;
  return object({
    descriptorFormat: 2,
    name: rest.name,
    base: path,
    baseValues:
      values.length === 0 ? undefined : record(values.map(({ variable, values: list }) => [variable, list] as const)),
    language: language && object({ variable: language.variable, argument: language.argument }),
    segments: filled(rest.segments),
    by: rest.segments.length === 0 ? undefined : { kind: "rest", name: "segmentNames" },
  });
}

/** `EndpointDescriptor`. */
export function describeEndpoint(endpoint: Endpoint): Value {
  return object({
    kind: "endpoint",
    interface: { kind: "interface" },
    name: endpoint.operation.join("."),
    route: endpoint.route,
    path: describePath(endpoint.path),
    methods: endpoint.methods,
    args: record(argsInOrder(endpoint).map((arg) => [arg.name, describeArg(arg)] as const)),
  });
}

/** `PathPiece`. A variable part of the route that is not a group is written as its filler text. */
function describePath(path: readonly PathPiece[]): readonly Value[] {
  const pieces: Value[] = [];
  for (const piece of path) {
    const last = pieces.at(-1);
    const text = typeof piece === "string" ? piece : "filler" in piece ? piece.filler : undefined;
    if (text !== undefined) {
      if (typeof last === "string") {
        pieces.pop();
      }
      pieces.push(typeof last === "string" ? last + text : text);
    } else if (typeof piece === "object" && "optional" in piece) {
      pieces.push(object({ optional: describePath(piece.optional) }));
    } else if (typeof piece === "object" && "variable" in piece) {
      pieces.push(object({ variable: piece.variable, ...slashPattern(piece.pattern) }));
    }
  }
  return pieces;
}

/** The pattern of a variable if it can match a slash: a client then uses it to decide how to write slashes. */
function slashPattern(pattern: string): Readonly<Record<string, Value>> {
  return withoutSlashes.test(pattern) ? {} : { pattern, by: { kind: "rest", name: "pathPattern" } };
}

/** Patterns of letters, digits and a few marks, classes of these, groups and quantifiers; none can match a slash. */
const withoutSlashes = /^(?:[\w|()?*+{},-]|\\[dw.-]|\[(?:[\w.%-]|\\[dw.-])+\])+$/;

/** Path variables first, because every call needs them. */
export function argsInOrder(endpoint: Endpoint): readonly Arg[] {
  return [...endpoint.args.filter((arg) => arg.inPath), ...endpoint.args.filter((arg) => !arg.inPath)];
}

function describeArg(arg: Arg): Value {
  const { members } = describeJsonType(arg.type);
  return record(arg.required ? [["required", true], ...members] : members);
}

type Described = ReturnType<typeof object>;

function describeJsonType(type: JsonType): Described {
  switch (type.kind) {
    case "any":
      return object({});
    case "enumeration":
      return object({ type: oneOrMore(type.values.map(typeNameOf)), enum: type.values });
    case "array":
      return object({ type: "array", items: type.items.kind === "any" ? undefined : describeJsonType(type.items) });
    case "object":
      return object({ type: "object", properties: describeProperties(type.properties) });
    case "union":
      return describeUnion(type.members);
    case "named":
      throw new Error("An argument is of a type of answers.");
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
 * The names of all members. Items, properties and an enumeration are kept only if a single member has them, because they would
 * refuse values of other members.
 */
function describeUnion(members: readonly JsonType[]): Described {
  if (members.some((member) => member.kind === "any" || member.kind === "union")) {
    return object({});
  }
  const described = members.map(describeJsonType);
  const names = described.flatMap((value) => namesIn(value));
  const only = (kind: JsonType["kind"]): Described | undefined => {
    const found = described.filter((_, index) => members[index]?.kind === kind);
    return found.length === 1 ? found[0] : undefined;
  };
  const rest = members.every((member) => member.kind === "enumeration" || member.kind === "null");
  const enumerated = rest ? only("enumeration") : undefined;
  return object({
    type: oneOrMore(names),
    enum: enumerated && withNull(member(enumerated, "enum"), members),
    items: member(only("array"), "items"),
    properties: member(only("object"), "properties"),
  });
}

function withNull(values: Value | undefined, members: readonly JsonType[]): Value | undefined {
  if (!Array.isArray(values) || !members.some(({ kind }) => kind === "null") || values.includes(null)) {
    return values;
  }
  return [...values, null];
}

function member(value: Described | undefined, key: string): Value | undefined {
  return value?.members.find(([name]) => name === key)?.[1];
}

function namesIn(value: Described): readonly string[] {
  const type = member(value, "type");
  if (typeof type === "string") {
    return [type];
  }
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
}

function oneOrMore(names: readonly string[]): Value | undefined {
  const unique = [...new Set(names)];
  return unique.length === 1 ? unique[0] : filled(unique);
}

function typeNameOf(value: string | number | boolean | null): string {
  if (value === null) {
    return "null";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return typeof value;
}

/** Any JSON as a descriptor value. */
export function describeJson(value: JsonValue): Value {
  if (Array.isArray(value)) {
    return value.map(describeJson);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return record(Object.entries(value).map(([name, member]) => [name, describeJson(member)] as const));
}

/** The parts of an interface needed for answers. */
interface TypedAnswers extends Pick<RestInterface, "answers"> {
  readonly endpoints: readonly Pick<Endpoint, "operation" | "answer">[];
}

/** The content of `AnswerSchemas`: the named types by id, and the answers of endpoints. */
export interface AnswerValues {
  readonly types: ReadonlyMap<string, Value>;
  readonly endpoints: Value;
}

export function describeAnswers(rest: TypedAnswers): AnswerValues {
  return {
    types: new Map(rest.answers.map(({ id, type }) => [id, schemaOf(type)])),
    endpoints: record(
      rest.endpoints.flatMap(({ operation, answer }) =>
        answer === undefined ? [] : [[operation.join("."), schemaOf(answer)] as const],
      ),
    ),
  };
}

function schemaOf(type: JsonType): ObjectValue {
  switch (type.kind) {
    case "any":
      return object({});
    case "named":
      return object({ named: { kind: "answer", id: type.id } });
    case "enumeration":
      return object({ enum: type.values });
    case "array":
      return object({ type: "array", items: type.items.kind === "any" ? undefined : schemaOf(type.items) });
    case "object":
      return object({
        type: "object",
        properties: type.properties.length === 0 ? undefined : answerProperties(type.properties),
        additional: type.additional && type.additional.kind !== "any" ? schemaOf(type.additional) : undefined,
      });
    case "union":
      return answerUnion(type.members);
    default:
      return object({ type: type.kind });
  }
}

function answerProperties(properties: Extract<JsonType, { kind: "object" }>["properties"]): Value {
  return record(
    properties.map(({ name, required, type }) => {
      const { members } = object({ required: flag(required) });
      return [name, record([...members, ...schemaOf(type).members])] as const;
    }),
  );
}

/** A union of plain types is a list of their names. */
function answerUnion(members: readonly JsonType[]): ObjectValue {
  const words = members.flatMap((member) => (isWord(member) ? [member.kind] : []));
  return words.length === members.length ? object({ type: words }) : object({ anyOf: members.map(schemaOf) });
}

function isWord({ kind }: JsonType): boolean {
  return kind === "string" || kind === "integer" || kind === "number" || kind === "boolean" || kind === "null";
}
