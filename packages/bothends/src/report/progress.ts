import type { Host } from "../host.js";

/** A line at the terminal that says what a long command does. */
export interface Progress {
  show(step: string): void;
  /** Removes the line. */
  end(): void;
}

/** Commands that take less time show nothing. */
const silentMilliseconds = 700;
const maxCharacters = 70;

/** Shows progress at a terminal after the first second; otherwise shows nothing. */
export function startProgress(host: Host): Progress {
  if (!host.err.isTTY) {
    return { show() {}, end() {} };
  }
  const start = host.now();
  let shown = false;
  return {
    show(step) {
      if (host.now() - start >= silentMilliseconds) {
        shown = true;
        const text = step.length > maxCharacters ? `${step.slice(0, maxCharacters)}…` : step;
        host.err.write(`\r\u001b[2K${text.replaceAll(/\p{Cc}/gu, " ")}`);
      }
    },
    end() {
      if (shown) {
        host.err.write("\r\u001b[2K");
      }
    },
  };
}
