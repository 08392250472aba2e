import { BodyLimitError } from "./body-collector.js";
import type { Cancellation } from "./cancellation.js";
import { type CallPlace, headFailure, transportFailure } from "./failures.js";
import type { ClientAnswer, ClientRequest } from "./hooks.js";
import type { Settings } from "./settings.js";
import type { TransportHead, TransportRequest } from "./transport.js";

interface Call {
  readonly settings: Settings;
  readonly cancellation: Cancellation;
  readonly place: CallPlace;
}

/** Hands a request to the transport. Rejects with a typed error, or with whatever when the call was cancelled. */
export async function send(request: ClientRequest, call: Call): Promise<ClientAnswer> {
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
