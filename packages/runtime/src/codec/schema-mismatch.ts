import { formatValue } from "@bothends/datatypes/lexical-error";
import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import { getValueSpace } from "@bothends/datatypes/value-space";
import { XmlError } from "@bothends/xml/error";
import type { Tolerance } from "../answer-errors.js";
import type { SimpleType, TextContext } from "../descriptor.js";
import { ConfigError, LexicalError } from "../errors.js";
import { describeValue, isStringTooLong } from "../value-problems.js";

/**
 * Thrown for a value or document that does not match the schema. Each enclosing member or element adds its step to the
 * path when the error passes through it, so that no paths are built for valid input.
 */
export class SchemaMismatch extends Error {
  readonly steps: string[] = [];
  /** The text or value that does not match, if the message may contain it. */
  readonly text: string | undefined;
  /** The message without text from the document, values, and names of unknown members. */
  readonly reason: string;
  /** The value of the option `tolerate` that would accept the difference. */
  readonly tolerance: Tolerance | undefined;

  constructor(message: string, init: SchemaMismatchInit = {}) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = "SchemaMismatch";
    this.text = init.text;
    this.reason = init.reason ?? message;
    this.tolerance = init.tolerance;
  }

  prependStep(step: string): this {
    this.steps.unshift(step);
    return this;
  }

  /** Returns the path, starting with `parent`. Deep paths are shortened. */
  path(parent: string): string {
    const steps = this.steps.length > 64 ? [...this.steps.slice(0, 64), "…"] : this.steps;
    return [parent, ...steps].join("/");
  }
}

interface SchemaMismatchInit {
  readonly text?: string;
  readonly reason?: string;
  readonly tolerance?: Tolerance | undefined;
  readonly cause?: unknown;
}

/** The reason of an error about a required element that is absent. */
export const missingElementReason = "The element is required.";

/** The reason of an error about a required attribute that is absent. */
export const missingAttributeReason = "The attribute is required.";

/** Describes text that a simple type does not allow, without the text, which may be secret. */
export function describeInvalidText({ reason }: LexicalError, typeName: string): string {
  return `The text is not a valid ${typeName}${reason === undefined ? "" : `: ${reason}`}.`;
}

/**
 * Returns a value that a simple type does not allow as it is in the message of the error, and the message without the
 * value, which may be secret.
 */
export function describeInvalidValue(
  { facet, reason }: LexicalError,
  value: unknown,
  typeName: string,
): { readonly value: string; readonly reason: string } {
  // An array may be a list of which only one item is invalid.
  const subject = Array.isArray(value)
    ? "The list"
    : typeof value === "object"
      ? describeValue(value)
      : `The value${facet === undefined ? ` (${describeValue(value)})` : ""}`;
  return {
    value: formatValue(value),
    reason: `${subject} is not a valid ${typeName}${reason === undefined ? "" : `: ${reason}`}.`,
  };
}

/** Writes a value of a simple type. Throws an error whose reason does not contain the value. */
export function writeSimpleValue(type: SimpleType<unknown>, value: unknown, context: TextContext): string {
  try {
    return type.write(value, context);
  } catch (error) {
    if (!(error instanceof LexicalError)) {
      throw error;
    }
    const { value: text, reason } = describeInvalidValue(error, value, type.name);
    throw new SchemaMismatch(error.message, { text, reason });
  }
}

/** Converts an encoding error to a schema mismatch. */
export function toMismatch(error: unknown): SchemaMismatch {
  if (error instanceof SchemaMismatch) {
    return error;
  }
  if (error instanceof LexicalError || error instanceof XmlError) {
    return new SchemaMismatch(error.message);
  }
  return isStringTooLong(error)
    ? new SchemaMismatch("The message is longer than the longest string (512 MB).", { cause: error })
    : new SchemaMismatch("Reading the value threw an error.", { cause: error });
}

/** Adds a step to the path of a schema mismatch or lexical error. Other errors pass unchanged. */
export function addStep(error: unknown, step: string): unknown {
  if (error instanceof LexicalError) {
    return new SchemaMismatch(error.message).prependStep(step);
  }
  return error instanceof SchemaMismatch ? error.prependStep(step) : error;
}

/** Reads the default or fixed value of a declaration, in which names are in Clark notation. */
export function readDeclaredValue(type: SimpleType<unknown>, text: string, context: TextContext): unknown {
  return getValueSpace(type).literal?.(text) ?? type.read(normalizeWhiteSpace(text, type.whiteSpace), context);
}

/** A value, and the fixed value of its declaration. */
interface ValueWithFixed {
  readonly value: unknown;
  readonly fixed: string;
  readonly context: TextContext;
}

/**
 * Refuses values that differ from the fixed value. Different text is accepted if it represents the same value (XSD 1.0
 * Part 1 §3.3.4).
 */
export function checkFixed(type: SimpleType<unknown>, { value, fixed: fixedValue, context }: ValueWithFixed): void {
  const { key } = getValueSpace(type);
  if (key(value) !== key(readDeclaredValue(type, fixedValue, context))) {
    throw findFixedMismatch(fixedValue);
  }
}

/** Returns the error for a value that differs from the fixed value. */
export function findFixedMismatch(fixedValue: string): SchemaMismatch {
  return new SchemaMismatch(`The value must be the fixed value "${fixedValue.slice(0, 64)}".`, { tolerance: "fixed" });
}

/**
 * Returns `compiled`, the result of the descriptor's codec. Refuses a descriptor without a codec, or with a codec for
 * another kind.
 */
export function compileWith<T extends object>(
  descriptor: { readonly kind: string; readonly name?: string },
  compiled: object | undefined,
  isCompiled: (compiled: object) => compiled is T,
): T {
  if (compiled !== undefined && isCompiled(compiled)) {
    return compiled;
  }
  return refuseMissing(descriptor.name ?? `a member of kind "${descriptor.kind}"`, "by");
}

/** Refuses a descriptor that lacks an imported value required by its kind. */
export function refuseMissing(name: string, property: string): never {
  throw new ConfigError(`The descriptor of ${name} must have the property "${property}". Generate it again.`);
}
