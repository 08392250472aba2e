import { messageLimits, type XmlLimits } from "@bothends/xml";
import { createTransport } from "#transport";
import { type ReferenceLimits, referenceLimits } from "../codec/soap-encoding.js";
import { ConfigError } from "../errors.js";
import { nearest } from "../nearest.js";
import { authorizationHeader } from "./address.js";
import type { HeaderOptions } from "./headers.js";
import type { Hooks } from "./hooks.js";
import { type ConnectionOptions, checkMilliseconds, checkRetries, type SharedOptions } from "./options.js";
import type { Transport } from "./transport.js";

/** What one answer may cost. 0 means zero; what is absent has its default. */
export interface ClientLimits extends XmlLimits, ReferenceLimits {
  /** An answer's body, uncompressed, as it arrives. */
  readonly bodyBytes: number;
  /** How much of a body an error keeps. */
  readonly errorBodyBytes: number;
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonItems: number;
}

export const clientLimits: ClientLimits = {
  ...messageLimits,
  ...referenceLimits,
  bodyBytes: 16_777_216,
  errorBodyBytes: 65_536,
  jsonDepth: 64,
  jsonKeys: 10_000,
  jsonItems: 100_000,
};

export type ClientLimitOptions = { readonly [Name in keyof ClientLimits]?: number | undefined };

/** The limits a user set over others. */
function withLimits(options: ClientLimitOptions | undefined, defaults: ClientLimits): ClientLimits {
  if (options === undefined) return defaults;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(clientLimits, name)) {
      throw new ConfigError(`There is no limit "${name}".${nearest(name, Object.keys(clientLimits))}`);
    }
    if (typeof value !== "number" || !(value >= 0)) throw new ConfigError(`The limit ${name} is a number from 0 on.`);
  }
  return { ...defaults, ...Object.fromEntries(given) };
}

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
