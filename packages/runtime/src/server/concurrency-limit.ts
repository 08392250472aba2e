import { ConfigError, RestError, SoapFault } from "../errors.js";
import { LimitError } from "../server-limits.js";
import type { Middleware } from "./middleware.js";
import type { CallContext } from "./rate-limit.js";

export interface ConcurrencyLimit {
  /** How many handlers of an operation may run at the same time, by its name; other operations have no limit. */
  readonly operations: Readonly<Record<string, number>>;
  /** How many calls of one operation may wait for their turn. Default 0: they are refused at once. */
  readonly queue?: number | undefined;
}

/** The calls of one operation. */
interface Turns {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * A function for the option `use` that limits how many handlers of an operation run at the same time:
 * `use: concurrencyLimit({ operations: { CheckUSA: 4 }, queue: 20 })`. Further calls get status 503 over REST, and a fault over
 * SOAP. Waiting counts as time of the handler.
 */
export function concurrencyLimit({ operations, queue = 0 }: ConcurrencyLimit): Middleware<CallContext> {
  for (const [name, most] of Object.entries(operations)) {
    if (!Number.isInteger(most) || most < 0) {
      throw new ConfigError(`The concurrency of ${name} must be a whole number, 0 or more.`);
    }
  }
  const limits = new Map(Object.entries(operations));
  const byOperation = new Map<string, Turns>();
  return async ({ operation, context }, next) => {
    const most = limits.get(operation);
    if (most === undefined) {
      return next();
    }
    let turns = byOperation.get(operation);
    if (turns === undefined) {
      turns = { running: 0, waiting: new Set() };
      byOperation.set(operation, turns);
    }
    if (turns.running >= most) {
      if (turns.waiting.size >= queue || most === 0) {
        throw refusal(context, new LimitError("concurrency", most, "operations of concurrencyLimit"));
      }
      await turnOf(turns, context.signal);
    } else {
      turns.running += 1;
    }
    try {
      return await next();
    } finally {
      passOn(turns);
    }
  };
}

/** Waits for a turn. Rejects when the client disconnects or the time of the handler is over. */
function turnOf({ waiting }: Turns, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = (): void => {
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = (): void => {
      waiting.delete(start);
      reject(signal.reason);
    };
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    waiting.add(start);
    signal.addEventListener("abort", leave, { once: true });
  });
}

/** Gives the turn to the next call that waits. */
function passOn(turns: Turns): void {
  const [next] = turns.waiting;
  if (next === undefined) {
    turns.running -= 1;
    return;
  }
  turns.waiting.delete(next);
  next();
}

function refusal(context: CallContext, cause: LimitError): Error {
  const message = "The server is busy. Try again later.";
  if ("protocol" in context) {
    return new SoapFault({ code: "Server", reason: message, cause });
  }
  const headers = new Map([["Retry-After", "1"]]);
  return new RestError({ code: "rest_busy", message, status: 503, headers, cause });
}
