import { readFileSync } from "node:fs";

/** One request to a real site, and what it answered. */
export interface RecordedCase {
  readonly n: number;
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly user?: string;
  readonly req_headers?: Readonly<Record<string, string>> | null;
  readonly req_body?: string | null;
  /** The body was binary, and is not in the file. */
  readonly req_body_lossy?: unknown;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly json?: unknown;
}

/** Reads a recording: a list of cases, with a number for the port. */
export function readRecordedCases(file: string): readonly RecordedCase[] {
  return JSON.parse(readFileSync(file, "utf8").replaceAll("127.0.0.1:PORT", replayHost)) as readonly RecordedCase[];
}

/** Reads the index document of the recorded site. */
export function readRecordedIndex(file: string): RecordedIndex {
  return JSON.parse(readFileSync(file, "utf8").replaceAll("127.0.0.1:PORT", replayHost)) as RecordedIndex;
}

export interface RecordedIndex {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly routes: Readonly<Record<string, { readonly endpoints: readonly { readonly methods: readonly Method[] }[] }>>;
}
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const replayHost = "127.0.0.1:8080";
