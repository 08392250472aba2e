import { describe, expect, test } from "vitest";
import type { ServerRequest } from "../../src/http/server-request.js";
import {
  combineRoutes,
  createRouter,
  healthRoutes,
  type Routes,
  rateLimitedRoutes,
  recordedRoutes,
  type ServerIncident,
} from "../../src/server/index.js";
import { LimitError } from "../../src/server-limits.js";
import { bodyOf, requestOf } from "./fixture.js";
import { startServer } from "./sockets.js";

// An orchestrator restarts a process whose `/health` fails, so `/health` must not fail because the process is busy.

const waiting: Routes = {
  name: "waiting",
  answer: ({ target }) => (target === "/wait" ? new Promise(() => {}) : undefined),
};
let checkCount = 0;
const health = healthRoutes({
  checks: {
    database() {
      checkCount += 1;
    },
  },
});

/** A server with as many requests in flight as its limit allows. */
function busyRouter(routes: readonly Routes[]) {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const router = createRouter(routes, { limits: { inFlight: 3 }, onError });
  for (let count = 0; count < 3; count++) {
    void router(requestOf({ method: "GET", target: "/wait" }));
  }
  const send = async (request: Partial<ServerRequest>) => {
    const { status, body, headers } = await router(requestOf({ method: "GET", ...request }));
    return { status, text: bodyOf({ status, body, headers }), type: headers[0]?.[1] };
  };
  return { send, incidents };
}

const ok = { status: 200, text: '{"status":"ok"}', type: "application/json" };
const busy = { status: 503, text: '{"status":"busy"}', type: "application/json" };

describe("while as many requests are in flight as the limit allows", () => {
  test.each<[string, readonly Routes[]]>([
    ["healthRoutes", [waiting, health]],
    ["healthRoutes before other routes", [health, waiting]],
    ["combineRoutes", [combineRoutes("all", [waiting, health])]],
    ["rateLimitedRoutes", [waiting, rateLimitedRoutes(health, { requests: 100, window: 1_000 })]],
    ["recordedRoutes", [waiting, recordedRoutes(health, { write() {} })]],
    ["recordedRoutes of combineRoutes", [recordedRoutes(combineRoutes("all", [waiting, health]), { write() {} })]],
  ])("/health of %s answers 200 and /ready 503, without checks", async (_, routes) => {
    checkCount = 0;
    const { send, incidents } = busyRouter(routes);
    expect(await send({ target: "/health" })).toEqual(ok);
    expect(await send({ target: "/health?a=1" })).toEqual(ok);
    expect(await send({ target: "/health", method: "HEAD" })).toMatchObject({ status: 200 });
    expect(await send({ target: "/health", method: "POST" })).toMatchObject({ status: 405 });
    expect(incidents).toEqual([]);
    expect(await send({ target: "/ready" })).toEqual(busy);
    expect(await send({ target: "/ready", draining: true })).toMatchObject({ text: '{"status":"stopping"}' });
    expect(incidents).toMatchObject([{ kind: "limit.inFlight", address: "/ready" }]);
    expect(checkCount).toBe(0);
    for (const target of ["/wait", "/", "/healthy", "/health/a"]) {
      expect(await send({ target })).toMatchObject({ status: 503, text: expect.stringContaining("busy") });
    }
  });

  test("the answers have other paths if the options name them", async () => {
    const { send } = busyRouter([waiting, healthRoutes({ healthPath: "/live", readyPath: "/up" })]);
    expect([await send({ target: "/live" }), await send({ target: "/up" })]).toEqual([ok, busy]);
    expect(await send({ target: "/health" })).toMatchObject({ status: 503, type: expect.not.stringContaining("json") });
  });
});

test("/health answers 200 while clients have not read too many bytes", async () => {
  const findOverload = () => new LimitError("unreadBytes", 1);
  const channel = { hasSubscribers: false, publish() {} };
  const features = { findOverload, hasSockets: false, channels: { call: channel, error: channel } };
  const router = createRouter([health], { onError() {} }, { features });
  const send = async (target: string) => (await router(requestOf({ method: "GET", target }))).status;
  expect([await send("/health"), await send("/ready"), await send("/other")]).toEqual([200, 503, 503]);
});

test("/health of a busy server that listens answers 200 on a connection that stays open", async () => {
  const events: unknown[] = [];
  const onCall = ({ address, status }: { readonly address: string; readonly status: number }) =>
    void events.push([address, status]);
  const limits = { inFlight: 1, drainTimeout: 1 };
  const server = await startServer([waiting, health], { limits, onCall, onError() {} });
  void fetch(`${server.url}/wait`).catch(() => {});
  await expect.poll(async () => (await server.state()).inFlight).toBe(1);
  const answer = await fetch(`${server.url}/health`);
  expect([answer.status, answer.headers.get("connection"), await answer.json()]).toEqual([
    200,
    "keep-alive",
    { status: "ok" },
  ]);
  expect((await fetch(`${server.url}/ready`)).status).toBe(503);
  expect(events).toEqual([
    ["/health", 200],
    ["/ready", 503],
  ]);
});
