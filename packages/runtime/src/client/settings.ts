import { createTransport } from "#transport";
import { authorizationHeader } from "./authorization.js";
import { checkMilliseconds, checkRetries } from "./check-options.js";
import type { HeaderOptions } from "./headers.js";
import type { Hooks } from "./hooks.js";
import { type ClientLimits, clientLimits, withLimits } from "./limits.js";
import type { ConnectionOptions, SharedOptions } from "./options.js";
import type { Transport } from "./transport.js";

/** The options of a call with those of its client below. */
export interface Settings {
  readonly transport: Transport;
  /** The transport is the user's own: what it takes for an address is its own affair. */
  readonly ownTransport: boolean;
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
  const { transport, connectTimeout = 10_000, timeout = 60_000, retries = 0 } = options;
  const { agent, proxy, tls, maxSockets, maxQueued } = options;
  return {
    transport: transport ?? createTransport({ agent, proxy, tls, maxSockets, maxQueued }),
    ownTransport: transport !== undefined,
    connectTimeout: checkMilliseconds(connectTimeout, "connectTimeout"),
    timeout: checkMilliseconds(timeout, "timeout"),
    retries: checkRetries(retries),
    limits: withLimits(options.limits, clientLimits),
    signals: options.signal === undefined ? [] : [options.signal],
    headers: headersOf(options),
    hooks: hooksOf(options),
  };
}

/** A client's settings with the options of one call over them. */
export function callSettings(settings: Settings, options: SharedOptions | undefined): Settings {
  if (options === undefined) return settings;
  const { timeout, retries, limits, signal } = options;
  return {
    ...settings,
    timeout: timeout === undefined ? settings.timeout : checkMilliseconds(timeout, "timeout"),
    retries: retries === undefined ? settings.retries : checkRetries(retries),
    limits: withLimits(limits, settings.limits),
    signals: signal === undefined ? settings.signals : [...settings.signals, signal],
    headers: [...settings.headers, ...headersOf(options)],
    hooks: [...settings.hooks, ...hooksOf(options)],
  };
}

function headersOf({ authorization, headers }: SharedOptions): readonly HeaderOptions[] {
  const own = authorization === undefined ? [] : [{ Authorization: authorizationHeader(authorization) }];
  return headers === undefined ? own : [...own, headers];
}

function hooksOf({ hooks }: SharedOptions): readonly Hooks[] {
  if (hooks === undefined) return [];
  return isList(hooks) ? hooks : [hooks];
}

function isList(hooks: Hooks | readonly Hooks[]): hooks is readonly Hooks[] {
  return Array.isArray(hooks);
}
