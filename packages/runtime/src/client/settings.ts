import { createTransport } from "#transport";
import { checkMilliseconds, checkRetries } from "./check-options.js";
import type { HeaderOptions } from "./headers.js";
import type { Hooks } from "./hooks.js";
import { type ClientLimits, clientLimits, withLimits } from "./limits.js";
import type { ConnectionOptions, SharedOptions } from "./options.js";
import type { Transport } from "./transport.js";

/** The options of a call with those of its client below. */
export interface Settings {
  readonly transport: Transport;
  readonly connectTimeout: number;
  readonly timeout: number;
  readonly retries: number;
  readonly limits: ClientLimits;
  /** The client's, then the call's. */
  readonly signals: readonly AbortSignal[];
  readonly headers: readonly HeaderOptions[];
  readonly hooks: readonly Hooks[];
}

/** What a client's options come to. */
export function clientSettings(options: ConnectionOptions): Settings {
  const { transport, connectTimeout = 10_000, timeout = 60_000, retries = 0, agent, tls } = options;
  return {
    transport: transport ?? createTransport({ agent, tls }),
    connectTimeout: checkMilliseconds(connectTimeout, "connectTimeout"),
    timeout: checkMilliseconds(timeout, "timeout"),
    retries: checkRetries(retries),
    limits: withLimits(options.limits, clientLimits),
    signals: options.signal === undefined ? [] : [options.signal],
    headers: options.headers === undefined ? [] : [options.headers],
    hooks: options.hooks === undefined ? [] : [options.hooks],
  };
}

/** A client's settings with the options of one call over them. */
export function callSettings(settings: Settings, options: SharedOptions | undefined): Settings {
  if (options === undefined) return settings;
  const { timeout, retries, limits, signal, headers, hooks } = options;
  return {
    ...settings,
    timeout: timeout === undefined ? settings.timeout : checkMilliseconds(timeout, "timeout"),
    retries: retries === undefined ? settings.retries : checkRetries(retries),
    limits: withLimits(limits, settings.limits),
    signals: signal === undefined ? settings.signals : [...settings.signals, signal],
    headers: headers === undefined ? settings.headers : [...settings.headers, headers],
    hooks: hooks === undefined ? settings.hooks : [...settings.hooks, hooks],
  };
}
