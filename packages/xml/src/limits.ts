/** What one document may cost. Everything counts; 0 means zero. */
export interface XmlLimits {
  /** Elements inside each other. */
  readonly depth: number;
  /** Attributes of one element, namespace declarations not among them. */
  readonly attributes: number;
  /** Namespace declarations of one element. */
  readonly namespaces: number;
  /** UTF-16 units of one attribute's value, as written. */
  readonly attributeChars: number;
  /** Child elements of one element. */
  readonly children: number;
  /** Elements, attributes, namespace declarations and texts of the document. */
  readonly nodes: number;
  /** UTF-16 units of one text. */
  readonly textChars: number;
  /** UTF-16 units of one name, with its prefix. */
  readonly name: number;
  /** Comments and processing instructions of the document. */
  readonly comments: number;
}

/** For what arrives from a peer at run time. */
export const messageLimits: XmlLimits = {
  depth: 64,
  attributes: 64,
  namespaces: 64,
  attributeChars: 65_536,
  children: 50_000,
  nodes: 200_000,
  textChars: 4_194_304,
  name: 256,
  comments: 10_000,
};

/** For schemas: deeper and larger than messages. */
export const schemaLimits: XmlLimits = {
  ...messageLimits,
  depth: 256,
  attributes: 256,
  namespaces: 256,
  nodes: 2_000_000,
  comments: 100_000,
};
