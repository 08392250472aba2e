import type { XmlLimits } from "./limits.js";
import { limitRefusal } from "./refusal.js";

/** What a document has cost so far. Every count is checked as it grows, so that reading stops at the limit. */
export class Cost {
  readonly limits: XmlLimits;
  readonly #source: string;
  #nodes = 0;
  #comments = 0;

  constructor(source: string, limits: XmlLimits) {
    this.#source = source;
    this.limits = limits;
  }

  nodes(count: number, offset: number): void {
    this.#nodes += count;
    if (this.#nodes > this.limits.nodes) this.refuse("nodes", offset);
  }

  text(length: number, offset: number): void {
    if (length > this.limits.textChars) this.refuse("textChars", offset);
    this.nodes(1, offset);
  }

  comment(offset: number): void {
    this.#comments += 1;
    if (this.#comments > this.limits.comments) this.refuse("comments", offset);
  }

  refuse(name: keyof XmlLimits, offset: number): never {
    throw limitRefusal(this.#source, offset, this.limits, name);
  }
}
