/** What became of one call between two peers. */
export interface Outcome {
  readonly peer: string;
  readonly call: string;
  /** SOAP version, or how the site is addressed. */
  readonly over: string;
  readonly milliseconds: number;
  /** What is wrong with it; undefined: nothing. */
  readonly wrong?: string | undefined;
  /** Why the peer cannot make it at all. */
  readonly cannot?: string | undefined;
}

/** Peers of one kind, met in one go. */
export interface Meeting {
  readonly peer: string;
  /** Debian packages that it takes. */
  readonly packages: readonly DebianPackage[];
  meet(): Promise<readonly Outcome[]>;
}

/** A package, and how to see that it is there. */
export interface DebianPackage {
  readonly name: string;
  readonly present: () => boolean;
}
