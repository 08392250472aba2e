/** The tags of an element that contains the items. The start tag has only the namespace declarations. */
interface TagPair {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
}

/**
 * The bytes that the document of every item repeats: the XML declaration, and the tags of the elements that contain the
 * items. Their size is limited, because a server could otherwise make each small item expensive.
 */
export class OuterTags {
  readonly #limit: number;
  #declaration: Uint8Array = new Uint8Array();
  /** The elements that contain the items, from the root. */
  readonly #elements: TagPair[] = [];
  /** The bytes before an item in its document. */
  before: readonly Uint8Array[] = [];
  /** The bytes after an item in its document. */
  after: readonly Uint8Array[] = [];

  /** `limit` is the maximum number of bytes before and after an item. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get hasDeclaration(): boolean {
    return this.#declaration.length > 0;
  }

  /** Throws a `RangeError` if the limit is exceeded. */
  setDeclaration(declaration: Uint8Array): void {
    this.#declaration = declaration;
    this.#update();
  }

  /**
   * Sets the element at a depth, which counts from 0 at the root, and forgets the elements below it. Throws a
   * `RangeError` if the limit is exceeded.
   */
  setElement(depth: number, startTag: Uint8Array): void {
    this.#elements.length = depth;
    this.#elements.push(createTagPair(decodeLatin1(startTag), this.#limit));
    this.#update();
  }

  #update(): void {
    this.before = [this.#declaration, ...this.#elements.map(({ start }) => start)];
    this.after = this.#elements.map(({ end }) => end).reverse();
    const size = [...this.before, ...this.after].reduce((sum, { length }) => sum + length, 0);
    if (size > this.#limit) {
      throw createSizeError(this.#limit);
    }
  }
}

function createTagPair(tag: string, limit: number): TagPair {
  const name = /^<([^\s/>]*)/.exec(tag)?.[1] ?? "";
  return { start: encodeLatin1(`<${name}${copyNamespaces(tag, limit)}>`), end: encodeLatin1(`</${name}>`) };
}

/**
 * Returns the namespace declarations of a start tag. The pattern also matches the values of other attributes, so that
 * no match begins inside a value. Matching takes linear time even if a server sends a very long attribute name, because
 * no match begins inside the name of another attribute.
 */
function copyNamespaces(tag: string, limit: number): string {
  let declarations = "";
  for (const [, name, value] of tag.matchAll(/\s(xmlns(?::[^\s=/<>]+)?)\s*=\s*("[^"]*"|'[^']*')|"[^"]*"|'[^']*'/g)) {
    if (name !== undefined) {
      declarations += ` ${name}=${value}`;
    }
    if (declarations.length > limit) {
      throw createSizeError(limit);
    }
  }
  return declarations;
}

function createSizeError(limit: number): RangeError {
  return new RangeError(
    `The names and namespace declarations around the items of the answer have more bytes than the limit attributeChars = ${limit} allows. To accept them, increase the option "limits.attributeChars".`,
  );
}

/** The number of bytes that are converted at once, because a function can have only so many arguments. */
const bytesPerConversion = 8_192;

/** Converts bytes to text with one character for each byte. */
export function decodeLatin1(bytes: Uint8Array): string {
  let characters = "";
  for (let start = 0; start < bytes.length; start += bytesPerConversion) {
    characters += String.fromCharCode(...bytes.subarray(start, start + bytesPerConversion));
  }
  return characters;
}

function encodeLatin1(characters: string): Uint8Array {
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = characters.charCodeAt(index);
  }
  return bytes;
}
