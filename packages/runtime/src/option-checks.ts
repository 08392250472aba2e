import { suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError } from "./errors.js";
import { findWrongOption, type OptionType, objectType } from "./option-types.js";
import { describeValue } from "./value-problems.js";

// Checks the options of servers and of the functions that create hooks and middleware, when the program starts. Without
// these checks, a misspelled option would have no effect, or each call would fail with an error about something else.

/** Describes the value of an option. Texts are left out, because they may be secret. */
export function describeOptionValue(value: unknown): string {
  return typeof value === "number" ? String(value) : describeValue(value);
}

/**
 * Throws `ConfigError` for an object that has unknown members. Does not check the names in an instance of a class,
 * which may have other members. `owner` is the subject of the message: `The option "requestIds"`.
 */
export function checkNames(members: object, knownNames: readonly string[], owner: string, noun = "member"): void {
  const prototype: unknown = Object.getPrototypeOf(members);
  // The prototype of an object literal has no prototype itself. The literal may come from another realm.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return;
  }
  const unknownName = Object.keys(members).find((name) => !knownNames.includes(name));
  if (unknownName === undefined) {
    return;
  }
  const advice = suggestNearest(unknownName, knownNames) || ` Use ${knownNames.join(", ")}.`;
  throw new ConfigError(`${owner} has no ${noun} ${JSON.stringify(unknownName)}.${advice}`);
}

/** Throws `ConfigError` for options of a function that are unknown, missing or of another type. */
export function checkOptionsOf(owner: string, options: object, types: Readonly<Record<string, OptionType>>): void {
  if (!objectType.accepts(options) || Array.isArray(options)) {
    throw new ConfigError(`The options of ${owner} must be an object, not ${describeValue(options)}.`);
  }
  checkNames(options, Object.keys(types), owner, "option");
  const wrong = findWrongOption(options, types);
  if (wrong !== undefined) {
    const { name, value, description } = wrong;
    throw new ConfigError(
      `The option "${name}" of ${owner} must be ${description}, not ${describeOptionValue(value)}.`,
    );
  }
}

/**
 * Throws `ConfigError` if none of the options with these names is set. `consequence` completes the sentence "without
 * it, …".
 */
export function requireAny(owner: string, options: object, names: readonly string[], consequence: string): void {
  if (names.every((name) => Reflect.get(options, name) === undefined)) {
    const list = names.map((name) => JSON.stringify(name)).join(" or ");
    throw new ConfigError(`${owner} requires the option ${list}: without it, ${consequence}.`);
  }
}
