/** A process that can write what is left before it ends. */
interface Process {
  on(event: "exit", listener: () => void): unknown;
}

/** Milliseconds that a line may wait, and the characters that are written at once. */
const longestWait = 5;
const mostCharacters = 65_536;

/**
 * Writes lines to standard output, those of a few milliseconds at once: a line by itself costs a call of the system, 7 to 10 µs of
 * a SOAP call of 60. What is left is written when the process ends. Where a program cannot wait for its end, as on edge platforms,
 * each line is written at once.
 */
class ConsoleLines {
  #waiting: string[] = [];
  #characters = 0;
  #timer: { unref?: () => unknown } | undefined;
  #flushesAtExit: boolean | undefined;

  add(line: string): void {
    this.#flushesAtExit ??= this.#flushAtExit();
    if (!this.#flushesAtExit) {
      console.log(line);
      return;
    }
    this.#waiting.push(line);
    this.#characters += line.length;
    if (this.#characters >= mostCharacters) {
      this.flush();
    } else if (this.#timer === undefined) {
      const timer: unknown = setTimeout(() => this.flush(), longestWait);
      this.#timer = typeof timer === "object" && timer !== null ? timer : {};
      this.#timer.unref?.();
    }
  }

  /** Writes the lines that wait. A timer that is still running writes those that follow. */
  flush(): void {
    this.#timer = undefined;
    if (this.#waiting.length > 0) {
      const lines = this.#waiting.join("\n");
      this.#waiting = [];
      this.#characters = 0;
      console.log(lines);
    }
  }

  #flushAtExit(): boolean {
    const platform: { readonly process?: Partial<Process> } = globalThis;
    if (typeof platform.process?.on !== "function") {
      return false;
    }
    platform.process.on("exit", () => this.flush());
    return true;
  }
}

/** One for all loggers, because a process has one standard output and warns about many listeners. */
export const consoleLines: ConsoleLines = /* @__PURE__ */ new ConsoleLines();
