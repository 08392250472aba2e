import { normalizeWhiteSpace, valueSpaceOf } from "@bothends/datatypes";
import { XmlError } from "@bothends/xml";
import type { SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";

/**
 * Something that does not fit the schema, on its way to the caller: each level it passes adds its step to the path, so
 * that nobody keeps a path while all is well.
 */
export class SchemaMismatch extends Error {
  readonly steps: string[] = [];
  /** The text that does not fit. */
  readonly text: string | undefined;
  /** What does not fit, without the text. */
  readonly reason: string;

  constructor(
    message: string,
    init: { readonly text?: string; readonly reason?: string; readonly cause?: unknown } = {},
  ) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = "Misfit";
    this.text = init.text;
    this.reason = init.reason ?? message;
  }

  within(step: string): this {
    this.steps.unshift(step);
    return this;
  }

  /** Deep paths are cut. */
  path(parent: string): string {
    const steps = this.steps.length > 64 ? [...this.steps.slice(0, 64), "…"] : this.steps;
    return [parent, ...steps].join("/");
  }
}

/** An error at a place of a value being encoded: whatever goes wrong there is the value's, a descriptor's mistakes apart. */
export function mismatchOf(error: unknown): SchemaMismatch {
  if (error instanceof SchemaMismatch) return error;
  if (error instanceof LexicalError || error instanceof XmlError) return new SchemaMismatch(error.message);
  return new SchemaMismatch("The value cannot be read.", { cause: error });
}

/** Adds a step to the path of what does not fit; errors of the document itself pass unchanged. */
export function addStep(error: unknown, step: string): unknown {
  if (error instanceof LexicalError) return new SchemaMismatch(error.message).within(step);
  return error instanceof SchemaMismatch ? error.within(step) : error;
}

/** The value that a declaration names as its default or as fixed; names in it are in Clark notation. */
export function declaredValue(type: SimpleType<unknown>, text: string, context: TextContext): unknown {
  return valueSpaceOf(type).literal?.(text) ?? type.read(normalizeWhiteSpace(text, type.whiteSpace), context);
}

/** A value where the schema allows one alone. */
interface FixedUse {
  readonly value: unknown;
  readonly fixed: string;
  readonly context: TextContext;
}

/** Refuses any value but the fixed one, whatever text it has (XSD 1.0 Part 1 §3.3.4). */
export function checkFixed(type: SimpleType<unknown>, { value, fixed, context }: FixedUse): void {
  const { key } = valueSpaceOf(type);
  if (key(value) !== key(declaredValue(type, fixed, context))) {
    throw new LexicalError(`The value is fixed as "${fixed.slice(0, 64)}".`);
  }
}
