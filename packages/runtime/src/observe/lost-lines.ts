/** The members of a Node stream that are used to write lines. */
export interface Output {
  /** The number of bytes that wait in the stream. */
  readonly writableLength?: number | undefined;
  /** The error of a write that failed a moment ago. */
  readonly errored?: Error | null | undefined;
  write(bytes: Uint8Array, written: (error?: Error | null) => void): unknown;
  on(event: "error", listener: (error: StreamError) => void): unknown;
  once?(event: "drain", listener: () => void): unknown;
  removeListener(event: "error", listener: (error: StreamError) => void): unknown;
}

/** Whether the last write to a stream succeeded and no lines wait in it. */
export function hasWritten({ errored, writableLength = 0 }: Output): boolean {
  return !errored && writableLength === 0;
}

/** An error of a standard stream. `code` is the system's error code: `EPIPE`. */
export type StreamError = Error & { readonly code?: string };

/** The maximum number of bytes that wait in a standard stream until its reader reads them: some 20,000 lines. */
const maxWaitingBytes = 4_194_304;
/** The minimum time in milliseconds between two reports that lines are being lost. */
const reportInterval = 60_000;

/** A message about lost lines, and their number. */
export interface LossReport {
  readonly count: number;
  readonly message: string;
}

/**
 * Counts the lines that cannot be written to a standard stream, because its disk is full or the reader of its pipe has
 * stopped reading. Node keeps unread lines in memory, so their bytes have a limit. Beyond it, the newest lines are
 * lost, because a stream cannot drop lines that it has accepted.
 */
export class LostLines {
  /** The name of the stream in messages: `standard output`. */
  readonly #streamName: string;
  #total = 0;
  #unreportedCount = 0;
  /** The time at which the first unreported line was lost, in milliseconds since 1970. */
  #since = 0;
  #reason = "";
  #isFull = false;
  #awaitsDrain = false;
  /** The time at which the loss was last reported to another stream, by `performance.now()`. */
  #announcedAt = Number.NEGATIVE_INFINITY;

  constructor(streamName: string) {
    this.#streamName = streamName;
  }

  /** The number of lines that were lost since the program started. */
  get total(): number {
    return this.#total;
  }

  /**
   * Whether the stream may receive another line. When the limit is reached, it may not until half of the waiting bytes
   * have been read: otherwise, lost and written lines would alternate. `onDrain` is called when all have been read.
   */
  mayWrite(stream: Output, onDrain: () => void): boolean {
    const { writableLength = 0 } = stream;
    this.#isFull = writableLength > (this.#isFull ? maxWaitingBytes / 2 : maxWaitingBytes);
    if (this.#isFull && !this.#awaitsDrain) {
      this.#awaitsDrain = true;
      stream.once?.("drain", () => {
        this.#awaitsDrain = false;
        this.#isFull = false;
        onDrain();
      });
    }
    return !this.#isFull;
  }

  /** Counts lines that were lost. */
  add(count: number, reason: string): void {
    if (this.#unreportedCount === 0) {
      this.#since = Date.now();
    }
    this.#total += count;
    this.#unreportedCount += count;
    this.#reason = reason;
  }

  /** Whether the loss may be reported to another stream: once a minute. */
  mayAnnounce(): boolean {
    const now = performance.now();
    const isDue = now - this.#announcedAt >= reportInterval;
    this.#announcedAt = isDue ? now : this.#announcedAt;
    return isDue;
  }

  /** Returns the report that precedes the next line; undefined if no lines were lost since the last report. */
  takeReport(): LossReport | undefined {
    const count = this.#unreportedCount;
    if (count === 0) {
      return undefined;
    }
    this.#unreportedCount = 0;
    const since = new Date(this.#since).toISOString();
    const message = `Lines of the log were lost since ${since}: ${count}. They could not be written to ${this.#streamName}: ${this.#reason}`;
    return { count, message };
  }

  /** Restores a report that could not be written, for the next line. */
  restoreReport(report: LossReport | undefined): void {
    this.#unreportedCount += report?.count ?? 0;
  }
}

/** The reason for lines that are lost because too many bytes wait in a stream. */
export const readerStopped = "its reader has stopped reading, or reads too slowly.";
