import { ConfigError } from "../../errors.js";
import type { Transport, TransportOptions } from "../transport.js";
import { fetchTransport } from "./fetch-transport.js";

/**
 * Each call has its own timer: edge platforms stop the timers of a request when it ends, so calls of different requests cannot
 * share one.
 */
export function createDeadlines(): undefined {
  return undefined;
}

/** Channels exist only on Node. */
export const channels = undefined;

/**
 * Sends with the platform's `fetch`. If the platform requests and decompresses compressed answers, limits count the
 * decompressed bytes.
 */
export function createTransport(options: TransportOptions): Transport {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) {
      throw new ConfigError(`The option ${name} is supported on Node only, not with fetch.`);
    }
  }
  return fetchTransport(fetch);
}
