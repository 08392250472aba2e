import type { CharacterData } from "./character-data.js";
import type { Cost } from "./cost.js";
import { ncNameEnd } from "./names.js";
import { declarationProblem, type NamespaceScope } from "./namespaces.js";
import { expandReferences } from "./references.js";
import { refusal } from "./refusal.js";
import { skipSpace, withSpaces } from "./space.js";

/** An attribute that is no namespace declaration. */
export interface XmlAttribute {
  readonly prefix: string;
  readonly localName: string;
  /** Empty for an attribute without a prefix: the default namespace is not for attributes. */
  readonly namespace: string;
  readonly value: string;
  /** Where its name begins. */
  readonly offset: number;
  /** Where its value begins and ends, inside the quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

interface OpenAttribute extends XmlAttribute {
  namespace: string;
}

export interface TagRest {
  readonly attributes: readonly XmlAttribute[];
  /** Attributes and namespace declarations together. */
  readonly count: number;
  /** Behind the `>`. */
  readonly end: number;
  /** The tag ends with `/>`. */
  readonly empty: boolean;
}

const GREATER = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** Below this number of attributes, comparing each with each is faster than a set. */
const few = 8;

/** Reads what follows the name in a start tag (XML 1.0 §3.1 [40], [41], [44]), and declares the namespaces it declares. */
export class TagReader {
  readonly #source: string;
  readonly #cost: Cost;
  readonly #scope: NamespaceScope;
  readonly #characters: CharacterData;
  /** What followed the name in the last tag with one attribute: mostly `xsi:nil="true"`, again and again. */
  #known = "";
  #knownRest: TagRest | undefined;
  #knownStart = 0;

  constructor(
    source: string,
    parts: { readonly cost: Cost; readonly scope: NamespaceScope; readonly characters: CharacterData },
  ) {
    this.#source = source;
    this.#cost = parts.cost;
    this.#scope = parts.scope;
    this.#characters = parts.characters;
  }

  read(nameEnd: number): TagRest {
    const again = this.again(nameEnd);
    if (again !== undefined) return again;
    const rest = this.#read(nameEnd);
    const [only] = rest.attributes;
    if (rest.count === 1 && only !== undefined && only.prefix !== "") {
      this.#known = this.#source.slice(nameEnd, rest.end);
      this.#knownRest = rest;
      this.#knownStart = nameEnd;
    }
    return rest;
  }

  /** What follows the name, if it is what followed the last that had one attribute. It declares nothing. */
  again(nameEnd: number): TagRest | undefined {
    const known = this.#knownRest?.attributes[0];
    const end = nameEnd + this.#known.length;
    if (known === undefined || this.#source.slice(nameEnd, end) !== this.#known) return undefined;
    const { prefix, namespace } = known;
    // The same text means the same as long as its prefix does.
    if (this.#scope.resolve(prefix) !== namespace) return undefined;
    this.#characters.refuseIllegalBefore(end);
    const moved = nameEnd - this.#knownStart;
    const attribute: XmlAttribute = {
      prefix,
      localName: known.localName,
      namespace,
      value: known.value,
      offset: known.offset + moved,
      valueStart: known.valueStart + moved,
      valueEnd: known.valueEnd + moved,
    };
    return { attributes: [attribute], count: 1, end, empty: this.#knownRest?.empty === true };
  }

  #read(nameEnd: number): TagRest {
    const source = this.#source;
    const attributes: OpenAttribute[] = [];
    const mark = this.#scope.size;
    let at = nameEnd;
    for (;;) {
      const start = skipSpace(source, at);
      const code = source.charCodeAt(start);
      const empty = code === SLASH && source.charCodeAt(start + 1) === GREATER;
      if (code === GREATER || empty) {
        const end = empty ? start + 2 : start + 1;
        this.#characters.refuseIllegalBefore(end);
        this.#bind(attributes);
        return { attributes, count: attributes.length + this.#scope.size - mark, end, empty };
      }
      if (start === at) throw this.#unexpected(start);
      const attribute = this.#attribute(start);
      if (attribute.prefix === "xmlns" || (attribute.prefix === "" && attribute.localName === "xmlns")) {
        this.#declare(attribute, mark);
      } else {
        attributes.push(attribute);
        if (attributes.length > this.#cost.limits.attributes) this.#cost.refuse("attributes", start);
      }
      at = attribute.valueEnd + 1;
    }
  }

  #attribute(offset: number): OpenAttribute {
    const source = this.#source;
    let nameEnd = ncNameEnd(source, offset);
    let prefix = "";
    let localStart = offset;
    if (source.charCodeAt(nameEnd) === COLON && nameEnd > offset) {
      prefix = source.slice(offset, nameEnd);
      localStart = nameEnd + 1;
      nameEnd = ncNameEnd(source, localStart);
    }
    if (nameEnd === localStart) throw this.#unexpected(offset);
    if (nameEnd - offset > this.#cost.limits.name) this.#cost.refuse("name", offset);
    const localName = source.slice(localStart, nameEnd);
    const valueStart = this.#valueStart(nameEnd);
    const valueEnd = source.indexOf(source.charCodeAt(valueStart - 1) === QUOTE ? '"' : "'", valueStart);
    if (valueEnd < 0) throw refusal(source, valueStart - 1, "The value of the attribute is not closed.");
    if (valueEnd - valueStart > this.#cost.limits.attributeChars) this.#cost.refuse("attributeChars", offset);
    return { prefix, localName, namespace: "", value: this.#value(valueStart, valueEnd), offset, valueStart, valueEnd };
  }

  /** XML 1.0 §2.3 [10], §3.1 [25]: white space may stand around the equals sign. */
  #valueStart(nameEnd: number): number {
    const source = this.#source;
    const equals = skipSpace(source, nameEnd);
    if (source.charCodeAt(equals) !== EQUALS) throw refusal(source, equals, "An attribute needs = and a value.");
    const quote = skipSpace(source, equals + 1);
    const code = source.charCodeAt(quote);
    if (code === QUOTE || code === APOSTROPHE) return quote + 1;
    throw refusal(source, quote, "The value of an attribute stands in quotes.");
  }

  #value(start: number, end: number): string {
    const value = this.#source.slice(start, end);
    if (!/[<&\t\n\r]/.test(value)) return value;
    const less = value.indexOf("<");
    if (less >= 0) throw refusal(this.#source, start + less, "A < in an attribute value is written &lt;.");
    return value.includes("&") ? expandReferences(this.#source, { start, end }, withSpaces) : withSpaces(value);
  }

  #declare(attribute: XmlAttribute, mark: number): void {
    const prefix = attribute.prefix === "" ? "" : attribute.localName;
    if (this.#scope.size - mark >= this.#cost.limits.namespaces) this.#cost.refuse("namespaces", attribute.offset);
    const problem = declarationProblem(prefix, attribute.value);
    if (problem !== undefined) throw refusal(this.#source, attribute.offset, problem, "xml.namespace");
    if (this.#scope.declaredSince(mark, prefix)) throw this.#duplicate(attribute);
    this.#scope.declare(prefix, attribute.value);
  }

  #bind(attributes: readonly OpenAttribute[]): void {
    for (const attribute of attributes) {
      if (attribute.prefix !== "")
        attribute.namespace = this.#scope.require(attribute.prefix, this.#source, attribute.offset);
    }
    if (attributes.length > few) this.#refuseDuplicates(attributes);
    else if (attributes.length > 1) this.#refusePairs(attributes);
  }

  /** Namespaces in XML §6.3: no two attributes have the same expanded name. */
  #refusePairs(attributes: readonly XmlAttribute[]): void {
    for (const [index, one] of attributes.entries()) {
      for (let other = 0; other < index; other += 1) {
        const before = attributes[other];
        if (before?.localName === one.localName && before.namespace === one.namespace) throw this.#duplicate(one);
      }
    }
  }

  #refuseDuplicates(attributes: readonly XmlAttribute[]): void {
    const seen = new Set<string>();
    for (const attribute of attributes) {
      const name = `{${attribute.namespace}}${attribute.localName}`;
      if (seen.has(name)) throw this.#duplicate(attribute);
      seen.add(name);
    }
  }

  #duplicate(attribute: XmlAttribute): Error {
    return refusal(this.#source, attribute.offset, `The attribute "${attribute.localName}" stands here twice.`);
  }

  #unexpected(at: number): Error {
    if (at >= this.#source.length) return refusal(this.#source, at, "The tag is not closed.");
    return refusal(this.#source, at, "White space, an attribute or the end of the tag is expected here.");
  }
}
