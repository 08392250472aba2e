// SOAP encoding (SOAP 1.1 §5, 1.2 part 2 §3): declared types, references inside the body, and arrays.
import type { PrefixLookup, XmlLimits, XmlReader } from "@bothends/xml";
import { type ReferenceLimits, referenceLimits } from "@bothends/xml/limits";
import { DONE, END, START, TEXT } from "@bothends/xml/reader-events";
import { splitClark } from "@bothends/xml/split-clark";
import type { ImportedFeature, KindCodec } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import type { EncodingRules } from "../decode-element.js";
import type { Declaration, DecodeContext, DecodeTables, DecodeType, ValueReader } from "../decode-table.js";
import { encodingNamespaces, isReference } from "../element-attributes.js";
import {
  type DeclaredTypes,
  type EncodeContext,
  type EncodeTypeContext,
  listItems,
  unlimitedBounds,
  type ValueWriter,
  writeItems,
} from "../encode-table.js";
import { resolveType } from "../resolve-type.js";
import {
  type AnyReference,
  createOnFirstUse,
  type NamesOnWire,
  type ResolvedArray,
  schemaNamespace,
  type WireName,
} from "../resolved-types.js";
import { addStep, SchemaMismatch } from "../schema-mismatch.js";
import { formatClarkName, getTag, getTypeOnWire, openTag } from "../start-tag.js";
import type { Tag } from "../tags.js";

/** Reads and writes messages in SOAP encoding (SOAP 1.1 §5, 1.2 part 2 §3). */
export interface SoapEncoding extends ImportedFeature<"soapEncoding"> {
  readonly declaredTypes: Readonly<Record<DeclaredTypes["version"], DeclaredTypes>>;
  /** Returns the rules for the body of a message, where references are followed. */
  bodyRules(text: string, options: BodyOptions): EncodingRules;
  /** The rules for a header block, where references are refused. */
  readonly headerRules: EncodingRules;
}

/** Options for reading the body of an encoded message, whose elements refer to each other. */
export interface BodyOptions {
  readonly limits: XmlLimits & Partial<ReferenceLimits>;
  /** The prefixes that are bound outside the message. */
  readonly prefixes?: PrefixLookup | undefined;
}

const encodingAttributes: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...Object.values(encodingNamespaces),
  "http://schemas.xmlsoap.org/soap/envelope/",
  "http://www.w3.org/2003/05/soap-envelope",
]);

/** Whether an attribute, such as a type, a size or an id, belongs to SOAP encoding and not to the value. */
const isEncodingAttribute: EncodingRules["isEncodingAttribute"] = ({ namespace, localName }) =>
  namespace === "" ? localName === "id" : encodingAttributes.has(namespace);

/** Reads and writes SOAP-encoded bodies. Exported as `xs.soapEncoding`. */
export const soapEncoding: SoapEncoding = {
  kind: "soapEncoding",
  declaredTypes: {
    soap11: { version: "soap11", nameOf: findTypeName },
    soap12: { version: "soap12", nameOf: findTypeName },
  },
  bodyRules(text, options) {
    const references = new BodyReferences(text, options);
    return {
      isEncodingAttribute,
      follow: (context, type, declaration) => references.follow(context, type, declaration),
    };
  },
  headerRules: {
    isEncodingAttribute,
    follow({ reader: { attributes } }) {
      const reference = attributes.find(isReference);
      if (reference === undefined) {
        return undefined;
      }
      throw new SchemaMismatch(
        `The value must not be a reference (${reference.localName}): references are supported only inside the body.`,
      );
    },
  },
};

/** Returns the name of a type for `xsi:type`; undefined for an anonymous type. */
function findTypeName(name: string, names: NamesOnWire): WireName | undefined {
  if (!name.startsWith("{")) {
    return name.startsWith("xs:") ? { namespace: schemaNamespace, localName: name.slice(3) } : undefined;
  }
  const typeName = splitClark(getTypeOnWire(name, names));
  return /[/(*;@]/.test(typeName.localName) ? undefined : typeName;
}

/** Reads and writes SOAP arrays. Exported as `xs.array`. */
export const array: KindCodec<"array"> = { kind: "array", decode: createArrayReader, encode: createArrayWriter };

const itemDeclaration = {
  nillable: true,
  min: 0,
  array: true,
  default: undefined,
  fixed: undefined,
  checkIdentity: undefined,
};

/** Creates the reader of a SOAP array. The names of the items are not significant (SOAP 1.1 §5.4.2). */
function createArrayReader({ item }: ResolvedArray, tables: DecodeTables): ValueReader {
  const itemType = createOnFirstUse(() => tables.type(item));
  return {
    kind: "other",
    read(context) {
      const { reader } = context;
      context.checkDepth();
      refusePartialArray(reader);
      const items: unknown[] = [];
      for (let event = reader.next(); event !== END; event = reader.next()) {
        if (event === TEXT) {
          context.checkStrayText();
          continue;
        }
        const { localName } = reader;
        try {
          refuseSparseItem(reader);
          items.push(context.readValue(itemType(), itemDeclaration));
        } catch (error) {
          throw addStep(error, `${localName}[${items.length + 1}]`);
        }
      }
      return items;
    },
  };
}

const encodingNamespaceSet: ReadonlySet<string> = /* @__PURE__ */ new Set(Object.values(encodingNamespaces));

/** Refuses partial and multidimensional arrays, which a plain list cannot represent (SOAP 1.1 §5.4.2). */
function refusePartialArray({ attributes }: XmlReader): void {
  for (const { namespace, localName, value } of attributes) {
    if (!encodingNamespaceSet.has(namespace)) {
      continue;
    }
    if (localName === "offset" && value.trim() !== "[0]") {
      throw new SchemaMismatch("A partial array, with the attribute offset, is not supported.");
    }
    const size = localName === "arrayType" ? value.slice(value.lastIndexOf("[")) : undefined;
    const isMultidimensional = size?.includes(",") === true || (localName === "arraySize" && /\S\s+\S/.test(value));
    if (isMultidimensional) {
      throw new SchemaMismatch("Arrays of more than one dimension are not supported.");
    }
  }
}

/** Refuses an item of a sparse array (SOAP 1.1 §5.4.2.2). */
function refuseSparseItem({ attributes }: XmlReader): void {
  for (const { namespace, localName } of attributes) {
    if (localName === "position" && encodingNamespaceSet.has(namespace)) {
      throw new SchemaMismatch("Sparse arrays (items with the attribute soapenc:position) are not supported.");
    }
  }
}

/** Creates the writer of a SOAP array, which writes one element per item. Null is written as a nil element. */
function createArrayWriter({ element, item }: ResolvedArray, { tables }: EncodeTypeContext): ValueWriter {
  const { names, declaredTypes } = tables;
  const name = names.element(splitClark(element));
  const tags = new Map<string, Tag>();
  const itemType = createOnFirstUse(() => tables.type(item, name.namespace));
  const declaredItem =
    declaredTypes && createOnFirstUse(() => findItemType(item, (type) => declaredTypes.nameOf(type, names)));
  return {
    kind: "other",
    write(context, tag, value) {
      const items = listItems(value, unlimitedBounds);
      context.beginLevel();
      const attributes =
        declaredTypes === undefined || declaredItem === undefined
          ? ""
          : writeArrayAttributes(context, { version: declaredTypes.version, type: declaredItem(), size: items.length });
      const { start, close, hasNoDefault } = openTag(context.prefixes, tag, { attributes, typeName: undefined });
      const defaultNamespace = hasNoDefault ? "" : tag.name.namespace;
      const itemTag = tags.get(defaultNamespace) ?? getTag(name, defaultNamespace);
      tags.set(defaultNamespace, itemTag);
      const itemsXml = writeItems(items, (itemValue) => {
        if (itemValue === undefined) {
          throw new LexicalError("An item must not be undefined. Use null for an item without a value.");
        }
        return itemValue === null ? itemTag.nil : context.writeElement(itemTag, itemType(), itemValue);
      });
      context.endLevel();
      return itemsXml === "" ? `${start} />` : `${start}>${itemsXml}${close}`;
    },
  };
}

/** Writes the item type and size of an array in one attribute (SOAP 1.1 §5.4.2) or in two (SOAP 1.2 Part 2 §3.1.6). */
function writeArrayAttributes(
  { prefixes }: EncodeContext,
  {
    version,
    type,
    size,
  }: { readonly version: DeclaredTypes["version"]; readonly type: ItemType; readonly size: number },
): string {
  const { name, dimensions } = type;
  const typeName = prefixes.qname(formatClarkName(name));
  const commonAttributes = ` xmlns:soapenc="${encodingNamespaces[version]}" xsi:type="soapenc:Array"`;
  return version === "soap11"
    ? `${commonAttributes} soapenc:arrayType="${typeName}${dimensions}[${size}]"`
    : `${commonAttributes} soapenc:itemType="${dimensions === "" ? typeName : "soapenc:Array"}" soapenc:arraySize="${size}"`;
}

/** The item type that an array declares. */
interface ItemType {
  readonly name: WireName;
  /** One `[]` for each level of nested arrays. */
  readonly dimensions: string;
}

/** Returns the item type of an array; `xs:anyType` for an anonymous type. */
function findItemType(item: AnyReference, findTypeName: (type: string) => WireName | undefined): ItemType {
  const visitedObjects = new Set<object>();
  let dimensions = "";
  for (let type = resolveType(item); !visitedObjects.has(type); type = resolveType(type.item)) {
    if (type.kind !== "array") {
      const name = type.kind === "anyType" ? undefined : findTypeName(type.name);
      return { name: name ?? anyType, dimensions };
    }
    visitedObjects.add(type);
    dimensions += "[]";
  }
  return { name: anyType, dimensions: "" };
}

const anyType: WireName = { namespace: schemaNamespace, localName: "anyType" };

/** An element with an `id`, to which references may refer, and its position in the message. */
interface Target {
  readonly start: number;
  end: number;
  readonly prefixes: PrefixLookup;
  /** Whether another element has the same `id`. */
  isAmbiguous: boolean;
}

/**
 * Follows the references of SOAP encoding inside one body (SOAP 1.1 §5.4.1, 1.2 part 2 §3.1.5.3). Most SOAP stacks
 * write references for values that occur twice; some write a reference for every value. A referenced element is read
 * once for each reference, so the values form a tree. All limits, including the message's depth, apply to that tree.
 */
class BodyReferences {
  readonly #text: string;
  readonly #limits: XmlLimits & ReferenceLimits;
  readonly #prefixes: PrefixLookup | undefined;
  #targets: ReadonlyMap<string, Target> | undefined;
  /** The ids of the references being followed. */
  readonly #followedIds = new Set<string>();
  #referenceCount = 0;
  #charCount = 0;

  /** `prefixes` contains the prefixes that are bound outside the message. */
  constructor(
    text: string,
    {
      limits,
      prefixes,
    }: { readonly limits: XmlLimits & Partial<ReferenceLimits>; readonly prefixes?: PrefixLookup | undefined },
  ) {
    this.#text = text;
    this.#limits = { ...referenceLimits, ...limits };
    this.#prefixes = prefixes;
  }

  /**
   * Returns the value that the current element refers to, and leaves the reader at the end tag of the current element.
   * Returns undefined if the element is not a reference. An attribute that the element's type declares is not a
   * reference.
   */
  follow(context: DecodeContext, type: DecodeType, declaration: Declaration): { readonly value: unknown } | undefined {
    const { reader, referenceDepth } = context;
    const reference = reader.attributes.find(isReference);
    if (reference === undefined || declaresAttribute(type, reference.localName)) {
      return undefined;
    }
    const { namespace, value } = reference;
    // In SOAP 1.2, the value is an IDREF without "#", but PHP writes a "#" before it.
    if (namespace === "" && !value.startsWith("#")) {
      throw new SchemaMismatch("The reference (href) must refer to an element of the body.");
    }
    const depth = referenceDepth + reader.depth;
    reader.skip();
    return this.#followId(value.replace(/^#/, ""), { messageReader: reader, depth }, (target) => ({
      value: context.contextForReference(target, depth).readValue(type, declaration),
    }));
  }

  #followId<T>(
    id: string,
    { messageReader, depth }: { readonly messageReader: XmlReader; readonly depth: number },
    read: (reader: XmlReader) => T,
  ): T {
    this.#targets ??= findTargets(messageReader.createReader(this.#text, this.#limits, this.#prefixes), this.#prefixes);
    const target = this.#targets.get(id);
    if (target === undefined) {
      throw new SchemaMismatch(`No element of the body has the id "${id.slice(0, 64)}".`);
    }
    if (target.isAmbiguous) {
      throw new SchemaMismatch(`Two elements of the body have the id "${id.slice(0, 64)}".`);
    }
    if (this.#followedIds.has(id)) {
      throw new SchemaMismatch(`The element with the id "${id.slice(0, 64)}" refers to itself.`);
    }
    if (depth > this.#limits.depth) {
      throw createLimitError("depth", this.#limits.depth);
    }
    this.#referenceCount += 1;
    if (this.#referenceCount > this.#limits.references) {
      throw createLimitError("references", this.#limits.references);
    }
    this.#charCount += target.end - target.start;
    if (this.#charCount > this.#limits.referencedChars) {
      throw createLimitError("referencedChars", this.#limits.referencedChars);
    }
    const reader = messageReader.createReader(
      this.#text.slice(target.start, target.end),
      this.#limits,
      target.prefixes,
    );
    reader.next();
    this.#followedIds.add(id);
    try {
      return read(reader);
    } finally {
      this.#followedIds.delete(id);
    }
  }
}

function createLimitError(name: keyof (XmlLimits & ReferenceLimits), value: number): SchemaMismatch {
  return new SchemaMismatch(
    `The references of the message exceed the limit ${name} = ${value}. To accept them, increase the option "limits.${name}".`,
  );
}

/** Finds the elements in the body that have an `id`, at any depth. */
function findTargets(reader: XmlReader, prefixes: PrefixLookup | undefined): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  const unclosedTargets: { readonly depth: number; readonly target: Target }[] = [];
  const scopes: PrefixLookup[] = [prefixes ?? new Map<string, string>()];
  for (let event = reader.next(); event !== DONE; event = reader.next()) {
    const { depth } = reader;
    if (event === START) {
      const scope = getScopeAt(reader, scopes[depth - 1]);
      scopes[depth] = scope;
      if (depth === 2 && reader.localName !== "Body") {
        reader.skip();
      }
      const id = depth > 2 ? findId(reader) : undefined;
      if (id === undefined) {
        continue;
      }
      const existingTarget = targets.get(id);
      if (existingTarget !== undefined) {
        existingTarget.isAmbiguous = true;
      }
      const target = existingTarget ?? { start: reader.offset, end: reader.end, prefixes: scope, isAmbiguous: false };
      targets.set(id, target);
      if (existingTarget === undefined) {
        unclosedTargets.push({ depth, target });
      }
    } else if (event === END && unclosedTargets.at(-1)?.depth === depth) {
      const closedElement = unclosedTargets.pop();
      if (closedElement !== undefined) {
        closedElement.target.end = reader.end;
      }
    }
  }
  return targets;
}

/**
 * Returns the prefixes in scope at the current element. Prefixes of the outer scope are looked up there, and not
 * copied.
 */
function getScopeAt(reader: XmlReader, outerScope: PrefixLookup | undefined): PrefixLookup {
  const prefixes = reader.declaredPrefixes();
  if (prefixes.length === 0 && outerScope !== undefined) {
    return outerScope;
  }
  const ownPrefixes = new Map(prefixes.map((prefix) => [prefix, reader.resolve(prefix)]));
  return { get: (prefix) => ownPrefixes.get(prefix) ?? outerScope?.get(prefix) };
}

/** Returns the `id` for references to an element (SOAP 1.1 §5.4.1, 1.2 part 2 §3.1.5.2). */
function findId({ attributes }: XmlReader): string | undefined {
  const { soap12 } = encodingNamespaces;
  return attributes.find(({ localName, namespace }) => localName === "id" && (namespace === "" || namespace === soap12))
    ?.value;
}

/** Whether a type declares an attribute with this name and without a namespace. */
function declaresAttribute(type: DecodeType, attribute: string): boolean {
  if (type.kind === "record") {
    return type.table.attributes.some(({ localName }) => localName === attribute);
  }
  return type.kind === "other" && type.declares?.(attribute) === true;
}
