/** A hash of 128 bits, as four integers. */
export type Hash = readonly [number, number, number, number];

/**
 * Hashes texts for tables in memory. Each object has random seeds, so that a client which chooses the texts cannot
 * choose their hashes. A code unit changes all four integers in a way that can be reversed, so that two texts of the
 * same length have the same hash only if later units cancel the difference in all 128 bits. Not for secrets: the
 * function is fast, but not a cryptographic one.
 */
export class KeyedHash {
  readonly #seeds = crypto.getRandomValues(new Int32Array(4));

  hash(text: string): Hash {
    let [first = 0, second = 0, third = 0, fourth = 0] = this.#seeds;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      first = second ^ Math.imul(first ^ unit, 0x9e3779b1);
      second = third ^ Math.imul(second ^ unit, 0x85ebca6b);
      third = fourth ^ Math.imul(third ^ unit, 0xc2b2ae35);
      fourth = first ^ Math.imul(fourth ^ (fourth >>> 15) ^ unit, 0x27d4eb2f);
    }
    first = mixBits(first ^ (fourth >>> 13));
    second = mixBits(second ^ first);
    third = mixBits(third ^ second);
    fourth = mixBits(fourth ^ third);
    return [mixBits(first ^ fourth), second, third, fourth];
  }
}

/** Distributes the bits of an integer over all its bits (the last step of MurmurHash3). */
function mixBits(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
