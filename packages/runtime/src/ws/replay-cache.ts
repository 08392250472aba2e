import { RefusalCause } from "../answer-errors.js";
import { type Hash, KeyedHash } from "../keyed-hash.js";
import { checkOptionsOf } from "../option-checks.js";
import { functionType, type OptionTypes } from "../option-types.js";

/** Remembers the digests of messages, so that a recorded message cannot be sent again. Processes can share a cache. */
export interface ReplayCache {
  /**
   * Remembers a digest for `lifetime` milliseconds. Returns false if the digest is already known. `username` is the
   * user who sent the message, so that the cache can limit the number of messages of each user.
   */
  add(key: string, lifetime: number, username?: string): boolean | Promise<boolean>;
}

/** Options of `memoryReplayCache`. */
export interface MemoryReplayCacheOptions {
  /**
   * The maximum number of messages that the cache remembers. Each takes up to 72 bytes. Default 1,000,000. A user's
   * messages are refused while the cache remembers as many messages of this user as it has free places.
   */
  readonly maxMessages?: number | undefined;
  /** Returns the current time in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** The largest value of `maxMessages`, because typed arrays of more items may be too large for the platform. */
const largestMaxMessages = 100_000_000;

const optionTypes: OptionTypes<MemoryReplayCacheOptions> = {
  maxMessages: {
    accepts: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= largestMaxMessages,
    description: `a whole number from 1 to ${largestMaxMessages}`,
  },
  now: functionType,
};

/**
 * Remembers messages in the memory of this process. A user may have as many messages in the cache as it has free
 * places: one user can occupy half of it, and two users a third each, so that no user can block the others. Throws an
 * error for a message beyond this share.
 */
export function memoryReplayCache(options: MemoryReplayCacheOptions = {}): ReplayCache {
  checkOptionsOf("memoryReplayCache", options, optionTypes);
  const { maxMessages = 1_000_000, now = () => performance.now() } = options;
  // Created on first use, because some platforms allow no random numbers while modules are loaded.
  let table: MessageTable | undefined;
  let keyedHash: KeyedHash | undefined;
  return {
    add(key, lifetime, username) {
      table ??= new MessageTable();
      keyedHash ??= new KeyedHash();
      const time = now();
      table.forgetExpired(time);
      const hash = keyedHash.hash(key);
      if (table.has(hash)) {
        return false;
      }
      // Differently written names of one user share their places, because a user directory may ignore the case.
      const owner = username === undefined ? noOwner : keyedHash.hash(username.normalize("NFKC").toLowerCase())[0];
      const share = owner === noOwner ? 0 : table.countOf(owner);
      if (table.size + share >= maxMessages) {
        throw createFullError(maxMessages);
      }
      table.add(hash, { expiration: time + lifetime, owner });
      return true;
    },
  };
}

function createFullError(maxMessages: number): RefusalCause {
  const error = new RefusalCause(
    `The replay cache remembers at most ${maxMessages} messages, and as many messages of the user as it has free places. To accept more calls, increase the option "maxMessages" of memoryReplayCache, or decrease the option "maxAge" of verifyUsernameToken.`,
  );
  error.limit = { name: "replayCache", value: maxMessages, option: "maxMessages of memoryReplayCache" };
  return error;
}

/** The owner of messages without a user name. */
const noOwner = 0;

interface StoredMessage {
  /** The time at which the message is forgotten. */
  readonly expiration: number;
  /** A hash of the user's name. */
  readonly owner: number;
}

/** The number of places in an empty table; a power of two, as all numbers of places. */
const smallestCapacity = 1_024;

/**
 * A hash table of messages in typed arrays: 36 bytes for each place. The messages form a ring, in the order in which
 * they were added. A bucket is a linked list of the messages whose hashes have the same lowest bits.
 */
class MessageTable {
  size = 0;
  #capacity = smallestCapacity;
  /** The place of the oldest message. */
  #start = 0;
  #hashes = new Int32Array(4 * smallestCapacity);
  #expirations = new Float64Array(smallestCapacity);
  #owners = new Int32Array(smallestCapacity);
  /** The first place of each bucket, plus 1; 0 for an empty bucket. */
  #buckets = new Int32Array(smallestCapacity);
  /** The next place in the bucket of each place, plus 1; 0 at the end. */
  #next = new Int32Array(smallestCapacity);
  /** The number of messages by the hash of their user's name. */
  readonly #counts = new Map<number, number>();
  countOf(owner: number): number {
    return this.#counts.get(owner) ?? 0;
  }

  has([first, second, third, fourth]: Hash): boolean {
    let place = getItem(this.#buckets, first & (this.#capacity - 1)) - 1;
    while (place >= 0) {
      const hashes = this.#hashes;
      const start = 4 * place;
      if (
        hashes[start] === first &&
        hashes[start + 1] === second &&
        hashes[start + 2] === third &&
        hashes[start + 3] === fourth
      ) {
        return true;
      }
      place = getItem(this.#next, place) - 1;
    }
    return false;
  }

  add(hash: Hash, { expiration, owner }: StoredMessage): void {
    if (this.size === this.#capacity) {
      this.#resize(2 * this.#capacity);
    }
    const place = (this.#start + this.size) & (this.#capacity - 1);
    this.#hashes.set(hash, 4 * place);
    this.#expirations[place] = expiration;
    this.#owners[place] = owner;
    this.size += 1;
    this.#link(place);
    this.#counts.set(owner, this.countOf(owner) + 1);
  }

  /** Forgets the oldest messages, up to the first that has not expired. */
  forgetExpired(time: number): void {
    while (this.size > 0 && getItem(this.#expirations, this.#start) <= time) {
      this.#forgetOldest();
    }
    if (this.#capacity > smallestCapacity && this.size < this.#capacity / 8) {
      this.#resize(this.#capacity / 4);
    }
  }

  #forgetOldest(): void {
    const place = this.#start;
    this.#start = (place + 1) & (this.#capacity - 1);
    this.size -= 1;
    this.#unlink(place);
    const owner = getItem(this.#owners, place);
    const count = this.countOf(owner) - 1;
    if (count > 0) {
      this.#counts.set(owner, count);
    } else {
      this.#counts.delete(owner);
    }
  }

  /** Adds a place to the start of its bucket. */
  #link(place: number): void {
    const bucket = this.#bucketOf(place);
    this.#next[place] = getItem(this.#buckets, bucket);
    this.#buckets[bucket] = place + 1;
  }

  #unlink(place: number): void {
    const bucket = this.#bucketOf(place);
    const following = getItem(this.#next, place);
    let previous = getItem(this.#buckets, bucket) - 1;
    if (previous === place) {
      this.#buckets[bucket] = following;
      return;
    }
    while (getItem(this.#next, previous) - 1 !== place) {
      previous = getItem(this.#next, previous) - 1;
    }
    this.#next[previous] = following;
  }

  #bucketOf(place: number): number {
    return getItem(this.#hashes, 4 * place) & (this.#capacity - 1);
  }

  #resize(capacity: number): void {
    const start = this.#start;
    // The ring may continue at place 0, so it has two parts.
    const firstPart = Math.min(this.size, this.#capacity - start);
    const copyRing = <Items extends Int32Array | Float64Array>(source: Items, target: Items, width = 1): Items => {
      target.set(source.subarray(width * start, width * (start + firstPart)));
      target.set(source.subarray(0, width * (this.size - firstPart)), width * firstPart);
      return target;
    };
    this.#hashes = copyRing(this.#hashes, new Int32Array(4 * capacity), 4);
    this.#expirations = copyRing(this.#expirations, new Float64Array(capacity));
    this.#owners = copyRing(this.#owners, new Int32Array(capacity));
    this.#buckets = new Int32Array(capacity);
    this.#next = new Int32Array(capacity);
    this.#capacity = capacity;
    this.#start = 0;
    for (let place = 0; place < this.size; place += 1) {
      this.#link(place);
    }
  }
}

/** Returns an item that exists. */
function getItem(items: Int32Array | Float64Array, index: number): number {
  return items[index] ?? 0;
}
