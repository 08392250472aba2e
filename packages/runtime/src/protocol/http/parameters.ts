import { emptyContext } from "@bothends/datatypes/simple-type";
import { simpleTypeOf } from "../../codec/types.js";
import type { DerivedSimpleType, SimpleType, TypeReference } from "../../descriptor.js";
import { describeValue, EncodeError, LexicalError } from "../../errors.js";
import { encodePart } from "./form-encoding.js";

/** The parameters of an operation with any input type. */
export type HttpParameters = Readonly<
  Record<
    string,
    { readonly name?: string; readonly type: TypeReference<unknown>; readonly list?: true; readonly optional?: true }
  >
>;

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
    const simpleType = simpleTypeOfParameter(type);
    if (!list) {
      pairs.push([name, writeValue(simpleType, name, value)]);
    } else if (Array.isArray(value)) {
      for (const item of value) {
        pairs.push([name, writeValue(simpleType, name, item)]);
      }
    } else {
      throw new EncodeError(`The parameter ${name} must be an array, not ${describeValue(value)}.`, { path: name });
    }
  }
  return pairs;
}

function writeValue(type: SimpleType<unknown>, name: string, value: unknown): string {
  try {
    return type.write(value, emptyContext);
  } catch (error) {
    if (!(error instanceof LexicalError)) {
      throw error;
    }
    throw new EncodeError(error.message, { path: name, cause: error });
  }
}

/** Writes the value of a plain-text answer. */
export function writeText(type: TypeReference<unknown>, value: unknown): string {
  return writeValue(simpleTypeOfParameter(type), "", value);
}

export function simpleTypeOfParameter(reference: TypeReference<unknown>): SimpleType<unknown> {
  const type = typeof reference === "function" ? reference() : reference;
  if (type.kind === "simple" || type.kind === "derived") {
    return simpleTypeOf(type as SimpleType<unknown> | DerivedSimpleType<unknown>);
  }
  throw new TypeError("A parameter of HTTP GET and POST must have a simple type.");
}

/**
 * The pieces of a location: literal text, and the names of parameters between them (WSDL 1.1 §4.6 `http:urlReplacement`).
 */
interface LocationPieces {
  /** The literal texts around the names: one more than there are names. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

export function splitLocation(location: string): LocationPieces {
  const parts = location.split(/\(([^()]*)\)/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  };
}

/** Replaces each name in parentheses in a location with the value of that parameter. */
export function fillLocation(location: string, pairs: readonly (readonly [string, string])[]): string {
  const values = new Map(pairs);
  const { literals, names } = splitLocation(location);
  return literals.map((literal, index) => literal + encodePart(values.get(names[index] ?? "") ?? "")).join("");
}
