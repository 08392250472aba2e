import { findNearestName, suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError } from "../errors.js";

/** Returns a member of an object or of its class, but not of `Object.prototype`. */
export function getHandlerMember(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null) {
    return undefined;
  }
  const isInherited = name in Object.prototype && !Object.hasOwn(object, name);
  return isInherited ? undefined : Reflect.get(object, name);
}

/** The names that the handlers of a service or of a group of endpoints may have. */
export interface HandlerNames {
  readonly names: readonly string[];
  /** The service or the interface. */
  readonly owner: string;
}

/**
 * Throws `ConfigError` for a handler in an object literal whose name is probably misspelled, because with the option
 * `missing` the operation would silently have no handler. Classes and modules may have functions that are not handlers,
 * so for them `describeSimilarHandler` adds the name to the error of a call.
 */
export function checkHandlerNames(handlers: object, { names, owner }: HandlerNames): void {
  const unhandledNames = names.filter((name) => getHandlerMember(handlers, name) === undefined);
  for (const name of unhandledNames.length === 0 ? [] : listHandlerNames(handlers)) {
    const suggestion = names.includes(name) ? "" : suggestNearest(name, unhandledNames);
    if (suggestion !== "" && Object.getPrototypeOf(handlers) === Object.prototype) {
      throw new ConfigError(`The handler "${name}" belongs to no operation of ${owner}.${suggestion}`);
    }
  }
}

/**
 * Returns a sentence to append to the error for an operation without a handler: which other function has a similar name.
 * Empty if none has. `names` are the names that handlers may have.
 */
export function describeSimilarHandler(handlers: object, name: string, names: readonly string[]): string {
  const otherNames = listHandlerNames(handlers).filter((otherName) => !names.includes(otherName));
  const similarName = findNearestName(name, otherNames);
  return similarName === undefined ? "" : ` If ${similarName} is meant for it, rename it to ${name}.`;
}

/** Returns the names of the functions and groups of an object and of its class. Calls no getters. */
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
 * Checks the names of handlers and groups: `core`, in it `media`, in it `list`. `paths` are the names of the endpoints
 * below the group, as words.
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

/** Describes a function or a group with a name similar to the first word of the path that has neither. */
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
