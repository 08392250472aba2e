import { DecodeError } from "../../answer-errors.js";
import { ByteWindow, Documents, type ItemScanner, Remainder } from "./byte-window.js";

/** The location of the items in a JSON answer. */
export interface JsonPlace {
  /** The names of the members that lead to the list; empty if the answer is the list. */
  readonly names: readonly string[];
  /** The maximum size of one item, and of the remainder. */
  readonly limit: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const listStart = /* @__PURE__ */ Uint8Array.of(OPEN_LIST);
const listEnd = /* @__PURE__ */ Uint8Array.of(CLOSE_LIST);

/**
 * Finds the items of a list in JSON that arrives in chunks. Looks only for brackets, commas and strings: each item becomes a list
 * of one, and the rest becomes a document with an empty list. The reader of answers validates both.
 */
export class JsonItems implements ItemScanner {
  readonly #place: JsonPlace;
  readonly #window = new ByteWindow();
  readonly #documents = new Documents();
  readonly #remainder: Remainder;
  #at = 0;
  #from = 0;
  #depth = 0;
  /** The number of names that lead to the object around the current value. */
  #matched = 0;
  /** The start of the current string, from its quote; -1 outside of strings. */
  #string = -1;
  /** Whether the next string is a member's name. */
  #isName = false;
  /** Whether the current member's name leads to the list. */
  #leads: boolean;
  /** The depth of the list; 0 outside it. */
  #list = 0;
  #itemStart = -1;
  #hasComma = false;
  #isFound = false;

  constructor(place: JsonPlace) {
    this.#place = place;
    this.#remainder = new Remainder(place.limit);
    this.#leads = true;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const window = this.#window;
    window.append(chunk);
    this.#documents.clear();
    const items: Uint8Array[] = [];
    while (this.#at < window.end) {
      if (this.#string >= 0) {
        if (!this.#readString()) {
          break;
        }
        continue;
      }
      const byte = window.bytes[this.#at] ?? 0;
      if (this.#list > 0 && this.#depth === this.#list) {
        const item = this.#readInList(byte);
        if (item !== undefined) {
          items.push(item);
        }
      } else {
        this.#readOutside(byte);
      }
      this.#at += 1;
    }
    this.#release();
    return items;
  }

  remainder(): Uint8Array {
    this.#flush(this.#window.end);
    if (!this.#isFound) {
      const place = this.#place.names.length === 0 ? "" : ` at "${this.#place.names.join(".")}"`;
      throw new DecodeError(`The answer has no list${place}.`, { path: "/" });
    }
    return this.#remainder.bytes();
  }

  /** Reads up to the end of a string. Returns false if it is not complete. */
  #readString(): boolean {
    const window = this.#window;
    for (let quote = window.find(QUOTE, this.#at); quote >= 0; quote = window.find(QUOTE, quote + 1)) {
      let slashes = 0;
      while (window.bytes[quote - 1 - slashes] === BACKSLASH) {
        slashes += 1;
      }
      if (slashes % 2 === 0) {
        if (this.#isName) {
          this.#isName = false;
          this.#leads = this.#matched < this.#place.names.length && this.#nameIs(quote);
        }
        this.#string = -1;
        this.#at = quote + 1;
        return true;
      }
    }
    this.#at = window.end;
    return false;
  }

  #nameIs(quote: number): boolean {
    try {
      const text = new TextDecoder().decode(this.#window.bytes.subarray(this.#string, quote + 1));
      return JSON.parse(text) === this.#place.names[this.#matched];
    } catch {
      return false;
    }
  }

  /** Reads a byte of the list outside the brackets of its items. */
  #readInList(byte: number): Uint8Array | undefined {
    switch (byte) {
      case COMMA: {
        const item = this.#endItem();
        this.#hasComma = true;
        return item;
      }
      case CLOSE_LIST: {
        const isEmpty = this.#itemStart < 0 && !this.#hasComma;
        const item = isEmpty ? undefined : this.#endItem();
        this.#list = 0;
        this.#depth -= 1;
        this.#from = this.#at;
        return item;
      }
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        return undefined;
      default:
        if (this.#itemStart < 0) {
          this.#itemStart = this.#at;
        }
        this.#enter(byte);
        return undefined;
    }
  }

  /** If there is no value between two commas, the item is an empty text, which the reader refuses. */
  #endItem(): Uint8Array {
    const start = this.#itemStart < 0 ? this.#at : this.#itemStart;
    this.#itemStart = -1;
    this.#from = this.#at + 1;
    this.#checkSize(this.#at - start);
    const item = this.#window.bytes.subarray(start, this.#at);
    // A comma makes the list invalid: `[]` would be valid.
    const text = item.length === 0 ? Uint8Array.of(COMMA) : item;
    return this.#documents.add(listStart, text, listEnd);
  }

  #readOutside(byte: number): void {
    const isMatched = this.#depth === this.#matched + (this.#place.names.length > 0 ? 1 : 0);
    if (this.#list === 0 && !this.#isFound && this.#leads && byte === OPEN_LIST && this.#isListHere) {
      this.#depth += 1;
      this.#list = this.#depth;
      this.#isFound = true;
      this.#flush(this.#at + 1);
      return;
    }
    if (byte === OPEN_OBJECT && this.#list === 0 && this.#leads && isMatched && this.#depth > 0) {
      this.#matched += 1;
    }
    if (byte === CLOSE_OBJECT && this.#list === 0 && this.#matched > 0 && this.#depth === this.#matched + 1) {
      this.#matched -= 1;
    }
    this.#enter(byte);
    if (this.#list === 0 && this.#depth === this.#matched + 1 && (byte === OPEN_OBJECT || byte === COMMA)) {
      this.#isName = true;
      this.#leads = false;
    }
  }

  /** Whether the names so far lead here, or the list is the whole answer. */
  get #isListHere(): boolean {
    const { names } = this.#place;
    return names.length === 0 ? this.#depth === 0 : this.#matched === names.length - 1 && this.#depth === names.length;
  }

  #enter(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#string = this.#at;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#depth += 1;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#depth -= 1;
        break;
      default:
        break;
    }
  }

  #flush(end: number): void {
    if (end > this.#from && this.#itemStart < 0) {
      this.#remainder.add(this.#window.slice(this.#from, end));
      this.#from = end;
    }
  }

  #release(): void {
    const window = this.#window;
    // The name of a member is compared when it is complete.
    const read = this.#string >= 0 ? this.#string : this.#at;
    this.#checkSize(window.end - read);
    if (this.#itemStart >= 0) {
      this.#checkSize(window.end - this.#itemStart);
    } else if (this.#list === 0) {
      this.#flush(read);
    } else {
      this.#from = read;
    }
    const keep = this.#itemStart < 0 ? this.#from : this.#itemStart;
    window.drop(keep);
    this.#at -= keep;
    this.#from = Math.max(0, this.#from - keep);
    this.#string = this.#string < 0 ? -1 : this.#string - keep;
    this.#itemStart = this.#itemStart < 0 ? -1 : 0;
  }

  #checkSize(bytes: number): void {
    if (bytes > this.#place.limit) {
      throw new RangeError(
        `An item of the answer is larger than the limit bodyBytes = ${this.#place.limit}. The option limits.bodyBytes sets it.`,
      );
    }
  }
}
