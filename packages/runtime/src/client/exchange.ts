import { BothendsError, ConfigError, TransportError } from "../errors.js";
import { BodyLimitError } from "../http/body-collector.js";
import { Cancellation } from "./cancellation.js";
import type { CallContext } from "./failures.js";
import type { ClientAnswer, ClientRequest } from "./hooks.js";
import { checkHeaders, mergeHeaders, type Settings } from "./settings.js";
import type { TransportHead, TransportRequest } from "./transport.js";

/** Sends one request with its headers, hooks, retries and timeout, and returns the answer after all hooks. */
export async function exchange(
  request: ClientRequest,
  settings: Settings,
  context: CallContext,
): Promise<ClientAnswer> {
  const cancellation = new Cancellation(settings);
  const call = { settings, cancellation, context };
  try {
    if (cancellation.cancelled) {
      throw cancellation.failure(context);
    }
    const complete = withHeaders(request, settings);
    return await (settings.hooks.length > 0 || settings.retries > 0 || settings.onUploadProgress !== undefined
      ? sendInSteps(complete, call)
      : sendChecked(complete, call));
  } catch (error) {
    throw cancellation.cancelled ? cancellation.failure(context) : error;
  } finally {
    cancellation.close();
  }
}

/** The call that a request belongs to. */
interface CancellableCall {
  readonly settings: Settings;
  readonly cancellation: Cancellation;
  readonly context: CallContext;
  /** Called while the body of a request is sent. */
  readonly onUploadProgress?: TransportRequest["onUploadProgress"];
}

function withHeaders(request: ClientRequest, settings: Settings): ClientRequest {
  if (settings.headers.length === 0) {
    return request;
  }
  const { operation, method, url, body } = request;
  return { operation, method, url, headers: mergedHeaders(request.headers, settings), body };
}

/** Merges and checks headers only once if they are the same object in each call, such as those of a protocol. */
function mergedHeaders(headers: ClientRequest["headers"], settings: Settings): ClientRequest["headers"] {
  const existing = settings.mergedHeaders.get(headers);
  if (existing !== undefined) {
    return existing;
  }
  const merged = mergeHeaders(headers, ...settings.headers);
  if (Object.isFrozen(headers)) {
    settings.mergedHeaders.set(headers, Object.freeze(merged));
  }
  return merged;
}

/** RFC 9110 §9.2.1: a safe request may be repeated. Operations sent by POST are safe only if the caller declares them so. */
function isSafe({ operation, method }: ClientRequest, { safeOperations }: Settings): boolean {
  return method === "GET" || method === "HEAD" || safeOperations?.includes(operation) === true;
}

/** Sends a request with hooks, retries or progress reports. */
async function sendInSteps(request: ClientRequest, call: CancellableCall): Promise<ClientAnswer> {
  const { settings, cancellation } = call;
  const { sendWithRetries } = await loadSteps(settings.transport);
  return sendWithRetries(request, {
    settings,
    isSafe: isSafe(request, settings),
    send: (each, onUploadProgress) => sendChecked(each, { ...call, onUploadProgress }),
    wait: (promise) => cancellation.race(promise),
    abort: (reason) => cancellation.abort(reason),
    refuse: configError,
  });
}

/** Throws a `ConfigError`, for modules that import only types. */
export function configError(message: string): never {
  throw new ConfigError(message);
}

function sendChecked(request: ClientRequest, call: CancellableCall): Promise<ClientAnswer> {
  checkRequest(request, call.settings);
  return send(request, call);
}

const anyAddress = /^[a-z][a-z0-9+.-]*:/i;
const httpAddress = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;

function checkRequest(request: ClientRequest, { hasCustomTransport }: Settings): void {
  checkHeaders(request.headers);
  const address = hasCustomTransport ? anyAddress : httpAddress;
  if (!address.test(request.url)) {
    configError("The address of the request must be an http or https address without credentials.");
  }
}

/** Sends a request with the transport. Rejects with a typed error, or with an arbitrary error if the call was cancelled. */
async function send(request: ClientRequest, call: CancellableCall, isRepeated = false): Promise<ClientAnswer> {
  const sent = new SentRequest(request, call);
  const { transport, record } = call.settings;
  record?.sending(sent);
  try {
    const answer = await (transport.rejectsOnCancel === true
      ? transport.send(sent)
      : call.cancellation.race(transport.send(sent)));
    // A custom transport may not have called checkHead.
    if (sent.head === undefined) {
      sent.checkHead(answer);
    }
    if (answer.body.length > sent.bodyBytes) {
      throw new BodyLimitError(sent.bodyBytes);
    }
    record?.received(answer);
    return answer;
  } catch (error) {
    if (!isRepeated && isStale(error) && isSafe(request, call.settings)) {
      return send(request, call, true);
    }
    throw call.cancellation.cancelled ? error : await typedFailure(error, sent.head, call.context);
  }
}

// The texts and the rarer kinds of errors are loaded with the first error. If loading fails, for example offline, they are left
// out.
const loadMessages = () => import("./error-messages.js");

async function typedFailure(error: unknown, head: TransportHead | undefined, context: CallContext): Promise<unknown> {
  if (error instanceof BothendsError) {
    return error;
  }
  try {
    const { transportFailure } = await loadMessages();
    return transportFailure(error, head, context);
  } catch {
    return new TransportError("The transport failed.", { ...context, cause: error });
  }
}

/** Completes the error of a call: adds the call, which a codec does not know, and a hint to the message. */
export async function callFailure(error: unknown, context: CallContext): Promise<unknown> {
  if (!(error instanceof BothendsError) || (error.operation !== undefined && error.operation !== context.operation)) {
    return error;
  }
  if (error.operation === undefined) {
    Object.assign(error, context);
  }
  try {
    const { describeError } = await loadMessages();
    describeError(error);
  } catch {
    // Keeps the short message.
  }
  return error;
}

/** Whether the server closed an idle connection. Compares the name, because only the Node transport has the class. */
function isStale(error: unknown): boolean {
  return error instanceof Error && error.name === "StaleConnectionError";
}

class SentRequest implements TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly bodyBytes: number;
  readonly connectTimeout: number;
  head: TransportHead | undefined;
  /** Set only if the call is observed. */
  declare onConnection?: () => void;
  readonly onUploadProgress: TransportRequest["onUploadProgress"];
  readonly #call: CancellableCall;

  constructor(request: ClientRequest, call: CancellableCall) {
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    this.body = request.body;
    this.bodyBytes = call.settings.limits.bodyBytes;
    this.connectTimeout = call.settings.connectTimeout;
    this.head = undefined;
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
   * Refuses redirects, which would send the request to an address that the user did not choose, and bodies that are too large.
   */
  checkHead(head: TransportHead): void {
    this.head = head;
    const { status, headers } = head;
    if (status >= 300 && status < 400) {
      throw new Error("redirect");
    }
    if (Number(headers.get("content-length")) > this.bodyBytes) {
      throw new BodyLimitError(this.bodyBytes);
    }
  }
}

/**
 * Loads a module once per client, because each `import()` takes some 50 µs; tries again after a failure. Not once for all
 * clients: on edge platforms, a request cannot wait for work that another request started.
 */
function loadedOnce<Module>(load: () => Promise<Module>): (client: object) => Promise<Module> {
  const loads = new WeakMap<object, Promise<Module>>();
  return (client) => {
    let loading = loads.get(client);
    if (loading === undefined) {
      loading = load();
      loads.set(client, loading);
      loading.catch(() => loads.delete(client));
    }
    return loading;
  };
}

const loadSteps = /* @__PURE__ */ loadedOnce(() => import("./hooks-and-retries.js"));

/** Loads the code for observed calls. It is here because that code must not import the module that loads it. */
export const loadObserver = /* @__PURE__ */ loadedOnce(() => import("./observed-call.js"));
