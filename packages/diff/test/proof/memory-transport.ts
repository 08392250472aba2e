import type { Transport } from "@bothends/runtime/client";
import type { Routes } from "@bothends/runtime/server";

const encoder = new TextEncoder();
const { signal } = new AbortController();

/**
 * Calls routes in memory, without the web's `Request` and `Response`: tests make tens of thousands of calls, and
 * creating these objects would take a third of their time.
 */
export function memoryTransport(routes: readonly Routes[]): Transport {
  return {
    async send({ method, url, headers, body = "" }) {
      const { host, pathname, search } = new URL(url);
      const bytes = typeof body === "string" ? encoder.encode(body) : body;
      const request = {
        method,
        target: `${pathname}${search}`,
        headers: [["Host", host] as const, ...Object.entries(headers)],
        body: bytes,
        signal,
      };
      for (const each of routes) {
        const answer = await each.answer(request);
        if (answer !== undefined) {
          return {
            status: answer.status,
            headers: new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value])),
            body: typeof answer.body === "string" ? encoder.encode(answer.body) : (answer.body ?? new Uint8Array()),
          };
        }
      }
      throw new Error(`No routes answer ${method} ${url}.`);
    },
  };
}
