import type { CallDurations, CallEvent, CallObservation, ClientIncident } from "../../observe/events.js";
import { beginObservation, reportRejection } from "../../observe/safe-hooks.js";
import type { FailureFacts } from "../errors/described-error.js";
import type { MessageParts } from "../errors/error-messages.js";
import type { ClientAnswer } from "../hooks.js";
import type { CallRecorder, ClientChannels, Observers, Settings } from "../settings.js";
import type { TransportAnswer, TransportHead, TransportRequest } from "../transport.js";

// This module is loaded when the first call is observed. It imports nothing that other client modules use, so that a
// code-splitting bundler need not move those modules into a third chunk.

/** A call to observe. */
export interface CallToObserve {
  /** The settings of the client. */
  readonly settings: Settings;
  /** The option `requestId` of the call. The options of the call have not been checked yet. */
  readonly requestId: string | undefined;
  readonly operation: string;
  readonly service?: string | undefined;
  readonly protocol: string;
  readonly route?: string | undefined;
  readonly method: string;
  readonly address: string;
  readonly channels: ClientChannels | undefined;
}

/** Performs a call, and passes its event to the hooks, observers and channels. */
export async function observeCall<Result>(
  call: CallToObserve,
  perform: (settings: Settings) => Promise<Result>,
): Promise<Result> {
  const callRecord = new CallRecord(call);
  const settings = callRecord.createSettings();
  try {
    const result = await callRecord.run(() => perform(settings));
    callRecord.end(undefined);
    return result;
  } catch (error) {
    callRecord.end(isClosedStream(error) ? undefined : callRecord.createIncident(error));
    throw error;
  }
}

/** Records the times, the requests and the answer of one call. */
class CallRecord implements CallRecorder {
  readonly #call: CallToObserve;
  readonly #observers: Observers;
  readonly #requestId: string;
  readonly #startTime = Date.now();
  readonly #startedAt = performance.now();
  readonly #observation: CallObservation | undefined;
  #request: ObservedRequest | undefined;
  #answer: TransportAnswer | undefined;
  #attempts = 0;
  /** The last exception of a function in an option. */
  #failedFunction: { readonly option: string; readonly error: unknown } | undefined;
  #sentAt: number | undefined;
  #connectedAt: number | undefined;
  #receivedAt: number | undefined;

  constructor(call: CallToObserve) {
    this.#call = call;
    this.#observers = call.settings.observers ?? {};
    this.#requestId = call.requestId ?? call.settings.requestId ?? createRequestId();
    const { observe } = this.#observers;
    const { operation, service, protocol, route, method, address } = call;
    const startedCall = {
      side: "client",
      requestId: this.#requestId,
      operation,
      service,
      protocol,
      route,
      method,
      address,
    } as const;
    this.#observation =
      observe && beginObservation(observe, startedCall, (error) => this.reportProblem(observerProblem, error));
  }

  /**
   * Returns the settings of the client with two additions: the request id, and the headers of observers. All other
   * headers override the additions. A call of a page to another origin gets no new id, because WordPress and many other
   * servers do not let pages send this header. An id in the option `requestId` is one of the other headers.
   */
  createSettings(): Settings {
    const { settings } = this.#call;
    const requestId = isCrossOrigin(this.#call.address) ? undefined : { "X-Request-Id": this.#requestId };
    const headers = { ...requestId, ...this.#observation?.headers };
    return {
      ...settings,
      headers: [headers, ...settings.headers],
      mergedHeaders: new WeakMap(),
      recorder: this,
    };
  }

  run<Result>(perform: () => Result): Result {
    return this.#observation?.run === undefined ? perform() : this.#observation.run(perform);
  }

  addRequest(request: ObservedRequest): void {
    this.#request = request;
    this.#attempts += 1;
    this.#sentAt ??= performance.now();
    request.onConnection = () => {
      this.#connectedAt ??= performance.now();
    };
  }

  addAnswer(answer: TransportAnswer): void {
    this.#answer = answer;
    this.#receivedAt = performance.now();
    // Does not throw for frozen headers of a custom transport.
    Reflect.defineProperty(answer.headers, failureReporter, {
      value: (error: unknown) => this.#report(this.createIncident(error)),
      configurable: true,
    });
  }

  addFailedFunction(option: string, error: unknown): void {
    this.#failedFunction = { option, error };
  }

  createIncident(error: unknown): ClientIncident {
    const { operation, protocol, route, method } = this.#call;
    if (isTyped(error)) {
      Object.assign(error, { requestId: this.#requestId });
    }
    const call = { operation, protocol, route, requestId: this.#requestId, method, address: this.#address };
    const failed = this.#failedFunction;
    const isOfFunction = failed !== undefined && failed.error === error;
    // An exception of `onUploadProgress` aborts the call, so it is the cause of the call's error.
    const hasAborted =
      failed !== undefined && Object(error).name === "AbortError" && Object(error).cause === failed.error;
    const failure = describeFailure(hasAborted ? failed.error : error);
    if (!isOfFunction && !hasAborted) {
      return { side: "client", ...failure, error, ...call };
    }
    const { kind, message: description, path } = failure;
    const start = `The function in the option "${failed.option}" threw an exception${hasAborted ? ", which aborted the call" : ""}.`;
    const message = kind === "hook" ? start : `${start} ${description}`;
    return { side: "client", kind: hasAborted ? "hook" : kind, message, path, error, ...call };
  }

  /** Notifies all observers of the call. Exceptions from observers do not change the result of the call. */
  end(error: ClientIncident | undefined): void {
    const event = this.#createEvent(error);
    this.#call.channels?.call.publish(event);
    if (error !== undefined) {
      this.#report(error);
    }
    this.#observation?.end?.(event);
    const reportFailure = (thrown: unknown) => this.reportProblem(observerProblem, thrown);
    try {
      reportRejection(this.#observers.onCall?.(event), reportFailure);
    } catch (thrown) {
      reportFailure(thrown);
    }
  }

  #createEvent(error: ClientIncident | undefined): CallEvent {
    const { operation, service, protocol, route, method } = this.#call;
    const request = this.#request;
    const answer = this.#answer;
    return {
      side: "client",
      time: this.#startTime,
      requestId: this.#requestId,
      operation,
      service,
      protocol,
      route,
      method: request?.method ?? method,
      address: this.#address,
      httpVersion: (answer ?? request?.head)?.httpVersion,
      status: answer?.status ?? request?.head?.status ?? getStatus(error?.error),
      faultCode: getFaultCode(error?.error),
      durations: this.#measureDurations(),
      retries: Math.max(0, this.#attempts - 1),
      requestBytes: request && measureBody(request.body),
      answerBytes: this.#answerBytes,
      completed: answer !== undefined,
      error,
    };
  }

  /** The address of the latest request; before a request is sent, the address of the operation. */
  get #address(): string {
    return this.#request === undefined ? this.#call.address : removeSecrets(this.#request.url);
  }

  get #answerBytes(): number | undefined {
    const { streamedBytes, head } = this.#request ?? {};
    if (streamedBytes !== undefined) {
      // The bytes of a stream are counted after decompression, so the size as sent is unknown if the answer was
      // compressed.
      return head?.headers.has("content-encoding") === true ? undefined : streamedBytes;
    }
    return this.#answer && measureAnswer(this.#answer);
  }

  #measureDurations(): CallDurations {
    const now = performance.now();
    const startedAt = this.#startedAt;
    const sentAt = this.#sentAt;
    const connectedAt = this.#connectedAt ?? sentAt;
    const receivedAt = this.#receivedAt;
    return {
      total: now - startedAt,
      written: sentAt === undefined ? undefined : sentAt - startedAt,
      queued: sentAt === undefined || this.#connectedAt === undefined ? undefined : this.#connectedAt - sentAt,
      waiting: connectedAt === undefined || receivedAt === undefined ? undefined : receivedAt - connectedAt,
      read: receivedAt === undefined ? undefined : now - receivedAt,
    };
  }

  #report(incident: ClientIncident): void {
    this.#call.channels?.error.publish(incident);
    const { onError } = this.#observers;
    // An error that `onError` throws is ignored, because no other hook could receive it.
    new Promise<void>((resolve) => resolve(onError?.(incident))).catch(() => {});
  }

  reportProblem(message: string, error: unknown): void {
    this.#report({ ...this.createIncident(error), kind: "hook", message });
  }
}

/**
 * The key of a member of an answer's headers: a function that reports a failure that code such as `paginate` finds in
 * the answer after the call. A key of the realm is used, because modules that the client loads later share no code.
 */
const failureReporter = Symbol.for("bothends.failureReporter");

const observerProblem = "A hook that observes calls threw an exception.";

/**
 * A request that the client passes to the transport. `head` is the head of the answer, and is absent until the head has
 * arrived.
 */
type ObservedRequest = TransportRequest & { readonly head?: TransportHead | undefined };

/** Whether a call ended only because the caller ended the loop over its stream. */
function isClosedStream(error: unknown): boolean {
  const { isClosedStream: isClosed, cause } = Object(error);
  return isClosed === true || Object(cause).isClosedStream === true;
}

/**
 * The members of errors that clients throw. Declared here, so that this module need not import the classes of the
 * errors.
 */
interface TypedError extends Error {
  readonly operation: string | undefined;
  readonly code?: string | undefined;
  readonly path?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  readonly wireCode?: string | undefined;
  readonly subcodes?: readonly string[] | undefined;
  readonly facts?: FailureFacts | undefined;
  /** Undefined if the code that completes messages could not be loaded. */
  readonly messageParts?: MessageParts | undefined;
}

/** Whether an address has another origin than the page that runs this program. False outside of browsers. */
function isCrossOrigin(address: string): boolean {
  const { location } = globalThis as { readonly location?: { readonly origin: string; readonly href: string } };
  return location !== undefined && new URL(address, location.href).origin !== location.origin;
}

/**
 * Returns a random id. `randomUUID` may be missing, because browsers have it only on HTTPS pages (W3C Web Crypto
 * §10.1.2).
 */
function createRequestId(): string {
  return typeof crypto.randomUUID === "function"
    ? crypto.randomUUID()
    : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isTyped(error: unknown): error is TypedError {
  return error instanceof Error && "operation" in error;
}

const kindsByErrorName: ReadonlyMap<string, string> = new Map([
  ["TransportError", "transport"],
  ["TimeoutError", "timeout"],
  ["AbortError", "abort"],
  ["HttpStatusError", "status"],
  ["ProtocolError", "protocol"],
  ["ConfigError", "config"],
]);

/**
 * Returns the kind and a message for the error of a failed call. The message contains no values from the request or the
 * answer.
 */
function describeFailure(error: unknown): Pick<ClientIncident, "kind" | "message" | "rule" | "path"> {
  if (!isTyped(error)) {
    return { kind: "hook", message: "A hook threw an exception." };
  }
  const { name, operation, code = "", path, status } = error;
  const { reason, hint, context } = getMessageParts(error);
  // The name of a declared fault's class comes from the schema, so the name does not show that the error is a fault.
  if ("subcodes" in error) {
    const shownCodes = listFaultCodes(error).filter((shownCode) => shownCode !== code);
    const codes = shownCodes.length === 0 ? "" : ` (${shownCodes.join(", ")})`;
    return { kind: "fault", message: joinTexts(`The server answered with a ${code} fault${codes}.`, hint) };
  }
  switch (name) {
    case "RestError": {
      const shownCode = identifier.test(code) ? ` (${code})` : "";
      const message = joinTexts(`The server answered with an error of status ${status}${shownCode}.`, hint);
      return { kind: "fault", message };
    }
    case "DecodeError": {
      // The hint has names from the answer, which must not make another group of incidents.
      const rule = error.facts?.undeclaredNames === undefined ? {} : { rule: reason };
      return { kind: "decode", message: joinTexts(reason, hint), ...rule, path };
    }
    case "EncodeError":
      return { kind: "encode", message: joinTexts("The input does not fit the schema.", reason, hint), path };
    default: {
      const prefix = operation === undefined ? "" : `${operation}: `;
      return { kind: kindsByErrorName.get(name) ?? "hook", message: prefix + joinTexts(reason, hint, context) };
    }
  }
}

/** Matches the codes of errors that are shown. Other codes may contain any text of the server, of any length. */
const identifier = /^[\w.-]{1,64}$/;

/** The codes of SOAP 1.2 that `code` already has under another name. */
const senderAndReceiver = new Set(["Sender", "Receiver"]);
/** The maximum number of codes of a fault in a message. */
const maxFaultCodes = 3;

/**
 * Returns the local names of a fault's codes, without those of SOAP 1.2 for client and server. The codes are texts of
 * the server, so they are shown only if they look like identifiers.
 */
function listFaultCodes({ wireCode, subcodes = [] }: TypedError): readonly string[] {
  return [wireCode ?? "", ...subcodes]
    .map((name) => name.slice(name.lastIndexOf("}") + 1).replace(/^.*:/, ""))
    .filter((name) => identifier.test(name) && !senderAndReceiver.has(name))
    .slice(0, maxFaultCodes);
}

function getMessageParts({ name, message, reason, messageParts }: TypedError): MessageParts {
  const isContentError = name === "DecodeError" || name === "EncodeError";
  return messageParts ?? { reason: (isContentError ? reason : undefined) ?? message, hint: "", context: "" };
}

function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" ");
}

function getStatus(error: unknown): number {
  return isTyped(error) ? (error.status ?? 0) : 0;
}

/** Returns the code of a fault, which is one of five, or of a REST error, if it looks like an identifier. */
function getFaultCode(error: unknown): string | undefined {
  if (!isTyped(error) || !("subcodes" in error || error.name === "RestError")) {
    return undefined;
  }
  const { code = "" } = error;
  return identifier.test(code) ? code : undefined;
}

/** Returns an address without query and user information. */
function removeSecrets(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/^([a-z]+:\/\/)[^/]*@/i, "$1");
}

function measureBody(body: TransportRequest["body"]): number {
  return typeof body === "string" ? new TextEncoder().encode(body).length : (body?.length ?? 0);
}

/** Returns the size of an answer's body as sent; undefined for a compressed answer without a length. */
function measureAnswer({ headers, body }: ClientAnswer): number | undefined {
  if (!headers.has("content-encoding")) {
    return body.length;
  }
  const length = headers.get("content-length");
  return length === undefined ? undefined : Number(length);
}
