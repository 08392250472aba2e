import { BodyCollector } from "../../http/body-collector.js";
import type { Transport, TransportHead, TransportRequest } from "../transport.js";

/** The platform's `fetch`, or any function like it, for example a server's web handler. */
export type Fetch = (request: Request) => Promise<Response>;

/** Sends with `fetch`, without cookies: `fetchTransport(webHandler([routes]))` calls a server without a socket. */
export function fetchTransport(fetch: Fetch): Transport {
  // The platform's fetch creates a Request itself; passing one would double the work.
  if (fetch === globalThis.fetch) {
    return transportOver((url, init) => globalThis.fetch(url, init));
  }
  return transportOver((url, init) => fetch(new Request(url, init)));
}

function transportOver(fetch: (url: string, init: RequestInit) => Promise<Response>): Transport {
  return {
    async send(request) {
      const response = await fetch(request.url, initOf(request));
      // A browser hides the status of a redirect that is not followed.
      const status = response.type === "opaqueredirect" ? 302 : response.status;
      const head = { status, headers: headerMap(response.headers) };
      return { ...head, body: await readBody(response, request, head) };
    },
  };
}

/** `fetch` joins lines of one name, except `Set-Cookie`. */
function headerMap(headers: Headers): ReadonlyMap<string, string> {
  const joined = new Map(headers);
  if (joined.has("set-cookie")) {
    joined.set("set-cookie", headers.getSetCookie().join(", "));
  }
  return joined;
}

function initOf({ method, headers, body, signal }: TransportRequest): RequestInit {
  return {
    method,
    headers,
    // A copy: fetch does not accept bytes of shared memory.
    body: typeof body === "object" ? new Uint8Array(body) : (body ?? null),
    redirect: "manual",
    credentials: "omit",
    signal,
  };
}

async function readBody(response: Response, request: TransportRequest, head: TransportHead): Promise<Uint8Array> {
  try {
    request.checkHead(head);
    const body = request.collect?.(head) ?? new BodyCollector(request.bodyBytes);
    const reader = response.body?.getReader();
    if (reader === undefined) {
      return body.bytes();
    }
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return body.bytes();
      }
      try {
        await body.add(value);
      } catch (error) {
        reader.cancel().catch(() => {});
        throw error;
      }
    }
  } catch (error) {
    if (response.body?.locked === false) {
      response.body.cancel().catch(() => {});
    }
    throw error;
  }
}
