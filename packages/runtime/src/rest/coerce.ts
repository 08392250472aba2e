import type { JsonValue } from "../descriptor.js";
import { bestType } from "./best-type.js";
import { matchingAlternative } from "./combined.js";
import type { Schema } from "./schema.js";
import { booleanOf, listOf, membersOf, numberOf } from "./values.js";

/** A valid value in the type its schema says: `"5"` is 5, `"1,2"` a list. Members that a schema forbids are left out. */
export function coerce(value: JsonValue, schema: Schema): JsonValue {
  let types = schema.types;
  let result = value;
  for (const alternatives of [schema.anyOf, schema.oneOf]) {
    const match = alternatives && matchingAlternative(result, alternatives);
    if (match === undefined) continue;
    types ??= match.types;
    result = coerce(result, match);
  }
  switch (types && bestType(result, types)) {
    case "array":
      return (listOf(result) ?? []).map((item) => (schema.items === undefined ? item : coerce(item, schema.items)));
    case "object":
      return coerceObject(result, schema);
    case "integer":
    case "number":
      return (numberOf(result) ?? 0) + 0;
    case "boolean":
      return booleanOf(result) ?? false;
    case "null":
      return null;
    default:
      return result;
  }
}

function coerceObject(value: JsonValue, schema: Schema): JsonValue {
  const members = (membersOf(value) ?? []).flatMap(([name, member]): [string, JsonValue][] => {
    const known = propertySchema(name, schema);
    if (known === false) return [];
    return [[name, known === undefined ? member : coerce(member, known)]];
  });
  return Object.fromEntries(members);
}

/** What describes a property: its own schema, a pattern's, or that of all others; `false` forbids it. */
export function propertySchema(name: string, schema: Schema): Schema | false | undefined {
  const own = schema.properties.get(name);
  if (own !== undefined) return own;
  const byPattern = schema.patternProperties.find(([pattern]) => pattern.matcher?.test(name) === true);
  return byPattern === undefined ? schema.additionalProperties : byPattern[1];
}
