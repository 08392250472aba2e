import { findNearestName, suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError } from "../errors.js";
import { isPromise } from "../is-promise.js";

/** Returns a member of an object or of its class, but not of `Object.prototype`. */
export function getHandlerMember(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null) {
    return undefined;
  }
  const isInherited = name in Object.prototype && !Object.hasOwn(object, name);
  return isInherited ? undefined : Reflect.get(object, name);
}

/** The valid handler names for a service or a group of endpoints. */
export interface HandlerNames {
  readonly names: readonly string[];
  /** The service or interface, as messages name it. */
  readonly owner: string;
}

/**
 * Throws `ConfigError` if a name in an object literal is probably a misspelled handler name. Otherwise, with the option
 * `missing`, the operation would have no handler, without any error. Classes and modules are not checked, because they
 * can have functions that are not handlers; for these, `describeSimilarHandler` mentions the name in the error of a
 * call.
 */
export function checkHandlerNames(handlers: object, { names, owner }: HandlerNames): void {
  // A Proxy that has a handler for every name also seems to have the method `then`.
  if (isPromise(handlers) && !names.some((name) => name in handlers)) {
    throw new ConfigError(`The handlers of ${owner} are a promise. Await it, as the result of import().`);
  }
  const unhandledNames = names.filter((name) => getHandlerMember(handlers, name) === undefined);
  for (const name of unhandledNames.length === 0 ? [] : listHandlerNames(handlers)) {
    const suggestion = names.includes(name) ? "" : suggestNearest(name, unhandledNames);
    if (suggestion !== "" && Object.getPrototypeOf(handlers) === Object.prototype) {
      throw new ConfigError(`The handler "${name}" belongs to no operation of ${owner}.${suggestion}`);
    }
  }
}

/**
 * Returns a sentence for the error about an operation without a handler. The sentence names another function with a
 * similar name. Returns "" if there is none. `names` are the valid names of handlers.
 */
export function describeSimilarHandler(handlers: object, name: string, names: readonly string[]): string {
  const otherNames = listHandlerNames(handlers).filter((otherName) => !names.includes(otherName));
  const similarName = findNearestName(name, otherNames);
  return similarName === undefined ? "" : ` If the name ${similarName} is a misspelling of ${name}, correct it.`;
}

/** Returns the names of the functions and groups in an object and its class. Calls no getters. */
function listHandlerNames(handlers: object): readonly string[] {
  const names = new Set<string>();
  let object: unknown = handlers;
  while (typeof object === "object" && object !== null && object !== Object.prototype) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
      const isGroup = object === handlers && typeof value === "object" && value !== null;
      if (name !== "constructor" && (isGroup || typeof value === "function")) {
        names.add(name);
      }
    }
    object = Object.getPrototypeOf(object);
  }
  return [...names];
}

/**
 * Checks the names of handlers and groups at each level of a group: `core`, then `media` in it, then `list` in that.
 * `paths` contains the name of each endpoint in the group, split into words.
 */
export function checkGroupNames(group: object, paths: readonly (readonly string[])[], owner: string): void {
  const names = listFirstWords(paths);
  checkHandlerNames(group, { owner, names });
  for (const name of names) {
    const subgroup = getHandlerMember(group, name);
    if (typeof subgroup === "object" && subgroup !== null) {
      checkGroupNames(subgroup, listPathsBelow(paths, name), owner);
    }
  }
}

/**
 * Follows a path to its first word for which there is no group, and describes a function or group with a similar name.
 * Returns "" if there is none.
 */
export function describeSimilarInGroup(
  group: object,
  [name = "", ...rest]: readonly string[],
  paths: readonly (readonly string[])[],
): string {
  const subgroup = getHandlerMember(group, name);
  return typeof subgroup === "object" && subgroup !== null
    ? describeSimilarInGroup(subgroup, rest, listPathsBelow(paths, name))
    : describeSimilarHandler(group, name, listFirstWords(paths));
}

function listFirstWords(paths: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(paths.flatMap(([name = []]) => name))];
}

function listPathsBelow(paths: readonly (readonly string[])[], name: string): readonly (readonly string[])[] {
  return paths.filter(([word, ...rest]) => word === name && rest.length > 0).map(([, ...rest]) => rest);
}
