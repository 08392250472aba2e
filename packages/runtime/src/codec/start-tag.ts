import { clark, escapeAttribute, isNCName, splitClark } from "@bothends/xml";
import type { TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import type { Tag } from "./encode-tables.js";
import { clarkOf, instanceNamespace, schemaNamespace, type WireName, xmlNamespace, xmlnsNamespace } from "./names.js";

/** The namespaces that the values of one element need declared on its tag. */
interface Declared {
  readonly declarations: string;
  /** A value contains a name in no namespace, so no default namespace may be in scope. */
  readonly noDefault: boolean;
}

const known = new Map([
  [instanceNamespace, "xsi"],
  [schemaNamespace, "xsd"],
  [xmlNamespace, "xml"],
]);

/** Assigns prefixes for the tag that is being written. */
export class Prefixes implements TextContext {
  /** Whether a declaration is needed. A plain property, because it is read after each value. */
  used = false;
  #namespaces: string[] = [];
  /** A value contains a name in no namespace, so no default namespace may be in scope. */
  noDefault = false;

  /** A lookup of the default namespace while writing is for a QName in no namespace, so no default may be declared. */
  resolve(prefix: string): string | undefined {
    if (prefix !== "") {
      return undefined;
    }
    this.noDefault = true;
    this.used = true;
    return "";
  }

  prefixFor(namespace: string): string {
    const fixed = known.get(namespace);
    if (fixed !== undefined) {
      return fixed;
    }
    if (namespace === xmlnsNamespace) {
      throw new LexicalError("A name must not be in the namespace of namespace declarations.");
    }
    let index = this.#namespaces.indexOf(namespace);
    if (index < 0) {
      index = this.#namespaces.push(namespace) - 1;
      this.used = true;
    }
    return `q${index + 1}`;
  }

  /** Writes a name in Clark notation as a QName, for text or an attribute value. */
  qname(name: string): string {
    const { namespace, localName } = splitClark(name);
    if (!isNCName(localName)) {
      throw new LexicalError("A name must be an XML name in Clark notation.");
    }
    if (namespace !== "") {
      return `${this.prefixFor(namespace)}:${localName}`;
    }
    this.resolve("");
    return localName;
  }

  /** Writes the name of an attribute; a name in no namespace has no prefix. */
  attributeName(namespace: string, local: string): string {
    return namespace === "" ? local : `${this.prefixFor(namespace)}:${local}`;
  }

  /** Returns the declarations needed since the last call, for one tag. */
  take(): Declared {
    let declarations = "";
    this.#namespaces.forEach((namespace, index) => {
      declarations += ` xmlns:q${index + 1}="${escapeAttribute(namespace)}"`;
    });
    const taken = { declarations, noDefault: this.noDefault };
    this.#namespaces = [];
    this.noDefault = false;
    this.used = false;
    return taken;
  }
}

/** Splits the name of an element or attribute in Clark notation. */
export function splitName(name: unknown): { readonly namespace: string; readonly local: string } {
  if (typeof name !== "string") {
    throw new LexicalError("A name must be a string in Clark notation.");
  }
  const { namespace, localName } = splitClark(name);
  if (!isNCName(localName) || clark(namespace, localName) !== name) {
    throw new LexicalError("A name must be an XML name in Clark notation.");
  }
  if (namespace === xmlnsNamespace || (namespace === "" && localName === "xmlns")) {
    throw new LexicalError("The name of an element or attribute must not be a namespace declaration.");
  }
  return { namespace, local: localName };
}

/** The parts of the encoder that write an element: prefixes, escaping, and the depth of the value. */
export interface ElementOutput {
  readonly prefixes: Prefixes;
  /** Counts a level of nesting. Throws if there are too many. */
  enter(): void;
  leave(): void;
  /** Escapes the text of an element. */
  text(text: string): string;
  /** Escapes the value of an attribute. */
  attribute(text: string): string;
}

/** A start tag without its `>`. */
interface OpenedTag {
  readonly start: string;
  readonly close: string;
  /** Whether no default namespace is in scope inside the element. */
  readonly noDefault: boolean;
}

/** The contents of a start tag after its name. */
interface TagContent {
  /** The text of the attributes; all prefixes that they need are assigned. */
  readonly attributes: string;
  readonly typeName: WireName | undefined;
}

/** Opens an element with attributes, `xsi:type` or namespace declarations, for which the prepared tag is not enough. */
export function openTag(prefixes: Prefixes, tag: Tag, { attributes, typeName }: TagContent): OpenedTag {
  const { namespace, local } = tag.name;
  const type = typeName === undefined ? "" : ` xsi:type="${typeText(prefixes, tag, typeName)}"`;
  if (!prefixes.used) {
    return { start: tag.start + type + attributes + tag.scope, close: tag.close, noDefault: false };
  }
  const { declarations, noDefault } = prefixes.take();
  if (!noDefault || namespace === "") {
    return { start: tag.start + type + attributes + declarations + tag.scope, close: tag.close, noDefault };
  }
  const bound = `${declarations} xmlns:e="${escapeAttribute(namespace)}" xmlns=""`;
  const start = `<e:${local}${tag.start.slice(local.length + 1)}${type}${attributes}${bound}`;
  return { start, close: `</e:${local}>`, noDefault };
}

/** Writes a name without a prefix if it is in the default namespace. */
function typeText(prefixes: Prefixes, tag: Tag, typeName: WireName): string {
  if (typeName.namespace === tag.name.namespace && !prefixes.noDefault) {
    return typeName.local;
  }
  return prefixes.qname(clarkOf(typeName));
}
