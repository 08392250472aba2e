import { RestError } from "../../answer-errors.js";
import type { AnyEndpointDescriptor, ArgDescriptor, JsonObject, JsonValue } from "../../descriptor.js";
import {
  describeLostPlus,
  describeSimilarName,
  findMisspelledNames,
  type IgnoredName,
} from "../../observe/misspelled-names.js";
import { listHiddenLimits } from "../../rest/argument-limits.js";
import { ArgumentProblem, type ArgumentSchema, compileSchema, listValues } from "../../rest/argument-schema.js";
import { isJsonObject } from "../../rest/php-json.js";
import { type ArgumentContext, ItemCount, ItemLimitError, readArgument } from "../../rest/read-argument.js";
import { listVariables } from "../../rest/route-paths.js";
import type { ArgumentRefusal, RestConventions } from "../../rest/wordpress-conventions.js";
import { LimitError, type ServerLimits } from "../../server-limits.js";
import { RefusedRequest } from "./rest-errors.js";

/** An argument of an endpoint, with everything that is needed to read it from requests. */
export interface ServedArg {
  readonly name: string;
  readonly schema: ArgumentSchema;
  readonly required: boolean;
  readonly default: JsonValue | undefined;
  /**
   * The default, already converted to its type. Set only if the default is a valid string, number or boolean: objects
   * and lists are read again for each request, because handlers may change them.
   */
  readonly constant: string | number | boolean | undefined;
  /** Whether the handler receives null if the JSON body contains null. */
  readonly nullable: boolean;
  /**
   * Whether the path has a variable with the argument's name. If this variable has a value, the argument is not read
   * from anywhere else.
   */
  readonly isInPath: boolean;
  /** Whether the argument is checked in the first of the two stages in which WordPress checks arguments. */
  readonly isCheckedFirst: boolean;
  /** Whether this argument of type object also accepts plain text, which becomes `{ raw }`. */
  readonly acceptsRawText: boolean;
  /** The message that is used for every problem of this argument. Undefined if the conventions define none. */
  readonly refusal: ArgumentRefusal | undefined;
}

interface ArgContext {
  readonly conventions: RestConventions;
  /**
   * Returns the name of a namespace on the wire. It is the default of the argument `namespace` on the index route of a
   * namespace.
   */
  readonly getWireName: (namespace: string) => string;
}

/**
 * Prepares the arguments of an endpoint: first the arguments that the index lists, and then the path variables that it
 * does not list.
 */
export function compileArgs(
  endpoint: AnyEndpointDescriptor,
  index: JsonValue,
  context: ArgContext,
): readonly ServedArg[] {
  const requiredByVariable = new Map(
    listVariables(endpoint.path).map(({ variable, required }) => [variable, required]),
  );
  const declaredArguments = listDeclaredArgs(endpoint, index);
  const undeclaredVariables = [...requiredByVariable.keys()].filter(
    (name) => !declaredArguments.some(([declaredName]) => declaredName === name),
  );
  return [
    ...declaredArguments.map(([name, definition]) =>
      compileArg({ name, definition, endpoint, index, requiredByVariable }, context),
    ),
    ...undeclaredVariables.map((name) =>
      compileArg({ name, definition: {}, endpoint, index, requiredByVariable }, context),
    ),
  ];
}

interface DeclaredArg {
  readonly name: string;
  readonly definition: JsonObject;
  readonly endpoint: AnyEndpointDescriptor;
  readonly index: JsonValue;
  /** The variables of the path, and whether each is required. */
  readonly requiredByVariable: ReadonlyMap<string, boolean>;
}

function compileArg(
  { name, definition, endpoint, index, requiredByVariable }: DeclaredArg,
  context: ArgContext,
): ServedArg {
  const { conventions } = context;
  const isInPath = requiredByVariable.has(name);
  const definitionWithType =
    definition["type"] === undefined && isInPath ? { ...definition, ...getType(endpoint.args[name]) } : definition;
  const isRead = endpoint.methods.includes("GET");
  const value = findDefault(name, definition, endpoint, context);
  const schema = createSchema(name, definitionWithType, value, conventions);
  const isAction = !listRouteMethods(endpoint.route, index).includes("GET");
  const isCheckedFirst = isRead
    ? conventions.checkedFirst.includes(name)
    : !isAction && !conventions.checkedLast.includes(name);
  return {
    name,
    schema,
    required: requiredByVariable.get(name) === true || isTrueInPhp(definition["required"]),
    default: value,
    constant: findConstant(value, schema, name),
    nullable: !isInPath && schema.types?.includes("null") === true,
    isInPath,
    isCheckedFirst,
    acceptsRawText: !isRead && conventions.rawText.includes(name) && schema.types?.join() === "object",
    refusal: conventions.refusals.find(
      (refusal) =>
        refusal.name === name && (refusal.method === "GET") === isRead && schema.types?.join() === refusal.type,
    ),
  };
}

/**
 * Compiles the schema of an argument. Adds the hidden limits of the conventions, unless the default value exceeds them.
 */
function createSchema(
  name: string,
  definition: JsonObject,
  value: JsonValue | undefined,
  conventions: RestConventions,
): ArgumentSchema {
  const limitedDefinition = { ...listHiddenLimits(name, definition, conventions.hiddenLimits), ...definition };
  const schema = compileSchema(limitedDefinition);
  if (value === undefined || !(readArgument(value, schema, createDefaultContext(name)) instanceof ArgumentProblem)) {
    return schema;
  }
  return compileSchema(definition);
}

function findConstant(value: JsonValue | undefined, schema: ArgumentSchema, name: string): ServedArg["constant"] {
  const constant = value === undefined ? undefined : readArgument(value, schema, createDefaultContext(name));
  const isScalar = typeof constant === "string" || typeof constant === "number" || typeof constant === "boolean";
  return isScalar ? constant : undefined;
}

/**
 * Returns a context without limits, for reading a default value. Such a value comes from the index and not from a
 * request.
 */
function createDefaultContext(name: string): ArgumentContext {
  return { name, items: new ItemCount(), allowsRounded: true };
}

/**
 * Returns the default of an argument. Returns undefined if the argument has no default, or the default null. On the
 * index route of a namespace, the default of the argument `namespace` is the namespace's name on the wire.
 */
function findDefault(
  name: string,
  definition: JsonObject,
  endpoint: AnyEndpointDescriptor,
  { getWireName }: ArgContext,
): JsonValue | undefined {
  const value = Object.hasOwn(definition, "default") ? definition["default"] : undefined;
  if (name === "namespace" && typeof value === "string" && endpoint.route === `/${value}`) {
    return getWireName(value);
  }
  return value ?? undefined;
}

function getType(arg: ArgDescriptor | undefined): JsonObject {
  return arg?.type === undefined ? {} : { type: arg.type };
}

/**
 * Returns an endpoint's argument definitions in the index: those of the route's first endpoint with the same method.
 */
function listDeclaredArgs(
  endpoint: AnyEndpointDescriptor,
  index: JsonValue,
): readonly (readonly [string, JsonObject])[] {
  const entry = findMember(findMember(index, "routes"), endpoint.route);
  const [method] = endpoint.methods;
  const definition = listValues(findMember(entry, "endpoints")).find((candidate) =>
    listMethodNames(findMember(candidate, "methods")).includes(method),
  );
  const args = findMember(definition, "args");
  // PHP writes an array with the keys 0, 1 … as a list, so a list is accepted, too.
  if (typeof args !== "object" || args === null) {
    return [];
  }
  return Object.entries(args).map(([name, definition]) => [name, isJsonObject(definition) ? definition : {}] as const);
}

function listRouteMethods(route: string, index: JsonValue): readonly string[] {
  const endpoints = listValues(findMember(findMember(findMember(index, "routes"), route), "endpoints"));
  return endpoints.flatMap((endpoint) => listMethodNames(findMember(endpoint, "methods")));
}

/** Returns the method names in a list or an object. In an object, a member with the value true stands for its name. */
function listMethodNames(methods: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(methods)) {
    return listValues(methods).map(String);
  }
  return Object.entries(methods).map(([name, value]) => String(value === true ? name : value));
}

function findMember(object: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether a value in an index means true, in any of the ways in which PHP writes it. */
export function isTrueInPhp(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "true";
}

/** The parts of a request that can contain arguments, in order of precedence. */
export interface Sources {
  readonly path: ReadonlyMap<string, string>;
  readonly json: JsonObject | undefined;
  readonly form: ReadonlyMap<string, JsonValue> | undefined;
  readonly query: ReadonlyMap<string, JsonValue>;
  /** Whether the request has the `Content-Type` of a body, but an empty body. */
  readonly lacksBody?: boolean;
}

/**
 * Reads the input of a call. It contains each argument that is sent or has a default, after the argument has been
 * validated and converted to its type. Throws `RefusedRequest` or `LimitError`.
 */
export function readRestInput(
  args: readonly ServedArg[],
  sources: Sources,
  { limits: { jsonItems }, conventions }: InputContext,
): Readonly<Record<string, JsonValue>> {
  try {
    return readArgs(args, sources, { items: new ItemCount(jsonItems), conventions });
  } catch (error) {
    throw error instanceof ItemLimitError ? new LimitError("jsonItems", jsonItems) : error;
  }
}

interface InputContext {
  readonly limits: Pick<ServerLimits, "jsonItems">;
  readonly conventions: RestConventions;
}

function readArgs(
  args: readonly ServedArg[],
  sources: Sources,
  { items, conventions }: { readonly items: ItemCount; readonly conventions: RestConventions },
): Readonly<Record<string, JsonValue>> {
  const input: Record<string, JsonValue> = {};
  const missingNames: string[] = [];
  const refusedArgs: RefusedArg[] = [];
  for (const arg of args) {
    const sentValue = findSentValue(arg, sources);
    const value = sentValue === undefined ? findAbsentValue(arg, sources) : readSentValue(arg, sentValue, items);
    if (value instanceof ArgumentProblem) {
      refusedArgs.push({ arg, problem: value, cause: findLostPlus(arg, sources) });
    } else if (value !== undefined) {
      input[arg.name] = value;
    } else if (arg.required) {
      missingNames.push(arg.name);
    }
  }
  if (missingNames.length > 0) {
    const unknownArgs = listUnknownArgs(args, sources);
    const otherCause = sources.lacksBody === true ? emptyBodyCause : "";
    throw createMissingError(missingNames, { unknownArgs, otherCause, conventions });
  }
  if (refusedArgs.length > 0) {
    throw createInvalidError(selectFirstStage(refusedArgs, sources), conventions);
  }
  return input;
}

/**
 * Returns the value that a request contains for an argument. If a path variable has a value, only the path is used.
 * Null counts as absent.
 */
function findSentValue(arg: ServedArg, { path, json, form, query }: Sources): JsonValue | undefined {
  const pathValue = arg.isInPath ? path.get(arg.name) : undefined;
  if (pathValue !== undefined) {
    return pathValue;
  }
  const jsonValue = json !== undefined && Object.hasOwn(json, arg.name) ? json[arg.name] : undefined;
  return jsonValue ?? form?.get(arg.name) ?? query.get(arg.name);
}

/**
 * Returns the value of an argument that is not sent: its default, or null if the JSON body explicitly contains null and
 * the argument is nullable.
 */
function findAbsentValue(arg: ServedArg, { json }: Sources): JsonValue | ArgumentProblem | undefined {
  if (arg.default !== undefined) {
    return arg.constant ?? readArg(arg, arg.default, createDefaultContext(arg.name));
  }
  return arg.nullable && json !== undefined && Object.hasOwn(json, arg.name) ? null : undefined;
}

function readSentValue(arg: ServedArg, value: JsonValue, items: ItemCount): JsonValue | ArgumentProblem {
  return readArg(arg, value, { name: arg.name, items, allowsRounded: false });
}

function readArg(arg: ServedArg, value: JsonValue, context: ArgumentContext): JsonValue | ArgumentProblem {
  return arg.acceptsRawText ? readRawText(value) : readArgument(value, arg.schema, context);
}

/** Reads plain text as `{ raw }`, and an object unchanged. Any other value becomes an empty object. */
function readRawText(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return { raw: value };
  }
  return isJsonObject(value) ? value : {};
}

interface RefusedArg {
  readonly arg: ServedArg;
  readonly problem: ArgumentProblem;
  /** A sentence with the probable cause, for operators; "" if none is known. */
  readonly cause: string;
}

function findLostPlus(arg: ServedArg, { json, form, query }: Sources): string {
  const text =
    json !== undefined && Object.hasOwn(json, arg.name) ? undefined : (form?.get(arg.name) ?? query.get(arg.name));
  const isValid = (value: string) =>
    !(readArgument(value, arg.schema, createDefaultContext(arg.name)) instanceof ArgumentProblem);
  return typeof text === "string" ? describeLostPlus(text, isValid) : "";
}

/**
 * Selects the problems to report. WordPress checks arguments in two stages. If there are problems in the first stage,
 * only these are reported, in the order of the index. Otherwise, the problems of the second stage are reported, in the
 * order of the request.
 */
function selectFirstStage(refusedArgs: readonly RefusedArg[], { json, form, query }: Sources): readonly RefusedArg[] {
  const firstStageArgs = refusedArgs.filter(({ arg }) => arg.isCheckedFirst);
  if (firstStageArgs.length > 0) {
    return firstStageArgs;
  }
  const sentNames = [...Object.keys(json ?? {}), ...(form?.keys() ?? []), ...query.keys()];
  const getPosition = ({ arg }: RefusedArg) =>
    sentNames.includes(arg.name) ? sentNames.indexOf(arg.name) : sentNames.length;
  return [...refusedArgs].sort((left, right) => getPosition(left) - getPosition(right));
}

/** The maximum number of unknown arguments of a request that are compared with the names of missing ones. */
const maxUnknownArgs = 64;

/** Lists arguments of a request that its endpoint does not have, with their values if they are JSON. */
function listUnknownArgs(args: readonly ServedArg[], { json, form, query }: Sources): ReadonlyMap<string, JsonValue> {
  const knownNames = new Set(args.map(({ name }) => name));
  const sentArgs = [...Object.entries(json ?? {}), ...(form ?? []), ...query];
  return new Map(
    sentArgs
      .filter(([name]) => !knownNames.has(name))
      .slice(0, maxUnknownArgs)
      .map(([name, value]) => [name, value ?? null] as const),
  );
}

/**
 * Finds the arguments of an accepted request that its endpoint does not have, but whose name is similar to that of an
 * argument that the request does not have. WordPress ignores such arguments.
 */
export function findMisspelledArgs(
  args: readonly ServedArg[],
  sources: Sources,
  { parameters }: RestConventions,
): readonly IgnoredName[] {
  const { json, form, query } = sources;
  const isUnknown = (sentName: string) => !args.some(({ name }) => name === sentName);
  // Searches for one unknown name first, because almost all requests have none.
  const hasUnknown =
    (json !== undefined && Object.keys(json).some(isUnknown)) || hasName(form, isUnknown) || hasName(query, isUnknown);
  if (!hasUnknown) {
    return [];
  }
  // Names that begin with an underscore, such as `_fields`, control the answer or defeat caches.
  const otherNames = [...listUnknownArgs(args, sources).keys()].filter(
    (name) => !name.startsWith("_") && !Object.values(parameters).includes(name),
  );
  const absentArgs = args.filter((arg) => findSentValue(arg, sources) === undefined);
  return findMisspelledNames(
    otherNames,
    absentArgs.map(({ name }) => name),
    "argument",
  );
}

/**
 * Returns the name of the first argument in a query or form whose bytes were not all valid UTF-8, and were replaced
 * with U+FFFD. WordPress keeps such bytes, which JavaScript's strings cannot.
 */
export function findReplacedArg(args: readonly ServedArg[], { json, form, query }: Sources): string | undefined {
  return args.find(
    ({ name }) =>
      (json === undefined || !Object.hasOwn(json, name)) && hasReplacedBytes(form?.get(name) ?? query.get(name)),
  )?.name;
}

function hasReplacedBytes(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null
    ? Object.values(value).some(hasReplacedBytes)
    : typeof value === "string" && value.includes("\ufffd");
}

function hasName(values: ReadonlyMap<string, JsonValue> | undefined, matches: (name: string) => boolean): boolean {
  for (const name of values?.keys() ?? []) {
    if (matches(name)) {
      return true;
    }
  }
  return false;
}

const emptyBodyCause =
  " The body is empty, although the request has a Content-Type: a proxy or a redirect may have dropped the body, or the client has not sent it.";

function createMissingError(
  names: readonly string[],
  {
    unknownArgs,
    otherCause,
    conventions,
  }: {
    readonly unknownArgs: ReadonlyMap<string, JsonValue>;
    /** The cause if the unknown arguments show none. */
    readonly otherCause: string;
    readonly conventions: RestConventions;
  },
): RefusedRequest {
  const answer = createArgumentsError("missingArguments", names, { conventions, data: { params: names } });
  return new RefusedRequest(
    answer,
    names.map((name) => ({
      path: getPath(name),
      reason: `The argument is required.${findCause(name, unknownArgs) || otherCause}`,
    })),
  );
}

/** Returns the probable cause of a missing argument. It contains no text of the request. */
function findCause(name: string, unknownArgs: ReadonlyMap<string, JsonValue>): string {
  const similarName = describeSimilarName(name, [...unknownArgs.keys()], "argument");
  if (similarName !== "") {
    return similarName;
  }
  const isNested = [...unknownArgs.values()].some((value) => isJsonObject(value) && Object.hasOwn(value, name));
  return isNested
    ? " An object in the body has a member with this name: the arguments must be members of the body itself, not one level deeper."
    : "";
}

function createArgumentsError(
  name: "missingArguments" | "invalidArguments",
  names: readonly string[],
  { conventions, data }: { readonly conventions: RestConventions; readonly data: JsonObject },
): RestError {
  const text = conventions.errors[name];
  return new RestError({ ...text, message: `${text.message} ${names.join(", ")}`, data });
}

/** Returns the path of an argument for operators: `/include/1` for `include[1]`. */
function getPath(name: string): string {
  return `/${name.replaceAll("[", "/").replaceAll("]", "")}`;
}

function createInvalidError(refusedArgs: readonly RefusedArg[], conventions: RestConventions): RefusedRequest {
  const problems = refusedArgs.map(({ arg, problem }) => ({ name: arg.name, ...findSentProblem(arg, problem) }));
  const details = problems.flatMap(({ name, detail }) => (detail === undefined ? [] : [[name, detail] as const]));
  const names = problems.map(({ name }) => name);
  const params = Object.fromEntries(problems.map(({ name, message }) => [name, message]));
  // PHP writes an empty map as a list, so a list is sent here.
  const data = { params, details: details.length === 0 ? [] : Object.fromEntries(details) };
  const answer = createArgumentsError("invalidArguments", names, { conventions, data });
  return new RefusedRequest(
    answer,
    refusedArgs.map(({ problem, cause }) => ({ path: getPath(problem.name), reason: problem.message + cause })),
  );
}

/** The description of an argument's problem, as the client receives it. */
interface SentProblem {
  readonly message: string;
  readonly detail?: NonNullable<ArgumentRefusal["detail"]> & { readonly message: string };
}

function findSentProblem({ refusal }: ServedArg, { code, message, data }: ArgumentProblem): SentProblem {
  if (refusal === undefined) {
    return { message, detail: { code, message, data } };
  }
  const { message: fixedMessage, detail } = refusal;
  return detail === undefined
    ? { message: fixedMessage }
    : { message: fixedMessage, detail: { message: fixedMessage, ...detail } };
}
