import type { AnyEndpointDescriptor, ArgDescriptor, JsonObject, JsonValue } from "../../descriptor.js";
import { Problem } from "../../rest/argument-problems.js";
import { compileSchema, type Schema } from "../../rest/argument-schema.js";
import { isObject } from "../../rest/php-values.js";
import { ItemCount, readValue, type ValuePlace } from "../../rest/read-argument.js";
import { variablesOf } from "../../rest/route-paths.js";
import type { Refusal, RestConventions } from "../../rest/wordpress-conventions.js";

/** An argument, ready to be checked. */
export interface ServedArg {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly default: JsonValue | undefined;
  /** The default in its type, where it is a single valid value: what handlers may change is made anew. */
  readonly constant: string | number | boolean | undefined;
  /** A null in a JSON body is told to the handler. */
  readonly nullable: boolean;
  /** It is filled from the path, and from nowhere else where the path has it. */
  readonly inPath: boolean;
  /** It is checked in the first of the two stages. */
  readonly first: boolean;
  /** It also takes plain text, as `{ raw }`. */
  readonly rawText: boolean;
  /** How it is refused, in words of its own. */
  readonly refusal: Refusal | undefined;
}

export interface ArgFacts {
  readonly conventions: RestConventions;
  /** A namespace's name on the wire: it is the default of an index route's argument. */
  readonly wireName: (namespace: string) => string;
}

const limitWords = ["format", "minimum", "maximum", "pattern", "minLength", "maxLength", "minItems", "maxItems"];

/** Prepares the arguments of an endpoint: as the index defines them, then path variables that it does not. */
export function compileArgs(endpoint: AnyEndpointDescriptor, index: JsonValue, facts: ArgFacts): readonly ServedArg[] {
  const variables = new Map(variablesOf(endpoint.path).map(({ variable, required }) => [variable, required]));
  const declared = declaredArgs(endpoint, index);
  const undeclared = [...variables.keys()].filter((name) => !declared.some(([known]) => known === name));
  return [
    ...declared.map(([name, definition]) => compileArg({ name, definition, endpoint, index, variables }, facts)),
    ...undeclared.map((name) => compileArg({ name, definition: {}, endpoint, index, variables }, facts)),
  ];
}

interface Declared {
  readonly name: string;
  readonly definition: JsonObject;
  readonly endpoint: AnyEndpointDescriptor;
  readonly index: JsonValue;
  /** The variables of the path, and whether each is always given. */
  readonly variables: ReadonlyMap<string, boolean>;
}

function compileArg({ name, definition, endpoint, index, variables }: Declared, facts: ArgFacts): ServedArg {
  const { conventions } = facts;
  const inPath = variables.has(name);
  const typed =
    definition["type"] === undefined && inPath ? { ...definition, ...typeOf(endpoint.args[name]) } : definition;
  const reads = endpoint.methods.includes("GET");
  const value = defaultOf(name, definition, endpoint, facts);
  const schema = schemaOf(name, typed, value, conventions);
  const isAction = !routeMethods(endpoint.route, index).includes("GET");
  const first = reads ? conventions.checkedFirst.includes(name) : !isAction && !conventions.checkedLast.includes(name);
  return {
    name,
    schema,
    required: variables.get(name) === true || isTrue(definition["required"]),
    default: value,
    constant: constantOf(value, schema, name),
    nullable: !inPath && schema.types?.includes("null") === true,
    inPath,
    first,
    rawText: !reads && conventions.rawText.includes(name) && schema.types?.join() === "object",
    refusal: conventions.refusals.find(
      (one) => one.name === name && (one.of === "GET") === reads && schema.types?.join() === one.type,
    ),
  };
}

/** A limit that the default passes is none that is hidden. */
function schemaOf(
  name: string,
  definition: JsonObject,
  value: JsonValue | undefined,
  conventions: RestConventions,
): Schema {
  const limited = withHiddenLimits(name, definition, conventions);
  const schema = compileSchema(limited);
  if (
    limited === definition ||
    value === undefined ||
    !(readValue(value, schema, uncounted(name)) instanceof Problem)
  ) {
    return schema;
  }
  return compileSchema(definition);
}

function constantOf(value: JsonValue | undefined, schema: Schema, name: string): ServedArg["constant"] {
  const read = value === undefined ? undefined : readValue(value, schema, uncounted(name));
  return typeof read === "string" || typeof read === "number" || typeof read === "boolean" ? read : undefined;
}

/** A default is the index's own, and no limit of requests applies. */
function uncounted(name: string): ValuePlace {
  return { name, items: new ItemCount() };
}

/** A null default is none. An index route's own namespace has the name it has on the wire. */
function defaultOf(
  name: string,
  definition: JsonObject,
  endpoint: AnyEndpointDescriptor,
  { wireName }: ArgFacts,
): JsonValue | undefined {
  const value = Object.hasOwn(definition, "default") ? definition["default"] : undefined;
  if (name === "namespace" && typeof value === "string" && endpoint.route === `/${value}`) return wireName(value);
  return value ?? undefined;
}

function typeOf(arg: ArgDescriptor | undefined): JsonObject {
  return arg?.type === undefined ? {} : { type: arg.type };
}

function withHiddenLimits(name: string, definition: JsonObject, { hiddenLimits }: RestConventions): JsonObject {
  const hidden = Object.hasOwn(hiddenLimits, name) ? hiddenLimits[name] : undefined;
  if (hidden === undefined) return definition;
  const types = [definition["type"]].flat();
  const numeric = types.includes("integer") || types.includes("number");
  const fitting = Object.entries(hidden).filter(([word]) => (word === "format" ? types.includes("string") : numeric));
  return { ...Object.fromEntries(fitting), ...definition };
}

/** The definitions of an endpoint's arguments in the index: of the first endpoint of its route with its method. */
function declaredArgs(endpoint: AnyEndpointDescriptor, index: JsonValue): readonly (readonly [string, JsonObject])[] {
  const entry = member(member(index, "routes"), endpoint.route);
  const [method] = endpoint.methods;
  const found = values(member(entry, "endpoints")).find((one) => methodWords(member(one, "methods")).includes(method));
  const args = member(found, "args");
  // PHP writes names that are 0, 1 … as a list.
  if (typeof args !== "object" || args === null) return [];
  return Object.entries(args).map(([name, definition]) => [name, isObject(definition) ? definition : {}] as const);
}

function routeMethods(route: string, index: JsonValue): readonly string[] {
  const endpoints = values(member(member(member(index, "routes"), route), "endpoints"));
  return endpoints.flatMap((endpoint) => methodWords(member(endpoint, "methods")));
}

/** A list of names, or an object from names to true. */
function methodWords(methods: JsonValue | undefined): readonly string[] {
  if (!isObject(methods)) return values(methods).map(String);
  return Object.entries(methods).map(([name, value]) => String(value === true ? name : value));
}

/** Whether any argument of the index has a limit: then none are hidden. */
export function listsLimits(index: JsonValue): boolean {
  const routes = member(index, "routes");
  return values(routes).some((entry) =>
    values(member(entry, "endpoints")).some((endpoint) =>
      values(member(endpoint, "args")).some((arg) => limitWords.some((word) => member(arg, word) !== undefined)),
    ),
  );
}

function member(of: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
}

function values(of: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(of)) return of;
  return isObject(of) ? Object.values(of).map((value) => value ?? null) : [];
}

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "true";
}
