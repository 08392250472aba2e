import { suggestOption } from "#transport";
import { ConfigError } from "../errors.js";
import { findWrongOption, type OptionType } from "../option-types.js";

// Checks the options of clients, of calls, and of functions that create hooks or transports.

/** Options whose values must be objects. The value of `validate` may also be a function. */
const objectOptions: ReadonlySet<string> = new Set([
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
]);

/** Refuses unknown options, and values that are not objects where objects are required. */
export function checkOptions(options: object, allowedNames: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new ConfigError(`The options must be an object, not ${describeType(options)}.`);
  }
  for (const name of Object.keys(options)) {
    if (!allowedNames.includes(name)) {
      throw new ConfigError(`There is no option "${name}".${suggestOption(name, allowedNames)}`);
    }
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) {
      continue;
    }
    if (!objectOptions.has(name)) {
      continue;
    }
    // The option `validate` is a function in REST clients, and an object in SOAP clients. The last word of
    // `expectedType` is compared with `typeof value`.
    const expectedType = name === "validate" && allowedNames.includes("siteUrl") ? "a function" : "an object";
    if (value === null || !expectedType.endsWith(typeof value)) {
      throw new ConfigError(`The option "${name}" must be ${expectedType}, not ${describeType(value)}.`);
    }
    if (name === "signal" && !isSignal(value)) {
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

/**
 * Describes, for a message, a value that is not an object or not a function. Shorter than `describeValue`, to keep
 * bundles small.
 */
function describeType(value: unknown): string {
  return value === null || value === undefined
    ? String(value)
    : typeof value === "object"
      ? "an object"
      : `a ${typeof value}`;
}

function isSignal(value: object): boolean {
  return "aborted" in value && typeof Object(value).addEventListener === "function";
}
