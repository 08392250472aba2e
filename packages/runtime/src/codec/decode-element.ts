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

/** Deeper documents are refused, whatever the reader's limits allow: decoding recurses. */
const maxDepth = 512;

/** What an element's declaration says beside its type. */
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
  /** The value of the element that the one at START refers to. Leaves the reader at its END. */
  value(decoder: ElementDecoder, type: DecodeType, declaration: Declaration): unknown;
}

/** How a document is judged. */
export interface DecodeRules {
  /** Reads all content in order, and refuses whatever a validator would. */
  readonly strict: ContentReader | undefined;
  /** Elements and attributes that the schema does not have are refused. */
  readonly refuseUnknown: boolean;
  /** A single element that stands there twice is refused, whatever the order. */
  readonly refuseRepeated: boolean;
  /** Values are in SOAP encoding. */
  readonly encoded: boolean;
  /** The references that are followed, where values are in SOAP encoding. */
  readonly references: ReferenceReader | undefined;
}

/** The decoding of one element: runs the tables. */
export class ElementDecoder implements TextContext {
  readonly reader: XmlReader;
  readonly strict: boolean;
  /** Elements and attributes that the schema does not have are refused. */
  readonly refuseUnknown: boolean;
  readonly encoded: boolean;
  readonly #judgement: DecodeRules;
  /** The depth of the reference that led to what is read. */
  readonly referenceDepth: number;

  constructor(reader: XmlReader, judgement: DecodeRules, referenceDepth = 0) {
    this.reader = reader;
    this.strict = judgement.strict !== undefined;
    this.refuseUnknown = judgement.refuseUnknown;
    this.encoded = judgement.encoded;
    this.#judgement = judgement;
    this.referenceDepth = referenceDepth;
  }

  resolve(prefix: string): string | undefined {
    return this.reader.resolve(prefix);
  }

  prefixFor(): string {
    throw new LexicalError("Nothing is written here.");
  }

  /** Decodes an element to which the one at `depth` refers. */
  elsewhere(reader: XmlReader, depth: number): ElementDecoder {
    return new ElementDecoder(reader, this.#judgement, depth);
  }

  /** The value of the element at START; ends at its END. `absent` stands for a member that is left out. */
  value(typed: DecodeType, declaration: Declaration): unknown {
    const { reader } = this;
    if (reader.attributes.length > 0) {
      if (this.encoded) {
        const { references } = this.#judgement;
        if (references === undefined) refuseReference(reader);
        else if (references.isAt(reader, typed)) return references.value(this, typed, declaration);
      }
      if (isNil(this)) return readNil(this, typed, declaration);
      if (typed.kind === "simple") checkSimpleAttributes(this);
    }
    switch (typed.kind) {
      case "simple":
        return this.#simple(typed.type, declaration);
      case "record":
        if (this.strict) this.#checkTypeName(typed.table);
        return this.#record(typed.table, {}, declaration);
      case "polymorphic":
        return this.#polymorphic(typed, declaration);
      case "array":
        return readArray(this, typed);
      case "anyType":
        return readAnyValue(reader);
    }
  }

  /** An element that the record does not have. */
  unknown(): void {
    if (this.refuseUnknown) {
      const { localName, namespace } = this.reader;
      throw new SchemaMismatch(`The element ${clark(namespace, localName)} is not expected here.`).within(localName);
    }
    this.reader.skip();
  }

  /** A single element that stands there again: the first counts. */
  #repeated(): void {
    if (this.#judgement.refuseRepeated)
      throw new SchemaMismatch("The element may stand here once only.").within(this.reader.localName);
    this.reader.skip();
  }

  /** Text between the elements of a record. */
  strayText(): void {
    const { text } = this.reader;
    if (this.strict && /[^ \t\n\r]/.test(text))
      throw new SchemaMismatch("Only elements are expected here, not text.", { text });
  }

  /** Adds the element at START to the record. */
  add(element: DecodeElement, result: ReadRecord): void {
    try {
      const typed = element.typed();
      const value = this.value(typed, element);
      if (value === omitted) return;
      if (element.array) appendItem(result, element, value);
      else setMember(result, element, value);
      if (typed.kind === "simple" && isUnconstrained(element)) element.plain = typed.type;
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
    const stands = text === "" ? (byDefault ?? fixed) : undefined;
    const value = stands === undefined ? this.read(type, text) : declaredValue(type, stands, this);
    if (this.strict && fixed !== undefined) checkFixed(type, { value, fixed, context: this });
    return value;
  }

  #elementText(): string {
    try {
      return this.reader.readText();
    } catch (error) {
      throw contentMisfit(error);
    }
  }

  /** The value of a text. */
  read(type: SimpleType<unknown>, text: string): unknown {
    try {
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      throw textMisfit(error, text, type);
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Records

  #polymorphic({ name, declared, arms }: DecodePolymorphic, declaration: Declaration): unknown {
    const text = this.reader.attribute(instanceNamespace, "type");
    const arm: DecodeAlternative | undefined = text === undefined ? undefined : arms.get(typeNameOf(this.reader, text));
    if (arm !== undefined) {
      return this.#record(arm.table, arm.tag === undefined ? {} : { $type: arm.tag }, declaration);
    }
    if (text !== undefined && (this.strict || declared === undefined)) {
      throw new SchemaMismatch(`xsi:type names no type of ${name}.`, { text });
    }
    if (declared === undefined)
      throw new SchemaMismatch(`${name} is abstract: xsi:type must say which type the element has.`);
    return this.#record(declared, {}, declaration);
  }

  #checkTypeName(table: DecodeTable): void {
    const text = this.reader.attribute(instanceNamespace, "type");
    if (text !== undefined && typeNameOf(this.reader, text) !== table.name) {
      throw new SchemaMismatch(`xsi:type does not name ${table.name}.`, { text });
    }
  }

  checkDepth(): void {
    if (this.reader.depth > maxDepth) throw new SchemaMismatch(`Values are nested deeper than ${maxDepth} levels.`);
  }

  #record(table: DecodeTable, result: ReadRecord, declaration: Declaration): ReadRecord {
    this.checkDepth();
    if (table.attributes.length > 0 || this.reader.attributes.length > 0) readAttributes(this, table, result);
    if (table.text !== undefined) setMember(result, table.text, this.#simple(table.text.simple(), declaration));
    else if (table.mixed !== undefined) setMember(result, table.mixed, this.#mixed(table.mixed, declaration));
    else this.#content(table, result);
    return result;
  }

  #content(table: DecodeTable, result: ReadRecord): void {
    const order = this.#judgement.strict ?? table.order;
    if (order === undefined) this.#anyOrder(table, result);
    else order.read(this, table, result);
  }

  /** The loop over elements that may come in any order; they are expected in the order of the content. */
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
        if (event === END) break;
        if (event === TEXT) continue;
        element = this.#find(table);
        if (element === undefined) {
          this.#wildcard(table, result);
          continue;
        }
      }
      const { index, plain } = element;
      // Beyond the highest place nothing has been read.
      if (index < highest && !element.array && hasMember(result, element)) {
        this.#repeated();
        continue;
      }
      if (plain !== undefined && reader.attributes.length === 0)
        result[element.key] = this.#plain(element.local, plain);
      else this.add(element, result);
      expected = element.array ? index : index + 1;
      if (index >= highest) highest = index + 1;
    }
    checkPresence(table, result);
  }

  /** The text of an element without attributes: what most elements of messages are. */
  #plain(local: string, type: SimpleType<unknown>, known?: string): unknown {
    let text = known;
    try {
      text ??= this.reader.readText();
      return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
    } catch (error) {
      throw addStep(text === undefined ? contentMisfit(error) : textMisfit(error, text, type), local);
    }
  }

  /** The member that the element at START belongs to. */
  #find(table: DecodeTable): DecodeElement | undefined {
    const { localName, namespace } = this.reader;
    let element = table.byName.get(localName);
    while (element !== undefined && element.namespace !== namespace) element = element.next;
    return element;
  }

  /** An element with no member of its own: a wildcard may have room for it. */
  #wildcard(table: DecodeTable, result: ReadRecord): void {
    const { reader } = this;
    for (const member of table.wildcards) {
      if (!admits(member.namespaces, reader.namespace)) continue;
      if (countItems(result, member) >= member.max || (!member.array && hasMember(result, member))) continue;
      if (member.array) appendItem(result, member, readAnyElement(reader));
      else setMember(result, member, readAnyElement(reader));
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
      if (element === undefined) this.#wildcard(table, item);
      else this.add(element, item);
      if (Object.keys(item).length > 0) content.push(item);
    }
    const stands = byDefault ?? fixed;
    if (content.length === 0 && stands !== undefined) return [stands];
    if (this.strict && fixed !== undefined && (content.length > 1 || content[0] !== fixed))
      throw new LexicalError(`The value is fixed as "${fixed.slice(0, 64)}".`);
    return content;
  }
}

/** Whether a member takes its text as it is. */
function isUnconstrained(element: DecodeElement): boolean {
  return !element.array && !element.shadowed && element.default === undefined && element.fixed === undefined;
}

/** An error in a text of simple type. */
function textMisfit(error: unknown, text: string, { name }: SimpleType<unknown>): unknown {
  if (!(error instanceof LexicalError)) return error;
  return new SchemaMismatch(error.message, { text, reason: `The text is not a valid ${name}.` });
}

/** Errors of the document pass unchanged, but for a child element in a value that must be text. */
function contentMisfit(error: unknown): unknown {
  const isChild = error instanceof XmlError && error.code === "xml.unexpected-element";
  return isChild ? new SchemaMismatch(error.message, { cause: error }) : error;
}

/** XSD 1.0 Part 1 §2.6: these may stand on any element. */
const instanceAttributes: ReadonlySet<string> = new Set(["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"]);

/** Reads the attributes of the element at START into the record. */
function readAttributes(run: ElementDecoder, table: DecodeTable, result: ReadRecord): void {
  const { anyAttribute } = table;
  const others: AnyAttribute[] = [];
  for (const { localName, namespace, value } of run.reader.attributes) {
    const member = attributeOf(table, localName, namespace);
    if (member !== undefined) readAttribute(run, member, { text: value, result });
    else if (namespace === instanceNamespace) {
      if (run.strict && !instanceAttributes.has(localName)) refuse(namespace, localName);
    } else if (anyAttribute !== undefined && admits(anyAttribute.namespaces, namespace)) {
      others.push({ name: clark(namespace, localName), value });
    } else {
      if (!run.encoded) refuseLiteralReference({ namespace, localName, value });
      if (run.refuseUnknown && !(run.encoded && isEncodingAttribute({ namespace, localName }))) {
        refuse(namespace, localName);
      }
    }
  }
  if (others.length > 0 && anyAttribute !== undefined) setMember(result, anyAttribute, others);
  for (const member of table.attributes) if (!hasMember(result, member)) addDefault(run, member, result);
}

/** Checks the attributes of an element whose type has none. */
function checkSimpleAttributes({ reader, encoded, refuseUnknown }: ElementDecoder): void {
  for (const { localName, namespace, value } of reader.attributes) {
    if (!encoded) refuseLiteralReference({ namespace, localName, value });
    if (namespace === instanceNamespace || (encoded && isEncodingAttribute({ namespace, localName }))) continue;
    if (refuseUnknown) refuse(namespace, localName);
  }
}

function refuse(namespace: string, localName: string): never {
  throw new SchemaMismatch(`The attribute ${clark(namespace, localName)} is not expected here.`).within(
    `@${localName}`,
  );
}

function attributeOf(table: DecodeTable, localName: string, namespace: string): DecodeAttribute | undefined {
  let member = table.attributesByName.get(localName);
  while (member !== undefined && member.namespace !== namespace) member = member.next;
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
    if (run.strict && member.fixed !== undefined) checkFixed(type, { value, fixed: member.fixed, context: run });
    setMember(result, member, value);
  } catch (error) {
    throw addStep(error, `@${member.local}`);
  }
}

/** XSD 1.0 Part 1 §3.4.5: what an absent attribute is by default, or always, is as good as written. */
function addDefault(run: ElementDecoder, member: DecodeAttribute, result: ReadRecord): void {
  if (member.required) throw new SchemaMismatch("The attribute is required.").within(`@${member.local}`);
  const text = member.default ?? member.fixed;
  if (text !== undefined) setMember(result, member, declaredValue(member.simple(), text, run));
}

/** Whether the element at START says that it is nil. */
function isNil({ reader, strict }: ElementDecoder): boolean {
  const text = reader.attribute(instanceNamespace, "nil");
  if (text === undefined) return false;
  const value = text.trim();
  if (value === "true" || value === "1") return true;
  if (strict && value !== "false" && value !== "0") throw new SchemaMismatch("xsi:nil is true or false.", { text });
  return false;
}

/**
 * What `xsi:nil="true"` means (XSD 1.0 Part 1 §3.3.4, and what peers send in spite of it):
 *
 * | element                                | tolerant          | strict                       |
 * |----------------------------------------|-------------------|------------------------------|
 * | nillable                               | null              | null; refused with content   |
 * | of a type whose empty text is a string | ""                | refused                      |
 * | optional, and no item of an array      | absent            | refused                      |
 * | any other                              | refused           | refused                      |
 */
function readNil(run: ElementDecoder, typed: DecodeType, { nillable, min, array, fixed }: Declaration): unknown {
  const { reader } = run;
  if (!run.strict) reader.skip();
  else if (fixed !== undefined) throw new SchemaMismatch("The element is nil, but its value is fixed.");
  else if (nillable && reader.next() !== END) throw new SchemaMismatch("The element is nil, but has content.");
  if (nillable) return null;
  if (!run.strict) {
    if (typed.kind === "simple" && readsEmpty(typed.type, run)) return "";
    if (min === 0 && !array) return omitted;
  }
  throw new SchemaMismatch("The element is nil, but not nillable.");
}

function readsEmpty(type: SimpleType<unknown>, run: ElementDecoder): boolean {
  try {
    return type.read("", run) === "";
  } catch {
    return false;
  }
}

const itemDeclaration = { nillable: true, min: 0, array: true, default: undefined, fixed: undefined };

/** Reads the array at START; ends at its END. The names of the items say nothing (SOAP 1.1 §5.4.2). */
function readArray(run: ElementDecoder, { item }: DecodeArray): unknown[] {
  const { reader } = run;
  run.checkDepth();
  refusePartialArray(reader);
  const typed = item();
  const items: unknown[] = [];
  for (let event = reader.next(); event !== END; event = reader.next()) {
    if (event === TEXT) {
      run.strayText();
      continue;
    }
    const { localName } = reader;
    try {
      refuseSparseItem(reader);
      items.push(run.value(typed, itemDeclaration));
    } catch (error) {
      throw addStep(error, `${localName}[${items.length + 1}]`);
    }
  }
  return items;
}
