/** A command from the benchmark to a process that hosts a subject. */
export type HostCommand =
  | { readonly kind: "state" }
  /** Makes `count` calls, of which at most `width` run at the same time. */
  | { readonly kind: "calls"; readonly count: number; readonly width: number };

/** A message from a host's process to the benchmark. */
export type HostReport =
  | { readonly kind: "ready"; readonly port: number | undefined }
  | ({ readonly kind: "state" } & HostState)
  | { readonly kind: "failed"; readonly message: string };

/** The resource use of a host's process. */
export interface HostState {
  /** Processor time since the start, in microseconds. */
  readonly cpu: number;
  /** Resident memory, in megabytes. */
  readonly memory: number;
  /** The 99th percentile of the event loop delay since the last command, in milliseconds. */
  readonly delay: number;
  /** The 99th percentile of the durations of this command's calls, in milliseconds; 0 without calls. */
  readonly p99: number;
}

/** A subject in a separate process: a server on a port, or a client that makes calls. */
export interface Hosted {
  readonly port?: number;
  call?(): Promise<unknown>;
}
