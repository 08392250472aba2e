import type { ClientAnswer } from "./hooks.js";

// This module is loaded for calls with the option `retries`. It imports only types, so that a bundler that splits code need
// not move modules that both chunks use into a third.

/** One call that may be sent several times. */
interface RepeatableCall {
  readonly retries: number;
  /** Milliseconds for the whole call. */
  readonly timeout: number;
  readonly send: () => Promise<ClientAnswer>;
  /** Waits for milliseconds. Rejects when the call is cancelled. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Too many requests, and the errors of gateways and overloaded servers (RFC 6585 §4, RFC 9110 §15.6). */
const repeatedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const firstPause = 100;
const longestPause = 10_000;

/**
 * Sends a call again after a failed connection or an answer that asks for it. The pause doubles, with a random part, so that
 * clients that failed together do not return together. `Retry-After` has precedence. An answer is returned if the call's
 * timeout would expire before the next attempt.
 */
export async function sendWithRetries({ retries, timeout, send, pause }: RepeatableCall): Promise<ClientAnswer> {
  const start = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(send);
    if ("error" in outcome) {
      if (attempt === retries || !isTransportError(outcome.error)) {
        throw outcome.error;
      }
      await pause(backOff(attempt));
      continue;
    }
    const { answer } = outcome;
    if (attempt === retries || !repeatedStatuses.has(answer.status)) {
      return answer;
    }
    const requested = retryAfter(answer.headers.get("retry-after"));
    if (requested !== undefined && performance.now() - start + requested >= timeout) {
      return answer;
    }
    await pause(requested ?? backOff(attempt));
  }
}

type Outcome = { readonly answer: ClientAnswer } | { readonly error: unknown };

async function attemptOnce(send: () => Promise<ClientAnswer>): Promise<Outcome> {
  try {
    return { answer: await send() };
  } catch (error) {
    return { error };
  }
}

function isTransportError(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError";
}

function backOff(attempt: number): number {
  return Math.min(longestPause, firstPause * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** RFC 9110 §10.2.3: seconds, or a date. In milliseconds; undefined if the header is absent or not valid. */
function retryAfter(header: string | undefined): number | undefined {
  const text = header?.trim() ?? "";
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
