import { normalizeWhiteSpace, type PatternSteps } from "@bothends/datatypes/simple-type";
import type { XmlAttribute, XmlReader } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { XmlError } from "@bothends/xml/error";
import { END, TEXT } from "@bothends/xml/reader-events";
import type { ContentReader, SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import {
  absentValue,
  appendItem,
  countItems,
  type Declaration,
  type DecodeContext,
  type DecodeElement,
  type DecodeTable,
  type DecodeType,
  fillNulls,
  hasMember,
  type ReadRecord,
  setMember,
  type TolerantReader,
} from "./decode-table.js";
import {
  checkFixedRead,
  type IgnoredPart,
  type OnIgnored,
  readNil,
  refuseAttribute,
  reportIgnored,
} from "./element-attributes.js";
import { instanceNamespace } from "./resolved-types.js";
import { addStep, describeInvalidText, readDeclaredValue, SchemaMismatch } from "./schema-mismatch.js";

/** The maximum depth of a document, even if the reader's limit is higher, because decoding is recursive. */
const maxDepth = 512;

/** The rules for values in SOAP encoding. */
export interface EncodingRules {
  /** Whether an attribute belongs to the encoding rather than to the value. */
  isEncodingAttribute(attribute: { readonly namespace: string; readonly localName: string }): boolean;
  /**
   * Reads the element that the current element refers to. Returns undefined if the current element is not a reference.
   */
  follow(context: DecodeContext, type: DecodeType, declaration: Declaration): { readonly value: unknown } | undefined;
}

/** An element that matched a wildcard. `start` is the offset of its start tag; the reader is at its end tag. */
export interface WildcardElement {
  readonly reader: XmlReader;
  readonly start: number;
  readonly process: "strict" | "lax";
  readonly patternSteps: PatternSteps;
}

/** The rules for accepting or refusing a document. */
export interface DecodeRules {
  /**
   * Reads all content in order, and refuses everything that a validator would refuse. Present only for strict decoding.
   */
  readonly strictReader: ContentReader | undefined;
  /** Whether to refuse elements and attributes that the schema does not declare. */
  readonly refuseUnknown: boolean;
  /** Whether to refuse a type in `xsi:type` that an element cannot have. Set by the option `unknownTypes`. */
  readonly refuseUnknownTypes: boolean;
  /** Whether to refuse a second occurrence of an element that may occur only once. */
  readonly refuseRepeated: boolean;
  /** Whether to check identity constraints. */
  readonly checksIdentity: boolean;
  /** Receives each ID and IDREF. Undefined if IDs and IDREFs are not checked. */
  readonly identify: TextContext["identify"];
  /** Whether to refuse a document if decoding would lose some of its data. Set by the option `loss`. */
  readonly refuseLoss: boolean;
  /** Checks the content of wildcards against the schema. Undefined if this content is not checked. */
  readonly checkDeclared: ((element: WildcardElement, rules: DecodeRules) => void) | undefined;
  /** Receives each element that is ignored. */
  readonly onIgnored: OnIgnored | undefined;
  /** Decides which differences from the schema are accepted; undefined if all are refused. */
  readonly tolerant: TolerantReader | undefined;
  /** The rules of SOAP encoding; undefined for literal values. */
  readonly encoding: EncodingRules | undefined;
}

/** Decodes one element using compiled tables. */
export class ElementDecoder implements DecodeContext {
  readonly reader: XmlReader;
  readonly strict: boolean;
  readonly refuseLoss: boolean;
  readonly referenceDepth: number;
  readonly identify: TextContext["identify"];
  readonly patternSteps: PatternSteps;
  readonly #rules: DecodeRules;
  #lastRepeatableAttribute: XmlAttribute | undefined;
  #isNilRepeatable = false;

  constructor(reader: XmlReader, rules: DecodeRules, patternSteps: PatternSteps, referenceDepth = 0) {
    this.reader = reader;
    this.strict = rules.strictReader !== undefined;
    this.refuseLoss = rules.refuseLoss;
    this.referenceDepth = referenceDepth;
    this.identify = rules.identify;
    this.patternSteps = patternSteps;
    this.#rules = rules;
  }

  get refuseUnknownTypes(): boolean {
    return this.#rules.refuseUnknownTypes;
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

  contextForReference(reader: XmlReader, depth: number): DecodeContext {
    return new ElementDecoder(reader, this.#rules, this.patternSteps, depth);
  }

  checkDeclared(start: number, processContents: "strict" | "lax"): void {
    const { reader, patternSteps } = this;
    this.#rules.checkDeclared?.({ reader, start, process: processContents, patternSteps }, this.#rules);
  }

  readValue(type: DecodeType, declaration: Declaration): unknown {
    const { reader } = this;
    if (reader.attributes.length > 0) {
      const referencedValue = this.#rules.encoding?.follow(this, type, declaration);
      if (referencedValue !== undefined) {
        return referencedValue.value;
      }
      const nil = readNil(this, type, declaration);
      if (nil !== undefined) {
        return nil;
      }
      this.#rules.strictReader?.checkAttributes(this, type);
      if (type.kind === "simple") {
        this.#readAttributes([], {});
      }
    }
    switch (type.kind) {
      case "simple":
        return this.readSimpleValue(type.type, declaration);
      case "record":
        return this.readRecord(type.table, {}, declaration);
      case "other":
        return type.read(this, declaration);
    }
  }

  refuseOrSkip(declaredNamespace?: string): void {
    if (this.#rules.refuseUnknown) {
      const { localName, namespace } = this.reader;
      throw new SchemaMismatch(`The element ${clark(namespace, localName)} is not expected here.`).prependStep(
        localName,
      );
    }
    this.#ignore("undeclared", declaredNamespace);
  }

  /** Refuses or skips another occurrence of an element that may occur only once. The first occurrence is kept. */
  #readRepeated(): void {
    if (this.#rules.refuseRepeated) {
      throw new SchemaMismatch("The element must not occur more than once here.").prependStep(this.reader.localName);
    }
    this.#ignore("repeated");
  }

  #ignore(part: IgnoredPart, declaredNamespace?: string): void {
    this.#rules.onIgnored?.(this.reader, part, declaredNamespace);
    this.reader.skip();
  }

  checkStrayText(): void {
    const { text } = this.reader;
    if (this.strict && /[^ \t\n\r]/.test(text)) {
      throw new SchemaMismatch("Text is not allowed here: the schema declares only elements.", { text });
    }
  }

  addMember(element: DecodeElement, result: ReadRecord): void {
    try {
      const type = element.type();
      const value = this.readValue(type, element);
      if (value === absentValue) {
        return;
      }
      if (this.#rules.checksIdentity && element.checkIdentity !== undefined && value !== null) {
        element.checkIdentity(value);
      }
      if (element.array) {
        appendItem(result, element, value);
      } else {
        setMember(result, element, value);
      }
      if (type.kind === "simple" && isUnconstrained(element)) {
        element.textType = type.type;
      }
    } catch (error) {
      throw addStep(
        error,
        element.array ? `${element.localName}[${countItems(result, element) + 1}]` : element.localName,
      );
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Simple values

  readSimpleValue(type: SimpleType<unknown>, { default: byDefault, fixed }: Declaration): unknown {
    const text = this.#readElementText();
    const declaredText = text === "" ? (byDefault ?? fixed) : undefined;
    const value = declaredText === undefined ? this.readText(type, text) : readDeclaredValue(type, declaredText, this);
    if (fixed !== undefined) {
      checkFixedRead(this, { type, value, fixed });
    }
    return value;
  }

  #readElementText(): string {
    try {
      return this.reader.readText();
    } catch (error) {
      throw findContentMismatch(error);
    }
  }

  readText(type: SimpleType<unknown>, text: string, attribute?: string): unknown {
    try {
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      return this.#tolerateText(findTextMismatch(error, text, type), text, type, attribute);
    }
  }

  /** Returns the value of invalid text if tolerant decoding accepts the text; otherwise throws the error. */
  #tolerateText(error: unknown, text: string, type: SimpleType<unknown>, attribute?: string): unknown {
    const toleratedText =
      error instanceof SchemaMismatch ? this.tolerant?.readInvalidText(type, { text, attribute }, this) : undefined;
    if (toleratedText === undefined) {
      throw error;
    }
    return toleratedText.value;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Records

  checkDepth(): void {
    if (this.reader.depth > maxDepth) {
      throw new SchemaMismatch(`The document is nested deeper than ${maxDepth} levels.`);
    }
  }

  readRecord(table: DecodeTable, result: ReadRecord, declaration: Declaration): ReadRecord {
    this.checkDepth();
    if (table.attributes.length > 0 || this.reader.attributes.length > 0) {
      this.#readAttributes(table.attributes, result);
    }
    const order = this.#rules.strictReader ?? table.order;
    if (table.text !== undefined) {
      table.text.read(this, result, declaration);
    } else if (order === undefined) {
      return this.#readInAnyOrder(table, result);
    } else {
      order.read(this, table, result);
      return fillNulls(table, result);
    }
    return result;
  }

  /** Reads the attributes of the current element into the record. */
  #readAttributes(declaredAttributes: DecodeTable["attributes"], result: ReadRecord): void {
    let ignored: XmlAttribute[] | undefined;
    for (const attribute of this.reader.attributes) {
      if (!declaredAttributes.some((member) => member.read(this, attribute, result))) {
        const { encoding, refuseUnknown } = this.#rules;
        if (encoding?.isEncodingAttribute(attribute) !== true) {
          refuseAttribute(attribute, { refuseUnknown, isEncoded: encoding !== undefined });
          ignored ??= [];
          ignored.push(attribute);
        }
      }
    }
    try {
      for (const member of declaredAttributes) {
        member.finish(this, result);
      }
    } catch (error) {
      reportIgnored(this.reader, ignored, this.#rules.onIgnored);
      throw error;
    }
  }

  /** Reads elements in any order; optimized for elements in the order of the content model. */
  #readInAnyOrder(table: DecodeTable, result: ReadRecord): ReadRecord {
    const { reader } = this;
    const { elements } = table;
    let expectedIndex = 0;
    let nextUnreadIndex = 0;
    let misplacedMembers: Map<DecodeElement, SchemaMismatch> | undefined;
    for (;;) {
      let element = elements[expectedIndex];
      if (element?.textType !== undefined && expectedIndex >= nextUnreadIndex) {
        const text = reader.nextText(element.expectedName);
        if (text !== undefined) {
          result[element.key] = this.#readSimpleElement(element.localName, element.textType, text);
          expectedIndex += 1;
          nextUnreadIndex = expectedIndex;
          continue;
        }
        if (element.nillable && this.#isNextNil() && reader.nextEmpty(element.expectedName)) {
          result[element.key] = null;
          expectedIndex += 1;
          nextUnreadIndex = expectedIndex;
          continue;
        }
      }
      if (element === undefined || !reader.nextIs(element.expectedName)) {
        const event = reader.nextTag();
        if (event === END) {
          break;
        }
        if (event === TEXT) {
          continue;
        }
        element = this.#findElement(table) ?? this.#findTolerated(table);
        if (element === undefined) {
          misplacedMembers = this.#readUndeclared(table, result, misplacedMembers);
          continue;
        }
      }
      const { index, textType } = element;
      // No element at or after `nextUnreadIndex` has been read yet, so only earlier elements can be repeated.
      if (index < nextUnreadIndex && !element.array && hasMember(result, element)) {
        this.#readRepeated();
        continue;
      }
      if (textType !== undefined && reader.attributes.length === 0) {
        result[element.key] = this.#readSimpleElement(element.localName, textType);
      } else {
        this.addMember(element, result);
      }
      expectedIndex = element.array ? index : index + 1;
      if (index >= nextUnreadIndex) {
        nextUnreadIndex = index + 1;
      }
    }
    for (const [member, mismatch] of misplacedMembers ?? []) {
      if (!hasMember(result, member)) {
        throw mismatch;
      }
    }
    const filledResult = fillNulls(table, result);
    table.checkPresence(filledResult);
    return filledResult;
  }

  /**
   * Adds an undeclared element to a wildcard, or skips it. If the record has a member with the skipped element's local
   * name in another namespace, adds the member and an error to `misplacedMembers`.
   */
  #readUndeclared(
    table: DecodeTable,
    result: ReadRecord,
    misplacedMembers: Map<DecodeElement, SchemaMismatch> | undefined,
  ): Map<DecodeElement, SchemaMismatch> | undefined {
    const { namespace, localName } = this.reader;
    const member = this.refuseLoss ? table.elementsByName.get(localName) : undefined;
    if (this.#addToWildcard(table, result) || member === undefined || misplacedMembers?.has(member) === true) {
      return misplacedMembers;
    }
    const message = `The element ${clark(member.namespace, localName)} is expected here, not ${clark(namespace, localName)}.`;
    const mismatch = new SchemaMismatch(message, { tolerance: "namespaces" }).prependStep(localName);
    return (misplacedMembers ?? new Map<DecodeElement, SchemaMismatch>()).set(member, mismatch);
  }

  /** Whether the element that the reader's `nextEmpty` would accept has the attribute `xsi:nil="true"`. */
  #isNextNil(): boolean {
    const { repeatableAttribute } = this.reader;
    if (repeatableAttribute !== this.#lastRepeatableAttribute) {
      this.#lastRepeatableAttribute = repeatableAttribute;
      this.#isNilRepeatable =
        repeatableAttribute?.namespace === instanceNamespace &&
        repeatableAttribute.localName === "nil" &&
        repeatableAttribute.value === "true";
    }
    return this.#isNilRepeatable;
  }

  /**
   * Finds the member that has the local name of the current element but another namespace, if this difference is
   * tolerated.
   */
  #findTolerated(table: DecodeTable): DecodeElement | undefined {
    const { tolerant, reader } = this;
    const element = tolerant && table.elementsByName.get(reader.localName);
    return element && tolerant.accepts("namespaces", reader) ? element : undefined;
  }

  /** Reads an element of simple type without attributes, the most frequent kind of element in messages. */
  #readSimpleElement(localName: string, type: SimpleType<unknown>, expectedText?: string): unknown {
    let text = expectedText;
    try {
      text ??= this.reader.readText();
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      if (text === undefined) {
        throw addStep(findContentMismatch(error), localName);
      }
      try {
        return this.#tolerateText(findTextMismatch(error, text, type), text, type);
      } catch (mismatch) {
        throw addStep(mismatch, localName);
      }
    }
  }

  addElement(table: DecodeTable, result: ReadRecord): void {
    const element = this.#findElement(table);
    if (element === undefined) {
      this.#addToWildcard(table, result);
    } else {
      this.addMember(element, result);
    }
  }

  /** Finds the member that the current element belongs to. */
  #findElement(table: DecodeTable): DecodeElement | undefined {
    const { localName, namespace } = this.reader;
    let element = table.elementsByName.get(localName);
    while (element !== undefined && element.namespace !== namespace) {
      element = element.nextOfSameName;
    }
    return element;
  }

  /**
   * Adds the current element to the first wildcard that matches it. If no wildcard does, skips the element and returns
   * false.
   */
  #addToWildcard(table: DecodeTable, result: ReadRecord): boolean {
    const wildcard = table.wildcards.find(
      (member) =>
        member.accepts(this.reader.namespace) &&
        countItems(result, member) < member.max &&
        (member.array || !hasMember(result, member)),
    );
    if (wildcard === undefined) {
      this.refuseOrSkip(table.elementsByName.get(this.reader.localName)?.namespace);
      return false;
    }
    wildcard.add(this, result);
    return true;
  }
}

/** Whether a member occurs at most once and has no default or fixed value. */
function isUnconstrained(element: DecodeElement): boolean {
  return !element.array && !element.isShadowed && element.default === undefined && element.fixed === undefined;
}

/**
 * Converts a lexical error to a schema mismatch that contains the text and the name of the type. Other errors pass
 * unchanged.
 */
function findTextMismatch(error: unknown, text: string, { name }: SimpleType<unknown>): unknown {
  if (!(error instanceof LexicalError)) {
    return error;
  }
  const tolerance = /^[ \t\n\r]*$/.test(text) ? "empty" : error.facet === "other" ? "facets" : error.facet;
  return new SchemaMismatch(error.message, { text, reason: describeInvalidText(error, name), tolerance, cause: error });
}

/**
 * Converts the reader's error for a child element in simple content to a schema mismatch. Other errors pass unchanged.
 */
function findContentMismatch(error: unknown): unknown {
  const isChild = error instanceof XmlError && error.code === "xml.unexpected-element";
  return isChild ? new SchemaMismatch(error.message, { cause: error }) : error;
}
