import { type PatternLimits, patternLimits } from "@bothends/datatypes/pattern";
import { schemaLimits, type XmlLimits } from "@bothends/xml";
import type { Code } from "./catalogue/index.js";

// The limits on sources and on generated files, and a budget that several steps share.

/**
 * Limits on sources and generated files, set by `limits` in bothends.json or `--limit name=value`. A limit of 0 allows
 * none; it does not mean "unlimited".
 */
export interface SourceLimits extends XmlLimits {
  /** The maximum size of one file, in bytes. */
  readonly fileBytes: number;
  /** The maximum total size of all files, in bytes. */
  readonly inputBytes: number;
  /** The maximum number of files that are read. */
  readonly inputFiles: number;
  /** The maximum number of files in one chain of imports, including the first file. */
  readonly imports: number;
  /** The maximum nesting depth of objects and lists in a JSON document. */
  readonly jsonDepth: number;
  /** The maximum total number of members of all objects in a JSON document. */
  readonly jsonKeys: number;
  /** The maximum total number of items of all lists in a JSON document. */
  readonly jsonItems: number;
  /** The maximum number of operations of an interface, or of endpoints of an index. */
  readonly operations: number;
  /** The maximum number of types, including anonymous types. */
  readonly types: number;
  /** The maximum number of enumeration values of one type. */
  readonly enumValues: number;
  /** The maximum number of member types of one union, including the members of nested unions. */
  readonly unionMembers: number;
  /** The maximum length of a chain of derived types, of substituted elements, or of groups that refer to each other. */
  readonly inheritance: number;
  /** The maximum number of particles of all types, including those of referenced groups and inherited content. */
  readonly particles: number;
  /** The maximum number of elements with the same name in one type. */
  readonly sameNameElements: number;
  /** The maximum length of one pattern or one route, in characters. */
  readonly patternChars: number;
  /** The maximum number of states of one pattern's automaton. */
  readonly patternStates: number;
  /** The maximum length of one description, in characters. A longer description is cut and ends with `…`. */
  readonly descriptionChars: number;
  /** The maximum length of the path of a generated file, in characters. */
  readonly pathChars: number;
  /** The maximum length of one folder or file name in the path of a generated file, in characters. */
  readonly pathSegment: number;
  /** The maximum number of generated files. */
  readonly outputFiles: number;
  /** The maximum total size of all generated files, in bytes. */
  readonly outputBytes: number;
}

const mebibyte = 1024 * 1024;

/** The default limits of sources. */
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

/** Whether a string is the name of a limit. */
export function isLimit(name: string): name is keyof SourceLimits {
  return Object.hasOwn(sourceLimits, name);
}

/**
 * Returns the limits for parsing a pattern of a source. The nesting depth keeps its default, because no source limit
 * sets it.
 */
export function readPatternLimits({ patternChars, patternStates }: Omit<PatternLimits, "patternDepth">): PatternLimits {
  return { ...patternLimits, patternChars, patternStates };
}

/**
 * Cuts a description to at most `descriptionChars` characters, because some sources contain whole pages. Returns
 * undefined if it is empty.
 */
export function shortenDescription(text: string | undefined, descriptionChars: number): string | undefined {
  return text !== undefined && text.length > descriptionChars
    ? `${text.slice(0, descriptionChars)}…`
    : text || undefined;
}

/** The limit that must be increased so that refused input is accepted. */
export interface LimitRemedy {
  readonly kind: "limit";
  readonly name: keyof SourceLimits;
  /** The current value of the limit, which the input exceeds. */
  readonly value: number;
}

/** Returns the help and the remedy of a diagnostic for an exceeded limit. */
export function describeLimitRemedy<Name extends keyof SourceLimits>(
  name: Name,
  limits: Pick<SourceLimits, Name>,
): { readonly help: string; readonly remedy: LimitRemedy } {
  const value: number = limits[name];
  return {
    help: `The limit ${name} is ${value}. Increase it with --limit ${name}=<number>.`,
    remedy: { kind: "limit", name, value },
  };
}

/** The parts of a diagnostic about a limit that the generated files exceed. */
export interface ExceededLimit {
  readonly code: Code;
  readonly message: string;
  readonly help: string;
  readonly remedy: LimitRemedy;
}

/** Returns the limits that the generated files exceed. `tree` contains the contents of the files, keyed by path. */
export function listExceededLimits(tree: ReadonlyMap<string, string>, limits: SourceLimits): readonly ExceededLimit[] {
  const paths = [...tree.keys()];
  const longPath = paths.find((path) => path.length > limits.pathChars);
  const longName = paths.flatMap((path) => path.split("/")).find((segment) => segment.length > limits.pathSegment);
  const characters = [...tree.values()].reduce((sum, text) => sum + text.length, 0);
  const problems: ExceededLimit[] = [];
  const add = (code: Code, limit: keyof SourceLimits, message: string) => {
    problems.push({ code, message, ...describeLimitRemedy(limit, limits) });
  };
  if (longPath !== undefined) {
    add(
      "LIM003",
      "pathChars",
      `The path ${quotePath(longPath)} of a generated file has ${longPath.length} characters.`,
    );
  }
  if (longName !== undefined) {
    const message = `The name ${quotePath(longName)} of a generated file or folder has ${longName.length} characters.`;
    add("LIM004", "pathSegment", message);
  }
  if (tree.size > limits.outputFiles) {
    add("LIM005", "outputFiles", `The output would have more than ${limits.outputFiles} files.`);
  }
  if (characters > limits.outputBytes) {
    const message = `The generated files would have more than ${limits.outputBytes} characters in total.`;
    add("LIM006", "outputBytes", message);
  }
  return problems;
}

function quotePath(path: string): string {
  return path.length > 60 ? `"${path.slice(0, 60)}…"` : `"${path}"`;
}

/** A limit on the total work or size of several steps, so that even a large or hostile source cannot exceed it. */
export class Budget {
  #remainingAmount: number;

  constructor(amount: number) {
    this.#remainingAmount = amount;
  }

  /** Subtracts an amount from the budget. Returns false if the budget is exceeded. */
  spend(amount: number): boolean {
    this.#remainingAmount -= amount;
    return this.#remainingAmount >= 0;
  }

  get isSpent(): boolean {
    return this.#remainingAmount <= 0;
  }
}
