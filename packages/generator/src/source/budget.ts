/** Limits the total work or size of several steps, so that a large or hostile source cannot exceed it. */
export class Budget {
  #left: number;

  constructor(amount: number) {
    this.#left = amount;
  }

  /** Spends an amount. Returns false if the budget is exceeded. */
  spend(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }
}
