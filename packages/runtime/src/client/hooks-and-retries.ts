import type { ClientAnswer, ClientRequest, HookResult } from "./hooks.js";
import type { Settings } from "./settings.js";

// Loaded for calls with hooks or the options `retries` and `onUploadProgress`. It imports only types, so that a code-splitting
// bundler need not create a third chunk for shared modules.

/** One call with hooks that may be sent several times. */
interface RepeatableCall {
  readonly settings: Settings;
  /** Whether the option `retries` applies to the request. */
  readonly isSafe: boolean;
  readonly send: (request: ClientRequest, onUploadProgress: ReportBytes | undefined) => Promise<ClientAnswer>;
  /** Settles like the promise. Rejects when the call is cancelled. */
  readonly wait: <T>(promise: Promise<T>) => Promise<T>;
  /** Cancels the call. */
  readonly abort: (reason: unknown) => void;
  /** Throws a `ConfigError`. */
  readonly refuse: (message: string) => never;
}

type ReportBytes = (sentBytes: number) => void;

/** The statuses after which a request is repeated: too many requests, gateway errors, overload (RFC 6585 §4, RFC 9110 §15.6). */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const firstDelayMilliseconds = 100;
const maxDelayMilliseconds = 10_000;

/**
 * Repeats a call after a failed connection or a retryable status. The delay doubles, with a random part, so that clients that
 * failed together do not retry together. `Retry-After` has precedence. An answer is returned if the call's timeout would expire
 * before the next attempt.
 */
export async function sendWithRetries(request: ClientRequest, call: RepeatableCall): Promise<ClientAnswer> {
  const { settings, isSafe, wait } = call;
  const { timeout } = settings;
  const retries = isSafe ? settings.retries : 0;
  const start = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(() => sendWithHooks(request, call));
    if ("error" in outcome) {
      if (attempt === retries || !isTransportError(outcome.error)) {
        throw outcome.error;
      }
      await pause(wait, retryDelay(attempt));
      continue;
    }
    const { answer } = outcome;
    if (attempt === retries || !retryableStatuses.has(answer.status)) {
      return answer;
    }
    const requestedDelay = readRetryAfter(answer.headers.get("retry-after"));
    if (requestedDelay !== undefined && performance.now() - start + requestedDelay >= timeout) {
      return answer;
    }
    await pause(wait, requestedDelay ?? retryDelay(attempt));
  }
}

/** Sends a request once, with the hooks before and after it. */
async function sendWithHooks(originalRequest: ClientRequest, call: RepeatableCall): Promise<ClientAnswer> {
  const { wait } = call;
  const { hooks } = call.settings;
  const send = (requestToSend: ClientRequest) => call.send(requestToSend, progressReporter(requestToSend, call));
  let request = originalRequest;
  for (const { before } of hooks) {
    if (before !== undefined) {
      request = (await wait(awaitHook(() => before(request)))) ?? request;
    }
  }
  let answer = await send(request);
  const innermostFirst = hooks.toReversed();
  // If several hooks return a request to send instead, the innermost hook's is used.
  for (const { again } of innermostFirst) {
    const replacement = again && (await wait(awaitHook(() => again(answer, request))));
    if (replacement !== undefined) {
      request = replacement;
      answer = await send(request);
      break;
    }
  }
  for (const { after } of innermostFirst) {
    if (after !== undefined) {
      answer = (await wait(awaitHook(() => after(answer, request)))) ?? answer;
    }
  }
  return answer;
}

async function awaitHook<T>(hook: () => HookResult<T>): Promise<T | undefined> {
  return (await hook()) ?? undefined;
}

function pause(wait: RepeatableCall["wait"], milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const delay = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return wait(delay).finally(() => clearTimeout(timer));
}

type AttemptOutcome = { readonly answer: ClientAnswer } | { readonly error: unknown };

async function attemptOnce(send: () => Promise<ClientAnswer>): Promise<AttemptOutcome> {
  try {
    return { answer: await send() };
  } catch (error) {
    return { error };
  }
}

function isTransportError(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError";
}

function retryDelay(attempt: number): number {
  return Math.min(maxDelayMilliseconds, firstDelayMilliseconds * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/**
 * Converts the value of `Retry-After`, seconds or a date (RFC 9110 §10.2.3), to milliseconds. Undefined if the header is absent
 * or invalid.
 */
function readRetryAfter(header: string | undefined): number | undefined {
  const text = header?.trim() ?? "";
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/**
 * Returns a function that passes the number of bytes sent so far to `onUploadProgress`; undefined without that option. If
 * `onUploadProgress` throws, the call is aborted.
 */
function progressReporter(
  { body }: ClientRequest,
  { settings, abort, refuse }: RepeatableCall,
): ReportBytes | undefined {
  const { onUploadProgress, transport } = settings;
  if (onUploadProgress === undefined || body === undefined) {
    return undefined;
  }
  if (transport.reportsUploads !== true) {
    refuse(
      "The option onUploadProgress needs node:http, or fetchTransport with the option uploadStream: other transports do not report progress.",
    );
  }
  const totalBytes = typeof body === "string" ? new TextEncoder().encode(body).length : body.length;
  return (sentBytes) => {
    try {
      onUploadProgress({ sentBytes, totalBytes });
    } catch (error) {
      abort(error);
    }
  };
}
