import { normalizeWhiteSpace } from "@bothends/datatypes";
import { clark, END, TEXT, XmlError, type XmlReader } from "@bothends/xml";
import type { AnyAttribute, ContentReader, SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import { readAnyElement, readAnyValue, typeNameOf } from "./decode-any.js";
import {
  appendItem,
  checkPresence,
  countItems,
  type DecodeAlternative,
  type DecodeArray,
  type DecodeAttribute,
  type DecodeElement,
  type DecodeMixed,
  type DecodePolymorphic,
  type DecodeTable,
  type DecodeType,
  hasMember,
  omitted,
  type ReadRecord,
  setMember,
} from "./decode-tables.js";
import { admits, instanceNamespace } from "./names.js";
import { addStep, checkFixed, declaredValue, SchemaMismatch } from "./schema-mismatch.js";
import {
  isEncodingAttribute,
  refuseLiteralReference,
  refusePartialArray,
  refuseReference,
  refuseSparseItem,
} from "./soap-encoding.js";

/** The maximum depth of a document, in addition to the reader's limit, because decoding is recursive. */
const maxDepth = 512;

/** The properties of an element declaration except its type. */
export interface Declaration {
  readonly nillable: boolean;
  readonly min: number;
  readonly array: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

/** Follows the references of SOAP encoding. Its implementation is loaded only where values are encoded. */
export interface ReferenceReader {
  /** Whether the element at START refers to another element. */
  isAt(reader: XmlReader, type: DecodeType): boolean;
  /** Returns the value that the element at START refers to. Leaves the reader at the END of the referring element. */
  value(decoder: ElementDecoder, type: DecodeType, declaration: Declaration): unknown;
}

/** The rules by which a document is accepted or refused. */
export interface DecodeRules {
  /** Present for strict decoding: reads all content in order, and refuses what a validator would refuse. */
  readonly strict: ContentReader | undefined;
  /** Whether elements and attributes that the schema does not declare are refused. */
  readonly refuseUnknown: boolean;
  /** Whether a second occurrence of a single element is refused. */
  readonly refuseRepeated: boolean;
  /** Whether values are in SOAP encoding. */
  readonly encoded: boolean;
  /** Follows references between encoded values; if absent, they are refused. */
  readonly references: ReferenceReader | undefined;
}

/** Decodes one element by the compiled tables. */
export class ElementDecoder implements TextContext {
  readonly reader: XmlReader;
  readonly strict: boolean;
  /** Whether elements and attributes that the schema does not declare are refused. */
  readonly refuseUnknown: boolean;
  readonly encoded: boolean;
  readonly #rules: DecodeRules;
  /** The depth of the reference that is being followed; 0 outside references. */
  readonly referenceDepth: number;

  constructor(reader: XmlReader, rules: DecodeRules, referenceDepth = 0) {
    this.reader = reader;
    this.strict = rules.strict !== undefined;
    this.refuseUnknown = rules.refuseUnknown;
    this.encoded = rules.encoded;
    this.#rules = rules;
    this.referenceDepth = referenceDepth;
  }

  resolve(prefix: string): string | undefined {
    return this.reader.resolve(prefix);
  }

  prefixFor(): string {
    throw new LexicalError("A prefix cannot be declared while decoding.");
  }

  /** A decoder for an element to which a reference at `depth` refers. */
  elsewhere(reader: XmlReader, depth: number): ElementDecoder {
    return new ElementDecoder(reader, this.#rules, depth);
  }

  /** Returns the value of the element at START, or `omitted` for an absent member. Leaves the reader at END. */
  value(type: DecodeType, declaration: Declaration): unknown {
    const { reader } = this;
    if (reader.attributes.length > 0) {
      if (this.encoded) {
        const { references } = this.#rules;
        if (references === undefined) {
          refuseReference(reader);
        } else if (references.isAt(reader, type)) {
          return references.value(this, type, declaration);
        }
      }
      if (isNil(this)) {
        return readNil(this, type, declaration);
      }
      if (type.kind === "simple") {
        checkSimpleAttributes(this);
      }
    }
    switch (type.kind) {
      case "simple":
        return this.#simple(type.type, declaration);
      case "record":
        if (this.strict) {
          this.#checkTypeName(type.table);
        }
        return this.#record(type.table, {}, declaration);
      case "polymorphic":
        return this.#polymorphic(type, declaration);
      case "array":
        return readArray(this, type);
      case "anyType":
        return readAnyValue(reader);
    }
  }

  /** Refuses or skips an element that the record does not declare. */
  unknown(): void {
    if (this.refuseUnknown) {
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

  /** Checks text between the elements of a record. */
  strayText(): void {
    const { text } = this.reader;
    if (this.strict && /[^ \t\n\r]/.test(text)) {
      throw new SchemaMismatch("Only elements are expected here, not text.", { text });
    }
  }

  /** Adds the element at START to the record. */
  add(element: DecodeElement, result: ReadRecord): void {
    try {
      const type = element.typed();
      const value = this.value(type, element);
      if (value === omitted) {
        return;
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
      throw element.array
        ? addStep(error, `${element.local}[${countItems(result, element) + 1}]`)
        : addStep(error, element.local);
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Simple values

  #simple(type: SimpleType<unknown>, { default: byDefault, fixed }: Declaration): unknown {
    const text = this.#elementText();
    const declaredText = text === "" ? (byDefault ?? fixed) : undefined;
    const value = declaredText === undefined ? this.read(type, text) : declaredValue(type, declaredText, this);
    if (this.strict && fixed !== undefined) {
      checkFixed(type, { value, fixed, context: this });
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

  /** Reads a text as a value of a simple type. */
  read(type: SimpleType<unknown>, text: string): unknown {
    try {
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      throw textMismatch(error, text, type);
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Records

  #polymorphic({ name, declared, alternatives }: DecodePolymorphic, declaration: Declaration): unknown {
    const text = this.reader.attribute(instanceNamespace, "type");
    const alternative: DecodeAlternative | undefined =
      text === undefined ? undefined : alternatives.get(typeNameOf(this.reader, text));
    if (alternative !== undefined) {
      return this.#record(
        alternative.table,
        alternative.tag === undefined ? {} : { $type: alternative.tag },
        declaration,
      );
    }
    if (text !== undefined && (this.strict || declared === undefined)) {
      throw new SchemaMismatch(`xsi:type must name ${name} or a type derived from it.`, { text });
    }
    if (declared === undefined) {
      throw new SchemaMismatch(`${name} is abstract: the element must have an xsi:type.`);
    }
    return this.#record(declared, {}, declaration);
  }

  #checkTypeName(table: DecodeTable): void {
    const text = this.reader.attribute(instanceNamespace, "type");
    if (text !== undefined && typeNameOf(this.reader, text) !== table.name) {
      throw new SchemaMismatch(`xsi:type must be ${table.name}.`, { text });
    }
  }

  checkDepth(): void {
    if (this.reader.depth > maxDepth) {
      throw new SchemaMismatch(`Values are nested deeper than ${maxDepth} levels.`);
    }
  }

  #record(table: DecodeTable, result: ReadRecord, declaration: Declaration): ReadRecord {
    this.checkDepth();
    if (table.attributes.length > 0 || this.reader.attributes.length > 0) {
      readAttributes(this, table, result);
    }
    if (table.text !== undefined) {
      setMember(result, table.text, this.#simple(table.text.simple(), declaration));
    } else if (table.mixed !== undefined) {
      setMember(result, table.mixed, this.#mixed(table.mixed, declaration));
    } else {
      this.#content(table, result);
    }
    return result;
  }

  #content(table: DecodeTable, result: ReadRecord): void {
    const order = this.#rules.strict ?? table.order;
    if (order === undefined) {
      this.#anyOrder(table, result);
    } else {
      order.read(this, table, result);
    }
  }

  /** Reads elements in any order; optimised for elements in the order of the content model. */
  #anyOrder(table: DecodeTable, result: ReadRecord): void {
    const { reader } = this;
    const { elements } = table;
    let expected = 0;
    let highest = 0;
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
      }
      if (element === undefined || !reader.nextIs(element.namespace, element.local)) {
        const event = reader.nextTag();
        if (event === END) {
          break;
        }
        if (event === TEXT) {
          continue;
        }
        element = this.#find(table);
        if (element === undefined) {
          this.#wildcard(table, result);
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
    checkPresence(table, result);
  }

  /** Reads an element of simple type without attributes, the most frequent kind of element in messages. */
  #plain(local: string, type: SimpleType<unknown>, known?: string): unknown {
    let text = known;
    try {
      text ??= this.reader.readText();
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      throw addStep(text === undefined ? contentMismatch(error) : textMismatch(error, text, type), local);
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

  /** Reads an undeclared element into the first wildcard that accepts it. */
  #wildcard(table: DecodeTable, result: ReadRecord): void {
    const { reader } = this;
    for (const member of table.wildcards) {
      if (!admits(member.namespaces, reader.namespace)) {
        continue;
      }
      if (countItems(result, member) >= member.max || (!member.array && hasMember(result, member))) {
        continue;
      }
      if (member.array) {
        appendItem(result, member, readAnyElement(reader));
      } else {
        setMember(result, member, readAnyElement(reader));
      }
      return;
    }
    this.unknown();
  }

  #mixed(member: DecodeMixed, { default: byDefault, fixed }: Declaration): unknown[] {
    const { reader } = this;
    const table = member.table();
    const content: unknown[] = [];
    for (let event = reader.next(); event !== END; event = reader.next()) {
      if (event === TEXT) {
        content.push(reader.text);
        continue;
      }
      const item: ReadRecord = {};
      const element = this.#find(table);
      if (element === undefined) {
        this.#wildcard(table, item);
      } else {
        this.add(element, item);
      }
      if (Object.keys(item).length > 0) {
        content.push(item);
      }
    }
    const declaredText = byDefault ?? fixed;
    if (content.length === 0 && declaredText !== undefined) {
      return [declaredText];
    }
    if (this.strict && fixed !== undefined && (content.length > 1 || content[0] !== fixed)) {
      throw new LexicalError(`The value must be the fixed value "${fixed.slice(0, 64)}".`);
    }
    return content;
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
  return new SchemaMismatch(error.message, { text, reason: `The text is not a valid ${name}.` });
}

/** Converts the error about a child element in a text value to a schema mismatch. Other errors pass unchanged. */
function contentMismatch(error: unknown): unknown {
  const isChild = error instanceof XmlError && error.code === "xml.unexpected-element";
  return isChild ? new SchemaMismatch(error.message, { cause: error }) : error;
}

/** The `xsi` attributes that any element may have (XSD 1.0 Part 1 §2.6). */
const instanceAttributes: ReadonlySet<string> = new Set(["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"]);

/** Reads the attributes of the element at START into the record. */
function readAttributes(run: ElementDecoder, table: DecodeTable, result: ReadRecord): void {
  const { anyAttribute } = table;
  const others: AnyAttribute[] = [];
  for (const { localName, namespace, value } of run.reader.attributes) {
    const member = attributeOf(table, localName, namespace);
    if (member !== undefined) {
      readAttribute(run, member, { text: value, result });
    } else if (namespace === instanceNamespace) {
      if (run.strict && !instanceAttributes.has(localName)) {
        refuse(namespace, localName);
      }
    } else if (anyAttribute !== undefined && admits(anyAttribute.namespaces, namespace)) {
      others.push({ name: clark(namespace, localName), value });
    } else {
      if (!run.encoded) {
        refuseLiteralReference({ namespace, localName, value });
      }
      if (run.refuseUnknown && !(run.encoded && isEncodingAttribute({ namespace, localName }))) {
        refuse(namespace, localName);
      }
    }
  }
  if (others.length > 0 && anyAttribute !== undefined) {
    setMember(result, anyAttribute, others);
  }
  for (const member of table.attributes) {
    if (!hasMember(result, member)) {
      addDefault(run, member, result);
    }
  }
}

/** Checks the attributes of an element whose type declares none. */
function checkSimpleAttributes({ reader, encoded, refuseUnknown }: ElementDecoder): void {
  for (const { localName, namespace, value } of reader.attributes) {
    if (!encoded) {
      refuseLiteralReference({ namespace, localName, value });
    }
    if (namespace === instanceNamespace || (encoded && isEncodingAttribute({ namespace, localName }))) {
      continue;
    }
    if (refuseUnknown) {
      refuse(namespace, localName);
    }
  }
}

function refuse(namespace: string, localName: string): never {
  throw new SchemaMismatch(`The attribute ${clark(namespace, localName)} is not expected here.`).within(
    `@${localName}`,
  );
}

function attributeOf(table: DecodeTable, localName: string, namespace: string): DecodeAttribute | undefined {
  let member = table.attributesByName.get(localName);
  while (member !== undefined && member.namespace !== namespace) {
    member = member.next;
  }
  return member;
}

function readAttribute(
  run: ElementDecoder,
  member: DecodeAttribute,
  { text, result }: { readonly text: string; readonly result: ReadRecord },
): void {
  try {
    const type = member.simple();
    const value = run.read(type, text);
    if (run.strict && member.fixed !== undefined) {
      checkFixed(type, { value, fixed: member.fixed, context: run });
    }
    setMember(result, member, value);
  } catch (error) {
    throw addStep(error, `@${member.local}`);
  }
}

/** Sets an absent attribute to its default or fixed value (XSD 1.0 Part 1 §3.4.5). */
function addDefault(run: ElementDecoder, member: DecodeAttribute, result: ReadRecord): void {
  if (member.required) {
    throw new SchemaMismatch("The attribute is required.").within(`@${member.local}`);
  }
  const text = member.default ?? member.fixed;
  if (text !== undefined) {
    setMember(result, member, declaredValue(member.simple(), text, run));
  }
}

/** Whether the element at START has `xsi:nil="true"`. */
function isNil({ reader, strict }: ElementDecoder): boolean {
  const text = reader.attribute(instanceNamespace, "nil");
  if (text === undefined) {
    return false;
  }
  const value = text.trim();
  if (value === "true" || value === "1") {
    return true;
  }
  if (strict && value !== "false" && value !== "0") {
    throw new SchemaMismatch("xsi:nil must be true or false.", { text });
  }
  return false;
}

/**
 * Reads an element with `xsi:nil="true"` (XSD 1.0 Part 1 §3.3.4). Tolerant decoding accepts what some peers send:
 *
 * | element                                | tolerant          | strict                       |
 * |----------------------------------------|-------------------|------------------------------|
 * | nillable                               | null              | null; refused with content   |
 * | of a type that reads empty text as ""  | ""                | refused                      |
 * | optional, and not an array item        | absent            | refused                      |
 * | any other                              | refused           | refused                      |
 */
function readNil(run: ElementDecoder, type: DecodeType, { nillable, min, array, fixed }: Declaration): unknown {
  const { reader } = run;
  if (!run.strict) {
    reader.skip();
  } else if (fixed !== undefined) {
    throw new SchemaMismatch("An element with a fixed value must not be nil.");
  } else if (nillable && reader.next() !== END) {
    throw new SchemaMismatch("A nil element must be empty.");
  }
  if (nillable) {
    return null;
  }
  if (!run.strict) {
    if (type.kind === "simple" && readsEmpty(type.type, run)) {
      return "";
    }
    if (min === 0 && !array) {
      return omitted;
    }
  }
  throw new SchemaMismatch("The element must not be nil.");
}

function readsEmpty(type: SimpleType<unknown>, run: ElementDecoder): boolean {
  try {
    return type.read("", run) === "";
  } catch {
    return false;
  }
}

const itemDeclaration = { nillable: true, min: 0, array: true, default: undefined, fixed: undefined };

/** Reads the array at START; leaves the reader at its END. The names of items are not significant (SOAP 1.1 §5.4.2). */
function readArray(run: ElementDecoder, { item }: DecodeArray): unknown[] {
  const { reader } = run;
  run.checkDepth();
  refusePartialArray(reader);
  const type = item();
  const items: unknown[] = [];
  for (let event = reader.next(); event !== END; event = reader.next()) {
    if (event === TEXT) {
      run.strayText();
      continue;
    }
    const { localName } = reader;
    try {
      refuseSparseItem(reader);
      items.push(run.value(type, itemDeclaration));
    } catch (error) {
      throw addStep(error, `${localName}[${items.length + 1}]`);
    }
  }
  return items;
}
