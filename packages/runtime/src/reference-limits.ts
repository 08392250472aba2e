/** Limits of the references of SOAP encoding in one message, on both ends. */
export interface ReferenceLimits {
  /** References that are followed, those inside referenced elements included. */
  readonly references: number;
  /** UTF-16 units of the referenced elements together, counted for each reference. */
  readonly referencedChars: number;
}

export const referenceLimits: ReferenceLimits = { references: 50_000, referencedChars: 4_194_304 };
