import { EncodeError } from "../answer-errors.js";
import type { JsonValue } from "../descriptor.js";
import { isPromise } from "../is-promise.js";
import { isError, isStringTooLong } from "../value-problems.js";

/**
 * Matches a lone surrogate in the output of `JSON.stringify`: an escape for a surrogate whose backslash is not itself
 * escaped.
 */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * Writes a body as JSON. Undefined is written as null. Throws an `EncodeError` for a body that the clients of this
 * package would refuse, and for values that JSON would write as null or `{}`, or would leave out: functions and
 * symbols. Members that are undefined are left out, as `JSON.stringify` does.
 */
export function formatJson(body: JsonValue | undefined): string {
  try {
    return stringify(body);
  } catch (cause) {
    if (cause instanceof EncodeError) {
      throw cause;
    }
    const advice = isStringTooLong(cause)
      ? " It is longer than the longest string (512 MB): divide it into pages."
      : "";
    throw new EncodeError(`The answer cannot be written as JSON.${advice}`, {
      cause,
      path: findPath(body, isBigint, []),
    });
  }
}

/**
 * Writes a body as JSON. Throws an `EncodeError` for a value that JSON would change, and other errors for a value that
 * refers to itself, is nested too deeply, contains a bigint, or throws when it is read.
 */
function stringify(body: JsonValue | undefined): string {
  const text: unknown = body === undefined ? "null" : JSON.stringify(body);
  if (typeof text !== "string") {
    throw new EncodeError("The answer is not a JSON value.");
  }
  // JSON writes a value that it cannot represent as null or {}, and leaves out functions.
  if (text.includes("{}") || hasLostValue(body, text)) {
    const lost = findLostValue(body);
    if (lost !== undefined) {
      throw new EncodeError(`The answer's value ${lost.problem}`, { path: lost.path, cause: lost.error });
    }
  }
  if (text.includes("\\ud") && loneSurrogate.test(text)) {
    throw new EncodeError("The answer contains a lone surrogate.", { path: findPath(body, isIllFormed, []) });
  }
  return text;
}

/**
 * The number of values among which each answer is searched. Programs that return functions by mistake usually return
 * them in each item of a list, and searching a long answer would take 10 % of the time of `JSON.stringify`.
 */
const maxSearchedValues = 500;
/** More values than an answer can have. */
const allValues = 2 ** 30;

interface Search {
  /** The number of values that are still searched. */
  remaining: number;
}

/**
 * Whether a body contains a value that JSON writes as null, or leaves out. Of a body with many values, searches only
 * the first ones, unless its text contains null. A search for the path of the value takes six times as long.
 */
function hasLostValue(body: unknown, text: string): boolean {
  const search: Search = { remaining: maxSearchedValues };
  return (
    isOrHasLost(body, search) ||
    (search.remaining <= 0 && text.includes("null") && isOrHasLost(body, { remaining: allValues }))
  );
}

// V8 inlines this function, so that only containers take a call: a listing takes 0.6 µs less of 15 µs.
function isOrHasLost(value: unknown, search: Search): boolean {
  search.remaining -= 1;
  switch (typeof value) {
    case "object":
      return value !== null && hasLostMember(value, search);
    case "number":
      return !Number.isFinite(value);
    default:
      return typeof value === "function" || typeof value === "symbol";
  }
}

function hasLostMember(container: object, search: Search): boolean {
  if (Array.isArray(container)) {
    // An iterator takes longer.
    for (let index = 0; index < container.length && search.remaining > 0; index += 1) {
      const item: unknown = container[index];
      if (item === undefined || isOrHasLost(item, search)) {
        return true;
      }
    }
    return false;
  }
  if ("toJSON" in container) {
    return isInvalidDate(container);
  }
  for (const name in container) {
    if (search.remaining <= 0) {
      return false;
    }
    const member = (container as Readonly<Record<string, unknown>>)[name];
    // `Object.hasOwn` is only called for a value that is found, because it takes time.
    if (isOrHasLost(member, search) && Object.hasOwn(container, name)) {
      return true;
    }
  }
  return false;
}

function isInvalidDate(value: object): boolean {
  return "getTime" in value && typeof value.getTime === "function" && Number.isNaN(value.getTime());
}

/** A value whose contents JSON would lose. */
export interface LostValue {
  /** The path of the value: `/items/0`. */
  readonly path: string;
  /** The end of a sentence whose subject is the value, and advice. */
  readonly problem: string;
  /** The value, if it is an Error. */
  readonly error?: Error | undefined;
}

/**
 * Finds a value that JSON would write as null or `{}`, or would leave out. JSON writes undefined as null if it is an
 * item of a list.
 */
export function findLostValue(value: unknown, isItem = false): LostValue | undefined {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : { path: "", problem: `is not a finite number. ${numberAdvice}` };
    case "undefined":
      return isItem
        ? { path: "", problem: "is undefined, which JSON cannot represent in a list. Return null." }
        : undefined;
    case "function":
    case "symbol":
      return "toJSON" in Object(value)
        ? undefined
        : { path: "", problem: `is a ${typeof value}, which JSON cannot represent. Leave it out.` };
    case "object":
      return value === null ? undefined : findLostInObject(value);
    default:
      return undefined;
  }
}

const numberAdvice = "JSON has no NaN and no infinite numbers. Return null, or leave the member out.";

function findLostInObject(value: object): LostValue | undefined {
  if ("toJSON" in value) {
    return isInvalidDate(value) ? { path: "", problem: "is an invalid Date. Return null." } : undefined;
  }
  if (Symbol.asyncIterator in value) {
    const problem =
      "is a stream or another asynchronous list, which JSON cannot represent. Read it first, and return the result.";
    return { path: "", problem };
  }
  const isList = Array.isArray(value);
  // `Array.from` also returns the items of a list that were never set.
  const entries: readonly (readonly [number | string, unknown])[] = isList
    ? Array.from(value, (item, index) => [index, item])
    : Object.entries(value);
  const isEmpty = entries.every(([, member]) => member === undefined || typeof member === "function");
  if (isEmpty && !isPlainObject(value) && JSON.stringify(value) === "{}") {
    return isError(value)
      ? {
          path: "",
          problem: "is an Error, which JSON cannot represent. Throw it, or return its message.",
          error: value,
        }
      : { path: "", problem: describeLostObject(value) };
  }
  for (const [name, member] of entries) {
    const lost = findLostValue(member, isList);
    if (lost !== undefined) {
      return { ...lost, path: `/${name}${lost.path}` };
    }
  }
  return undefined;
}

function describeLostObject(value: object): string {
  const typeName = value.constructor?.name || "object";
  const isObservable = "subscribe" in value && typeof value.subscribe === "function";
  const advice = isPromise(value)
    ? "Await the promise."
    : isObservable
      ? "Use await firstValueFrom(…) of RxJS."
      : "Convert it to a plain object or a list.";
  return `is of the type ${typeName}, which JSON cannot represent. ${advice}`;
}

/**
 * Whether an object is an object literal or has no prototype. The prototype need not be that of the current realm,
 * because test runners use several realms.
 */
function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Returns the path of a value that cannot be written as JSON: one for which `isProblem` returns true, or one that
 * throws when it is read. Does not report objects that contain themselves.
 */
function findPath(
  value: unknown,
  isProblem: (value: unknown) => boolean,
  ancestors: readonly object[],
): string | undefined {
  if (typeof value !== "object" || value === null) {
    return isProblem(value) ? "" : undefined;
  }
  if (ancestors.length > maxSearchDepth || ancestors.includes(value)) {
    return undefined;
  }
  let names: readonly string[];
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return findPath(value.toJSON(), isProblem, [...ancestors, value]);
    }
    names = Object.keys(value);
  } catch {
    return "";
  }
  for (const name of names) {
    let path: string | undefined;
    try {
      path = findPath(Reflect.get(value, name), isProblem, [...ancestors, value]);
    } catch {
      path = "";
    }
    if (path !== undefined) {
      return `/${name}${path}`;
    }
  }
  return undefined;
}

function isBigint(value: unknown): boolean {
  return typeof value === "bigint";
}

/** Whether a value is a text with a lone surrogate. */
function isIllFormed(value: unknown): boolean {
  return typeof value === "string" && /[\ud800-\udfff]/u.test(value);
}

/** The maximum depth of the search for a value that cannot be written. */
const maxSearchDepth = 100;
