import type { ContentReader, IdentityDescriptor } from "../descriptor.js";
import type { EncodingRules } from "./decode-element.js";
import type { TolerantReader } from "./decode-table.js";
import type { DeclaredTypes } from "./encode-table.js";
import type { AnyReference } from "./types.js";

/** The elements that a schema declares. */
export interface DeclaredElements {
  /** The declaration of an element by its name in Clark notation; undefined if it is not known. */
  find(name: string): DeclaredElement | undefined;
  /** Whether these are all: a strict wildcard then refuses others. Default `false`. */
  readonly complete?: boolean | undefined;
}

export interface DeclaredElement extends DecodeElementOptions {
  readonly type: AnyReference;
}

/** Options for encoding and decoding messages. */
export interface CodecOptions {
  /** The real namespace for a namespace of the schema. */
  readonly namespaces?: ReadonlyMap<string, string> | undefined;
  /** The real local name for an element of the schema, by its name in Clark notation. */
  readonly elements?: ReadonlyMap<string, string> | undefined;
  /** Encoding: what to do with a character that XML cannot carry. `replace` writes U+FFFD. Default `refuse`. */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /** Encoding: escapes texts, as `escapeText` of the XML package does, which is the default. */
  readonly escapeText?: ((text: string) => string) | undefined;
  /** Decoding: `xs.inOrder` refuses what a validator would refuse. */
  readonly strict?: ContentReader | undefined;
  /** Decoding: what to do with elements and attributes that the schema does not declare. Default `ignore`. */
  readonly unknown?: "ignore" | "error" | undefined;
  /**
   * Decoding: what to do with data that would be lost: a required text that is nil, another value than the fixed value, a
   * record whose elements are all in another namespace. Default `ignore`.
   */
  readonly loss?: "ignore" | "error" | undefined;
  /** Decoding: the differences from the schema that are accepted. */
  readonly tolerant?: TolerantReader | undefined;
  /** Decoding: what to do with a second occurrence of a single element. Default `first`. */
  readonly repeated?: "first" | "error" | undefined;
  /**
   * Decoding: the elements by which the content of wildcards is checked, unless their `processContents` is `skip` (XSD 1.0 Part 1
   * §3.10.1). Default: it is not checked.
   */
  readonly declared?: DeclaredElements | undefined;
  /** Decoding: whether to check the identity constraints that elements have. Default `false`. */
  readonly identity?: boolean | undefined;
}

/** The context in which an element is written. */
export interface EncodeElementOptions {
  readonly nillable?: boolean | undefined;
  /** The value of an empty element. */
  readonly default?: string | undefined;
  /** The only value that the element may have. */
  readonly fixed?: string | undefined;
  /** SOAP encoding (SOAP 1.1 §5): every value inside has an `xsi:type`. */
  readonly declaredTypes?: DeclaredTypes | undefined;
  /** Whether the element has an `xsi:type`. An rpc wrapper has none, because it is not a value (WSDL 1.1 §3.5). */
  readonly declaresType?: boolean | undefined;
  /** The path of the element's parent, for errors. */
  readonly path?: string | undefined;
  /** Namespace declarations for the element's tag, as text: ` xmlns:xsi="…"`. */
  readonly declarations?: string | undefined;
}

/** The context in which an element is read. */
export interface DecodeElementOptions {
  readonly nillable?: boolean | undefined;
  /** The value of an empty element. */
  readonly default?: string | undefined;
  /** The only value that the element may have. */
  readonly fixed?: string | undefined;
  /** The element's identity constraints. */
  readonly identity?: IdentityDescriptor | undefined;
  /** Present for SOAP encoding. */
  readonly encoding?: EncodingRules | undefined;
  /** The path of the element's parent, for errors. */
  readonly path?: string | undefined;
}
