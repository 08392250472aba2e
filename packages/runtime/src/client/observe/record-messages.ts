import { type RecordOptions, Redactor, writeMessage } from "../../observe/redact.js";
import type { ClientRequest, Hooks } from "../hooks.js";

/**
 * Hooks that pass on each request and answer with its bytes, without secrets: `hooks: [cookies(), recordMessages({ write })]`. As
 * the last of several, they see what the others have changed. Answers are decompressed.
 */
export function recordMessages(options: RecordOptions): Hooks {
  const redactor = new Redactor(options);
  const ids = new WeakMap<ClientRequest, string>();
  let count = 0;
  const begin = (request: ClientRequest): void => {
    count += 1;
    const id = String(count);
    ids.set(request, id);
    const { method, url, headers } = request;
    const body = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
    const bytes = body ?? new Uint8Array();
    writeMessage(options, {
      direction: "request",
      side: "client",
      time: Date.now(),
      id,
      method,
      address: redactor.address(url),
      headers: redactor.headers(Object.entries(headers)),
      body: redactor.body(bytes, undefined),
      bytes: bytes.length,
    });
  };
  return {
    before: begin,
    after({ status, headers, body }, request) {
      // A request that another hook repeats was not seen before.
      if (!ids.has(request)) {
        begin(request);
      }
      writeMessage(options, {
        direction: "answer",
        side: "client",
        time: Date.now(),
        id: ids.get(request) ?? "",
        status,
        headers: redactor.headers(headers),
        body: redactor.body(body, undefined),
        bytes: body.length,
      });
    },
  };
}
