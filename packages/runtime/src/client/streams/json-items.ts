import { DecodeError } from "../../answer-errors.js";
import { ByteWindow, checkGapSize, checkItemSize, ItemDocument, type ItemScanner, Remainder } from "./byte-window.js";

/** The list of items in a JSON answer, and the limit for its items. */
export interface JsonLocation {
  /** The names of the members that lead to the list; empty if the whole answer is the list. */
  readonly names: readonly string[];
  /** The maximum size of one item, and of the remainder, in bytes. */
  readonly limit: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** For the first byte of an object or a list: the last byte. */
const closingBytes: Readonly<Record<number, number>> = { [OPEN_OBJECT]: CLOSE_OBJECT, [OPEN_LIST]: CLOSE_LIST };

const listStart = /* @__PURE__ */ Uint8Array.of(OPEN_LIST);
const listEnd = /* @__PURE__ */ Uint8Array.of(CLOSE_LIST);

/**
 * Finds the items of a list in JSON that arrives in chunks. Looks only for brackets, commas and strings. Each item
 * becomes a document: a list with one item. An object, a list or a string ends with its last byte; a number, or a word
 * such as `true`, ends at the next comma or bracket. The rest of the answer becomes a document with an empty list. The
 * code that reads answers validates these documents.
 */
export class JsonItems implements ItemScanner {
  readonly #location: JsonLocation;
  readonly #window = new ByteWindow();
  readonly #document = new ItemDocument();
  readonly #remainder: Remainder;
  #offset = 0;
  #pendingStart = 0;
  #depth = 0;
  /** The number of leading names in the path to the list that match the current position. */
  #matchedNameCount = 0;
  /** The offset of the quotation mark that begins the current string; -1 outside of strings. */
  #stringStart = -1;
  /** Whether the next string is the name of a member. */
  #isName = false;
  /** Whether the name of the current member is the next name in the path to the list. */
  #leadsToList: boolean;
  /** The nesting depth of the list of items; 0 outside of the list. */
  #listDepth = 0;
  #itemStart = -1;
  /** The offset after the last item or comma of the list. Negative if these bytes have been discarded. */
  #gapStart = 0;
  /** The parts that may follow in the list: an item or the end, an item, or a comma or the end. */
  #expected: "first" | "item" | "separator" = "first";
  #isListFound = false;

  constructor(location: JsonLocation) {
    this.#location = location;
    this.#remainder = new Remainder(location.limit);
    this.#leadsToList = true;
  }

  *push(chunk: Uint8Array): Generator<Uint8Array, undefined> {
    const window = this.#window;
    window.append(chunk);
    while (this.#offset < window.end) {
      if (this.#stringStart >= 0) {
        if (!this.#readString()) {
          break;
        }
        if (this.#isBetweenItems && window.bytes[this.#itemStart] === QUOTE) {
          yield this.#endItem(this.#offset);
        }
        continue;
      }
      const byte = window.bytes[this.#offset] ?? 0;
      if (this.#isBetweenItems) {
        const item = this.#readInList(byte);
        if (item !== undefined) {
          yield item;
        }
        this.#offset += 1;
      } else {
        this.#readOutside(byte);
        this.#offset += 1;
        if (this.#isBetweenItems && closingBytes[window.bytes[this.#itemStart] ?? 0] === byte) {
          yield this.#endItem(this.#offset);
        }
      }
    }
    this.#discardRead();
  }

  remainder(): Uint8Array {
    this.#flush(this.#window.end);
    if (!this.#isListFound) {
      const location = this.#location.names.length === 0 ? "" : ` at "${this.#location.names.join(".")}"`;
      throw new DecodeError(`The answer has no list${location}.`, { path: "/" });
    }
    return this.#remainder.bytes();
  }

  /** Whether the position is in the list, but outside the brackets of its items. */
  get #isBetweenItems(): boolean {
    return this.#listDepth > 0 && this.#depth === this.#listDepth;
  }

  /** Reads up to the end of a string. Returns false if the string is not complete. */
  #readString(): boolean {
    const window = this.#window;
    for (let quote = window.findByte(QUOTE, this.#offset); quote >= 0; quote = window.findByte(QUOTE, quote + 1)) {
      let backslashes = 0;
      while (window.bytes[quote - 1 - backslashes] === BACKSLASH) {
        backslashes += 1;
      }
      if (backslashes % 2 === 0) {
        if (this.#isName) {
          this.#isName = false;
          this.#leadsToList = this.#matchedNameCount < this.#location.names.length && this.#isExpectedName(quote);
        }
        this.#stringStart = -1;
        this.#offset = quote + 1;
        return true;
      }
    }
    this.#offset = window.end;
    return false;
  }

  #isExpectedName(quote: number): boolean {
    try {
      const text = new TextDecoder().decode(this.#window.bytes.subarray(this.#stringStart, quote + 1));
      return JSON.parse(text) === this.#location.names[this.#matchedNameCount];
    } catch {
      return false;
    }
  }

  /** Reads a byte that is in the list, but outside the brackets of its items. */
  #readInList(byte: number): Uint8Array | undefined {
    switch (byte) {
      case COMMA: {
        const item = this.#expected === "separator" ? undefined : this.#endItem(this.#offset);
        this.#expected = "item";
        this.#gapStart = this.#offset + 1;
        return item;
      }
      case CLOSE_LIST: {
        const isMissing = this.#itemStart >= 0 || this.#expected === "item";
        const item = isMissing ? this.#endItem(this.#offset) : undefined;
        this.#listDepth = 0;
        this.#depth -= 1;
        this.#pendingStart = this.#offset;
        return item;
      }
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        return undefined;
      default:
        if (this.#itemStart < 0) {
          if (this.#expected === "separator") {
            return this.#endItem(this.#offset);
          }
          this.#itemStart = this.#offset;
        }
        this.#trackNesting(byte);
        return undefined;
    }
  }

  /**
   * Returns the document of the item that ends at an offset. If an item or a separator is missing there, returns an
   * invalid document, which is refused when it is read.
   */
  #endItem(end: number): Uint8Array {
    const start = this.#itemStart < 0 ? end : this.#itemStart;
    this.#itemStart = -1;
    this.#expected = "separator";
    this.#pendingStart = end;
    this.#gapStart = end;
    checkItemSize(end - start, this.#location.limit);
    const item = this.#window.bytes.subarray(start, end);
    // Without a value, writes a comma: `[,]` is invalid, but `[]` would be valid.
    const content = item.length === 0 ? Uint8Array.of(COMMA) : item;
    return this.#document.build([listStart, content, listEnd]);
  }

  #readOutside(byte: number): void {
    const isParentMatched = this.#depth === this.#matchedNameCount + (this.#location.names.length > 0 ? 1 : 0);
    if (this.#listDepth === 0 && !this.#isListFound && this.#leadsToList && byte === OPEN_LIST && this.#isListHere) {
      this.#depth += 1;
      this.#listDepth = this.#depth;
      this.#isListFound = true;
      this.#flush(this.#offset + 1);
      this.#gapStart = this.#offset + 1;
      return;
    }
    if (byte === OPEN_OBJECT && this.#listDepth === 0 && this.#leadsToList && isParentMatched && this.#depth > 0) {
      this.#matchedNameCount += 1;
    }
    if (
      byte === CLOSE_OBJECT &&
      this.#listDepth === 0 &&
      this.#matchedNameCount > 0 &&
      this.#depth === this.#matchedNameCount + 1
    ) {
      this.#matchedNameCount -= 1;
    }
    this.#trackNesting(byte);
    if (
      this.#listDepth === 0 &&
      this.#depth === this.#matchedNameCount + 1 &&
      (byte === OPEN_OBJECT || byte === COMMA)
    ) {
      this.#isName = true;
      this.#leadsToList = false;
    }
  }

  /** Whether a list that begins at the current position is the list of items. */
  get #isListHere(): boolean {
    const { names } = this.#location;
    return names.length === 0
      ? this.#depth === 0
      : this.#matchedNameCount === names.length - 1 && this.#depth === names.length;
  }

  #trackNesting(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#stringStart = this.#offset;
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
    if (end > this.#pendingStart && this.#itemStart < 0) {
      this.#remainder.add(this.#window.slice(this.#pendingStart, end));
      this.#pendingStart = end;
    }
  }

  #discardRead(): void {
    const window = this.#window;
    // Keeps an incomplete string, because the name of a member can be compared only when it is complete.
    const readEnd = this.#stringStart >= 0 ? this.#stringStart : this.#offset;
    checkItemSize(window.end - readEnd, this.#location.limit);
    if (this.#itemStart >= 0) {
      checkItemSize(window.end - this.#itemStart, this.#location.limit);
    } else if (this.#listDepth === 0) {
      this.#flush(readEnd);
    } else {
      // White space is discarded, because all of it together can be as long as the items.
      checkGapSize(readEnd - this.#gapStart, this.#location.limit);
      this.#pendingStart = readEnd;
    }
    const keptStart = this.#itemStart < 0 ? this.#pendingStart : this.#itemStart;
    window.drop(keptStart);
    this.#offset -= keptStart;
    this.#pendingStart = Math.max(0, this.#pendingStart - keptStart);
    this.#gapStart -= keptStart;
    this.#stringStart = this.#stringStart < 0 ? -1 : this.#stringStart - keptStart;
    this.#itemStart = this.#itemStart < 0 ? -1 : 0;
  }
}
