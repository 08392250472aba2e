/**
 * How much work checks may still do, over all types together. They look for what is better told than not, at a cost that a hostile
 * schema could make quadratic; when the work is used up, the rest is taken to be right.
 */
export class Work {
  #left: number;

  constructor(amount: number) {
    this.#left = amount;
  }

  /** Uses some up; false once there is none left. */
  spend(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }

  get isLeft(): boolean {
    return this.#left > 0;
  }
}
