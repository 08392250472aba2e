import { emptyContext, normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import { simpleTypeOf } from "../../codec/types.js";
import type { DerivedSimpleType, SimpleType, TypeReference } from "../../descriptor.js";
import { describeValue } from "../../error-texts.js";
import { DecodeError, EncodeError, LexicalError } from "../../errors.js";
import { decodePart, encodePart, type FormValues } from "./form-encoding.js";

/** The parameters of any operation. */
export type HttpParameters = Readonly<
  Record<
    string,
    { readonly name?: string; readonly type: TypeReference<unknown>; readonly list?: true; readonly optional?: true }
  >
>;

/**
 * Reads the input of an operation from a query, form or path. A parameter is required unless its descriptor makes it
 * optional. Names are case-sensitive; undeclared names are ignored. A name that occurs twice is refused, or its texts are
 * joined with commas, which a string accepts and a number does not.
 */
export function readParameters(
  parameters: HttpParameters,
  values: FormValues,
  repeated: "refuse" | "join",
): Record<string, unknown> {
  const entries = Object.entries(parameters).flatMap(([key, { name = key, type, list, optional }]) => {
    const texts = values.get(name);
    if (texts === undefined && optional) {
      return [];
    }
    if (texts === undefined) {
      throw new MissingParameterError(name);
    }
    const simple = simpleOf(type);
    if (!list && repeated === "refuse" && texts.length > 1) {
      throw new DecodeError(`${name}: ${occursTwice}`, { path: name, reason: occursTwice });
    }
    const value = list ? texts.map((text) => read(simple, name, text)) : read(simple, name, texts.join(","));
    return [[key, value] as const];
  });
  return fromEntries(entries);
}

const occursTwice = "The parameter occurs more than once.";

/** A declared parameter that is missing. */
export class MissingParameterError extends DecodeError {
  /** Its name in the schema, never text of the request. */
  readonly parameter: string;
  constructor(parameter: string) {
    super(`Missing parameter: ${parameter}.`, { path: parameter, reason: "The parameter is missing." });
    this.parameter = parameter;
  }
}

function read(type: SimpleType<unknown>, name: string, text: string): unknown {
  try {
    return type.read(normalizeWhiteSpace(text, type.whiteSpace), emptyContext);
  } catch (error) {
    if (!(error instanceof LexicalError)) {
      throw error;
    }
    const reason = `The text is not a valid ${type.name}.`;
    throw new DecodeError(error.message, { path: name, reason, value: text, cause: error });
  }
}

/** Writes the input of an operation as name and value pairs, in the order of the schema. */
export function writeParameters(parameters: HttpParameters, input: object): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (const [key, { name = key, type, list, optional }] of Object.entries(parameters)) {
    const value: unknown = Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined;
    if (value === undefined && optional) {
      continue;
    }
    if (value === undefined || value === null) {
      throw new EncodeError(`The parameter ${name} is required.`, { path: name });
    }
    const simple = simpleOf(type);
    if (!list) {
      pairs.push([name, write(simple, name, value)]);
    } else if (Array.isArray(value)) {
      for (const item of value) {
        pairs.push([name, write(simple, name, item)]);
      }
    } else {
      throw new EncodeError(`The parameter ${name} must be an array, not ${describeValue(value)}.`, { path: name });
    }
  }
  return pairs;
}

function write(type: SimpleType<unknown>, name: string, value: unknown): string {
  try {
    return type.write(value, emptyContext);
  } catch (error) {
    if (!(error instanceof LexicalError)) {
      throw error;
    }
    throw new EncodeError(error.message, { path: name, cause: error });
  }
}

/** Writes the value of an answer of plain text. */
export function writeText(type: TypeReference<unknown>, value: unknown): string {
  return write(simpleOf(type), "", value);
}

function simpleOf(reference: TypeReference<unknown>): SimpleType<unknown> {
  const type = typeof reference === "function" ? reference() : reference;
  if (type.kind === "simple" || type.kind === "derived") {
    return simpleTypeOf(type as SimpleType<unknown> | DerivedSimpleType<unknown>);
  }
  throw new TypeError("A parameter of HTTP GET and POST must have a simple type.");
}

/** Members are defined and not assigned, because a parameter may be called `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/**
 * The pieces of a location: literal text, and the names of parameters between them (WSDL 1.1 §4.6 `http:urlReplacement`).
 */
interface LocationPieces {
  /** One more than `names`. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

function splitLocation(location: string): LocationPieces {
  const parts = location.split(/\(([^()]*)\)/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  };
}

/** Replaces each name in parentheses by the value of that parameter. */
export function fillLocation(location: string, pairs: readonly (readonly [string, string])[]): string {
  const values = new Map(pairs);
  const { literals, names } = splitLocation(location);
  return literals.map((literal, index) => literal + encodePart(values.get(names[index] ?? "") ?? "")).join("");
}

/**
 * Reads the parameters in a path that matches the location; undefined if it does not match. Each value ends at the
 * first occurrence of the literal after it, so that the work is linear.
 */
export function matchLocation(location: string, path: string): FormValues | undefined {
  const { literals, names } = splitLocation(location);
  const values = new Map<string, string[]>();
  const [first = "", ...rest] = literals;
  if (!path.startsWith(first)) {
    return undefined;
  }
  let start = first.length;
  for (const [index, literal] of rest.entries()) {
    const last = index === rest.length - 1;
    const end = last ? endOfLast(path, literal, start) : path.indexOf(literal, start);
    if (end < start || (literal === "" && !last)) {
      return undefined;
    }
    const text = path.slice(start, end);
    if (text === "" || text.includes("/")) {
      return undefined;
    }
    const name = names[index] ?? "";
    values.set(name, [...(values.get(name) ?? []), decodePart(text.replaceAll("+", "%2B"))]);
    start = end + literal.length;
  }
  return start === path.length ? values : undefined;
}

function endOfLast(path: string, literal: string, start: number): number {
  if (literal === "") {
    return path.length;
  }
  return path.endsWith(literal) && path.length - literal.length >= start ? path.length - literal.length : -1;
}
