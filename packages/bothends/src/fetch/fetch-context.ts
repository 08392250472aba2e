import type { Progress } from "../report/present.js";
import type { Network } from "./network.js";

/** The documents of one fetch by file name. `mainFile` is the file name of the requested document. */
export interface FetchedFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly mainFile: string;
  /** Warnings about the documents. */
  readonly notes: readonly string[];
}

export /** The network, the progress line and the limits of one fetch. */
interface FetchContext {
  readonly network: Network;
  readonly progress: Progress;
  /** The maximum number of documents in one fetch. */
  readonly inputFiles: number;
  /** The address whose host receives the headers, such as the login. */
  readonly address: URL;
  readonly headers: Readonly<Record<string, string>>;
}
