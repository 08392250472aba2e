import type { JsonValue } from "../descriptor.js";
import { ArgumentProblem, compileSchema } from "./argument-schema.js";
import { isJsonObject } from "./php-json.js";
import { ItemCount, readArgument } from "./read-argument.js";

export { hasLimit, listHiddenLimits, listsLimits } from "./argument-limits.js";
export { completePattern, findJsonType, findStringFormat } from "./argument-schema.js";
export { findClassEnd } from "./route-paths.js";
export { hiddenLimits, wordpressConventions } from "./wordpress-conventions.js";

/**
 * The default of an argument, converted to the argument's type, or the reason why the argument's schema does not allow
 * the default.
 */
export type ArgumentDefault = { readonly value: JsonValue } | { readonly problem: string };

/**
 * Reads the default of an argument. Returns undefined for an argument without a default, and for the default null. If
 * the result is a problem, such as `status is not one of draft and publish.`, a server refuses every request that omits
 * the argument.
 */
export function readDefault(name: string, definition: JsonValue): ArgumentDefault | undefined {
  const hasDefault = isJsonObject(definition) && Object.hasOwn(definition, "default");
  const value = hasDefault ? definition["default"] : undefined;
  if (value === undefined || value === null) {
    return undefined;
  }
  return createValueReader(name, definition)(value);
}

/** Returns a function that reads values of an argument as servers do: converts them and checks them. */
export function createValueReader(name: string, definition: JsonValue): (value: JsonValue) => ArgumentDefault {
  const schema = compileSchema(definition);
  return (value) => {
    const result = readArgument(value, schema, { name, items: new ItemCount(), allowsRounded: true });
    return result instanceof ArgumentProblem ? { problem: result.message } : { value: result };
  };
}
