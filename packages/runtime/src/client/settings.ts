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

/** Limits of one answer. 0 means zero; an absent limit has its default. */
export interface ClientLimits extends XmlLimits, ReferenceLimits {
  /** An answer's body, uncompressed, as it arrives. */
  readonly bodyBytes: number;
  /** Bytes of a body that an error keeps. */
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

/** Limits of the options, over the defaults. */
function withLimits(options: ClientLimitOptions | undefined, defaults: ClientLimits): ClientLimits {
  if (options === undefined) return defaults;
  const limits = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of limits) {
    if (!Object.hasOwn(clientLimits, name)) {
      throw new ConfigError(`There is no limit "${name}".${nearest(name, Object.keys(clientLimits))}`);
    }
    if (typeof value !== "number" || !(value >= 0))
      throw new ConfigError(`The limit ${name} must be a number, 0 or more.`);
  }
  return { ...defaults, ...Object.fromEntries(limits) };
}

/** The options of a client and of one call, merged and checked. */
export interface Settings {
  readonly transport: Transport;
  /** A custom transport may accept addresses of any scheme. */
  readonly hasCustomTransport: boolean;
  readonly connectTimeout: number;
  readonly timeout: number;
  readonly retries: number;
  readonly limits: ClientLimits;
  /** The client's, then the call's. */
  readonly signals: readonly AbortSignal[];
  readonly headers: readonly HeaderOptions[];
  readonly hooks: readonly Hooks[];
}

/** The settings of a client, from its options. */
export function clientSettings(options: ConnectionOptions): Settings {
  const { transport, connectTimeout = 10_000, timeout = 60_000, retries = 0 } = options;
  const { agent, proxy, tls, maxSockets, maxQueued } = options;
  return {
    transport: transport ?? createTransport({ agent, proxy, tls, maxSockets, maxQueued }),
    hasCustomTransport: transport !== undefined,
    connectTimeout: checkMilliseconds(connectTimeout, "connectTimeout"),
    timeout: checkMilliseconds(timeout, "timeout"),
    retries: checkRetries(retries),
    limits: withLimits(options.limits, clientLimits),
    signals: options.signal === undefined ? [] : [options.signal],
    headers: optionHeaders(options),
    hooks: optionHooks(options),
  };
}

/** The settings of one call: those of its client, overridden by the options of the call. */
export function callSettings(settings: Settings, options: SharedOptions | undefined): Settings {
  if (options === undefined) return settings;
  const { timeout, retries, limits, signal } = options;
  return {
    ...settings,
    timeout: timeout === undefined ? settings.timeout : checkMilliseconds(timeout, "timeout"),
    retries: retries === undefined ? settings.retries : checkRetries(retries),
    limits: withLimits(limits, settings.limits),
    signals: signal === undefined ? settings.signals : [...settings.signals, signal],
    headers: [...settings.headers, ...optionHeaders(options)],
    hooks: [...settings.hooks, ...optionHooks(options)],
  };
}

function optionHeaders({ authorization, headers }: SharedOptions): readonly HeaderOptions[] {
  const authorized = authorization === undefined ? [] : [{ Authorization: authorizationHeader(authorization) }];
  return headers === undefined ? authorized : [...authorized, headers];
}

function optionHooks({ hooks }: SharedOptions): readonly Hooks[] {
  if (hooks === undefined) return [];
  return isList(hooks) ? hooks : [hooks];
}

function isList(hooks: Hooks | readonly Hooks[]): hooks is readonly Hooks[] {
  return Array.isArray(hooks);
}
