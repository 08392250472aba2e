import { ConfigError, TransportError } from "../errors.js";
import { Cancellation } from "./cancellation.js";
import type { CallPlace } from "./failures.js";
import { checkHeaders, mergeHeaders } from "./headers.js";
import type { ClientAnswer, ClientRequest, HookResult } from "./hooks.js";
import { send } from "./send.js";
import type { Settings } from "./settings.js";

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
