import { suggestNearest } from "@bothends/xml/nearest-name";
import { EncodeError } from "../../answer-errors.js";
import type { ArgDescriptor, JsonValue, MemberDescriptor } from "../../descriptor.js";
import { describeValue } from "../../value-problems.js";

/** The members that WordPress returns as objects, `{ raw, rendered }`, and for which it also accepts strings. */
const textNames = ["title", "content", "excerpt", "caption", "description"] as const;

/**
 * The arguments that a call accepts. In addition to the types in the index, a call accepts a single item in place of a
 * list (unless the item is an object), and a string where WordPress returns an object with `raw` and `rendered`. The
 * request then contains a list, or an object with `raw`.
 */
export type Accepted<Input> = {
  [Name in keyof Input]: Input[Name] | ShortForm<Name, Input[Name]>;
};

type ShortForm<Name, Value> = Value extends readonly (infer Item)[]
  ? Extract<Item, string | number | boolean>
  : Value extends object
    ? Name extends (typeof textNames)[number]
      ? string
      : never
    : never;

/**
 * The input of a call that uses a descriptor: the accepted arguments and, for endpoints that have them, the arguments
 * `force` and `context`, which narrow the type of the answer. A descriptor without types accepts every argument.
 */
export type InputOf<Input, Force, Context> = Accepted<Input> &
  Argument<"force", Force> &
  Argument<"context", Context> &
  (unknown extends Input
    ? Readonly<Record<string, unknown>> | object
    : { readonly [Name in Exclude<"force" | "context", keyof Input>]?: never });

/**
 * Infers the type of an optional argument, including `undefined`. Without the first member of the union, the compiler
 * would leave out `undefined`, because the member is optional.
 */
export type Argument<Name extends string, Value> =
  | { readonly [Each in Name]: Value }
  | { readonly [Each in Name]?: Value | undefined };

/** The maximum depth of an argument's value. Deeper values are assumed to contain themselves. */
const maxDepth = 64;

type Arguments = Readonly<Record<string, ArgDescriptor>>;

/**
 * Checks the arguments of a call against their types in the index. Values must be JSON; inherited and undefined members
 * are left out.
 */
export function checkArguments(input: object, args: Arguments): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const [name, value] of listDefinedMembers(input)) {
    const arg = Object.hasOwn(args, name) ? args[name] : undefined;
    if (arg === undefined) {
      const advice = 'Pass unlisted arguments in the option "extra".';
      throw new EncodeError(`There is no argument "${name}".${suggestNearest(name, Object.keys(args))} ${advice}`, {
        path: "/",
        reason: `The index does not declare all arguments of the input. ${advice}`,
      });
    }
    values.set(name, checkValue(toDeclaredType(value, name, arg), { arg, path: `/${name}`, depth: 1 }));
  }
  for (const name of Object.keys(args)) {
    if (args[name]?.required === true && !values.has(name)) {
      throw createArgumentError(`/${name}`, "The argument is required.");
    }
  }
  return values;
}

/**
 * Converts a single item to a list, or a string to an object, if the index declares a list or an object but not the
 * type of the value.
 */
function toDeclaredType(value: unknown, name: string, { type = [] }: ArgDescriptor): unknown {
  const types = typeof type === "string" ? [type] : type;
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  if (!isScalar || types.some((type) => isOfType(value, type))) {
    return value;
  }
  if (types.includes("array")) {
    return [value];
  }
  const isText = typeof value === "string" && textNames.some((textName) => textName === name);
  return isText && types.includes("object") ? { raw: value } : value;
}

/** Checks arguments that the index does not list: their values must be JSON. */
export function checkExtraArguments(extra: object): ReadonlyMap<string, JsonValue> {
  return new Map(
    listDefinedMembers(extra).map(([name, value]) => [
      name,
      checkValue(value, { arg: {}, path: `/${name}`, depth: 1 }),
    ]),
  );
}

function listDefinedMembers(object: object): readonly (readonly [string, unknown])[] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

interface ArgumentPath {
  readonly arg: MemberDescriptor;
  readonly path: string;
  readonly depth: number;
}

function checkValue(value: unknown, context: ArgumentPath): JsonValue {
  const { arg, path, depth } = context;
  if (depth > maxDepth) {
    throw createArgumentError(path, `The value is nested deeper than ${maxDepth} levels, or contains itself.`);
  }
  const json = convertJsonValue(value, context);
  if (arg.type !== undefined) {
    checkType(json, arg.type, path);
  }
  if (arg.enum !== undefined && !arg.enum.some((allowedValue) => allowedValue === json)) {
    const allowedTexts = arg.enum.slice(0, 12).map((allowedValue) => JSON.stringify(allowedValue));
    throw createArgumentError(
      path,
      `The value must be one of ${allowedTexts.join(", ")}${arg.enum.length > 12 ? ", …" : ""}.`,
    );
  }
  return json;
}

function convertJsonValue(value: unknown, context: ArgumentPath): JsonValue {
  switch (typeof value) {
    case "boolean":
      return value;
    case "string":
      if (/[\ud800-\udfff]/u.test(value)) {
        throw createArgumentError(
          context.path,
          "The string contains half of a surrogate pair, which UTF-8 cannot encode.",
        );
      }
      return value;
    case "number":
      if (!Number.isFinite(value)) {
        throw createArgumentError(context.path, "The number must be finite.");
      }
      return value;
    case "object":
      if (value === null) {
        return null;
      }
      return Array.isArray(value) ? convertList(value, context) : convertObject(value, context);
    default:
      throw createArgumentError(context.path, `The value must be a JSON value, not ${describeValue(value)}.`);
  }
}

function convertList(list: readonly unknown[], { arg, path, depth }: ArgumentPath): JsonValue {
  return Array.from(list, (item, index) =>
    checkValue(item, { arg: arg.items ?? {}, path: `${path}/${index}`, depth: depth + 1 }),
  );
}

function convertObject(object: object, { arg, path, depth }: ArgumentPath): JsonValue {
  const { properties = {} } = arg;
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw createArgumentError(path, `The value must be a plain object, not ${describeValue(object)}.`);
  }
  const members = listDefinedMembers(object).map(([name, value]) => {
    const memberType = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, checkValue(value, { arg: memberType ?? {}, path: `${path}/${name}`, depth: depth + 1 })] as const;
  });
  return Object.fromEntries(members);
}

function checkType(value: JsonValue, type: string | readonly string[], path: string): void {
  const types = typeof type === "string" ? [type] : type;
  if (!types.some((name) => isOfType(value, name))) {
    throw createArgumentError(path, `The value must be of type ${types.join(" or ")}, not ${describeValue(value)}.`);
  }
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

/** Returns the error for an invalid argument. The reason must not contain the value of the argument. */
export function createArgumentError(path: string, reason: string): EncodeError {
  return new EncodeError(`${path}: ${reason}`, { path, reason });
}
