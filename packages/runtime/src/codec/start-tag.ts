import { clark } from "@bothends/xml/clark-names";
import { escapeAttribute } from "@bothends/xml/escape";
import { isNCName, xmlNamespace, xmlnsNamespace } from "@bothends/xml/name-characters";
import { splitClark } from "@bothends/xml/split-clark";
import type { TextContext } from "../descriptor.js";
import { instanceNamespace, type NamesOnWire, schemaNamespace, type WireName } from "./resolved-types.js";
import { SchemaMismatch } from "./schema-mismatch.js";
import { createTag, type Tag } from "./tags.js";

/**
 * Creates the tags of an element. `defaultNamespace` is the default namespace where the element appears. Throws for
 * characters that XML forbids.
 */
export function getTag(name: WireName, defaultNamespace: string, declarations = ""): Tag {
  return createTag(name, { defaultNamespace, declarations, escapeAttribute });
}

/** The namespaces that the start tag of an element must declare for its attributes and its text. */
interface NeededDeclarations {
  readonly declarations: string;
  /** Whether a value contains a name in no namespace. If so, no default namespace may be in scope. */
  readonly forbidsDefault: boolean;
}

const predefinedPrefixes = new Map([
  [instanceNamespace, "xsi"],
  [schemaNamespace, "xsd"],
  [xmlNamespace, "xml"],
]);

/** Assigns the prefixes of one start tag while it is written. */
export class Prefixes implements TextContext {
  /**
   * Whether the start tag must declare a namespace. This is a property rather than a getter, because it is read after
   * each value.
   */
  needsDeclaration = false;
  #namespaces: string[] = [];
  /** Whether a value contains a name in no namespace. If so, no default namespace may be in scope. */
  forbidsDefault = false;

  /** Called only with the prefix "", for a QName in no namespace. No default namespace may then be in scope. */
  resolve(prefix: string): string | undefined {
    if (prefix !== "") {
      return undefined;
    }
    this.forbidsDefault = true;
    this.needsDeclaration = true;
    return "";
  }

  prefixFor(namespace: string): string {
    const predefinedPrefix = predefinedPrefixes.get(namespace);
    if (predefinedPrefix !== undefined) {
      return predefinedPrefix;
    }
    if (namespace === xmlnsNamespace) {
      throw new SchemaMismatch("A name must not be in the namespace that is reserved for namespace declarations.");
    }
    let index = this.#namespaces.indexOf(namespace);
    if (index < 0) {
      index = this.#namespaces.push(namespace) - 1;
      this.needsDeclaration = true;
    }
    return `q${index + 1}`;
  }

  /** Writes a name in Clark notation as a QName, for text or an attribute value. */
  qname(name: string): string {
    const { namespace, localName } = splitClark(name);
    if (!isNCName(localName)) {
      throw new SchemaMismatch("A name must be an XML name in Clark notation.");
    }
    if (namespace !== "") {
      return `${this.prefixFor(namespace)}:${localName}`;
    }
    this.resolve("");
    return localName;
  }

  /** Writes an attribute's name; a name in no namespace has no prefix. */
  formatAttributeName(namespace: string, localName: string): string {
    return namespace === "" ? localName : `${this.prefixFor(namespace)}:${localName}`;
  }

  /** Returns and clears the declarations needed since the last call, for one tag. */
  takeDeclarations(): NeededDeclarations {
    let declarations = "";
    this.#namespaces.forEach((namespace, index) => {
      declarations += ` xmlns:q${index + 1}="${escapeAttribute(namespace)}"`;
    });
    const neededDeclarations = { declarations, forbidsDefault: this.forbidsDefault };
    this.#namespaces = [];
    this.forbidsDefault = false;
    this.needsDeclaration = false;
    return neededDeclarations;
  }
}

/** A start tag without its `>`. */
interface OpenedTag {
  readonly start: string;
  readonly close: string;
  /** Whether no default namespace is in scope inside the element. */
  readonly hasNoDefault: boolean;
}

/** The content of a start tag after its name. */
interface TagContent {
  /** The text of the attributes, after all needed prefixes have been assigned. */
  readonly attributes: string;
  readonly typeName: WireName | undefined;
}

/**
 * Opens an element that has attributes, `xsi:type` or namespace declarations in addition to those in the prepared tag.
 */
export function openTag(prefixes: Prefixes, tag: Tag, { attributes, typeName }: TagContent): OpenedTag {
  const { namespace, localName } = tag.name;
  const type = typeName === undefined ? "" : ` xsi:type="${formatType(prefixes, tag, typeName)}"`;
  if (!prefixes.needsDeclaration) {
    return { start: tag.start + type + attributes + tag.xmlns, close: tag.close, hasNoDefault: false };
  }
  const { declarations, forbidsDefault } = prefixes.takeDeclarations();
  if (!forbidsDefault || namespace === "") {
    return {
      start: tag.start + type + attributes + declarations + tag.xmlns,
      close: tag.close,
      hasNoDefault: forbidsDefault,
    };
  }
  const namespaceDeclarations = `${declarations} xmlns:e="${escapeAttribute(namespace)}" xmlns=""`;
  const start = `<e:${localName}${tag.start.slice(localName.length + 1)}${type}${attributes}${namespaceDeclarations}`;
  return { start, close: `</e:${localName}>`, hasNoDefault: forbidsDefault };
}

/** Writes the value of `xsi:type`, without a prefix if the type is in the default namespace. */
function formatType(prefixes: Prefixes, tag: Tag, typeName: WireName): string {
  if (typeName.namespace === tag.name.namespace && !prefixes.forbidsDefault) {
    return typeName.localName;
  }
  return prefixes.qname(formatClarkName(typeName));
}

/** Returns the name of a type on the wire, in Clark notation. */
export function getTypeOnWire(name: string, names: NamesOnWire): string {
  const { namespace, localName } = splitClark(name);
  return clark(names.namespace(namespace), localName);
}

/** Writes a name on the wire in Clark notation. */
export function formatClarkName({ namespace, localName }: WireName): string {
  return clark(namespace, localName);
}
