/** What a corpus is made of: a WSDL, schemas that belong together, or a discovery index. Paths are relative to the corpus. */
export interface Job {
  readonly id: number;
  readonly kind: "wsdl" | "schemas" | "index";
  /** What the reports call it: a path, or the name of a test. */
  readonly name: string;
  readonly paths: readonly string[];
  /** Documents to check against the schemas, with what a validator must say of them. */
  readonly documents: readonly { readonly path: string; readonly valid: boolean }[];
  /** A test that is about schemas which break the rules. */
  readonly invalid: boolean;
}

/** How jobs are run; the same for all of a run. */
export interface JobSettings {
  /** The corpus. */
  readonly folder: string;
  /** Where trees are written, each in a folder named by its job's number. */
  readonly output: string;
  readonly lenient: boolean;
  /** Random instances of every message, and calls of every endpoint. */
  readonly instances: boolean;
}

export type Outcome =
  | "complete"
  | "refused"
  | "incomplete"
  | "ineligible"
  | "warned"
  | "accepted"
  | "crashed"
  | "timed out";

export interface JobResult {
  readonly id: number;
  /** `ineligible`: not what the corpus is about, such as an imported part. `incomplete`: something was left out. `warned`: invalid
   * schemas were taken, with warnings that name what is wrong; `accepted`: without a word. */
  readonly outcome: Outcome;
  /** Why it is not complete: the kinds of diagnostics, or what was left out, each with a located text. */
  readonly problems: readonly JobProblem[];
  /** Documents that were judged rightly, and those that were not. */
  readonly documents: DocumentCounts;
  /** Messages, instances that were made of them, how many of those the original schema judged, and what was wrong. */
  readonly instances: {
    readonly messages: number;
    readonly made: number;
    readonly judged: number;
    readonly problems: readonly JobProblem[];
  };
  /** Endpoints, how many of those answer calls with random arguments, and what was wrong with the others. */
  readonly calls: {
    readonly endpoints: number;
    readonly called: number;
    readonly problems: readonly JobProblem[];
  };
  readonly operations: number;
  readonly seconds: number;
  /** Megabytes that the process has had at most, so far. */
  readonly memory: number;
}

export interface JobProblem {
  readonly kind: string;
  readonly text: string;
}

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
export const noInstances: JobResult["instances"] = { messages: 0, made: 0, judged: 0, problems: [] };
export const noCalls: JobResult["calls"] = { endpoints: 0, called: 0, problems: [] };
