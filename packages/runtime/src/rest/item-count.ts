/** The lists of a request have more items than it may send. */
export class ItemLimitError extends Error {
  constructor(limit: number) {
    super(`The request has more than ${limit} list items.`);
    this.name = "ItemLimitError";
  }
}

/** Counts the list items of one request, however its lists are written. */
export class ItemCount {
  readonly #limit: number;
  #count = 0;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** How many more items there may be. */
  get left(): number {
    return this.#limit - this.#count;
  }

  /** Throws `ItemLimitError`. */
  add(items: number): void {
    this.#count += items;
    if (this.#count > this.#limit) throw new ItemLimitError(this.#limit);
  }

  /** Goes back to an earlier count, before the same items are read again. */
  resetTo(count: number): void {
    this.#count = count;
  }
}
