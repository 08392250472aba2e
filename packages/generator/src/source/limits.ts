import { schemaLimits, type XmlLimits } from "@bothends/xml";

/** How much the sources may be. 0 means zero; `--limit name=value` sets one. */
export interface SourceLimits extends XmlLimits {
  /** Of one file. */
  readonly fileBytes: number;
  /** Of all files together. */
  readonly inputBytes: number;
  readonly inputFiles: number;
  /** Files on one chain of imports, from the first on. */
  readonly imports: number;
  /** Objects and lists inside each other in a JSON document. */
  readonly jsonDepth: number;
  /** Members of all objects of a JSON document. */
  readonly jsonKeys: number;
  /** Items of all lists of a JSON document. */
  readonly jsonItems: number;
  /** Operations of all services of an interface, or endpoints of an index. */
  readonly operations: number;
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

const mebibyte = 1024 * 1024;

export const sourceLimits: SourceLimits = {
  ...schemaLimits,
  fileBytes: 16 * mebibyte,
  inputBytes: 64 * mebibyte,
  inputFiles: 256,
  imports: 32,
  jsonDepth: 64,
  jsonKeys: 50_000,
  jsonItems: 100_000,
  operations: 5_000,
  types: 20_000,
  enumValues: 20_000,
  members: 1_000,
  inheritance: 64,
  particles: 500_000,
};

/** The way out of a limit, for the help of a diagnostic. */
export function limitHelp<Name extends keyof SourceLimits>(name: Name, limits: Pick<SourceLimits, Name>): string {
  return `The limit ${name} is ${limits[name]}; --limit ${name}=<number> sets another.`;
}
