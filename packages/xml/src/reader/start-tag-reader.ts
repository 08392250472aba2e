import { createErrorAt, createSyntaxError } from "../error.js";
import type { CharacterData } from "./character-data.js";
import { expandReferences, skipSpace, withSpaces } from "./content.js";
import { findNCNameEnd } from "./scan-name.js";
import { findDeclarationProblem, type LimitCounter, type NamespaceScope } from "./scope.js";

/** An attribute that is not a namespace declaration. */
export interface XmlAttribute {
  readonly prefix: string;
  readonly localName: string;
  /**
   * The namespace of the attribute; "" without a prefix, because the default namespace does not apply to attributes.
   */
  readonly namespace: string;
  readonly value: string;
  /** The offset of the attribute's name. */
  readonly offset: number;
  /** The offset of the first character of the value, inside the quotation marks. */
  readonly valueStart: number;
  /** The offset of the closing quotation mark. */
  readonly valueEnd: number;
}

interface OpenAttribute extends XmlAttribute {
  namespace: string;
}

/** The attributes in a start tag, and the end of the tag. */
export interface TagAttributes {
  readonly attributes: readonly XmlAttribute[];
  /** The number of attributes and namespace declarations. */
  readonly count: number;
  /** The offset after the `>` or `/>` that ends the tag. */
  readonly end: number;
  /** Whether the tag ends with `/>`. */
  readonly empty: boolean;
}

const GREATER = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** The maximum number of attributes for which comparing all pairs finds duplicates faster than a set does. */
const maxComparedInPairs = 8;
/** V8 copies slices of at most this many characters, and compares longer slices more slowly. */
const maxCopiedLength = 12;

/** Reads a start tag after its name (XML 1.0 §3.1 [40], [41], [44]), and declares its namespaces in the scope. */
export class StartTagReader {
  readonly #source: string;
  readonly #counter: LimitCounter;
  readonly #scope: NamespaceScope;
  readonly #characters: CharacterData;
  // The text after the name in the last tag with one attribute, in two parts. Messages often repeat this text:
  // ` xsi:nil="true" />`. Comparing two short slices takes 18 ns; comparing one long slice, 32 ns.
  #lastHead = "";
  #lastTail = "";
  /** The version of the scope after that tag. Comparing versions takes 3 ns; looking the prefix up, 20 ns. */
  #lastScopeVersion = -1;
  #lastAttributes: TagAttributes | undefined;
  #lastNameEnd = 0;

  constructor(
    source: string,
    parts: { readonly counter: LimitCounter; readonly scope: NamespaceScope; readonly characters: CharacterData },
  ) {
    this.#source = source;
    this.#counter = parts.counter;
    this.#scope = parts.scope;
    this.#characters = parts.characters;
  }

  read(nameEnd: number): TagAttributes {
    const repeatedAttributes = this.readRepeated(nameEnd);
    if (repeatedAttributes !== undefined) {
      return repeatedAttributes;
    }
    const tagAttributes = this.#read(nameEnd);
    const [onlyAttribute] = tagAttributes.attributes;
    if (tagAttributes.count === 1 && onlyAttribute !== undefined && onlyAttribute.prefix !== "") {
      const tailStart = Math.min(nameEnd + maxCopiedLength, tagAttributes.end);
      this.#lastHead = this.#source.slice(nameEnd, tailStart);
      this.#lastTail = this.#source.slice(tailStart, tagAttributes.end);
      this.#lastScopeVersion = this.#scope.version;
      this.#lastAttributes = tagAttributes;
      this.#lastNameEnd = nameEnd;
    }
    return tagAttributes;
  }

  /** The attribute of the last empty tag with one attribute. */
  get lastOfEmptyTag(): XmlAttribute | undefined {
    return this.#lastAttributes?.empty === true ? this.#lastAttributes.attributes[0] : undefined;
  }

  /**
   * Returns the end of the tag if the text after its name is the same as in the last tag with one attribute; otherwise
   * -1.
   */
  findRepeatedEnd(nameEnd: number): number {
    const source = this.#source;
    const tailStart = nameEnd + this.#lastHead.length;
    const end = tailStart + this.#lastTail.length;
    if (source.slice(nameEnd, tailStart) !== this.#lastHead || source.slice(tailStart, end) !== this.#lastTail) {
      return -1;
    }
    if (this.#scope.version !== this.#lastScopeVersion && !this.#isLastPrefixUnchanged()) {
      return -1;
    }
    this.#characters.refuseIllegalBefore(end);
    return end;
  }

  /** The same text is the same attribute only if its prefix is still bound to the same namespace. */
  #isLastPrefixUnchanged(): boolean {
    const lastAttribute = this.#lastAttributes?.attributes[0];
    return lastAttribute !== undefined && this.#scope.resolve(lastAttribute.prefix) === lastAttribute.namespace;
  }

  /**
   * Returns the attribute of a tag that repeats the last tag with one attribute after the name; otherwise undefined.
   */
  readRepeated(nameEnd: number): TagAttributes | undefined {
    const last = this.#lastAttributes?.attributes[0];
    const end = last === undefined ? -1 : this.findRepeatedEnd(nameEnd);
    if (last === undefined || end < 0) {
      return undefined;
    }
    const { prefix, namespace } = last;
    const shift = nameEnd - this.#lastNameEnd;
    const attribute: XmlAttribute = {
      prefix,
      localName: last.localName,
      namespace,
      value: last.value,
      offset: last.offset + shift,
      valueStart: last.valueStart + shift,
      valueEnd: last.valueEnd + shift,
    };
    return { attributes: [attribute], count: 1, end, empty: this.#lastAttributes?.empty === true };
  }

  #read(nameEnd: number): TagAttributes {
    const source = this.#source;
    const attributes: OpenAttribute[] = [];
    const mark = this.#scope.size;
    let offset = nameEnd;
    for (;;) {
      const start = skipSpace(source, offset);
      const code = source.charCodeAt(start);
      const isEmpty = code === SLASH && source.charCodeAt(start + 1) === GREATER;
      if (code === GREATER || isEmpty) {
        const end = isEmpty ? start + 2 : start + 1;
        this.#characters.refuseIllegalBefore(end);
        this.#bindPrefixes(attributes);
        return { attributes, count: attributes.length + this.#scope.size - mark, end, empty: isEmpty };
      }
      if (start === offset) {
        throw this.#createUnexpectedTextError(start);
      }
      const attribute = this.#readAttribute(start);
      if (attribute.prefix === "xmlns" || (attribute.prefix === "" && attribute.localName === "xmlns")) {
        this.#declareNamespace(attribute, mark);
      } else {
        attributes.push(attribute);
        if (attributes.length > this.#counter.limits.attributes) {
          this.#counter.refuse("attributes", start);
        }
      }
      offset = attribute.valueEnd + 1;
    }
  }

  #readAttribute(offset: number): OpenAttribute {
    const source = this.#source;
    let nameEnd = findNCNameEnd(source, offset);
    let prefix = "";
    let localStart = offset;
    if (source.charCodeAt(nameEnd) === COLON && nameEnd > offset) {
      prefix = source.slice(offset, nameEnd);
      localStart = nameEnd + 1;
      nameEnd = findNCNameEnd(source, localStart);
    }
    if (nameEnd === localStart) {
      throw this.#createUnexpectedTextError(offset);
    }
    if (nameEnd - offset > this.#counter.limits.nameChars) {
      this.#counter.refuse("nameChars", offset);
    }
    const localName = source.slice(localStart, nameEnd);
    const valueStart = this.#valueStart(nameEnd);
    const valueEnd = source.indexOf(source.charCodeAt(valueStart - 1) === QUOTE ? '"' : "'", valueStart);
    if (valueEnd < 0) {
      throw createSyntaxError(source, valueStart - 1, "openValue");
    }
    if (valueEnd - valueStart > this.#counter.limits.attributeChars) {
      this.#counter.refuse("attributeChars", offset);
    }
    return {
      prefix,
      localName,
      namespace: "",
      value: this.#readValue(valueStart, valueEnd),
      offset,
      valueStart,
      valueEnd,
    };
  }

  /** XML 1.0 §2.3 [10], §3.1 [25]: white space is allowed around the equals sign. */
  #valueStart(nameEnd: number): number {
    const source = this.#source;
    const equals = skipSpace(source, nameEnd);
    if (source.charCodeAt(equals) !== EQUALS) {
      throw createSyntaxError(source, equals, "noAttributeValue");
    }
    const quote = skipSpace(source, equals + 1);
    const code = source.charCodeAt(quote);
    if (code === QUOTE || code === APOSTROPHE) {
      return quote + 1;
    }
    throw createSyntaxError(source, quote, "unquotedValue");
  }

  #readValue(start: number, end: number): string {
    const value = this.#source.slice(start, end);
    if (!/[<&\t\n\r]/.test(value)) {
      return value;
    }
    const lessThanOffset = value.indexOf("<");
    if (lessThanOffset >= 0) {
      throw createSyntaxError(this.#source, start + lessThanOffset, "lessThanInValue");
    }
    return value.includes("&") ? expandReferences(this.#source, { start, end }, withSpaces) : withSpaces(value);
  }

  #declareNamespace(attribute: XmlAttribute, mark: number): void {
    const prefix = attribute.prefix === "" ? "" : attribute.localName;
    if (this.#scope.size - mark >= this.#counter.limits.namespaces) {
      this.#counter.refuse("namespaces", attribute.offset);
    }
    if (attribute.value.length > this.#counter.limits.namespaceChars) {
      this.#counter.refuse("namespaceChars", attribute.offset);
    }
    const problem = findDeclarationProblem(prefix, attribute.value);
    if (problem !== undefined) {
      throw createErrorAt(this.#source, attribute.offset, problem, "xml.namespace");
    }
    if (this.#scope.isDeclaredSince(mark, prefix)) {
      throw this.#createDuplicateAttributeError(attribute);
    }
    this.#scope.declare(prefix, attribute.value);
  }

  #bindPrefixes(attributes: readonly OpenAttribute[]): void {
    for (const attribute of attributes) {
      if (attribute.prefix !== "") {
        attribute.namespace = this.#scope.require(attribute.prefix, this.#source, attribute.offset);
      }
    }
    if (attributes.length > maxComparedInPairs) {
      this.#refuseDuplicates(attributes);
    } else if (attributes.length > 1) {
      this.#refusePairs(attributes);
    }
  }

  /** Namespaces in XML §6.3: two attributes must not have the same expanded name. */
  #refusePairs(attributes: readonly XmlAttribute[]): void {
    for (let index = 1; index < attributes.length; index += 1) {
      const attribute = attributes[index];
      for (let earlierIndex = 0; earlierIndex < index; earlierIndex += 1) {
        const earlierAttribute = attributes[earlierIndex];
        if (
          attribute !== undefined &&
          earlierAttribute?.localName === attribute.localName &&
          this.#getNamespaceKey(earlierAttribute) === this.#getNamespaceKey(attribute)
        ) {
          throw this.#createDuplicateAttributeError(attribute);
        }
      }
    }
  }

  #refuseDuplicates(attributes: readonly XmlAttribute[]): void {
    const names = new Set<string>();
    for (const attribute of attributes) {
      const name = `{${this.#getNamespaceKey(attribute)}}${attribute.localName}`;
      if (names.has(name)) {
        throw this.#createDuplicateAttributeError(attribute);
      }
      names.add(name);
    }
  }

  #getNamespaceKey({ prefix }: XmlAttribute): string {
    return prefix === "" ? "" : this.#scope.getNamespaceKey(prefix);
  }

  #createDuplicateAttributeError(attribute: XmlAttribute): Error {
    return createSyntaxError(this.#source, attribute.offset, "repeatedAttribute", attribute.localName);
  }

  #createUnexpectedTextError(offset: number): Error {
    if (offset >= this.#source.length) {
      return createSyntaxError(this.#source, offset, "openTag");
    }
    return createSyntaxError(this.#source, offset, "malformedTag");
  }
}
