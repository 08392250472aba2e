import { ConfigError } from "../../errors.js";
import type { WatchSignal } from "../cancellation.js";
import { transportOptions } from "../options.js";
import type { Transport, TransportOptions } from "../transport.js";
import { platformTransport } from "./fetch-transport.js";

/**
 * Returns undefined, so that each call has its own timer: edge platforms stop the timers of a request when it ends, so calls for
 * different requests cannot share a timer.
 */
export function createDeadlines(): undefined {
  return undefined;
}

export const watchSignal: WatchSignal = (signal, onAbort) => {
  signal.addEventListener("abort", onAbort);
  return () => signal.removeEventListener("abort", onAbort);
};

/** Undefined, because only Node has the channels of `node:diagnostics_channel`. */
export const channels = undefined;

/**
 * Creates a transport that sends with the platform's `fetch`. If the platform decompresses answers, limits count the decompressed
 * bytes.
 */
export function createTransport(options: TransportOptions): Transport {
  for (const name of transportOptions) {
    if (options[name] !== undefined) {
      throw new ConfigError(`The option "${name}" is supported on Node only, not with fetch. Remove it.`);
    }
  }
  return platformTransport();
}
