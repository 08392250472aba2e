import { illegalCharacter } from "./characters.js";
import { expandReferences } from "./references.js";
import { characterRefusal, refusal } from "./refusal.js";
import { withLineFeeds } from "./space.js";

/**
 * The text between tags. It knows where the next characters stand that need a closer look; text before all of them is
 * taken as it is, at the price of one comparison.
 */
export class CharacterData {
  readonly #source: string;
  // The length of the source where no such character follows.
  readonly #illegal: number;
  #ampersand = -1;
  #return = -1;
  #bracket = -1;
  #special = -1;

  constructor(source: string) {
    const illegal = illegalCharacter(source);
    this.#source = source;
    this.#illegal = illegal < 0 ? source.length : illegal;
  }

  /** Throws when a forbidden character stands before an offset. */
  refuseIllegalBefore(end: number): void {
    if (this.#illegal < end) throw characterRefusal(this.#source, this.#illegal);
  }

  /** Whether the text from `start` to `end` is its own value. `start` never decreases from call to call. */
  isPlain(start: number, end: number): boolean {
    if (this.#special < start) this.#lookAhead(start);
    return end <= this.#special;
  }

  /** The value of the text from `start` to `end`, which holds no markup. */
  value(start: number, end: number): string {
    if (this.isPlain(start, end)) return this.#source.slice(start, end);
    this.refuseIllegalBefore(end);
    if (this.#bracket < end) throw refusal(this.#source, this.#bracket, "]]> cannot stand in text; write ]]&gt;.");
    if (this.#ampersand >= end) return withLineFeeds(this.#source.slice(start, end));
    return expandReferences(this.#source, { start, end }, withLineFeeds);
  }

  /** Each search goes on from its own last hit, so that all of them together read the document once. */
  #lookAhead(from: number): void {
    if (this.#ampersand < from) this.#ampersand = this.#find("&", from);
    if (this.#return < from) this.#return = this.#find("\r", from);
    if (this.#bracket < from) this.#bracket = this.#find("]]>", from);
    this.#special = Math.min(this.#ampersand, this.#return, this.#bracket, this.#illegal);
  }

  #find(what: string, from: number): number {
    const at = this.#source.indexOf(what, from);
    return at < 0 ? this.#source.length : at;
  }
}
