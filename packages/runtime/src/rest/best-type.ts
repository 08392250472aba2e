import type { JsonTypeName, JsonValue } from "../descriptor.js";
import { booleanOf, integerOf, isListLike, membersOf, numberOf } from "./values.js";

/** The first of several types that a value fits; undefined when it fits none. */
export function bestType(value: JsonValue, types: readonly JsonTypeName[]): JsonTypeName | undefined {
  // The empty text is also an empty list and an empty object, but it is text first.
  if (value === "" && types.includes("string")) return "string";
  // A list fits an object too, keyed by its indexes, but it is a list first.
  if (Array.isArray(value) && types.includes("array")) return "array";
  return types.find((type) => fits(value, type));
}

function fits(value: JsonValue, type: JsonTypeName): boolean {
  switch (type) {
    case "array":
      return isListLike(value);
    case "object":
      return membersOf(value) !== undefined;
    case "integer":
      return integerOf(value) !== undefined;
    case "number":
      return numberOf(value) !== undefined;
    case "boolean":
      return booleanOf(value) !== undefined;
    case "string":
      return typeof value === "string";
    case "null":
      return value === null;
  }
}
