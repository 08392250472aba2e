import { ConfigError } from "../../errors.js";
import type { WatchSignal } from "../exchange/cancellation.js";
import { transportOptions } from "../options.js";
import type { Transport, TransportChoice } from "../transport.js";
import { createPlatformTransport } from "./fetch-transport.js";

/**
 * Returns undefined, so that each call has its own timer: edge platforms stop the timers of a request when it ends, so
 * calls for different requests cannot share a timer.
 */
export function createDeadlines(): undefined {
  return undefined;
}

/** Calls `onAbort` when a signal is aborted. Returns a function that removes the listener. */
export const watchSignal: WatchSignal = (signal, onAbort) => {
  signal.addEventListener("abort", onAbort);
  return () => signal.removeEventListener("abort", onAbort);
};

/** Undefined, because only Node has the channels of `node:diagnostics_channel`. */
export const channels = undefined;

/**
 * Returns the known names, to append to a message about an unknown name. On Node, the most similar name is suggested
 * instead. Here, that code would add about 3% to the size of a small program.
 */
export function suggestOption(_: string, knownNames: readonly string[]): string {
  return ` Use one of ${knownNames.join(", ")}.`;
}

/**
 * Returns the option `transport`. By default, creates a transport that sends with the platform's `fetch`. If the
 * platform decompresses answers, limits count the decompressed bytes.
 */
export function createTransport(options: TransportChoice): Transport {
  for (const name of transportOptions) {
    if (options[name] !== undefined) {
      throw new ConfigError(`The option "${name}" is supported on Node only. Remove it.`);
    }
  }
  return options.transport ?? createPlatformTransport();
}
