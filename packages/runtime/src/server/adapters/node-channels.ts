import { channel } from "node:diagnostics_channel";
import type { RouterChannels } from "../router.js";

/**
 * The channels of `node:diagnostics_channel` for tracing tools: `bothends.server.call` publishes a `CallEvent` for each call,
 * `bothends.server.error` a `ServerIncident`. Without subscribers, they cost nothing.
 */
export const nodeChannels: RouterChannels = {
  call: channel("bothends.server.call"),
  error: channel("bothends.server.error"),
};
