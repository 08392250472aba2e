/** An amount of work or of size that several places use up together: sources of any size must not cost more. */
export class Budget {
  #left: number;

  constructor(amount: number) {
    this.#left = amount;
  }

  /** Uses up an amount; false once more was used than there was. */
  spend(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }
}
