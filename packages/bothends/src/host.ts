/** The environment of a command: folders, variables, streams, the clock. Tests replace it. */
export interface Host {
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: Stream;
  readonly err: Stream;
  /** The time in milliseconds. Only differences are used. */
  now(): number;
}

/** Standard output or standard error. */
export interface Stream {
  readonly isTTY: boolean;
  write(text: string): void;
}

/** Whether to write colours: to a terminal, unless NO_COLOR is set (no-color.org). */
export function hasColour(host: Host, stream: Stream): boolean {
  const { NO_COLOR: noColour, TERM: terminal } = host.environment;
  return stream.isTTY && (noColour === undefined || noColour === "") && terminal !== "dumb";
}

/** 0: done. 1: the input is refused, or `check` found a difference. 2: usage, disk, or a mistake in bothends. */
export type ExitCode = 0 | 1 | 2;

/** A mistake in the command line, exit code 2. The message says what to write instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
