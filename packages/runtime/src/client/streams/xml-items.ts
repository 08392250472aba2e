import { ByteWindow, Documents, type ItemScanner, Remainder } from "./byte-window.js";

/** The location of the items in a SOAP answer. */
export interface XmlPlace {
  /** The local names of the elements from the root to the items; undefined matches any name. */
  readonly names: readonly (string | undefined)[];
  /** The number of items to keep in the remainder because the schema requires them. */
  readonly kept: number;
  /** The maximum size of one item, and of the remainder. */
  readonly limit: number;
}

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const COLON = 0x3a;

/** The maximum size of a tag, in bytes. */
const longestTag = 1_048_576;

/**
 * Finds repeated elements in a document that arrives in chunks. Looks only for tags, comments and CDATA sections: each item
 * becomes a document of its own, inside the tags around it, and the rest becomes a document without the items. The reader of
 * answers validates both. Works on bytes in any encoding whose ASCII characters have one byte.
 */
export class XmlItems implements ItemScanner {
  readonly #place: XmlPlace;
  readonly #window = new ByteWindow();
  readonly #documents = new Documents();
  readonly #remainder: Remainder;
  readonly #names: readonly (Uint8Array | undefined)[];
  /** The start tags of the matched elements around the items. */
  readonly #around: string[] = [];
  #declaration = "";
  /** The offset of the next token, and the offset up to which its end has been searched. */
  #at = 0;
  #searched = 0;
  /** The offset of the first byte that belongs neither to the remainder nor to an item yet. */
  #from = 0;
  #itemStart = -1;
  #depth = 0;
  #matched = 0;
  #count = 0;
  #frame: { readonly before: Uint8Array; readonly after: Uint8Array } | undefined;

  constructor(place: XmlPlace) {
    this.#place = place;
    this.#remainder = new Remainder(place.limit);
    this.#names = place.names.map((name) => (name === undefined ? undefined : new TextEncoder().encode(name)));
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const window = this.#window;
    window.append(chunk);
    this.#documents.clear();
    const items: Uint8Array[] = [];
    for (;;) {
      const less = window.bytes[this.#at] === LESS && this.#at < window.end ? this.#at : window.find(LESS, this.#at);
      if (less < 0) {
        this.#at = window.end;
        break;
      }
      if (less > this.#at) {
        this.#skipText(less);
      }
      const end = this.#tokenEnd(less);
      if (end < 0) {
        break;
      }
      this.#at = this.#searched = end;
      const item = this.#readToken(less, end);
      if (item !== undefined) {
        items.push(item);
      }
    }
    this.#release();
    return items;
  }

  remainder(): Uint8Array {
    this.#flush(this.#window.end);
    return this.#remainder.bytes();
  }

  /** Skips white space between items, which can be as large as the items. */
  #skipText(less: number): void {
    const isBetween = this.#itemStart < 0 && this.#count > this.#place.kept && this.#isAroundItems;
    if (isBetween && isSpace(this.#window.bytes, this.#at, less)) {
      this.#flush(this.#at);
      this.#from = less;
    }
    this.#at = less;
  }

  get #isAroundItems(): boolean {
    return this.#depth === this.#matched && this.#matched === this.#names.length - 1;
  }

  /** The offset after the token at `start`; -1 if the token is incomplete. */
  #tokenEnd(start: number): number {
    const { bytes, end } = this.#window;
    const next = bytes[start + 1];
    if (start + 1 >= end || (next === BANG && end - start < 9)) {
      return -1;
    }
    if (next === QUESTION) {
      return this.#endOf("?>", start + 2);
    }
    if (next === BANG && bytes[start + 2] === 0x2d) {
      return this.#endOf("-->", start + 4);
    }
    if (next === BANG && bytes[start + 2] === 0x5b) {
      return this.#endOf("]]>", start + 9);
    }
    let quote = 0;
    for (let at = start + 1; at < end; at += 1) {
      const byte = bytes[at];
      if (quote !== 0) {
        quote = byte === quote ? 0 : quote;
      } else if (byte === GREATER) {
        return at + 1;
      } else if (byte === 0x22 || byte === 0x27) {
        quote = byte;
      }
    }
    if (end - start > longestTag) {
      throw new RangeError(`The answer has a tag of more than ${longestTag} bytes.`);
    }
    return -1;
  }

  /** The offset after a text that ends a token. Does not search the same bytes twice. */
  #endOf(text: string, from: number): number {
    const { bytes, end } = this.#window;
    const offset = text.length - 1;
    const last = text.charCodeAt(offset);
    let at = this.#window.find(last, Math.max(from + offset, this.#searched));
    while (at >= 0) {
      const start = at - offset;
      if (bytes[start] === text.charCodeAt(0) && bytes[at - 1] === text.charCodeAt(offset - 1)) {
        return at + 1;
      }
      at = this.#window.find(last, at + 1);
    }
    this.#searched = end;
    return -1;
  }

  #readToken(start: number, end: number): Uint8Array | undefined {
    const { bytes } = this.#window;
    const next = bytes[start + 1];
    if (next === QUESTION || next === BANG) {
      if (this.#declaration === "" && this.#depth === 0 && text(bytes, start, start + 5) === "<?xml") {
        this.#declaration = text(bytes, start, end);
      }
      return undefined;
    }
    if (next === SLASH) {
      return this.#endElement(end);
    }
    this.#depth += 1;
    if (this.#itemStart < 0 && this.#matched === this.#depth - 1 && this.#isExpected(start, end)) {
      this.#matched = this.#depth;
      if (this.#matched === this.#names.length) {
        this.#flush(start);
        this.#itemStart = start;
      } else {
        this.#around[this.#depth - 1] = text(bytes, start, end);
        this.#frame = undefined;
      }
    }
    return bytes[end - 2] === SLASH ? this.#endElement(end) : undefined;
  }

  #endElement(end: number): Uint8Array | undefined {
    this.#depth -= 1;
    this.#matched = Math.min(this.#matched, this.#depth);
    if (this.#itemStart < 0 || this.#depth >= this.#names.length) {
      return undefined;
    }
    const start = this.#itemStart;
    this.#itemStart = -1;
    this.#count += 1;
    if (this.#count <= this.#place.kept) {
      this.#flush(end);
    }
    this.#from = end;
    return this.#document(start, end);
  }

  #isExpected(start: number, end: number): boolean {
    const name = this.#names[this.#depth - 1];
    if (name === undefined) {
      return true;
    }
    const { bytes } = this.#window;
    let from = start + 1;
    let at = from;
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === COLON) {
        from = at + 1;
      } else if (byte <= 0x20 || byte === GREATER || byte === SLASH) {
        break;
      }
    }
    return at - from === name.length && name.every((byte, index) => bytes[from + index] === byte);
  }

  /** An item as a document: inside the tags around it, reduced to their namespace declarations. */
  #document(start: number, end: number): Uint8Array {
    this.#checkSize(end - start);
    this.#frame ??= this.#newFrame();
    const { before, after } = this.#frame;
    const item = this.#window.bytes.subarray(start, end);
    return this.#documents.add(before, item, after);
  }

  #newFrame() {
    const around = this.#around.slice(0, this.#names.length - 1);
    const names = around.map((tag) => /^<([^\s/>]*)/.exec(tag)?.[1] ?? "");
    const tags = around.map((tag, index) => `<${names[index]}${namespacesOf(tag)}>`);
    const ends = names.map((name) => `</${name}>`).reverse();
    return { before: latin1(this.#declaration + tags.join("")), after: latin1(ends.join("")) };
  }

  /** Keeps the bytes outside items, for the rest of the answer. */
  #flush(end: number): void {
    if (end > this.#from && this.#itemStart < 0) {
      this.#remainder.add(this.#window.slice(this.#from, end));
      this.#from = end;
    }
  }

  /** Discards the bytes that have been read. */
  #release(): void {
    const window = this.#window;
    if (this.#itemStart < 0) {
      this.#flush(this.#at);
    } else {
      this.#checkSize(window.end - this.#itemStart);
    }
    const keep = this.#itemStart < 0 ? this.#from : this.#itemStart;
    window.drop(keep);
    this.#at -= keep;
    this.#searched = Math.max(this.#at, this.#searched - keep);
    this.#from = Math.max(0, this.#from - keep);
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

function isSpace(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
      return false;
    }
  }
  return true;
}

/** The namespace declarations of a start tag. */
function namespacesOf(tag: string): string {
  const attributes = tag.matchAll(/([^\s=/<>]+)\s*=\s*("[^"]*"|'[^']*')/g);
  return [...attributes]
    .filter(([, name = ""]) => name === "xmlns" || name.startsWith("xmlns:"))
    .map(([, name, value]) => ` ${name}=${value}`)
    .join("");
}

/** One character for each byte. */
function text(bytes: Uint8Array, start: number, end: number): string {
  let characters = "";
  for (let at = start; at < end; at += 1) {
    characters += String.fromCharCode(bytes[at] ?? 0);
  }
  return characters;
}

function latin1(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
