/** A source in a corpus: a WSDL, related schemas, or a discovery index. Paths are relative to the corpus. */
export interface Job {
  readonly id: number;
  readonly kind: "wsdl" | "schemas" | "index";
  /** The job's name in reports: a path, or the name of a test. */
  readonly name: string;
  readonly paths: readonly string[];
  /** The documents to validate, each with whether it is valid. */
  readonly documents: readonly { readonly path: string; readonly isValid: boolean }[];
  /** Whether the job is a test of invalid schemas. */
  readonly isInvalid: boolean;
}

/** The settings of a run. */
export interface JobSettings {
  /** The folder of the corpus. */
  readonly corpusFolder: string;
  /** The folder for generated files. Each job has a subfolder, named after the number of the job. */
  readonly outputFolder: string;
  readonly lenient: boolean;
  /** Whether to test random instances of every message, and random calls of every endpoint. */
  readonly withInstances: boolean;
}

/** The outcome of a job, from the best to the worst. */
export type Outcome =
  | "complete"
  | "refused"
  | "incomplete"
  | "ineligible"
  | "warned"
  | "accepted"
  | "crashed"
  | "timed out";

/** The result of generating from one source and testing the generated code. */
export interface JobResult {
  readonly id: number;
  /**
   * `ineligible`: the file is not a source, for example because another file imports it. `incomplete`: the generator
   * dropped parts. `warned`: the generator accepted invalid schemas with warnings; `accepted`: without warnings.
   */
  readonly outcome: Outcome;
  /** Whether every reference in a WSDL resolves, checked with an independent XML parser. Absent for other sources. */
  readonly isResolved?: boolean;
  /** The reasons for an outcome other than complete: diagnostics and dropped parts, each with its position. */
  readonly problems: readonly JobProblem[];
  /** The numbers of documents and of correct decisions about them. */
  readonly documents: DocumentCounts;
  /** The numbers of messages, of created instances, and of instances that the original schema validated (`judged`). */
  readonly instances: {
    readonly messages: number;
    readonly madeCount: number;
    readonly judgedCount: number;
    /** The number of messages for which no random instance was found. */
    readonly unmadeCount: number;
    readonly problems: readonly JobProblem[];
  };
  /**
   * The number of endpoints, the number of those that answer calls with random arguments, and the problems of all
   * others.
   */
  readonly calls: {
    readonly endpoints: number;
    readonly called: number;
    readonly problems: readonly JobProblem[];
  };
  readonly operations: number;
  readonly seconds: number;
  /** The peak memory of the process so far, in megabytes. */
  readonly memory: number;
}

/** A problem, and its kind, by which reports group problems. */
export interface JobProblem {
  readonly kind: string;
  readonly text: string;
}

/** The numbers of valid and invalid documents, and of those about which the decoder decided correctly. */
export interface DocumentCounts {
  readonly valid: { readonly right: number; readonly all: number };
  readonly invalid: { readonly right: number; readonly all: number };
  readonly problems: readonly JobProblem[];
}

export const noDocuments: DocumentCounts = {
  valid: { right: 0, all: 0 },
  invalid: { right: 0, all: 0 },
  problems: [],
};
export const noInstances: JobResult["instances"] = {
  messages: 0,
  madeCount: 0,
  judgedCount: 0,
  unmadeCount: 0,
  problems: [],
};
export const noCalls: JobResult["calls"] = { endpoints: 0, called: 0, problems: [] };
