/** The environment of a command: folders, variables, streams, the clock. Tests replace it. */
export interface Host {
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: Stream;
  readonly err: Stream;
  /** The time in milliseconds. Only differences are used. */
  now(): number;
  /** Asks the user at the terminal for a line. Absent if there is no terminal. */
  readonly ask?: (question: string, options?: { readonly secret?: boolean }) => Promise<string>;
  /** Aborted when the user interrupts a command that runs until then. */
  readonly interrupted?: AbortSignal;
}

/** Standard output or standard error. */
export interface Stream {
  readonly isTTY: boolean;
  write(text: string): void;
}

/**
 * Whether to write colors: only to a terminal, unless FORCE_COLOR is set (force-color.org), for example for the log of a
 * continuous integration. NO_COLOR turns them off (no-color.org).
 */
export function hasColor({ environment }: Host, stream: Stream): boolean {
  const { NO_COLOR: off = "", FORCE_COLOR: on = "", TERM: terminal } = environment;
  if (off !== "") {
    return false;
  }
  return on === "" ? stream.isTTY && terminal !== "dumb" : !/^(?:0|false)$/.test(on);
}

/** 0: done. 1: the input is refused, or `check` found a difference. 2: a usage or disk error, or a bug in bothends. */
export type ExitCode = 0 | 1 | 2;

/** A mistake in the command line, exit code 2. */
export class UsageError extends Error {
  /** Sentences that explain what to do instead. */
  readonly help: string | undefined;
  /** A suggestion appended to the verdict: `--root schemas`. */
  readonly advice: string | undefined;

  constructor(message: string, way: { readonly help?: string | undefined; readonly advice?: string | undefined } = {}) {
    super(message);
    this.name = "UsageError";
    this.help = way.help;
    this.advice = way.advice;
  }
}
