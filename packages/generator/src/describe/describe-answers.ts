import type { JsonType, RestInterface } from "../model/index.js";
import { flag, type ObjectValue, object, record, type Value } from "./value.js";

/** What `AnswerSchemas` has: the named types by id, and the answers of endpoints. */
export interface AnswerValues {
  readonly types: ReadonlyMap<string, Value>;
  readonly endpoints: Value;
}

export function describeAnswers(rest: RestInterface): AnswerValues {
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
        properties: type.properties.length === 0 ? undefined : describeProperties(type.properties),
        additional: type.additional && type.additional.kind !== "any" ? schemaOf(type.additional) : undefined,
      });
    case "union":
      return describeUnion(type.members);
    default:
      return object({ type: type.kind });
  }
}

function describeProperties(properties: Extract<JsonType, { kind: "object" }>["properties"]): Value {
  return record(
    properties.map(({ name, required, type }) => {
      const { members } = object({ required: flag(required) });
      return [name, record([...members, ...schemaOf(type).members])] as const;
    }),
  );
}

/** Words alone are one list. */
function describeUnion(members: readonly JsonType[]): ObjectValue {
  const words = members.flatMap((member) => (isWord(member) ? [member.kind] : []));
  return words.length === members.length ? object({ type: words }) : object({ anyOf: members.map(schemaOf) });
}

function isWord({ kind }: JsonType): boolean {
  return kind === "string" || kind === "integer" || kind === "number" || kind === "boolean" || kind === "null";
}
