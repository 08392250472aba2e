/** The world around a command: what it is told, and where it speaks. Everything a test may replace. */
export interface Host {
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: Stream;
  readonly err: Stream;
  /** Milliseconds; only differences count. */
  now(): number;
}

export interface Stream {
  readonly isTTY: boolean;
  write(text: string): void;
}

/** Whether a stream shows colours: a terminal, unless NO_COLOR says otherwise (no-color.org). */
export function hasColour(host: Host, stream: Stream): boolean {
  const { NO_COLOR: noColour, TERM: terminal } = host.environment;
  return stream.isTTY && (noColour === undefined || noColour === "") && terminal !== "dumb";
}
