/** Limits on SOAP encoding references in one message, for clients and servers. */
export interface ReferenceLimits {
  /** The number of references that are followed, including those inside referenced elements. */
  readonly references: number;
  /** The total size of the referenced elements in UTF-16 units, counted once for each reference. */
  readonly referencedChars: number;
}

export const referenceLimits: ReferenceLimits = { references: 50_000, referencedChars: 4_194_304 };
