import { XmlError } from "@bothends/xml";
import { LexicalError } from "../errors.js";

/**
 * Something that does not fit the schema, on its way to the caller: each level it passes adds its step to the path, so
 * that nobody keeps a path while all is well.
 */
export class Misfit extends Error {
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
export function misfitOf(error: unknown): Misfit {
  if (error instanceof Misfit) return error;
  if (error instanceof LexicalError || error instanceof XmlError) return new Misfit(error.message);
  return new Misfit("The value cannot be read.", { cause: error });
}

/** Adds a step to the path of what does not fit; errors of the document itself pass unchanged. */
export function within(error: unknown, step: string): unknown {
  if (error instanceof LexicalError) return new Misfit(error.message).within(step);
  return error instanceof Misfit ? error.within(step) : error;
}
