/** The time in milliseconds for which waiting requests are answered before the process reads others. */
const turnDuration = 10;

/**
 * Measures for how long this turn of the event loop has answered waiting requests. Thousands of requests can arrive
 * together on a few connections. If all of them were answered in one turn, no other request would be read meanwhile.
 */
class EventLoopTurn {
  #begunAt: number | undefined;

  /** Whether further waiting requests must be answered in another turn. */
  get isOver(): boolean {
    const now = performance.now();
    if (this.#begunAt === undefined) {
      this.#begunAt = now;
      setImmediate(this.#end);
    }
    return now - this.#begunAt > turnDuration;
  }

  readonly #end = (): void => {
    this.#begunAt = undefined;
  };
}

/** The current turn. It is shared by all servers, because they share the event loop. */
export const turn: EventLoopTurn = /* @__PURE__ */ new EventLoopTurn();
