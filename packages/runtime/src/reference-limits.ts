// This module imports nothing: all clients and servers have these limits, but only services with SOAP encoding load its codec.

/** The limits of SOAP encoding references in one message, for clients and servers. */
export interface ReferenceLimits {
  /** The maximum number of references that are followed, including those inside referenced elements. */
  readonly references: number;
  /** The maximum total size of the referenced elements in UTF-16 units. An element counts once for each reference to it. */
  readonly referencedChars: number;
}

/** The default limits of SOAP encoding references. */
export const referenceLimits: ReferenceLimits = { references: 50_000, referencedChars: 4_194_304 };
