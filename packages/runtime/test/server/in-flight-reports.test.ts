import { describe, expect, test, vi } from "vitest";
import type { ServerRequest } from "../../src/http/server-request.js";
import { createRouter, type RouterOptions, type Routes, type ServerIncident } from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { message, requestOf, served } from "./fixture.js";

// When the requests in flight exceed a limit, operators learn which operations use it up.

const ping = message("soap12", `<Number xmlns="http://things.example/ns">1</Number>`);
const find = message(
  "soap12",
  '<Find xmlns="http://things.example/ns"><Key>k</Key><Count>1</Count><username>u</username></Find>',
);
const listed: Partial<ServerRequest> = { method: "GET", target: "/en/api/core/v2/items" };

/** A router whose handlers wait until `release` is called. */
function waitingRouter(options: RouterOptions) {
  const waiting: (() => void)[] = [];
  const wait = (answer: unknown) => () => new Promise<unknown>((resolve) => waiting.push(() => resolve(answer)));
  const incidents: ServerIncident[] = [];
  const { routes } = served({ find: wait(null), ping: wait({ Number: 1 }) }, { limits: { handlerTimeout: Infinity } });
  const rest: Routes = site({ limits: { handlerTimeout: Infinity } }, wait([]));
  const router = createRouter([routes, rest], { onError: (incident) => incidents.push(incident), ...options });
  const answers: unknown[] = [];
  return {
    incidents,
    start(request: Partial<ServerRequest>, count = 1) {
      for (let index = 0; index < count; index++) {
        answers.push(router(requestOf(request)));
      }
    },
    send: async (request: Partial<ServerRequest>) => (await router(requestOf(request))).status,
    async release(count = waiting.length) {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThanOrEqual(count));
      for (const resume of waiting.splice(0, count)) {
        resume();
      }
    },
    begun: (count: number) => vi.waitFor(() => expect(waiting.length).toBe(count)),
    ended: () => Promise.all(answers),
  };
}

describe("limit.inFlight", () => {
  test("names the operations in progress, the most frequent first", async () => {
    const router = waitingRouter({ limits: { inFlight: 6 } });
    router.start(find, 2);
    router.start(listed, 3);
    router.start(ping);
    await router.begun(6);
    expect(await router.send(ping)).toBe(503);
    expect(router.incidents).toMatchObject([
      {
        kind: "limit.inFlight",
        message: expect.stringMatching(
          /^The server is already answering 6 requests\..* In progress: core\.items\.list \(3\), Find \(2\), Ping \(1\)\.$/,
        ),
        rule: expect.stringMatching(/This is reported once a minute\.$/),
      },
    ]);
    await router.release();
    await router.ended();
  });

  test("says for how long the oldest request is in progress if calls are observed", async () => {
    const router = waitingRouter({ limits: { inFlight: 2 }, onCall: () => {} });
    router.start(find);
    await new Promise((resolve) => setTimeout(resolve, 60));
    router.start(find);
    await router.begun(2);
    await router.send(listed);
    const [, duration] =
      /In progress: Find \(2, the oldest for (\d+) ms\)\.$/.exec(router.incidents[0]?.message ?? "") ?? [];
    expect(Number(duration)).toBeGreaterThanOrEqual(55);
    await router.release();
    await router.ended();
  });

  test("does not name requests that have been answered, and those whose body is arriving", async () => {
    const router = waitingRouter({ limits: { inFlight: 2 } });
    router.start(ping, 2);
    await router.release(2);
    await router.ended();
    let complete = () => {};
    const arriving = new Promise<void>((resolve) => {
      complete = resolve;
    });
    async function* body() {
      yield new Uint8Array(1);
      await arriving;
    }
    router.start({ ...ping, body: body() });
    router.start(find, 2);
    await router.begun(2);
    await router.send(listed);
    complete();
    await vi.waitFor(() => expect(router.incidents[0]?.message).toMatch(/In progress: Find \(2\)\.$/));
    await router.release();
    await router.ended();
  });

  test("lists the operations for one refused request and the first omitted one, not for each", async () => {
    const router = waitingRouter({ limits: { inFlight: 1 } });
    router.start(find);
    await router.begun(1);
    const sort = vi.spyOn(Array.prototype, "toSorted");
    for (let count = 0; count < 20; count++) {
      await router.send(ping);
    }
    expect(sort.mock.calls.length).toBe(2);
    sort.mockRestore();
    expect(router.incidents.length).toBe(1);
    await router.release();
    await router.ended();
  });

  test("counts each request once, however it ends", async () => {
    const router = waitingRouter({ limits: { inFlight: 1 } });
    const failing: Routes = {
      name: "failing",
      answer: ({ target }) => {
        if (target === "/throws") {
          throw new Error("thrown");
        }
        return target === "/rejects" ? Promise.reject(new Error("rejected")) : undefined;
      },
    };
    const other = createRouter([failing], { limits: { inFlight: 1 }, onError: () => {} });
    for (const target of ["/throws", "/rejects", "/missing", "/throws", "/missing"]) {
      expect((await other(requestOf({ target }))).status).toBe(target === "/missing" ? 404 : 500);
    }
    for (let count = 0; count < 3; count++) {
      router.start(ping);
      await router.begun(1);
      expect(await router.send(ping)).toBe(503);
      await router.release(1);
      await router.ended();
    }
  });

  test("still counts requests whose body is read again after it was refused, or after the answer", async () => {
    const late: (() => Promise<unknown>)[] = [];
    const read = async (body: ServerRequest["body"]) => {
      for await (const _ of body instanceof Uint8Array ? [body] : body) {
      }
    };
    const answer = { status: 200, headers: [], body: "" };
    const reading: Routes = {
      name: "reading",
      answer: async ({ body, target }) => {
        if (target === "/late") {
          late.push(() => read(body));
        } else if (target === "/again") {
          await read(body).catch(() => {});
          await read(body).catch(() => {});
        } else {
          await new Promise<void>((resolve) => late.push(async () => resolve()));
        }
        return answer;
      },
    };
    const router = createRouter([reading], { limits: { inFlight: 1, arrivingBodies: 0 }, onError: () => {} });
    async function* body() {
      yield new Uint8Array(1);
    }
    for (const target of ["/again", "/late", "/again", "/late"]) {
      await router(requestOf({ target, body: body() }));
      await Promise.allSettled(late.splice(0).map((run) => run()));
    }
    const waiting = router(requestOf({ target: "/wait" }));
    expect((await router(requestOf({ target: "/wait" }))).status).toBe(503);
    await late[0]?.();
    expect((await waiting).status).toBe(200);
    const next = router(requestOf({ target: "/wait" }));
    await late[1]?.();
    expect((await next).status).toBe(200);
  });
});

test("limit.inFlightBytes names the operations that take the most memory", async () => {
  const router = waitingRouter({ limits: { inFlightBytes: 60_000, inFlight: 100 } });
  const large = (length: number) =>
    message(
      "soap12",
      `<Find xmlns="http://things.example/ns"><Key>${"k".repeat(length)}</Key><Count>1</Count><username>u</username></Find>`,
    );
  router.start(ping, 3);
  router.start(large(15_000));
  await router.begun(4);
  expect(await router.send(large(15_000))).toBe(503);
  expect(router.incidents).toMatchObject([
    {
      kind: "limit.inFlightBytes",
      message: expect.stringMatching(/This is reported once a minute\. In progress: Find \(1, \d+ bytes\)\.$/),
    },
  ]);
  await router.release();
  await router.ended();
});
