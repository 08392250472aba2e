/** Numbers that look random and are the same in every run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to, and without, a limit. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T | undefined {
    return items[this.below(Math.max(1, items.length))];
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  text(length: number): string {
    return Array.from({ length }, () => letters[this.below(letters.length)]).join("");
  }

  digits(length: number): string {
    return Array.from({ length }, () => String(this.below(10))).join("");
  }
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
