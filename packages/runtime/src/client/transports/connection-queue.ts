import { ConfigError } from "../../errors.js";
import { checkPem } from "../../http/pem.js";
import {
  createChoice,
  createInterface,
  createRecord,
  findWrongOption,
  functionType,
  namesType,
  type OptionType,
  type OptionTypes,
  stringType,
} from "../../option-types.js";
import { CancelledError } from "../exchange/cancellation.js";
import type { SoapClientOptions } from "../options.js";
import { readAddress } from "../read-address.js";
import { QueueFullError, type TransportChoice, type TransportOptions, type TransportRequest } from "../transport.js";
import { suggestOption } from "./node-suggestions.js";

/** The maximum number of calls that a transport sends at the same time, and the maximum number of calls that wait. */
export interface ConnectionLimits {
  readonly maxSockets?: number | undefined;
  readonly maxQueued?: number | undefined;
}

type SendOnConnection<T> = (request: TransportRequest, release: () => void) => Promise<T>;

/**
 * Limits the number of concurrent connections of one transport. Further calls wait in order, until they time out or are
 * aborted.
 */
export class ConnectionQueue {
  readonly #maxQueued: number;
  #freeConnections: number;
  readonly #waitingCalls = new Set<() => void>();

  constructor({ maxSockets = 64, maxQueued = 10_000 }: ConnectionLimits) {
    this.#freeConnections = checkCount(maxSockets, "maxSockets", 1);
    this.#maxQueued = checkCount(maxQueued, "maxQueued", 0);
  }

  /**
   * Sends a request as soon as a connection is available. `send` calls `release` when it no longer uses the connection.
   */
  run<T>(request: TransportRequest, send: SendOnConnection<T>): Promise<T> {
    if (this.#freeConnections > 0) {
      this.#freeConnections -= 1;
      return this.#start(request, send);
    }
    return this.#waitForConnection(request).then(() => this.#start(request, send));
  }

  // Not an async function: its promises would add 0.3 µs to the 42 µs of a call.
  #start<T>(request: TransportRequest, send: SendOnConnection<T>): Promise<T> {
    let isReleased = false;
    const release = () => {
      if (!isReleased) {
        isReleased = true;
        this.#release();
      }
    };
    try {
      const answer = send(request, release);
      answer.catch(release);
      return answer;
    } catch (error) {
      release();
      return Promise.reject(error);
    }
  }

  async #waitForConnection(request: TransportRequest): Promise<void> {
    if (this.#waitingCalls.size >= this.#maxQueued) {
      throw new QueueFullError(this.#maxQueued);
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        removeListener();
        resolve();
      };
      this.#waitingCalls.add(start);
      const removeListener = request.onCancel(() => {
        if (this.#waitingCalls.delete(start)) {
          reject(new CancelledError('the call was waiting for a connection (option "maxSockets")'));
        }
      });
    });
  }

  #release(): void {
    const [startNext] = this.#waitingCalls;
    if (startNext === undefined) {
      this.#freeConnections += 1;
      return;
    }
    this.#waitingCalls.delete(startNext);
    startNext();
  }
}

function checkCount(value: number, name: string, minimum: number): number {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= minimum)) {
    return value;
  }
  throw new ConfigError(`The option "${name}" must be an integer of at least ${minimum}, or Infinity.`);
}

/** The address of an HTTP proxy, and the headers for requests to it. */
export interface HttpProxy {
  /** The host and the port, for messages. */
  readonly name: string;
  readonly hostname: string;
  readonly port: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the address and the credentials in the option `proxy`. Throws `ConfigError` if the scheme of the address is not
 * http.
 */
export function readProxy(text: string): HttpProxy {
  const { origin, authorization } = readAddress(text, 'option "proxy"');
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "http:") {
    throw new ConfigError('The option "proxy" must be an http address.');
  }
  return {
    name: `${hostname}:${port || "80"}`,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port || "80",
    headers: authorization === undefined ? {} : { "Proxy-Authorization": authorization },
  };
}

/** Names of Node's TLS options for clients, for suggestions. */
const tlsNames = [
  ...["ca", "cert", "key", "pfx", "passphrase", "servername", "rejectUnauthorized", "minVersion", "maxVersion"],
  ...["ciphers", "checkServerIdentity"],
];

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === "string";

/** Returns the type of an option that is a text, or an object with a text for each service. */
function createTextsType(description: string): OptionType {
  const { accepts } = createRecord(isTextOrAbsent, description);
  return { accepts: (value) => typeof value === "string" || (accepts(value) && !(value instanceof URL)), description };
}

/**
 * Returns the types of further options of clients. With another type, an option would have no effect, or each call
 * would fail with an error about something else. They are checked on Node only, to keep bundles for browsers small.
 */
function createOptionTypes(): Partial<OptionTypes<SoapClientOptions>> {
  const { accepts: isObserver } = createInterface("begin");
  return {
    onCall: functionType,
    onError: functionType,
    onTolerated: functionType,
    onUploadProgress: functionType,
    observe: {
      accepts: (value) => [value].flat().every(isObserver),
      description: "an object with the function begin, or a list of such objects",
    },
    safeOperations: namesType,
    requestId: stringType,
    unknown: createChoice("ignore", "error"),
    illegalCharacters: createChoice("refuse", "replace"),
    address: createTextsType("a string, or an object with a string for each service"),
    port: createTextsType("the name of a port, or an object with a name for each service"),
  };
}

let optionTypes: Partial<OptionTypes<SoapClientOptions>> | undefined;

/**
 * Refuses options that cannot be combined or have another type, an array of certificates in place of the option `tls`,
 * misspelled members of this option, and members that are not in PEM format.
 */
export function checkConnectionOptions(options: TransportChoice): void {
  // Created on first use, because modules that import each other may not have run when this module runs.
  optionTypes ??= createOptionTypes();
  const wrong = findWrongOption(options, optionTypes);
  if (wrong !== undefined) {
    throw new ConfigError(`The option "${wrong.name}" must be ${wrong.description}.`);
  }
  const { transport, agent, proxy, socketPath, tls, maxSockets, maxQueued } = options;
  const defaultOptions: Record<keyof TransportOptions, unknown> = {
    agent,
    proxy,
    socketPath,
    tls,
    maxSockets,
    maxQueued,
  };
  const [unusedName] = Object.entries(defaultOptions).find(([, value]) => value !== undefined) ?? [];
  if (transport !== undefined && unusedName !== undefined) {
    throw new ConfigError(
      `The options "transport" and "${unusedName}" cannot be combined, because a transport makes its own connections. Remove one of them.`,
    );
  }
  if (Array.isArray(tls)) {
    throw new ConfigError('The option "tls" must be an object such as { ca }, not an array.');
  }
  for (const name of Object.keys(tls ?? {})) {
    // Other unknown names are passed on, because Node has more options.
    const suggestion = tlsNames.includes(name) ? "" : suggestOption(name, tlsNames);
    if (suggestion !== "") {
      throw new ConfigError(`The option "tls" has no member "${name}".${suggestion}`);
    }
  }
  checkPem(tls ?? {});
  if (agent !== undefined && proxy !== undefined) {
    throw new ConfigError(
      'The options "agent" and "proxy" cannot be combined, because an agent makes its own connections. Remove one of them.',
    );
  }
  if (socketPath !== undefined && proxy !== undefined) {
    throw new ConfigError(
      'The options "socketPath" and "proxy" cannot be combined, because a proxy makes its own connections. Remove one of them.',
    );
  }
  if (agent !== undefined && (maxSockets !== undefined || maxQueued !== undefined)) {
    throw new ConfigError(
      'The options "maxSockets" and "maxQueued" cannot be combined with an agent. Set the limits of the agent instead.',
    );
  }
}
