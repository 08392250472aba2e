import { ConfigError } from "../../errors.js";
import { BodyCollector } from "../body-collector.js";
import type { Transport, TransportOptions, TransportRequest } from "../transport.js";

/**
 * Sends with the platform's `fetch`, without cookies. Where the platform asks for compressed answers and inflates them
 * by itself, it is the inflated bytes that count.
 */
export function createTransport({ agent, tls }: TransportOptions): Transport {
  if (agent !== undefined || tls !== undefined) {
    throw new ConfigError("The options agent and tls are for Node's own transport; fetch takes neither.");
  }
  return {
    async send(request) {
      const response = await fetch(request.url, {
        method: request.method,
        headers: request.headers,
        // A copy, since these may be bytes of shared memory, which fetch does not take.
        body: typeof request.body === "object" ? new Uint8Array(request.body) : (request.body ?? null),
        redirect: "manual",
        credentials: "omit",
        signal: request.signal,
      });
      // A browser hides the status of a redirect that it was told not to follow.
      const status = response.type === "opaqueredirect" ? 302 : response.status;
      const head = { status, headers: new Map(response.headers) };
      return { ...head, body: await readBody(response, request, () => request.checkHead(head)) };
    },
  };
}

async function readBody(response: Response, request: TransportRequest, checkHead: () => void): Promise<Uint8Array> {
  const body = new BodyCollector(request.bodyBytes);
  try {
    checkHead();
    const reader = response.body?.getReader();
    if (reader === undefined) return body.bytes();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return body.bytes();
      try {
        body.add(value);
      } catch (error) {
        reader.cancel().catch(() => {});
        throw error;
      }
    }
  } catch (error) {
    if (response.body?.locked === false) response.body.cancel().catch(() => {});
    throw error;
  }
}
