import { ConfigError, TransportError } from "../errors.js";
import { shownAddress } from "./address.js";
import { BodyLimitError } from "./body-collector.js";
import { Cancellation } from "./cancellation.js";
import { type CallPlace, headFailure, transportFailure } from "./failures.js";
import { checkHeaders, mergeHeaders } from "./headers.js";
import type { ClientAnswer, ClientRequest, HookResult } from "./hooks.js";
import type { Settings } from "./settings.js";
import type { TransportHead, TransportRequest } from "./transport.js";

/** Sends one request with all that is around it, and gives back the answer as the hooks leave it. */
export async function exchange(request: ClientRequest, settings: Settings): Promise<ClientAnswer> {
  const cancellation = new Cancellation(settings.timeout, settings.signals);
  const place = { operation: request.operation, address: shownAddress(request.url) };
  try {
    return await attempt(withHeaders(request, settings), { settings, cancellation, place });
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
  const headers = mergeHeaders({ ...request.headers, "Accept-Encoding": "identity" }, ...settings.headers);
  return { ...request, headers };
}

/** A GET is sent again when the connection or a gateway fails, after a pause that doubles. */
async function attempt(request: ClientRequest, call: Call): Promise<ClientAnswer> {
  const { settings, cancellation } = call;
  for (let again = request.method === "GET" ? settings.retries : 0, pause = 100; ; again -= 1, pause *= 2) {
    try {
      const answer = await once(request, call);
      if (again === 0 || answer.status < 502 || answer.status > 504) return answer;
    } catch (error) {
      if (again === 0 || !(error instanceof TransportError) || cancellation.cancelled) throw error;
    }
    await cancellation.race(new Promise((resolve) => setTimeout(resolve, pause)));
  }
}

async function once(given: ClientRequest, call: Call): Promise<ClientAnswer> {
  const { settings, cancellation } = call;
  if (cancellation.cancelled) throw new Error("The call was cancelled.");
  let request = given;
  for (const { before } of settings.hooks) {
    if (before !== undefined) request = (await cancellation.race(promised(() => before(request)))) ?? request;
  }
  checkRequest(request);
  let answer = await send(request, call);
  for (const { after } of settings.hooks.toReversed()) {
    if (after !== undefined) answer = (await cancellation.race(promised(() => after(answer, request)))) ?? answer;
  }
  return answer;
}

async function promised<T>(hook: () => HookResult<T>): Promise<T | undefined> {
  return (await hook()) ?? undefined;
}

function checkRequest(request: ClientRequest): void {
  checkHeaders(request.headers);
  if (!/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(request.url))
    throw new ConfigError("The request has no http or https address.");
}

async function send(request: ClientRequest, { settings, cancellation, place }: Call): Promise<ClientAnswer> {
  let head: TransportHead | undefined;
  const { bodyBytes } = settings.limits;
  const sent: TransportRequest = {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: request.body,
    bodyBytes,
    connectTimeout: settings.connectTimeout,
    get signal() {
      return cancellation.signal;
    },
    onCancel: (listener) => cancellation.onCancel(listener),
    checkHead(found) {
      head = found;
      checkHead(found, bodyBytes, place);
    },
  };
  try {
    const answer = await cancellation.race(settings.transport.send(sent));
    // A transport of the user's own need not have asked.
    checkHead(answer, bodyBytes, place);
    if (answer.body.length > bodyBytes) throw new BodyLimitError(bodyBytes);
    return answer;
  } catch (error) {
    throw transportFailure(error, head, place);
  }
}

/** A redirect is never followed: it would carry the request, and what it says, to an address that nobody chose. */
function checkHead(head: TransportHead, bodyBytes: number, place: CallPlace): void {
  const { status, headers } = head;
  if (status >= 300 && status < 400)
    throw headFailure(`The server redirects (${status}), which is not followed.`, head, place);
  if (Number(headers.get("content-length")) > bodyBytes) throw new BodyLimitError(bodyBytes);
}
