import { ConfigError, TransportError } from "../errors.js";
import { Cancellation } from "./cancellation.js";
import { type CallPlace, headFailure, transportFailure } from "./failures.js";
import { checkHeaders, mergeHeaders } from "./headers.js";
import type { ClientAnswer, ClientRequest, HookResult } from "./hooks.js";
import type { Settings } from "./settings.js";
import { BodyLimitError, type TransportHead, type TransportRequest } from "./transport.js";

/** Sends one request with all that is around it, and gives back the answer as the hooks leave it. */
export async function exchange(request: ClientRequest, settings: Settings, place: CallPlace): Promise<ClientAnswer> {
  const cancellation = new Cancellation(settings.timeout, settings.signals);
  const call = { settings, cancellation, place };
  try {
    if (cancellation.cancelled) throw cancellation.failure(place);
    const whole = withHeaders(request, settings);
    return await (settings.retries > 0 && whole.method === "GET" ? retried(whole, call) : once(whole, call));
  } catch (error) {
    throw cancellation.cancelled ? cancellation.failure(place) : error;
  } finally {
    cancellation.close();
  }
}

/** What one call consists of. */
interface Call {
  readonly settings: Settings;
  readonly cancellation: Cancellation;
  readonly place: CallPlace;
}

function withHeaders(request: ClientRequest, settings: Settings): ClientRequest {
  if (settings.headers.length === 0) return request;
  return { ...request, headers: mergeHeaders(request.headers, ...settings.headers) };
}

/** A GET is sent again when the connection or a gateway fails, after a pause that doubles. */
async function retried(request: ClientRequest, call: Call): Promise<ClientAnswer> {
  const { settings, cancellation } = call;
  for (let again = settings.retries, pause = 100; ; again -= 1, pause *= 2) {
    try {
      const answer = await once(request, call);
      if (again === 0 || answer.status < 502 || answer.status > 504) return answer;
    } catch (error) {
      if (again === 0 || !(error instanceof TransportError) || cancellation.cancelled) throw error;
    }
    await cancellation.race(new Promise((resolve) => setTimeout(resolve, pause)));
  }
}

/** The request is sent once, with the hooks before and after. */
function once(request: ClientRequest, call: Call): Promise<ClientAnswer> {
  if (call.settings.hooks.length > 0) return hooked(request, call);
  checkRequest(request, call.settings);
  return send(request, call);
}

async function hooked(given: ClientRequest, call: Call): Promise<ClientAnswer> {
  const { settings, cancellation } = call;
  let request = given;
  for (const { before } of settings.hooks) {
    if (before !== undefined) request = (await cancellation.race(promised(() => before(request)))) ?? request;
  }
  checkRequest(request, settings);
  let answer = await send(request, call);
  const another = await otherRequest(answer, request, call);
  if (another !== undefined) {
    request = another;
    checkRequest(request, settings);
    answer = await send(request, call);
  }
  for (const { after } of settings.hooks.toReversed()) {
    if (after !== undefined) answer = (await cancellation.race(promised(() => after(answer, request)))) ?? answer;
  }
  return answer;
}

/** What the first of the hooks, from the inside, would send instead. */
async function otherRequest(
  answer: ClientAnswer,
  request: ClientRequest,
  { settings, cancellation }: Call,
): Promise<ClientRequest | undefined> {
  for (const { again } of settings.hooks.toReversed()) {
    const other = again && (await cancellation.race(promised(() => again(answer, request))));
    if (other !== undefined) return other;
  }
  return undefined;
}

async function promised<T>(hook: () => HookResult<T>): Promise<T | undefined> {
  return (await hook()) ?? undefined;
}

function checkRequest(request: ClientRequest, { ownTransport }: Settings): void {
  checkHeaders(request.headers);
  const known = ownTransport ? /^[a-z][a-z0-9+.-]*:/i : /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;
  if (!known.test(request.url)) {
    throw new ConfigError("The request has no http or https address.");
  }
}

/** Hands a request to the transport. Rejects with a typed error, or with whatever when the call was cancelled. */
async function send(request: ClientRequest, call: Call): Promise<ClientAnswer> {
  const sent = new SentRequest(request, call);
  try {
    const answer = await call.cancellation.race(call.settings.transport.send(sent));
    // A transport of the user's own need not have asked.
    if (sent.head === undefined) sent.checkHead(answer);
    if (answer.body.length > sent.bodyBytes) throw new BodyLimitError(sent.bodyBytes);
    return answer;
  } catch (error) {
    throw transportFailure(error, sent.head, call.place);
  }
}

class SentRequest implements TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly bodyBytes: number;
  readonly connectTimeout: number;
  head: TransportHead | undefined;
  readonly #call: Call;

  constructor(request: ClientRequest, call: Call) {
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    this.body = request.body;
    this.bodyBytes = call.settings.limits.bodyBytes;
    this.connectTimeout = call.settings.connectTimeout;
    this.head = undefined;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.cancellation.signal;
  }

  onCancel(listener: () => void): () => void {
    return this.#call.cancellation.onCancel(listener);
  }

  /** A redirect is never followed: it would carry the request, and what it says, to an address that nobody chose. */
  checkHead(head: TransportHead): void {
    this.head = head;
    const { status, headers } = head;
    if (status >= 300 && status < 400) {
      throw headFailure(`The server redirects (${status}), which is not followed.`, head, this.#call.place);
    }
    if (Number(headers.get("content-length")) > this.bodyBytes) throw new BodyLimitError(this.bodyBytes);
  }
}
