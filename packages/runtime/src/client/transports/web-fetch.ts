import { ConfigError } from "../../errors.js";
import type { Transport, TransportOptions } from "../transport.js";
import { fetchTransport } from "./fetch-transport.js";

/**
 * Sends with the platform's `fetch`. Where the platform asks for compressed answers and inflates them by itself, it is
 * the inflated bytes that count.
 */
export function createTransport(options: TransportOptions): Transport {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) throw new ConfigError(`The option ${name} is for the transport of Node: fetch has none.`);
  }
  return fetchTransport(fetch);
}
