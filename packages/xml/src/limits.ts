/** The limits on one document. 0 means zero. */
export interface XmlLimits {
  /** The nesting depth of elements. */
  readonly depth: number;
  /** Attributes of one element, without namespace declarations. */
  readonly attributes: number;
  /** Namespace declarations of one element. */
  readonly namespaces: number;
  /** UTF-16 units of one attribute value, as written. */
  readonly attributeChars: number;
  /** Child elements of one element. */
  readonly children: number;
  /** Elements, attributes, namespace declarations and texts of the document. */
  readonly nodes: number;
  /** UTF-16 units of one text. */
  readonly textChars: number;
  /** UTF-16 units of one name, including its prefix. */
  readonly nameChars: number;
  /** Comments and processing instructions of the document. */
  readonly comments: number;
}

/** The limits for messages from peers. */
export const messageLimits: XmlLimits = {
  depth: 64,
  attributes: 64,
  namespaces: 64,
  attributeChars: 65_536,
  children: 50_000,
  nodes: 200_000,
  textChars: 4_194_304,
  nameChars: 256,
  comments: 10_000,
};

/** The limits for schemas, which are deeper and larger than messages. */
export const schemaLimits: XmlLimits = {
  ...messageLimits,
  depth: 256,
  attributes: 256,
  namespaces: 256,
  nodes: 2_000_000,
  comments: 100_000,
};
