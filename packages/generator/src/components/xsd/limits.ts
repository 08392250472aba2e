/** How large the schema may be. 0 means zero; `--limit name=value` sets one. */
export interface SchemaLimits {
  /** Types, anonymous ones too. */
  readonly types: number;
  /** Enumeration values of one type. */
  readonly enumValues: number;
  /** Member types of one union, unions in unions written out. */
  readonly members: number;
  /** Types on one chain of derivation, elements on one of substitution, groups on one of references. */
  readonly inheritance: number;
  /** Particles of all types together, references to groups and inherited content written out. */
  readonly particles: number;
}

export const schemaLimits: SchemaLimits = {
  types: 20_000,
  enumValues: 20_000,
  members: 1_000,
  inheritance: 64,
  particles: 500_000,
};
