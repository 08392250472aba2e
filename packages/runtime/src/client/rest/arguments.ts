import type { ArgDescriptor, JsonValue, MemberDescriptor } from "../../descriptor.js";
import { EncodeError } from "../../errors.js";
import { nearest } from "../../nearest.js";

/** Deeper values are taken for circular ones. */
const maxDepth = 64;

type Arguments = Readonly<Record<string, ArgDescriptor>>;

/**
 * The arguments of a call, checked by what the index says of each: only the input's own members, and only what JSON can
 * carry. Undefined members are left out.
 */
export function checkedArguments(input: object, args: Arguments): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const name of Object.keys(input)) {
    const value: unknown = Reflect.get(input, name);
    if (value === undefined) continue;
    const arg = Object.hasOwn(args, name) ? args[name] : undefined;
    if (arg === undefined) {
      throw refuse(
        `/${name}`,
        `There is no argument "${name}".${nearest(name, Object.keys(args))} The option extra takes others.`,
      );
    }
    found.set(name, checked(value, { arg, path: `/${name}`, depth: 1 }));
  }
  for (const name of Object.keys(args)) {
    if (args[name]?.required === true && !found.has(name)) throw refuse(`/${name}`, "The argument is required.");
  }
  return found;
}

/** Any members that JSON can carry: for arguments that the index does not list. */
export function extraArguments(extra: object): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const name of Object.keys(extra)) {
    const value: unknown = Reflect.get(extra, name);
    if (value !== undefined) found.set(name, checked(value, { arg: {}, path: `/${name}`, depth: 1 }));
  }
  return found;
}

interface Place {
  readonly arg: MemberDescriptor;
  readonly path: string;
  readonly depth: number;
}

function checked(value: unknown, place: Place): JsonValue {
  const { arg, path, depth } = place;
  if (depth > maxDepth) throw refuse(path, `Values are nested deeper than ${maxDepth} levels.`);
  const json = jsonValue(value, place);
  if (arg.type !== undefined) checkType(json, arg.type, path);
  if (arg.enum !== undefined && !arg.enum.some((allowed) => allowed === json)) {
    const text = arg.enum.slice(0, 12).map((allowed) => JSON.stringify(allowed));
    throw refuse(path, `The value is one of ${text.join(", ")}${arg.enum.length > 12 ? ", …" : ""}.`);
  }
  return json;
}

function jsonValue(value: unknown, place: Place): JsonValue {
  switch (typeof value) {
    case "boolean":
      return value;
    case "string":
      if (/\p{Surrogate}/u.test(value)) throw refuse(place.path, "The text holds half a character.");
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refuse(place.path, "The number is not finite.");
      return value;
    case "object":
      if (value === null) return null;
      return Array.isArray(value) ? jsonList(value, place) : jsonObject(value, place);
    default:
      throw refuse(place.path, `JSON has no ${value === undefined ? "undefined" : typeof value}.`);
  }
}

function jsonList(list: readonly unknown[], { arg, path, depth }: Place): JsonValue {
  return Array.from(list, (item, index) =>
    checked(item, { arg: arg.items ?? {}, path: `${path}/${index}`, depth: depth + 1 }),
  );
}

function jsonObject(object: object, { arg, path, depth }: Place): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw refuse(path, "Only plain objects go into JSON.");
  const members: [string, JsonValue][] = [];
  for (const name of Object.keys(object)) {
    const value: unknown = Reflect.get(object, name);
    if (value === undefined) continue;
    const known =
      arg.properties !== undefined && Object.hasOwn(arg.properties, name) ? arg.properties[name] : undefined;
    members.push([name, checked(value, { arg: known ?? {}, path: `${path}/${name}`, depth: depth + 1 })]);
  }
  return Object.fromEntries(members);
}

function checkType(value: JsonValue, type: string | readonly string[], path: string): void {
  const types = typeof type === "string" ? [type] : type;
  if (!types.some((name) => isOfType(value, name))) throw refuse(path, `The value is of type ${types.join(" or ")}.`);
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function refuse(path: string, message: string): EncodeError {
  return new EncodeError(`${path}: ${message}`, { path });
}
