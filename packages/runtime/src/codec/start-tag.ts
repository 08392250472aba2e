import { clark, escapeAttribute, isNCName, splitClark } from "@bothends/xml";
import type { TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import type { Tag } from "./encode-tables.js";
import { clarkOf, instanceNamespace, schemaNamespace, type WireName, xmlNamespace, xmlnsNamespace } from "./names.js";

/** What the values of one element need declared on its tag. */
interface Declared {
  readonly declarations: string;
  /** A value names something in no namespace, so that no default namespace may be in scope. */
  readonly noDefault: boolean;
}

const known = new Map([
  [instanceNamespace, "xsi"],
  [schemaNamespace, "xsd"],
  [xmlNamespace, "xml"],
]);

/** Hands out prefixes for the tag that is being written. */
export class Prefixes implements TextContext {
  /** Something must be declared: asked after each value, so a plain property. */
  used = false;
  #namespaces: string[] = [];
  /** A value names something in no namespace: no default namespace may be in scope. */
  noDefault = false;

  /** Who asks for the default namespace while writing wants there to be none: a QName in no namespace. */
  resolve(prefix: string): string | undefined {
    if (prefix !== "") return undefined;
    this.noDefault = true;
    this.used = true;
    return "";
  }

  prefixFor(namespace: string): string {
    const fixed = known.get(namespace);
    if (fixed !== undefined) return fixed;
    if (namespace === xmlnsNamespace) throw new LexicalError("Nothing can be named in the namespace of declarations.");
    let index = this.#namespaces.indexOf(namespace);
    if (index < 0) {
      index = this.#namespaces.push(namespace) - 1;
      this.used = true;
    }
    return `q${index + 1}`;
  }

  /** A name in Clark notation as an attribute value or text that is a QName. */
  qname(name: string): string {
    const { namespace, localName } = splitClark(name);
    if (!isNCName(localName)) throw new LexicalError("A name must be an XML name in Clark notation.");
    if (namespace !== "") return `${this.prefixFor(namespace)}:${localName}`;
    this.resolve("");
    return localName;
  }

  /** The name of an attribute: it needs no prefix when it is in no namespace. */
  attributeName(namespace: string, local: string): string {
    return namespace === "" ? local : `${this.prefixFor(namespace)}:${local}`;
  }

  /** What was asked for since the last time, to be declared on one tag. */
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

/** Takes apart the name of an element or attribute that a value gives in Clark notation. */
export function splitName(name: unknown): { readonly namespace: string; readonly local: string } {
  if (typeof name !== "string") throw new LexicalError("A name must be text in Clark notation.");
  const { namespace, localName } = splitClark(name);
  if (!isNCName(localName) || clark(namespace, localName) !== name) {
    throw new LexicalError("A name must be an XML name in Clark notation.");
  }
  if (namespace === xmlnsNamespace || (namespace === "" && localName === "xmlns")) {
    throw new LexicalError("A namespace declaration is no element or attribute.");
  }
  return { namespace, local: localName };
}

/** What writing an element needs of the encoder: prefixes, escaped text, and the depth of the value. */
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

/** A start tag that is still open for its `>`. */
interface OpenedTag {
  readonly start: string;
  readonly close: string;
  /** No default namespace is in scope inside. */
  readonly noDefault: boolean;
}

/** What stands in a start tag beside its name. */
interface TagContent {
  /** Attributes, already written, so that all prefixes they need are known. */
  readonly attributes: string;
  readonly typeName: WireName | undefined;
}

/** Opens an element that needs more than its prepared tag: attributes, `xsi:type`, declarations for what its values name. */
export function openTag(prefixes: Prefixes, tag: Tag, { attributes, typeName }: TagContent): OpenedTag {
  const { namespace, local } = tag.name;
  const type = typeName === undefined ? "" : ` xsi:type="${typeText(prefixes, tag, typeName)}"`;
  if (!prefixes.used) return { start: tag.start + type + attributes + tag.scope, close: tag.close, noDefault: false };
  const { declarations, noDefault } = prefixes.take();
  if (!noDefault || namespace === "") {
    return { start: tag.start + type + attributes + declarations + tag.scope, close: tag.close, noDefault };
  }
  const bound = `${declarations} xmlns:e="${escapeAttribute(namespace)}" xmlns=""`;
  const start = `<e:${local}${tag.start.slice(local.length + 1)}${type}${attributes}${bound}`;
  return { start, close: `</e:${local}>`, noDefault };
}

/** Without a prefix where the default namespace will do. */
function typeText(prefixes: Prefixes, tag: Tag, typeName: WireName): string {
  if (typeName.namespace === tag.name.namespace && !prefixes.noDefault) return typeName.local;
  return prefixes.qname(clarkOf(typeName));
}
