import type { XmlLimits } from "@bothends/xml";
import { messageLimits } from "@bothends/xml/limits";
import { nearest } from "../error-texts.js";
import { ConfigError } from "../errors.js";
import { type ReferenceLimits, referenceLimits } from "../reference-limits.js";

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
export function withLimits(options: ClientLimitOptions | undefined, defaults: ClientLimits): ClientLimits {
  if (options === undefined) {
    return defaults;
  }
  const limits = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of limits) {
    if (!Object.hasOwn(clientLimits, name)) {
      throw new ConfigError(`There is no limit "${name}".${nearest(name, Object.keys(clientLimits))}`);
    }
    if (typeof value !== "number" || !(value >= 0)) {
      throw new ConfigError(`The limit ${name} must be a number, 0 or more.`);
    }
  }
  return { ...defaults, ...Object.fromEntries(limits) };
}
