import { BothendsError, ConfigError, TransportError } from "../../errors.js";
import { BodyLimitError } from "../../http/body-collector.js";
import { formatAuthorization } from "../address.js";
import type { CallDescription } from "../errors/failures.js";
import type { ClientAnswer, ClientRequest } from "../hooks.js";
import { checkHeaders, mergeHeaders, type Settings } from "../settings.js";
import type { TransportHead, TransportRequest } from "../transport.js";
import { Cancellation } from "./cancellation.js";
import { createLoaderPerClient } from "./lazy-code.js";
import type { CallToObserve } from "./observed-call.js";

/** Sends one request with its headers, hooks, retries and timeout, and returns the answer after all hooks. */
export async function exchange(
  request: ClientRequest,
  settings: Settings,
  context: CallDescription,
): Promise<ClientAnswer> {
  const cancellation = new Cancellation(settings);
  const call = { settings, cancellation, context };
  try {
    if (cancellation.isCancelled) {
      throw cancellation.createFailure(context);
    }
    const completeRequest = withHeaders(request, settings);
    return await (settings.hooks.length > 0 || settings.retries > 0 || settings.onUploadProgress !== undefined
      ? sendWithHooksAndRetries(completeRequest, call)
      : send(completeRequest, call));
  } catch (error) {
    throw cancellation.isCancelled ? cancellation.createFailure(context, error) : error;
  } finally {
    cancellation.close();
  }
}

/** The call that sends a request, and the means to cancel it. */
interface CancellableCall {
  readonly settings: Settings;
  readonly cancellation: Cancellation;
  readonly context: CallDescription;
  /** Called while the body of a request is sent. */
  readonly onUploadProgress?: TransportRequest["onUploadProgress"];
}

function withHeaders(request: ClientRequest, settings: Settings): ClientRequest {
  if (settings.headers.length === 0) {
    return request;
  }
  return { ...request, headers: getMergedHeaders(request.headers, settings) };
}

/**
 * Returns the merged and checked headers. The result is cached for frozen objects, such as a protocol's headers, which
 * every call passes unchanged.
 */
function getMergedHeaders(headers: ClientRequest["headers"], settings: Settings): ClientRequest["headers"] {
  const cachedHeaders = settings.mergedHeaders.get(headers);
  if (cachedHeaders !== undefined) {
    return cachedHeaders;
  }
  const allHeaders = mergeHeaders(headers, ...settings.headers);
  if (Object.isFrozen(headers)) {
    settings.mergedHeaders.set(headers, Object.freeze(allHeaders));
  }
  return allHeaders;
}

/**
 * Whether a request is safe to repeat (RFC 9110 §9.2.1). Operations sent by POST are safe only if the caller declares
 * them so.
 */
function isSafe({ operation, method }: ClientRequest, { safeOperations }: Settings): boolean {
  return method === "GET" || method === "HEAD" || safeOperations?.includes(operation) === true;
}

/** Sends a request with hooks, retries or progress reports. */
async function sendWithHooksAndRetries(request: ClientRequest, call: CancellableCall): Promise<ClientAnswer> {
  const { settings, cancellation } = call;
  const { sendWithRetries } = await loadHooksAndRetries(settings.transport);
  return sendWithRetries(request, {
    settings,
    isSafe: isSafe(request, settings),
    send: (requestToSend, onUploadProgress) => send(requestToSend, { ...call, onUploadProgress }),
    cancellation,
    refuse: throwConfigError,
    mergeHeaders,
    formatAuthorization,
  });
}

/**
 * Throws a `ConfigError`. Passed to modules that import only types and therefore cannot create the error themselves.
 */
export function throwConfigError(message: string): never {
  throw new ConfigError(message);
}

/**
 * Sends a request with the transport. Rejects with a typed error, or with an arbitrary error if the call was cancelled.
 */
async function send(request: ClientRequest, call: CancellableCall, isRepeated = false): Promise<ClientAnswer> {
  checkHeaders(request.headers);
  const sentRequest = new SentRequest(request, call);
  const { transport, recorder } = call.settings;
  recorder?.addRequest(sentRequest);
  try {
    const answer = await (transport.rejectsOnCancel === true
      ? transport.send(sentRequest)
      : call.cancellation.race(transport.send(sentRequest), sentRequest));
    // Checks the head here if a custom transport did not call checkHead.
    if (sentRequest.head === undefined) {
      sentRequest.checkHead(answer);
    }
    if (answer.body.length > sentRequest.bodyBytes) {
      throw new BodyLimitError(sentRequest.bodyBytes);
    }
    recorder?.addAnswer(answer);
    return answer;
  } catch (error) {
    // Does not use `instanceof StaleConnectionError`, because clients for browsers do not contain that class.
    if (!isRepeated && Object(error).isStale && isSafe(request, call.settings)) {
      return send(request, call, true);
    }
    throw call.cancellation.isCancelled ? error : await createTypedFailure(error, sentRequest.head, call);
  }
}

// The messages of errors are loaded when the first error occurs. If that fails, for example offline, the error has a
// short message.
const loadMessages = () => import("../errors/error-messages.js");

async function createTypedFailure(
  error: unknown,
  head: TransportHead | undefined,
  { settings, context }: CancellableCall,
): Promise<unknown> {
  if (error instanceof BothendsError) {
    return error;
  }
  try {
    const { createTransportFailure } = await settings.loadFailures();
    return createTransportFailure(error, head, context);
  } catch {
    // An error that has a code, or that occurs before the answer begins, is a transport error. Any other error means
    // that the answer was refused.
    const { code: anyCode, message = typeof error === "string" ? error : "" } = Object(error);
    const code = typeof anyCode === "string" ? anyCode : undefined;
    const init = { ...context, code, cause: error };
    const text = message || "The connection failed without a message";
    return head && !code ? new BothendsError(text, init) : new TransportError(text, init);
  }
}

/** Adds the operation, method, address and id of the call to an error, and a hint to its message. */
export async function createCallFailure(
  error: unknown,
  context: CallDescription,
  settings: Partial<Pick<Settings, "requestId" | "safeOperations" | "retries" | "timeout" | "limits" | "transport">>,
): Promise<unknown> {
  if (!(error instanceof BothendsError) || (error.operation !== undefined && error.operation !== context.operation)) {
    return error;
  }
  if (error.operation === undefined) {
    Object.assign(error, context);
  }
  const { requestId } = settings;
  if (requestId !== undefined) {
    Object.assign(error, { requestId });
  }
  try {
    const { describeError } = await loadMessages();
    describeError(error, settings);
  } catch {
    // If the complete messages cannot be loaded, the error keeps its short message.
  }
  return error;
}

class SentRequest implements TransportRequest {
  // `declare` omits the field initializers, so each member is set only once, by the constructor.
  declare readonly method: string;
  declare readonly url: string;
  declare readonly headers: Readonly<Record<string, string>>;
  declare readonly body: string | Uint8Array | undefined;
  declare readonly bodyBytes: number;
  declare readonly connectTimeout: number;
  head: TransportHead | undefined;
  /** The current step of the call, for the error if the call is cancelled. */
  step = "the answer had not begun";
  /** Called when the request has a connection. Undefined if the call is not observed. */
  declare onConnection?: () => void;
  declare readonly onUploadProgress: TransportRequest["onUploadProgress"];
  readonly #call: CancellableCall;

  constructor(request: ClientRequest, call: CancellableCall) {
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    this.body = request.body;
    this.bodyBytes = call.settings.limits.bodyBytes;
    this.connectTimeout = call.settings.connectTimeout;
    this.#call = call;
    this.onUploadProgress = call.onUploadProgress;
  }

  get signal(): AbortSignal {
    return this.#call.cancellation.signal;
  }

  onCancel(listener: () => void): () => void {
    return this.#call.cancellation.onCancel(listener);
  }

  /**
   * Refuses bodies that are too large, and redirects, which would send the request to an address that the user did not
   * choose.
   */
  checkHead(head: TransportHead): void {
    this.head = head;
    this.step = "the answer had not ended";
    const { status, headers } = head;
    if (status >= 300 && status < 400) {
      throw new Error("The answer is a redirect, which is not followed");
    }
    if (Number(headers.get("content-length")) > this.bodyBytes) {
      throw new BodyLimitError(this.bodyBytes);
    }
  }
}

/**
 * Ignores a rejection from an asynchronous function that was passed as an option. An unhandled rejection would end the
 * process.
 */
export function ignoreLateError(result: unknown): void {
  Promise.resolve(result).catch(() => {});
}

const loadHooksAndRetries = /* @__PURE__ */ createLoaderPerClient(() => import("./hooks-and-retries.js"));

const loadObservedCall = /* @__PURE__ */ createLoaderPerClient(() => import("./observed-call.js"));

/**
 * Loads the code for observed calls when a client makes its first observed call. If that fails, for example offline,
 * the call is made but not observed, because observers must not change the result of a call.
 */
export async function loadObserver(client: object, { settings: { observers }, channels: _, ...source }: CallToObserve) {
  try {
    return await loadObservedCall(client);
  } catch (error) {
    const message = "The call is not observed: its code could not be loaded.";
    const incident = { side: "client", kind: "hook", message, error, ...source } as const;
    Promise.resolve(incident)
      .then(observers?.onError)
      .catch(() => {});
    return undefined;
  }
}
