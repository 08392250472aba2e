import { findIllegalCharacter } from "../characters.js";
import { createSyntaxError } from "../error.js";
import { createCharacterError } from "../escape.js";
import { expandText, withLineFeeds } from "./content.js";

const AMPERSAND = 0x26;
const LESS = 0x3c;
const GREATER = 0x3e;
const CARRIAGE_RETURN = 0x0d;

/** The maximum length of text that `findPlainEnd` reads character by character. */
const maxShortLength = 16;

/**
 * Reads the text between tags. Remembers the offset of the next character that needs processing: all text before it is
 * returned unchanged, after a single comparison.
 */
export class CharacterData {
  readonly #source: string;
  // The offsets of the next characters of five kinds. An offset is the length of the source if no such character
  // follows.
  readonly #illegalOffset: number;
  #ampersandOffset = -1;
  #returnOffset = -1;
  #bracketOffset = -1;
  #specialOffset = -1;

  /** The text before the offset `from` has already been checked for characters that XML forbids. */
  constructor(source: string, from = 0) {
    const illegalOffset = findIllegalCharacter(from === 0 ? source : source.slice(from));
    this.#source = source;
    this.#illegalOffset = illegalOffset < 0 ? source.length : from + illegalOffset;
  }

  /** Throws if XML forbids a character before the offset `end`. */
  refuseIllegalBefore(end: number): void {
    if (this.#illegalOffset < end) {
      throw createCharacterError(this.#source, this.#illegalOffset);
    }
  }

  /** Whether the text from `start` to `end` needs no processing. From call to call, `start` must not decrease. */
  isPlain(start: number, end: number): boolean {
    if (this.#specialOffset < start) {
      this.#lookAhead(start);
    }
    return end <= this.#specialOffset;
  }

  /**
   * Returns the end of the text at `start`, which is the offset of the next `<`; -1 if the text needs processing.
   * Reads short text character by character: searching for the next CR again after each line of an indented document
   * takes 4 % of the time of decoding it.
   */
  findPlainEnd(start: number): number {
    const source = this.#source;
    const shortEnd = start + maxShortLength;
    for (let offset = start; offset < shortEnd; offset += 1) {
      const code = source.charCodeAt(offset);
      if (code > GREATER) {
        continue;
      }
      if (code === LESS) {
        return offset <= this.#illegalOffset ? offset : -1;
      }
      if (code === AMPERSAND || code === CARRIAGE_RETURN || code === GREATER) {
        break;
      }
    }
    const end = source.indexOf("<", start);
    return end >= 0 && this.isPlain(start, end) ? end : -1;
  }

  /** Resolves references and line ends in the text from `start` to `end`, which contains no markup. */
  value(start: number, end: number): string {
    if (this.isPlain(start, end)) {
      return this.#source.slice(start, end);
    }
    this.refuseIllegalBefore(end);
    if (this.#bracketOffset < end) {
      throw createSyntaxError(this.#source, this.#bracketOffset, "cdataEndInText");
    }
    if (this.#ampersandOffset >= end) {
      return withLineFeeds(this.#source.slice(start, end));
    }
    return expandText(this.#source, start, end);
  }

  /**
   * Finds the next character of each kind. Each search continues from its last match, so each character is read only
   * once.
   */
  #lookAhead(start: number): void {
    if (this.#ampersandOffset < start) {
      this.#ampersandOffset = this.#getOffset("&", start);
    }
    if (this.#returnOffset < start) {
      this.#returnOffset = this.#getOffset("\r", start);
    }
    if (this.#bracketOffset < start) {
      this.#bracketOffset = this.#getOffset("]]>", start);
    }
    this.#specialOffset = Math.min(this.#ampersandOffset, this.#returnOffset, this.#bracketOffset, this.#illegalOffset);
  }

  #getOffset(text: string, start: number): number {
    const offset = this.#source.indexOf(text, start);
    return offset < 0 ? this.#source.length : offset;
  }
}
