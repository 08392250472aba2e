/** The longest delay of a timer in milliseconds: about 25 days. A timer with a longer delay would fire at once. */
export const longestTimerDelay = 2_147_483_647;

/** Returns a delay for a timer: at least 1 ms, because Node takes 0 for no timeout, and at most `longest`. */
export function limitTimeout(milliseconds: number, longest: number = longestTimerDelay): number {
  return Math.max(1, Math.min(Math.floor(milliseconds), longest));
}

/** The maximum number of stalls that are remembered. */
const maxStalls = 100;

/**
 * Measures the time for which this process can run, for timeouts of requests that are arriving: bytes that arrive while
 * other code blocks the process, or while the machine is overloaded, are read only afterwards. Notices delays of a
 * timer, so a stall that is shorter than the timer's interval may be missed.
 */
export class RunningClock {
  readonly #interval: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastTime = 0;
  #stalled = 0;
  /** The last stalls. Shorter delays than a tenth of the interval are usual, and are left out. */
  readonly #stalls: { readonly endedAt: number; readonly duration: number }[] = [];

  /** `interval` is the interval of the timer in milliseconds. */
  constructor(interval: number) {
    this.#interval = limitTimeout(interval);
  }

  /** Whether the clock is measuring. Until it is started, it does not notice stalls. */
  get isStarted(): boolean {
    return this.#timer !== undefined;
  }

  /**
   * Starts to measure, and calls `onTick` at each interval. If the platform allows it, the timer does not keep the
   * process alive.
   */
  start(onTick: () => void): void {
    this.#lastTime = performance.now();
    this.#timer = setInterval(() => {
      this.#measure();
      onTick();
    }, this.#interval);
    if (typeof this.#timer === "object" && "unref" in this.#timer) {
      this.#timer.unref();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Returns a time in milliseconds, like `performance.now()`, but without the time of stalls. */
  now(): number {
    const time = performance.now();
    return time - this.#stalled - this.#findStall(time);
  }

  /** Returns the milliseconds of the stalls that have ended after `earlier`, a time by `performance.now()`. */
  stalledSince(earlier: number): number {
    const lastStalls = this.#stalls.filter(({ endedAt }) => endedAt > earlier);
    return lastStalls.reduce((sum, { duration }) => sum + duration, this.#findStall(performance.now()));
  }

  /** Returns the duration of the stall that the timer has not measured yet. */
  #findStall(time: number): number {
    return this.#timer === undefined ? 0 : Math.max(0, time - this.#lastTime - this.#interval);
  }

  #measure(): void {
    const endedAt = performance.now();
    const duration = this.#findStall(endedAt);
    this.#stalled += duration;
    this.#lastTime = endedAt;
    if (duration > this.#interval / 10 && this.#stalls.push({ endedAt, duration }) > maxStalls) {
      this.#stalls.shift();
    }
  }
}
