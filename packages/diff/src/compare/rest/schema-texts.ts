import { type JsonValue, jsonTypeNamed } from "@bothends/generator";
import { isList, isObject, type JsonMembers, jsonText, memberOf } from "./json-values.js";

// Texts of JSON Schemas that are equal for schemas with the same meaning.

/** Returns the types of a schema; [] if the schema allows every type, for example because the name of its type is unknown. */
export function typesOf({ type }: JsonMembers): readonly string[] {
  const words = isList(type) ? type : [type];
  const names = words.flatMap((word) => jsonTypeNamed(word) ?? []);
  return names.length === words.length ? names : [];
}

/** Returns the types of a schema as text. */
export function typesText(schema: JsonMembers): string {
  return [...typesOf(schema)].sort().join();
}

/** Returns the part of a schema that a type can express, as text. It is equal for schemas with the same meaning. */
export function structureText(schema: JsonMembers): string {
  return jsonText(structureOf(schema));
}

function structureOf(schema: JsonMembers): JsonValue {
  const { required, properties, items, oneOf, anyOf } = schema;
  const listedProperties = Object.entries(isObject(properties) ? properties : {});
  const requiredNames = [
    ...(isList(required) ? required : []),
    ...listedProperties.filter(([, each]) => memberOf(each, "required") === true).map(([name]) => name),
  ];
  const structures = (schemas: readonly JsonValue[]) =>
    uniqueTexts(schemas.map((each) => structureOf(isObject(each) ? each : {})));
  const members: readonly (readonly [string, JsonValue])[] = Object.entries({
    types: typesText(schema),
    enum: uniqueTexts(listedValues(schema)),
    required: uniqueTexts(requiredNames),
    properties: listedProperties
      .map(([name, each]) => jsonText([name, structureOf(isObject(each) ? each : {})]))
      .sort(),
    items: isObject(items) ? structureOf(items) : null,
    alternatives: structures([oneOf, anyOf].flatMap((list) => (isList(list) ? list : []))),
  });
  const presentMembers = members.filter(
    ([, value]) => value !== null && value !== "" && !(isList(value) && value.length === 0),
  );
  return presentMembers.length === 0 ? null : Object.fromEntries(presentMembers);
}

/** Returns the texts of values, each once, in a fixed order. */
function uniqueTexts(values: readonly JsonValue[]): readonly string[] {
  return [...new Set(values.map(jsonText))].sort();
}

/** Returns the values of an enumeration, which may be written as an object whose keys are ignored. */
export function listedValues({ enum: values }: JsonMembers): readonly JsonValue[] {
  return isList(values) ? values : isObject(values) ? Object.values(values) : [];
}

/** Returns the schema as text, without its documentation. */
export function schemaText({ description: _, ...schema }: JsonMembers): string {
  return jsonText(schema);
}
