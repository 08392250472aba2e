import { type PatternLimits, patternLimits } from "@bothends/datatypes/pattern";
import { schemaLimits, type XmlLimits } from "@bothends/xml";

// The limits of sources, and a budget for steps that share one limit.

/**
 * Limits of sources and generated files, set by `limits` in bothends.json or `--limit name=value`. 0 means zero, not unlimited.
 */
export interface SourceLimits extends XmlLimits {
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files in total. */
  readonly inputBytes: number;
  readonly inputFiles: number;
  /** Files in one chain of imports, including the first. */
  readonly imports: number;
  /** Nesting depth of objects and lists in a JSON document. */
  readonly jsonDepth: number;
  /** Members of all objects of a JSON document in total. */
  readonly jsonKeys: number;
  /** Items of all lists of a JSON document in total. */
  readonly jsonItems: number;
  /** Operations of all services of an interface, or endpoints of an index. */
  readonly operations: number;
  /** Types, including anonymous ones. */
  readonly types: number;
  /** Enumeration values of one type. */
  readonly enumValues: number;
  /** Member types of one union, counting the members of nested unions. */
  readonly unionMembers: number;
  /** Length of a chain of derived types, of substituted elements, or of groups that refer to each other. */
  readonly inheritance: number;
  /** Particles of all types in total, counting group references and inherited content in full. */
  readonly particles: number;
  /** Elements with the same name in one type. */
  readonly sameNameElements: number;
  /** Characters of one pattern or one route. */
  readonly patternChars: number;
  /** States of the automaton of one pattern. */
  readonly patternStates: number;
  /** Characters of one description; longer ones are cut and end with `…`. */
  readonly descriptionChars: number;
  /** Characters of the path of a generated file. */
  readonly pathChars: number;
  /** Characters of one segment of such a path. */
  readonly pathSegment: number;
  /** Number of generated files. */
  readonly outputFiles: number;
  /** Bytes of all generated files in total. */
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
  jsonKeys: 250_000,
  jsonItems: 250_000,
  operations: 5_000,
  types: 20_000,
  enumValues: 20_000,
  unionMembers: 1_000,
  inheritance: 64,
  particles: 500_000,
  sameNameElements: 1_000,
  patternChars: 4_096,
  patternStates: 10_000,
  descriptionChars: 10_000,
  pathChars: 200,
  pathSegment: 100,
  outputFiles: 10_000,
  outputBytes: 200 * mebibyte,
};

/** Whether a limit has this name. */
export function isLimit(name: string): name is keyof SourceLimits {
  return Object.hasOwn(sourceLimits, name);
}

/** Returns the limits for patterns in the sources. */
export function readPatternLimits({ patternChars, patternStates }: Omit<PatternLimits, "patternDepth">): PatternLimits {
  return { ...patternLimits, patternChars, patternStates };
}

/** Cuts a description to the given length, because some sources contain whole pages. Undefined if it is empty. */
export function shortenDescription(text: string | undefined, descriptionChars: number): string | undefined {
  return text !== undefined && text.length > descriptionChars
    ? `${text.slice(0, descriptionChars)}…`
    : text || undefined;
}

/** Returns the help of a diagnostic for an exceeded limit. */
export function limitHelp<Name extends keyof SourceLimits>(name: Name, limits: Pick<SourceLimits, Name>): string {
  return `The limit ${name} is ${limits[name]}. Raise it with --limit ${name}=<number>.`;
}

/** Limits the total work or size of several steps, so that a large or hostile source cannot exceed it. */
export class Budget {
  #left: number;

  constructor(amount: number) {
    this.#left = amount;
  }

  /** Spends an amount. Returns false if the budget is exceeded. */
  spend(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }
}
