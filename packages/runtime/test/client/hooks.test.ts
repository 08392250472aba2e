import { describe, expect, test } from "vitest";
import { type ClientAnswer, type ClientRequest, ServiceClient } from "../../src/client/index.js";
import { ConfigError, TimeoutError } from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, lookup } from "./lookup.js";

const input = { Key: "a", user: "u" };
const xml = "text/xml; charset=utf-8";
const good = envelope(found());

describe("hooks", () => {
  test("may change request and answer, the client's around the call's", async () => {
    const server = await localServer(always(200, xml, "nothing"));
    const order: string[] = [];
    const client = new ServiceClient(lookup, {
      baseUrl: server.url,
      hooks: {
        before: async (request: ClientRequest) => {
          order.push(`client before ${request.operation}`);
          return { ...request, headers: { ...request.headers, authorization: "Bearer t" } };
        },
        after: (answer: ClientAnswer) => {
          order.push(`client after ${answer.body.length}`);
        },
      },
    });
    const result = await client.call(find, input, {
      hooks: {
        before: (request) => {
          order.push(`call before ${request.headers["authorization"]}`);
          return { ...request, url: `${request.url}?x=1` };
        },
        after: async (answer, request) => {
          order.push(`call after ${request.method}`);
          return { ...answer, body: new TextEncoder().encode(good) };
        },
      },
    });
    expect(result).toEqual(item);
    expect(order).toEqual([
      "client before Find",
      "call before Bearer t",
      "call after POST",
      `client after ${Buffer.byteLength(good)}`,
    ]);
    expect(server.received[0]).toMatchObject({ path: "/api/lookup.asmx?x=1", headers: { authorization: "Bearer t" } });
  });

  test("the call rejects with the error that a hook throws", async () => {
    const server = await localServer(always(200, xml, good));
    const reason = new RangeError("no token");
    const hooks = { before: () => Promise.reject(reason) };
    expect(await failureOf(new ServiceClient(lookup, { baseUrl: server.url, hooks }).call(find, input))).toBe(reason);
    expect(server.received).toEqual([]);
  });

  test("a hook that never ends is stopped by the timeout", async () => {
    const server = await localServer(always(200, xml, good));
    const hooks = { after: () => new Promise<void>(() => {}) };
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks, timeout: 50 });
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(TimeoutError);
  });

  test("a hook cannot smuggle a header", async () => {
    const server = await localServer(always(200, xml, good));
    for (const headers of [{ "X-A": "a\r\nX-B: b" }, { "transfer-encoding": "chunked" }, { "x\na": "b" }]) {
      const hooks = { before: (request: ClientRequest) => ({ ...request, headers }) };
      expect(
        await failureOf(new ServiceClient(lookup, { baseUrl: server.url, hooks }).call(find, input)),
      ).toBeInstanceOf(ConfigError);
    }
    const hooks = { before: (request: ClientRequest) => ({ ...request, url: "file:///etc/passwd" }) };
    expect(await failureOf(new ServiceClient(lookup, { baseUrl: server.url, hooks }).call(find, input))).toBeInstanceOf(
      ConfigError,
    );
    expect(server.received).toEqual([]);
  });
});
