import { KeyedHash } from "../../keyed-hash.js";

/**
 * Counts requests. Several processes can share a store, for example a store in Redis that calls `INCR`, and then
 * `PEXPIRE` if the count is 1.
 */
export interface RateLimitStore {
  /** Counts one request under a key. A window begins with its first request and lasts for `window` milliseconds. */
  count(key: string, window: number): RateCount | Promise<RateCount>;
}

/** The state of one key in the current window of a rate. */
export interface RateCount {
  /** The number of requests in the current window, this request included. */
  readonly requests: number;
  /** Milliseconds until the window ends. */
  readonly resetsIn: number;
  /** The number of other keys whose counts the store has just dropped because it is full. Default 0. */
  readonly droppedKeys?: number | undefined;
}

/** The maximum number of keys in a store that uses the memory of this process. */
const maxKeys = 100_000;
/** The number of keys that a full store drops at once. Many requests share the time that it takes to choose them. */
const droppedAtOnce = 10_000;
/** The maximum length of a key in UTF-16 units. A longer key is replaced by its hash. */
const maxKeyLength = 64;

/** The requests of one key in its current window. */
interface KeyWindow {
  requests: number;
  endsAt: number;
}

/**
 * Returns a store that uses the memory of this process, for at most 100,000 keys. A full store drops the keys whose
 * windows have ended or, if there are too few of them, those with the lowest counts: to reset a count, a client must
 * send at least as many requests with each of 90,000 other keys.
 */
export function memoryStore(now: () => number = () => performance.now()): RateLimitStore {
  const windows = new Map<string, KeyWindow>();
  let hash: KeyedHash | undefined;
  const shortenKey = (key: string): string => {
    if (key.length > maxKeyLength) {
      hash ??= new KeyedHash();
      return `#${hash.hash(key).join()}`;
    }
    // Copies the key, because it may be a slice, which would keep a whole header in memory.
    return ` ${key}`;
  };
  return {
    count(receivedKey, window) {
      const time = now();
      const key = shortenKey(String(receivedKey));
      let currentWindow = windows.get(key);
      let droppedKeys = 0;
      if (currentWindow === undefined) {
        if (windows.size >= maxKeys) {
          droppedKeys = dropKeys(windows, time);
        }
        currentWindow = { requests: 0, endsAt: time + window };
        windows.set(key, currentWindow);
      } else if (currentWindow.endsAt <= time) {
        currentWindow.requests = 0;
        currentWindow.endsAt = time + window;
      }
      currentWindow.requests += 1;
      return { requests: currentWindow.requests, resetsIn: currentWindow.endsAt - time, droppedKeys };
    },
  };
}

/** Drops keys of a full store. Returns the number of dropped keys whose windows had not ended. */
function dropKeys(windows: Map<string, KeyWindow>, time: number): number {
  const keysByCount = new Map<number, string[]>();
  for (const [key, { requests, endsAt }] of windows) {
    if (endsAt <= time) {
      windows.delete(key);
      continue;
    }
    const keys = keysByCount.get(requests);
    if (keys === undefined) {
      keysByCount.set(requests, [key]);
    } else {
      keys.push(key);
    }
  }
  const excess = windows.size - (maxKeys - droppedAtOnce);
  if (excess <= 0) {
    return 0;
  }
  const counts = [...keysByCount.keys()].sort((left, right) => left - right);
  const droppedKeys = counts.flatMap((count) => keysByCount.get(count) ?? []).slice(0, excess);
  for (const key of droppedKeys) {
    windows.delete(key);
  }
  return droppedKeys.length;
}
