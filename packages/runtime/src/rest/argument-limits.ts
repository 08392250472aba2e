import type { JsonObject, JsonValue } from "../descriptor.js";
import { listValues } from "./argument-schema.js";
import { isJsonObject } from "./php-json.js";

/** The keywords of JSON Schema that limit a value. */
const limitKeywords = ["format", "minimum", "maximum", "pattern", "minLength", "maxLength", "minItems", "maxItems"];

/** Whether any argument in the index has a limit. Such an index lists all limits, so no hidden limits apply. */
export function listsLimits(index: JsonValue): boolean {
  return listValues(findMember(index, "routes")).some((entry) =>
    listValues(findMember(entry, "endpoints")).some((endpoint) =>
      listValues(findMember(endpoint, "args")).some(hasLimit),
    ),
  );
}

/** Whether the definition of an argument has a limit. */
export function hasLimit(definition: JsonValue): boolean {
  return limitKeywords.some((keyword) => findMember(definition, keyword) !== undefined);
}

/** Returns those of `limits` that apply to an argument of this name and type. */
export function listHiddenLimits<Value>(
  name: string,
  definition: JsonObject,
  limits: Readonly<Record<string, Readonly<Record<string, Value>>>>,
): Readonly<Record<string, Value>> {
  const keywords = Object.hasOwn(limits, name) ? limits[name] : undefined;
  const types = [definition["type"]].flat();
  const isNumeric = types.includes("integer") || types.includes("number");
  return Object.fromEntries(
    Object.entries(keywords ?? {}).filter(([keyword]) => (keyword === "format" ? types.includes("string") : isNumeric)),
  );
}

function findMember(object: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
