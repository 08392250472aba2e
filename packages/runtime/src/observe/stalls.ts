import type { OnError } from "./events.js";
import { report } from "./incidents.js";
import { blockingCode } from "./safe-hooks.js";

// Reports times in which the process could not run, so that operators know why calls were slow.

/**
 * The time between two checks for a stall of the process, in milliseconds. A stall begins at an unknown time after a
 * check, so the reported duration is too long by up to this time.
 */
const stallInterval = 100;
/** The minimum duration of a stall that is reported, in milliseconds. */
const longStallDuration = 2_000;
/** The minimum time between two reports, in milliseconds. */
const stallReportInterval = 60_000;
/** The maximum number of operations that a report names. */
const maxNamedOperations = 5;

/** The exchanges of a server, which one of them may block. An interval is the time between two checks. */
export interface ActiveExchanges {
  /** Returns the exchanges that were in progress at any time during the current interval, as far as they are known. */
  listActiveExchanges(): readonly { readonly operation: string | undefined }[];
  beginInterval(): void;
}

/**
 * Checks regularly whether this process has stalled, that is, could not answer requests for some time. If so, reports
 * the stall, and the operations of the requests that were in progress, because one of them may have blocked the
 * process. Reports at most once a minute.
 */
export class StallWatch {
  readonly #exchanges: ActiveExchanges;
  readonly #onError: OnError | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastCheckTime = 0;
  #lastReport = Number.NEGATIVE_INFINITY;

  constructor(exchanges: ActiveExchanges, onError: OnError | undefined) {
    this.#exchanges = exchanges;
    this.#onError = onError;
  }

  /** Begins to check, unless it does already. The timer does not keep the process alive. */
  begin(): void {
    if (this.#timer === undefined) {
      this.#lastCheckTime = performance.now();
      this.#timer = setInterval(this.check, stallInterval);
      // Only timers of Node have this method.
      Object(this.#timer).unref?.();
    }
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Reports a stall since the last check. */
  readonly check = (): void => {
    const now = performance.now();
    const duration = Math.round(now - this.#lastCheckTime);
    this.#lastCheckTime = now;
    const exchanges = duration < longStallDuration ? [] : this.#exchanges.listActiveExchanges();
    this.#exchanges.beginInterval();
    if (duration >= longStallDuration && now - this.#lastReport >= stallReportInterval) {
      this.#lastReport = now;
      const operations = exchanges.map(({ operation }) => operation);
      report(this.#onError, { kind: "stalled", ...describeStall(operations, { since: now - duration, duration }) });
    }
  };
}

/** The maximum number of ended requests that a report of a stall counts. */
const maxEndedExchanges = 100;

/**
 * The exchanges of an adapter that does not know when its server stops, so that a timer must not run forever. Reports
 * stalls of the process while there are exchanges, and for some time afterwards.
 */
export class WatchedExchanges<Exchange extends { readonly operation: string | undefined }> implements ActiveExchanges {
  readonly #stallWatch: StallWatch;
  readonly #idleTime: number;
  readonly #active = new Set<Exchange>();
  /** The exchanges that ended during the current interval. */
  #ended: Exchange[] = [];
  #lastEnd = 0;

  /**
   * `idleTime` is the time in milliseconds after the last exchange for which stalls are reported. It must be 0 on
   * platforms that stop the process between two exchanges.
   */
  constructor(onError: OnError | undefined, idleTime: number) {
    this.#stallWatch = new StallWatch(this, onError);
    this.#idleTime = idleTime;
  }

  begin(exchange: Exchange): void {
    this.#active.add(exchange);
    this.#stallWatch.begin();
  }

  end(exchange: Exchange): void {
    this.#active.delete(exchange);
    this.#lastEnd = performance.now();
    if (this.#ended.length < maxEndedExchanges) {
      this.#ended.push(exchange);
    }
    if (this.#idleTime === 0 && this.#active.size === 0) {
      this.#stallWatch.check();
      this.#stallWatch.end();
    }
  }

  listActiveExchanges(): readonly Exchange[] {
    return [...this.#active, ...this.#ended];
  }

  beginInterval(): void {
    this.#ended = [];
    if (this.#active.size === 0 && performance.now() - this.#lastEnd > this.#idleTime) {
      this.#stallWatch.end();
    }
  }
}

function describeStall(
  operations: readonly (string | undefined)[],
  { since, duration }: { readonly since: number; readonly duration: number },
): { readonly message: string; readonly operation?: string | undefined } {
  const start = `This process answered no request for ${duration} ms:`;
  const end = "This is reported at most once a minute.";
  const blocking = blockingCode.find(since, duration / 2);
  if (blocking !== undefined) {
    const { name, advice } = blocking;
    return { message: `${start} ${name} blocked it for ${Math.round(blocking.duration)} ms. ${advice} ${end}` };
  }
  const cause = "a handler or other code ran for this time without waiting for anything, or the machine is overloaded.";
  const [operation] = operations;
  return {
    message: `${start} ${cause} ${describeActiveOperations(operations)} ${end}`,
    operation: operations.length === 1 ? operation : undefined,
  };
}

/**
 * Returns a sentence that lists operations, the most frequent first. The operation of a request is undefined if it is
 * not known.
 */
function describeActiveOperations(operations: readonly (string | undefined)[]): string {
  if (operations.length === 0) {
    return "No request was in progress, so code other than a handler ran.";
  }
  const counts = new Map<string | undefined, number>();
  for (const operation of operations) {
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
  }
  const listed = [...counts].map(([operation, count]) => ({ operation, weight: count, text: String(count) }));
  return `In progress at that time: ${formatOperations(listed)}.`;
}

interface ListedOperation {
  /** Undefined for requests whose operation is not known. */
  readonly operation: string | undefined;
  readonly weight: number;
  /** The text in parentheses. */
  readonly text: string;
}

/** Returns a list of operations for a message, beginning with the highest weight: `Find (20), Save (3)`. */
export function formatOperations(operations: readonly ListedOperation[]): string {
  const texts = operations
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ operation = "other requests", text }) => `${operation} (${text})`);
  const othersNote = texts.length > maxNamedOperations ? " and others" : "";
  return `${texts.slice(0, maxNamedOperations).join(", ")}${othersNote}`;
}
