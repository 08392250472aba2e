/** The limits on one document. A limit of 0 allows nothing; it does not mean unlimited. */
export interface XmlLimits {
  /** The maximum nesting depth of elements. */
  readonly depth: number;
  /** The maximum number of attributes of one element, not counting namespace declarations. */
  readonly attributes: number;
  /** The maximum number of namespace declarations of one element. */
  readonly namespaces: number;
  /** The maximum length of one attribute value as written, in UTF-16 units. */
  readonly attributeChars: number;
  /**
   * The maximum length of one namespace name, in UTF-16 units. Documents use a namespace in many names through a short
   * prefix, but programs receive each of these names with its namespace.
   */
  readonly namespaceChars: number;
  /** The maximum number of child elements of one element. */
  readonly children: number;
  /** The maximum number of elements, attributes, namespace declarations and text nodes in the document. */
  readonly nodes: number;
  /** The maximum length of one text node, in UTF-16 units. */
  readonly textChars: number;
  /** The maximum length of one name with its prefix, in UTF-16 units. */
  readonly nameChars: number;
  /** The maximum number of comments and processing instructions in the document. */
  readonly comments: number;
}

/** The default limits for messages from clients and servers. */
export const messageLimits: XmlLimits = {
  depth: 64,
  attributes: 64,
  namespaces: 64,
  attributeChars: 65_536,
  namespaceChars: 1_024,
  children: 50_000,
  nodes: 200_000,
  textChars: 4_194_304,
  nameChars: 256,
  comments: 10_000,
};

/**
 * The default limits for schemas, which are deeper and larger than messages. Written without a spread, because bundlers
 * cannot remove an unused spread.
 */
export const schemaLimits: XmlLimits = {
  depth: 256,
  attributes: 256,
  namespaces: 256,
  attributeChars: 65_536,
  namespaceChars: 1_024,
  children: 50_000,
  nodes: 2_000_000,
  textChars: 4_194_304,
  nameChars: 256,
  comments: 100_000,
};

/** The limits on references between elements of one document, as SOAP encoding writes them. */
export interface ReferenceLimits {
  /** The maximum number of references that are followed, including those inside referenced elements. */
  readonly references: number;
  /**
   * The maximum total size of the referenced elements in UTF-16 units. An element counts once for each reference to it.
   */
  readonly referencedChars: number;
}

/** The default limits on references, for messages from clients and servers. */
export const referenceLimits: ReferenceLimits = { references: 50_000, referencedChars: 4_194_304 };
