import type { XmlLimits } from "@bothends/xml";
import { messageLimits, type ReferenceLimits, referenceLimits } from "@bothends/xml/limits";
import { suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError, createBrand, isInstance } from "./errors.js";

/**
 * The limits of a server, its connections and its requests. A limit of 0 allows nothing; it does not turn the limit
 * off.
 */
export interface ServerLimits extends XmlLimits, ReferenceLimits {
  /** The maximum size of a request's body in bytes. */
  readonly bodyBytes: number;
  /** The maximum size of a request's body after decompression in bytes, with the option `compressedRequests`. */
  readonly inflatedBytes: number;
  /** The maximum depth of nested lists and objects in a JSON body. */
  readonly jsonDepth: number;
  /** The maximum number of object keys in a JSON body. */
  readonly jsonKeys: number;
  /** The maximum number of list items in the arguments of a REST request. */
  readonly jsonItems: number;
  /** The maximum length of path and query together, in bytes. */
  readonly urlBytes: number;
  /** The maximum number of parameters in a query. */
  readonly queryPairs: number;
  /** The maximum number of parameters in a form. */
  readonly formPairs: number;
  /** The maximum length of a parameter's name, in UTF-16 units. */
  readonly paramName: number;
  /** The maximum length of a parameter's value, in UTF-16 units. */
  readonly paramValue: number;
  /** The maximum length of a path variable's value, in UTF-16 units. */
  readonly segmentChars: number;
  /** The maximum number of different addresses that `_embed` requests for one answer. */
  readonly embeds: number;
  /** The maximum size of all header lines of a request, in bytes. */
  readonly headerBytes: number;
  /** The maximum number of header lines of a request. */
  readonly headers: number;
  /** Milliseconds within which the headers of a request must arrive. */
  readonly headersTimeout: number;
  /** Milliseconds within which a complete request must arrive. */
  readonly requestTimeout: number;
  /**
   * Milliseconds for which a client may keep an idle connection, as `Keep-Alive` announces. The server closes the
   * connection a second later.
   */
  readonly keepAliveTimeout: number;
  /** Milliseconds between checks of connection timeouts and body rates. */
  readonly checkInterval: number;
  /** Milliseconds within which a handler must answer a call. */
  readonly handlerTimeout: number;
  /** The maximum number of open connections. */
  readonly connections: number;
  /**
   * The maximum number of requests that are answered at the same time. A request whose body is still arriving does not
   * count.
   */
  readonly inFlight: number;
  /**
   * The maximum estimated memory of the requests that are being answered, in bytes: their bodies, and the values that
   * were read from them. A request that takes less than its share, `inFlightBytes` divided by `inFlight`, does not
   * count and is not refused. Default: a quarter of the limit of JavaScript's heap.
   */
  readonly inFlightBytes: number;
  /**
   * The maximum number of requests whose bodies arrive at the same time. A body that arrives with its head does not
   * count.
   */
  readonly arrivingBodies: number;
  /**
   * The maximum number of bytes in memory of all arriving bodies together. Beyond this limit, the server refuses the
   * body with the highest product of bytes and arrival time.
   */
  readonly arrivingBytes: number;
  /**
   * The maximum number of bytes of all answers that their clients have not received yet, on servers of `listen`. Beyond
   * this limit, the server disconnects the clients with the highest product of bytes and time, and answers new requests
   * with 503 until their memory is free. Default: a quarter of the limit of JavaScript's heap, but at most 256 MiB.
   */
  readonly unreadBytes: number;
  /** The minimum rate of a body, in bytes per second since its start. */
  readonly bodyRate: number;
  /** Milliseconds after which the rate of a body is checked. */
  readonly bodyRateGracePeriod: number;
  /** The maximum number of requests on one connection. */
  readonly requestsPerSocket: number;
  /** Milliseconds that `close` waits at most for requests in flight. */
  readonly drainTimeout: number;
}

let heapLimit: number | undefined;

/**
 * Returns the limit of JavaScript's heap in bytes, such as `node --max-old-space-size` sets. On platforms that do not
 * know it, 256 MiB. The result is always the same, although the limit changes in Bun, because a default that changes
 * would seem to be the value of an option. `node:v8` is not imported, so that bundlers for such platforms need not find
 * it.
 */
function getHeapLimit(): number {
  if (heapLimit === undefined) {
    const { process } = globalThis as {
      readonly process?: { readonly getBuiltinModule?: (name: string) => HeapModule | undefined };
    };
    const limit = process?.getBuiltinModule?.("node:v8")?.getHeapStatistics().heap_size_limit ?? 0;
    heapLimit = limit > 0 ? limit : 268_435_456;
  }
  return heapLimit;
}

interface HeapModule {
  getHeapStatistics(): { readonly heap_size_limit: number };
}

/**
 * The default limits of servers. Those that depend on the limit of the heap are getters: with `node:v8`, the import of
 * a server would take 2 ms more.
 */
export const serverLimits: ServerLimits = {
  ...messageLimits,
  ...referenceLimits,
  bodyBytes: 4_194_304,
  inflatedBytes: 4_194_304,
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
  get inFlightBytes() {
    return Math.floor(getHeapLimit() / 4);
  },
  arrivingBodies: 1_024,
  arrivingBytes: 268_435_456,
  get unreadBytes() {
    return Math.min(268_435_456, Math.floor(getHeapLimit() / 4));
  },
  bodyRate: 240,
  bodyRateGracePeriod: 5_000,
  requestsPerSocket: 1_000,
  drainTimeout: 10_000,
};

/** The limits that the option `limits` changes. Absent limits have their default. */
export type LimitOptions = { readonly [Name in keyof ServerLimits]?: number | undefined };

/** Merges the limits from the options over the defaults. */
export function mergeServerLimits(options: LimitOptions = {}): ServerLimits {
  const changedLimits = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of changedLimits) {
    if (!Object.hasOwn(serverLimits, name)) {
      throw new ConfigError(
        `The option "limits" has the unknown member "${name}".${suggestNearest(name, Object.keys(serverLimits))}`,
      );
    }
    if (typeof value !== "number" || !(value >= 0)) {
      throw new ConfigError(`The option "limits.${name}" must be a number, 0 or more.`);
    }
  }
  return { ...serverLimits, ...Object.fromEntries(changedLimits) };
}

/** The limits of connections and requests. Routers and `listen` apply them; routes apply the others. */
const requestLimits: readonly (keyof ServerLimits)[] = [
  ...(["headerBytes", "headers", "headersTimeout", "requestTimeout", "keepAliveTimeout", "checkInterval"] as const),
  ...(["connections", "inFlight", "inFlightBytes", "arrivingBodies", "arrivingBytes", "unreadBytes"] as const),
  ...(["bodyRate", "bodyRateGracePeriod", "requestsPerSocket", "drainTimeout"] as const),
];

/**
 * Returns a message for each limit that has no effect where it is set: in the option of a router although routes apply
 * it, or the other way round. A limit with the same value in both options is not reported, because programs may pass
 * one object to several functions.
 */
export function describeUnusedLimits(options: LimitOptions = {}, limitsOfRoutes: readonly ServerLimits[]): string[] {
  const limitsOfServer = mergeServerLimits(options);
  const names = Object.keys(serverLimits) as (keyof ServerLimits)[];
  return names.flatMap((name) => {
    const value = limitsOfServer[name];
    const standard = serverLimits[name];
    const valuesOfRoutes = limitsOfRoutes.map((limits) => limits[name]);
    if (requestLimits.includes(name)) {
      return valuesOfRoutes.every((other) => other === value || other === standard)
        ? []
        : `The member "${name}" of the option "limits" of routes has no effect. Set it in the option "limits" of the server, for example of listen.`;
    }
    // Routers apply `urlBytes` too, and a longer `handlerTimeout` gives clients more time to read their answers.
    const isUsed = name === "urlBytes" || (name === "handlerTimeout" && value > Math.min(...valuesOfRoutes));
    return isUsed || value === standard || valuesOfRoutes.includes(value)
      ? []
      : `The member "${name}" of the option "limits" of the server does not limit the calls of its routes. Set it in the option "limits" of the routes.`;
  });
}

/**
 * Returns a message for each different limit `bodyBytes` of routes that allows bodies which the server always refuses,
 * because they alone exceed a limit for all requests together. The default of `bodyBytes` is not reported, because
 * nobody has chosen it.
 */
export function describeUnreachableLimits(
  options: LimitOptions = {},
  limitsOfRoutes: readonly ServerLimits[],
): string[] {
  const { inFlightBytes, arrivingBytes } = mergeServerLimits(options);
  const largestBody = Math.min(arrivingBytes, inFlightBytes / 2);
  const [name, reason] =
    largestBody === arrivingBytes
      ? (["arrivingBytes", ""] as const)
      : (["inFlightBytes", ", because the bytes of a body count twice"] as const);
  const bodyLimits = new Set(limitsOfRoutes.map(({ bodyBytes }) => bodyBytes));
  return [...bodyLimits]
    .filter((bodyBytes) => bodyBytes > largestBody && bodyBytes !== serverLimits.bodyBytes)
    .map(
      (bodyBytes) =>
        `The option ${formatLimitOption("limits.bodyBytes")} allows bodies of ${bodyBytes} bytes, but the option ${formatLimitOption(`limits.${name}`)} refuses each body of more than ${Math.floor(largestBody)} bytes${reason}. Increase the latter, or decrease the former.`,
    );
}

/** Returns an option such as `limits.bodyBytes`, in quotation marks, with the object in which it has an effect. */
function formatLimitOption(option: string): string {
  const name = option.replace(/^limits\./, "");
  const isOfServer = name === "urlBytes" || requestLimits.some((limit) => limit === name);
  return `"${option}" of the ${isOfServer ? "server" : "routes"}`;
}

/** Messages for limits that a request can exceed although its content is within all limits. */
const messages: { readonly [Name in LimitError["limit"]]?: (value: number, option: string) => string } = {
  handlerTimeout: (value, option) =>
    `The handler did not answer within ${value} ms. Check what it waits for, such as a database, or increase the option ${option}.`,
  inFlight: (value, option) =>
    `The server is already answering ${value} requests. Check whether handlers are slow, or increase the option ${option}. This is reported once a minute.`,
  inFlightBytes: (value, option) =>
    `The requests that the server is answering take more than ${value} bytes of memory together. Check whether handlers are slow, or increase the option ${option}. This is reported once a minute.`,
  concurrency: (value) =>
    `The operation already has ${value} running handlers. Check whether they are slow, or increase the value in the option "operations" of concurrencyLimit. This is reported once a minute for each operation.`,
  connections: (value, option) =>
    `The server already has ${value} open connections. To accept more, increase the option ${option}.`,
  arrivingBodies: (value, option) =>
    `The bodies of ${value} requests are already arriving. To accept more, increase the option ${option}. This is reported once a minute.`,
  arrivingBytes: (value, option) =>
    `The bodies that are arriving have more than ${value} bytes together. To accept more, increase the option ${option}.`,
  unreadBytes: (value, option) =>
    `The answers that clients have not received yet have more than ${value} bytes together. To keep more in memory, increase the option ${option}. This is reported once a minute.`,
  bodyRate: (value, option) =>
    `The body arrives more slowly than ${value} bytes per second. To accept slower bodies, decrease the option ${option}.`,
  requestTimeout: (value, option) =>
    `The body did not arrive completely within ${value} ms. To accept slower bodies, increase the option ${option}.`,
  rate: (value, option) =>
    `The caller sent more than ${value} requests in the time window. To accept more, increase the option "requests"${option.replace(/^requests/, "")}.`,
};

/** The part of a request that exceeded a limit, by the name of the limit. */
const exceededParts: Readonly<Record<string, (value: number) => string>> = {
  bodyBytes: (value) => `The body of the request is larger than ${value} bytes.`,
  inflatedBytes: (value) => `The body of the request is larger than ${value} bytes after decompression.`,
  jsonDepth: (value) => `The JSON of the request has lists and objects nested more than ${value} levels deep.`,
  jsonKeys: (value) => `The JSON of the request has more than ${value} object keys.`,
  jsonItems: (value) => `The lists in the request have more than ${value} items together.`,
  urlBytes: (value) => `The path and the query of the request are longer than ${value} bytes together.`,
  queryPairs: (value) => `The query of the request has more than ${value} parameters.`,
  formPairs: (value) => `The form in the request has more than ${value} fields.`,
  paramName: (value) => `The name of a parameter is longer than ${value} characters.`,
  paramValue: (value) => `The value of a parameter is longer than ${value} characters.`,
  segmentChars: (value) => `The value of a variable in the path is longer than ${value} characters.`,
  embeds: (value) => `The parameter _embed requests more than ${value} different addresses for one answer.`,
  headerBytes: (value) => `The headers of the request are larger than ${value} bytes together.`,
  headers: (value) => `The request has more than ${value} headers.`,
  depth: (value) => `The message has elements nested more than ${value} levels deep.`,
  attributes: (value) => `An element of the message has more than ${value} attributes.`,
  namespaces: (value) => `An element of the message declares more than ${value} namespaces.`,
  attributeChars: (value) => `The value of an attribute in the message is longer than ${value} characters.`,
  namespaceChars: (value) => `The name of a namespace in the message is longer than ${value} characters.`,
  children: (value) =>
    `An element of the message has more than ${value} child elements, for example the items of a list.`,
  nodes: (value) => `The message has more than ${value} elements, attributes, namespaces and texts together.`,
  textChars: (value) => `A text in the message is longer than ${value} characters.`,
  nameChars: (value) => `A name in the message is longer than ${value} characters.`,
  comments: (value) => `The message has more than ${value} comments and processing instructions.`,
};

/**
 * Returns the message for the operator about a request that exceeds a limit. `position` is the place in the message at
 * which the limit is exceeded, if it is known.
 */
export function formatExceededLimit(name: string, value: number, option: string, position = ""): string {
  const problem = exceededParts[name]?.(value) ?? `The request exceeds the limit ${name} = ${value}.`;
  return `${problem}${position} To accept such requests, increase the option ${formatLimitOption(option)}.`;
}

/**
 * Thrown when a request exceeds a limit. The client gets a fixed text; the incident for the operator names the limit,
 * its value and its option.
 */
export class LimitError extends Error {
  static readonly brand: symbol = /* @__PURE__ */ createBrand("LimitError");
  static override [Symbol.hasInstance] = isInstance;
  readonly limit: keyof ServerLimits | "rate" | "concurrency";
  readonly value: number;
  /** The option that sets the limit: `limits.bodyBytes`. */
  readonly option: string;
  /** Whether the same problem was reported shortly before. If so, only the call's event receives this error. */
  isKnown = false;
  /** The `RepeatedProblem`, if the problem is reported only once a minute. */
  repeated: object | undefined;
  /**
   * Whether one request alone exceeds this limit for all requests together, so that it would be refused each time.
   * Routes answer it like a request that exceeds `bodyBytes`.
   */
  exceededByOneRequest = false;

  constructor(limit: LimitError["limit"], value: number, option = `limits.${limit}`) {
    const optionText = option.startsWith("limits.") ? formatLimitOption(option) : option;
    super(messages[limit]?.(value, optionText) ?? formatExceededLimit(limit, value, option));
    this.name = "LimitError";
    this.limit = limit;
    this.value = value;
    this.option = option;
  }
}

/** Returns the error for a request that alone exceeds a limit for the memory of all requests together. */
export function createTooLargeError(limit: "inFlightBytes" | "arrivingBytes", value: number): LimitError {
  const error = new LimitError(limit, value);
  const problem =
    limit === "inFlightBytes"
      ? `The request alone takes more than ${value} bytes of memory, so it would be refused each time: its body counts twice, and its values count too.`
      : `The body of the request alone is larger than ${value} bytes, so it would be refused each time.`;
  error.message = `${problem} To accept such requests, increase the option ${formatLimitOption(error.option)}; otherwise, decrease the option ${formatLimitOption("limits.bodyBytes")}, which allows the body.`;
  error.exceededByOneRequest = true;
  return error;
}
