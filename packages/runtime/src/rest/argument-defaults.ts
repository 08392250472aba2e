import type { JsonValue } from "../descriptor.js";
import { ArgumentProblem, compileSchema } from "./argument-schema.js";
import { isJsonObject } from "./php-json.js";
import { ItemCount, readArgument } from "./read-argument.js";

/**
 * Returns why the default of an argument does not match the argument's own schema: `status is not one of draft and publish.`; undefined if it
 * matches, or if there is no default. Null means no default. A server refuses requests without an argument whose default does not match.
 */
export function findDefaultProblem(name: string, definition: JsonValue): string | undefined {
  const hasDefault = isJsonObject(definition) && Object.hasOwn(definition, "default");
  const value = hasDefault ? definition["default"] : undefined;
  const result =
    value === undefined || value === null
      ? undefined
      : readArgument(value, compileSchema(definition), { name, items: new ItemCount() });
  return result instanceof ArgumentProblem ? result.message : undefined;
}
