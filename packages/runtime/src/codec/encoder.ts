import { emptyContext } from "@bothends/datatypes/value-space";
import { isXmlText } from "@bothends/xml/characters";
import { escapeAttribute, escapeText } from "@bothends/xml/escape";
import { suggestNearest } from "@bothends/xml/nearest-name";
import { splitClark } from "@bothends/xml/split-clark";
import { EncodeError } from "../answer-errors.js";
import type { AnyElement } from "../descriptor.js";
import { ConfigError, LexicalError } from "../errors.js";
import type { CodecOptions, EncodeElementOptions, IndentElements } from "./codec-options.js";
import {
  createMissingMemberError,
  type DeclaredTypes,
  type EncodeAlternative,
  type EncodeContext,
  type EncodeElement,
  type EncodeStep,
  type EncodeTable,
  EncodeTables,
  type EncodeType,
  getMember,
  getMembersOfValue,
  listItems,
  type Members,
  refuseUnknownMembers,
  type ValueWriter,
  writeItems,
} from "./encode-table.js";
import { writeElement } from "./kinds/any-element.js";
import { resolveRecord } from "./resolve-type.js";
import { type AnyReference, createNamesOnWire, type NamesOnWire, unchangedNames } from "./resolved-types.js";
import { checkFixed, missingElementReason, SchemaMismatch, toMismatch, writeSimpleValue } from "./schema-mismatch.js";
import { getTag, openTag, Prefixes } from "./start-tag.js";
import type { Tag } from "./tags.js";

type TablesByTypes = Map<DeclaredTypes | undefined, EncodeTables>;

/**
 * The tables that all encoders without `wireNames` share. They can share them because they write the names from the
 * schema, and tables depend only on names and declared types.
 */
const schemaTables: TablesByTypes = new Map();

interface RootTag {
  readonly declarations: string;
  readonly tag: Tag;
}

/**
 * Writes values as XML. Elements use the default namespace; the prefixes `xsi` and `xsd` must be declared by an outer
 * element. Throws an `EncodeError` whose path is the position of the value, as in a JSON pointer: `/Order/lines/0/sku`.
 */
export class Encoder {
  readonly #names: NamesOnWire;
  readonly #rules: EncodeRules;
  readonly #tables: TablesByTypes;
  readonly #tags = new Map<string, RootTag>();

  constructor(options: CodecOptions = {}) {
    const names = createNamesOnWire(options);
    this.#names = names;
    this.#rules = {
      replacesIllegal: options.illegalCharacters === "replace",
      escapeText: options.escapeText ?? escapeText,
    };
    this.#tables = names === unchangedNames ? schemaTables : new Map();
  }

  /** Writes one element. `name` is the name of the element in the schema, in Clark notation. */
  encode(name: string, reference: AnyReference, value: unknown, options: EncodeElementOptions = {}): string {
    const tag = this.#getRootTag(name, options.declarations);
    try {
      if (value === null || value === undefined) {
        if (options.nillable === true) {
          return tag.nil;
        }
        throw createMissingValueError(value);
      }
      const type = this.#getTablesFor(options.declaredTypes).type(reference, tag.name.namespace);
      const rootType =
        type.kind === "record" && options.declaresType !== true ? { ...type, typeName: undefined } : type;
      const { default: byDefault, fixed, indent } = options;
      return new ElementEncoder(this.#rules, indent).writeConstrained(tag, rootType, {
        value,
        default: byDefault,
        fixed,
      });
    } catch (error) {
      throw createEncodeError(error, `${options.path ?? ""}/${tag.name.localName}`);
    }
  }

  /** Writes the elements of a record without an enclosing element, with no default namespace in scope. */
  encodeContent(record: () => { readonly kind: string }, value: unknown, options: EncodeElementOptions = {}): string {
    try {
      const table = this.#getTablesFor(options.declaredTypes).table(resolveRecord(record), "");
      return new ElementEncoder(this.#rules).writeContent(table, value);
    } catch (error) {
      throw createEncodeError(error, options.path ?? "");
    }
  }

  #getTablesFor(types: DeclaredTypes | undefined): EncodeTables {
    let tables = this.#tables.get(types);
    if (tables === undefined) {
      tables = new EncodeTables(this.#names, types);
      this.#tables.set(types, tables);
    }
    return tables;
  }

  #getRootTag(name: string, declarations = ""): Tag {
    let rootTag = this.#tags.get(name);
    if (rootTag?.declarations !== declarations) {
      rootTag = { declarations, tag: getTag(this.#names.element(splitClark(name)), "", declarations) };
      this.#tags.set(name, rootTag);
    }
    return rootTag.tag;
  }
}

function createEncodeError(error: unknown, parent: string): Error {
  const mismatch = toMismatch(error);
  if (mismatch.cause instanceof ConfigError) {
    return mismatch.cause;
  }
  const path = mismatch.path(parent);
  const { message, reason, text: value, cause } = mismatch;
  return new EncodeError(`${path}: ${message}`, { path, reason, value, cause });
}

/** The maximum depth of a value. Cyclic values exceed it. */
const maxDepth = 256;

const illegalCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu;

/** A value with the fixed and default values of its element declaration. */
interface ConstrainedValue {
  readonly value: unknown;
  readonly fixed: string | undefined;
  readonly default: string | undefined;
}

/** The rules for writing text. */
interface EncodeRules {
  /** Whether to replace characters that XML cannot contain with U+FFFD. */
  readonly replacesIllegal: boolean;
  readonly escapeText: (text: string) => string;
}

const defaultRules: EncodeRules = { replacesIllegal: false, escapeText };

/** Encodes one value using compiled tables. */
export class ElementEncoder implements EncodeContext {
  readonly prefixes = new Prefixes();
  writtenMembers = 0;
  readonly #rules: EncodeRules;
  readonly #indent: IndentElements | undefined;
  /** The line break before an element; empty if the elements are not indented here. */
  #lineBreak: string;
  #depth = 0;

  constructor(rules = defaultRules, indent?: IndentElements) {
    this.#rules = rules;
    this.#indent = indent;
    this.#lineBreak = indent === undefined ? "" : "\n";
  }

  writeElement(tag: Tag, type: EncodeType, value: unknown): string {
    switch (type.kind) {
      case "simple":
        return this.#writeSimple(tag, type, value);
      case "record":
        return this.writeRecord(tag, isAnonymous(type, tag) ? { table: type.table, typeName: undefined } : type, value);
      case "other":
        return this.#writeOther(tag, type, value);
    }
  }

  #writeOther(tag: Tag, type: ValueWriter, value: unknown): string {
    const lineBreak = this.#lineBreak;
    this.#lineBreak = "";
    const xml = type.write(this, tag, value);
    this.#lineBreak = lineBreak;
    // The caller writes the line break before the element, so it is removed here.
    return lineBreak === "" ? xml : (this.#indent?.(xml, lineBreak)?.slice(lineBreak.length) ?? xml);
  }

  writeContent(table: EncodeTable, value: unknown): string {
    this.beginLevel();
    const members = getMembersOfValue(value, table.keys, table.name);
    const outerWrittenMembers = this.writtenMembers;
    this.writtenMembers = 0;
    const xml = this.writeSteps(table.steps, members);
    this.#checkUnknown(members, table);
    this.writtenMembers = outerWrittenMembers;
    this.endLevel();
    return xml;
  }

  beginLevel(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) {
      throw new LexicalError(`The value is nested deeper than ${maxDepth} levels, or contains itself.`);
    }
  }

  endLevel(): void {
    this.#depth -= 1;
  }

  suggestMember(key: string, knownKeys: ReadonlySet<string>): string {
    return suggestNearest(key, knownKeys);
  }

  escapeText(text: string): string {
    const { replacesIllegal, escapeText: escapeWith } = this.#rules;
    return escapeWith(replacesIllegal ? replaceIllegalCharacters(text) : text);
  }

  escapeAttribute(text: string): string {
    return escapeAttribute(this.#rules.replacesIllegal ? replaceIllegalCharacters(text) : text);
  }

  #writeSimple(tag: Tag, { type, typeName }: Extract<EncodeType, { kind: "simple" }>, value: unknown): string {
    const text = this.escapeText(writeSimpleValue(type, value, this.prefixes));
    if (typeName === undefined && !this.prefixes.needsDeclaration) {
      return text === "" ? tag.empty : tag.open + text + tag.close;
    }
    const { start, close } = openTag(this.prefixes, tag, { attributes: "", typeName });
    return text === "" ? `${start} />` : `${start}>${text}${close}`;
  }

  writeRecord(tag: Tag, { table, typeName }: EncodeAlternative, value: unknown): string {
    this.beginLevel();
    const members = getMembersOfValue(value, table.keys, table.name);
    const outerWrittenMembers = this.writtenMembers;
    this.writtenMembers = 0;
    let attributes = "";
    for (const attribute of table.attributes) {
      attributes += attribute.write(this, members, table.attributes);
    }
    const text = table.text?.write(this, members);
    let xml: string;
    if (attributes === "" && typeName === undefined && !this.prefixes.needsDeclaration) {
      const content = text ?? this.#writeElements(table, members);
      xml = content === "" ? tag.empty : tag.open + content + tag.close;
    } else {
      const { start, close, hasNoDefault } = openTag(this.prefixes, tag, { attributes, typeName });
      const content = text ?? this.#writeElements(hasNoDefault ? table.tableInScope("") : table, members);
      xml = content === "" ? `${start} />` : `${start}>${content}${close}`;
    }
    this.#checkUnknown(members, table);
    this.writtenMembers = outerWrittenMembers;
    this.endLevel();
    return xml;
  }

  /** Writes the content of a record without text. If the content is indented, the end tag is on a new line. */
  #writeElements({ steps, hasOnlyElements }: EncodeTable, members: Members): string {
    const outerLineBreak = this.#lineBreak;
    if (outerLineBreak === "") {
      return this.writeSteps(steps, members);
    }
    const lineBreak = `${outerLineBreak}  `;
    this.#lineBreak = hasOnlyElements ? lineBreak : "";
    const content = this.writeSteps(steps, members);
    this.#lineBreak = outerLineBreak;
    const indentedContent = hasOnlyElements ? content : this.#indent?.(content, lineBreak);
    return indentedContent ? indentedContent + outerLineBreak : content;
  }

  /** Refuses unknown members. Searches for unknown members only if the value has more members than were written. */
  #checkUnknown(members: Members, table: EncodeTable): void {
    if (Object.keys(members).length !== this.writtenMembers) {
      refuseUnknownMembers(members, table, this);
    }
  }

  /** Writes the content of a record. Elements of simple type, the most frequent kind, are written inline for speed. */
  writeSteps(steps: readonly EncodeStep[], members: Members): string {
    const lineBreak = this.#lineBreak;
    let xml = "";
    let key: string | undefined;
    try {
      for (const step of steps) {
        if (step.kind !== "element") {
          key = undefined;
          xml += step.write(this, members);
          continue;
        }
        key = step.key;
        const value = step.isShadowed ? getMember(members, step) : members[key];
        if (value === undefined) {
          if (step.min > 0) {
            xml += prependBreak(lineBreak, this.#writeAbsent(step, value, members));
          }
          continue;
        }
        this.writtenMembers += 1;
        const { textType } = step;
        if (textType === undefined || value === null) {
          xml += this.#writeMember(step, value, lineBreak);
          continue;
        }
        const text = writeSimpleValue(textType, value, this.prefixes);
        if (text === "") {
          xml += lineBreak + step.tag.empty;
        } else if (this.prefixes.needsDeclaration) {
          xml += lineBreak + this.#writePrefixed(step.tag, text);
        } else {
          xml += lineBreak + step.tag.open + this.escapeText(text) + step.tag.close;
        }
      }
    } catch (error) {
      throw key === undefined ? error : toMismatch(error).prependStep(key);
    }
    return xml;
  }

  #writeMember(step: EncodeElement, value: unknown, lineBreak: string): string {
    if (value === null) {
      return prependBreak(lineBreak, this.#writeAbsent(step, value, {}));
    }
    if (!step.array) {
      return lineBreak + this.#writeValue(step, value);
    }
    return writeItems(
      listItems(value, step),
      (item) => lineBreak + (item === null && step.nillable ? step.tag.nil : this.#writeValue(step, item)),
    );
  }

  /**
   * Writes an absent or null element. If the element is nillable, null or a missing required value becomes a nil
   * element. If the element is optional, nothing is written.
   */
  #writeAbsent(step: EncodeElement, value: null | undefined, members: Members): string {
    if (step.nillable && !step.array && (value === null || step.min > 0)) {
      return step.tag.nil;
    }
    if (step.min === 0) {
      return "";
    }
    throw value === null
      ? createMissingValueError(value)
      : createMissingMemberError(missingElementReason, { members, siblings: step.siblings }, this);
  }

  #writeValue(step: EncodeElement, value: unknown): string {
    const type = step.type();
    if (
      type.kind === "simple" &&
      type.typeName === undefined &&
      !step.array &&
      step.fixed === undefined &&
      step.default === undefined
    ) {
      step.textType = type.type;
    }
    return this.writeConstrained(step.tag, type, { value, fixed: step.fixed, default: step.default });
  }

  /** Writes an element whose declaration may have a default or fixed value. */
  writeConstrained(tag: Tag, type: EncodeType, { value, fixed, default: byDefault }: ConstrainedValue): string {
    const xml = this.writeElement(tag, type, value);
    if (type.kind === "simple" && fixed !== undefined) {
      checkFixed(type.type, { value, fixed, context: emptyContext });
    }
    if (byDefault !== undefined && byDefault !== "" && xml === tag.empty) {
      throw new LexicalError("The text must not be empty, because empty text is read as the default.");
    }
    return xml;
  }

  #writePrefixed(tag: Tag, text: string): string {
    const { start, close } = openTag(this.prefixes, tag, { attributes: "", typeName: undefined });
    return `${start}>${this.escapeText(text)}${close}`;
  }
}

/** Writes an element that declares all its prefixes. Throws if a name or text is not valid XML. */
export function writeAnyElement(element: AnyElement): string {
  return writeElement(new ElementEncoder(), element, { defaultNamespace: "", namespaces: "any" });
}

function replaceIllegalCharacters(text: string): string {
  return isXmlText(text) ? text : text.replace(illegalCharacters, "\ufffd");
}

/** Whether a type is anonymous: such a type has the name of its element, and `xsi:type` cannot refer to it. */
function isAnonymous({ typeName }: EncodeAlternative, { name }: Tag): boolean {
  return typeName !== undefined && typeName.localName === name.localName && typeName.namespace === name.namespace;
}

/** Puts the line break before the XML of an element. Returns an empty string if there is no element. */
function prependBreak(lineBreak: string, xml: string): string {
  return xml === "" ? "" : lineBreak + xml;
}

/** Returns the error for a required element without a value. */
function createMissingValueError(value: null | undefined): SchemaMismatch {
  return new SchemaMismatch(
    value === null ? "The element is not nillable, so its value must not be null." : missingElementReason,
  );
}
