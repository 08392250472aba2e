import type { JsonObject, JsonValue } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import { coerce } from "../../rest/coerce.js";
import type { Problem } from "../../rest/problem.js";
import { validate } from "../../rest/validate.js";
import { isObject } from "../../rest/values.js";
import type { ServedArg } from "./args.js";
import type { ServedEndpoint } from "./serving.js";

/** Where arguments come from, the first first. */
export interface Sources {
  readonly path: ReadonlyMap<string, string>;
  readonly json: JsonObject;
  readonly form: ReadonlyMap<string, JsonValue>;
  readonly query: ReadonlyMap<string, JsonValue>;
}

/** The input of a call: every argument that is given or has a default, valid and in its type. Throws `RestError`. */
export function readInput(endpoint: ServedEndpoint, sources: Sources): Readonly<Record<string, JsonValue>> {
  const given = new Map<string, JsonValue>();
  const missing: string[] = [];
  for (const arg of endpoint.args) {
    const value = givenValue(arg, sources) ?? arg.default;
    if (value !== undefined) given.set(arg.name, arg.rawText ? rawText(value) : value);
    else if (arg.required && !isNullGiven(arg, sources)) missing.push(arg.name);
  }
  if (missing.length > 0) throw missingError(missing);
  checkStage(
    endpoint.args.filter((arg) => arg.first),
    given,
  );
  checkStage(inRequestOrder(endpoint, sources), given);
  const input: Record<string, JsonValue> = {};
  for (const arg of endpoint.args) {
    const value = given.get(arg.name);
    if (value !== undefined) input[arg.name] = arg.rawText ? value : coerce(value, arg.schema);
    else if (isNullGiven(arg, sources)) input[arg.name] = null;
  }
  return input;
}

/** What the request gives for an argument. A path variable comes from the path alone; a null is not given. */
function givenValue(arg: ServedArg, { path, json, form, query }: Sources): JsonValue | undefined {
  if (arg.inPath) return path.get(arg.name);
  const own = Object.hasOwn(json, arg.name) ? json[arg.name] : undefined;
  return own ?? form.get(arg.name) ?? query.get(arg.name);
}

/** A null in a JSON body is told to the handler where the type has it: it resets. */
function isNullGiven(arg: ServedArg, { json }: Sources): boolean {
  if (arg.inPath || arg.schema.types?.includes("null") !== true) return false;
  return Object.hasOwn(json, arg.name) && json[arg.name] === null;
}

/** Plain text, or an object; whatever else is given says nothing. */
function rawText(value: JsonValue): JsonValue {
  if (typeof value === "string") return { raw: value };
  return isObject(value) ? value : {};
}

/** The arguments of the second stage: as the request names them, then those that only defaults fill. */
function inRequestOrder({ args, byName }: ServedEndpoint, { json, form, query }: Sources): readonly ServedArg[] {
  const ordered = new Set<ServedArg>();
  for (const name of [...Object.keys(json), ...form.keys(), ...query.keys()]) {
    const arg = byName.get(name);
    if (arg !== undefined) ordered.add(arg);
  }
  for (const arg of args) ordered.add(arg);
  return [...ordered].filter((arg) => !arg.first);
}

/** Reports everything wrong in one stage; a later stage is not looked at then. */
function checkStage(args: readonly ServedArg[], given: ReadonlyMap<string, JsonValue>): void {
  const problems: Refused[] = [];
  for (const arg of args) {
    const value = given.get(arg.name);
    const problem = value === undefined || arg.rawText ? undefined : validate(value, arg.schema, arg.name);
    if (problem !== undefined) problems.push({ name: arg.name, ...refusalOf(arg, problem) });
  }
  if (problems.length > 0) throw invalidError(problems);
}

function missingError(names: readonly string[]): RestError {
  return new RestError({
    code: "rest_missing_callback_param",
    message: `Missing parameter(s): ${names.join(", ")}`,
    status: 400,
    data: { params: names },
  });
}

interface Refused {
  readonly name: string;
  readonly message: string;
  readonly detail: Problem | undefined;
}

function refusalOf({ refusal }: ServedArg, problem: Problem): Omit<Refused, "name"> {
  if (refusal === undefined) return { message: problem.message, detail: problem };
  const { message, detail } = refusal;
  return { message, detail: detail && { code: detail.code, message, data: detail.data } };
}

function invalidError(problems: readonly Refused[]): RestError {
  const details = problems.flatMap(({ name, detail }) => (detail === undefined ? [] : [[name, detail] as const]));
  return new RestError({
    code: "rest_invalid_param",
    message: `Invalid parameter(s): ${problems.map(({ name }) => name).join(", ")}`,
    status: 400,
    data: {
      params: Object.fromEntries(problems.map(({ name, message }) => [name, message])),
      // PHP writes an empty map as a list.
      details: details.length === 0 ? [] : Object.fromEntries(details),
    },
  });
}
