/** A call that must end at a point in time. Deadlines are links of a list, so that adding and removing one is cheap. */
export interface Deadline {
  /** Called when the time has passed. */
  expire(): void;
  /** Set by `Deadlines`, in milliseconds of `performance.now()`. */
  expiresAt: number;
  previous: Deadline | undefined;
  next: Deadline | undefined;
}

/** The longest delay of a timer, in milliseconds: a longer one would fire at once. */
export const longestTimer = 2_147_483_647;

/**
 * The deadlines of all calls with the same timeout. They expire in the order in which they were added, so one timer for
 * the first is enough; a timer per call would cost more than the rest of a call's bookkeeping.
 */
export class Deadlines {
  readonly timeout: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout: number) {
    this.timeout = timeout;
  }

  add(deadline: Deadline): void {
    deadline.expiresAt = performance.now() + this.timeout;
    deadline.previous = this.#last;
    if (this.#last === undefined) {
      this.#first = deadline;
      this.#start();
    } else {
      this.#last.next = deadline;
    }
    this.#last = deadline;
  }

  /** Removes a deadline that has not expired. */
  remove(deadline: Deadline): void {
    const { previous, next } = deadline;
    if (previous === undefined) {
      this.#first = next;
    } else {
      previous.next = next;
    }
    if (next === undefined) {
      this.#last = previous;
    } else {
      next.previous = previous;
    }
    // A removed deadline must not refer to the next one: the garbage collector would keep the whole chain for longer.
    deadline.previous = undefined;
    deadline.next = undefined;
    if (this.#first === undefined) {
      // The timer continues for the next call, but does not keep the process running.
      this.#timer?.unref();
    }
  }

  #start(): void {
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#expire(), this.timeout);
    } else {
      this.#timer.ref();
    }
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    // A timer may fire up to a millisecond early.
    while (this.#first !== undefined && this.#first.expiresAt <= now + 1) {
      const expired = this.#first;
      this.remove(expired);
      expired.expire();
    }
    if (this.#first !== undefined) {
      this.#timer = setTimeout(() => this.#expire(), this.#first.expiresAt - now);
    }
  }
}
