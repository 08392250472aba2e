import type { AnyEndpointDescriptor, ArgDescriptor, JsonObject, JsonValue } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import { ArgumentProblem } from "../../rest/argument-problems.js";
import { type ArgumentSchema, compileSchema } from "../../rest/argument-schema.js";
import { isObject } from "../../rest/php-values.js";
import { type ArgumentContext, ItemCount, ItemLimitError, readArgument } from "../../rest/read-argument.js";
import { variablesOf } from "../../rest/route-paths.js";
import type { Refusal, RestConventions } from "../../rest/wordpress-conventions.js";
import { LimitError, type ServerLimits } from "../limits.js";
import { RefusedRequest } from "./errors.js";
import type { ServedEndpoint } from "./serving.js";

/** An argument, ready to be checked. */
export interface ServedArg {
  readonly name: string;
  readonly schema: ArgumentSchema;
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

interface ArgFacts {
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
): ArgumentSchema {
  const limited = withHiddenLimits(name, definition, conventions);
  const schema = compileSchema(limited);
  if (
    limited === definition ||
    value === undefined ||
    !(readArgument(value, schema, uncounted(name)) instanceof ArgumentProblem)
  ) {
    return schema;
  }
  return compileSchema(definition);
}

function constantOf(value: JsonValue | undefined, schema: ArgumentSchema, name: string): ServedArg["constant"] {
  const read = value === undefined ? undefined : readArgument(value, schema, uncounted(name));
  return typeof read === "string" || typeof read === "number" || typeof read === "boolean" ? read : undefined;
}

/** A default is the index's own, and no limit of requests applies. */
function uncounted(name: string): ArgumentContext {
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

/** Where arguments come from, the first first. */
interface Sources {
  readonly path: ReadonlyMap<string, string>;
  readonly json: JsonObject | undefined;
  readonly form: ReadonlyMap<string, JsonValue> | undefined;
  readonly query: ReadonlyMap<string, JsonValue>;
}

/** The input of a call: every argument that is given or has a default, valid and in its type. Throws `RefusedRequest` or `LimitError`. */
export function readInput(
  { args }: ServedEndpoint,
  sources: Sources,
  { jsonItems }: Pick<ServerLimits, "jsonItems">,
): Readonly<Record<string, JsonValue>> {
  try {
    return readArgs(args, sources, new ItemCount(jsonItems));
  } catch (error) {
    throw error instanceof ItemLimitError ? new LimitError("jsonItems", jsonItems) : error;
  }
}

function readArgs(args: readonly ServedArg[], sources: Sources, items: ItemCount): Readonly<Record<string, JsonValue>> {
  const input: Record<string, JsonValue> = {};
  const missing: string[] = [];
  const refused: Refused[] = [];
  for (const arg of args) {
    const given = givenValue(arg, sources);
    const read = given === undefined ? absentValue(arg, sources) : readArg(arg, given, items);
    if (read instanceof ArgumentProblem) refused.push({ arg, problem: read });
    else if (read !== undefined) input[arg.name] = read;
    else if (arg.required) missing.push(arg.name);
  }
  if (missing.length > 0) throw missingError(missing);
  if (refused.length > 0) throw invalidError(firstStage(refused, sources));
  return input;
}

/** What the request gives for an argument. What is in the path comes from there alone; a null is not given. */
function givenValue(arg: ServedArg, { path, json, form, query }: Sources): JsonValue | undefined {
  const inPath = path.get(arg.name);
  if (arg.inPath && inPath !== undefined) return inPath;
  const own = json !== undefined && Object.hasOwn(json, arg.name) ? json[arg.name] : undefined;
  return own ?? form?.get(arg.name) ?? query.get(arg.name);
}

/** What stands for an argument that is not given: null where the request resets it, else its default. */
function absentValue(arg: ServedArg, { json }: Sources): JsonValue | ArgumentProblem | undefined {
  if (arg.default !== undefined) return arg.constant ?? readArg(arg, arg.default, new ItemCount());
  return arg.nullable && json !== undefined && Object.hasOwn(json, arg.name) ? null : undefined;
}

function readArg(arg: ServedArg, value: JsonValue, items: ItemCount): JsonValue | ArgumentProblem {
  return arg.rawText ? rawText(value) : readArgument(value, arg.schema, { name: arg.name, items });
}

/** Plain text, or an object; whatever else is given says nothing. */
function rawText(value: JsonValue): JsonValue {
  if (typeof value === "string") return { raw: value };
  return isObject(value) ? value : {};
}

interface Refused {
  readonly arg: ServedArg;
  readonly problem: ArgumentProblem;
}

/**
 * Arguments are checked in two stages, and everything wrong in one is told together: those that are checked first in
 * the order of the index, then the others as the request names them.
 */
function firstStage(refused: readonly Refused[], { json, form, query }: Sources): readonly Refused[] {
  const first = refused.filter(({ arg }) => arg.first);
  if (first.length > 0) return first;
  const named = [...Object.keys(json ?? {}), ...(form?.keys() ?? []), ...query.keys()];
  const place = ({ arg }: Refused) => (named.includes(arg.name) ? named.indexOf(arg.name) : named.length);
  return [...refused].sort((one, other) => place(one) - place(other));
}

function missingError(names: readonly string[]): RefusedRequest {
  const answer = new RestError({
    code: "rest_missing_callback_param",
    message: `Missing parameter(s): ${names.join(", ")}`,
    status: 400,
    data: { params: names },
  });
  return new RefusedRequest(
    answer,
    names.map((name) => ({ path: pathOf(name), reason: "The argument is required." })),
  );
}

/** `/include/1` for `include[1]`. */
function pathOf(name: string): string {
  return `/${name.replaceAll("[", "/").replaceAll("]", "")}`;
}

function invalidError(refused: readonly Refused[]): RefusedRequest {
  const told = refused.map(({ arg, problem }) => ({ name: arg.name, ...wordsOf(arg, problem) }));
  const details = told.flatMap(({ name, detail }) => (detail === undefined ? [] : [[name, detail] as const]));
  const answer = new RestError({
    code: "rest_invalid_param",
    message: `Invalid parameter(s): ${told.map(({ name }) => name).join(", ")}`,
    status: 400,
    data: {
      params: Object.fromEntries(told.map(({ name, message }) => [name, message])),
      // PHP writes an empty map as a list.
      details: details.length === 0 ? [] : Object.fromEntries(details),
    },
  });
  return new RefusedRequest(
    answer,
    refused.map(({ problem }) => ({ path: pathOf(problem.name), reason: problem.message })),
  );
}

/** What is wrong with an argument, as the wire has it. */
interface Words {
  readonly message: string;
  readonly detail?: NonNullable<Refusal["detail"]> & { readonly message: string };
}

function wordsOf({ refusal }: ServedArg, { code, message, data }: ArgumentProblem): Words {
  if (refusal === undefined) return { message, detail: { code, message, data } };
  const { message: ownMessage, detail } = refusal;
  return detail === undefined
    ? { message: ownMessage }
    : { message: ownMessage, detail: { message: ownMessage, ...detail } };
}
