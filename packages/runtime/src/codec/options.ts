import type { ContentReader } from "../descriptor.js";
import type { ReferenceReader } from "./decode-element.js";
import type { EncodingVersion } from "./soap-encoding.js";

/** What a caller may choose about messages. */
export interface CodecOptions {
  /** The real namespace for a namespace of the schema. */
  readonly namespaces?: ReadonlyMap<string, string> | undefined;
  /** The real local name for an element of the schema, by its name in Clark notation. */
  readonly elements?: ReadonlyMap<string, string> | undefined;
  /** Encoding: what to do with a character that XML cannot carry. `replace` writes U+FFFD. Default `refuse`. */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /** Decoding: `xs.inOrder` to refuse whatever a validator would. */
  readonly strict?: ContentReader | undefined;
  /** Decoding: what to do with elements and attributes that the schema does not have. Default `ignore`. */
  readonly unknown?: "ignore" | "error" | undefined;
  /** Decoding: what to do with an element that stands there again, though the schema has it once. Default `first`. */
  readonly repeated?: "first" | "error" | undefined;
}

/** What is known of the place where an element is written. */
export interface EncodeElementOptions {
  readonly nillable?: boolean | undefined;
  /** What an empty element stands for. */
  readonly default?: string | undefined;
  /** The one value that the element may have. */
  readonly fixed?: string | undefined;
  /** SOAP encoding (SOAP 1.1 §5): every value inside says its type. */
  readonly encoded?: EncodingVersion | undefined;
  /** The element says its type as well; an rpc wrapper is a name and no value (WSDL 1.1 §3.5). */
  readonly typed?: boolean | undefined;
  /** The path of the element's parent, for errors. */
  readonly path?: string | undefined;
  /** Namespace declarations for the element's tag, as text: ` xmlns:xsi="…"`. */
  readonly declarations?: string | undefined;
}

/** What is known of the place where an element is read. */
export interface DecodeElementOptions {
  readonly nillable?: boolean | undefined;
  /** What an empty element stands for. */
  readonly default?: string | undefined;
  /** The one value that the element may have. */
  readonly fixed?: string | undefined;
  /** SOAP encoding: attributes that belong to it are none of the value's. */
  readonly encoded?: boolean | undefined;
  /** SOAP encoding: what references may refer to. Absent: they are refused. */
  readonly references?: ReferenceReader | undefined;
  /** The path of the element's parent, for errors. */
  readonly path?: string | undefined;
}
