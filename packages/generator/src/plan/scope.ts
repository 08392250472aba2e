/** Names that are taken, and those still to be had. One scope per place where names must differ. */
export class Scope {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  /** The first candidate that is free; if none is, the last one with the first free number, from 2. */
  take(...candidates: readonly [string, ...string[]]): string {
    return this.takeFor(candidates, (name) => [name]);
  }

  /** As `take`, for a name that brings others with it: all of them must be free, and all are taken. */
  takeFor(candidates: readonly [string, ...string[]], names: (name: string) => readonly string[]): string {
    const isFree = (name: string): boolean => names(name).every((each) => !this.#taken.has(each));
    const last = candidates.at(-1) ?? candidates[0];
    let chosen = candidates.find(isFree);
    for (let number = this.#next(last); chosen === undefined; number += 1) {
      if (!isFree(`${last}${number}`)) continue;
      chosen = `${last}${number}`;
      this.#numbers.set(last, number + 1);
    }
    for (const each of names(chosen)) this.#taken.add(each);
    return chosen;
  }

  readonly #numbers = new Map<string, number>();

  /** Numbers below were taken before: ten thousand types of one name still cost linear time. */
  #next(name: string): number {
    return this.#numbers.get(name) ?? 2;
  }
}
