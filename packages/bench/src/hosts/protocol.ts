/** An order of the benchmark to a process that hosts a subject. */
export type Order =
  | { readonly kind: "cpu" }
  /** `count` calls, `width` of them at a time. */
  | { readonly kind: "calls"; readonly count: number; readonly width: number };

export type Report =
  | { readonly kind: "ready"; readonly port: number | undefined }
  | { readonly kind: "cpu"; readonly microseconds: number };

/** A host: a server that others call, or calls that it makes by itself. */
export interface Hosted {
  readonly port?: number;
  call?(): Promise<unknown>;
}
