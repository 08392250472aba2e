import { emptyContext, normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import { DecodeError } from "../../answer-errors.js";
import type { SimpleType } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import { decodePart, type FormValues } from "./form-encoding.js";
import { type HttpParameters, simpleOf, splitLocation } from "./parameters.js";

/**
 * Reads the input of an operation from a query, form or path. A parameter is required unless its descriptor makes it
 * optional. Names are case-sensitive; undeclared names are ignored. A name that occurs twice is refused, or its texts are
 * joined with commas, which a string accepts and a number does not. Characters that XML cannot contain are refused or accepted.
 */
export function readParameters(
  parameters: HttpParameters,
  values: FormValues,
  { repeatedParameters, illegalParameters }: ParameterConventions,
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
    if (!list && repeatedParameters === "refuse" && texts.length > 1) {
      throw new DecodeError(`${name}: ${occursTwice}`, { path: name, reason: occursTwice });
    }
    if (illegalParameters === "refuse" && texts.some((text) => illegalCharacter.test(text))) {
      throw new DecodeError(`${name}: ${isIllegal}`, { path: name, reason: isIllegal });
    }
    const value = list ? texts.map((text) => read(simple, name, text)) : read(simple, name, texts.join(","));
    return [[key, value] as const];
  });
  return fromEntries(entries);
}

/** What a server may do in its own way. */
interface ParameterConventions {
  readonly repeatedParameters: "refuse" | "join";
  readonly illegalParameters: "refuse" | "accept";
}

/** XML 1.0 §2.2. */
const illegalCharacter = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const isIllegal = "The parameter contains a character that XML does not allow.";
const occursTwice = "The parameter occurs more than once.";

/** Members are defined and not assigned, because a parameter may be called `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

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
