import { describe, expect, onTestFinished, test } from "vitest";
import { type ClientAnswer, type ClientRequest, recordMessages, ServiceClient } from "../../src/client/index.js";
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

  const wrongResults = [7, "text", true, [], {}, Promise.resolve({})] as const;
  test.each(
    (["before", "again", "after"] as const).flatMap((hook) => wrongResults.map((result) => ({ hook, result }))),
  )("a hook $hook that returns $result is refused by its name", async ({ hook, result }) => {
    const server = await localServer(always(200, xml, good));
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks: { [hook]: () => result } });
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(`The hook "${hook}" must return ${hook === "after" ? "an answer" : "a request"}`);
  });

  test.each(["before", "again", "after"])("a hook %s that is not a function is refused by its name", async (hook) => {
    const server = await localServer(always(200, xml, good));
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks: { [hook]: "token" } });
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(`The hook "${hook}" must be a function.`);
    expect(server.received).toEqual([]);
  });

  test("an asynchronous function that fails in place of a synchronous one ends no process", async () => {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => void rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    onTestFinished(() => void process.off("unhandledRejection", onRejection));
    const server = await localServer(always(200, xml, good));
    const fail = () => Promise.reject(new Error("late")) as never;
    const write = recordMessages({ write: fail });
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks: write });
    expect(await client.call(find, input, { onAnswer: fail })).toEqual(item);
    const aborted = failureOf(client.call(find, { ...input, Key: "k".repeat(100_000) }, { onUploadProgress: fail }));
    expect(await aborted).toMatchObject({ name: "AbortError", cause: { message: "late" } });
    const empty = await localServer(always(200, xml, good.replace(/<Size>[^<]*<\/Size>/, "<Size/>")));
    const tolerant = new ServiceClient(lookup, { baseUrl: empty.url, tolerate: ["empty"], onTolerated: fail });
    expect(await tolerant.call(find, input)).toMatchObject({ Size: null });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(rejections).toEqual([]);
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
