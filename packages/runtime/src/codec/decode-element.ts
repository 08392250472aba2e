import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import type { XmlAttribute, XmlReader } from "@bothends/xml";
import { XmlError } from "@bothends/xml/error";
import { END, TEXT } from "@bothends/xml/events";
import { clark } from "@bothends/xml/names";
import type { ContentReader, SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import {
  appendItem,
  countItems,
  type Declaration,
  type DecodeContext,
  type DecodeElement,
  type DecodeTable,
  type DecodeType,
  hasMember,
  omitted,
  type ReadRecord,
  setMember,
  type TolerantReader,
} from "./decode-table.js";
import { checkFixedRead, readNil, refuseAttribute } from "./element-attributes.js";
import { instanceNamespace } from "./names.js";
import { addStep, declaredValue, SchemaMismatch } from "./schema-mismatch.js";

/** The maximum depth of a document, in addition to the reader's limit, because decoding is recursive. */
const maxDepth = 512;

/** The rules for values in SOAP encoding. */
export interface EncodingRules {
  /** Whether an attribute belongs to the encoding rather than to the value. */
  isEncodingAttribute(attribute: { readonly namespace: string; readonly localName: string }): boolean;
  /** Reads the element that a reference at START refers to; undefined if START is not a reference. */
  follow(context: DecodeContext, type: DecodeType, declaration: Declaration): { readonly value: unknown } | undefined;
}

/** An element that matched a wildcard. It began at `start`; the reader is at its END. */
export interface WildcardElement {
  readonly reader: XmlReader;
  readonly start: number;
  readonly process: "strict" | "lax";
}

/** The rules for accepting or refusing a document. */
export interface DecodeRules {
  /** Present for strict decoding: reads all content in order, and refuses whatever a validator would refuse. */
  readonly strict: ContentReader | undefined;
  /** Whether to refuse elements and attributes that the schema does not declare. */
  readonly refuseUnknown: boolean;
  /** Whether to refuse a second occurrence of a single element. */
  readonly refuseRepeated: boolean;
  /** Whether to check identity constraints. */
  readonly identity: boolean;
  /** Receives each ID and IDREF; present if they are checked. */
  readonly identify: TextContext["identify"];
  /** Whether to refuse data that would be lost. */
  readonly refuseLoss: boolean;
  /** Checks the content of wildcards; absent if it is not checked. */
  readonly checkDeclared: ((element: WildcardElement, rules: DecodeRules) => void) | undefined;
  /** Present if differences from the schema may be accepted. */
  readonly tolerant: TolerantReader | undefined;
  /** Present if values are in SOAP encoding. */
  readonly encoding: EncodingRules | undefined;
}

/** Decodes one element using compiled tables. */
export class ElementDecoder implements DecodeContext {
  readonly reader: XmlReader;
  readonly strict: boolean;
  readonly refuseLoss: boolean;
  readonly referenceDepth: number;
  readonly identify: TextContext["identify"];
  readonly #rules: DecodeRules;
  #lastRepeatable: XmlAttribute | undefined;
  #isNilRepeatable = false;

  constructor(reader: XmlReader, rules: DecodeRules, referenceDepth = 0) {
    this.reader = reader;
    this.strict = rules.strict !== undefined;
    this.refuseLoss = rules.refuseLoss;
    this.referenceDepth = referenceDepth;
    this.identify = rules.identify;
    this.#rules = rules;
  }

  get tolerant(): TolerantReader | undefined {
    return this.#rules.tolerant;
  }

  resolve(prefix: string): string | undefined {
    return this.reader.resolve(prefix);
  }

  prefixFor(): string {
    throw new LexicalError("A prefix cannot be declared while decoding.");
  }

  elsewhere(reader: XmlReader, depth: number): DecodeContext {
    return new ElementDecoder(reader, this.#rules, depth);
  }

  checkDeclared(start: number, process: "strict" | "lax"): void {
    this.#rules.checkDeclared?.({ reader: this.reader, start, process }, this.#rules);
  }

  value(type: DecodeType, declaration: Declaration): unknown {
    const { reader } = this;
    if (reader.attributes.length > 0) {
      const target = this.#rules.encoding?.follow(this, type, declaration);
      if (target !== undefined) {
        return target.value;
      }
      const nil = readNil(this, type, declaration);
      if (nil !== undefined) {
        return nil;
      }
      this.#rules.strict?.checkAttributes(this, type);
      if (type.kind === "simple") {
        this.#attributes([], {});
      }
    }
    switch (type.kind) {
      case "simple":
        return this.simple(type.type, declaration);
      case "record":
        return this.record(type.table, {}, declaration);
      case "other":
        return type.read(this, declaration);
    }
  }

  unknown(): void {
    if (this.#rules.refuseUnknown) {
      const { localName, namespace } = this.reader;
      throw new SchemaMismatch(`The element ${clark(namespace, localName)} is not expected here.`).within(localName);
    }
    this.reader.skip();
  }

  /** Refuses or skips another occurrence of a single element; the first one is kept. */
  #repeated(): void {
    if (this.#rules.refuseRepeated) {
      throw new SchemaMismatch("The element must not occur more than once here.").within(this.reader.localName);
    }
    this.reader.skip();
  }

  strayText(): void {
    const { text } = this.reader;
    if (this.strict && /[^ \t\n\r]/.test(text)) {
      throw new SchemaMismatch("Only elements are expected here, not text.", { text });
    }
  }

  add(element: DecodeElement, result: ReadRecord): void {
    try {
      const type = element.type();
      const value = this.value(type, element);
      if (value === omitted) {
        return;
      }
      if (this.#rules.identity && element.checkIdentity !== undefined && value !== null) {
        element.checkIdentity(value);
      }
      if (element.array) {
        appendItem(result, element, value);
      } else {
        setMember(result, element, value);
      }
      if (type.kind === "simple" && isUnconstrained(element)) {
        element.plain = type.type;
      }
    } catch (error) {
      throw addStep(error, element.array ? `${element.local}[${countItems(result, element) + 1}]` : element.local);
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Simple values

  simple(type: SimpleType<unknown>, { default: byDefault, fixed }: Declaration): unknown {
    const text = this.#elementText();
    const declaredText = text === "" ? (byDefault ?? fixed) : undefined;
    const value = declaredText === undefined ? this.textValue(type, text) : declaredValue(type, declaredText, this);
    if (fixed !== undefined) {
      checkFixedRead(this, { type, value, fixed });
    }
    return value;
  }

  #elementText(): string {
    try {
      return this.reader.readText();
    } catch (error) {
      throw contentMismatch(error);
    }
  }

  textValue(type: SimpleType<unknown>, text: string, attribute?: string): unknown {
    try {
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      return this.#tolerated(textMismatch(error, text, type), text, type, attribute);
    }
  }

  /** The value of an invalid text, if it is tolerated. */
  #tolerated(error: unknown, text: string, type: SimpleType<unknown>, attribute?: string): unknown {
    const accepted = error instanceof SchemaMismatch ? this.tolerant?.text(type, { text, attribute }, this) : undefined;
    if (accepted === undefined) {
      throw error;
    }
    return accepted.value;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Records

  checkDepth(): void {
    if (this.reader.depth > maxDepth) {
      throw new SchemaMismatch(`Values are nested deeper than ${maxDepth} levels.`);
    }
  }

  record(table: DecodeTable, result: ReadRecord, declaration: Declaration): ReadRecord {
    this.checkDepth();
    if (table.attributes.length > 0 || this.reader.attributes.length > 0) {
      this.#attributes(table.attributes, result);
    }
    const order = this.#rules.strict ?? table.order;
    if (table.text !== undefined) {
      table.text.read(this, result, declaration);
    } else if (order === undefined) {
      this.#anyOrder(table, result);
    } else {
      order.read(this, table, result);
    }
    return result;
  }

  /** Reads the attributes of the element at START into the record. */
  #attributes(declared: DecodeTable["attributes"], result: ReadRecord): void {
    for (const attribute of this.reader.attributes) {
      if (!declared.some((member) => member.read(this, attribute, result))) {
        const { encoding, refuseUnknown } = this.#rules;
        if (encoding?.isEncodingAttribute(attribute) !== true) {
          refuseAttribute(attribute, { refuseUnknown, encoded: encoding !== undefined });
        }
      }
    }
    for (const member of declared) {
      member.finish(this, result);
    }
  }

  /** Reads elements in any order; optimized for elements in the order of the content model. */
  #anyOrder(table: DecodeTable, result: ReadRecord): void {
    const { reader } = this;
    const { elements } = table;
    let expected = 0;
    let highest = 0;
    let misplaced: Map<DecodeElement, SchemaMismatch> | undefined;
    for (;;) {
      let element = elements[expected];
      if (element?.plain !== undefined && expected >= highest) {
        const text = reader.nextText(element.namespace, element.local);
        if (text !== undefined) {
          result[element.key] = this.#plain(element.local, element.plain, text);
          expected += 1;
          highest = expected;
          continue;
        }
        if (element.nillable && this.#repeatsNil() && reader.nextEmpty(element.namespace, element.local)) {
          result[element.key] = null;
          expected += 1;
          highest = expected;
          continue;
        }
      }
      if (element === undefined || !reader.nextIs(element.namespace, element.local)) {
        const event = reader.nextTag();
        if (event === END) {
          break;
        }
        if (event === TEXT) {
          continue;
        }
        element = this.#find(table) ?? this.#namesake(table);
        if (element === undefined) {
          misplaced = this.#undeclared(table, result, misplaced);
          continue;
        }
      }
      const { index, plain } = element;
      // No element at or after `highest` has been read yet, so only earlier ones can be repeated.
      if (index < highest && !element.array && hasMember(result, element)) {
        this.#repeated();
        continue;
      }
      if (plain !== undefined && reader.attributes.length === 0) {
        result[element.key] = this.#plain(element.local, plain);
      } else {
        this.add(element, result);
      }
      expected = element.array ? index : index + 1;
      if (index >= highest) {
        highest = index + 1;
      }
    }
    for (const [member, mismatch] of misplaced ?? []) {
      if (!hasMember(result, member)) {
        throw mismatch;
      }
    }
    table.checkPresence(result);
  }

  /**
   * Adds an undeclared element to a wildcard, or skips it. If the record has an absent member with the same local name in another
   * namespace, its value is lost: returns these members with their errors.
   */
  #undeclared(
    table: DecodeTable,
    result: ReadRecord,
    misplaced: Map<DecodeElement, SchemaMismatch> | undefined,
  ): Map<DecodeElement, SchemaMismatch> | undefined {
    const { namespace, localName } = this.reader;
    const member = this.refuseLoss ? table.byName.get(localName) : undefined;
    if (this.#addToWildcard(table, result) || member === undefined || misplaced?.has(member) === true) {
      return misplaced;
    }
    const message = `${clark(member.namespace, localName)} is expected here, not ${clark(namespace, localName)}.`;
    const mismatch = new SchemaMismatch(message, { tolerance: "namespaces" }).within(localName);
    return (misplaced ?? new Map<DecodeElement, SchemaMismatch>()).set(member, mismatch);
  }

  /** Whether the element that `nextEmpty` accepts has `xsi:nil="true"`. */
  #repeatsNil(): boolean {
    const { repeatable } = this.reader;
    if (repeatable !== this.#lastRepeatable) {
      this.#lastRepeatable = repeatable;
      this.#isNilRepeatable =
        repeatable?.namespace === instanceNamespace && repeatable.localName === "nil" && repeatable.value === "true";
    }
    return this.#isNilRepeatable;
  }

  /** The member with the same local name in another namespace, if that is tolerated. */
  #namesake(table: DecodeTable): DecodeElement | undefined {
    const { tolerant, reader } = this;
    const element = tolerant && table.byName.get(reader.localName);
    return element && tolerant.accepts("namespaces", reader) ? element : undefined;
  }

  /** Reads an element of simple type without attributes, the most frequent kind of element in messages. */
  #plain(local: string, type: SimpleType<unknown>, expectedText?: string): unknown {
    let text = expectedText;
    try {
      text ??= this.reader.readText();
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      if (text === undefined) {
        throw addStep(contentMismatch(error), local);
      }
      try {
        return this.#tolerated(textMismatch(error, text, type), text, type);
      } catch (mismatch) {
        throw addStep(mismatch, local);
      }
    }
  }

  addElement(table: DecodeTable, result: ReadRecord): void {
    const element = this.#find(table);
    if (element === undefined) {
      this.#addToWildcard(table, result);
    } else {
      this.add(element, result);
    }
  }

  /** Finds the member that the element at START belongs to. */
  #find(table: DecodeTable): DecodeElement | undefined {
    const { localName, namespace } = this.reader;
    let element = table.byName.get(localName);
    while (element !== undefined && element.namespace !== namespace) {
      element = element.next;
    }
    return element;
  }

  /** Adds the element at START to the first wildcard that matches it. If none does, skips it and returns false. */
  #addToWildcard(table: DecodeTable, result: ReadRecord): boolean {
    const wildcard = table.wildcards.find(
      (member) =>
        member.accepts(this.reader.namespace) &&
        countItems(result, member) < member.max &&
        (member.array || !hasMember(result, member)),
    );
    if (wildcard === undefined) {
      this.unknown();
      return false;
    }
    wildcard.add(this, result);
    return true;
  }
}

/** Whether a member is a single value without a default or fixed value. */
function isUnconstrained(element: DecodeElement): boolean {
  return !element.array && !element.shadowed && element.default === undefined && element.fixed === undefined;
}

/** Adds the text and its type to a lexical error. */
function textMismatch(error: unknown, text: string, { name }: SimpleType<unknown>): unknown {
  if (!(error instanceof LexicalError)) {
    return error;
  }
  const tolerance = /^[ \t\n\r]*$/.test(text) ? "empty" : error.facet === "other" ? "facets" : error.facet;
  return new SchemaMismatch(error.message, { text, reason: `The text is not a valid ${name}.`, tolerance });
}

/** Converts the error about a child element in a text value to a schema mismatch. Other errors pass unchanged. */
function contentMismatch(error: unknown): unknown {
  const isChild = error instanceof XmlError && error.code === "xml.unexpected-element";
  return isChild ? new SchemaMismatch(error.message, { cause: error }) : error;
}
