import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { RestClient, type Transport } from "../../src/client/index.js";
import { throwProxyError } from "../../src/client/transports/node-proxy-errors.js";
import type { EndpointDescriptor, RestInterfaceDescriptor } from "../../src/index.js";
import { DecodeError, type TransportError } from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";

// Jest, Electron and `node:vm` run programs in another realm than Node's own code, so that the errors of Node are not
// instances of the program's classes.

const things: RestInterfaceDescriptor = { descriptorFormat: 2, name: "things", base: "/api", segments: [] };
const create: EndpointDescriptor<object> = {
  ...{ kind: "endpoint", interface: things, name: "things.create", route: "/things", path: ["/things"] },
  ...{ methods: ["POST"], args: {} },
};

/** Errors as Node throws them, as expressions. */
const thrown: Readonly<Record<string, string>> = {
  "a refused connection": 'Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" })',
  "an unknown host": 'Object.assign(new Error("getaddrinfo ENOTFOUND nowhere"), { code: "ENOTFOUND" })',
  "a reset connection": 'Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" })',
  "several refused connections":
    'Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:1")], ""), { code: "ECONNREFUSED" })',
  "a failure of fetch":
    'new TypeError("fetch failed", { cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }) })',
  "a failure of fetch without a reason": 'new TypeError("fetch failed", { cause: new Error("") })',
  "a failure of fetch with several causes":
    'new TypeError("fetch failed", { cause: new AggregateError([new Error("connect ECONNREFUSED ::1:1")], "") })',
  "a redirect that fetch refuses": 'new TypeError("fetch failed", { cause: new Error("unexpected redirect") })',
  "an error with credentials in its text": 'new Error("error sending request for url (http://a:b@h.example/p?q=1)")',
  "an alert of TLS":
    'Object.assign(new Error("Parse Error: Expected HTTP/"), { code: "HPE_INVALID_CONSTANT", data: "\\x15\\x03" })',
  "an untrusted certificate":
    'Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" })',
  "a path of a socket":
    'Object.assign(new Error("connect ENOENT /run/a.sock"), { code: "ENOENT", syscall: "connect", address: "/run/a.sock" })',
  "a truncated answer": 'Object.assign(new Error("The answer is incomplete"), { name: "TruncatedError" })',
};

async function callFailing(error: unknown): Promise<{ readonly error: TransportError; readonly attempts: number }> {
  let attempts = 0;
  const transport: Transport = {
    async send() {
      attempts++;
      throw error;
    },
  };
  const client = new RestClient(things, { siteUrl: "http://service.example", transport, retries: 1 });
  return { error: (await failureOf(client.call(create, {}))) as TransportError, attempts };
}

describe("an error of another realm is treated like one of the same realm:", () => {
  test.each(Object.entries(thrown))("%s", async (_, expression) => {
    const foreign: unknown = runInNewContext(expression);
    expect(foreign).not.toBeInstanceOf(Error);
    const here = await callFailing(new Function(`return ${expression}`)());
    const there = await callFailing(foreign);
    const { name, message, code } = here.error;
    expect(there.error).toMatchObject({ name, message });
    expect([there.error.code, there.attempts]).toEqual([code, here.attempts]);
    expect(message).not.toContain("without a message");
  });

  test("a failure of a proxy", () => {
    const thrownBy = (error: unknown) => {
      try {
        throwProxyError(error, { name: "http://proxy" } as never, { url: "http://a.example" } as never);
      } catch (failure) {
        return [(failure as Error).name, (failure as Error).message];
      }
    };
    for (const expression of [thrown["a refused connection"], thrown["a reset connection"]]) {
      const here = thrownBy(new Function(`return ${expression}`)());
      expect(thrownBy(runInNewContext(String(expression)))).toEqual(here);
      expect(here?.[0]).toBe("ProxyError");
    }
  });

  test("an answer that is not UTF-8", async () => {
    const server = await localServer(always(200, "application/json", Buffer.from([0x22, 0xff, 0x22]) as never));
    const { decode: decodeText } = TextDecoder.prototype;
    // Other code of the process, such as that of esbuild, decodes its own bytes.
    const decode = vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(function (this: TextDecoder, ...input) {
      if (this.fatal && Buffer.from((input[0] ?? []) as Uint8Array).includes(0xff)) {
        throw runInNewContext('new TypeError("The encoded data was not valid for encoding utf-8")');
      }
      return decodeText.apply(this, input);
    });
    const error = await failureOf(new RestClient(things, { siteUrl: server.url }).call(create, {}));
    expect(decode).toHaveBeenCalled();
    decode.mockRestore();
    expect(error).toBeInstanceOf(DecodeError);
  });
});
