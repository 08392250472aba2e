import { suggestOption } from "#transport";
import { ConfigError } from "../errors.js";
import { findWrongOption, type OptionType } from "../option-types.js";

// Checks the options of clients, of calls, and of functions that create hooks or transports.

/** Options whose values must be objects. The value of `validate` may also be a function. */
const objectOptions: readonly string[] = [
  "signal",
  "headers",
  "hooks",
  "limits",
  "transport",
  "agent",
  "tls",
  "wireNames",
  "soapHeaders",
  "extra",
  "validate",
];

/**
 * Refuses unknown options, and values that are not objects where objects are required. The names and values in a Map or
 * in `Headers` are not members of the object, so they would be ignored.
 */
export function checkOptions(options: object, allowedNames: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new ConfigError(`The options must be an object, not ${describeType(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!allowedNames.includes(name)) {
      throw new ConfigError(`There is no option "${name}".${suggestOption(name, allowedNames)}`);
    }
    if (value === undefined || !objectOptions.includes(name)) {
      continue;
    }
    // The option `validate` is a function in REST clients, and an object in SOAP clients. The last word of
    // `expectedType` is compared with `typeof value`.
    const expectedType = name === "validate" && allowedNames.includes("siteUrl") ? "a function" : "an object";
    if (value === null || !expectedType.endsWith(typeof value) || (Symbol.iterator in value && !Array.isArray(value))) {
      throw new ConfigError(`The option "${name}" must be ${expectedType}, not ${describeType(value)}.`);
    }
    if (name === "signal" && !("aborted" in value && "addEventListener" in value)) {
      throw new ConfigError('The option "signal" must be an AbortSignal.');
    }
  }
}

/** Refuses options of a function, such as `fetchTransport`, that are unknown, missing or of another type. */
export function checkHelperOptions(owner: string, options: object, types: Readonly<Record<string, OptionType>>): void {
  checkOptions(options, Object.keys(types));
  const wrong = findWrongOption(options, types);
  if (wrong !== undefined) {
    throw new ConfigError(`The option "${wrong.name}" of ${owner} must be ${wrong.description}.`);
  }
}

/** Describes a value of another type for a message. Shorter than `describeValue`, to keep bundles small. */
export function describeType(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a value of type ${value.constructor?.name}`;
}
