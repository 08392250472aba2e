/** The environment of a command: folders, variables, streams, the clock. Tests pass another one. */
export interface Host {
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: Stream;
  readonly err: Stream;
  /** The time in milliseconds; callers use only differences between two times. */
  now(): number;
  /** Asks the user at the terminal for a line. Absent if there is no terminal. */
  readonly ask?: ((question: string, options?: { readonly secret?: boolean }) => Promise<string>) | undefined;
  /** Aborted when the user interrupts a command that runs until interrupted, such as `watch`. */
  readonly interrupted?: AbortSignal | undefined;
  /** Called before a source of more than 500 KB is parsed, unless this process keeps the result for later runs. */
  readonly beforeLargeSource?: (() => void) | undefined;
  /** Called after each source is parsed, and at the end of the run. */
  readonly afterSource?: (() => void) | undefined;
}

/** Standard output or standard error. */
export interface Stream {
  readonly isTTY: boolean;
  write(text: string): void;
}

/**
 * Whether to write colors. By default, colors are written only to a terminal. The variable FORCE_COLOR turns them on
 * (force-color.org), for example in continuous integration, and NO_COLOR turns them off (no-color.org).
 */
export function hasColor({ environment }: Host, stream: Stream): boolean {
  const { NO_COLOR: noColor = "", FORCE_COLOR: forceColor = "", TERM: terminal } = environment;
  if (noColor !== "") {
    return false;
  }
  return forceColor === "" ? stream.isTTY && terminal !== "dumb" : !/^(?:0|false)$/.test(forceColor);
}

/**
 * Wraps the streams of a host, so that control and formatting characters are printed as code points: in names and lines
 * of documents, they could change or hide other text at a terminal. The colors and the progress line of this program
 * are unchanged.
 */
export function withPrintableStreams(host: Host): Host {
  const wrap = ({ isTTY, write }: Stream): Stream => ({ isTTY, write: (text) => write(toPrintableText(text)) });
  return { ...host, out: wrap(host.out), err: wrap(host.err) };
}

const invisiblePattern = /(^\r\u001b\[2K|\u001b\[(?:[0-2]|(?:1;)?3[1-6])m|\r?\n|\t)|[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

function toPrintableText(text: string): string {
  return text.replaceAll(
    invisiblePattern,
    (character, kept: string | undefined) =>
      kept ?? `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** 0: done. 1: the input is refused, or `check` found a difference. 2: a usage or disk error, or a bug in bothends. */
export type ExitCode = 0 | 1 | 2;

/** Thrown if a command cannot succeed until the user changes something; the exit code is then 2. */
export class CommandError extends Error {
  /** Sentences that explain what to change. */
  readonly help: string | undefined;
  /** The options or the command to try, shown in the last line of the output: `--root schemas`. */
  readonly suggestion: string | undefined;

  constructor(
    message: string,
    options: { readonly help?: string | undefined; readonly suggestion?: string | undefined } = {},
  ) {
    super(message);
    this.name = "CommandError";
    this.help = options.help;
    this.suggestion = options.suggestion;
  }
}

/** Thrown for a mistake in the command line. Its report suggests the help of the command. */
export class UsageError extends CommandError {}
