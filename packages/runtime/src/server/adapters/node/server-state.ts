import { countLostLines } from "../../../observe/loggers.js";
import type { CountedMemory } from "../../admission.js";
import type { Connections } from "./connections.js";
import type { NodeServer } from "./server.js";

/** Figures about a running server and its process, for a line in a log or a dashboard. */
export interface ServerState {
  /** The memory of the process, in bytes. */
  readonly rss: number;
  /** The memory of the objects in JavaScript's heap, in bytes. Includes garbage that has not been collected yet. */
  readonly heapUsed: number;
  /**
   * The longest time in milliseconds since the previous call of `state` for which the event loop was late; 0 in the
   * first call.
   */
  readonly eventLoopDelay: number;
  /** The number of requests that have not been answered yet. */
  readonly inFlight: number;
  /**
   * The estimated memory in bytes that counts toward the limit `inFlightBytes`: the bodies of requests that have not
   * been answered yet, and the values that were read from them. Requests that take less than their share do not count.
   */
  readonly inFlightBytes: number;
  /** The highest value of `inFlightBytes` since the server started. */
  readonly highestInFlightBytes: number;
  /** The number of open connections. */
  readonly connections: number;
  /** The number of requests that were answered since the server started. */
  readonly answered: number;
  /**
   * The number of log lines that this process could not write to standard output or standard error, because a disk was
   * full or nobody read them.
   */
  readonly lostLines: number;
}

/** The time in milliseconds between two measurements of the event loop's delay. */
const delayInterval = 50;

/**
 * Reads the state of a server. Measures the delay of the event loop from the first call on. `monitorEventLoopDelay` of
 * Node is not used, because it misses a delay that begins within 20 ms of a reset.
 */
export class ServerStateReader {
  readonly #server: NodeServer;
  readonly #connections: Connections;
  readonly #memory: CountedMemory;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastTime = 0;
  #longestDelay = 0;

  constructor(server: NodeServer, connections: Connections, memory: CountedMemory) {
    this.#server = server;
    this.#connections = connections;
    this.#memory = memory;
    server.once("close", () => clearInterval(this.#timer));
  }

  async read(): Promise<ServerState> {
    const connections = await new Promise<number>((resolve) => {
      this.#server.getConnections((_, count) => resolve(count ?? 0));
    });
    const { rss, heapUsed } = process.memoryUsage();
    const { answeredCount: answered } = this.#connections;
    // The list also contains requests that were answered a moment ago.
    const inFlight = this.#connections
      .listActiveExchanges()
      .filter(({ endInterval }) => endInterval === undefined).length;
    const eventLoopDelay = this.#takeLongestDelay();
    const { bytes: inFlightBytes, highestBytes: highestInFlightBytes } = this.#memory;
    return {
      rss,
      heapUsed,
      eventLoopDelay,
      inFlight,
      inFlightBytes,
      highestInFlightBytes,
      connections,
      answered,
      lostLines: countLostLines(),
    };
  }

  #takeLongestDelay(): number {
    if (this.#timer === undefined) {
      this.#lastTime = performance.now();
      this.#timer = setInterval(this.#measureDelay, delayInterval).unref();
    }
    const delay = Math.round(this.#longestDelay);
    this.#longestDelay = 0;
    return delay;
  }

  readonly #measureDelay = (): void => {
    const now = performance.now();
    this.#longestDelay = Math.max(this.#longestDelay, now - this.#lastTime - delayInterval);
    this.#lastTime = now;
  };
}
