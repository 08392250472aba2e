import { describe, expect, test } from "vitest";
import { RestClient } from "../../src/client/rest/rest-client.js";
import { streamOf } from "../../src/client/streams/stream-of.js";
import { AbortError, type JsonValue, TransportError } from "../../src/index.js";
import { collected, failureOf, type LocalServer, localServer } from "./local-server.js";

const endpoint = { name: "rows", route: "/rows", path: ["/rows"], methods: ["GET"], args: {} } as never;

function rowsOf(server: LocalServer, options: object = {}, callOptions: object = {}) {
  const client = new RestClient({ descriptorFormat: 2, name: "site", base: "" }, { siteUrl: server.url, ...options });
  return streamOf(
    (call): Promise<readonly JsonValue[]> => client.call(endpoint, {}, { ...call, ...callOptions }) as never,
  );
}

/** A server that answers each request with the beginning of a list, and then sends nothing. */
function stoppingServer(text = "[1,2,") {
  return localServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.write(text);
  });
}

/** Rejects if a promise takes longer than a second. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It took longer than a second.")), 1_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const done = { done: true, value: undefined };

describe("a stream that its consumer ends", () => {
  test("while it waits for the answer closes the connection at once", async () => {
    const server = await stoppingServer();
    const items = rowsOf(server);
    expect((await items.next()).value).toBe(1);
    expect((await items.next()).value).toBe(2);
    const pending = items.next();
    await expect.poll(() => server.sockets()).toBe(1);
    expect(await soon(items.return())).toEqual(done);
    expect(await soon(pending)).toEqual(done);
    expect(await soon(items.next())).toEqual(done);
    await expect.poll(() => server.sockets()).toBe(0);
  });

  test("by throw while it waits closes the connection at once", async () => {
    const server = await stoppingServer();
    const items = rowsOf(server);
    await items.next();
    await items.next();
    const pending = items.next();
    const reason = new Error("enough");
    expect(await failureOf(soon(items.throw(reason)))).toBe(reason);
    expect(await soon(pending)).toEqual(done);
    expect(await soon(items.next())).toEqual(done);
    await expect.poll(() => server.sockets()).toBe(0);
  });

  test("during a pause between two attempts ends at once", async () => {
    const server = await localServer((_, response) => {
      response.writeHead(503, { "Retry-After": "60" }).end();
    });
    const items = rowsOf(server, { retries: 5 });
    const pending = items.next();
    await expect.poll(() => server.received.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await soon(items.return())).toEqual(done);
    expect(await soon(pending)).toEqual(done);
  });

  test("while a hook runs ends at once", async () => {
    const server = await stoppingServer();
    const items = rowsOf(server, { hooks: { before: () => new Promise<undefined>(() => {}) } });
    const pending = items.next();
    expect(await soon(items.return())).toEqual(done);
    expect(await soon(pending)).toEqual(done);
    expect(server.received).toEqual([]);
  });

  test("before its first item sends nothing", async () => {
    const server = await stoppingServer();
    const items = rowsOf(server);
    expect(await soon(items.return())).toEqual(done);
    expect(await soon(items.next())).toEqual(done);
    expect(server.received).toEqual([]);
  });
});

describe("a stream that fails", () => {
  test("is done after its error", async () => {
    const server = await stoppingServer("[1,x,2,");
    const items = rowsOf(server);
    expect((await items.next()).value).toBe(1);
    await failureOf(soon(items.next()));
    expect(await soon(items.next())).toEqual(done);
    await expect.poll(() => server.sockets()).toBe(0);
  });

  test("has the reason of the caller's signal as its cause, also with retries", async () => {
    const server = await stoppingServer();
    const controller = new AbortController();
    const items = rowsOf(server, { retries: 3 }, { signal: controller.signal });
    await items.next();
    const reason = new Error("the user left");
    controller.abort(reason);
    const error = await failureOf(soon(collected(items)));
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ cause: reason });
    expect(await soon(items.next())).toEqual(done);
    await expect.poll(() => server.sockets()).toBe(0);
  });

  test("delivers no further items after the caller's signal was aborted", async () => {
    const server = await stoppingServer();
    const controller = new AbortController();
    const items = rowsOf(server, {}, { signal: controller.signal });
    expect((await items.next()).value).toBe(1);
    controller.abort();
    expect(await failureOf(soon(items.next()))).toBeInstanceOf(AbortError);
  });

  test("is not repeated once items have arrived, and reports why the connection failed", async () => {
    const server = await localServer((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.write("[1,", () => setTimeout(() => response.destroy(), 50));
    });
    const items = rowsOf(server, { retries: 3 });
    expect((await items.next()).value).toBe(1);
    const error = await failureOf(soon(items.next()));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: "ECONNRESET" });
    expect(server.received).toHaveLength(1);
  });

  test("is repeated if the connection failed before the first item", async () => {
    let attempts = 0;
    const server = await localServer((_, response) => {
      attempts += 1;
      response.writeHead(200, { "Content-Type": "application/json" });
      response.write(attempts === 1 ? " " : "[1]", () =>
        setTimeout(() => (attempts === 1 ? response.destroy() : response.end()), 50),
      );
    });
    expect(await soon(collected(rowsOf(server, { retries: 1 })))).toEqual([1]);
    expect(attempts).toBe(2);
  });
});
