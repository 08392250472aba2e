import { messageLimits, type XmlLimits } from "@bothends/xml";
import { ConfigError } from "../errors.js";
import { type ReferenceLimits, referenceLimits } from "../reference-limits.js";

/** The limits of a server, a connection and a request. 0 means zero. */
export interface ServerLimits extends XmlLimits, ReferenceLimits {
  /** Of a request's body. */
  readonly bodyBytes: number;
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonItems: number;
  /** Path and query. */
  readonly urlBytes: number;
  readonly queryPairs: number;
  readonly formPairs: number;
  /** UTF-16 units of one parameter's name and value. */
  readonly paramName: number;
  readonly paramValue: number;
  /** UTF-16 units of one path variable. */
  readonly segmentChars: number;
  /** Different addresses that `_embed` requests for one answer. */
  readonly embeds: number;
  /** Bytes of all header lines, and their number. */
  readonly headerBytes: number;
  readonly headers: number;
  /** Milliseconds until the headers, and until the whole request, must have arrived. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** Milliseconds an idle connection stays open. */
  readonly keepAliveTimeout: number;
  /** Milliseconds between two checks of the timeouts of connections, and of the rates of bodies. */
  readonly checkInterval: number;
  /** Milliseconds a handler may take. */
  readonly handlerTimeout: number;
  readonly connections: number;
  /** Requests being answered at a time. Those whose body is still arriving are not among them. */
  readonly inFlight: number;
  /** Requests whose body is still arriving at a time. */
  readonly arriving: number;
  /** The least rate of a body, in bytes per second from its start, once it has taken `bodyGrace` milliseconds. */
  readonly bodyRate: number;
  readonly bodyGrace: number;
  readonly requestsPerSocket: number;
  /** Milliseconds that `close` waits for requests in flight. */
  readonly drainTimeout: number;
}

export const serverLimits: ServerLimits = {
  ...messageLimits,
  ...referenceLimits,
  bodyBytes: 4_194_304,
  jsonDepth: 64,
  jsonKeys: 10_000,
  jsonItems: 100_000,
  urlBytes: 8_192,
  queryPairs: 256,
  formPairs: 1_000,
  paramName: 256,
  paramValue: 4_194_304,
  segmentChars: 256,
  embeds: 1_000,
  headerBytes: 16_384,
  headers: 100,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  checkInterval: 1_000,
  handlerTimeout: 30_000,
  connections: 1_024,
  inFlight: 256,
  arriving: 1_024,
  bodyRate: 240,
  bodyGrace: 5_000,
  requestsPerSocket: 1_000,
  drainTimeout: 10_000,
};

export type LimitOptions = { readonly [Name in keyof ServerLimits]?: number | undefined };

/** The defaults with the limits of the options. */
export function withLimits(options: LimitOptions = {}): ServerLimits {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(serverLimits, name)) throw new ConfigError(`There is no limit "${name}".`);
    if (typeof value !== "number" || !(value >= 0))
      throw new ConfigError(`The limit "${name}" must be a number, 0 or more.`);
  }
  return { ...serverLimits, ...Object.fromEntries(given) };
}

/** A request over a limit. The client gets a fixed text; the incident names the limit, its value and its option. */
export class LimitError extends Error {
  readonly limit: keyof ServerLimits;
  readonly value: number;

  constructor(limit: keyof ServerLimits, value: number) {
    super(`The request passes the limit ${limit} = ${value}; the option limits.${limit} sets it.`);
    this.name = "LimitError";
    this.limit = limit;
    this.value = value;
  }
}
