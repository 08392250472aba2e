import type { ContentReader, IdentityDescriptor } from "../descriptor.js";
import type { EncodingRules } from "./decode-element.js";
import type { TolerantReader } from "./decode-table.js";
import type { OnIgnored } from "./element-attributes.js";
import type { DeclaredTypes } from "./encode-table.js";
import type { AnyReference } from "./resolved-types.js";

/** The elements that a schema declares. */
export interface DeclaredElements {
  /** Returns the declaration of an element, given its name in Clark notation; undefined if there is none. */
  find(name: string): DeclaredElement | undefined;
  /**
   * Whether these declarations include every element of the schema. If so, a strict wildcard refuses other elements.
   * Default `false`.
   */
  readonly complete?: boolean | undefined;
}

/** The declaration of an element: its type, its default, and whether it is nillable. */
export interface DeclaredElement extends DecodeElementOptions {
  readonly type: AnyReference;
}

/** Options for encoding and decoding messages. */
export interface CodecOptions {
  /** The namespaces on the wire, keyed by the namespaces in the schema. Default: the namespaces in the schema. */
  readonly namespaces?: ReadonlyMap<string, string> | undefined;
  /** The local names of elements on the wire, keyed by the elements' names in the schema, in Clark notation. */
  readonly elements?: ReadonlyMap<string, string> | undefined;
  /** Encoding: how to treat a character that XML cannot contain. `replace` writes U+FFFD. Default `refuse`. */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /** Encoding: escapes text. Default: `escapeText` of the XML package. */
  readonly escapeText?: ((text: string) => string) | undefined;
  /** Decoding: with `xs.inOrder`, refuses all documents that a validator would refuse. */
  readonly strict?: ContentReader | undefined;
  /** Decoding: how to treat elements and attributes that the schema does not declare. Default `ignore`. */
  readonly unknown?: "ignore" | "error" | undefined;
  /**
   * Decoding: how to treat a document if decoding would lose data, because a required text is nil, a value differs from
   * the fixed value, or the elements of a record are all in another namespace. Default `ignore`.
   */
  readonly loss?: "ignore" | "error" | undefined;
  /**
   * Decoding: how to treat a type in `xsi:type` that is not a type of the schema for the element, if the element's type
   * has derived types. `ignore` reads the element as its declared type. Default `ignore`.
   */
  readonly unknownTypes?: "ignore" | "error" | undefined;
  /** Decoding: called for each element that is ignored. */
  readonly onIgnored?: OnIgnored | undefined;
  /** Decoding: the tolerated differences from the schema. */
  readonly tolerant?: TolerantReader | undefined;
  /** Decoding: how to treat a second occurrence of an element that may occur only once. Default `first`. */
  readonly repeated?: "first" | "error" | undefined;
  /**
   * Decoding: the element declarations for checking wildcard content, unless the wildcard's `processContents` is `skip`
   * (XSD 1.0 Part 1 §3.10.1). Default: wildcard content is not checked.
   */
  readonly declared?: DeclaredElements | undefined;
  /** Decoding: whether to check the identity constraints of elements. Default `false`. */
  readonly identity?: boolean | undefined;
}

/** Options for writing one element: its declaration and its context. */
export interface EncodeElementOptions {
  readonly nillable?: boolean | undefined;
  /** The default of the element: the value that the element has if it is empty. */
  readonly default?: string | undefined;
  /** The only value that the element may have. */
  readonly fixed?: string | undefined;
  /** The types for SOAP encoding (SOAP 1.1 §5), in which every value has an `xsi:type`. Absent for literal values. */
  readonly declaredTypes?: DeclaredTypes | undefined;
  /**
   * Whether the element has an `xsi:type`. An rpc wrapper has no `xsi:type`, because it is not a value (WSDL 1.1 §3.5).
   */
  readonly declaresType?: boolean | undefined;
  /** The path of the element's parent, for errors. */
  readonly path?: string | undefined;
  /** Namespace declarations for the element's tag, as text: ` xmlns:xsi="…"`. */
  readonly declarations?: string | undefined;
  /**
   * Indents the content of wildcards, mixed content and values of rare kinds. If present, the element is written with
   * indentation.
   */
  readonly indent?: IndentElements | undefined;
}

/**
 * Writes a line break and spaces before each element, and before the end tags of elements that contain only elements.
 * `lineBreak` is the line break before the outermost elements. Returns undefined if there is text between the outermost
 * elements.
 */
export type IndentElements = (xml: string, lineBreak: string) => string | undefined;

/** Options for reading one element: its declaration and its context. */
export interface DecodeElementOptions {
  readonly nillable?: boolean | undefined;
  /** The default of the element: the value that the element has if it is empty. */
  readonly default?: string | undefined;
  /** The only value that the element may have. */
  readonly fixed?: string | undefined;
  /** The identity constraints of the element. */
  readonly identity?: IdentityDescriptor | undefined;
  /** The rules of SOAP encoding; absent for literal values. */
  readonly encoding?: EncodingRules | undefined;
  /** The path of the element's parent, for errors. */
  readonly path?: string | undefined;
}
