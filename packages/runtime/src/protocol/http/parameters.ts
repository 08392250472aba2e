import { emptyContext } from "@bothends/datatypes/value-space";
import { suggestNearest } from "@bothends/xml/nearest-name";
import { EncodeError } from "../../answer-errors.js";
import { getSimpleType } from "../../codec/resolved-types.js";
import { describeInvalidValue } from "../../codec/schema-mismatch.js";
import type { DerivedSimpleType, SimpleType, TypeReference } from "../../descriptor.js";
import { ConfigError, LexicalError } from "../../errors.js";
import { describeValue } from "../../value-problems.js";
import { encodePart } from "./form-encoding.js";

/** The parameters of an operation, with a type that does not depend on the operation's input type. */
export type HttpParameters = Readonly<
  Record<
    string,
    { readonly name?: string; readonly type: TypeReference<unknown>; readonly list?: true; readonly optional?: true }
  >
>;

/** The names and values of a query or form. */
export type FormPairs = readonly (readonly [name: string, value: string])[];

/**
 * Writes the input of an operation as name and value pairs, with the same result as `writeValidPairs` in `client.ts`.
 * For an invalid input, throws the error that describes it. `parameters` is undefined for an input that is sent as an
 * XML document.
 */
export function writeCheckedPairs(
  parameters: HttpParameters | undefined,
  input: unknown,
  { soapHeaders, extraSoapHeaders }: { readonly soapHeaders: unknown; readonly extraSoapHeaders: unknown },
): FormPairs {
  if (typeof input !== "object" || input === null) {
    const names = parameters === undefined ? "" : ` with the parameters ${Object.keys(parameters).join(", ")}`;
    throw new EncodeError(`The input must be an object${names}, not ${describeValue(input)}.`, { path: "/" });
  }
  if (soapHeaders !== undefined || extraSoapHeaders !== undefined) {
    throw new ConfigError(
      'Calls over HTTP GET and POST cannot have the options "soapHeaders" and "extraSoapHeaders". Remove them, or set the option "protocol" to soap11 or soap12.',
    );
  }
  refuseUnknown(input, parameters ?? {});
  const pairs = writeParameters(parameters ?? {}, input);
  for (const [name, value] of pairs) {
    if (/[\ud800-\udfff]/u.test(value)) {
      throw new EncodeError(`The parameter ${name} contains half of a surrogate pair, which UTF-8 cannot encode.`, {
        path: `/${name}`,
      });
    }
  }
  return pairs;
}

function refuseUnknown(input: object, parameters: HttpParameters): void {
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(parameters, key) || Reflect.get(input, key) === undefined) {
      continue;
    }
    throw new EncodeError(`There is no parameter "${key}".${suggestNearest(key, Object.keys(parameters))}`, {
      path: "/",
      reason: "The schema does not declare all members of the value.",
    });
  }
}

/** Writes parameters in the order of the schema, and ignores other members of the input. */
export function writeParameters(parameters: HttpParameters, input: object): FormPairs {
  const pairs: (readonly [string, string])[] = [];
  for (const [key, { name = key, type, list, optional }] of Object.entries(parameters)) {
    const value: unknown = Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined;
    if (value === undefined && optional) {
      continue;
    }
    if (value === undefined || value === null) {
      throw new EncodeError(`The parameter ${name} is required.`, { path: `/${name}` });
    }
    const simpleType = getSimpleTypeOfParameter(type);
    if (!list) {
      pairs.push([name, writeValue(simpleType, name, value)]);
    } else if (Array.isArray(value)) {
      for (const item of value) {
        pairs.push([name, writeValue(simpleType, name, item)]);
      }
    } else {
      throw new EncodeError(`The parameter ${name} must be an array, not ${describeValue(value)}.`, {
        path: `/${name}`,
      });
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
    const parts = describeInvalidValue(error, value, type.name);
    throw new EncodeError(error.message, { path: `/${name}`, ...parts, cause: error });
  }
}

/** Writes a value as the text of a plain-text answer. */
export function writeText(type: TypeReference<unknown>, value: unknown): string {
  return writeValue(getSimpleTypeOfParameter(type), "", value);
}

/** Returns the type of a parameter. Throws `TypeError` if it is not simple. */
export function getSimpleTypeOfParameter(reference: TypeReference<unknown>): SimpleType<unknown> {
  const type = typeof reference === "function" ? reference() : reference;
  if (type.kind === "simple" || type.kind === "derived") {
    return getSimpleType(type as SimpleType<unknown> | DerivedSimpleType<unknown>);
  }
  throw new TypeError("A parameter of HTTP GET and POST must have a simple type.");
}

/**
 * The parts of a location: literals, and the names of the parameters between the literals (WSDL 1.1 §4.6
 * `http:urlReplacement`).
 */
interface LocationPieces {
  /** The literals before, between and after the parameter names. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

/** Splits a location at the names of its parameters. */
export function splitLocation(location: string): LocationPieces {
  const parts = location.split(/\(([^()]*)\)/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  };
}

/**
 * Replaces each parameter name in parentheses in a location with the parameter's value (WSDL 1.1 §4.6
 * `http:urlReplacement`).
 */
export function fillLocation(location: string, pairs: FormPairs): string {
  const values = new Map(pairs);
  return location.replace(/\(([^()]*)\)/g, (_, name: string) => encodePart(values.get(name) ?? ""));
}
