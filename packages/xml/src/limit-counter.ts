import { positionOf, XmlError } from "./error.js";
import type { XmlLimits } from "./limits.js";

/** Counts the parts of a document while it is read. Reading stops as soon as a count exceeds its limit. */
export class LimitCounter {
  readonly limits: XmlLimits;
  readonly #source: string;
  #nodes = 0;
  #comments = 0;

  constructor(source: string, limits: XmlLimits) {
    this.#source = source;
    this.limits = limits;
  }

  addNodes(count: number, offset: number): void {
    this.#nodes += count;
    if (this.#nodes > this.limits.nodes) {
      this.refuse("nodes", offset);
    }
  }

  addText(length: number, offset: number): void {
    if (length > this.limits.textChars) {
      this.refuse("textChars", offset);
    }
    this.addNodes(1, offset);
  }

  addComment(offset: number): void {
    this.#comments += 1;
    if (this.#comments > this.limits.comments) {
      this.refuse("comments", offset);
    }
  }

  refuse(name: keyof XmlLimits, offset: number): never {
    throw limitError(this.#source, offset, this.limits, name);
  }
}

/** The error for a limit that the text exceeds at an offset. It names the option that raises the limit. */
function limitError(text: string, offset: number, limits: XmlLimits, name: keyof XmlLimits): XmlError {
  const value = limits[name];
  return new XmlError(
    `limit.${name}`,
    `The document exceeds the limit ${name} = ${value}. The option limits.${name} sets it.`,
    {
      offset,
      ...positionOf(text, offset),
      limit: { name, value },
    },
  );
}
