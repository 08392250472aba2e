/** Remembers the digests of messages, so that a recorded message cannot be sent again. Processes can share a cache. */
export interface ReplayCache {
  /** Remembers a digest for `lifetime` milliseconds. Returns false if the digest is already known. */
  add(key: string, lifetime: number): boolean | Promise<boolean>;
}

/** The maximum number of messages that a replay cache in the memory of a process remembers. */
const maxMessages = 100_000;

/** Remembers messages in the memory of this process. When it is full, calls are refused until messages expire. */
export function memoryReplayCache(now: () => number = () => performance.now()): ReplayCache {
  const expirations = new Map<string, number>();
  // The oldest messages are first in the map. The iterator is reused, because a new one would have to skip the entries
  // of all messages that have been forgotten.
  let messages = expirations.entries();
  let oldest = messages.next();
  const forgetExpired = (time: number): void => {
    if (oldest.done === true) {
      messages = expirations.entries();
      oldest = messages.next();
    }
    while (oldest.done !== true && oldest.value[1] <= time) {
      expirations.delete(oldest.value[0]);
      oldest = messages.next();
    }
  };
  return {
    add(key, lifetime) {
      const time = now();
      forgetExpired(time);
      if (expirations.has(key)) {
        return false;
      }
      if (expirations.size >= maxMessages) {
        throw new Error(
          `The replay cache is full: it remembers ${maxMessages} messages. Decrease the option "maxAge", or set the option "replayCache" to a larger store.`,
        );
      }
      expirations.set(key, time + lifetime);
      return true;
    },
  };
}
