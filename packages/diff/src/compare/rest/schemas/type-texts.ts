import type { JsonType, JsonValue } from "@bothends/generator";
import { formatType, formatTypes, scalarKinds } from "../json-type-rules.js";
import { formatJson, getObject, isList, isObject, type JsonMembers } from "../json-values.js";
import { families, getTypes, isChecked, isRestriction } from "../schema-texts.js";
import { listAlternatives, type Schemas } from "../unions/schema-alternatives.js";

// Formats the types of two versions of an argument for a report, with the restrictions that only one of the types has.

/** Formats two types. `schemas` are absent for values that are not arguments. */
export function formatChangedTypes(
  [before, after]: readonly [JsonType, JsonType],
  schemas: Schemas | undefined,
): { readonly before: string; readonly after: string } {
  const [oldSchema, newSchema] = schemas ?? [];
  return {
    before: formatType(addMemberType(before, oldSchema)) + formatRestrictions(oldSchema, newSchema),
    after: formatType(addMemberType(after, newSchema)) + formatRestrictions(newSchema, oldSchema),
  };
}

/** Formats members that only one version of a union has. */
export function formatUnmatchedTypes(types: readonly JsonType[], [schema, other]: readonly JsonMembers[]): string {
  return formatTypes(types) + formatRestrictions(schema, other);
}

/**
 * Adds the type of an object's members to a type of an argument, if the object declares no names. TypeScript accepts
 * any members for such an argument, so the type itself does not contain their type.
 */
function addMemberType(type: JsonType, schema: JsonMembers = {}): JsonType {
  if (type.kind === "union") {
    return { ...type, members: type.members.map((member) => addMemberType(member, schema)) };
  }
  if (type.kind !== "object" || type.properties.length > 0) {
    return type;
  }
  const [memberSchema, ...others] = [schema, ...(listAlternatives(schema) ?? [])]
    .filter((candidate) => getTypes(candidate).includes("object"))
    .map((candidate) => getObject(candidate, "additionalProperties"));
  const types = memberSchema === undefined || others.length > 0 ? [] : getTypes(memberSchema);
  const scalarKind = scalarKinds.find((kind) => types.join() === kind);
  return scalarKind === undefined ? type : { ...type, additional: { kind: scalarKind } };
}

/** Formats the restrictions of a schema on values of types that another schema does not have: ` (maximum 9)`. */
function formatRestrictions(schema: JsonMembers | undefined, other: JsonMembers | undefined): string {
  const texts = schema === undefined || other === undefined ? [] : listRestrictions(schema, other);
  return texts.length === 0 ? "" : ` (${texts.map((text) => text.replace(/^\./, "")).join(", ")})`;
}

function listRestrictions(schema: JsonMembers, other: JsonMembers): readonly string[] {
  const typedSchema = (part: JsonMembers) => ({
    ...(schema["type"] !== undefined && { type: schema["type"] }),
    ...part,
  });
  const unsharedFamilies = families.filter((family) => isChecked(schema, family) && !isChecked(other, family));
  const isUnshared = (keyword: string) => unsharedFamilies.some((family) => isRestriction(keyword, { type: family }));
  return Object.entries(schema).flatMap(([keyword, value]): readonly string[] => {
    switch (keyword) {
      case "type":
      case "enum":
      case "required":
        return [];
      case "oneOf":
      case "anyOf":
        return isList(value)
          ? value.flatMap((part) => (isObject(part) ? listRestrictions(typedSchema(part), other) : []))
          : [];
      default:
        return isUnshared(keyword) ? listOfKeyword(keyword, value) : [];
    }
  });
}

function listOfKeyword(keyword: string, value: JsonValue): readonly string[] {
  const listOfPart = (name: string, part: JsonValue | undefined) =>
    isObject(part) ? listRestrictions(part, {}).map((text) => name + (/^[.[]/.test(text) ? text : ` ${text}`)) : [];
  switch (keyword) {
    case "items":
      return listOfPart("[]", value);
    case "properties":
      return Object.entries(isObject(value) ? value : {}).flatMap(([name, part]) => listOfPart(`.${name}`, part));
    default:
      // The text of a type contains the type of further members.
      return keyword === "additionalProperties" && isObject(value)
        ? listOfPart(".*", value)
        : [`${keyword} ${typeof value === "string" ? value : formatJson(value)}`];
  }
}
