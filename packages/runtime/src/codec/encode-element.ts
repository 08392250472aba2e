import { emptyContext } from "@bothends/datatypes";
import { escapeAttribute, escapeText, isXmlText } from "@bothends/xml";
import { LexicalError } from "../errors.js";
import { chosenAlternative, isModel } from "./content-model.js";
import { writeAnyAttributes, writeAnyElement, writeAnyValue } from "./encode-any.js";
import {
  absent,
  alternativeOf,
  type EncodeAlternative,
  type EncodeAny,
  type EncodeArray,
  type EncodeAttribute,
  type EncodeElement,
  type EncodeGroup,
  type EncodeMember,
  type EncodeMixed,
  type EncodeModel,
  type EncodeStep,
  type EncodeTable,
  type EncodeText,
  type EncodeType,
  isPresent,
  itemsOf,
  type Members,
  memberOf,
  membersOfValue,
  refuseUnknown,
  type Tag,
} from "./encode-tables.js";
import { clarkOf } from "./names.js";
import { checkFixed, mismatchOf } from "./schema-mismatch.js";
import { encodingNamespace } from "./soap-encoding.js";
import { type ElementOutput, openTag, Prefixes } from "./start-tag.js";

/** The maximum depth of a value. Cyclic values exceed it. */
const maxDepth = 256;

const illegal = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu;
const unbounded = { min: 0, max: Number.POSITIVE_INFINITY };

/** A value with the fixed and default values of its element declaration. */
interface Constrained {
  readonly value: unknown;
  readonly fixed: string | undefined;
  readonly default: string | undefined;
}

/** Encodes one value by the compiled tables. */
export class ElementEncoder implements ElementOutput {
  readonly prefixes = new Prefixes();
  readonly #replace: boolean;
  #depth = 0;
  /** The number of members of the current record that have been written. */
  #written = 0;

  constructor(replace: boolean) {
    this.#replace = replace;
  }

  element(tag: Tag, type: EncodeType, value: unknown): string {
    switch (type.kind) {
      case "simple":
        return this.#simple(tag, type, value);
      case "record":
        return this.#record(tag, isAnonymous(type, tag) ? { ...type, typeName: undefined } : type, value);
      case "polymorphic":
        return this.#record(tag, alternativeOf(type, value), value);
      case "array":
        return writeArray(this, type, { tag, value });
      case "anyType":
        return writeAnyValue(this, value, { tag, encoded: type.encoded });
    }
  }

  /** Writes the elements of a record without an enclosing element. */
  content(table: EncodeTable, value: unknown): string {
    this.enter();
    const members = membersOfValue(value, table.keys, table.name);
    const outer = this.#written;
    this.#written = 0;
    const xml = this.#steps(table.steps, members);
    this.#finish(members, table);
    this.#written = outer;
    this.leave();
    return xml;
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) {
      throw new LexicalError(`The value is nested deeper than ${maxDepth} levels, or contains itself.`);
    }
  }

  leave(): void {
    this.#depth -= 1;
  }

  text(text: string): string {
    return escapeText(this.#legal(text));
  }

  attribute(text: string): string {
    return escapeAttribute(this.#legal(text));
  }

  #legal(text: string): string {
    return this.#replace && !isXmlText(text) ? text.replace(illegal, "\ufffd") : text;
  }

  #simple(tag: Tag, { type, typeName }: Extract<EncodeType, { kind: "simple" }>, value: unknown): string {
    const text = this.text(type.write(value, this.prefixes));
    if (typeName === undefined && !this.prefixes.used) {
      return text === "" ? tag.empty : tag.open + text + tag.close;
    }
    const { start, close } = openTag(this.prefixes, tag, { attributes: "", typeName });
    return text === "" ? `${start} />` : `${start}>${text}${close}`;
  }

  #record(tag: Tag, { table, typeName }: EncodeAlternative, value: unknown): string {
    this.enter();
    const members = membersOfValue(value, table.keys, table.name);
    const outer = this.#written;
    this.#written = 0;
    const attributes = table.hasAttributes ? this.#attributes(table, members) : "";
    const text = table.text === undefined ? undefined : this.#text(table.text, members);
    let xml: string;
    if (attributes === "" && typeName === undefined && !this.prefixes.used) {
      const inner = text ?? this.#inner(table, members);
      xml = inner === "" ? tag.empty : tag.open + inner + tag.close;
    } else {
      const { start, close, noDefault } = openTag(this.prefixes, tag, { attributes, typeName });
      const inner = text ?? this.#inner(noDefault ? table.inScope("") : table, members);
      xml = inner === "" ? `${start} />` : `${start}>${inner}${close}`;
    }
    this.#finish(members, table);
    this.#written = outer;
    this.leave();
    return xml;
  }

  /** Refuses unknown members. They are looked for only if the value has more members than were written. */
  #finish(members: Members, table: EncodeTable): void {
    if (Object.keys(members).length !== this.#written) {
      refuseUnknown(members, table.keys, table.name);
    }
  }

  #attributes(table: EncodeTable, members: Members): string {
    const { xml, written } = writeAttributes(this, table, members);
    this.#written += written;
    return xml;
  }

  #text(member: EncodeText, members: Members): string {
    try {
      const value = memberOf(members, member);
      if (value === undefined || value === null) {
        throw new LexicalError("The text is required.");
      }
      this.#written += 1;
      return this.text(member.simple().write(value, this.prefixes));
    } catch (error) {
      throw mismatchOf(error).within(member.key);
    }
  }

  #inner(table: EncodeTable, members: Members): string {
    return table.mixed === undefined ? this.#steps(table.steps, members) : this.#mixed(table.mixed, members);
  }

  #mixed(member: EncodeMixed, members: Members): string {
    const value = memberOf(members, member);
    if (value === undefined || value === null) {
      return "";
    }
    this.#written += 1;
    try {
      const table = member.table();
      return this.#items(itemsOf(value, unbounded), (item) =>
        typeof item === "string" ? this.text(item) : this.#mixedElement(table, item),
      );
    } catch (error) {
      throw mismatchOf(error).within(member.key);
    }
  }

  /** Writes an element of mixed content: a record with one member. */
  #mixedElement(table: EncodeTable, item: unknown): string {
    const members = membersOfValue(item, table.keys, table.name);
    refuseUnknown(members, table.keys, table.name);
    const [key, ...others] = Object.keys(members).filter((name) => members[name] !== undefined);
    const step = key === undefined ? undefined : table.byKey().get(key);
    if (step === undefined || others.length > 0) {
      throw new LexicalError("An item of mixed content must be a string or an object with one member.");
    }
    const outer = this.#written;
    const xml = this.#steps([step], members);
    this.#written = outer;
    return xml;
  }

  /** Writes the content of a record. Elements of simple type, the most frequent kind in messages, are written inline. */
  #steps(steps: readonly EncodeStep[], members: Members): string {
    let xml = "";
    let key: string | undefined;
    try {
      for (const step of steps) {
        if (step.kind !== "element") {
          key = undefined;
          xml += isModel(step) ? this.#model(step, members) : this.#repeated(step, members);
          continue;
        }
        key = step.key;
        const value = step.shadowed ? memberOf(members, step) : members[key];
        if (value === undefined) {
          if (step.min > 0) {
            xml += absent(step, value);
          }
          continue;
        }
        this.#written += 1;
        const { plain } = step;
        if (plain === undefined || value === null) {
          xml += this.#member(step, value);
          continue;
        }
        const text = plain.write(value, this.prefixes);
        if (text === "") {
          xml += step.tag.empty;
        } else if (this.prefixes.used) {
          xml += this.#prefixed(step.tag, text);
        } else {
          xml += step.tag.open + this.text(text) + step.tag.close;
        }
      }
    } catch (error) {
      throw key === undefined ? error : mismatchOf(error).within(key);
    }
    return xml;
  }

  #member(step: EncodeElement, value: unknown): string {
    if (value === null) {
      return absent(step, value);
    }
    if (!step.array) {
      return this.#value(step, value);
    }
    return this.#items(itemsOf(value, step), (item) =>
      item === null && step.nillable ? step.tag.nil : this.#value(step, item),
    );
  }

  #value(step: EncodeElement, value: unknown): string {
    const type = step.typed();
    if (
      type.kind === "simple" &&
      type.typeName === undefined &&
      !step.array &&
      step.fixed === undefined &&
      step.default === undefined
    ) {
      step.plain = type.type;
    }
    return this.constrained(step.tag, type, { value, fixed: step.fixed, default: step.default });
  }

  /** Writes an element whose declaration may have a default or fixed value. */
  constrained(tag: Tag, type: EncodeType, { value, fixed, default: byDefault }: Constrained): string {
    const xml = this.element(tag, type, value);
    if (type.kind === "simple" && fixed !== undefined) {
      checkFixed(type.type, { value, fixed, context: emptyContext });
    }
    if (byDefault !== undefined && byDefault !== "" && xml === tag.empty) {
      throw new LexicalError("The text must not be empty, because empty text is read as the default.");
    }
    return xml;
  }

  #prefixed(tag: Tag, text: string): string {
    const { start, close } = openTag(this.prefixes, tag, { attributes: "", typeName: undefined });
    return `${start}>${this.text(text)}${close}`;
  }

  #repeated(step: EncodeGroup | EncodeAny, members: Members): string {
    try {
      const value = memberOf(members, step);
      if (value === undefined || value === null) {
        if (step.min > 0 && (step.kind === "any" || !step.table().emptiable)) {
          throw new LexicalError("The member is required.");
        }
        if (value === null) {
          this.#written += 1;
        }
        return "";
      }
      this.#written += 1;
      if (step.kind === "group") {
        const table = step.table();
        const min = table.emptiable ? 0 : step.min;
        return this.#items(itemsOf(value, { min, max: step.max }), (item) => this.content(table, item));
      }
      if (!step.array) {
        return writeAnyElement(this, value, step);
      }
      return this.#items(itemsOf(value, step), (item) => writeAnyElement(this, item, step));
    } catch (error) {
      throw mismatchOf(error).within(step.key);
    }
  }

  #items(items: readonly unknown[], write: (item: unknown) => string): string {
    let xml = "";
    for (let index = 0; index < items.length; index += 1) {
      try {
        xml += write(items[index]);
      } catch (error) {
        throw mismatchOf(error).within(String(index));
      }
    }
    return xml;
  }

  #model(model: EncodeModel, members: Members): string {
    const has = (member: EncodeMember): boolean => isPresent(members, member);
    if (model.kind === "choice") {
      const alternative = chosenAlternative(model, has);
      return alternative === undefined ? "" : this.#steps([alternative], members);
    }
    return model.optional && !model.members.some(has) ? "" : this.#steps(model.steps, members);
  }
}

/** Whether a type is anonymous: it then has the name of its element, which `xsi:type` cannot refer to. */
function isAnonymous({ typeName }: EncodeAlternative, { name }: Tag): boolean {
  return typeName !== undefined && typeName.local === name.local && typeName.namespace === name.namespace;
}

/** Writes an array: one element for each item, nil for null. */
function writeArray(run: ElementEncoder, { item, encoded }: EncodeArray, place: ArrayPlace): string {
  const { tag, value } = place;
  const items = itemsOf(value, unbounded);
  run.enter();
  const attributes = encoded === undefined ? "" : arrayAttributes(run, encoded, items.length);
  const { start, close, noDefault } = openTag(run.prefixes, tag, { attributes, typeName: undefined });
  const itemTag = item.tag(noDefault ? "" : tag.name.namespace);
  const type = item.typed();
  let inner = "";
  for (let index = 0; index < items.length; index += 1) {
    try {
      if (items[index] === undefined) {
        throw new LexicalError("An item must not be undefined. Use null for an item without a value.");
      }
      inner += items[index] === null ? itemTag.nil : run.element(itemTag, type, items[index]);
    } catch (error) {
      throw mismatchOf(error).within(String(index));
    }
  }
  run.leave();
  return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
}

interface ArrayPlace {
  readonly tag: Tag;
  readonly value: unknown;
}

/** The item type and size, in one attribute (SOAP 1.1 §5.4.2) or in two (SOAP 1.2 part 2 §3.1.6). */
function arrayAttributes(
  run: ElementEncoder,
  { version, itemType }: NonNullable<EncodeArray["encoded"]>,
  size: number,
): string {
  const { name, dimensions } = itemType();
  const type = run.prefixes.qname(clarkOf(name));
  const bound = ` xmlns:soapenc="${encodingNamespace[version]}" xsi:type="soapenc:Array"`;
  return version === "soap11"
    ? `${bound} soapenc:arrayType="${type}${dimensions}[${size}]"`
    : `${bound} soapenc:itemType="${dimensions === "" ? type : "soapenc:Array"}" soapenc:arraySize="${size}"`;
}

/** The text of attributes in a tag, and the number of members written. */
interface WrittenAttributes {
  readonly xml: string;
  readonly written: number;
}

/** Writes the attributes of a record; attributes of a wildcard are last. */
function writeAttributes(run: ElementEncoder, table: EncodeTable, members: Members): WrittenAttributes {
  let xml = "";
  let written = 0;
  const write = (
    member: { readonly key: string; readonly shadowed: boolean },
    text: (value: unknown) => string,
  ): void => {
    try {
      const value = memberOf(members, member);
      if (value !== undefined) {
        written += 1;
      }
      xml += text(value);
    } catch (error) {
      throw mismatchOf(error).within(member.key);
    }
  };
  for (const member of table.attributes) {
    write(member, (value) => attribute(run, value, member));
  }
  const { anyAttribute, attributes: taken } = table;
  if (anyAttribute !== undefined) {
    const { namespaces } = anyAttribute;
    write(anyAttribute, (value) => writeAnyAttributes(run, value ?? undefined, { namespaces, taken }));
  }
  return { xml, written };
}

function attribute(run: ElementEncoder, value: unknown, member: EncodeAttribute): string {
  if (value === undefined || value === null) {
    if (member.required) {
      throw new LexicalError("The attribute is required.");
    }
    return "";
  }
  const type = member.simple();
  const { prefixes } = run;
  const text = run.attribute(type.write(value, prefixes));
  if (member.fixed !== undefined) {
    checkFixed(type, { value, fixed: member.fixed, context: emptyContext });
  }
  return ` ${prefixes.attributeName(member.namespace, member.local)}="${text}"`;
}
