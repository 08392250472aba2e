import { type PatternLimits, patternLimits } from "@bothends/datatypes/pattern";
import { schemaLimits, type XmlLimits } from "@bothends/xml";

/** How much the sources may be, and what is made of them. 0 means zero; `limits` in bothends.json or `--limit name=value` sets one. */
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
  /** Places of one name in one type, beside each other. */
  readonly places: number;
  /** Characters of one pattern, or of one route. */
  readonly patternChars: number;
  /** States of one pattern's automaton. */
  readonly patternStates: number;
  /** Characters of one description; what is longer ends in `…`. */
  readonly descriptionChars: number;
  /** Characters of the path of a generated file. */
  readonly pathChars: number;
  /** Characters of one step of such a path. */
  readonly pathSegment: number;
  /** Generated files. */
  readonly outputFiles: number;
  /** Of all generated files together. */
  readonly outputBytes: number;
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
  places: 1_000,
  patternChars: 4_096,
  patternStates: 10_000,
  descriptionChars: 10_000,
  pathChars: 200,
  pathSegment: 100,
  outputFiles: 10_000,
  outputBytes: 200 * mebibyte,
};

/** Whether there is a limit of the name. */
export function isLimit(name: string): name is keyof SourceLimits {
  return Object.hasOwn(sourceLimits, name);
}

/** What patterns of the sources may be. */
export function readPatternLimits({ patternChars, patternStates }: Omit<PatternLimits, "patternDepth">): PatternLimits {
  return { ...patternLimits, patternChars, patternStates };
}

/** A description of a length that people read; a source may hold whole pages. */
export function shortenDescription(text: string | undefined, descriptionChars: number): string | undefined {
  return text !== undefined && text.length > descriptionChars
    ? `${text.slice(0, descriptionChars)}…`
    : text || undefined;
}

/** The way out of a limit, for the help of a diagnostic. */
export function limitHelp<Name extends keyof SourceLimits>(name: Name, limits: Pick<SourceLimits, Name>): string {
  return `The limit ${name} is ${limits[name]}. Raise it with --limit ${name}=<number>.`;
}
