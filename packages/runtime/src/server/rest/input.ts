import type { JsonObject, JsonValue } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import { Problem } from "../../rest/argument-problems.js";
import { isObject } from "../../rest/php-values.js";
import { ItemCount, ItemLimitError, readValue } from "../../rest/read-argument.js";
import type { Refusal } from "../../rest/wordpress-conventions.js";
import { LimitError, type ServerLimits } from "../limits.js";
import type { ServedArg } from "./args.js";
import { RefusedRequest } from "./errors.js";
import type { ServedEndpoint } from "./serving.js";

/** Where arguments come from, the first first. */
export interface Sources {
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
    if (read instanceof Problem) refused.push({ arg, problem: read });
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
function absentValue(arg: ServedArg, { json }: Sources): JsonValue | Problem | undefined {
  if (arg.default !== undefined) return arg.constant ?? readArg(arg, arg.default, new ItemCount());
  return arg.nullable && json !== undefined && Object.hasOwn(json, arg.name) ? null : undefined;
}

function readArg(arg: ServedArg, value: JsonValue, items: ItemCount): JsonValue | Problem {
  return arg.rawText ? rawText(value) : readValue(value, arg.schema, { name: arg.name, items });
}

/** Plain text, or an object; whatever else is given says nothing. */
function rawText(value: JsonValue): JsonValue {
  if (typeof value === "string") return { raw: value };
  return isObject(value) ? value : {};
}

interface Refused {
  readonly arg: ServedArg;
  readonly problem: Problem;
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

function wordsOf({ refusal }: ServedArg, { code, message, data }: Problem): Words {
  if (refusal === undefined) return { message, detail: { code, message, data } };
  const { message: ownMessage, detail } = refusal;
  return detail === undefined
    ? { message: ownMessage }
    : { message: ownMessage, detail: { message: ownMessage, ...detail } };
}
