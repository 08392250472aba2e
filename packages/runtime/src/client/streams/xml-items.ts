import { ByteWindow, checkItemSize, ItemDocument, type ItemScanner, Remainder } from "./byte-window.js";
import { decodeLatin1, OuterTags } from "./outer-tags.js";

/** The location of the items in a SOAP answer. */
export interface XmlLocation {
  /** The local names of the elements from the root to the items. An undefined name matches any element. */
  readonly names: readonly (string | undefined)[];
  /** The number of items that stay in the remainder of the answer, because the schema requires at least that many. */
  readonly keptItemCount: number;
  /** The maximum size in bytes of each item, and of the rest of the answer. */
  readonly limit: number;
  /** The maximum size in bytes of the tags around an item, with only their names and namespace declarations. */
  readonly outerLimit: number;
}

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const COLON = 0x3a;

/** The maximum size of a tag, in bytes. */
const maxTagBytes = 1_048_576;

/**
 * Finds repeated elements in a document that arrives in chunks. Looks only for tags, comments and CDATA sections: each
 * item becomes a document that contains the tags around the item, and the answer becomes a document without the items.
 * The code that reads answers validates these documents. Works on bytes in any encoding whose ASCII characters have one
 * byte.
 */
export class XmlItems implements ItemScanner {
  readonly #location: XmlLocation;
  readonly #window = new ByteWindow();
  readonly #document = new ItemDocument();
  readonly #remainder: Remainder;
  readonly #names: readonly (Uint8Array | undefined)[];
  readonly #outerTags: OuterTags;
  /** The offset of the next token. */
  #offset = 0;
  /** The offset up to which the end of the next token has been searched for. */
  #searchedEnd = 0;
  /** The quotation mark of the attribute value in which the search stopped; 0 outside of values. */
  #openQuote = 0;
  /** The offset of the first byte that has not yet been added to the remainder or to an item. */
  #pendingStart = 0;
  #itemStart = -1;
  #depth = 0;
  /** The number of open elements that match `names`, counted from the root. */
  #matchedDepth = 0;
  #itemCount = 0;

  constructor(location: XmlLocation) {
    this.#location = location;
    this.#remainder = new Remainder(location.limit);
    this.#outerTags = new OuterTags(location.outerLimit);
    this.#names = location.names.map((name) => (name === undefined ? undefined : new TextEncoder().encode(name)));
  }

  *push(chunk: Uint8Array): Generator<Uint8Array, undefined> {
    const window = this.#window;
    window.append(chunk);
    for (;;) {
      const tokenStart =
        window.bytes[this.#offset] === LESS_THAN && this.#offset < window.end
          ? this.#offset
          : window.findByte(LESS_THAN, this.#offset);
      if (tokenStart < 0) {
        this.#offset = window.end;
        break;
      }
      if (tokenStart > this.#offset) {
        this.#skipText(tokenStart);
      }
      const end = this.#findTokenEnd(tokenStart);
      if (end < 0) {
        break;
      }
      this.#offset = this.#searchedEnd = end;
      const item = this.#readToken(tokenStart, end);
      if (item !== undefined) {
        yield item;
      }
    }
    this.#discardRead();
  }

  remainder(): Uint8Array {
    this.#flush(this.#window.end);
    return this.#remainder.bytes();
  }

  /** Moves to the next token. Discards white space between items, because it can be as long as the items. */
  #skipText(tokenStart: number): void {
    const isBetween = this.#itemStart < 0 && this.#itemCount > this.#location.keptItemCount && this.#isAroundItems;
    if (isBetween && isWhiteSpace(this.#window.bytes, this.#offset, tokenStart)) {
      this.#flush(this.#offset);
      this.#pendingStart = tokenStart;
    }
    this.#offset = tokenStart;
  }

  get #isAroundItems(): boolean {
    return this.#depth === this.#matchedDepth && this.#matchedDepth === this.#names.length - 1;
  }

  /** Returns the offset after the token at `start`; -1 if the token is incomplete. */
  #findTokenEnd(start: number): number {
    const { bytes, end } = this.#window;
    const nextByte = bytes[start + 1];
    if (start + 1 >= end || (nextByte === BANG && end - start < 9)) {
      return -1;
    }
    if (nextByte === QUESTION) {
      return this.#findEnd("?>", start + 2);
    }
    if (nextByte === BANG && bytes[start + 2] === 0x2d) {
      return this.#findEnd("-->", start + 4);
    }
    if (nextByte === BANG && bytes[start + 2] === 0x5b) {
      return this.#findEnd("]]>", start + 9);
    }
    let quote = this.#openQuote;
    for (let offset = Math.max(start + 1, this.#searchedEnd); offset < end; offset += 1) {
      const byte = bytes[offset];
      if (quote !== 0) {
        quote = byte === quote ? 0 : quote;
      } else if (byte === GREATER_THAN) {
        this.#openQuote = 0;
        return offset + 1;
      } else if (byte === 0x22 || byte === 0x27) {
        quote = byte;
      }
    }
    if (end - start > maxTagBytes) {
      throw new RangeError(`The answer has a tag of more than ${maxTagBytes} bytes.`);
    }
    this.#searchedEnd = end;
    this.#openQuote = quote;
    return -1;
  }

  /**
   * Finds the string that ends a token, and returns the offset after it. Continues where the previous search stopped.
   */
  #findEnd(text: string, from: number): number {
    const { bytes, end } = this.#window;
    const lastIndex = text.length - 1;
    const lastByte = text.charCodeAt(lastIndex);
    let offset = this.#window.findByte(lastByte, Math.max(from + lastIndex, this.#searchedEnd));
    while (offset >= 0) {
      const start = offset - lastIndex;
      if (bytes[start] === text.charCodeAt(0) && bytes[offset - 1] === text.charCodeAt(lastIndex - 1)) {
        return offset + 1;
      }
      offset = this.#window.findByte(lastByte, offset + 1);
    }
    this.#searchedEnd = end;
    return -1;
  }

  #readToken(start: number, end: number): Uint8Array | undefined {
    const { bytes } = this.#window;
    const nextByte = bytes[start + 1];
    if (nextByte === QUESTION || nextByte === BANG) {
      const isDeclaration = this.#depth === 0 && decodeLatin1(bytes.subarray(start, start + 5)) === "<?xml";
      if (isDeclaration && !this.#outerTags.hasDeclaration) {
        this.#outerTags.setDeclaration(bytes.slice(start, end));
      }
      return undefined;
    }
    if (nextByte === SLASH) {
      return this.#endElement(end);
    }
    this.#depth += 1;
    if (this.#itemStart < 0 && this.#matchedDepth === this.#depth - 1 && this.#isExpected(start, end)) {
      this.#matchedDepth = this.#depth;
      if (this.#matchedDepth === this.#names.length) {
        this.#flush(start);
        this.#itemStart = start;
      } else {
        this.#outerTags.setElement(this.#depth - 1, bytes.subarray(start, end));
      }
    }
    return bytes[end - 2] === SLASH ? this.#endElement(end) : undefined;
  }

  #endElement(end: number): Uint8Array | undefined {
    this.#depth -= 1;
    this.#matchedDepth = Math.min(this.#matchedDepth, this.#depth);
    if (this.#itemStart < 0 || this.#depth >= this.#names.length) {
      return undefined;
    }
    const start = this.#itemStart;
    this.#itemStart = -1;
    this.#itemCount += 1;
    if (this.#itemCount <= this.#location.keptItemCount) {
      this.#flush(end);
    }
    this.#pendingStart = end;
    return this.#createDocument(start, end);
  }

  #isExpected(start: number, end: number): boolean {
    const name = this.#names[this.#depth - 1];
    if (name === undefined) {
      return true;
    }
    const { bytes } = this.#window;
    let nameStart = start + 1;
    let offset = nameStart;
    for (; offset < end; offset += 1) {
      const byte = bytes[offset] ?? 0;
      if (byte === COLON) {
        nameStart = offset + 1;
      } else if (byte <= 0x20 || byte === GREATER_THAN || byte === SLASH) {
        break;
      }
    }
    return offset - nameStart === name.length && name.every((byte, index) => bytes[nameStart + index] === byte);
  }

  /** Returns the document of an item: the item inside the tags around it. */
  #createDocument(start: number, end: number): Uint8Array {
    checkItemSize(end - start, this.#location.limit);
    const { before, after } = this.#outerTags;
    return this.#document.build([...before, this.#window.bytes.subarray(start, end), ...after]);
  }

  /** Adds the bytes before `end` to the remainder, unless they belong to an item. */
  #flush(end: number): void {
    if (end > this.#pendingStart && this.#itemStart < 0) {
      this.#remainder.add(this.#window.slice(this.#pendingStart, end));
      this.#pendingStart = end;
    }
  }

  /** Discards the bytes that are no longer needed. */
  #discardRead(): void {
    const window = this.#window;
    if (this.#itemStart < 0) {
      this.#flush(this.#offset);
      // An incomplete comment, CDATA section or processing instruction cannot become an item, so it must fit into the
      // remainder. Tags have a separate limit.
      const nextByte = window.bytes[this.#offset + 1];
      if (window.end > this.#offset + 1 && (nextByte === BANG || nextByte === QUESTION)) {
        this.#remainder.checkPending(window.end - this.#offset);
      }
    } else {
      checkItemSize(window.end - this.#itemStart, this.#location.limit);
    }
    const keptStart = this.#itemStart < 0 ? this.#pendingStart : this.#itemStart;
    window.drop(keptStart);
    this.#offset -= keptStart;
    this.#searchedEnd = Math.max(this.#offset, this.#searchedEnd - keptStart);
    this.#pendingStart = Math.max(0, this.#pendingStart - keptStart);
    this.#itemStart = this.#itemStart < 0 ? -1 : 0;
  }
}

function isWhiteSpace(bytes: Uint8Array, start: number, end: number): boolean {
  for (let offset = start; offset < end; offset += 1) {
    const byte = bytes[offset];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
      return false;
    }
  }
  return true;
}
