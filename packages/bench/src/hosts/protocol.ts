/** A command from the benchmark to a process that hosts a subject. */
export type Order =
  | { readonly kind: "state" }
  /** `count` calls, `width` of them concurrently. */
  | { readonly kind: "calls"; readonly count: number; readonly width: number };

export type Report =
  | { readonly kind: "ready"; readonly port: number | undefined }
  | ({ readonly kind: "state" } & HostState)
  | { readonly kind: "failed"; readonly message: string };

/** The state of a host. */
export interface HostState {
  /** Processor time since the start, in microseconds. */
  readonly cpu: number;
  /** Resident memory, in megabytes. */
  readonly memory: number;
  /** The 99th percentile of the event loop delay since the last command, in milliseconds. */
  readonly delay: number;
  /** The 99th percentile of the call durations for this command, in milliseconds; 0 without calls. */
  readonly p99: number;
}

/** A host: either a server, or a client that makes calls. */
export interface Hosted {
  readonly port?: number;
  call?(): Promise<unknown>;
}
