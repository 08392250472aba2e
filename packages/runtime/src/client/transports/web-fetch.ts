import { ConfigError } from "../../errors.js";
import type { Transport, TransportOptions } from "../transport.js";
import { fetchTransport } from "./fetch-transport.js";

/**
 * Sends with the platform's `fetch`. Where the platform asks for compressed answers and inflates them by itself, it is
 * the inflated bytes that count.
 */
export function createTransport({ agent, proxy, tls }: TransportOptions): Transport {
  if (agent !== undefined || proxy !== undefined || tls !== undefined) {
    throw new ConfigError("The options agent, proxy and tls are for Node's own transport; fetch takes none of them.");
  }
  return fetchTransport(fetch);
}
